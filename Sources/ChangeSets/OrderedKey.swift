/// A sort key and the number of the item that it belongs to.
struct OrderedKey {
    var key: UInt64
    var item: Int32

    /// The group: the section's index, or 0.
    var group: UInt64 { key >> 32 }

    /// The position within the group.
    var position: Int32 { Self.position(key) }

    static func position(_ key: UInt64) -> Int32 { Int32(truncatingIfNeeded: key) }
}

extension [OrderedKey] {
    /// Sorts by key; equal keys stay in their order. Linear if the keys are sorted already or in
    /// reverse, as they are after a scan of the list. Otherwise a radix sort over the bits in which
    /// the keys differ, because a comparison sort would be the largest part of building a change
    /// set.
    mutating func sortByKey() {
        var isAscending = true
        var isDescending = true
        var differing: UInt64 = 0
        for place in indices.dropFirst() {
            let previous = self[place - 1].key
            let key = self[place].key
            if key < previous { isAscending = false }
            if key >= previous { isDescending = false }
            differing |= key ^ previous
        }
        if isAscending { return }
        if isDescending {
            reverse()
        } else if count <= 48 {
            sortByInsertion()
        } else {
            sortByRadix(differing)
        }
    }

    private mutating func sortByInsertion() {
        for place in indices.dropFirst() {
            let element = self[place]
            var hole = place
            while hole > 0, self[hole - 1].key > element.key {
                self[hole] = self[hole - 1]
                hole -= 1
            }
            self[hole] = element
        }
    }

    /// Least significant digit first, eight bits at a time. Bits in which all keys agree need no
    /// pass.
    private mutating func sortByRadix(_ differing: UInt64) {
        var spare = self
        var starts = [Int](repeating: 0, count: 256)
        for shift in stride(from: UInt64(0), to: 64, by: 8) where differing >> shift & 0xff != 0 {
            for digit in starts.indices { starts[digit] = 0 }
            for element in self { starts[Int(element.key >> shift & 0xff)] += 1 }
            var sum = 0
            for digit in starts.indices {
                let size = starts[digit]
                starts[digit] = sum
                sum += size
            }
            for element in self {
                let digit = Int(element.key >> shift & 0xff)
                spare[starts[digit]] = element
                starts[digit] += 1
            }
            swap(&self, &spare)
        }
    }
}
