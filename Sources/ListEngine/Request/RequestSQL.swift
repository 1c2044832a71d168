internal import SQLiteKit

/// A sort or section criterion, found in the schema.
struct SortTerm {
    let keyPath: KeyPath
    let component: KeyComponent

    /// Whether it orders by the rowid, ascending, as every order of an entity that has one ends:
    /// this term and those after it decide nothing.
    func isRowid(of entity: Entity) -> Bool {
        entity.isIdentityRowid && keyPath.hops.isEmpty && !component.isDescending
            && (entity.columnIndex(keyPath.column.name) == nil
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
    /// The greatest number of columns of a result.
    let columnLimit: Int

    var identityCount: Int { identity.count }
    /// How many values make up the keys of a row.
    var keyCount: Int { identity.count + terms.count }

    private var table: String { quoted(entity.name) }
    private var terms: [SortTerm] { [section].compactMap(\.self) + sorts }
    private var identity: [String] { entity.identityExpressions.map(\.sql) }

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

    var unorderedKeys: String { rows(with: []) }

    /// The keys of all rows, with other values behind them.
    private func rows(with others: [String]) -> String {
        let sql = "SELECT \(list(identity + terms.map(expression) + others)) FROM \(entity.sqlName)"
        return predicate.map { "\(sql) WHERE (\($0)\n)" } ?? sql
    }

    /// Without the offset in a window that is followed, as its reader notes which rows are before
    /// it.
    var keys: String { ordered(unorderedKeys) }

    private func ordered(_ rows: String) -> String {
        let sql = "\(rows) ORDER BY \(list(terms.enumerated().map(order) + identity))"
        if !isWindow { return sql }
        guard isFollowedWindow else { return "\(sql) LIMIT \(limit ?? -1) OFFSET \(offset)" }
        return limit.map { "\(sql) LIMIT \($0.addingReportingOverflow(offset).overflow ? -1 : $0 + offset)" } ?? sql
    }

    private var isWindow: Bool { limit != nil || offset > 0 }

    /// Whether it has a limit or an offset, and hooks report which rows are inserted and removed.
    var isFollowedWindow: Bool { isWindow && entity.storage != .unobserved }

    /// How the values compare that determine a row's place.
    var orderComponents: [KeyComponent] { terms.map(\.component) + entity.identityExpressions.map(\.component) }

    /// The columns of `touched`, of the rows of a group next to a window.
    func neighbours(_ group: WindowNeighbours.Group) -> String {
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
            SELECT \(list(identity + terms.map(expression) + touchedRest)) FROM \(entity.sqlName) \
            WHERE \(tests.joined(separator: " AND ")) \
            ORDER BY \(list(Array(order[group.equalCount...]))) LIMIT :\(name)_count
            """
    }

    private var tableColumns: [String] {
        entity.columns.map { $0.problem == nil ? quoted(entity.name, $0.name) : "NULL" }
    }

    /// Whether a touched row's content, and the columns of its table, fit into one result with its
    /// keys.
    var touchedHasContent: Bool {
        identity.count + terms.count + content.count + (needsTableColumns ? tableColumns.count : 0) <= columnLimit
    }

    private var touchedRest: [String] {
        touchedHasContent ? content + (needsTableColumns ? tableColumns : []) : []
    }

    var touched: String { touchedRows(of: entity.sqlName, where: isRowKey) }

    /// The same of the rows that the connection's table of rowids names, or, in a table without
    /// them, of those whose keys its list of keys has. nil if a name of the predicate could mean
    /// the table's column.
    var touchedBatch: String? {
        guard unusedName(RowidTable.columnName, in: predicate ?? "") == RowidTable.columnName else { return nil }
        let isKeyed = entity.storage == .withoutRowid
        let tests = rowKey.enumerated().map { "\($1) = \(isKeyed ? keyPart($0) : number)" }
        return touchedRows(of: listed, where: tests.joined(separator: " AND "))
    }

    private func touchedRows(of source: String, where test: String) -> String {
        let condition = predicate.map { "(\($0)\n) AND " } ?? ""
        let columns = list(identity + terms.map(expression) + touchedRest)
        return "SELECT \(columns) FROM \(source) WHERE \(condition)\(test)"
    }

    /// Content of the row with a row key, whether it belongs to the list or not; identity alone
    /// where `touched` leaves the content out as well.
    var touchedContent: String {
        "SELECT \(list(identity + touchedRest)) FROM \(entity.sqlName) WHERE \(isRowKey)"
    }

    /// Identity and sort values of one row, whether it belongs to the list or not.
    func sortValues(by key: RowLookup.Key) -> String { row(identity + sortColumns, by: key) }

    /// Content of one row.
    func content(by key: RowLookup.Key) -> String { row(content, by: key) }

    /// All columns of the table of one row.
    func tableColumns(by key: RowLookup.Key) -> String { row(tableColumns, by: key) }

    private func row(_ columns: [String], by key: RowLookup.Key) -> String {
        let tests =
            switch key {
            case .rowid: rowKey.map { "\($0) = ?" }
            case .identity: entity.identityColumns.map { isIdentity($0, "?") }
            }
        return "SELECT \(list(columns)) FROM \(entity.sqlName) WHERE \(tests.joined(separator: " AND "))"
    }

    /// Whether a column of the identity has a value. Columns of a view can be NULL, and SQL can
    /// compare them by another collation than that of the table's column, by which the list
    /// distinguishes its rows.
    private func isIdentity(_ column: Entity.Column, _ value: String) -> String {
        let name = quoted(entity.name, column.name)
        return entity.storage == .unobserved
            ? "\(name) COLLATE \(quoted(column.collation.name)) IS \(value)" : "\(name) = \(value)"
    }

    var sortColumns: [String] { sorts.map(expression) }

    /// Identity and other columns of the rows that the connection's table of rowids names; nil if
    /// these do not fit into one result.
    func batch(_ columns: [String]) -> String? {
        guard identity.count + columns.count <= columnLimit else { return nil }
        return "SELECT \(list(identity + columns)) FROM \(listed) WHERE \(rowKey[0]) = \(number)"
    }

    /// The same of the rows whose rowids are in a range.
    func range(_ columns: [String]) -> String {
        "SELECT \(list(identity + columns)) FROM \(entity.sqlName) NOT INDEXED WHERE \(rowKey[0]) BETWEEN ?1 AND ?2"
    }

    /// The same of the rows whose keys the connection's list of keys has; the table of rowids has
    /// their numbers in that, which are in the last column.
    func batchByKey(_ columns: [String]) -> String? {
        guard identity.count + columns.count < columnLimit else { return nil }
        let tests = entity.identityColumns.enumerated().map { isIdentity($1, keyPart($0)) }
        return "SELECT \(list(identity + columns + [number])) FROM \(listed) WHERE \(tests.joined(separator: " AND "))"
    }

    /// The rows of the entity for each entry of the connection's table of rowids.
    private var listed: String { "\(quoted(RowidTable.name)) CROSS JOIN \(entity.sqlName)" }

    /// The entry: a rowid, or a number in the list of keys.
    private var number: String { quoted(RowidTable.name, RowidTable.columnName) }

    /// A value of the key that has the number.
    private func keyPart(_ part: Int) -> String { "\(KeyList.functionName)(\(number), \(part))" }

    /// Identity and content of the rows of a view that have one of `count` identities.
    func contentSearch(count: Int) -> String {
        let test = entity.identityColumns.map { isIdentity($0, "?") }.joined(separator: " AND ")
        let tests = Array(repeating: "(\(test))", count: count).joined(separator: " OR ")
        return "SELECT \(list(identity + content)) FROM \(entity.sqlName) WHERE \(tests)"
    }

    /// Identity and, after the sort values, content of all rows, in any order; nil if that does not
    /// fit into one result.
    var contentScan: String? {
        guard keyCount + content.count <= columnLimit else { return nil }
        return isWindow ? ordered(rows(with: content)) : rows(with: content)
    }

    /// Identities and row keys of the rows that depend on one row of the last hop's parent, given
    /// the values to which its keys refer. The tables on the way are joined from there on.
    func rowKeys(fedThrough hops: [KeyPath.Hop]) -> String {
        func name(_ hop: Int) -> String { hop < 0 ? table : KeyPath.alias(hop, in: entity) }
        let last = hops.count - 1
        var condition = refers(name(last - 1), hops[last])
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
            WHERE \(section.keyPath.sql(entity: entity)) = ?1 \(collation)
            """
    }

    /// Whether a foreign key of a table refers to the values ?1, ?2 … of its parent's columns; true
    /// for some more, so that an index can serve.
    private func refers(_ child: String, _ hop: KeyPath.Hop) -> String {
        zip(hop.key.columns, hop.key.parentColumns).enumerated().map { index, columns in
            let (key, value) = ("\(child).\(quoted(columns.0))", "?\(index + 1)")
            guard !hop.comparesAlike, let parent = hop.parent.column(columns.1) else { return "\(key) = \(value)" }
            let collation = "COLLATE \(quoted(parent.collation.name))"
            // The parent's affinity is applied to the child's value
            // (https://www.sqlite.org/datatype3.html#type_conversions_prior_to_comparison).
            let type = Affinity(declaredType: parent.type) == .text ? "TEXT" : "NUMERIC"
            return "(\(key) = \(value) \(collation) OR CAST(\(value) AS \(type)) = \(key) \(collation))"
        }.joined(separator: " AND ")
    }

    /// The values of the parent's row with a given row key to which foreign keys refer.
    func parentValues(of hop: KeyPath.Hop) -> String {
        let test = Self.plain(hop.parent).rowKey.map { "\($0) = ?" }.joined(separator: " AND ")
        let values = list(hop.key.parentColumns.map { quoted(hop.parent.name, $0) })
        return "SELECT \(values) FROM \(hop.parent.sqlName) WHERE \(test)"
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

    /// What is needed to make a parent's row key.
    private static func plain(_ entity: Entity) -> RequestSQL {
        RequestSQL(
            entity: entity, predicate: nil, section: nil, sorts: [], content: [], limit: nil, offset: 0,
            needsTableColumns: false, columnLimit: .max)
    }

    /// The parameters of a row key have names, so that they follow the predicate's, whatever form
    /// those have.
    private var isRowKey: String {
        rowKey.enumerated().map { "\($1) = :\(keyName)\($0)" }.joined(separator: " AND ")
    }

    private var keyName: String { unusedName("fr_key", in: predicate ?? "") }

    private func expression(_ term: SortTerm) -> String { term.keyPath.sql(entity: entity) }

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
        let isOwn = term.keyPath.hops.isEmpty && collation == term.keyPath.column.collation
        return isOwn ? "" : " COLLATE \(quoted(collation.name))"
    }

    private func list(_ parts: [String]) -> String { parts.joined(separator: ", ") }
}
