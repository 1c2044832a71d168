internal import SQLiteKit

/// The searches of a predicate in full-text indexes. Such a search depends on the one document that
/// has the rowid of the row.
///
/// These are `MATCH` on an entity that is an index itself, `id IN (SELECT rowid FROM words WHERE
/// …)`, and `EXISTS (SELECT 1 FROM words WHERE words.rowid = notes.id AND …)`. For IN, SQLite runs
/// the whole search even to test one row. So the predicate of a single row has EXISTS in its place,
/// for which FTS5 seeks the document.
struct TextSearches {
    /// The predicate of a single row.
    private(set) var rowPredicate = ""
    private(set) var indexes: [TextIndex] = []
    /// Whether it has a SELECT that is not one of these searches, or asks an index for more than
    /// the row's document, such as its rank.
    private(set) var readsMore = false

    /// - Parameter predicate: The text, whose parameters have numbers.
    init(_ predicate: String, of entity: Entity, _ schema: SchemaReader) throws(StoreError) {
        let text = SearchText(predicate)
        if let index = entity.textIndex {
            indexes.append(index)
            readsMore = index.tables.isEmpty || text.readsStatistics(of: entity.name, text.tokens.indices)
        }
        var (next, copied) = (0, 0)
        while next < text.tokens.count {
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
            if let replacement = search.replacement {
                rowPredicate += text[copied..<replacement.tokens.lowerBound] + replacement.sql
                copied = search.end
            }
            next = search.end
        }
        // A SELECT inside another one may mean that one's rows.
        rowPredicate = readsMore ? predicate : rowPredicate + text[copied..<text.tokens.count]
    }
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
    /// The place behind its last parenthesis.
    let end: Int
    /// What the predicate of a single row has in place of some tokens; nil if it has the same.
    private(set) var replacement: (tokens: Range<Int>, sql: String)?

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
        // Its columns that are hidden can be given as arguments.
        if text.isMark(next, "(") {
            guard let end = text.end(of: next) else { return nil }
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
        (self.text, self.index, end) = (text, index, close + 1)
        source = (from + 1)..<next
        condition = min(next + 1, close)..<close
        let result = (select + 1)..<from
        if text.isWord(select - 2, "EXISTS") {
            // More than one token could be an aggregate, which always has a row.
            guard result.count == 1, comparesRowid(with: entity) else { return nil }
        } else {
            guard text.isWord(select - 2, "IN"), isRowid(result),
                let operand = rowid(of: entity, endingAt: select - 2)
            else { return nil }
            let tests = condition.isEmpty ? "" : "(\(text[condition])\n) AND "
            replacement = (
                operand.start..<end,
                """
                \(operand.isNegated ? "NOT " : "")EXISTS (SELECT 1 FROM \(text[source]) \
                WHERE \(tests)\(quoted(alias)).rowid = \(quoted(entity.name, operand.name)))
                """
            )
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

    /// Whether one of the terms that AND joins requires the rowid of the entity's row.
    private func comparesRowid(with entity: Entity) -> Bool {
        var terms: [Range<Int>] = []
        var (depth, start) = (0, condition.lowerBound)
        for place in condition {
            if text.isMark(place, "(") { depth += 1 }
            if text.isMark(place, ")") { depth -= 1 }
            if depth > 0 { continue }
            if text.isWord(place, "OR", "CASE", "BETWEEN") { return false }
            if text.isWord(place, "AND") {
                terms.append(start..<place)
                start = place + 1
            }
        }
        return (terms + [start..<condition.upperBound]).contains { term in
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
}
