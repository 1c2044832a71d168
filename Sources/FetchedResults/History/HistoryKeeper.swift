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
        if let settings = try HistorySettings.read(connection) {
            try run(HistoryTables.mark, [])
            if settings.schemaVersion != (try connection.readSchemaVersion()) { try restart() }
        } else {
            for sql in HistoryTables.creation { try run(sql, []) }
        }
        let isKept = try HistorySettings.namedTables(connection).contains { isSameName($0.name, entity.name) }
        if !isKept { try add(entity) }
        try trustTriggers()
    }

    /// Stops a table's history; with the last one, all of it is removed. The table may not exist
    /// any more, so its name can't be looked up.
    func stop(_ name: String) throws {
        guard let settings = try HistorySettings.read(connection) else { return }
        let isTrusted = settings.schemaVersion == (try connection.readSchemaVersion())
        let tables = try HistorySettings.namedTables(connection)
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
        // For other tables, generations may have been noted that are those of this table's entries.
        try run(HistoryTables.release(keyCount: try keyColumnCount()), [.integer(table.table.id)])
        try remove(table.table)
        if isTrusted { try trustTriggers() }
    }

    private func restart() throws {
        let schema = SchemaReader(connection: connection)
        for (name, table) in try HistorySettings.namedTables(connection) {
            try remove(table)
            if try connection.isTable(name) { try add(try schema.table("main." + name)) }
        }
    }

    private func add(_ entity: Entity) throws {
        let key = entity.isIdentityRowid ? [] : entity.identityColumns.map(\.name)
        let table = HistoryTable(name: entity.name, rowid: entity.rowidName, key: key)
        for sql in HistoryTables.keyColumns(key.count, beyond: try keyColumnCount()) { try run(sql, []) }
        try run(
            "INSERT INTO main.\(HistoryTables.tables) (name, start, has_rowid, key_count) "
                + "SELECT ?1, max(generation), ?2, ?3 FROM main.\(HistoryTables.entries)",
            [.text(entity.name), .integer(table.rowid == nil ? 0 : 1), .integer(Int64(key.count))])
        let number = connection.lastInsertRowid
        // A rowid that is not the key is unique as well.
        let rowids = key.isEmpty ? [] : [table.rowid].compactMap(\.self)
        let unique = rowids.map { [HistoryTriggers.UniqueColumn(name: $0, collation: "BINARY")] }
        let triggers = HistoryTriggers(
            tableID: number, table: table, uniqueColumns: unique + (try uniqueIndexes(of: entity)))
        for sql in triggers.creation { try run(sql, []) }
    }

    private func remove(_ table: History.Kept) throws {
        let prefix = HistoryTriggers.prefix(table.id)
        for name in try connection.texts(
            "SELECT name FROM main.sqlite_schema WHERE type = 'trigger' AND substr(name, 1, length(?1)) = ?1", prefix)
        {
            try run("DROP TRIGGER main.\(quoted(name))", [])
        }
        try run("DELETE FROM main.\(HistoryTables.entries) WHERE table_id = ?1", [.integer(table.id)])
        try run("DELETE FROM main.\(HistoryTables.tables) WHERE table_id = ?1", [.integer(table.id)])
    }

    private func trustTriggers() throws {
        let version = try connection.readSchemaVersion()
        try run("UPDATE main.\(HistoryTables.settings) SET schema_version = ?1", [.integer(version)])
    }

    private func keyColumnCount() throws -> Int {
        try connection.texts(
            "SELECT name FROM pragma_table_info(?1, 'main') WHERE name LIKE 'key%'", HistoryTables.entries
        )
        .count
    }

    /// The columns of each index that can make REPLACE delete a row with another row key: all
    /// unique ones, except the primary key of a table WITHOUT ROWID.
    private func uniqueIndexes(of entity: Entity) throws -> [[HistoryTriggers.UniqueColumn]] {
        let names = try connection.texts(
            "SELECT name FROM pragma_index_list(?1, 'main') WHERE \"unique\" "
                + "AND (origin <> 'pk' OR \(entity.rowidName == nil ? 0 : 1)) ORDER BY seq", entity.name)
        return try names.map { index in
            let statement = try connection.prepare(
                "SELECT name, coll FROM pragma_index_xinfo(?1, 'main') WHERE \"key\" ORDER BY seqno")
            try statement.bind([.text(index)])
            defer { statement.reset() }
            var columns: [HistoryTriggers.UniqueColumn] = []
            while try statement.step() {
                guard statement.storageClass(0) != .null else {
                    throw StoreError(
                        .schema,
                        "\(entity.name) can't have a history: \(index) is a unique index of expressions, by which "
                            + "REPLACE deletes rows unnoticed")
                }
                columns.append(
                    HistoryTriggers.UniqueColumn(name: statement.text(0), collation: statement.text(1)))
            }
            return columns
        }
    }
}

extension Connection {
    /// The first values of a statement's rows, as texts.
    fileprivate func texts(_ sql: String, _ parameter: String) throws(StoreError) -> [String] {
        let statement = try prepare(sql)
        try statement.bind([.text(parameter)])
        defer { statement.reset() }
        var texts: [String] = []
        while try statement.step() { texts.append(statement.text(0)) }
        return texts
    }

    /// Whether the main database has a table of a name.
    fileprivate func isTable(_ name: String) throws(StoreError) -> Bool {
        try !texts("SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE NOCASE", name).isEmpty
    }
}
