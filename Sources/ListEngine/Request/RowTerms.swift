internal import SQLiteKit

/// Terms over the columns and key paths of a row, which are evaluated for a row as it is now, and
/// as it was before.
final class RowTerms {
    /// The columns and key paths that they read.
    let inputs: [KeyPath]
    /// The inputs are the only row of a table in `memory`, with columns of the same types and
    /// collations. nil where the inputs are the terms, and where they can't be evaluated.
    private let evaluation: (memory: Connection, write: Statement, select: Statement)?
    /// Whether they can be evaluated outside of the database: not if they call a function that the
    /// program has registered with SQLite itself.
    let canBeEvaluated: Bool

    /// - Parameters:
    ///   - condition: The condition under which a row has values; nil for all rows.
    ///   - source: The connection of the rows.
    init(
        _ terms: [KeyPath], where condition: KeyPath? = nil, of entity: Entity, _ source: Connection
    ) throws(StoreError) {
        if condition == nil, terms.allSatisfy({ $0.expression == nil }) {
            (inputs, evaluation, canBeEvaluated) = (terms, nil, true)
            return
        }
        var inputs: [KeyPath] = []
        let all = [condition].compactMap(\.self) + terms
        for input in all.flatMap({ $0.expression?.inputs ?? [$0] })
        where !inputs.contains(where: { $0.isSame(as: input) }) {
            inputs.append(input)
        }
        self.inputs = inputs
        do throws(StoreError) {
            evaluation = try Self.evaluation(condition, terms, inputs, entity, source)
            canBeEvaluated = true
        } catch let error where error.status == .sql {
            (evaluation, canBeEvaluated) = (nil, false)
        }
    }

    private static func evaluation(
        _ condition: KeyPath?, _ terms: [KeyPath], _ inputs: [KeyPath], _ entity: Entity, _ source: Connection
    ) throws(StoreError) -> (memory: Connection, write: Statement, select: Statement) {
        let memory = try Connection.inMemory(beside: source)
        let schema = SchemaReader(connection: source)
        let table = quoted(entity.name)
        let texts = entity.columns.map(\.name) + terms.map(\.column.name)
        let paths = unusedName("fr_path", in: texts.joined(separator: " "))
        func name(_ input: Int) -> String {
            inputs[input].hops.isEmpty ? inputs[input].column.name : "\(paths)\(input)"
        }
        let columns = inputs.enumerated().map { index, input in
            let collation = input.hops.isEmpty ? " COLLATE \(quoted(input.column.collation.name))" : ""
            return "\(quoted(name(index))) \(Affinity(of: input).typeName)\(collation)"
        }
        try memory.execute("CREATE TABLE \(table)(\(columns.joined(separator: ", ")))")
        try memory.execute("INSERT INTO \(table) DEFAULT VALUES")
        func input(_ keyPath: KeyPath) -> String {
            let index = inputs.firstIndex { $0.isSame(as: keyPath) } ?? 0
            return "\(table).\(quoted(name(index)))"
        }
        var sql: [String] = []
        for term in [condition].compactMap(\.self) + terms {
            if let expression = term.expression {
                let text = try schema.predicate(
                    term.column.name, of: entity, keyPathsAs: { input(expression.keyPaths[$0]) })
                sql.append("(\(text.sql)\n)")
            } else {
                sql.append(input(term))
            }
        }
        if condition == nil { sql.insert("1", at: 0) }
        let assignments = inputs.indices.map { "\(quoted(name($0))) = ?\($0 + 1)" }.joined(separator: ", ")
        return (
            memory, write: try memory.prepare("UPDATE \(table) SET \(assignments)"),
            select: try memory.prepare("SELECT \(sql.joined(separator: ", ")) FROM \(table)")
        )
    }

    /// The values of the terms, if these can be evaluated; nil if the condition is not true.
    func values(_ inputs: RowValues) throws(StoreError) -> RowValues? {
        guard let evaluation else { return inputs }
        for index in 0..<inputs.count { try evaluation.write.bind(inputs, index, at: index + 1) }
        try evaluation.write.run()
        let select = evaluation.select
        defer { select.reset() }
        guard try select.step(), select.integer(0) != 0 else { return nil }
        return select.rowValues(from: 1, count: select.columnCount - 1)
    }
}

extension Connection {
    /// Opens a database in memory, with the collations, functions and encoding of another
    /// connection: BINARY compares the bytes of texts in that encoding.
    static func inMemory(beside source: Connection) throws(StoreError) -> Connection {
        let memory = try open(path: ":memory:", readOnly: false, create: true)
        if let encoding = source.encoding { try memory.execute("PRAGMA encoding = '\(encoding.pragmaName)'") }
        try memory.readEncoding()
        try source.shareCollations(with: memory)
        try source.shareFunctions(with: memory, onOtherThread: false)
        return memory
    }
}

extension Total {
    /// The expression that a total summarizes: of a count, whether its condition is true.
    func argument(of entity: Entity, _ schema: SchemaReader) throws(StoreError) -> KeyPath? {
        guard let expression else {
            if function == .count { return nil }
            throw StoreError(.misuse, "the total \(name) needs an expression whose values it summarizes")
        }
        do {
            if function == .count { _ = try schema.key(expression, of: entity) }
            return try schema.key(function == .count ? "(\(expression)\n) IS TRUE" : expression, of: entity)
        } catch {
            throw StoreError(
                error.status, "total \(name): \(error.message)", sqliteCode: error.sqliteCode, sql: error.sql)
        }
    }
}

extension Affinity {
    /// The affinity of a column, or of what a key path leads to; none for an expression.
    init(of keyPath: KeyPath) { self = keyPath.expression == nil ? keyPath.column.affinity : .blob }

    /// A type with this affinity; not INTEGER, which would make a key the rowid.
    var typeName: String {
        switch self {
        case .integer: "INT"
        case .text: "TEXT"
        case .blob: "BLOB"
        case .real: "REAL"
        case .numeric: "NUMERIC"
        }
    }
}

extension KeyPath {
    /// Whether both lead from an entity to the same column.
    func isSame(as other: KeyPath) -> Bool {
        guard expression == nil, other.expression == nil, tableColumn == other.tableColumn,
            ExactText(column.name) == ExactText(other.column.name), hops.count == other.hops.count
        else { return false }
        return zip(hops, other.hops).allSatisfy {
            $0.target == $1.target && $0.key.columns.elementsEqual($1.key.columns) { ExactText($0) == ExactText($1) }
        }
    }
}
