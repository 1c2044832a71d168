internal import SQLiteKit

/// The searches of a predicate in full-text indexes. Such a search depends on the one document that
/// has the rowid of the row.
///
/// These are `MATCH` on an entity that is an index itself, `id IN (SELECT rowid FROM words WHERE
/// …)`, and `EXISTS (SELECT 1 FROM words WHERE words.rowid = notes.id AND …)`. For IN, SQLite runs
/// the whole search even to test one row. So the predicate of a single row has EXISTS in its place,
/// for which FTS5 seeks the document. If the row has the texts of the document, and the search is a
/// MATCH and nothing else, `DocumentSearches` answers it before the index is asked.
struct TextSearches {
    /// The predicate of a single row.
    private(set) var rowPredicate = ""
    private(set) var indexes: [TextIndex] = []
    /// The indexes in memory that it asks, with the tables in which each touched document has a
    /// touched row.
    private(set) var documents: [(index: DocumentIndex, tables: [Entity])] = []
    /// Whether it has a SELECT that is not one of these searches, or asks an index for more than
    /// the row's document, such as its rank.
    private(set) var readsMore = false

    /// - Parameters:
    ///   - predicate: The text, whose parameters have numbers that are written.
    ///   - showsMatches: Whether the rows of the entity show their matches, which FTS5 finds in a
    ///     statement with the MATCH alone.
    init(
        _ predicate: String, of entity: Entity, _ schema: SchemaReader, showsMatches: Bool
    ) throws(StoreError) {
        let text = SearchText(predicate)
        if let index = entity.textIndex {
            indexes.append(index)
            readsMore = index.tables.isEmpty || text.readsStatistics(of: entity.name, text.tokens.indices)
        }
        var (next, copied) = (0, 0)
        func replace(_ tokens: Range<Int>, _ sql: String) {
            rowPredicate += text[copied..<tokens.lowerBound] + sql
            copied = tokens.upperBound
            next = copied
        }
        while next < text.tokens.count {
            if let index = entity.textIndex, !showsMatches, let (match, tokens) = text.match(around: next, entity) {
                let document = unusedName("fr_document", in: predicate)
                let seek = """
                    EXISTS (SELECT 1 FROM \(entity.sqlName) AS \(document) \
                    WHERE \(quoted(document, match.column ?? entity.name)) MATCH \(match.query) \
                    AND \(document).rowid = \(quoted(entity.name)).rowid)
                    """
                if let call = try call(match, index, entity, schema) { replace(tokens, "ifnull(\(call), \(seek))") }
            }
            guard text.isWord(next, "SELECT") else {
                next += 1
                continue
            }
            guard let search = IndexSearch(text, select: next, of: entity),
                let index = try schema.textIndex(search.table(schema)), !index.tables.isEmpty
            else {
                readsMore = true
                next += 1
                continue
            }
            indexes.append(index)
            let not = search.isNegated ? "NOT " : ""
            if let match = search.match, let call = try call(match, index, entity, schema) {
                replace(search.tokens, "\(not)ifnull(\(call), \(search.seek)\n)")
            } else {
                replace(search.tokens, not + search.seek)
            }
        }
        // A SELECT inside another one may mean that one's rows.
        rowPredicate = readsMore ? predicate : rowPredicate + text[copied..<text.tokens.count]
    }

    /// The call that answers a search by the texts of the entity's row; nil if the row does not
    /// have them.
    private mutating func call(
        _ match: Match, _ index: TextIndex, _ entity: Entity, _ schema: SchemaReader
    ) throws(StoreError) -> String? {
        guard let layout = index.layout, let texts = index.texts, let rowid = entity.rowidName,
            entity.textIndex === index || entity.rowView == nil && texts.table.isSame(as: entity),
            let (number, document) = try schema.connection.documentSearch(match.column, layout)
        else { return nil }
        documents.append((document, index.tables))
        let values = ([rowid] + layout.columns).map { quoted(entity.name, $0) }
        return "\(DocumentSearches.functionName)(\(number), \(values[0]), \(match.query), "
            + values.dropFirst().joined(separator: ", ") + ")"
    }
}

/// A search for a text or the value of a parameter in the whole index, or in one column.
private struct Match {
    /// nil for the index.
    let column: String?
    /// In SQL.
    let query: String
}

/// A predicate as tokens.
private struct SearchText {
    let bytes: [UInt8]
    let tokens: [(token: SQLTokens.Token, range: Range<Int>)]

    init(_ text: String) {
        bytes = Array(text.utf8)
        tokens = Array(SQLTokens(text))
    }

    /// Some tokens, and what is between them and up to the next one.
    subscript(part: Range<Int>) -> String {
        if part.isEmpty { return "" }
        let end = part.upperBound < tokens.count ? tokens[part.upperBound].range.lowerBound : bytes.count
        return String(decoding: bytes[tokens[part.lowerBound].range.lowerBound..<end], as: UTF8.self)
    }

