internal import SQLiteKit

/// An expression by which rows are sorted or divided into sections.
struct KeyExpression {
    /// In parentheses, with its key paths as subqueries.
    let sql: String
    /// The entity's columns that it reads, then its key paths.
    let inputs: [KeyPath]
    /// The key paths in it.
    let keyPaths: [KeyPath]
    /// Evaluates it for other values of its inputs; nil for an expression about matches, which has
    /// values only in the list's statements.
    private let evaluation: Statement?
    /// Whether it depends on the statistics of ranks.
    let ranks: Bool

    /// An expression about the matches of a full-text index.
    init(matches sql: String, ranks: Bool) {
        (self.sql, self.ranks) = (sql, ranks)
        (inputs, keyPaths, evaluation) = ([], [], nil)
    }

    /// Whether it is about the matches of a full-text index.
    var isAboutMatches: Bool { evaluation == nil }

    init(sql: String, columns: [KeyPath], keyPaths: [KeyPath], evaluation: Statement) {
        self.sql = sql
        inputs = columns + keyPaths
        self.keyPaths = keyPaths
        self.evaluation = evaluation
        ranks = false
    }

    /// Its value for some values of its inputs.
    func value(_ values: [RowValues.Part]) throws(StoreError) -> RowValues.Part {
        guard let evaluation else { return .null }
        for (index, part) in values.enumerated() { try evaluation.bind(part.rowValues, part.index, at: index + 1) }
        defer { evaluation.reset() }
        guard try evaluation.step() else { return .null }
        return RowValues.Part(evaluation.rowValues(from: 0, count: 1), 0)
    }
}

extension SchemaReader {
    /// Finds what a row is sorted by: a column, a key path, or an expression over these. A text
    /// that is the name of a column is that column.
    func key(_ text: String, of entity: Entity) throws(StoreError) -> KeyPath {
        do {
            return try keyPath(text, of: entity)
        } catch {
            let tokens = SQLTokens(text).map(\.token)
            // Names with dots between them are a path that leads nowhere.
            let isPath = tokens.enumerated().allSatisfy { $0 % 2 == 0 ? $1.name != nil : $1 == .punctuation(".") }
            if isPath { throw error }
            if let last = tokens.last, last.isWord("ASC") || last.isWord("DESC") {
                throw StoreError(.sql, "key \"\(text)\": the direction is not part of it, but an argument of its own")
            }
            return try keyExpression(text, tokens, of: entity)
        }
    }

    private func keyExpression(
        _ text: String, _ tokens: [SQLTokens.Token], of entity: Entity
    ) throws(StoreError) -> KeyPath {
        func failure(_ message: String, _ error: StoreError? = nil) -> StoreError {
            StoreError(
                error?.status ?? .sql, "expression \"\(text)\": \(message)", sqliteCode: error?.sqliteCode ?? 0,
                sql: error?.sql)
        }
        guard isBalanced(text) else { throw failure("the parentheses do not match") }
        if tokens.contains(.parameter) { throw failure("it can't have parameters") }
        let found = try predicate(text, of: entity)
        if tokens.contains(where: { $0.isWord("SELECT") }) { throw failure("it can't have a SELECT") }
        let sql = "(\(found.sql)\n)"
        let columns = columns(namedIn: tokens, of: entity)
        do throws(StoreError) {
            // In a WHERE, where SQLite refuses aggregates and window functions.
            let log = try connection.prepareLoggingAccess("SELECT 1 FROM \(entity.sqlName) WHERE \(sql) IS NULL").log
            if let part = try changingPart(text, of: entity, log) {
                throw StoreError(.sql, "\(part) does not always yield the same value for the same row")
            }
            // SQLite would sort by the column with that number if the expression were a number.
            guard !columns.isEmpty || !found.keyPaths.isEmpty else {
                throw StoreError(.sql, "it reads no column of \(entity.displayName)")
            }
            let isCollationWritten = tokens.count > 2 && tokens[tokens.count - 2].isWord("COLLATE")
            let collation = try connection.collation(
                named: isCollationWritten ? tokens[tokens.count - 1].name ?? "" : "BINARY")
            return KeyPath(
                KeyExpression(
                    sql: sql, columns: columns, keyPaths: found.keyPaths,
                    evaluation: try evaluation(text, columns, found.keyPaths, of: entity)),
                column: Entity.Column(name: text, collation: collation, isStored: false))
        } catch {
            throw failure(error.message, error)
        }
    }

    private func columns(namedIn tokens: [SQLTokens.Token], of entity: Entity) -> [KeyPath] {
        var columns: [KeyPath] = []
        for name in tokens.compactMap(\.name) where !columns.contains(where: { isSameName($0.column.name, name) }) {
            if let number = entity.columnIndex(name) {
                columns.append(KeyPath(column: entity.columns[number], at: number))
            } else if let rowid = entity.rowidColumn(name) {
                columns.append(KeyPath(hops: [], column: rowid))
            }
        }
        return columns
    }

    /// A statement that evaluates an expression for other values of its inputs. They are the second
    /// row of a table whose first one, which does not exist, gives its columns the affinities and
    /// collations of the inputs. (From SQLite 3.41 on, parameters can take the affinity away. The
    /// statement is asked only whether two keys with the same hash are equal.)
    private func evaluation(
        _ text: String, _ columns: [KeyPath], _ keyPaths: [KeyPath], of entity: Entity
    ) throws(StoreError) -> Statement {
        let table = quoted(entity.name)
        let path = unusedName("fr_path", in: text)
        let names = columns.map { quoted($0.column.name) } + keyPaths.indices.map { quoted("\(path)\($0)") }
        let values = (columns + keyPaths).map { $0.sql(entity: entity) }.joined(separator: ", ")
        let parameters = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        let expression = try predicate(text, of: entity, keyPathsAs: { "\(table).\(quoted("\(path)\($0)"))" }).sql
        return try connection.prepare(
            """
            WITH \(table)(\(names.joined(separator: ", "))) AS MATERIALIZED \
            (SELECT \(values) FROM \(entity.sqlName) WHERE 0 UNION ALL SELECT \(parameters)) \
            SELECT (\(expression)\n) FROM \(table)
            """)
    }
}

extension SchemaReader {
    /// The functions for dates that yield the same at any time in these keys, and that a predicate
    /// does not call: not where the zone of the process matters.
    func repeatableFunctions(of keys: [KeyPath], _ predicate: String) -> Set<String> {
        let functions = Set(Self.dateFunctions + ["strftime", "timediff"])
        let texts = keys.compactMap { $0.expression == nil ? nil : $0.column.name }
        let zones = texts.contains { text in
            let bytes = Array(text.utf8)
            return SQLTokens(text).contains { token, range in
                let written = token.name ?? String(decoding: bytes[range], as: UTF8.self)
                return ["'localtime'", "localtime", "'utc'", "utc"].contains { isSameName($0, written) }
            }
        }
        let called = SQLTokens(predicate).compactMap(\.token.name).map { $0.lowercased() }
        return zones ? [] : functions.subtracting(called)
    }
}
