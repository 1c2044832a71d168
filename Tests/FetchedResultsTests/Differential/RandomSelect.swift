import FetchedResults
import SQLiteKit
import TestSupport

/// A request as a whole SELECT, with the joins of the test's own SQL.
extension RequestModel {
    /// Whether hooks do not report which of its rows were touched.
    var isUnobserved: Bool { entity.isView || isSelect }

    /// The SQL of its identity, each with the order of its values.
    var identity: [(sql: String, order: TextOrder)] {
        if entity.key.isEmpty || isSelect && entity.isKeyNullable { return [("t.rowid", .binary)] }
        return entity.key.map { ("t.\"\($0.name)\"", $0.collation) }
            + (entity.isKeyNullable ? [("t.rowid", .binary)] : [])
    }

    /// All columns that the rows of a SELECT show; nil for another request.
    var selectColumns: [Path]? {
        guard isSelect else { return nil }
        let identity = identity.enumerated().map { index, column in
            Path(text: "i\(index)", sql: column.sql, collation: column.order, isKeyPath: false, isVirtual: false)
        }
        let section = section.map { section in
            Path(
                text: "part", sql: section.path.sql, collation: section.collation, isKeyPath: section.path.isKeyPath,
                isVirtual: section.path.isVirtual)
        }
        return identity + [section].compactMap(\.self) + (content ?? [])
    }

    /// The columns that rows show; nil for those that the entity has when it is fetched.
    var shownContent: [Path]? { selectColumns ?? content }

    /// The SELECT with the names of its identity and section columns; nil for another request.
    var select: (sql: String, identity: [String], section: String?)? {
        guard let columns = selectColumns else { return nil }
        let list = columns.map { "\($0.sql) AS \"\($0.text)\"" }.joined(separator: ", ")
        return ("SELECT \(list)\(source)", identity.indices.map { "i\($0)" }, section == nil ? nil : "part")
    }

    /// The tables and the predicate.
    var plainSource: String {
        var sql = " FROM \"\(entity.name)\" AS t"
        if let reference = entity.reference {
            sql += join(reference, "t", "p")
            if let reference = reference.parent.reference { sql += join(reference, "p", "g") }
        }
        if let predicate { sql += " WHERE (\(predicate.sql))" }
        return sql
    }

    /// All that follows the columns of a SELECT.
    var source: String {
        var sql = plainSource
        let order =
            ([section].compactMap(\.self) + sorts).map(order)
            + identity.map { "\($0.sql) COLLATE \($0.order.rawValue)" }
        sql += " ORDER BY \(order.joined(separator: ", "))"
        if limit != nil || offset > 0 { sql += " LIMIT \(limit ?? -1) OFFSET \(offset)" }
        return sql
    }

    private func join(_ reference: EntityModel.Reference, _ child: String, _ parent: String) -> String {
        " LEFT JOIN \(reference.parent.name) AS \(parent) ON \(parent).\"\(reference.target)\" = \(child).\"\(reference.column)\""
    }

    private func order(_ criterion: Criterion) -> String {
        let descriptor = criterion.descriptor
        let first = descriptor.nulls.map { $0 == .first } ?? !descriptor.isDescending
        return
            "\(criterion.path.sql) COLLATE \(criterion.collation.rawValue) \(descriptor.isDescending ? "DESC" : "ASC") "
            + "NULLS \(first ? "FIRST" : "LAST")"
    }
}
