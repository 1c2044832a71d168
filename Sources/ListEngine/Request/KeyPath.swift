internal import SQLiteKit

/// A column, a path to a column through foreign keys, or an expression over these, found in the
/// schema.
struct KeyPath {
    /// One foreign key on the way, with the entities at both ends.
    struct Hop {
        let child: Entity
        let key: Entity.ForeignKey
        let parent: Entity

        /// The columns that the foreign key refers to, in SQL.
        var target: ExactText {
            ExactText("\(parent.sqlName).\(key.parentColumns.map { quoted($0) }.joined(separator: "."))")
        }

        /// The numbers of the foreign key's columns, and of the referenced columns; nil if there
        /// are no such columns.
        var columns: (child: [Int], parent: [Int])? {
            let columns = (key.columns.compactMap(child.columnIndex), key.parentColumns.compactMap(parent.columnIndex))
            guard columns.0.count == key.columns.count, columns.1.count == key.parentColumns.count else { return nil }
            return columns
        }

        /// Whether the foreign key's columns compare as the referenced columns.
        var comparesAlike: Bool {
            guard let columns else { return false }
            return zip(columns.child, columns.parent).allSatisfy { child, parent in
                Self.compareAlike(self.child.columns[child], self.parent.columns[parent])
            }
        }

        private static func compareAlike(_ child: Entity.Column, _ parent: Entity.Column) -> Bool {
            child.collation == parent.collation
                && child.affinity.isNumeric == parent.affinity.isNumeric && child.affinity != .blob
                && parent.affinity != .blob
        }

        /// Whether a row of the parent is the one that a row of the child refers to, given the
        /// names of both in SQL. Foreign keys compare as the parent's columns do.
        func test(_ child: String, _ parent: String) -> String {
            zip(key.columns, key.parentColumns).map { "\(parent).\(quoted($1)) = \(child).\(quoted($0))" }
                .joined(separator: " AND ")
        }

        /// Whether a row of the child, given its name in SQL, refers to the values ?1, ?2 … of the
        /// parent's columns; true for some more, so that an index can serve.
        func refers(_ child: String) -> String {
            zip(key.columns, key.parentColumns).enumerated().map { index, columns in
                let (key, value) = ("\(child).\(quoted(columns.0))", "?\(index + 1)")
                guard !comparesAlike, let parent = parent.column(columns.1) else { return "\(key) = \(value)" }
                let collation = "COLLATE \(quoted(parent.collation.name))"
                // The parent's affinity is applied to the child's value
                // (https://www.sqlite.org/datatype3.html#type_conversions_prior_to_comparison).
                let type = parent.affinity == .text ? "TEXT" : "NUMERIC"
                return "(\(key) = \(value) \(collation) OR CAST(\(value) AS \(type)) = \(key) \(collation))"
            }.joined(separator: " AND ")
        }
    }

    /// The greatest number of foreign keys on the way: SQLite joins at most so many tables
    /// (https://www.sqlite.org/limits.html#max_join).
    static let hopLimit = 64

    let hops: [Hop]
    let column: Entity.Column
    /// The number of the column in the entity's table; nil for a path through foreign keys, and for
    /// a rowid that is no column of its own.
    let tableColumn: Int?
    /// nil for a column. An expression has its text as the name of its column.
    let expression: KeyExpression?

    /// A path through foreign keys, or to a rowid.
    init(hops: [Hop], column: Entity.Column) {
        self.hops = hops
        self.column = column
        (tableColumn, expression) = (nil, nil)
    }

    /// A column of the entity itself.
    init(column: Entity.Column, at index: Int) {
        hops = []
        self.column = column
        (tableColumn, expression) = (index, nil)
    }

    init(_ expression: KeyExpression, column: Entity.Column) {
        hops = []
        self.column = column
        (tableColumn, self.expression) = (nil, expression)
    }

    /// Whether it is about the matches of a full-text index, so that its old values are not known.
    var isAboutMatches: Bool { expression?.isAboutMatches ?? false }

    /// The paths to all columns that it reads through foreign keys, and to its own.
    var paths: [KeyPath] { expression?.keyPaths ?? [self] }

    /// The expression that yields its value in a query on the entity, under the entity's plain
    /// name.
    ///
    /// A scalar subquery rather than joins with the entity: names in a predicate stay unambiguous,
    /// and no join can change the number of rows. It has no collation of its own
    /// (https://www.sqlite.org/datatype3.html#collation). Inside it the tables on the way are
    /// joined, in this order, as SQLite's parser has little room for subqueries inside one another.
    func sql(entity: Entity) -> String {
        if let expression { return expression.sql }
        guard !hops.isEmpty else { return "\(quoted(entity.name)).\(quoted(column.name))" }
        func name(_ hop: Int) -> String { hop < 0 ? quoted(entity.name) : Self.alias(hop, in: entity) }
        let tables = hops.enumerated().map { "\($1.parent.sqlName) AS \(name($0))" }
        let tests = hops.enumerated().map { $1.test(name($0 - 1), name($0)) }
        return """
            (SELECT \(name(hops.count - 1)).\(quoted(column.name)) FROM \(tables.joined(separator: " CROSS JOIN ")) \
            WHERE \(tests.joined(separator: " AND ")))
            """
    }

