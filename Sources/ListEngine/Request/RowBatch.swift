internal import SQLiteKit

/// A statement whose rows have an identity and a content.
struct BatchQuery {
    /// What determines which of the rows the statement shows.
    enum RowID {
        case identity(IdentityColumns)
        /// The row's number among these ids, in the column behind all others.
        case number([Int64])
    }

    let statement: Statement
    let rowID: RowID
    /// Where the other columns begin.
    let firstColumn: Int
    /// Whether it also has rows that were not requested.
    var hasOthers = false
}

/// Finds the identity of the row with an id; nil if that is not known any more.
typealias KeyOfRow = (Int64) -> RowValues?

/// Reads some columns of many rows by one statement, in the ways that the kinds of identities need.
enum RowBatch {
    /// Rows of a table whose identity is the rowid.
    case rowids(RowidBatch, RowidRange)
    /// Rows of a table by their declared key, and by the rowid where a NULL in it makes that the
    /// identity.
    case keys(KeyBatch)
    /// Rows of a view or of a whole SELECT.
    case results(ResultBatch)

    /// Calls `body` with statements that together read the rows with these ids, as long as it
    /// returns true. Each must be stepped before `body` returns.
    ///
    /// - Parameter affordsScan: Whether to run through all rows of a view or SELECT for many ids,
    ///   though it is not known what that costs.
    func run(
        _ ids: [Int64], _ key: KeyOfRow, _ compiled: CompiledRequest, _ connection: Connection,
        affordsScan: Bool, _ body: (BatchQuery) throws -> Bool
    ) throws {
        switch self {
        case .rowids(let batch, let range): _ = try body(range.query(ids, connection) ?? batch.query(ids))
        case .keys(let batch): try batch.run(ids, key, body)
        case .results(let batch): try batch.run(ids, key, compiled, connection, affordsScan, body)
        }
    }

    /// How many rows to read together: as many as a batch has, or, if only running through all rows
    /// finds them, as many as there is room for.
    func size(_ batchSize: Int, room: Int) -> Int {
        guard case .results(let batch) = self, batch.prefersScan(room) else { return batchSize }
        return max(batchSize, room)
    }
}

/// Rows by their rowids.
struct RowidBatch {
    let statement: Statement
    let rowids: RowidTable
    let identity: IdentityColumns

    func query(_ ids: [Int64]) -> BatchQuery {
        rowids.removeAll()
        for id in ids { unsafe rowids.append(id) }
        return BatchQuery(statement: statement, rowID: .identity(identity), firstColumn: identity.count)
    }
}

/// Rows whose rowids follow one another, as in a list that is sorted by them: SQLite steps from one
/// to the next, rather than searching each.
final class RowidRange {
    private let sql: String
    private let identity: IdentityColumns
    /// Prepared when it is first needed.
    private var statement: Statement?

    init(sql: String, identity: IdentityColumns) {
        self.sql = sql
        self.identity = identity
    }

    /// nil if other rowids are between these, which all differ.
    func query(_ ids: [Int64], _ connection: Connection) throws(StoreError) -> BatchQuery? {
        guard ids.count > 1, let first = ids.min(), let last = ids.max(), last &- first == ids.count - 1 else {
            return nil
        }
        let statement: Statement
        if let known = self.statement { statement = known } else { statement = try connection.prepare(sql) }
        self.statement = statement
        try statement.bind(first, at: 1)
        try statement.bind(last, at: 2)
        return BatchQuery(statement: statement, rowID: .identity(identity), firstColumn: identity.count)
    }
}

/// Rows by their declared keys.
struct KeyBatch {
    /// nil if no part of the key can be NULL.
    let byRowid: RowidBatch?
    /// Rows by their numbers in the list of keys.
    let byKey: RowidBatch
    let keys: KeyList
    /// How many columns the key has.
    let keyCount: Int

    func run(_ ids: [Int64], _ key: KeyOfRow, _ body: (BatchQuery) throws -> Bool) throws {
        var standIns: [Int64] = []
        var keyed: [Int64] = []
        var known: [RowValues] = []
        for id in ids {
            guard let identity = key(id) else { continue }
            if let rowid = identity.standInRowid(keyCount: keyCount) {
                standIns.append(rowid)
            } else {
                keyed.append(id)
                known.append(identity)
            }
        }
        if !known.isEmpty {
            keys.keys = known
            defer { keys.keys = [] }
            let query = byKey.query(Array(0..<Int64(known.count)))
            guard
                try body(
                    BatchQuery(statement: query.statement, rowID: .number(keyed), firstColumn: query.firstColumn))
            else { return }
        }
        if let byRowid, !standIns.isEmpty { _ = try body(byRowid.query(standIns)) }
    }
}
