/// A value as SQLite stores it. Equality is that of content: `1` and `1.0` are different values.
public enum Value: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    /// Text that is not valid UTF-8 in the database is shown repaired.
    case text(String)
    case blob([UInt8])
}

extension Value: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .real(value) }
    public init(stringLiteral value: String) { self = .text(value) }
    public init(nilLiteral: ()) { self = .null }
}

extension Value {
    public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    public var real: Double? { if case .real(let value) = self { value } else { nil } }
    public var text: String? { if case .text(let value) = self { value } else { nil } }
    public var blob: [UInt8]? { if case .blob(let value) = self { value } else { nil } }
    public var isNull: Bool { self == .null }
}

/// SQLite's storage classes (https://www.sqlite.org/datatype3.html), numbered as in the C interface.
package enum StorageClass: UInt8, Sendable {
    case null = 0
    case integer = 1
    case real = 2
    case text = 3
    case blob = 4
}
