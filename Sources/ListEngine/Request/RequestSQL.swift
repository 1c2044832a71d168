internal import SQLiteKit

/// A sort or section criterion, found in the schema.
struct SortTerm {
    let keyPath: KeyPath
    let component: KeyComponent

    /// Whether it orders by the rowid, ascending, as every order of an entity that has one ends:
    /// this term and the next ones decide nothing.
    func isRowid(of entity: Entity) -> Bool {
        entity.isIdentityRowid && keyPath.hops.isEmpty && keyPath.expression == nil && !component.isDescending
            && (keyPath.tableColumn == nil
                || entity.identityColumns.contains { $0.name == keyPath.column.name })
    }

    /// The same in the opposite order.
    var reversed: SortTerm {
        var component = component
        component.isDescending.toggle()
        component.nullsFirst.toggle()
        return SortTerm(keyPath: keyPath, component: component)
    }
}

/// The texts of a request's statements.
final class RequestSQL {
    let entity: Entity
    let predicate: String?
    /// The same for statements that read single rows.
    let rowPredicate: String?
    let section: SortTerm?
    let sorts: [SortTerm]
    let content: [String]
    let limit: Int?
    let offset: Int
    /// Whether a touched row is read with all columns of its table.
    let needsTableColumns: Bool
    /// The greatest number of columns of a result.
    let columnLimit: Int

    init(
        entity: Entity, predicate: String? = nil, rowPredicate: String? = nil, section: SortTerm? = nil,
        sorts: [SortTerm] = [],
        content: [String] = [], limit: Int? = nil, offset: Int = 0, needsTableColumns: Bool = false, columnLimit: Int
    ) {
        self.entity = entity
        self.predicate = predicate
        self.rowPredicate = rowPredicate ?? predicate
        self.section = section
        self.sorts = sorts
        self.content = content
        self.limit = limit
        self.offset = offset
        self.needsTableColumns = needsTableColumns
        self.columnLimit = columnLimit
    }

    /// How many values make up the keys of a row.
    var keyCount: Int { identity.count + terms.count }

    private var table: String { quoted(entity.name) }
    private var terms: [SortTerm] { [section].compactMap(\.self) + sorts }
    var identity: [String] { entity.identityExpressions.map(\.sql) }

    /// The expressions that make up a row key, by which the hooks report a touched row.
    var rowKey: [String] {
        switch entity.storage {
        case .rowid(let name): [quoted(entity.name, name)]
        case .withoutRowid: identity
        case .unobserved: []
        }
    }

    /// All keys passed to the row collector, in order or not; only without a predicate, of which
    /// SQLite could evaluate parts after the function.
    func collectedKeys(inOrder: Bool) -> String {
        let values = list(identity + terms.map(expression))
        let sql = "SELECT 1 FROM \(entity.sqlName) WHERE \(RowCollector.functionName)(\(values))"
        // By expressions, as there are no result columns to name.
        return inOrder ? "\(sql) ORDER BY \(list(terms.map { order($0, by: expression($0)) } + identity))" : sql
    }

    var unorderedKeys: String { rows(identity + terms.map(expression)) }

    /// Some values of all rows of the list.
    func rows(_ values: [String]) -> String {
        let sql = "SELECT \(list(values)) FROM \(entity.sqlName)"
        return predicate.map { "\(sql) WHERE (\($0)\n)" } ?? sql
    }

    /// Without the offset in a window that is followed, as its reader notes which rows are before
    /// it.
    var keys: String { ordered(unorderedKeys) }

    func ordered(_ rows: String) -> String {
        let sql = "\(rows) ORDER BY \(list(terms.enumerated().map(order) + identity))"
        if !isWindow { return sql }
        guard isFollowedWindow else { return "\(sql) LIMIT \(limit ?? -1) OFFSET \(offset)" }
        return limit.map { "\(sql) LIMIT \($0.addingReportingOverflow(offset).overflow ? -1 : $0 + offset)" } ?? sql
    }

    var isWindow: Bool { limit != nil || offset > 0 }

    /// Whether it has a limit or an offset, and hooks report which rows are inserted and removed.
    var isFollowedWindow: Bool { isWindow && entity.storage != .unobserved }

    /// How the values compare that determine a row's place.
    var orderComponents: [KeyComponent] { terms.map(\.component) + entity.identityExpressions.map(\.component) }

    /// Identity and `touched` columns of the rows of a group next to a window.
    func neighbours(_ group: WindowNeighbours.NeighbourGroup) -> String {
        let name = unusedName("fr_edge", in: predicate ?? "")
        let values = terms.map(comparable) + identity
        var tests = predicate.map { ["(\($0)\n)"] } ?? []
        for index in 0..<group.equalCount { tests.append("\(values[index]) IS :\(name)\(index)") }
        let condition =
            switch group.test {
            case .less: "< :\(name)\(group.equalCount)"
            case .greater: "> :\(name)\(group.equalCount)"
            case .null: "IS NULL"
            case .notNull: "IS NOT NULL"
            }
        tests.append("\(values[group.equalCount]) \(condition)")
        let isReversed = group.side == .before
        let order =
            terms.map { isReversed ? $0.reversed : $0 }.enumerated().map(order)
            + identity.map { isReversed ? "\($0) DESC" : $0 }
        return """
            SELECT \(list(identity + touched)) FROM \(entity.sqlName) \
            WHERE \(tests.joined(separator: " AND ")) \
            ORDER BY \(list(Array(order[group.equalCount...]))) LIMIT :\(name)_count
            """
    }

