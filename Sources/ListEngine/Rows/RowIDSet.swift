/// A set of row ids. Consecutive ids take a bit each; a single one takes a slot of 16 bytes in a
/// hash table of which at least a quarter is free.
package struct RowIDSet {
    /// Groups of 64 consecutive ids: the first of them, divided by 64, and a bit for each that is
    /// in the set. No bit is set in a free slot.
    ///
    /// A group's slot is the first free one from its hash on; the number of slots is a power of
    /// two, or 0.
    private var groups: [(number: Int64, bits: UInt64)] = []
    private var groupCount = 0
    package private(set) var count = 0

    package init() {}

    package var bytesHeld: Int { groups.capacity * MemoryLayout<(Int64, UInt64)>.stride }

    package func contains(_ id: Int64) -> Bool {
        !groups.isEmpty && groups[slot(of: Self.number(id))].bits & Self.bit(id) != 0
    }

    /// Adds an id; false if the set contains it.
    @discardableResult
    package mutating func insert(_ id: Int64) -> Bool {
        if (groupCount + 1) * 4 > groups.count * 3 { grow() }
        let slot = slot(of: Self.number(id))
        guard groups[slot].bits & Self.bit(id) == 0 else { return false }
        if groups[slot].bits == 0 {
            groups[slot].number = Self.number(id)
            groupCount += 1
        }
        groups[slot].bits |= Self.bit(id)
        count += 1
        return true
    }

    /// Removes an id; false if the set does not contain it.
    @discardableResult
    package mutating func remove(_ id: Int64) -> Bool {
        guard contains(id) else { return false }
        let slot = slot(of: Self.number(id))
        groups[slot].bits &= ~Self.bit(id)
        count -= 1
        if groups[slot].bits == 0 {
            groupCount -= 1
            free(slot)
        }
        return true
    }

    private static func number(_ id: Int64) -> Int64 { id >> 6 }
    private static func bit(_ id: Int64) -> UInt64 { 1 << UInt64(id & 63) }

    /// The slot where the search for a group begins: the upper half of a product that depends on
    /// all its bits.
    private func home(_ number: Int64) -> Int {
        Int(truncatingIfNeeded: UInt64(bitPattern: number) &* 0x9e37_79b9_7f4a_7c15 >> 32) & (groups.count - 1)
    }

    /// The slot of a group, or the free one that it would use.
    private func slot(of number: Int64) -> Int {
        var slot = home(number)
        while groups[slot].bits != 0, groups[slot].number != number { slot = (slot + 1) & (groups.count - 1) }
        return slot
    }

    private mutating func grow() {
        let old = groups
        groups = Array(repeating: (0, 0), count: max(4, old.count * 2))
        for group in old where group.bits != 0 { groups[slot(of: group.number)] = group }
    }

    /// Moves those groups back that are behind a slot that became free only because it was in use.
    private mutating func free(_ freed: Int) {
        let mask = groups.count - 1
        var hole = freed
        var slot = (hole + 1) & mask
        while groups[slot].bits != 0 {
            if (slot - home(groups[slot].number)) & mask >= (slot - hole) & mask {
                groups[hole] = groups[slot]
                groups[slot] = (0, 0)
                hole = slot
            }
            slot = (slot + 1) & mask
        }
    }
}
