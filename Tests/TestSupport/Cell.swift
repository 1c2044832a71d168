package import FetchedResults
package import SQLiteKit

/// A value by its bits. Unlike `Value`, which contains a Swift string, it distinguishes texts that
/// Unicode defines as equivalent.
package enum Cell: Hashable {
    case null
    case integer(Int64)
    case real(UInt64)
    case text([UInt8])
    case blob([UInt8])

    package init(_ record: RowValues, _ index: Int) {
        switch record.storageClass(index) {
        case .null: self = .null
        case .integer: self = .integer(record.integer(index))
        case .real: self = .real(record.real(index).bitPattern)
        case .text: self = .text([UInt8](record.bytes(index)))
        case .blob: self = .blob([UInt8](record.bytes(index)))
        }
    }

    /// A blob's bytes as a text in UTF-8, where SQLite reads them as one in the database's
    /// encoding.
    package var blobText: String? {
        if case .blob(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
    }

    package init(_ value: Value) { self.init(RowValues([value]), 0) }

    package var value: Value {
        switch self {
        case .null: .null
        case .integer(let integer): .integer(integer)
        case .real(let bits): .real(Double(bitPattern: bits))
        case .text(let bytes): .text(String(decoding: bytes, as: UTF8.self))
        case .blob(let bytes): .blob(bytes)
        }
    }
}

extension RowValues {
    package var cells: [Cell] { (0..<count).map { Cell(self, $0) } }
}

extension Cell: CustomStringConvertible {
    package var description: String {
        switch self {
        case .null: "NULL"
        case .integer(let integer): "\(integer)"
        case .real(let bits): "\(Double(bitPattern: bits))"
        case .text(let bytes): "\"" + String(decoding: bytes, as: UTF8.self).debugDescription.dropFirst()
        case .blob(let bytes): "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
        }
    }
}

/// The collations of the tests: SQLite's own, and two that the program registers.
package enum TextOrder: String, CaseIterable {
    case binary = "BINARY"
    case nocase = "NOCASE"
    case rtrim = "RTRIM"
    /// From the last byte to the first.
    case reversed = "REVERSED"
    /// Texts that differ only in the case of ASCII letters are equal; so only SQLite can compare
    /// them.
    case folded = "FOLDED"

    package static let builtIn: [TextOrder] = [.binary, .nocase, .rtrim]

    package var isBuiltIn: Bool { Self.builtIn.contains(self) }

    /// The same for texts that are equal under the collation, different for others.
    package func representative(_ text: [UInt8]) -> [UInt8] {
        switch self {
        case .binary, .reversed: return text
        case .folded: return text.map(Self.folded)
        case .nocase:
            // SQLite stops comparing at a NUL; after it only the lengths count (sqlite3StrNICmp).
            guard let end = text.firstIndex(of: 0) else { return text.map(Self.folded) }
            return text[...end].map(Self.folded) + Array("\(text.count)".utf8)
        case .rtrim: return Array(text.reversed().drop { $0 == 0x20 }.reversed())
        }
    }

    package static func register(in store: Store) throws {
        try store.addCollation(reversed.rawValue) { a, b in
            Self.compare(a.utf8.reversed(), b.utf8.reversed())
        }
        try store.addCollation(folded.rawValue) { a, b in
            Self.compare(a.utf8.map(Self.folded), b.utf8.map(Self.folded))
        }
    }

    private static func folded(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte | 0x20 : byte }

    private static func compare(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Int {
        a.lexicographicallyPrecedes(b) ? -1 : b.lexicographicallyPrecedes(a) ? 1 : 0
    }
}

extension Cell {
    /// The same for values that are equal for SQLite under a collation, different for others.
    package func representative(_ order: TextOrder) -> Cell {
        switch self {
        case .real(let bits): Int64(exactly: Double(bitPattern: bits)).map { .integer($0) } ?? self
        case .text(let bytes): .text(order.representative(bytes))
        default: self
        }
    }
}
