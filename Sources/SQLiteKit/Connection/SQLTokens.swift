/// The tokens of a SQL text that are still to be read, without white space and comments
/// (https://www.sqlite.org/lang_expr.html, sqlite3GetToken).
package struct SQLTokens: Sequence, IteratorProtocol {
    package enum Token: Equatable {
        /// A keyword or a plain identifier.
        case word(String)
        /// An identifier in quotes of any kind, without them.
        case quoted(String)
        case punctuation(Character)
        /// A parameter, whether it has a number, a name or neither.
        case parameter
        /// A string, number or blob: everything that is copied unchanged.
        case other
    }

    private let text: [UInt8]
    private var position = 0

    package init(_ sql: String) { text = Array(sql.utf8) }

    /// A token and its position, as byte offsets.
    package mutating func next() -> (token: Token, range: Range<Int>)? {
        skipBlanks()
        guard position < text.count else { return nil }
        let start = position
        let token = readToken()
        return (token, start..<position)
    }

    private func byte(at position: Int) -> UInt8 { position < text.count ? text[position] : 0 }
    /// The byte some places after the next one.
    private func byte(_ offset: Int) -> UInt8 { byte(at: position + offset) }

    private mutating func skipBlanks() {
        while position < text.count {
            if [0x20, 0x09, 0x0a, 0x0c, 0x0d].contains(text[position]) {
                position += 1
            } else if byte(0) == 0x2d, byte(1) == 0x2d {  // --
                while position < text.count, text[position] != 0x0a { position += 1 }
            } else if byte(0) == 0x2f, byte(1) == 0x2a {  // /* */
                position += 2
                while position < text.count, !(byte(0) == 0x2a && byte(1) == 0x2f) {
                    position += 1
                }
                position = Swift.min(position + 2, text.count)
            } else {
                return
            }
        }
    }

    private mutating func readToken() -> Token {
        switch text[position] {
        case 0x27:  // '
            _ = readQuoted(until: 0x27)
            return .other
        case 0x22, 0x60: return .quoted(readQuoted(until: text[position]))  // " `
        case 0x5b: return .quoted(readQuoted(until: 0x5d))  // [ ]
        case 0x3f:  // ?
            position += 1
            while (0x30...0x39).contains(byte(0)) { position += 1 }
            return .parameter
        case 0x3a, 0x40, 0x24, 0x23: return readName()  // : @ $ #
        case 0x30...0x39:
            skipNumber()
            return .other
        case let byte where Self.isWord(byte):
            let start = position
            skipWord()
            if position == start + 1, byte | 0x20 == 0x78, self.byte(0) == 0x27 {  // x'...'
                _ = readQuoted(until: 0x27)
                return .other
            }
            return .word(String(decoding: text[start..<position], as: UTF8.self))
        default:
            position += 1
            return .punctuation(Character(UnicodeScalar(text[position - 1])))
        }
    }

    /// Reads the name of a parameter, which can have parts as names of Tcl do: `$a::b(c)`.
    private mutating func readName() -> Token {
        let start = position
        position += 1
        var length = 0
        while position < text.count {
            if Self.isWord(text[position]) {
                length += 1
            } else if byte(0) == 0x3a, byte(1) == 0x3a {  // ::
                position += 1
            } else {
                break
            }
            position += 1
        }
        guard length > 0 else {
            position = start + 1
            return .other
        }
        if byte(0) == 0x28 {  // (
            while position < text.count, byte(0) != 0x29, !Self.isBlank(byte(0)) { position += 1 }
            guard byte(0) == 0x29 else { return .other }
            position += 1
        }
        return .parameter
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0b, 0x0c, 0x0d].contains(byte) }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x5f, 0x24, 0x80...: true
        default: false
        }
    }

    private mutating func skipWord() {
        while position < text.count, Self.isWord(text[position]) { position += 1 }
    }

    private mutating func skipNumber() {
        while position < text.count, Self.isWord(text[position]) || text[position] == 0x2e { position += 1 }
    }

    /// Reads a quoted text whose opening quote is at the position. A doubled quote stands for a
    /// single one.
    private mutating func readQuoted(until end: UInt8) -> String {
        var content: [UInt8] = []
        position += 1
        while position < text.count {
            if text[position] == end {
                guard end != 0x5d, byte(1) == end else { break }
                position += 1
            }
            content.append(text[position])
            position += 1
        }
        position = Swift.min(position + 1, text.count)
        return String(decoding: content, as: UTF8.self)
    }
}
