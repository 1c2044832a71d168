internal import SQLiteKit

/// A column, or a path to a column through foreign keys, found in the schema.
struct KeyPath {
    /// One foreign key on the way, with the entities at both ends.
    struct Hop {
        let child: Entity
        let key: Entity.ForeignKey
        let parent: Entity

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

    /// The expression that yields its value in a query on the entity, under the entity's plain name.
    ///
    /// A scalar subquery per hop rather than joins: names in a predicate stay unambiguous, and no join can change the
    /// number of rows. It has no collation of its own (https://www.sqlite.org/datatype3.html#collation).
    func sql(entity: Entity) -> String { sql(from: 0, table: quoted(entity.name)) }

    private func sql(from hop: Int, table: String) -> String {
        guard hop < hops.count else { return "\(table).\(quoted(column.name))" }
        let step = hops[hop]
        let alias = quoted("fr_hop\(hop)")
        return """
            (SELECT \(sql(from: hop + 1, table: alias)) FROM \(step.parent.sqlName) AS \(alias) \
            WHERE \(alias).\(quoted(step.key.parentColumn)) = \(table).\(quoted(step.key.column)))
            """
    }
}

extension SchemaReader {
    /// Finds a key path in the schema.
    func keyPath(_ path: String, of entity: Entity) throws(StoreError) -> KeyPath {
        if let column = entity.column(path) { return KeyPath(hops: [], column: column) }
        return try keyPath(path.split(separator: ".", omittingEmptySubsequences: false).map(String.init), of: entity, path)
    }

    func keyPath(_ names: [String], of entity: Entity, _ path: String) throws(StoreError) -> KeyPath {
        var hops: [KeyPath.Hop] = []
        var current = entity
        for name in names.dropLast() {
            guard let key = current.foreignKey(name) else {
                let problem = current.column(name) == nil ? "has no column named \(name)" : "has no foreign key on \(name)"
                throw StoreError(.schema, "key path \(path): \(current.displayName) \(problem)")
            }
            let parent = try self.entity("\(current.schema).\(key.parentTable)")
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
