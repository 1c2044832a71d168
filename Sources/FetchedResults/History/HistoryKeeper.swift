internal import ListEngine
internal import SQLiteKit

/// Starts and stops the history of tables. All of it is called in a transaction that writes.
struct HistoryKeeper {
    let connection: Connection
    /// Runs a statement as one of the store's.
    let run: (String, [Value]) throws -> Void

    /// Starts a table's history. If the schema has changed since the triggers were made, the
    /// histories of all tables begin again.
    func start(_ entity: Entity) throws {
        if let settings = try connection.historySettings() {
            try run(HistoryTables.mark, [])
            if settings.schemaVersion != (try connection.readSchemaVersion()) { try restart() }
        } else {
            for sql in HistoryTables.creation { try run(sql, []) }
        }
        let isKept = try connection.historyTables().contains { isSameName($0.name, entity.name) }
        if !isKept { try add(entity) }
        try trustTriggers()
    }

    /// Stops a table's history; with the last one, all of it is removed. The table may not exist
    /// any more, so its name can't be looked up.
    func stop(_ name: String) throws {
        guard let settings = try connection.historySettings() else { return }
        let isTrusted = settings.schemaVersion == (try connection.readSchemaVersion())
        let tables = try connection.historyTables()
        guard
            let table = tables.first(where: { isSameName($0.name, name) })
                ?? tables.first(where: { isSameName("main." + $0.name, name) })
        else { return }
        if tables.count == 1 {
            try remove(table.table)
            for sql in HistoryTables.removal { try run(sql, []) }
            return
        }
        try run(HistoryTables.mark, [])
        // For other tables, this table's generations may have been noted.
        try run(HistoryTables.release(keyCount: try keyColumnCount()), [.integer(table.table.id)])
        try remove(table.table)
        if isTrusted { try trustTriggers() }
    }

    /// Makes the triggers again. The history of a table that can't have one any more ends.
    private func restart() throws {
        let schema = SchemaReader(connection: connection)
        for (name, table) in try connection.historyTables() {
            try remove(table)
            do {
                let entity = try schema.table("main." + name)
                try HistoryTableReader(connection: connection, entity: entity).checkWriters()
                try add(entity)
            } catch let error as StoreError where error.status == .schema {
                continue
            }
        }
    }

    private func add(_ entity: Entity) throws {
        let number = try connection.firstInteger(
            "SELECT ifnull(max(table_id), 0) + 1 FROM main.\(HistoryTables.tables)")
        let triggers = try HistoryTableReader(connection: connection, entity: entity).triggers(number ?? 1)
        let keyCount = entity.declaredKey.count
        for sql in HistoryTables.keyColumns(keyCount, beyond: try keyColumnCount()) { try run(sql, []) }
        try run(
            "INSERT INTO main.\(HistoryTables.tables) (table_id, name, start, has_rowid, key_count) "
                + "SELECT ?1, ?2, max(generation), ?3, ?4 FROM main.\(HistoryTables.entries)",
            [
                .integer(triggers.tableID), .text(entity.name), .integer(entity.rowidName == nil ? 0 : 1),
                .integer(Int64(keyCount)),
            ])
        for sql in triggers.creation { try run(sql, []) }
    }

    private func remove(_ table: History.Kept) throws {
        let prefix = HistoryTriggers.prefix(table.id)
        let names = try connection.rows(
            "SELECT name FROM main.sqlite_schema WHERE type = 'trigger' AND substr(name, 1, length(?1)) = ?1", prefix
        ) { $0.text(0) }
        for name in names {
            try run("DROP TRIGGER main.\(quoted(name))", [])
        }
        try run("DELETE FROM main.\(HistoryTables.entries) WHERE \(HistoryTables.belongs)", [.integer(table.id)])
        try run("DELETE FROM main.\(HistoryTables.tables) WHERE table_id = ?1", [.integer(table.id)])
    }

    private func trustTriggers() throws {
        let version = try connection.readSchemaVersion()
        try run("UPDATE main.\(HistoryTables.settings) SET schema_version = ?1", [.integer(version)])
    }

    private func keyColumnCount() throws -> Int {
        try connection.rows(
            "SELECT name FROM pragma_table_info(?1, 'main') WHERE name LIKE 'key%'", HistoryTables.entries
        ) { _ in () }
        .count
    }
}
