internal import SQLiteKit

/// A sort or section criterion, found in the schema.
struct SortTerm {
    let keyPath: KeyPath
    let component: KeyComponent
    /// The name of its result column.
    let alias: String
}

/// The texts of a request's statements.
struct RequestSQL {
    let entity: Entity
    let predicate: String?
    let section: SortTerm?
    let sorts: [SortTerm]
    let content: [String]
    let limit: Int?
    let offset: Int
    /// Whether a touched row is read with all columns of its table.
    let needsTableColumns: Bool

    private var table: String { quoted(entity.name) }
    private var terms: [SortTerm] { [section].compactMap(\.self) + sorts }
    private var identity: [String] { entity.identityExpressions.map(\.sql) }

    /// The expressions that make up a row key: what the hooks tell of a touched row.
    var rowKey: [String] {
        switch entity.storage {
        case .rowid(let name): ["\(table).\(quoted(name))"]
        case .withoutRowid: identity
        case .unobserved: []
        }
    }

    /// All keys handed to the row collector, in order or not; only without a predicate, of which SQLite could evaluate parts
    /// after the function.
    func collectedKeys(inOrder: Bool) -> String {
        let values = list(identity + terms.map { $0.keyPath.sql(entity: entity) })
        let sql = "SELECT 1 FROM \(entity.sqlName) WHERE \(RowCollector.functionName)(\(values))"
        // By expressions, as there are no result columns to name.
        return inOrder ? "\(sql) ORDER BY \(list(terms.map { order($0, by: $0.keyPath.sql(entity: entity)) } + identity))" : sql
    }

    var unorderedKeys: String {
        let sql = "SELECT \(list(identity + terms.map(select))) FROM \(entity.sqlName)"
        return predicate.map { "\(sql) WHERE (\($0)\n)" } ?? sql
    }

    var keys: String {
        var sql = "\(unorderedKeys) ORDER BY \(list(terms.map(order) + identity))"
        if limit != nil || offset > 0 { sql += " LIMIT \(limit ?? -1) OFFSET \(offset)" }
        return sql
    }

    var touched: String {
        let condition = predicate.map { "(\($0)\n) AND " } ?? ""
        let columns = needsTableColumns ? entity.columns.map { "\(table).\(quoted($0.name))" } : []
        return """
            SELECT \(list(identity + terms.map(select) + content + columns)) FROM \(entity.sqlName) \
            WHERE \(condition)\(isRowKey)
            """
    }

    /// Sort values of one row, whether it belongs to the list or not.
    func sortValues(by key: RowLookup.Key) -> String { row(sorts.map(select), by: key) }

    /// Content of one row.
    func content(by key: RowLookup.Key) -> String { row(content, by: key) }

    private func row(_ columns: [String], by key: RowLookup.Key) -> String {
        let conditions =
            switch key {
            case .rowid: rowKey
            case .identity: entity.identityColumns.map { "\(table).\(quoted($0.name))" }
            }
        let test = conditions.map { "\($0) = ?" }.joined(separator: " AND ")
        return "SELECT \(list(identity + columns)) FROM \(entity.sqlName) WHERE \(test)"
    }

    /// Content of the rows that the connection's table of rowids names.
    var contentBatch: String {
        let rowids = RowidTable.name
        return """
            SELECT \(list(identity + content)) FROM \(rowids) CROSS JOIN \(entity.sqlName) WHERE \(rowKey[0]) = \(rowids).id
            """
    }