    func token(_ index: Int) -> SQLTokens.Token? { tokens.indices.contains(index) ? tokens[index].token : nil }
    func name(_ index: Int) -> String? { token(index)?.name }
    func isMark(_ index: Int, _ mark: Character) -> Bool { token(index) == .punctuation(mark) }
    func isWord(_ index: Int, _ words: String...) -> Bool {
        token(index).map { token in words.contains(where: token.isWord) } ?? false
    }

    /// The parenthesis that closes one; nil if none does.
    func end(of open: Int) -> Int? {
        var depth = 0
        for index in open..<tokens.count {
            if isMark(index, "(") { depth += 1 }
            if isMark(index, ")") { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }

    /// A name, which another one may qualify, that is all of some tokens.
    func reference(_ part: Range<Int>) -> (table: String?, column: String)? {
        guard let first = name(part.lowerBound) else { return nil }
        if part.count == 1 { return (nil, first) }
        guard part.count == 3, isMark(part.lowerBound + 1, "."), let column = name(part.lowerBound + 2)
        else { return nil }
        return (first, column)
    }

    /// A search that is all of some tokens.
    ///
    /// - Parameters:
    ///   - index: The index, whose name its hidden column has.
    ///   - alias: The name by which the statement reaches it.
    func match(_ part: Range<Int>, in index: String, alias: String) -> Match? {
        if isMark(part.lowerBound, "("), let end = end(of: part.lowerBound), end == part.upperBound - 1 {
            return match((part.lowerBound + 1)..<end, in: index, alias: alias)
        }
        guard part.count >= 3, let query = query(part.upperBound - 1) else { return nil }
        let isEqual = isMark(part.upperBound - 2, "=")
        let end = part.upperBound - (isEqual && isMark(part.upperBound - 3, "=") ? 3 : 2)
        guard isEqual || isWord(end, "MATCH"), let operand = reference(part.lowerBound..<end),
            operand.table.map({ isSameName($0, alias) }) ?? true
        else { return nil }
        if isSameName(operand.column, index) { return Match(column: nil, query: query) }
        return isEqual || Entity.isRowid(operand.column) ? nil : Match(column: operand.column, query: query)
    }

    /// A search of an entity that is an index, whose MATCH or = is at a place, and its tokens.
    func match(around place: Int, _ entity: Entity) -> (Match, Range<Int>)? {
        guard isWord(place, "MATCH") || isMark(place, "="), place > 0 else { return nil }
        let start = isMark(place - 2, ".") ? place - 3 : place - 1
        let end = place + (isMark(place + 1, "=") ? 3 : 2)
        // Nothing that binds tighter is next to it.
        guard start == 0 || isMark(start - 1, "(") || isWord(start - 1, "AND", "OR"),
            end >= tokens.count || isMark(end, ")") || isWord(end, "AND", "OR")
        else { return nil }
        return match(start..<end, in: entity.name, alias: entity.name).map { ($0, start..<end) }
    }

    /// A text or a parameter.
    func query(_ place: Int) -> String? {
        guard let token = token(place), token == .other || token == .parameter else { return nil }
        return String(decoding: bytes[tokens[place].range], as: UTF8.self)
    }

    /// Whether some tokens read the rank of an index, or call a function with it other than those
    /// of FTS5 that read one document: they may yield something else when another document changes.
    func readsStatistics(of index: String, _ part: Range<Int>) -> Bool {
        part.contains { place in
            guard let name = name(place) else { return false }
            if isSameName(name, "rank") { return true }
            return isMark(place + 1, "(") && self.name(place + 2).map { isSameName($0, index) } ?? false
                && (isMark(place + 3, ",") || isMark(place + 3, ")")) && !isWord(place, "highlight", "snippet")
        }
    }
}

/// A SELECT of one index, after IN or EXISTS.
private struct IndexSearch {
    private let text: SearchText
    private let database: String?
    private let index: String
    /// The name by which its terms reach the index.
    private let alias: String
    /// The part of FROM.
    private let source: Range<Int>
    /// The terms of WHERE; empty if there are none.
    private let condition: Range<Int>
    /// With the operand of IN, or with EXISTS.
    private(set) var tokens: Range<Int>
    /// What the predicate of a single row has in place of them, with NOT before it if they have it.
    private(set) var seek = ""
    private(set) var isNegated = false
    /// The whole search, if it is that simple.
    private(set) var match: Match?

    /// nil unless it depends on the document of a row of the entity alone.
    init?(_ text: SearchText, select: Int, of entity: Entity) {
        guard text.isMark(select - 1, "("), let close = text.end(of: select - 1),
            !((select + 1)..<close).contains(where: {
                text.isWord(
                    $0, "SELECT", "DISTINCT", "JOIN", "GROUP", "HAVING", "WINDOW", "ORDER", "LIMIT", "UNION", "EXCEPT",
                    "INTERSECT")
            }), let from = (select..<close).first(where: { text.isWord($0, "FROM") })
        else { return nil }
        var next = from + 1
        let isQualified = text.isMark(next + 1, ".")
        database = isQualified ? text.name(next) : nil
        if isQualified { next += 2 }
        guard let index = text.name(next) else { return nil }
        next += 1
        // Its columns that are hidden can be given as arguments, the query first.
        var argument: Range<Int>?
        if text.isMark(next, "(") {
            guard let end = text.end(of: next) else { return nil }
            argument = (next + 1)..<end
            next = end + 1
        }
        if text.isWord(next, "AS") { next += 1 }
        if next < close, !text.isWord(next, "WHERE"), let name = text.name(next) {
            alias = name
            next += 1
        } else {
            alias = index
        }
        guard next == close || text.isWord(next, "WHERE"), !isSameName(alias, entity.name),
            !text.readsStatistics(of: alias, select..<close)
        else { return nil }
        (self.text, self.index, tokens) = (text, index, (select - 2)..<(close + 1))
        source = (from + 1)..<next
        condition = min(next + 1, close)..<close
        let result = (select + 1)..<from
        // Beside the comparison of the rowid.
        var tests = condition.isEmpty ? [] : [condition]
        if text.isWord(select - 2, "EXISTS") {
            // More than one token could be an aggregate, which always has a row.
            guard result.count == 1, let terms, let place = terms.firstIndex(where: { comparesRowid($0, with: entity) })
            else { return nil }
            seek = text[tokens]
            tests = terms
            tests.remove(at: place)
        } else {
            guard text.isWord(select - 2, "IN"), isRowid(result),
                let operand = rowid(of: entity, endingAt: select - 2)
            else { return nil }
            tokens = operand.start..<(close + 1)
            isNegated = operand.isNegated
            let tests = condition.isEmpty ? "" : "(\(text[condition])\n) AND "
            seek = """
                EXISTS (SELECT 1 FROM \(text[source]) \
                WHERE \(tests)\(quoted(alias)).rowid = \(quoted(entity.name, operand.name)))
                """
        }
        if let argument {
            guard argument.count == 1, tests.isEmpty, let query = text.query(argument.lowerBound) else { return }
            match = Match(column: nil, query: query)
        } else if tests.count == 1 {
            match = text.match(tests[0], in: index, alias: alias)
        }
    }

    func table(_ schema: SchemaReader) throws(StoreError) -> AccessLog.TableName {
        if let database { return AccessLog.TableName(schema: database, table: index) }
        let (database, table) = try schema.resolve(index)
        return AccessLog.TableName(schema: database, table: table)
    }

    /// Whether some tokens are the rowid of the document.
    private func isRowid(_ part: Range<Int>) -> Bool {
        guard let reference = text.reference(part) else { return false }
        return Entity.isRowid(reference.column) && reference.table.map { isSameName($0, alias) } ?? true
    }

    /// The rowid of the entity that is the operand before IN, or before NOT IN.
    private func rowid(of entity: Entity, endingAt end: Int) -> (name: String, start: Int, isNegated: Bool)? {
        let isNegated = text.isWord(end - 1, "NOT")
        let last = end - (isNegated ? 2 : 1)
        guard let name = text.name(last), entity.hasRowid(named: name) else { return nil }
        var start = last
        if text.isMark(last - 1, ".") {
            guard text.name(last - 2).map({ isSameName($0, entity.name) }) ?? false else { return nil }
            start -= 2
        }
        // Nothing that binds tighter than IN precedes it.
        guard
            start == 0 || text.isMark(start - 1, "(") || text.isMark(start - 1, ",")
                || text.isWord(start - 1, "AND", "OR", "NOT", "WHEN", "THEN", "ELSE")
        else { return nil }
        return (name, start, isNegated)
    }

    /// The terms that AND joins; nil if it may not join them.
    private var terms: [Range<Int>]? {
        var terms: [Range<Int>] = []
        var (depth, start) = (0, condition.lowerBound)
        for place in condition {
            if text.isMark(place, "(") { depth += 1 }
            if text.isMark(place, ")") { depth -= 1 }
            if depth > 0 { continue }
            if text.isWord(place, "OR", "CASE", "BETWEEN") { return nil }
            if text.isWord(place, "AND") {
                terms.append(start..<place)
                start = place + 1
            }
        }
        return terms + [start..<condition.upperBound]
    }

    /// Whether a term requires the rowid of the entity's row.
    private func comparesRowid(_ term: Range<Int>, with entity: Entity) -> Bool {
        guard let sign = term.first(where: { text.isMark($0, "=") }) else { return false }
        let right = (text.isMark(sign + 1, "=") ? sign + 2 : sign + 1)..<max(term.upperBound, sign + 2)
        let sides = [term.lowerBound..<sign, right]
        return sides.contains(where: isRowid)
            && sides.contains { side in
                guard let (table, column) = text.reference(side), let table else { return false }
                return isSameName(table, entity.name) && entity.hasRowid(named: column)
            }
    }
}
