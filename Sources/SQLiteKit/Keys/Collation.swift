/// An order of texts.
package enum Collation: Equatable, Sendable {
    case binary
    case nocase
    case rtrim
    /// The C library's order for a locale.
    case locale(Locale)
    /// One that the program registered; only SQLite can compare by it.
    case custom(String)

    /// SQLite's own three; nil for others. Names are compared without case.
    package init?(builtIn name: String) {
        switch name.uppercased() {
        case "BINARY": self = .binary
        case "NOCASE": self = .nocase
        case "RTRIM": self = .rtrim
        default: return nil
        }
    }

    /// Whether bytes can tell the order.
    package var isBytewise: Bool { if case .custom = self { false } else { true } }

    package var name: String {
        switch self {
        case .binary: "BINARY"
        case .nocase: "NOCASE"
        case .rtrim: "RTRIM"
        case .locale(let locale): locale.name
        case .custom(let name): name
        }
    }
}
