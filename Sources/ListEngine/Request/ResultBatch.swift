internal import SQLiteKit

/// Rows of a view or of a whole SELECT by their identities.
///
/// A search asks for each identity, joined by OR. SQLite moves that into the view, and searches
/// with its indexes, where it can: in plain views, compound ones, and groups by the identity. Where
/// it can't (a LIMIT, a window function), it runs through all rows for each search. It is better
/// then to run through all rows once, and to select as many of them as there is room for. SQLite's
/// count of the steps of its virtual machine shows which of the two is cheaper
/// (https://www.sqlite.org/c3ref/c_stmtstatus_counter.html).
final class ResultBatch {
    /// The greatest number of rows that one search asks for.
    private static let searchLimit = 64
    /// A search by an index takes fewer steps for each row, beside those for its columns.
    private static let stepsOfSearch = 300

    private let layout: ResultBatchLayout
    private let searchSQL: String
    private let scanSQL: String?
    private var search: Statement?
    private var scan: Statement?
    private let searchCount: Int
    /// The steps of a search for one row, and of running through all rows, once they were measured.
    private var searchSteps: Int?
    private var scanSteps: Int?
    /// Whether it never searches, so that short lists of tests are run through as well.
    var alwaysScans = false

    /// scanSQL: nil if the list's own statement for its keys has the content, too.
    init(_ layout: ResultBatchLayout, searchSQL: String, searchCount: Int, scanSQL: String?) {
        self.layout = layout
        self.searchSQL = searchSQL
        self.searchCount = searchCount
        self.scanSQL = scanSQL
    }

    /// How many rows one search asks for.
    static func searchCount(_ batchSize: Int, identityCount: Int) -> Int {
        max(1, min(batchSize, searchLimit, 500 / identityCount))
    }

    /// Whether reading up to `count` rows together is cheaper by running through all rows.
    func prefersScan(_ count: Int) -> Bool {
        if alwaysScans { return true }
        guard let searchSteps, searchSteps > Self.stepsOfSearch + 4 * layout.contentCount else { return false }
        return scanSteps.map { $0 < searchSteps * count } ?? true
    }

    private func scans(_ count: Int, _ affordsScan: Bool) -> Bool {
        guard !alwaysScans, let scanSteps else { return affordsScan && count > searchCount || prefersScan(count) }
        return scanSteps < (searchSteps ?? Self.stepsOfSearch) * count
    }

    func run(
        _ ids: [Int64], _ key: KeyOfRow, _ compiled: CompiledRequest, _ connection: Connection,
        _ affordsScan: Bool, _ body: (BatchQuery) throws -> Bool
    ) throws {
        if scans(ids.count, affordsScan) {
            let query = BatchQuery(
                statement: try boundScan(compiled, connection), rowID: .identity(layout.scanIdentity),
                firstColumn: layout.firstScanContent, hasOthers: true)
            _ = query.statement.takeSteps()
            _ = try body(query)
            scanSteps = query.statement.takeSteps()
            return
        }
        for start in stride(from: 0, to: ids.count, by: searchCount) {
            let part = ids[start..<min(start + searchCount, ids.count)]
            guard let statement = try boundSearch(Array(part), key, compiled, connection) else { continue }
            _ = statement.takeSteps()
            let isWanted = try body(
                BatchQuery(
                    statement: statement, rowID: .identity(layout.searchIdentity),
                    firstColumn: layout.firstSearchContent))
            searchSteps = statement.takeSteps() / searchCount
            if !isWanted { return }
        }
    }

    private func boundScan(_ compiled: CompiledRequest, _ connection: Connection) throws -> Statement {
        guard let scanSQL else {
            try compiled.bind(compiled.keys, ownParameters: 0)
            return compiled.keys
        }
        let statement = try scan ?? connection.prepare(scanSQL)
        scan = statement
        try compiled.bind(statement, ownParameters: 0)
        return statement
    }

    /// The search for some rows; nil if their identities are not known any more.
    private func boundSearch(
        _ ids: [Int64], _ key: KeyOfRow, _ compiled: CompiledRequest, _ connection: Connection
    ) throws -> Statement? {
        let keys = ids.compactMap(key)
        guard let first = keys.first else { return nil }
        let statement = try search ?? connection.prepare(searchSQL)
        search = statement
        let own = searchCount * layout.searchIdentity.count
        // The parameters of a view's predicate are not in the search.
        if compiled.isSelect { try compiled.bind(statement, ownParameters: own) }
        var parameter = statement.parameterCount - own + 1
        for number in 0..<searchCount {
            let key = number < keys.count ? keys[number] : first
            for part in 0..<layout.searchIdentity.count {
                try statement.bind(key, part, at: parameter)
                parameter += 1
            }
        }
        return statement
    }
}

/// Where the statements of a `ResultBatch` have identities and contents.
struct ResultBatchLayout {
    let searchIdentity: IdentityColumns
    let firstSearchContent: Int
    let scanIdentity: IdentityColumns
    let firstScanContent: Int
    let contentCount: Int
}
