/// The leaves of ids in a hash table: open addressing with linear probing, four bytes per slot.
/// Only the leaf contains the id itself; a tag of its hash excludes most wrong leaves without a
/// read.
///
/// Two rows with the same tag and leaf are not distinguished. That is unnecessary: their slots are
/// interchangeable wherever both are on both probe paths. The first one on a row's path always is,
/// because every slot up to the row's own is taken.
struct HashedIdentities: ~Copyable {
    /// The number of a leaf, and in the lowest bits the tag; less than `leastTag` without a row.
    private typealias Slot = UInt32
    private static let empty: Slot = 0
    private static let removed: Slot = 1
    private static let leastTag: Slot = 2

    private var slots: Block<Slot>
    /// How many bits are the tag. The more leaves there are, the fewer.
    private let tagBits: UInt32
    /// Slots that contain a row.
    private(set) var count = 0
    /// Slots that contain a row or a mark of removal.
    private var taken = 0
    /// Prevents the compiler from removing the reads of `warm`.
    private var warmed: Slot = 0

    private init(capacity: Int, leaves: UInt32) {
        slots = Block(repeating: Self.empty, count: capacity)
        tagBits = Self.tagBits(leaves: leaves)
    }

    /// Without memory.
    init() { self.init(capacity: 0, leaves: 0) }

    /// With memory for `count` rows in so many leaves, and for more.
    init(count: Int, leaves: UInt32) { self.init(capacity: max(16, (count + 1) * 4 / 3), leaves: leaves) }

    /// With memory for `count` rows in so many leaves, and for few more.
    init(exactCount count: Int, leaves: UInt32) { self.init(capacity: max(16, count * 5 / 4 + 1), leaves: leaves) }

    var bytesHeld: Int { slots.bytesHeld }

    /// Whether an empty slot is found soon for one more row, and whether slots can hold the numbers
    /// of so many leaves and of the leaves of a split.
    func hasRoom(leaves: UInt32) -> Bool {
        (taken + 1) * 8 <= slots.capacity * 7 && Self.tagBits(leaves: leaves / 2) >= tagBits
    }

    @inline(__always)
    func find(_ id: Int64, in table: borrowing LeafTable) -> (leaf: UInt32, index: Int)? {
        if slots.capacity == 0 { return nil }
        var (place, tag) = home(of: id)
        while slots[place] != Self.empty {
            if has(tag, slots[place]) {
                let leaf = leaf(of: slots[place])
                if let index = table.index(of: id, in: leaf, count: table.count(leaf)) {
                    return (leaf, index)
                }
            }
            place = next(place)
        }
        return nil
    }

    /// The leaf of the first slot on a row's path that can be the row's; the leaf is not read.
    func presumedLeaf(of id: Int64) -> UInt32? {
        if slots.capacity == 0 { return nil }
        var (place, tag) = home(of: id)
        while slots[place] != Self.empty {
            if has(tag, slots[place]) { return leaf(of: slots[place]) }
            place = next(place)
        }
        return nil
    }

    /// Inserts a row that is not contained yet; there is room.
    mutating func insert(_ id: Int64, leaf: UInt32) {
        var (place, tag) = home(of: id)
        while slots[place] >= Self.leastTag { place = next(place) }
        if slots[place] == Self.empty { taken += 1 }
        slots[place] = slot(tag, leaf)
        count += 1
    }

    mutating func remove(_ id: Int64, leaf: UInt32) {
        guard var place = place(of: id, leaf: leaf) else { return }
        count -= 1
        guard slots[next(place)] == Self.empty else {
            slots[place] = Self.removed
            return
        }
        // No probe path continues from here, so this mark and those just before it can be removed.
        repeat {
            slots[place] = Self.empty
            taken -= 1
            place = place == 0 ? slots.capacity - 1 : place - 1
        } while slots[place] == Self.removed
    }

    @inline(__always)
    mutating func relocate(_ id: Int64, from old: UInt32, to new: UInt32) {
        guard let place = place(of: id, leaf: old) else {
            return assertionFailure("row without identity entry")
        }
        slots[place] = slot(home(of: id).tag, new)
    }

    @inline(__always)
    mutating func warm(_ ids: UnsafeMutablePointer<Int64>, count: Int) {
        if slots.capacity == 0 { return }
        var sum: Slot = 0
        for index in 0..<count { sum &+= unsafe slots[firstPlace(Self.hash(ids[index]))] }
        warmed = sum
    }

    // MARK: Filling

    /// How many slots there are.
    var capacity: Int { slots.capacity }

    /// Sets the slot of a row, which is empty, when the table is filled.
    @inline(__always)
    mutating func fill(_ place: Int, _ hash: UInt32, leaf: UInt32) { slots[place] = slot(tag(hash), leaf) }

    /// Inserts a row whose probe path continues at the first slot.
    mutating func fillWrapped(_ hash: UInt32, leaf: UInt32) {
        var place = 0
        while slots[place] != Self.empty { place += 1 }
        slots[place] = slot(tag(hash), leaf)
    }

    /// Notes that the table was filled with so many rows.
    mutating func didFill(_ rows: Int) {
        count = rows
        taken = rows
    }

    // MARK: Slots

    /// The most bits that leave room for the numbers of twice as many leaves, and more. At least
    /// two, which tags need, and which are enough for as many leaves as fit into memory.
    static func tagBits(leaves: UInt32) -> UInt32 {
        let numbers = UInt64(leaves) * 2 + 1 << 16
        let numberBits = UInt32(UInt64.bitWidth - numbers.leadingZeroBitCount)
        return min(8, max(2, 32 - min(numberBits, 30)))
    }

    @inline(__always)
    private func slot(_ tag: Slot, _ leaf: UInt32) -> Slot {
        precondition(leaf >> (32 - tagBits) == 0, "too many leaves")
        return leaf << tagBits | tag
    }

    @inline(__always)
    private func leaf(of slot: Slot) -> UInt32 { slot >> tagBits }

    @inline(__always)
    private func has(_ tag: Slot, _ slot: Slot) -> Bool { slot & (1 << tagBits - 1) == tag }

    @inline(__always)
    private func place(of id: Int64, leaf: UInt32) -> Int? {
        if slots.capacity == 0 { return nil }
        var (place, tag) = home(of: id)
        let wanted = slot(tag, leaf)
        while slots[place] != Self.empty {
            if slots[place] == wanted { return place }
            place = next(place)
        }
        return nil
    }

    @inline(__always)
    private func next(_ place: Int) -> Int {
        let following = place + 1
        return following == slots.capacity ? 0 : following
    }

    @inline(__always)
    private func home(of id: Int64) -> (place: Int, tag: Slot) {
        let hash = Self.hash(id)
        return (firstPlace(hash), tag(hash))
    }

    /// The first place of the probe path, in the order of the hashes.
    @inline(__always)
    func firstPlace(_ hash: UInt32) -> Int {
        Int(truncatingIfNeeded: (UInt64(hash) &* UInt64(truncatingIfNeeded: slots.capacity)) >> 32)
    }

    /// The lowest bits of the hash, which hardly depend on the place.
    @inline(__always)
    private func tag(_ hash: UInt32) -> Slot { max(Self.leastTag, hash & (1 << tagBits - 1)) }

    @inline(__always)
    static func hash(_ id: Int64) -> UInt32 {
        let hash = UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15
        return UInt32(truncatingIfNeeded: ((hash ^ (hash >> 32)) &* 0xD6E8_FEB8_6659_FD93) >> 32)
    }
}
