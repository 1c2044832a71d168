internal import SQLiteKit

/// The condition of a partial index, so that another statement can use it.
struct IndexCondition {
    let sql: String
    /// The columns that it names.
    let names: [String]

    /// nil if the statement that created the index has no condition.
    ///
    /// Names of tables before columns are left out: each would be the index's table, which
    /// has another name where the condition is used. Double quotes around what is not a column are
    /// a string's, which only some programs allow outside of the schema
    /// (https://www.sqlite.org/quirks.html#dblquote).
    init?(index: String, columns: [String]) {
        let text = Array(index.utf8)
        var tokens: [(token: SQLTokens.Token, range: Range<Int>)] = []
        var depth = 0
        var isCondition = false
        for (token, range) in SQLTokens(index) {
            if isCondition { tokens.append((token, range)) }
            switch token {
            case .punctuation("("): depth += 1
            case .punctuation(")"): depth -= 1
            case .word(let word) where depth == 0 && isSameName(word, "WHERE"): isCondition = true
            default: break
            }
        }
        guard !tokens.isEmpty else { return nil }
        var sql = ""
        var names: [String] = []
        var end = tokens[0].range.lowerBound
        for (index, (token, range)) in tokens.enumerated() {
            let next = index + 1 < tokens.count ? tokens[index + 1].token : .other
            let last = index > 0 ? tokens[index - 1].token : .other
            let isName = token.name != nil
            if isName, next == .punctuation(".") { continue }
            if token == .punctuation("."), last.name != nil { continue }
            // Only white space and comments are between tokens that do not touch.
            if range.lowerBound > end { sql += " " }
            end = range.upperBound
            guard let name = token.name, next != .punctuation("("), last.name.map({ isSameName($0, "COLLATE") }) != true
            else {
                sql += String(decoding: text[range], as: UTF8.self)
                continue
            }
            if let column = columns.first(where: { isSameName($0, name) }) {
                names.append(column)
                sql += String(decoding: text[range], as: UTF8.self)
            } else if text[range.lowerBound] == UInt8(ascii: "\"") {
                sql += Self.string(name)
            } else {
                sql += String(decoding: text[range], as: UTF8.self)
            }
        }
        self.sql = sql
        self.names = names
    }

    /// A text as a string of SQL. Swift joins a quote and a combining mark after it to one
    /// character.
    private static func string(_ text: String) -> String {
        let quote = UInt8(ascii: "'")
        let bytes = text.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }
        return String(decoding: [quote] + bytes + [quote], as: UTF8.self)
    }
}

extension SQLTokens.Token {
    /// The text of a word, or of a name in quotes.
    var name: String? {
        switch self {
        case .word(let name), .quoted(let name): name
        case .punctuation, .parameter, .other: nil
        }
    }
}
