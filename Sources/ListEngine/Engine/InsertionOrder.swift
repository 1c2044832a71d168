internal import OrderedTree
internal import SQLiteKit

/// The order in which an update inserts many touched rows, and then finds their places.
///
/// In the order of their keys, rows that get adjacent places follow one another, so that only the
/// first row is searched. The place of each next row is near one that the processor has just
/// loaded.
///
/// Returns the indexes of the rows in the order of their new sections and keys; rows without these
/// come first. O(n log n), and O(n) if the table is in that order.
func indexesByKey(of touched: RowDictionary<TouchedEntry>) -> [Int] {
    var rows: [SortableRow] = []
    rows.reserveCapacity(touched.count)
    for index in 0..<touched.count { rows.append(SortableRow(touched[at: index].new, index)) }
    rows.sort { $0.precedes($1, in: touched) }
    return rows.map { Int($0.index) }
}

/// The values that determine a touched row's position. Small, as sorting moves it.
private struct SortableRow {
    private let section: Int32
    let index: Int32
    /// The first bytes of the key.
    private let words: (UInt64, UInt64)

    init(_ new: TouchedEntry.Destination?, _ index: Int) {
        section = new?.section.number ?? .min
        words = unsafe new?.key.bytes.firstWords ?? (0, 0)
        self.index = Int32(truncatingIfNeeded: index)
    }

    func precedes(_ other: SortableRow, in touched: RowDictionary<TouchedEntry>) -> Bool {
        if section != other.section { return section < other.section }
        if words.0 != other.words.0 { return words.0 < other.words.0 }
        if words.1 != other.words.1 { return words.1 < other.words.1 }
        guard let key = touched[at: Int(index)].new?.key, let otherKey = touched[at: Int(other.index)].new?.key else {
            return false
        }
        return unsafe key.bytes.precedes(otherKey.bytes)
    }
}

extension TouchedEntry.DestinationSection {
    /// A number that is the same for rows of the same section, and mostly another one for rows of
    /// other sections.
    fileprivate var number: Int32 {
        switch self {
        case .known(let id): id.raw
        case .unknown(let number): Int32(truncatingIfNeeded: number)
        case .mapped(let row): Int32(truncatingIfNeeded: row ?? .min)
        }
    }
}
