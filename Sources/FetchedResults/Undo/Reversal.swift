internal import ListEngine
internal import SQLiteKit

/// Leads from the state after a transaction to the state before it, or back, if the rows are as the
/// transaction left them. It is called in a transaction that writes, which is rolled back if it
/// throws.
///
/// It deletes all rows of the one side before it inserts the rows of the other side, so no row
/// meets another one with its unique values. Meanwhile triggers and foreign keys do nothing, as the
/// recorded changes include their effects. A row of another writer can still be in the way: SQLite
/// checks unique indexes, and this checks foreign keys.
struct Reversal {
    let connection: Connection
    let capture: ChangeCapture
    let history: History

    func apply(_ transaction: RecordedTransaction, to side: TransactionSide) throws {
        try checkSchema(transaction)
        try checkRows(transaction, to: side)
        try removeWords(transaction.indexes, to: side)
        try connection.withoutReactions { try replaceRows(transaction.tables, to: side) }
        try insertWords(transaction.indexes, to: side)
        if connection.enforcesForeignKeys { try checkForeignKeys(transaction.tables, to: side) }
        try noteHistory(transaction.tables)
    }

    // MARK: Checking

    private func checkSchema(_ transaction: RecordedTransaction) throws {
        let versions = try connection.readSchemaVersions()
        for (database, version) in transaction.schemaVersions where versions[database] != version {
            throw StoreError(.schema, "the schema of \(database.text) has changed since")
        }
    }

    private func checkRows(_ transaction: RecordedTransaction, to side: TransactionSide) throws {
        var changed: [String] = []
        func check(_ table: RecordedTable, _ name: (RecordedTable.Row) -> String) throws {
            let select = try connection.prepare(table.select)
            for row in table.rows {
                if try !isUnchanged(row, of: table, to: side, select) { changed.append(name(row)) }
            }
        }
        for table in transaction.tables { try check(table, table.name) }
        for index in transaction.indexes {
            for table in [index.contents, index.sizes].compactMap(\.self) where changed.isEmpty {
                try check(table) { "\(index.name) \($0.rowid ?? 0)" }
            }
        }
        guard changed.isEmpty else {
            let more =
                changed.count > Self.namedCount ? " and \(counted(changed.count - Self.namedCount, "more row"))" : ""
            throw StoreError(
                .gone, "\(changed.prefix(Self.namedCount).joined(separator: ", "))\(more) changed since")
        }
    }

    private static let namedCount = 10

    /// Whether a row is as it was on the other side. A row that did not exist there must not exist.
    private func isUnchanged(
        _ row: RecordedTable.Row, of table: RecordedTable, to side: TransactionSide, _ select: Statement
    ) throws -> Bool {
        let expected = row[side.opposite]
        guard let known = expected ?? row[side] else { return true }
        try select.bind(table.key(of: known, rowid: row.rowid))
        defer { select.reset() }
        let present = try select.step() ? select.rowValues(from: 0, count: known.count) : nil
        return RecordedTable.areSame(present, expected)
    }

    // MARK: Replacing

    private func replaceRows(_ tables: [RecordedTable], to side: TransactionSide) throws {
        let before = capture.writeCount
        var expected = 0
        for table in tables {
            let delete = try connection.prepare(table.delete)
            for row in table.rows {
                guard let values = row[side.opposite] else { continue }
                try delete.bind(table.key(of: values, rowid: row.rowid))
                try delete.run()
                expected += 1
            }
        }
        for table in tables {
            let insert = try connection.prepare(table.insert)
            for row in table.rows {
                guard let values = row[side] else { continue }
                try run(insert, for: row, of: table, values)
                expected += 1
            }
        }
        guard capture.writeCount - before == expected else {
            throw StoreError(
                .misuse,
                "a trigger of the temporary database changed other rows; drop it first: SQLite can't "
                    + "disable it")
        }
    }

    private func run(
        _ insert: Statement, for row: RecordedTable.Row, of table: RecordedTable, _ values: RowValues
    ) throws(StoreError) {
        let columns = table.writtenColumns
        for (index, column) in columns.enumerated() { try insert.bind(values, column, at: index + 1) }
        if insert.parameterCount > columns.count { try insert.bind(row.rowid ?? 0, at: columns.count + 1) }
        do {
            try insert.run()
        } catch {
            guard error.status == .constraint else { throw error }
            throw StoreError(
                .constraint, "\(table.name(of: row)) can't exist again: \(error.message)", sqliteCode: error.sqliteCode)
        }
    }

    // MARK: History

    /// Notes what triggers would have noted in the histories of the tables.
    private func noteHistory(_ tables: [RecordedTable]) throws {
        let tables = tables.filter { $0.entity.schema == "main" }
        guard !tables.isEmpty else { return }
        let kept = try history.tables()
        if kept.isEmpty { return }
        for table in tables {
            guard let kept = kept[FoldedName(table.entity.name)] else { continue }
            let note = try connection.prepare(HistoryTables.note(hasRowid: kept.hasRowid, keyCount: kept.keyCount))
            let columns = table.entity.identityColumns.prefix(kept.keyCount).compactMap {
                table.entity.columnIndex($0.name)
            }
            for row in table.rows {
                for values in [row.old, row.new].compactMap(\.self) {
                    let rowid = kept.hasRowid ? [Value.integer(row.rowid ?? 0)] : []
                    try note.bind([.integer(kept.id)] + rowid + columns.map(values.value))
                    try note.run()
                }
            }
        }
        try connection.execute(HistoryTables.deletion())
    }
}

extension RecordedTable {
    private var rowKey: [String] { entity.rowidName.map { [$0] } ?? entity.identityColumns.map(\.name) }

    fileprivate var delete: String {
        "DELETE FROM \(entity.sqlName) WHERE \(rowKey.map { "\(quoted($0)) = ?" }.joined(separator: " AND "))"
    }

    /// The statement that inserts a row from the values of its columns, followed by its rowid if no
    /// column has it. Without OR, a constraint's own clause could replace another row.
    fileprivate var insert: String {
        var names = writtenColumns.map { quoted(entity.columns[$0].name) }
        if let rowid = entity.rowidName, !entity.isIdentityRowid || entity.identityColumns.isEmpty {
            names.append(quoted(rowid))
        }
        let parameters = names.map { _ in "?" }.joined(separator: ", ")
        return "INSERT OR ABORT INTO \(entity.sqlName) (\(names.joined(separator: ", "))) VALUES (\(parameters))"
    }
}
