internal import CSQLite
internal import Glibc

/// A name as an identifier of SQL. Names of tables, columns, databases and collations get into a
/// statement only through this function.
///
/// The name is put in backticks. SQLite treats a name in double quotes that it does not find as a
/// string (https://www.sqlite.org/quirks.html#dblquote), so that a column that was dropped would be
/// read as a text. The name is quoted byte by byte: Swift joins a quote and a combining mark after
/// it to one character.
package func quoted(_ name: String) -> String {
    let quote = UInt8(ascii: "`")
    var bytes = [quote]
    bytes.reserveCapacity(name.utf8.count + 2)
    for byte in name.utf8 {
        if byte == quote { bytes.append(quote) }
        bytes.append(byte)
    }
    bytes.append(quote)
    return String(decoding: bytes, as: UTF8.self)
}

/// A name within another: a column of a table, a table of a database.
package func quoted(_ outer: String, _ name: String) -> String { "\(quoted(outer)).\(quoted(name))" }

/// Whether two names are the same for SQLite: it compares ASCII letters without case, and
/// everything else byte by byte.
package func isSameName(_ a: String, _ b: String) -> Bool {
    a.utf8.count == b.utf8.count
        && zip(a.utf8, b.utf8).allSatisfy { $0 == $1 || ($0 | 0x20 == $1 | 0x20 && (0x61...0x7a).contains($0 | 0x20)) }
}

/// A name that equals all names that are the same for SQLite.
package struct FoldedName: Hashable {
    private let bytes: [UInt8]

    package init(_ name: String) { bytes = name.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 } }
}

/// A name that no text contains: `prefix`, with a suffix if necessary.
package func unusedName(_ prefix: String, in text: String) -> String {
    var name = prefix
    let text = Array(text.lowercased().utf8)
    // `String.contains` would link the engine of regular expressions.
    while text.indices.contains(where: { text[$0...].starts(with: name.utf8) }) { name += "_" }
    return name
}

/// A text that equals another one only byte by byte, as a name or a statement does. Swift strings
/// are equal if Unicode calls them equivalent.
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    /// The name of a connection's main database.
    package static let main = ExactText("main")
    package static let temp = ExactText("temp")

    package var isMain: Bool { text == "main" }

    package static func == (a: ExactText, b: ExactText) -> Bool {
        var (a, b) = (a.text, b.text)
        return a.withUTF8 { a in
            b.withUTF8 { b in
                guard a.count == b.count, let a = a.baseAddress, let start = b.baseAddress else {
                    return a.count == b.count
                }
                return unsafe memcmp(a, start, b.count) == 0
            }
        }
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension Connection {
    /// The greatest number of columns of a result (https://www.sqlite.org/limits.html#max_column).
    package var columnLimit: Int { unsafe Int(sqlite3_limit(handle, SQLITE_LIMIT_COLUMN, -1)) }
    /// The greatest number of arguments of a function.
    package var argumentLimit: Int { unsafe Int(sqlite3_limit(handle, SQLITE_LIMIT_FUNCTION_ARG, -1)) }
}
