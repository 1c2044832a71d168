internal import SQLiteKit

extension SQLTokens.Token {
    /// The name, if the token can be one.
    var name: String? {
        switch self {
        case .word(let name), .quoted(let name): name
        case .punctuation, .parameter, .other: nil
        }
    }

    func isWord(_ keyword: String) -> Bool {
        if case .word(let word) = self { isSameName(word, keyword) } else { false }
    }
}
