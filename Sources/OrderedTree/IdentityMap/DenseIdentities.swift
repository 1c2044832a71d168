/// The leaves of ids that are close together, in an array by id: four bytes per id.
struct DenseIdentities: ~Copyable {
    /// One more than the leaf of each id from `firstID` on; 0 for an id without a leaf.
    private var leaves: Block<UInt32>
    private var firstID: Int64
    /// How many ids have a leaf.
    private(set) var count = 0
    /// Prevents the compiler from removing the reads of `warm`.
    private var warmed: UInt32 = 0

    /// Without memory, which means that ids are hashed.
    init() {
        leaves = Block(capacity: 0)
        firstID = 0
    }

    /// With memory for the ids of a range.
    init(_ ids: ClosedRange<Int64>) {
        leaves = Block(repeating: 0, count: Int(ids.upperBound - ids.lowerBound) + 1)
        firstID = ids.lowerBound
    }

    /// With memory for the ids for which the other ones have memory.
    init(like other: borrowing DenseIdentities) {
        leaves = Block(repeating: 0, count: other.leaves.capacity)
        firstID = other.firstID
    }

    @inline(__always)
    var isInUse: Bool { leaves.capacity > 0 }

    /// Whether the ids are many enough for the memory.
    var isDense: Bool { Self.isDense(span: leaves.capacity, count: count) }

    var bytesHeld: Int { leaves.bytesHeld }

    @inline(__always)
    private func place(of id: Int64) -> Int? {
        let place = UInt64(bitPattern: id &- firstID)
        return place < UInt64(leaves.capacity) ? Int(place) : nil
    }

    @inline(__always)
    func leaf(of id: Int64) -> UInt32? {
        guard let place = place(of: id), leaves[place] != 0 else { return nil }
        return leaves[place] - 1
    }

    /// Inserts an id for which there is memory.
    mutating func insert(_ id: Int64, leaf: UInt32) {
        guard let place = place(of: id) else { return assertionFailure("no room for an id") }
        leaves[place] = leaf + 1
        count += 1
    }

    mutating func remove(_ id: Int64) {
        guard let place = place(of: id), leaves[place] != 0 else { return }
        leaves[place] = 0
        count -= 1
    }

    @inline(__always)
    mutating func relocate(_ id: Int64, to leaf: UInt32) {
        guard let place = place(of: id) else { return assertionFailure("row without identity entry") }
        leaves[place] = leaf + 1
    }

    @inline(__always)
    mutating func warm(_ ids: UnsafeMutablePointer<Int64>, count: Int) {
        var sum: UInt32 = 0
        for index in 0..<count {
            if let place = unsafe place(of: ids[index]) { sum &+= leaves[place] }
        }
        warmed = sum
    }

    /// Makes room for an id; false if the ids would then be too far apart.
    mutating func reserve(_ id: Int64) -> Bool {
        if place(of: id) != nil { return true }
        let last = firstID + Int64(leaves.capacity - 1)
        var first = min(id, firstID)
        var end = max(id, last)
        guard let span = Self.span(first, end), Self.isDense(span: span, count: count + 1) else {
            return false
        }
        // A little more on the side where ids are added, within the range of Int64.
        let extra = Int64(span / 16 + 16)
        if id < firstID {
            first = first < .min + extra ? .min : first - extra
        } else {
            end = end > .max - extra ? .max : end + extra
        }
        let larger = Block<UInt32>(repeating: 0, count: Int(end - first) + 1)
        unsafe (larger.start + Int(firstID - first)).update(from: leaves.start, count: leaves.capacity)
        leaves = larger
        firstID = first
        return true
    }

    /// Inserts the rows of all leaves, for all of which there is memory. Returns the first id that
    /// occurs twice.
    ///
    /// - Parameter ascending: Whether the ids of each leaf ascend.
    mutating func build(from table: borrowing LeafTable, ascending: Bool) -> Int64? {
        for leaf in 0..<table.used where table.isLive(leaf) {
            let rows = table.count(leaf)
            let ids = unsafe UnsafePointer(table.ids(leaf))
            let twice = unsafe ascending ? insert(ascending: ids, rows, leaf) : insert(ids, rows, leaf)
            if let twice { return twice }
            count += rows
        }
        return nil
    }

    /// Inserts the rows of a leaf; false if there is no memory for one of them, or if it is
    /// contained already. Some may have been inserted then.
    mutating func insert(_ ids: UnsafePointer<Int64>, count rows: Int, leaf: UInt32) -> Bool {
        for index in 0..<rows {
            guard let place = unsafe place(of: ids[index]), leaves[place] == 0 else { return false }
            leaves[place] = leaf + 1
        }
        count += rows
        return true
    }

    private func insert(_ ids: UnsafePointer<Int64>, _ rows: Int, _ leaf: UInt32) -> Int64? {
        // Read once: for the compiler, a write to the block could be one to this structure.
        let (slots, firstID) = unsafe (leaves.start, firstID)
        for index in 0..<rows {
            let id = unsafe ids[index]
            let slot = unsafe slots + Int(id &- firstID)
            if unsafe slot.pointee != 0 { return id }
            unsafe slot.pointee = leaf &+ 1
        }
        return nil
    }

    /// Ids that follow one another without a gap are not read one by one.
    private func insert(ascending ids: UnsafePointer<Int64>, _ rows: Int, _ leaf: UInt32) -> Int64? {
        guard let last = unsafe rows == 0 ? nil : ids[rows - 1], unsafe last &- ids[0] == rows - 1 else {
            return unsafe insert(ids, rows, leaf)
        }
        let slots = unsafe UnsafeMutableBufferPointer(start: leaves.start + Int(ids[0] &- firstID), count: rows)
        if unsafe slots.reduce(0, |) != 0 { return unsafe insert(ids, rows, leaf) }
        unsafe slots.update(repeating: leaf &+ 1)
        return nil
    }

    /// Whether `count` ids of a range are close enough together for an array.
    static func areDense(_ ids: ClosedRange<Int64>, count: Int) -> Bool {
        span(ids.lowerBound, ids.upperBound).map { isDense(span: $0, count: count) } ?? false
    }

    private static func isDense(span: Int, count: Int) -> Bool { span <= count + count / 2 + 64 }

    private static func span(_ least: Int64, _ greatest: Int64) -> Int? {
        let (difference, overflow) = greatest.subtractingReportingOverflow(least)
        return overflow || difference > 1 << 40 ? nil : Int(difference) + 1
    }
}
