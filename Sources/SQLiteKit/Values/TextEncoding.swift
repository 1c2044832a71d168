/// How a database stores its texts.
package enum TextEncoding: Equatable, Sendable {
    case utf8
    case utf16(isBigEndian: Bool)

    /// The name is the one of PRAGMA encoding.
    init(pragma name: String) {
        switch name {
        case "UTF-16le": self = .utf16(isBigEndian: false)
        case "UTF-16be": self = .utf16(isBigEndian: true)
        default: self = .utf8
        }
    }

    /// Its name for PRAGMA encoding.
    package var pragmaName: String {
        switch self {
        case .utf8: "UTF-8"
        case .utf16(isBigEndian: false): "UTF-16le"
        case .utf16(isBigEndian: true): "UTF-16be"
        }
    }
}

/// A UTF-16 text in UTF-8, converted as SQLite does it. SQLite treats whatever follows a surrogate
/// as its other half, and omits an odd last byte.
func utf8(ofUTF16 text: ArraySlice<UInt8>, isBigEndian: Bool) -> [UInt8] {
    let bytes = text.prefix(text.count & ~1)
    var position = bytes.startIndex
    func nextUnit() -> UInt32 {
        let (first, second) = (UInt32(bytes[position]), UInt32(bytes[position + 1]))
        position += 2
        return isBigEndian ? first << 8 | second : second << 8 | first
    }
    var utf8: [UInt8] = []
    utf8.reserveCapacity(bytes.count)
    while position < bytes.endIndex {
        var scalar = nextUnit()
        if 0xd800..<0xe000 ~= scalar, position < bytes.endIndex {
            scalar = ((scalar & 0x3ff) + 0x40) << 10 | nextUnit() & 0x3ff
        }
        append(scalar, to: &utf8)
    }
    return utf8
}

/// Appends a code point that may be a surrogate, which the standard library does not accept as a
/// scalar.
private func append(_ scalar: UInt32, to text: inout [UInt8]) {
    func tail(_ shift: UInt32) -> UInt8 { UInt8(0x80 | scalar >> shift & 0x3f) }
    switch scalar {
    case ..<0x80: text.append(UInt8(scalar))
    case ..<0x800: text += [UInt8(0xc0 | scalar >> 6), tail(0)]
    case ..<0x10000: text += [UInt8(0xe0 | scalar >> 12), tail(6), tail(0)]
    default: text += [UInt8(0xf0 | scalar >> 18 & 0x7), tail(12), tail(6), tail(0)]
    }
}
