package import ChangeSets
internal import OrderedTree
internal import SQLiteKit

/// The rows that a window shows: neighbouring rows of a list in their order, and their sections.
package struct WindowRows {
    package private(set) var ids: [Int64] = []
    /// The sections that have rows in the window, each with the number of its first one; also the
    /// section of a flat list that is empty.
    package private(set) var runs: [(section: List.Section, start: Int)] = []
    /// The number of the row on which the window hangs; 0 if the list has no rows.
    package private(set) var anchor = 0

    /// The rows around the one at a place over all sections, as far as the list has them. O(log n)
    /// and the number of these rows.
    init(_ list: List, around index: Int, _ extent: WindowExtent) {
        let first = max(index - extent.before, 0)
        let end = min(index + extent.after + 1, list.count)
        if first < end {
            anchor = index - first
            ids.reserveCapacity(end - first)
        }
        var next = first
        while next < end, let (section, row) = list.rows.place(atFlatIndex: next) {
            let last = min(row + end - next, list.rows.rowCount(in: section))
            runs.append((list.section(section), ids.count))
            list.rows.forEachRow(in: section, row..<last) { ids.append($0) }
            next += last - row
        }
        if list.isFlat, runs.isEmpty { runs = [(.flat, 0)] }
    }

    package var anchorID: Int64? { ids.isEmpty ? nil : ids[anchor] }

    /// The same with other ids.
    func renamed(_ ids: [Int64]) -> WindowRows {
        var copy = self
        copy.ids = ids
        return copy
    }

    // MARK: Paths

    /// The numbers of the rows of a section.
    package func rows(ofSection section: Int) -> Range<Int> {
        runs[section].start..<(section + 1 < runs.count ? runs[section + 1].start : ids.count)
    }

    /// The index path of the row with a number. O(log s) for s sections.
    package func path(of index: Int) -> ListIndexPath {
        let section = partitionPoint(of: runs.count) { runs[$0].start <= index } - 1
        return ListIndexPath(section: section, row: index - runs[section].start)
    }
}

/// How many rows a window shows before the one on which it hangs, and after it.
package struct WindowExtent {
    private let counts: (before: Int32, after: Int32)
    package var before: Int { Int(counts.before) }
    package var after: Int { Int(counts.after) }

    package init(before: Int, after: Int) {
        counts = (Int32(clamping: max(before, 0)), Int32(clamping: max(after, 0)))
    }

    /// The places of a window around one.
    func places(around place: Int) -> Range<Int> { place - before..<place + after + 1 }
}
