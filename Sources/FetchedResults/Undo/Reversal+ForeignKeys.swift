internal import ListEngine
internal import SQLiteKit

/// Foreign keys, which SQLite does not enforce while rows are replaced: the rows that a transaction
/// left were valid, but other connections may have written rows that refer to them since.
extension Reversal {
    func checkForeignKeys(_ tables: [RecordedTable], to side: TransactionSide) throws {
        let reader = SchemaReader(connection: connection)
        for schema in Set(tables.map { ExactText($0.entity.schema) }) {
            let tables = tables.filter { ExactText($0.entity.schema) == schema }
            for child in try children(of: tables, in: schema.text, reader) {
                let rows = tables.first { isSameName($0.entity.name, child.name) }
                for key in child.foreignKeys {
                    if let rows { try checkReferences(of: rows, key, to: side) }
                    let parents = tables.first { isSameName($0.entity.name, key.parentTable) }
                    if let parents { try checkReferences(to: parents, key, of: child, to: side) }
                }
            }
        }
    }

    /// The tables that have foreign keys, and are among some tables or refer to one of them.
    private func children(
        of tables: [RecordedTable], in schema: String, _ reader: SchemaReader
    ) throws -> [Entity] {
        let statement = try connection.prepare(
            "SELECT DISTINCT l.name, f.\"table\" FROM pragma_table_list AS l, "
                + "pragma_foreign_key_list(l.name, l.schema) AS f WHERE l.schema = ?1 AND l.type = 'table'")
        try statement.bind([.text(schema)])
        var names: [String] = []
        while try statement.step() {
            let (child, parent) = (statement.text(0), statement.text(1))
            if !names.contains(child),
                tables.contains(where: { isSameName($0.entity.name, child) || isSameName($0.entity.name, parent) })
            {
                names.append(child)
            }
        }
        return try names.map { try reader.entity(schema: schema, table: $0) }
    }

    /// Throws unless the rows that rows refer to exist.
    private func checkReferences(
        of table: RecordedTable, _ key: Entity.ForeignKey, to side: TransactionSide
    ) throws {
        let columns = key.columns.compactMap { table.entity.columnIndex($0) }
        let find = try connection.prepare(
            Self.search(table.entity.schema, key.parentTable, key.parentColumns))
        for row in table.rows {
            guard let values = row[side], let wanted = Self.values(values, columns) else { continue }
            if try !exists(find, wanted) {
                throw StoreError(
                    .constraint,
                    "\(table.name(of: row)) refers to a row of \(key.parentTable) that does not exist "
                        + "any more")
            }
        }
    }

    /// Throws if a row refers to one that does not exist any more.
    private func checkReferences(
        to table: RecordedTable, _ key: Entity.ForeignKey, of child: Entity, to side: TransactionSide
    ) throws {
        let columns = key.parentColumns.compactMap { table.entity.columnIndex($0) }
        let findParent = try connection.prepare(Self.search(table.entity.schema, table.entity.name, key.parentColumns))
        let references = try connection.prepare(child.references(by: key, to: table.entity))
        for row in table.rows {
            guard let values = row[side.opposite], let wanted = Self.values(values, columns),
                try !exists(findParent, wanted)
            else { continue }
            try references.bind(wanted)
            defer { references.reset() }
            while try references.step() {
                // Where the child compares in another way, it can refer to another row.
                let reference = references.rowValues(from: 0, count: columns.count).values
                guard try !exists(findParent, reference) else { continue }
                throw StoreError(.constraint, "a row of \(child.displayName) refers to \(table.name(of: row))")
            }
        }
    }

    private static func search(_ schema: String, _ table: String, _ columns: [String]) -> String {
        let test = columns.map { "\(quoted($0)) = ?" }.joined(separator: " AND ")
        return "SELECT 1 FROM \(quoted(schema, table)) WHERE \(test)"
    }

    /// The values of columns; nil if one is NULL, which refers to nothing.
    private static func values(_ row: RowValues, _ columns: [Int]) -> [Value]? {
        columns.contains { row.storageClass($0) == .null } ? nil : columns.map(row.value)
    }

    private func exists(_ statement: Statement, _ values: [Value]) throws(StoreError) -> Bool {
        try statement.bind(values)
        defer { statement.reset() }
        return try statement.step()
    }
}
