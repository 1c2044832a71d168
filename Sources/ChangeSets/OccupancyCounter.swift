/// Which of a fixed number of slots are occupied, and how many of those are before a given one.
/// Every operation is O(log n).
///
/// One bit per slot in words of 64, and a Fenwick tree over the words' counts: a few steps for
/// thousands of slots.
struct OccupancyCounter {
    private var words: [UInt64]
    private var tree: [Int32]

    /// All slots are empty.
    init(slotCount: Int) {
        let count = slotCount / 64 + 1
        words = [UInt64](repeating: 0, count: count)
        tree = [Int32](repeating: 0, count: count + 1)
    }

    mutating func occupy(_ slot: Int) {
        words[slot >> 6] |= 1 << UInt64(slot & 63)
        add(1, at: slot >> 6)
    }

    mutating func vacate(_ slot: Int) {
        words[slot >> 6] &= ~(1 << UInt64(slot & 63))
        add(-1, at: slot >> 6)
    }

    /// The number of occupied slots before `slot`.
    func count(before slot: Int) -> Int {
        let mask: UInt64 = 1 << UInt64(slot & 63) - 1
        var sum = Int32(truncatingIfNeeded: (words[slot >> 6] & mask).nonzeroBitCount)
        var node = slot >> 6
        while node > 0 {
            sum &+= tree[node]
            node &= node - 1
        }
        return Int(sum)
    }

    private mutating func add(_ amount: Int32, at word: Int) {
        var node = word + 1
        while node < tree.count {
            tree[node] &+= amount
            node += node & -node
        }
    }
}
