/// A value as SQLite stores it. Equal values have the same type and content: `1` and `1.0` are
/// different values.
public enum Value: Hashable, Sendable {
    /// NULL.
    case null
    /// A 64-bit integer.
    case integer(Int64)
    /// A floating point number.
    case real(Double)
    /// A text. Text that is not valid UTF-8 in the database is repaired.
    case text(String)
    /// Bytes.
    case blob([UInt8])
}

extension Value {
    /// Texts are equal if their bytes are equal: strings that Unicode defines as equivalent are
    /// different values.
    public static func == (a: Value, b: Value) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.integer(let a), .integer(let b)): a == b
        case (.real(let a), .real(let b)): a == b
        case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
        case (.blob(let a), .blob(let b)): a == b
        default: false
        }
    }

    /// Hashes the content, in accordance with `==`: texts by their bytes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(StorageClass.null)
        case .integer(let integer): hasher.combine(integer)
        case .real(let real): hasher.combine(real)
        case .text(let text): for byte in text.utf8 { hasher.combine(byte) }
        case .blob(let bytes): hasher.combine(bytes)
        }
    }
}

extension Value: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByNilLiteral
{
    /// The integer that a literal stands for.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// The floating point number that a literal stands for.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// The text that a literal stands for.
    public init(stringLiteral value: String) { self = .text(value) }
    /// NULL, for a literal `nil`.
    public init(nilLiteral: ()) { self = .null }
}

extension Value {
    /// The integer; nil for a value of another type. Nothing is converted.
    public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    /// The floating point number; nil for a value of another type. Nothing is converted.
    public var real: Double? { if case .real(let value) = self { value } else { nil } }
    /// The text; nil for a value of another type. Nothing is converted: see `castToText`.
    public var text: String? { if case .text(let value) = self { value } else { nil } }
    /// The bytes of a blob; nil for a value of another type. Nothing is converted.
    public var blob: [UInt8]? { if case .blob(let value) = self { value } else { nil } }
    /// Whether the value is NULL.
    public var isNull: Bool { self == .null }

    /// The value as text, as SQLite casts it: the digits of a number, the bytes of a blob read as
    /// UTF-8 and repaired where they are invalid. nil for NULL.
    public var castToText: String? { RowValues([self]).text(0) }
}

extension Value: CustomStringConvertible {
    /// The value as SQL writes it.
    public var description: String {
        switch self {
        case .null: "NULL"
        case .integer(let integer): "\(integer)"
        case .real(let real): "\(real)"
        case .text(let text):
            "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
        case .blob(let bytes): "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
        }
    }
}

/// SQLite's storage classes (https://www.sqlite.org/datatype3.html), numbered as in the C
/// interface.
package enum StorageClass: UInt8, Sendable {
    case null = 0
    case integer = 1
    case real = 2
    case text = 3
    case blob = 4
}
