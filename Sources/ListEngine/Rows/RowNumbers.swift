/// Row ids, numbered in the order in which they were added as long as none is removed. A few are
/// found by a linear search, without hashing: most transactions touch a row or two. Many are found
/// through a table of their numbers, by a hash that is faster than the standard library's: ids are
/// not chosen by untrusted sources.
struct RowNumbers {
    private(set) var ids: [Int64] = []
    /// A row's slot is the first free one from its hash on; the number of slots is a power of two,
    /// a quarter of them free; 0 as long as the rows are few.
    private var slots: [NumberSlot] = []

    private static let unindexedLimit = 8

    var count: Int { ids.count }

    func number(of id: Int64) -> Int? {
        if slots.isEmpty { return ids.firstIndex(of: id) }
        let slot = slots[place(of: id)]
        return slot.isFree ? nil : slot.number
    }

    mutating func reserve(_ more: Int) { ids.reserveCapacity(count + more) }

    /// Adds an id that has no number.
    mutating func add(_ id: Int64) {
        let number = count
        ids.append(id)
        if count * 4 > slots.count * 3 {
            if count > Self.unindexedLimit { makeSlots(Swift.max(32, slots.count * 2)) }
        } else {
            slots[place(of: id)] = NumberSlot(number, hash: Self.hash(id))
        }
    }

    /// Removes an id, and returns its number, which the id with the last number gets.
    mutating func remove(_ id: Int64) -> Int? {
        guard let number = number(of: id) else { return nil }
        if !slots.isEmpty {
            let hole = place(of: id)
            slots[place(of: ids[count - 1])].number = number
            free(hole)
        }
        ids.swapAt(number, count - 1)
        ids.removeLast()
        return number
    }

    /// Removes all ids, but retains the memory for as many again.
    mutating func removeAll() {
        ids.removeAll(keepingCapacity: true)
        for place in slots.indices { slots[place] = NumberSlot() }
    }

    // MARK: Slots

    /// A row's number, and its hash, so that few other rows are compared.
    private struct NumberSlot {
        let hash: UInt32
        /// One more than the number; 0 in a free slot.
        private var next: UInt32

        init() {
            hash = 0
            next = 0
        }

        init(_ number: Int, hash: UInt32) {
            self.hash = hash
            next = UInt32(truncatingIfNeeded: number + 1)
        }

        var isFree: Bool { next == 0 }

        var number: Int {
            get { Int(next) - 1 }
            set { next = UInt32(truncatingIfNeeded: newValue + 1) }
        }
    }

    /// The upper half of the product, which depends on all bits of the id.
    private static func hash(_ id: Int64) -> UInt32 {
        UInt32(truncatingIfNeeded: UInt64(bitPattern: id) &* 0x9e37_79b9_7f4a_7c15 >> 32)
    }

    private var mask: Int { slots.count - 1 }

    /// The place of a row's slot, or of the free one that it would use.
    private func place(of id: Int64) -> Int {
        let hash = Self.hash(id)
        var place = Int(hash) & mask
        while !slots[place].isFree, slots[place].hash != hash || ids[slots[place].number] != id {
            place = (place + 1) & mask
        }
        return place
    }

    private mutating func makeSlots(_ slotCount: Int) {
        slots = Array(repeating: NumberSlot(), count: slotCount)
        for number in 0..<count { slots[place(of: ids[number])] = NumberSlot(number, hash: Self.hash(ids[number])) }
    }

    /// Frees a slot, and moves those back that are behind it only because it was in use.
    private mutating func free(_ freed: Int) {
        var hole = freed
        slots[hole] = NumberSlot()
        var place = (hole + 1) & mask
        while !slots[place].isFree {
            let home = Int(slots[place].hash) & mask
            if (place - home) & mask >= (place - hole) & mask {
                slots[hole] = slots[place]
                slots[place] = NumberSlot()
                hole = place
            }
            place = (place + 1) & mask
        }
    }
}
