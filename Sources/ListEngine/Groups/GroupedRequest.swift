internal import SQLiteKit

/// A request that groups rows, checked against the schema.
///
/// Of each row it reads `inputs`. From these follow the *values* of the row: its keys, then the
/// arguments of the totals; none if the predicate excludes the row.
final class GroupedRequest {
    let request: FetchRequest
    /// The rows of the entity, whether the predicate excludes them or not; with the predicate, if
    /// that can't be evaluated for old rows.
    let rows: CompiledRequest
    let keys: [KeyPath]
    /// The columns that show the keys and the totals, with their definitions.
    let columns: [(name: String, definition: String)]
    let parts: TotalParts
    /// Whether the values of rows that were touched are known, from their columns now and before.
    let isTracked: Bool
    /// Reads the values of all rows.
    private let scan: Statement
    private let terms: RowTerms
    /// Of a view that is followed row by row: the values of its rows as they were before.
    let view: ViewTerms?
    /// Of such a view: reads the values of one row as it is now, given the table's rowid.
    private let current: Statement?
    /// Finds the extremes of one group, given its keys.
    private let extremeStatements: [Statement]
    private let predicateValues: [Value]

    /// - Parameters:
    ///   - source: The connection of the rows.
    ///   - versions: The schema versions.
    init(
        _ request: FetchRequest, source: Connection, versions: [ExactText: Int64]
    ) throws(StoreError) {
        self.request = request
        try Self.check(request)
        let (compiler, schema) = (RequestCompiler(connection: source), SchemaReader(connection: source))
        let entity = try schema.entity(request.entity, identity: request.identity)
        let keys = try Self.keyPaths(request.groupBy, entity, schema)
        self.keys = keys
        try RequestTotals.check(request.groupBy + request.totals.map(\.name))
        columns = try Self.columns(keys, request, compiler)
        var arguments: [KeyPath] = []
        parts = try TotalParts(request.totals, &arguments, firstArgument: keys.count, of: entity, source)
        let (clause, predicateValues, condition) = try Self.predicate(request, entity, compiler, schema)
        self.predicateValues = predicateValues
        let terms = keys + arguments
        self.terms = try RowTerms(terms, where: condition, of: entity, source)
        let isConditionKnown = request.predicate == nil || condition != nil
        view = isConditionKnown ? try ViewTerms(terms, where: condition, of: entity, source) : nil
        isTracked = isConditionKnown && self.terms.canBeEvaluated && (!entity.isView || view != nil)
        rows = try compiler.compile(
            Self.rowsRequest(request, isTracked: isTracked), content: self.terms.inputs)
        let values = terms.map { $0.sql(entity: entity) }.joined(separator: ", ")
        rows.plan.schemaVersions = versions
        scan = try source.prepare("SELECT \(values) FROM \(entity.sqlName)\(clause)")
        // Where a further test follows.
        let filtered = "\(entity.sqlName)\(clause) \(clause.isEmpty ? "WHERE" : "AND")"
        if view != nil, let rowid = entity.rowidName {
            let test = "\(quoted(entity.name, rowid)) = ?\(predicateValues.count + 1)"
            current = try source.prepare("SELECT \(values) FROM \(filtered) \(test)")
        } else {
            current = nil
        }
        let tests = keys.enumerated().map {
            "\($1.sql(entity: entity)) IS ?\(predicateValues.count + $0 + 1)\(Self.collation(of: $1))"
        }
        var extremes: [Statement] = []
        for part in parts.extremes {
            let value = part.sql(terms[part.argument].sql(entity: entity), terms[part.argument])
            extremes.append(
                try source.prepare("SELECT \(value) FROM \(filtered) \(tests.joined(separator: " AND "))"))
        }
        extremeStatements = extremes
    }

