extension [OrderedKey] {
    /// Converts positions into gaps: subtracts from each the number of keys of its group before it,
    /// in `self` and in `passing`. Both are sorted.
    mutating func subtractRanks(passing others: some Sequence<UInt64>) {
        var others = others.makeIterator()
        var other = others.next()
        var group = UInt64.max
        var rank: UInt64 = 0
        for place in indices {
            let key = self[place].key
            if key >> 32 != group {
                group = key >> 32
                rank = 0
            }
            while let passed = other, passed < key {
                if passed >> 32 == group { rank += 1 }
                other = others.next()
            }
            self[place].key = key &- rank
            rank += 1
        }
    }

    /// Replaces each group by its index in another layout. Keys of one group are adjacent, so each
    /// group is looked up once.
    mutating func mapGroups(_ mapped: (Int) -> Int) {
        var group = UInt64.max
        var replacement: UInt64 = 0
        for place in indices {
            if self[place].group != group {
                group = self[place].group
                replacement = UInt64(UInt32(truncatingIfNeeded: mapped(Int(group)))) << 32
            }
            self[place].key = replacement | self[place].key & 0xffff_ffff
        }
    }
}