    fileprivate func checkReadable() throws(StoreError) {
        guard let problem = column.problem else { return }
        throw StoreError(
            .schema, "the column \(column.name) can't be read: \(problem.message)", sqliteCode: problem.sqliteCode,
            sql: problem.sql)
    }

    /// The name of the parent of a hop in a query on an entity, whose own name must stay
    /// visible.
    static func alias(_ hop: Int, in entity: Entity) -> String { quoted(aliasName(hop, in: entity)) }

    /// The same without quotes, as SQLite's plans have it.
    static func aliasName(_ hop: Int, in entity: Entity) -> String {
        let name = "fr_hop\(hop)"
        return isSameName(name, entity.name) ? name + "_" : name
    }
}

extension SchemaReader {
    /// Finds a key path in the schema. Names may have dots of their own: the first reading that
    /// leads to a column counts.
    func keyPath(_ path: String, of entity: Entity) throws(StoreError) -> KeyPath {
        if let rowid = entity.rowidColumn(path) { return KeyPath(hops: [], column: rowid) }
        var deadEnds: Set<ExactText> = []
        if let keyPath = try find(path, of: entity, depth: 0, &deadEnds) {
            try keyPath.checkReadable()
            return keyPath
        }
        let names = path.utf8.split(separator: 0x2e, omittingEmptySubsequences: false).map { String($0) ?? "" }
        return try keyPath(names, of: entity, path)
    }

    /// Each rest is tried once from each entity, however many readings lead there. As deep as the
    /// limit.
    ///
    /// - Parameter deadEnds: The rests that lead nowhere from an entity, each by its length, which
    ///   alone distinguishes rests of one path, and the entity's name.
    private func find(
        _ path: String, of entity: Entity, depth: Int, _ deadEnds: inout Set<ExactText>
    ) throws(StoreError) -> KeyPath? {
        if let index = entity.columnIndex(path) { return KeyPath(column: entity.columns[index], at: index) }
        guard depth < KeyPath.hopLimit else { return nil }
        let place = ExactText("\(path.utf8.count) \(entity.sqlName)")
        if deadEnds.contains(place) { return nil }
        let longest = entity.foreignKeys.flatMap(\.columns).map(\.utf8.count).max() ?? 0
        for (name, rest) in splits(path, upTo: longest) {
            guard let key = entity.foreignKey(name) else { continue }
            let parent = try self.entity(schema: entity.schema, table: key.parentTable)
            guard let found = try find(rest, of: parent, depth: depth + 1, &deadEnds) else { continue }
            let hop = KeyPath.Hop(child: entity, key: key, parent: parent)
            return KeyPath(hops: [hop] + found.hops, column: found.column)
        }
        deadEnds.insert(place)
        return nil
    }

    func keyPath(_ names: [String], of entity: Entity, _ path: String) throws(StoreError) -> KeyPath {
        var hops: [KeyPath.Hop] = []
        var current = entity
        for name in names.dropLast() {
            guard hops.count < KeyPath.hopLimit else {
                throw StoreError(
                    .range, "key path \(path): it goes through more than \(KeyPath.hopLimit) foreign keys")
            }
            guard let key = current.foreignKey(name) else {
                let toTable = current.foreignKeys.first { isSameName($0.parentTable, name) && $0.columns.count == 1 }
                let hint = toTable.map { key in
                    let path = names[..<hops.count] + [key.columns[0]] + names[(hops.count + 1)...]
                    return ": go through the foreign key: \(path.joined(separator: "."))"
                }
                let problem =
                    current.column(name) == nil
                    ? "has no column named \(name)\(hint ?? "")"
                    : current.hasForeignKey(name)
                        ? "has several foreign keys on \(name): name a column that only one of them has"
                        : "has no foreign key on \(name)"
                throw StoreError(.schema, "key path \(path): \(current.displayName) \(problem)")
            }
            let parent = try self.entity(schema: current.schema, table: key.parentTable)
            hops.append(KeyPath.Hop(child: current, key: key, parent: parent))
            current = parent
        }
        let last = names.last ?? ""
        guard let index = current.columnIndex(last) else {
            let place = hops.isEmpty ? "" : "key path \(path): "
            throw StoreError(.schema, "\(place)\(current.displayName) has no column named \(last)")
        }
        let column = current.columns[index]
        let keyPath = hops.isEmpty ? KeyPath(column: column, at: index) : KeyPath(hops: hops, column: column)
        try keyPath.checkReadable()
        return keyPath
    }
}

extension Entity {
    /// The statement that yields the values of a foreign key of this table that refer to the values
    /// ?1, ?2 … of the parent's columns; some more, so that an index can serve.
    package func references(by key: ForeignKey, to parent: Entity) -> String {
        let columns = key.columns.map { quoted(name, $0) }.joined(separator: ", ")
        return "SELECT \(columns) FROM \(sqlName) WHERE "
            + KeyPath.Hop(child: self, key: key, parent: parent).refers(quoted(name))
    }
}
