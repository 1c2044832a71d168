internal import ListEngine
internal import SQLiteKit

/// The watches of predicates that require a range of a column, sorted by the lower bounds, with the
/// greatest upper bound of each part: a search visits O(log n) ranges, and the ones that contain
/// the value.
struct IntervalIndex {
    private struct Item {
        let range: KeyRange
        let serial: Int
        /// nil if it was removed.
        var watches: Watches?

        /// Whether it precedes another one: by the lower bound, then by number.
        func precedes(_ other: Item) -> Bool {
            let (key, otherKey) = (range.lower?.key ?? [], other.range.lower?.key ?? [])
            return key == otherKey ? serial < other.serial : key.lexicographicallyPrecedes(otherKey)
        }
    }

    let column: ConditionColumn
    private var sorted: [Item] = []
    /// For each part of a bisection, at the place of its middle: the item whose upper bound is the
    /// greatest.
    private var farthest: [Int32] = []
    /// Intervals that were added since the other intervals were sorted, in the order of their
    /// numbers.
    private var added: [Item] = []
    private var removedCount = 0

    init(column: ConditionColumn) { self.column = column }

    /// With more that were added, sorting all of them costs less than looking at each.
    private var greatestAddedCount: Int { 16 + Int(Double(sorted.count).squareRoot()) }

    mutating func add(_ watches: Watches, _ range: KeyRange) {
        added.append(Item(range: range, serial: watches.serial, watches: watches))
    }

    mutating func remove(_ watches: Watches, _ range: KeyRange) {
        sortAdded()
        if let index = added.firstIndex(where: { $0.serial == watches.serial }) {
            added.remove(at: index)
            return
        }
        let wanted = Item(range: range, serial: watches.serial)
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle].precedes(wanted) { low = middle + 1 } else { high = middle }
        }
        guard low < sorted.count, sorted[low].serial == watches.serial else { return }
        sorted[low].watches = nil
        removedCount += 1
        if removedCount * 2 > sorted.count { sort([]) }
    }

    /// Calls `body` with the watches whose range contains the row's value.
    mutating func forEach(containing row: RowValues, _ body: (Watches) -> Void) {
        sortAdded()
        let key = column.key(row)
        for item in added where item.range.contains(key) { item.watches.map(body) }
        forEach(containing: key, in: 0..<sorted.count, body)
    }

    /// As deep as the number of items has bits: each part is half of the one before.
    private func forEach(containing key: [UInt8], in part: Range<Int>, _ body: (Watches) -> Void) {
        guard !part.isEmpty else { return }
        let middle = (part.lowerBound + part.upperBound) / 2
        guard sorted[Int(farthest[middle])].range.reaches(up: key) else { return }
        forEach(containing: key, in: part.lowerBound..<middle, body)
        guard !sorted[middle].range.begins(after: key) else { return }
        if sorted[middle].range.contains(key) { sorted[middle].watches.map(body) }
        forEach(containing: key, in: (middle + 1)..<part.upperBound, body)
    }

    private mutating func sortAdded() {
        guard added.count > greatestAddedCount else { return }
        sort(added)
        added = []
    }

    /// Sorts all that were not removed, and new ones.
    private mutating func sort(_ others: [Item]) {
        sorted = (sorted.filter { $0.watches != nil } + others).sorted { $0.precedes($1) }
        removedCount = 0
        farthest = Array(repeating: 0, count: sorted.count)
        _ = setFarthest(of: 0..<sorted.count)
    }

    /// As deep as `forEach`.
    private mutating func setFarthest(of part: Range<Int>) -> Int? {
        guard !part.isEmpty else { return nil }
        let middle = (part.lowerBound + part.upperBound) / 2
        var best = middle
        let parts = [setFarthest(of: part.lowerBound..<middle), setFarthest(of: (middle + 1)..<part.upperBound)]
        for other in parts.compactMap(\.self) where sorted[other].range.reachesFarther(than: sorted[best].range) {
            best = other
        }
        farthest[middle] = Int32(best)
        return best
    }
}
