/// An order of texts.
package enum Collation: Equatable, Sendable {
    /// By the bytes of UTF-8.
    case binary
    /// The same collation in a database that stores its texts in UTF-16: by the bytes of these.
    case binaryUTF16(isBigEndian: Bool)
    case nocase
    case rtrim
    /// The C library's order for a locale.
    case locale(Locale)
    /// A collation that the program registered; only SQLite can compare by it.
    case custom(String)
    /// A collation with which a column was declared, and which the connection does not have.
    /// Nothing can compare by it.
    case missing(String)

    /// SQLite's own three; nil for other collations. Names are compared without case. Only BINARY
    /// depends on the encoding of the texts: for the other two SQLite converts texts to UTF-8.
    package init?(builtIn name: String, _ encoding: TextEncoding) {
        switch name.uppercased() {
        case "BINARY":
            switch encoding {
            case .utf8: self = .binary
            case .utf16(let isBigEndian): self = .binaryUTF16(isBigEndian: isBigEndian)
            }
        case "NOCASE": self = .nocase
        case "RTRIM": self = .rtrim
        default: return nil
        }
    }

    /// Whether the order can be expressed by bytes.
    package var isBytewise: Bool {
        switch self {
        case .custom, .missing: false
        case .binary, .binaryUTF16, .nocase, .rtrim, .locale: true
        }
    }

    package var isBinary: Bool {
        switch self {
        case .binary, .binaryUTF16: true
        default: false
        }
    }

    package var name: String {
        switch self {
        case .binary, .binaryUTF16: "BINARY"
        case .nocase: "NOCASE"
        case .rtrim: "RTRIM"
        case .locale(let locale): locale.name
        case .custom(let name), .missing(let name): name
        }
    }
}
