internal import SQLiteKit

/// The totals of a request for rows, checked against the schema, with the statements that read
/// their values.
///
/// The *values* of a row are the totals' arguments, which follow from its inputs. Of all rows of a
/// window, the values are the arguments, then the value of the section, if there are sections; none
/// if the predicate excludes the row.
final class RequestTotals {
    let parts: TotalParts
    let terms: RowTerms
    /// Of a view that is followed row by row: the values of its rows as they were before.
    let view: ViewTerms?
    /// The numbers of the inputs in the table, if all are columns of it.
    let columns: [Int]?
    /// How many columns the images of its rows have.
    let tableColumnCount: Int
    /// Reads the inputs of a row otherwise; of a row of a view its values.
    let reader: RowReader
    private let connection: Connection
    /// Whether they are the totals of all rows of a window.
    let areOfAll: Bool
    /// Whether the values of rows that were touched are known, from their inputs now and before.
    let areTracked: Bool
    /// Reads identities and values of all rows; of all rows of a window their values.
    let scan: Statement
    /// Of all rows of a window: reads the values of the rows of a section, given its value.
    private let sectionSQL: String?
    /// Read the extremes of all rows, and the extremes of one section, given its value.
    private let extremeSQL: [(all: String, section: String?)]
    private var statements: [ExactText: Statement] = [:]

    /// nil for a request without totals.
    ///
    /// - Parameter predicate: The text of the predicate and the values of its parameters.
    init?(
        _ request: FetchRequest, _ sql: RequestSQL, _ predicate: (text: String, values: [Value]),
        _ connection: Connection
    ) throws(StoreError) {
        guard !request.totals.isEmpty else { return nil }
        try Self.check(request.totals.map(\.name))
        let entity = sql.entity
        self.connection = connection
        var arguments: [KeyPath] = []
        parts = try TotalParts(request.totals, &arguments, firstArgument: 0, of: entity, connection)
        areOfAll = request.hasTotalsOfAllRows
        var condition: KeyPath?
        if areOfAll, request.predicate != nil {
            condition = SchemaReader(connection: connection).condition(predicate.text, predicate.values, of: entity)
        }
        let parts = arguments + (areOfAll ? [sql.section?.keyPath].compactMap(\.self) : [])
        terms = try RowTerms(parts, where: condition, of: entity, connection)
        let isConditionKnown = request.predicate == nil || condition != nil
        view = isConditionKnown ? try ViewTerms(parts, where: condition, of: entity, connection) : nil
        let isKnown = areOfAll ? isConditionKnown && (!entity.isView || view != nil) : !request.isWindow
        areTracked = terms.canBeEvaluated && isKnown
        tableColumnCount = entity.columns.count
        let tableColumns = terms.inputs.compactMap(\.tableColumn)
        columns = tableColumns.count == terms.inputs.count && view == nil ? tableColumns : nil
        reader = RowReader((view == nil ? terms.inputs : parts).map { $0.sql(entity: entity) }, of: sql, connection)
        let values = arguments.map { $0.sql(entity: entity) }
        func ofSection(_ all: String) -> String? {
            sql.section.map { section in
                "\(all) \(sql.predicate == nil ? "WHERE" : "AND") \(section.keyPath.sql(entity: entity)) "
                    + "COLLATE \(quoted(section.component.collation.name)) IS :\(unusedName("fr_section", in: all))"
            }
        }
        // A SELECT needs a column.
        let all = sql.rows(parts.isEmpty ? ["1"] : parts.map { $0.sql(entity: entity) })
        scan = try connection.prepare(areOfAll ? all : sql.rows(sql.identity + values))
        sectionSQL = areOfAll ? ofSection(all) : nil
        extremeSQL = self.parts.extremes.map { part in
            let all = sql.rows([part.sql(values[part.argument], arguments[part.argument])])
            return (all, ofSection(all))
        }
    }

    /// A statement that is prepared once.
    private func statement(_ sql: String) throws(StoreError) -> Statement {
        if let known = statements[ExactText(sql)] { return known }
        let statement = try connection.prepare(sql)
        statements[ExactText(sql)] = statement
        return statement
    }

    /// Calls `body` with the values of all rows of a window, or of the rows of one section.
    func scanAll(_ compiled: CompiledRequest, of section: RowValues?, _ body: (RowValues) throws -> Void) throws {
        var statement = scan
        if section != nil, let sectionSQL { statement = try self.statement(sectionSQL) }
        try compiled.bind(statement, ownParameters: section == nil ? 0 : 1)
        if let section { try statement.bind(section, 0, at: statement.parameterCount) }
        defer { statement.reset() }
        let count = statement.columnCount
        while try statement.step() { try body(statement.rowValues(from: 0, count: count)) }
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
        let statement = try statement(sql)
        try compiled.bind(statement, ownParameters: section == nil ? 0 : 1)
        if let section { try statement.bind(section, 0, at: statement.parameterCount) }
        defer { statement.reset() }
        guard try statement.step() else { return .null }
        return RowValues.Part(statement.rowValues(from: 0, count: 1), 0)
    }
}
