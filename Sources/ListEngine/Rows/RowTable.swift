/// Values by row id, in the order in which they were added as long as none is removed. A few are
/// found by a linear search, without hashing: most transactions touch a row or two. Many are found
/// through a table of their numbers, by a hash that is faster than the standard library's: ids are
/// not chosen by untrusted sources.
struct RowTable<Value>: Sequence {
    typealias Element = (id: Int64, value: Value)

    // Two arrays, because Swift destroys one of pairs far more slowly.
    private(set) var ids: [Int64] = []
    private(set) var values: [Value] = []
    /// A row's slot is the first free one from its hash on; the number of slots is a power of two,
    /// a quarter of them free; 0 as long as the rows are few.
    private var slots: [Slot] = []

    private static var unindexedLimit: Int { 8 }

    var count: Int { ids.count }

    func makeIterator() -> some IteratorProtocol<Element> {
        zip(ids, values).lazy.map { ($0, $1) }.makeIterator()
    }

    func index(of id: Int64) -> Int? {
        if slots.isEmpty { return ids.firstIndex(of: id) }
        let slot = slots[place(of: id)]
        return slot.isFree ? nil : slot.index
    }

    subscript(id: Int64) -> Value? { index(of: id).map { values[$0] } }

    func id(at index: Int) -> Int64 { ids[index] }

    /// The value at a place that `index(of:)` or `add` returned.
    subscript(at index: Int) -> Value {
        get { values[index] }
        _modify { yield &values[index] }
    }

    /// Adds a value for an id that has none.
    @discardableResult
    mutating func add(_ id: Int64, _ value: consuming Value) -> Int {
        let index = count
        ids.append(id)
        values.append(value)
        if count * 4 > slots.count * 3 {
            if count > Self.unindexedLimit { makeSlots(Swift.max(32, slots.count * 2)) }
        } else {
            slots[place(of: id)] = Slot(index, hash: Self.hash(id))
        }
        return index
    }

    /// Sets the value of an id, whether it has one or not.
    mutating func set(_ id: Int64, _ value: consuming Value) {
        if let index = index(of: id) { values[index] = value } else { add(id, value) }
    }

    /// Removes an id; the one that was added last takes its place.
    @discardableResult
    mutating func remove(_ id: Int64) -> Value? {
        guard let index = index(of: id) else { return nil }
        if !slots.isEmpty {
            let hole = place(of: id)
            slots[place(of: ids[count - 1])].index = index
            free(hole)
        }
        ids.swapAt(index, count - 1)
        values.swapAt(index, count - 1)
        ids.removeLast()
        return values.removeLast()
    }

    /// Removes all ids, but retains the memory for as many again.
    mutating func removeAll() {
        ids.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        for place in slots.indices { slots[place] = Slot() }
    }

    // MARK: Slots

    /// A row's number, and its hash, so that few other rows are compared.
    private struct Slot {
        let hash: UInt32
        private var number: UInt32

        init() {
            hash = 0
            number = 0
        }

        init(_ index: Int, hash: UInt32) {
            self.hash = hash
            number = UInt32(truncatingIfNeeded: index + 1)
        }

        var isFree: Bool { number == 0 }

        var index: Int {
            get { Int(number) - 1 }
            set { number = UInt32(truncatingIfNeeded: newValue + 1) }
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
        while !slots[place].isFree, slots[place].hash != hash || ids[slots[place].index] != id {
            place = (place + 1) & mask
        }
        return place
    }

    private mutating func makeSlots(_ slotCount: Int) {
        slots = Array(repeating: Slot(), count: slotCount)
        for index in 0..<count { slots[place(of: ids[index])] = Slot(index, hash: Self.hash(ids[index])) }
    }

    /// Frees a slot, and moves those back that are behind it only because it was in use.
    private mutating func free(_ freed: Int) {
        var hole = freed
        slots[hole] = Slot()
        var place = (hole + 1) & mask
        while !slots[place].isFree {
            let home = Int(slots[place].hash) & mask
            if (place - home) & mask >= (place - hole) & mask {
                slots[hole] = slots[place]
                slots[place] = Slot()
                hole = place
            }
            place = (place + 1) & mask
        }
    }
}
