import SQLiteKit
import TestSupport

/// A JSON text that is built from its parts; members stay in their order.
struct JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    let text: String

    private init(text: String) { self.text = text }

    static let null = JSON(text: "null")

    init(_ integer: Int) { text = "\(integer)" }
    init(integerLiteral integer: Int) { self.init(integer) }
    init(booleanLiteral bool: Bool) { text = "\(bool)" }
    init(stringLiteral string: String) { self.init(string) }

    init(_ string: String) {
        var quoted = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\u{0}"..<" ", "\u{7f}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        text = quoted + "\""
    }

    init(_ elements: [JSON]) { text = "[" + elements.map(\.text).joined(separator: ",") + "]" }
    init(arrayLiteral elements: JSON...) { self.init(elements) }

    init(_ members: [(String, JSON)]) {
        text = "{" + members.map { "\(JSON($0).text):\($1.text)" }.joined(separator: ",") + "}"
    }

    init(dictionaryLiteral members: (String, JSON)...) { self.init(members) }

    /// A value of SQLite: integers without a point and reals with one; blobs, and texts that are
    /// not UTF-8, in hexadecimal digits.
    init(_ cell: Cell) {
        switch cell {
        case .null: self = .null
        case .integer(let integer): text = "\(integer)"
        case .real(let bits):
            let real = Double(bitPattern: bits)
            self = real.isFinite ? JSON(text: "\(real)") : ["real": real < 0 ? "-inf" : "inf"]
        case .text(let bytes):
            self = String(validating: bytes, as: UTF8.self).map { JSON($0) } ?? ["text": JSON(Self.digits(bytes))]
        case .blob(let bytes): self = ["blob": JSON(Self.digits(bytes))]
        }
    }

    init(values: [SQLiteKit.Value]) { self.init(values.map { JSON(Cell($0)) }) }

    private static func digits(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
