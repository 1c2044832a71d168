internal import ListEngine
internal import SQLiteKit

/// Reads from the schema which triggers the history of a table needs, and whether it can have one.
struct HistoryTableReader {
    let connection: Connection
    let entity: Entity

    private struct TableColumn {
        let name: String
        let isGenerated: Bool
        /// Whether REPLACE exchanges NULL for the column's default
        /// (https://www.sqlite.org/lang_conflict.html).
        let isDefaulted: Bool
    }

    /// Throws `schema` for a table that can't have a history.
    func triggers(_ tableID: Int64) throws(StoreError) -> HistoryTriggers {
        let columns = try connection.rows(
            "SELECT name, hidden IN (2, 3), \"notnull\" AND dflt_value IS NOT NULL FROM pragma_table_xinfo(?1, 'main')",
            entity.name
        ) { TableColumn(name: $0.text(0), isGenerated: $0.integer(1) != 0, isDefaulted: $0.integer(2) != 0) }
        let keys = try uniqueKeys(columns)
        let noted = entity.declaredKey + keys.flatMap { $0.columns.map(\.name) }
        let isComputed = noted.contains { name in columns.contains { $0.isGenerated && isSameName($0.name, name) } }
        let defaulted = columns.filter { column in
            column.isDefaulted && (isComputed || noted.contains { isSameName($0, column.name) })
        }
        if isComputed || entity.declaredKey.count > 1 || keys.contains(where: { $0.columns.count > 1 }) {
            try checkTriggers()
        }
        return HistoryTriggers(
            tableID: tableID, table: entity, uniqueKeys: keys, defaultedColumns: defaulted.map(\.name))
    }

    // MARK: Unique keys

    /// A rowid that is not the key, and all unique indexes.
    private func uniqueKeys(_ columns: [TableColumn]) throws(StoreError) -> [UniqueKey] {
        var keys: [UniqueKey] = []
        if let rowid = entity.rowidName, !entity.declaredKey.isEmpty {
            keys.append(
                UniqueKey(
                    columns: [(rowid, "BINARY")], condition: nil, origins: [rowid]))
        }
        let indexes = try connection.rows(
            "SELECT name, origin = 'pk' FROM pragma_index_list(?1, 'main') WHERE \"unique\" ORDER BY seq", entity.name
        ) { (name: $0.text(0), isPrimary: $0.integer(1) != 0) }
        for index in indexes {
            let indexed = try indexedColumns(index.name)
            // In a table WITHOUT ROWID, a row with an equal key that is spelled alike is the new
            // row.
            if index.isPrimary, entity.rowidName == nil, indexed.allSatisfy({ isSameName($0.collation, "BINARY") }) {
                continue
            }
            let condition = try condition(of: index.name)
            let names = indexed.map(\.name) + (condition?.names ?? [])
            keys.append(UniqueKey(columns: indexed, condition: condition?.sql, origins: origins(of: names, columns)))
        }
        return keys
    }

    private func indexedColumns(_ index: String) throws(StoreError) -> [(name: String, collation: String)] {
        try connection.rows(
            "SELECT name, coll FROM pragma_index_xinfo(?1, 'main') WHERE \"key\" ORDER BY seqno", index
        ) { (name: $0.storageClass(0) == .null ? nil : $0.text(0), collation: $0.text(1)) }
        .map { (name, collation) throws(StoreError) -> (name: String, collation: String) in
            guard let name else {
                throw refusal(
                    "\(index) is a unique index of expressions, by which REPLACE deletes rows unnoticed")
            }
            return (name, collation)
        }
    }

    /// The condition of a partial index; nil for a complete one.
    private func condition(of index: String) throws(StoreError) -> IndexCondition? {
        let rowids = entity.rowidName == nil ? [] : ["rowid", "_rowid_", "oid"]
        let names = entity.columns.map(\.name) + rowids
        return try connection.rows("SELECT sql FROM main.sqlite_schema WHERE type = 'index' AND name = ?1", index) {
            $0.text(0)
        }
        .first.flatMap { IndexCondition(index: $0, columns: names) }
    }

    private func origins(of names: [String], _ columns: [TableColumn]) -> [String] {
        let isComputed = names.contains { name in columns.contains { $0.isGenerated && isSameName($0.name, name) } }
        let all = isComputed ? names + columns.map(\.name) : names
        var origins: [String] = []
        for name in all where !origins.contains(where: { isSameName($0, name) }) {
            if !columns.contains(where: { $0.isGenerated && isSameName($0.name, name) }) { origins.append(name) }
        }
        return origins
    }

    // MARK: Refusals

    /// Refuses a table that SQLite or a virtual table writes: they write it also where no triggers
    /// run, and some writes crash when one does.
    func checkWriters() throws(StoreError) {
        if Self.begins(entity.name, with: "sqlite_") { throw refusal("it belongs to SQLite") }
        let tables = try connection.rows(
            "SELECT name, type FROM pragma_table_list WHERE schema = ?1 AND type IN ('shadow', 'virtual')", "main"
        ) { (name: $0.text(0), isShadow: $0.text(1) == "shadow") }
        let owner = tables.first { owner in
            guard !owner.isShadow, Self.begins(entity.name, with: owner.name + "_") else { return false }
            let shadows = tables.filter { $0.isShadow && Self.begins($0.name, with: owner.name + "_") }
            // A module that is not loaded, or an old one, does not say which tables are its own.
            return shadows.isEmpty || shadows.contains { isSameName($0.name, entity.name) }
        }
        if let owner { throw refusal("the virtual table \(owner.name) keeps its data in it") }
    }

    private static func begins(_ name: String, with prefix: String) -> Bool {
        isSameName(String(decoding: name.utf8.prefix(prefix.utf8.count), as: UTF8.self), prefix)
    }

    /// Refuses a table with a BEFORE trigger that changes the row that is being updated: which
    /// values it then gets is undefined (https://www.sqlite.org/lang_createtrigger.html), and no
    /// trigger sees them before a row with equal ones is replaced.
    private func checkTriggers() throws(StoreError) {
        let triggers = try connection.rows(
            "SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE",
            entity.name
        ) { (name: $0.text(0), sql: $0.text(1)) }
        for trigger in triggers where SQLTokens(trigger.sql).updatesBefore(entity.name) {
            throw refusal("\(trigger.name) is a BEFORE UPDATE trigger that updates the same table")
        }
    }

    private func refusal(_ reason: String) -> StoreError {
        StoreError(.schema, "\(entity.name) can't have a history: \(reason)")
    }
}

extension Connection {
    /// The results of a function for the rows of a statement with one parameter.
    func rows<Row>(
        _ sql: String, _ parameter: String, _ row: (Statement) -> Row
    ) throws(StoreError) -> [Row] {
        let statement = try prepare(sql)
        try statement.bind([.text(parameter)])
        defer { statement.reset() }
        var rows: [Row] = []
        while try statement.step() { rows.append(row(statement)) }
        return rows
    }
}