    /// Identities and row keys of the rows that one row of the last hop's parent feeds, given what its keys refer to.
    func rowKeys(fedThrough hops: [KeyPath.Hop]) -> String {
        var condition = ""
        for (index, hop) in hops.enumerated().reversed() {
            let child = index == 0 ? table : quoted("fr_hop\(index)")
            let key = "\(child).\(quoted(hop.key.column))"
            let parent = quoted("fr_hop\(index + 1)")
            let parentKey = "\(parent).\(quoted(hop.key.parentColumn))"
            if index == hops.count - 1 {
                condition = refers(key, hop)
            } else if hop.comparesAlike {
                condition = "\(key) IN (SELECT \(parentKey) FROM \(hop.parent.sqlName) AS \(parent) WHERE \(condition))"
            } else {
                // IN would compare as the child does, foreign keys compare as the parent does.
                condition = """
                    EXISTS (SELECT 1 FROM \(hop.parent.sqlName) AS \(parent) WHERE \(parentKey) = \(key) AND \(condition))
                    """
            }
        }
        return "SELECT \(list(identity + rowKey)) FROM \(entity.sqlName) WHERE \(condition)"
    }

    /// Identities and row keys of the rows of one section, given its value; of some more, if SQLite compares less strictly.
    var rowKeysOfSection: String {
        guard let section else { return "" }
        let collation = "COLLATE \(quoted(section.component.collation.name))"
        return """
            SELECT \(list(identity + rowKey)) FROM \(entity.sqlName) \
            WHERE \(section.keyPath.sql(entity: entity)) = ?1 \(collation)
            """
    }

    /// Whether a foreign key refers to the value ?1 of its parent's column; true for some more, so that an index can serve.
    private func refers(_ key: String, _ hop: KeyPath.Hop) -> String {
        guard !hop.comparesAlike, let parent = hop.parentColumn else { return "\(key) = ?1" }
        let collation = "COLLATE \(quoted(parent.collation.name))"
        // The parent's affinity is applied to the child's value (https://www.sqlite.org/datatype3.html#type_conversions_prior_to_comparison).
        let type = Affinity(declaredType: parent.type) == .text ? "TEXT" : "NUMERIC"
        return "(\(key) = ?1 \(collation) OR CAST(?1 AS \(type)) = \(key) \(collation))"
    }

    /// What foreign keys refer to in the parent's row with a given row key.
    func parentValue(of hop: KeyPath.Hop) -> String {
        let test = Self.plain(hop.parent).rowKey.map { "\($0) = ?" }.joined(separator: " AND ")
        return "SELECT \(quoted(hop.key.parentColumn)) FROM \(hop.parent.sqlName) WHERE \(test)"
    }

    /// All columns and the row key of the parent's row that a foreign key refers to.
    func parentRow(of hop: KeyPath.Hop) -> String {
        let columns = hop.parent.columns.map { quoted($0.name) } + Self.plain(hop.parent).rowKey
        return "SELECT \(list(columns)) FROM \(hop.parent.sqlName) WHERE \(quoted(hop.key.parentColumn)) = ?"
    }

    /// What is needed to make a parent's row key.
    private static func plain(_ entity: Entity) -> RequestSQL {
        RequestSQL(
            entity: entity, predicate: nil, section: nil, sorts: [], content: [], limit: nil, offset: 0,
            needsTableColumns: false)
    }

    /// The parameters of a row key have names, so that they come after the predicate's, whatever form those have.
    private var isRowKey: String {
        rowKey.enumerated().map { "\($1) = :fr_key\($0)" }.joined(separator: " AND ")
    }

    private func select(_ term: SortTerm) -> String { "\(term.keyPath.sql(entity: entity)) AS \(quoted(term.alias))" }

    private func order(_ term: SortTerm) -> String {
        // A column of the entity is named directly, so that an index can serve the order.
        order(term, by: term.keyPath.hops.isEmpty ? term.keyPath.sql(entity: entity) : quoted(term.alias))
    }

    private func order(_ term: SortTerm, by expression: String) -> String {
        let component = term.component
        var sql = expression
        if !term.keyPath.hops.isEmpty || component.collation != term.keyPath.column.collation {
            sql += " COLLATE \(quoted(component.collation.name))"
        }
        if component.isDescending { sql += " DESC" }
        if component.nullsFirst == component.isDescending { sql += component.nullsFirst ? " NULLS FIRST" : " NULLS LAST" }
        return sql
    }

    private func list(_ parts: [String]) -> String { parts.joined(separator: ", ") }
}
