internal import SQLiteKit

/// A column, or a path to a column through foreign keys, found in the schema.
struct KeyPath {
    /// One foreign key on the way, with the entities at both ends.
    struct Hop {
        let child: Entity
        let key: Entity.ForeignKey
        let parent: Entity

        /// The column that the foreign key refers to, in SQL.
        var target: ExactText { ExactText("\(parent.sqlName).\(quoted(key.parentColumn))") }

        var parentColumn: Entity.Column? { parent.column(key.parentColumn) }

        /// Whether the foreign key's column compares as the one that it refers to.
        var comparesAlike: Bool {
            guard let child = child.column(key.column), let parent = parentColumn else { return false }
            return child.collation == parent.collation
                && Affinity(declaredType: child.type).isNumeric == Affinity(declaredType: parent.type).isNumeric
                && Affinity(declaredType: child.type) != .blob && Affinity(declaredType: parent.type) != .blob
        }
    }

    let hops: [Hop]
    let column: Entity.Column

    /// The expression that yields its value in a query on the entity, under the entity's plain
    /// name.
    ///
    /// A scalar subquery per hop rather than joins: names in a predicate stay unambiguous, and no
    /// join can change the number of rows. It has no collation of its own
    /// (https://www.sqlite.org/datatype3.html#collation).
    func sql(entity: Entity) -> String { sql(from: 0, table: quoted(entity.name)) }

    private func sql(from hop: Int, table: String) -> String {
        guard hop < hops.count else { return "\(table).\(quoted(column.name))" }
        let step = hops[hop]
        let alias = Self.alias(hop, in: hops[0].child)
        return """
            (SELECT \(sql(from: hop + 1, table: alias)) FROM \(step.parent.sqlName) AS \(alias) \
            WHERE \(alias).\(quoted(step.key.parentColumn)) = \(table).\(quoted(step.key.column)))
            """
    }

    /// What the parent of a hop is called in a query on an entity, whose own name must stay
    /// visible.
    static func alias(_ hop: Int, in entity: Entity) -> String {
        let name = "fr_hop\(hop)"
        return quoted(isSameName(name, entity.name) ? name + "_" : name)
    }
}

extension SchemaReader {
    /// Finds a key path in the schema. Names may have dots of their own: the first reading that
    /// leads to a column counts.
    func keyPath(_ path: String, of entity: Entity) throws(StoreError) -> KeyPath {
        var deadEnds: Set<DeadEnd> = []
        if let keyPath = try find(path, of: entity, &deadEnds) { return keyPath }
        let names = path.utf8.split(separator: 0x2e, omittingEmptySubsequences: false).map { String($0) ?? "" }
        return try keyPath(names, of: entity, path)
    }

    /// The rest of a key path that leads nowhere from an entity.
    private struct DeadEnd: Hashable {
        let entity: ExactText
        /// The length of the rest, which alone distinguishes rests of one path.
        let byteCount: Int
    }

    /// Each rest is tried once from each entity, however many readings lead there.
    private func find(_ path: String, of entity: Entity, _ deadEnds: inout Set<DeadEnd>) throws(StoreError) -> KeyPath?
    {
        if let column = entity.column(path) { return KeyPath(hops: [], column: column) }
        let place = DeadEnd(entity: ExactText(entity.sqlName), byteCount: path.utf8.count)
        if deadEnds.contains(place) { return nil }
        let longest = entity.foreignKeys.map(\.column.utf8.count).max() ?? 0
        for (name, rest) in splits(path, upTo: longest) {
            guard let key = entity.foreignKey(name) else { continue }
            let parent = try self.entity(schema: entity.schema, table: key.parentTable)
            guard let found = try find(rest, of: parent, &deadEnds) else { continue }
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
            guard let key = current.foreignKey(name) else {
                let problem =
                    current.column(name) == nil ? "has no column named \(name)" : "has no foreign key on \(name)"
                throw StoreError(.schema, "key path \(path): \(current.displayName) \(problem)")
            }
            let parent = try self.entity(schema: current.schema, table: key.parentTable)
            hops.append(KeyPath.Hop(child: current, key: key, parent: parent))
            current = parent
        }
        let last = names.last ?? ""
        guard let column = current.column(last) else {
            let place = hops.isEmpty ? "" : "key path \(path): "
            throw StoreError(.schema, "\(place)\(current.displayName) has no column named \(last)")
        }
        return KeyPath(hops: hops, column: column)
    }
}
