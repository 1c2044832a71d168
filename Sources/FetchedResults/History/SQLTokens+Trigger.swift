internal import SQLiteKit

extension SQLTokens {
    /// Whether a trigger of this text runs before the rows of a table are updated, and itself
    /// updates rows of a table of that name, or inserts some, which may replace other rows. BEFORE
    /// may be left out.
    func updatesBefore(_ table: String) -> Bool {
        let tokens = map(\.token)
        guard let begin = tokens.firstIndex(of: { isSameName($0, "BEGIN") }) else { return false }
        let head = tokens[..<begin].compactMap(\.word)
        guard !head.contains(where: { isSameName($0, "AFTER") }), head.contains(where: { isSameName($0, "UPDATE") })
        else { return false }
        return tokens[begin...].indices.contains { index in
            guard let name = tokens[index].name, isSameName(name, table) else { return false }
            let before = tokens[begin..<index].suffix(3).compactMap(\.word)
            guard let last = before.last else { return false }
            return isSameName(last, "UPDATE") || isSameName(last, "INTO")
                || before.count > 2 && isSameName(before[0], "UPDATE") && isSameName(before[1], "OR")
        }
    }
}

extension SQLTokens.Token {
    fileprivate var word: String? { if case .word(let word) = self { word } else { nil } }
}

extension [SQLTokens.Token] {
    fileprivate func firstIndex(of isWord: (String) -> Bool) -> Int? {
        firstIndex { $0.word.map(isWord) ?? false }
    }
}
