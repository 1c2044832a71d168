internal import SQLiteKit

/// Reads what `RequestPlan.touched` does of many rows by one statement. Compiled when it is first
/// needed.
final class TouchedBatch {
    private struct Compiled {
        /// Must be bound before it is used.
        let statement: Statement
        let rowids: RowidTable
        /// nil for a table with rowids.
        let keys: KeyList?
    }

    private let sql: RequestSQL
    private let connection: Connection
    private var known: Compiled??

    init(_ sql: RequestSQL, _ connection: Connection) {
        self.sql = sql
        self.connection = connection
    }

    /// Calls `body` with a statement that reads the rows with some rowids. False if one statement
    /// can't.
    func read(rowids: ArraySlice<Int64>, _ body: (Statement) throws -> Void) throws -> Bool {
        guard let batch = try compiled() else { return false }
        batch.rowids.removeAll()
        for rowid in rowids { unsafe batch.rowids.append(rowid) }
        try body(batch.statement)
        return true
    }

    /// The same for the rows with some keys.
    func read(keys: ArraySlice<RowValues>, _ body: (Statement) throws -> Void) throws -> Bool {
        guard let batch = try compiled(), let list = batch.keys else { return false }
        list.keys = Array(keys)
        defer { list.keys = [] }
        batch.rowids.removeAll()
        for number in 0..<keys.count { unsafe batch.rowids.append(Int64(number)) }
        try body(batch.statement)
        return true
    }

    private func compiled() throws(StoreError) -> Compiled? {
        if let known { return known }
        let new = try compile()
        known = .some(new)
        return new
    }

    private func compile() throws(StoreError) -> Compiled? {
        // A table of that name would be read in place of the connection's.
        guard let text = sql.touchedBatch, try !SchemaReader(connection: connection).exists(RowidTable.name) else {
            return nil
        }
        let rowids = try connection.rowidTable()
        // The statement calls the list's function.
        let keys = sql.entity.storage == .withoutRowid ? try connection.keyList() : nil
        do {
            return Compiled(statement: try connection.prepare(text), rowids: rowids, keys: keys)
        } catch let error where error.status == .sql {
            // The predicate has a name, such as `rowid`, that means nothing where there are two
            // tables.
            return nil
        }
    }
}
