internal import SQLiteKit

/// The contents of a history's own tables.
extension Connection {
    /// The limit of entries, and the version of the schema for which the triggers were made; nil if
    /// there is no history.
    func historySettings() throws(StoreError) -> (limit: Int64, schemaVersion: Int64?)? {
        guard
            try firstInteger("SELECT count(*) FROM main.sqlite_schema WHERE name = '\(HistoryTables.settings)'") == 1
        else { return nil }
        let statement = try prepare("SELECT entry_limit, schema_version FROM main.\(HistoryTables.settings)")
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return (statement.integer(0), statement.storageClass(1) == .null ? nil : statement.integer(1))
    }

    /// Whether the triggers of the history belong to the present schema.
    func isHistoryTrusted() throws -> Bool { try historySettings()?.schemaVersion == readSchemaVersion() }

    /// Whether the history of a table is recorded.
    func recordsHistory(of name: String) throws -> Bool {
        try isHistoryTrusted() && historyTablesByName()[FoldedName(name)] != nil
    }

    /// All tables whose history is recorded, by their names.
    func historyTablesByName() throws(StoreError) -> [FoldedName: History.Kept] {
        Dictionary(try historyTables().map { (FoldedName($0.name), $0.table) }) { $1 }
    }

    /// The same in the order in which they began.
    func historyTables() throws(StoreError) -> [(name: String, table: History.Kept)] {
        let statement = try prepare(
            "SELECT name, table_id, start, has_rowid, key_count FROM main.\(HistoryTables.tables) ORDER BY table_id")
        defer { statement.reset() }
        var tables: [(String, History.Kept)] = []
        while try statement.step() {
            tables.append(
                (
                    statement.text(0),
                    History.Kept(
                        id: statement.integer(1), start: statement.integer(2), hasRowid: statement.integer(3) != 0,
                        keyCount: Int(statement.integer(4)))
                ))
        }
        return tables
    }
}
