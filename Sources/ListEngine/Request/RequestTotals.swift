internal import SQLiteKit

/// The totals of a request for rows, checked against the schema, with the statements that read
/// their values.
///
/// The *values* of a row are the totals' arguments, which follow from its inputs.
final class RequestTotals {
    let parts: TotalParts
    let terms: RowTerms
    /// The numbers of the inputs in the table, if all are columns of it.
    let columns: [Int]?
    /// Reads the inputs of a row otherwise.
    let reader: RowReader
    private let connection: Connection
    /// Reads identities and values of all rows.
    let scan: Statement
    /// Read the extremes of all rows, and the extremes of one section, given its value.
    private let extremeSQL: [(all: String, section: String?)]
    private var statements: [ExactText: Statement] = [:]

    /// nil for a request without totals.
    init?(_ request: FetchRequest, _ sql: RequestSQL, _ connection: Connection) throws(StoreError) {
        guard !request.totals.isEmpty else { return nil }
        try Self.check(request.totals.map(\.name))
        let entity = sql.entity
        self.connection = connection
        var arguments: [KeyPath] = []
        parts = try TotalParts(request.totals, &arguments, firstArgument: 0, of: entity, connection)
        terms = try RowTerms(arguments, of: entity, connection)
        let tableColumns = terms.inputs.compactMap(\.tableColumn)
        columns = tableColumns.count == terms.inputs.count ? tableColumns : nil
        reader = RowReader(terms.inputs.map { $0.sql(entity: entity) }, of: sql, connection)
        let values = arguments.map { $0.sql(entity: entity) }
        scan = try connection.prepare(sql.rows(sql.identity + values))
        extremeSQL = parts.extremes.map { part in
            let all = sql.rows([part.sql(values[part.argument], arguments[part.argument])])
            let section = sql.section.map { section in
                "\(all) \(sql.predicate == nil ? "WHERE" : "AND") \(section.keyPath.sql(entity: entity)) "
                    + "COLLATE \(quoted(section.component.collation.name)) IS :\(unusedName("fr_section", in: all))"
            }
            return (all, section)
        }
    }

    /// Refuses two columns with the same name.
    static func check(_ names: [String]) throws(StoreError) {
        for (index, name) in names.enumerated() where names[..<index].contains(where: { isSameName($0, name) }) {
            throw StoreError(.misuse, "two columns are named \(name)")
        }
    }

    /// The extreme of all rows, or of the rows of a section.
    func extreme(_ index: Int, _ compiled: CompiledRequest, of section: RowValues?) throws -> RowValues.Part {
        guard let sql = section == nil ? extremeSQL[index].all : extremeSQL[index].section else { return .null }
        let statement = try statements[ExactText(sql)] ?? connection.prepare(sql)
        statements[ExactText(sql)] = statement
        try compiled.bind(statement, ownParameters: section == nil ? 0 : 1)
        if let section { try statement.bind(section, 0, at: statement.parameterCount) }
        defer { statement.reset() }
        guard try statement.step() else { return .null }
        return RowValues.Part(statement.rowValues(from: 0, count: 1), 0)
    }
}
