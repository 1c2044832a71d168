/// Filling an empty table with the rows of all leaves.
///
/// Rows are put into the order of their hashes, which is the order of their places. So each one's
/// slot is its first place or, if that is taken, the slot after the row before it. No row probes,
/// and slots are written one after another.
extension HashedIdentities {
    /// The hash of an id, and the number of its leaf.
    private typealias Row = UInt64

    /// About how many rows are put into order together: they fit into the processor's first cache.
    private static var partSize: Int { 4096 }

    /// There is room for all rows, which are about `count`. Returns an id that occurs twice.
    mutating func fill(count: Int, from table: borrowing LeafTable) -> Int64? {
        let parts = max(1, count / Self.partSize)
        var ends = Block(repeating: 0, count: parts)
        let rows = Self.divided(table, &ends)
        precondition(rows.capacity < capacity, "no room for all rows")
        var sorter = PlaceSorter()
        var (start, next) = (0, 0)
        for part in 0..<parts {
            let (first, last) = (firstPlace(ofPart: part, of: parts), firstPlace(ofPart: part + 1, of: parts))
            sorter.sort(rows, start..<ends[part], places: first...last) { self.firstPlace(Self.hash($0)) }
            if let twice = fill(sorter, ends[part] - start, &next, table) { return twice }
            start = ends[part]
        }
        didFill(rows.capacity)
        return nil
    }

    private static func hash(_ row: Row) -> UInt32 { UInt32(truncatingIfNeeded: row >> 32) }

    private static func leaf(_ row: Row) -> UInt32 { UInt32(truncatingIfNeeded: row) }

    /// A place that no row of the parts before reaches.
    private func firstPlace(ofPart part: Int, of parts: Int) -> Int {
        part == parts ? capacity - 1 : firstPlace(UInt32(truncatingIfNeeded: UInt64(part) << 32 / UInt64(parts)))
    }

    /// The rows of all leaves, in parts by their hashes.
    ///
    /// - Parameter ends: A zero for each part; is set to where each part ends.
    private static func divided(_ table: borrowing LeafTable, _ ends: inout Block<Int>) -> Block<Row> {
        let parts = ends.capacity
        func part(_ hash: UInt32) -> Int { Int(truncatingIfNeeded: (UInt64(hash) &* UInt64(parts)) >> 32) }
        for leaf in 0..<table.used where table.isLive(leaf) {
            let ids = unsafe table.ids(leaf)
            for index in 0..<table.count(leaf) { ends[part(unsafe hash(ids[index]))] += 1 }
        }
        var sum = 0
        for index in 0..<parts { (ends[index], sum) = (sum, sum + ends[index]) }
        var rows = Block<Row>(capacity: sum)
        for leaf in 0..<table.used where table.isLive(leaf) {
            let ids = unsafe table.ids(leaf)
            for index in 0..<table.count(leaf) {
                let hash = unsafe hash(ids[index])
                let part = part(hash)
                rows[ends[part]] = Row(hash) << 32 | Row(leaf)
                ends[part] += 1
            }
        }
        return rows
    }

    /// Sets the slots of rows in their order, from `next` on.
    private mutating func fill(
        _ rows: borrowing PlaceSorter, _ count: Int, _ next: inout Int, _ table: borrowing LeafTable
    ) -> Int64? {
        var (last, group) = (-1, 0)
        for index in 0..<count {
            let row = rows[index]
            let (hash, leaf) = (Self.hash(row), Self.leaf(row))
            let home = firstPlace(hash)
            if home != last { (last, group) = (home, index) }
            for other in group..<index where Self.hash(rows[other]) == hash {
                if let twice = Self.repeated(hash, leaf, Self.leaf(rows[other]), table) { return twice }
            }
            let place = max(home, next)
            if place < capacity { fill(place, hash, leaf: leaf) } else { fillWrapped(hash, leaf: leaf) }
            next = place + 1
        }
        return nil
    }

    /// The id with a hash that two leaves have, or that one leaf has twice.
    private static func repeated(
        _ hash: UInt32, _ first: UInt32, _ second: UInt32, _ table: borrowing LeafTable
    ) -> Int64? {
        let ids = unsafe table.ids(first)
        for index in 0..<table.count(first) {
            let id = unsafe ids[index]
            let count = first == second ? index : table.count(second)
            if self.hash(id) == hash, table.index(of: id, in: second, count: count) != nil { return id }
        }
        return nil
    }
}

/// Puts rows into the order of their places, by counting how many each place has.
private struct PlaceSorter: ~Copyable {
    private var sorted = Block<UInt64>(capacity: 0)
    private var offsets = Block<UInt32>(capacity: 0)

    subscript(index: Int) -> UInt64 { sorted[index] }

    @inline(__always)
    mutating func sort(
        _ rows: borrowing Block<UInt64>, _ range: Range<Int>, places: ClosedRange<Int>, place: (UInt64) -> Int
    ) {
        let first = places.lowerBound
        if sorted.capacity < range.count { sorted = Block(capacity: range.count * 2) }
        if offsets.capacity < places.count { offsets = Block(capacity: places.count * 2) }
        for index in 0..<places.count { offsets[index] = 0 }
        for index in range { offsets[place(rows[index]) - first] += 1 }
        var sum: UInt32 = 0
        for index in 0..<places.count { (offsets[index], sum) = (sum, sum + offsets[index]) }
        for index in range {
            let row = rows[index]
            let home = place(row) - first
            sorted[Int(offsets[home])] = row
            offsets[home] += 1
        }
    }
}
