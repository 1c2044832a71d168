internal import SQLiteKit

extension SchemaReader {
    /// The part that changes an expression without a change of the row; nil if there is none. The
    /// functions for dates are deterministic but for the present moment
    /// (https://www.sqlite.org/deterministic.html).
    func changingPart(_ text: String, of entity: Entity, _ log: AccessLog) throws(StoreError) -> String? {
        let (bytes, tokens) = (Array(text.utf8), Array(SQLTokens(text)))
        for (index, (token, range)) in tokens.enumerated() {
            let written = String(decoding: bytes[range], as: UTF8.self)
            let isNow =
                switch token {
                case .word(let word):
                    ["CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP"].contains { isSameName($0, word) }
                        || isCallWithoutTime(word, tokens[(index + 1)...].map(\.token))
                case .quoted(let name): isSameName(name, "now") && entity.column(name) == nil
                default: isSameName(written, "'now'")
                }
            if isNow { return written }
        }
        return try connection.changingFunction(among: log.functions)
    }

    /// Whether a word and the tokens after it call a function for dates without a time, which is
    /// the present one then.
    private func isCallWithoutTime(_ word: String, _ rest: [SQLTokens.Token]) -> Bool {
        let isFormat = isSameName(word, "strftime")
        guard isFormat || Self.dateFunctions.contains(where: { isSameName($0, word) }), rest.first == .punctuation("(")
        else { return false }
        if !isFormat { return rest.dropFirst().first == .punctuation(")") }
        var depth = 0
        for token in rest {
            if token == .punctuation("(") { depth += 1 }
            if token == .punctuation(")") { depth -= 1 }
            if depth == 0 { return true }
            if depth == 1, token == .punctuation(",") { return false }
        }
        return true
    }

    /// The functions for dates that yield the present moment without arguments.
    static let dateFunctions = ["date", "time", "datetime", "julianday", "unixepoch"]
}
