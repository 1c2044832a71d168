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
    /// Finds the extremes of one group, given its keys.
    private let extremeStatements: [Statement]
    private let predicateValues: [Value]

    /// - Parameters:
    ///   - source: The connection of the rows.
    ///   - memory: One to a database in memory.
    ///   - versions: The schema versions.
    init(
        _ request: FetchRequest, source: Connection, memory: Connection, versions: [ExactText: Int64]
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
        let predicate = try Predicate(request, entity, source, schema, memory)
        predicateValues = predicate.values
        let terms = keys + arguments
        self.terms = try RowTerms(terms, where: predicate.key, of: entity, source)
        isTracked = predicate.isTracked && !entity.isView && self.terms.canBeEvaluated
        rows = try compiler.compile(
            Self.rowsRequest(request, isTracked: isTracked), content: self.terms.inputs)
        let values = terms.map { $0.sql(entity: entity) }.joined(separator: ", ")
        rows.plan.schemaVersions = versions
        scan = try source.prepare("SELECT \(values) FROM \(entity.sqlName)\(predicate.clause)")
        let tests = keys.enumerated().map {
            "\($1.sql(entity: entity)) IS ?\(predicate.values.count + $0 + 1)\(Self.collation(of: $1))"
        }
        var extremes: [Statement] = []
        for part in parts.extremes {
            let value = part.sql(terms[part.argument].sql(entity: entity), terms[part.argument])
            let condition = predicate.clause.isEmpty ? " WHERE " : predicate.clause + " AND "
            extremes.append(
                try source.prepare(
                    "SELECT \(value) FROM \(entity.sqlName)\(condition)"
                        + tests.joined(separator: " AND ")))
        }
        extremeStatements = extremes
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

/// The predicate of a request that groups rows.
private struct Predicate {
    /// WHERE, with the parameters of the request.
    let clause: String
    let values: [Value]
    /// Whether the predicate is true, as an expression without parameters; nil if there is none.
    let key: KeyPath?
    /// Whether it can be evaluated for a row as it was before.
    let isTracked: Bool

    init(
        _ request: FetchRequest, _ entity: Entity, _ source: Connection, _ schema: SchemaReader, _ memory: Connection
    ) throws(StoreError) {
        guard let predicate = request.predicate else {
            (clause, values, key, isTracked) = ("", [], nil, true)
            return
        }
        let text = NumberedText(predicate)
        // Reports what is wrong with it.
        let compiler = RequestCompiler(connection: source)
        let found = try compiler.checkedPredicate(predicate, text, request.parameters, entity)
        clause = " WHERE (\(found.predicate.sql)\n)"
        values = found.values
        do {
            let literal = try Self.literal(text.sql, found.values, memory)
            key = try literal.map { text throws(StoreError) in try schema.key("(\(text)\n) IS TRUE", of: entity) }
        } catch {
            // It is valid, but depends on more than the row: the rows are read as a whole.
            key = nil
        }
        isTracked = key != nil
    }

    /// The text with the values of its parameters; nil if one can't be written exactly.
    private static func literal(_ text: String, _ values: [Value], _ memory: Connection) throws(StoreError) -> String? {
        let bytes = Array(text.utf8)
        var (result, copied, last) = ([UInt8](), 0, 0)
        for (token, range) in SQLTokens(text) where token == .parameter {
            let number = Int(String(decoding: bytes[range].dropFirst(), as: UTF8.self)) ?? last + 1
            last = max(last, number)
            guard values.indices.contains(number - 1) else { return nil }
            let literal = try Self.literal(values[number - 1], memory)
            guard let literal else { return nil }
            result += bytes[copied..<range.lowerBound] + Array(literal.utf8)
            copied = range.upperBound
        }
        return String(decoding: result + bytes[copied...], as: UTF8.self)
    }

    private static func literal(_ value: Value, _ memory: Connection) throws(StoreError) -> String? {
        // A NUL would end the text of the statement.
        if case .text(let text) = value, text.utf8.contains(0) { return nil }
        var literal = value.description
        if case .real(let real) = value, real.isInfinite { literal = real < 0 ? "-9e999" : "9e999" }
        let statement = try memory.prepare("SELECT \(literal) IS ?1 AND typeof(\(literal)) = typeof(?1)")
        try statement.bind(value, at: 1)
        defer { statement.reset() }
        return try statement.step() && statement.integer(0) != 0 ? " \(literal) " : nil
    }
}