    /// The predicate of a request: a WHERE with its parameters, their values, and whether it is
    /// true, as an expression that can be evaluated for a row as it was before; nil if there is
    /// none.
    private static func predicate(
        _ request: FetchRequest, _ entity: Entity, _ compiler: RequestCompiler, _ schema: SchemaReader
    ) throws(StoreError) -> (clause: String, values: [Value], condition: KeyPath?) {
        guard let predicate = request.predicate else { return ("", [], nil) }
        let text = NumberedText(predicate)
        let (checked, values) = try compiler.checkedPredicate(predicate, text, request.parameters, entity)
        return (" WHERE (\(checked.sql)\n)", values, schema.condition(text.sql, values, of: entity))
    }

    private static func check(_ request: FetchRequest) throws(StoreError) {
        guard request.select == nil else {
            throw StoreError(.misuse, "a whole SELECT groups its rows itself: write GROUP BY in it")
        }
        guard request.cacheName == nil else {
            throw StoreError(.misuse, "a list of groups can't be cached under a name")
        }
    }

    /// The request of the rows, of which nothing is shown.
    private static func rowsRequest(_ request: FetchRequest, isTracked: Bool) -> FetchRequest {
        var rows = FetchRequest(entity: request.entity)
        rows.identity = request.identity
        if !isTracked { (rows.predicate, rows.parameters) = (request.predicate, request.parameters) }
        return rows
    }

    private static func keyPaths(
        _ texts: [String], _ entity: Entity, _ schema: SchemaReader
    ) throws(StoreError) -> [KeyPath] {
        var keyPaths: [KeyPath] = []
        for text in texts { keyPaths.append(try schema.key(text, of: entity)) }
        return keyPaths
    }

    private static func columns(
        _ keys: [KeyPath], _ request: FetchRequest, _ compiler: RequestCompiler
    ) throws(StoreError) -> [(name: String, definition: String)] {
        var columns: [(name: String, definition: String)] = []
        for (key, name) in zip(keys, request.groupBy) {
            let collation = try compiler.collation(nil, of: key.column)
            let definition = "\(quoted(name)) \(Affinity(of: key).typeName) COLLATE \(quoted(collation.name))"
            columns.append((name, definition))
        }
        return columns + request.totals.map { ($0.name, quoted($0.name)) }
    }

    /// The collation with which a key path compares, where SQL does not know it by itself.
    private static func collation(of keyPath: KeyPath) -> String {
        keyPath.hops.isEmpty ? "" : " COLLATE \(quoted(keyPath.column.collation.name))"
    }

    /// The values of a row; nil if the predicate excludes it.
    func values(_ inputs: RowValues) throws(StoreError) -> RowValues? { try terms.values(inputs) }

    /// The values of a view's row as it is now, by the table's rowid; nil if there is none, or the
    /// predicate excludes it.
    func currentValues(rowid: Int64) throws(StoreError) -> RowValues? {
        guard let current else { return nil }
        try RequestCompiler.bind(predicateValues, to: current, ownParameters: 1)
        try current.bind(rowid, at: predicateValues.count + 1)
        defer { current.reset() }
        return try current.step() ? current.rowValues(from: 0, count: current.columnCount) : nil
    }

    // MARK: Reading

    /// Calls `body` with the values of all rows.
    func scan(_ body: (RowValues) throws -> Void) throws {
        try RequestCompiler.bind(predicateValues, to: scan, ownParameters: 0)
        defer { scan.reset() }
        let count = scan.columnCount
        while try scan.step() { try body(scan.rowValues(from: 0, count: count)) }
    }

    /// The extreme that the rows of a group have now.
    func extreme(_ index: Int, _ keys: RowValues) throws(StoreError) -> RowValues.Part {
        let statement = extremeStatements[index]
        try RequestCompiler.bind(predicateValues, to: statement, ownParameters: self.keys.count)
        for key in self.keys.indices { try statement.bind(keys, key, at: predicateValues.count + key + 1) }
        defer { statement.reset() }
        guard try statement.step() else { return .null }
        return RowValues.Part(statement.rowValues(from: 0, count: 1), 0)
    }
}
