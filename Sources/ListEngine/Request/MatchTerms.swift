internal import SQLiteKit

/// The sort criteria and columns of a request that are about the matches of a full-text index: its
/// `rank`, and calls of FTS5's auxiliary functions
/// (https://www.sqlite.org/fts5.html#_auxiliary_functions_).
///
/// SQLite evaluates them only in a statement that contains the MATCH, for a row that matches. So
/// all rows are read with the request's predicate.
///
/// `rank` and `bm25()` compare a row with all documents, so that a write to any document changes
/// them in every row. Lists use statistics that stay the same: `rank` and `bm25()` become functions
/// of the library (`FullTextFunctions`) that take them from a parameter, behind the predicate's.
struct MatchTerms {
    /// MATCH and the functions in these terms, which depend on the index alone.
    static let functions: Set<String> = [
        "match", "fr_rank", "fr_bm25", "highlight", "snippet", "fr_offsets",
    ]

    /// The request's predicate, with all numbers of its parameters: the terms precede it.
    let predicate: NumberedText
    /// The table with the options of the index.
    let options: Entity
    private let entity: Entity
    private let connection: Connection
    /// The parameter with the statistics.
    private let statistics: String
    /// The option `rank` in SQL: from the predicate, or from the table's configuration.
    private let rank: String

    /// nil if no term of the request can be one of these, or the entity is no full-text index.
    init?(_ request: FetchRequest, _ entity: Entity, _ schema: SchemaReader) throws(StoreError) {
        let texts = request.sorts.map(\.keyPath) + request.columns + request.additionalColumns
        guard texts.contains(where: { Self.isCandidate($0) }), try schema.isFullTextIndex(entity) else { return nil }
        self.entity = entity
        connection = schema.connection
        predicate = NumberedText(request.predicate ?? "", areWritten: true)
        statistics = "?\(predicate.parameterCount + 1)"
        options = try schema.entity(schema: entity.schema, table: entity.name + "_config")
        rank = try Self.option(in: predicate.sql) ?? "(SELECT v FROM \(options.sqlName) WHERE k = 'rank')"
    }

    private static func isCandidate(_ text: String) -> Bool {
        SQLTokens(text).contains { token, _ in token == .punctuation("(") || token.name.map(isRank) ?? false }
    }

    private static func isRank(_ name: String) -> Bool { isSameName(name, "rank") }

    /// The option in `rank MATCH 'bm25(10.0, 5.0)'`; nil if a predicate has none.
    private static func option(in predicate: String) throws(StoreError) -> String? {
        let (bytes, tokens) = (Array(predicate.utf8), Array(SQLTokens(predicate)))
        for index in tokens.indices.dropLast() where tokens[index].token.name.map(isRank) ?? false {
            guard tokens[index + 1].token.isWord("MATCH") || tokens[index + 1].token == .punctuation("=") else {
                continue
            }
            let rest = tokens[(index + 2)...]
            let ends = rest.dropFirst().first.map { $0.token == .punctuation(")") || $0.token.isWord("AND") } ?? true
            guard let value = rest.first, value.token == .other || value.token == .parameter, ends else {
                throw StoreError(
                    .sql,
                    "predicate \"\(predicate)\": write rank MATCH with one text or parameter, as in "
                        + "rank MATCH 'bm25(10.0, 5.0)'")
            }
            return String(decoding: bytes[value.range], as: UTF8.self)
        }
        return nil
    }

    /// A term in SQL; nil if it is not about matches, but about the columns of a row.
    func key(_ text: String) throws(StoreError) -> KeyPath? {
        let (bytes, tokens) = (Array(text.utf8), Array(SQLTokens(text)))
        var (sql, copied, ranks, isAboutMatches) = ("", 0, false, false)
        func isTable(_ index: Int) -> Bool {
            tokens.indices.contains(index) && tokens[index].token.name.map { isSameName($0, entity.name) } ?? false
        }
        func isPunctuation(_ index: Int, _ character: Character) -> Bool {
            tokens.indices.contains(index) && tokens[index].token == .punctuation(character)
        }
        func replace(_ first: Int, _ last: Int, _ new: String) {
            sql += String(decoding: bytes[copied..<tokens[first].range.lowerBound], as: UTF8.self) + new
            copied = tokens[last].range.upperBound
            ranks = true
        }
        for index in tokens.indices {
            guard let name = tokens[index].token.name else { continue }
            if Self.isRank(name), entity.column(name) == nil, !isPunctuation(index + 1, "(") {
                isAboutMatches = true
                let first = isPunctuation(index - 1, ".") && isTable(index - 2) ? index - 2 : index
                replace(first, index, "fr_rank(\(quoted(entity.name, entity.name)), \(statistics), \(rank))")
            } else if isPunctuation(index + 1, "("), isTable(index + 2),
                isPunctuation(index + 3, ",") || isPunctuation(index + 3, ")")
            {
                isAboutMatches = true
                guard isSameName(name, "bm25") else {
                    try checkFollowed(name)
                    continue
                }
                replace(index, index + 2, "fr_bm25(\(quoted(entity.name, entity.name)), \(statistics)")
            }
        }
        guard isAboutMatches else { return nil }
        sql += String(decoding: bytes[copied...], as: UTF8.self)
        try check(text, sql, tokens.map(\.token))
        return KeyPath(
            KeyExpression(matches: "(\(sql)\n)", ranks: ranks),
            column: Entity.Column(name: text, collation: try connection.collation(named: "BINARY"), isStored: false))
    }