    var tableColumns: [String] {
        entity.columns.map { $0.problem == nil ? quoted(entity.name, $0.name) : "NULL" }
    }

    /// Whether a touched row's content, and the columns of its table, fit into one result with its
    /// keys.
    var touchedHasContent: Bool {
        identity.count + terms.count + content.count + (needsTableColumns ? tableColumns.count : 0) <= columnLimit
    }

    /// The columns of a touched row behind its identity, if it belongs to the list.
    var touched: [String] { terms.map(expression) + touchedContent }

    /// The same of any row; none if `touched` leaves the content out as well.
    var touchedContent: [String] {
        touchedHasContent ? content + (needsTableColumns ? tableColumns : []) : []
    }

    /// The statistics of ranks, of any row that matches.
    var rankStatistics: String {
        "\(rows(["fr_bm25_statistics(\(quoted(entity.name, entity.name)))"])) LIMIT 1"
    }

    var sortColumns: [String] { sorts.map(expression) }

    /// Identities and row keys of the rows that depend on one row of the last hop's parent, given
    /// the values to which its keys refer. The tables on the way are joined from there on.
    func rowKeys(fedThrough hops: [KeyPath.Hop]) -> String {
        func name(_ hop: Int) -> String { hop < 0 ? table : KeyPath.alias(hop, in: entity) }
        let last = hops.count - 1
        var condition = hops[last].refers(name(last - 1))
        if last > 0 {
            let way = (0..<last).reversed()
            let tables = way.map { "\(hops[$0].parent.sqlName) AS \(name($0))" }.joined(separator: " CROSS JOIN ")
            let tests = ([condition] + way.dropLast().map { hops[$0].test(name($0 - 1), name($0)) })
                .joined(separator: " AND ")
            if hops[0].comparesAlike {
                let keys = list(hops[0].key.columns.map { "\(table).\(quoted($0))" })
                let parentKeys = list(hops[0].key.parentColumns.map { "\(name(0)).\(quoted($0))" })
                condition = "(\(keys)) IN (SELECT \(parentKeys) FROM \(tables) WHERE \(tests))"
            } else {
                // IN would compare as the child does, foreign keys compare as the parent does.
                let first = hops[0].test(table, name(0))
                condition = "EXISTS (SELECT 1 FROM \(tables) WHERE \(tests) AND \(first))"
            }
        }
        return "SELECT \(list(identity + rowKey)) FROM \(entity.sqlName) WHERE \(condition)"
    }

    /// Identities and row keys of the rows of one section, given its value; of some more, if SQLite
    /// compares less strictly.
    var rowKeysOfSection: String {
        guard let section else { return "" }
        let collation = "COLLATE \(quoted(section.component.collation.name))"
        return """
            SELECT \(list(identity + rowKey)) FROM \(entity.sqlName) \
            WHERE \(section.keyPath.sql(entity: entity)) \(collation) = ?1
            """
    }

    /// All columns of the parent's row that a foreign key refers to, and its row key, in one result
    /// if that can be.
    func parentRow(of hop: KeyPath.Hop) -> (row: String, key: String?) {
        let parent = Self.plain(hop.parent)
        let test = hop.key.parentColumns.map { "\(quoted(hop.parent.name, $0)) = ?" }.joined(separator: " AND ")
        let source = "FROM \(hop.parent.sqlName) WHERE \(test)"
        guard parent.tableColumns.count + parent.rowKey.count <= columnLimit else {
            return ("SELECT \(list(parent.tableColumns)) \(source)", "SELECT \(list(parent.rowKey)) \(source)")
        }
        return ("SELECT \(list(parent.tableColumns + parent.rowKey)) \(source)", nil)
    }

    /// The texts for rows of a table that a foreign key refers to.
    static func plain(_ entity: Entity) -> RequestSQL { RequestSQL(entity: entity, columnLimit: .max) }

    func expression(_ term: SortTerm) -> String { term.keyPath.sql(entity: entity) }

    private func order(_ index: Int, _ term: SortTerm) -> String {
        // A column of the entity is named directly, so that an index can serve the order; a key
        // path by its number among the result's columns, which can't be mistaken for a name of the
        // program's.
        order(term, by: term.keyPath.hops.isEmpty ? expression(term) : "\(identity.count + index + 1)")
    }

    private func order(_ term: SortTerm, by expression: String) -> String {
        let component = term.component
        var sql = expression + collation(of: term)
        if component.isDescending { sql += " DESC" }
        if component.nullsFirst == component.isDescending {
            sql += component.nullsFirst ? " NULLS FIRST" : " NULLS LAST"
        }
        return sql
    }

    /// A term as SQLite has to compare it with a value.
    private func comparable(_ term: SortTerm) -> String { expression(term) + collation(of: term) }

    private func collation(of term: SortTerm) -> String {
        let collation = term.component.collation
        let isOwn =
            term.keyPath.hops.isEmpty && term.keyPath.expression == nil && collation == term.keyPath.column.collation
        return isOwn ? "" : " COLLATE \(quoted(collation.name))"
    }

    func list(_ parts: [String]) -> String { parts.joined(separator: ", ") }
}
