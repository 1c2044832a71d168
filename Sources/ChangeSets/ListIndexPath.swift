/// The place of a row in a sectioned list: section and row within it, both zero-based.
///
/// Paths are ordered by section, then by row. A path has eight bytes, so that records of thousands
/// of rows stay small; numbers beyond the 32-bit range are clamped to it.
public struct ListIndexPath: Hashable, Comparable, Sendable, CustomStringConvertible {
    private let section32: Int32
    private let row32: Int32

    /// A path of a section and a row within it. The place need not exist in any list.
    public init(section: Int, row: Int) {
        section32 = Int32(clamping: section)
        row32 = Int32(clamping: row)
    }

    /// The section, zero-based.
    public var section: Int { Int(section32) }

    /// The row within its section, zero-based.
    public var row: Int { Int(row32) }

    /// Whether the first path precedes the second one in a list.
    public static func < (a: ListIndexPath, b: ListIndexPath) -> Bool {
        a.section32 == b.section32 ? a.row32 < b.row32 : a.section32 < b.section32
    }

    /// Section and row, in parentheses, for a log.
    public var description: String { "(\(section), \(row))" }
}

extension ListIndexPath {
    /// Represents "no path" where an optional would need another word per record.
    package static let absent = ListIndexPath(section: -1, row: -1)

    package var isAbsent: Bool { section32 < 0 }

    package var ifPresent: ListIndexPath? { isAbsent ? nil : self }

    /// The section in the high half of one number, and the row in the low half. For present paths,
    /// the keys have the order of the paths.
    package var orderKey: UInt64 {
        UInt64(UInt32(bitPattern: section32)) << 32 | UInt64(UInt32(bitPattern: row32))
    }
}