    /// Refuses functions that may yield something else when another document changes.
    private func checkFollowed(_ function: String) throws(StoreError) {
        guard ["highlight", "snippet", "fr_offsets"].contains(where: { isSameName($0, function) }) else {
            throw StoreError(
                .sql,
                "a list can't follow \(function)(), which may depend on all documents: write a whole SELECT, or use "
                    + "rank, bm25(), highlight(), snippet() or fr_offsets()")
        }
    }

    private func check(_ text: String, _ sql: String, _ tokens: [SQLTokens.Token]) throws(StoreError) {
        func failure(_ message: String, _ error: StoreError? = nil) -> StoreError {
            StoreError(
                error?.status ?? .sql, "expression \"\(text)\": \(message)", sqliteCode: error?.sqliteCode ?? 0,
                sql: error?.sql)
        }
        guard SchemaReader(connection: connection).isBalanced(text) else {
            throw failure("the parentheses do not match")
        }
        if tokens.contains(.parameter) { throw failure("it can't have parameters") }
        if tokens.contains(where: { $0.isWord("SELECT") }) { throw failure("it can't have a SELECT") }
        do {
            // In a WHERE, where SQLite refuses aggregates and window functions.
            _ = try connection.prepare("SELECT 1 FROM \(entity.sqlName) WHERE (\(sql)\n) IS NULL")
        } catch {
            throw failure(error.message, error)
        }
    }

    /// A column that is an expression, with the name that AS gives it, or its text as the name; nil
    /// if it is not about matches.
    func column(_ text: String) throws(StoreError) -> (name: String, keyPath: KeyPath)? {
        let tokens = Array(SQLTokens(text))
        guard tokens.count > 2, tokens[tokens.count - 2].token.isWord("AS"),
            let name = tokens[tokens.count - 1].token.name
        else { return try key(text).map { (text, $0) } }
        let end = tokens[tokens.count - 2].range.lowerBound
        return try key(String(decoding: Array(text.utf8)[..<end], as: UTF8.self)).map { (name, $0) }
    }
}

/// What `bm25` and `rank` read of all documents, as it was when a list was read. Its ranks stay
/// comparable as long as they have the same statistics.
package final class RankStatistics {
    /// The result of `fr_bm25_statistics`.
    package let bytes: [UInt8]
    /// How many documents there were, and in how many the most frequent phrase was.
    private let documents: Int64
    private let matches: Int64
    /// How many documents, and how many that match or matched, were written since.
    package private(set) var written: (documents: Int, matches: Int)

    package init(_ bytes: [UInt8], written: (documents: Int, matches: Int) = (0, 0)) {
        self.bytes = bytes
        self.written = written
        let numbers = unsafe bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / MemoryLayout<Int64>.stride).map { number in
                unsafe bytes.loadUnaligned(fromByteOffset: number * MemoryLayout<Int64>.stride, as: Int64.self)
            }
        }
        documents = numbers.first ?? 0
        matches = numbers.dropFirst(2).max() ?? 0
    }

    /// Whether more than a share of the documents, or of the ones that match, was written since.
    func hasDrifted(by share: Double, _ documents: Int, _ matches: Int) -> Bool {
        written.documents += documents
        written.matches += matches
        return Double(written.documents) > share * Double(self.documents)
            || Double(written.matches) > share * Double(self.matches)
    }

    /// How many were written, as text.
    var progress: String {
        "so far \(written.documents) of \(counted(documents, "document")), \(written.matches) of \(matches) that match"
    }
}
