internal import SQLiteKit

/// The contents of a history's own tables.
struct HistorySettings {
    /// The limit of entries.
    let limit: Int64
    /// The version of the schema for which the triggers were made.
    let schemaVersion: Int64?

    /// nil if there is no history.
    static func read(_ connection: Connection) throws(StoreError) -> HistorySettings? {
        guard
            try connection.firstInteger(
                "SELECT count(*) FROM main.sqlite_schema WHERE name = '\(HistoryTables.settings)'") == 1
        else { return nil }
        let statement = try connection.prepare("SELECT entry_limit, schema_version FROM main.\(HistoryTables.settings)")
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return HistorySettings(
            limit: statement.integer(0), schemaVersion: statement.storageClass(1) == .null ? nil : statement.integer(1))
    }

    /// Whether the triggers belong to the present schema.
    static func isTrusted(_ connection: Connection) throws -> Bool {
        try read(connection)?.schemaVersion == connection.readSchemaVersion()
    }

    /// Whether the history of a table is recorded.
    static func records(_ name: String, _ connection: Connection) throws -> Bool {
        try isTrusted(connection) && recordedTables(connection)[FoldedName(name)] != nil
    }

    /// All tables whose history is recorded, by their names.
    static func recordedTables(_ connection: Connection) throws(StoreError) -> [FoldedName: History.Kept] {
        var tables: [FoldedName: History.Kept] = [:]
        for (name, table) in try namedTables(connection) { tables[FoldedName(name)] = table }
        return tables
    }

    /// The same in the order in which they began.
    static func namedTables(_ connection: Connection) throws(StoreError) -> [(name: String, table: History.Kept)] {
        let statement = try connection.prepare(
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
