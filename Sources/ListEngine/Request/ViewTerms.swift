internal import SQLiteKit

/// The values of terms over the columns of a view, for a row as it was before.
///
/// The old image of a view's row is the image of its table's row. It is the only row of a table in
/// memory with the same columns, from which the view's own SELECT makes the row.
final class ViewTerms {
    /// Closed with it.
    private let memory: Connection
    private let write: Statement
    private let select: Statement
    private let columnCount: Int

    /// nil if the entity is no view that is followed row by row, or if its rows can't be evaluated
    /// outside of the database.
    ///
    /// - Parameter condition: The condition under which a row has values; nil for all rows.
    init?(
        _ terms: [KeyPath], where condition: KeyPath?, of entity: Entity, _ source: Connection
    ) throws(StoreError) {
        guard let table = entity.rowView?.table, table.columns.allSatisfy(\.isStored),
            let rowid = Entity.rowidNames.first(where: { table.columnIndex($0) == nil })
        else { return nil }
        memory = try Connection.inMemory(beside: source)
        columnCount = table.columns.count
        do throws(StoreError) {
            if table.schema != "main" { try memory.execute("ATTACH ':memory:' AS \(quoted(table.schema))") }
            let columns = table.columns.map { column in
                "\(quoted(column.name)) \(column.affinity.typeName) "
                    + "COLLATE \(quoted(column.collation.name))"
            }
            try memory.execute("CREATE TABLE \(table.sqlName)(\(columns.joined(separator: ", ")))")
            try memory.execute("INSERT INTO \(table.sqlName) DEFAULT VALUES")
            let assignments = table.columns.enumerated().map { "\(quoted($1.name)) = ?\($0 + 2)" }
            write = try memory.prepare(
                "UPDATE \(table.sqlName) SET \((["\(rowid) = ?1"] + assignments).joined(separator: ", "))")
            let values = ["1"] + terms.map { $0.sql(entity: entity) }
            let test = condition.map { " WHERE \($0.sql(entity: entity))" } ?? ""
            select = try memory.prepare("SELECT \(values.joined(separator: ", ")) FROM \(entity.sqlName)\(test)")
        } catch let error where error.status == .sql {
            return nil
        }
    }

    /// Whether an image has the columns of the table.
    func canRead(_ image: RowValues) -> Bool { image.count == columnCount }

    /// The values of the terms for the row that the view shows of a table's row; nil if it shows
    /// none, or if the condition is not true.
    func values(rowid: Int64, _ image: RowValues) throws(StoreError) -> RowValues? {
        try write.bind(rowid, at: 1)
        for index in 0..<columnCount { try write.bind(image, index, at: index + 2) }
        try write.run()
        defer { select.reset() }
        guard try select.step() else { return nil }
        return select.rowValues(from: 1, count: select.columnCount - 1)
    }
}
