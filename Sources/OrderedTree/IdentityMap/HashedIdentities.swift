/// The leaves of ids in a hash table: open addressing with linear probing, five bytes per slot.
/// Only the leaf contains the id itself; a tag of its hash excludes most wrong leaves without a
/// read.
///
/// Two rows with the same tag and leaf are not distinguished. That is unnecessary: their slots are
/// interchangeable wherever both are on both probe paths. The first one on a row's path always is,
/// because every slot up to the row's own is taken.
struct HashedIdentities: ~Copyable {
    private enum Tag {
        static let empty: UInt8 = 0
        static let removed: UInt8 = 1
        static let firstUsed: UInt8 = 2
    }

    private var tags: Block<UInt8>
    private var leaves: Block<UInt32>
    /// Slots that contain a row.
    private(set) var count = 0
    /// Slots that contain a row or a mark of removal.
    private var taken = 0
    /// Prevents the compiler from removing the reads of `warm`.
    private var warmed: UInt32 = 0

    private init(capacity: Int) {
        tags = Block(repeating: Tag.empty, count: capacity)
        leaves = Block(repeating: 0, count: capacity)
    }

    /// Without memory.
    init() { self.init(capacity: 0) }

    /// With memory for `count` rows and for more.
    init(count: Int) { self.init(capacity: max(16, (count + 1) * 4 / 3)) }

    /// With memory for `count` rows and few others.
    init(exactCount count: Int) { self.init(capacity: max(16, count * 5 / 4 + 1)) }

    var bytesHeld: Int { tags.bytesHeld + leaves.bytesHeld }

    /// Whether an empty slot is found soon for one more row.
    var hasRoom: Bool { (taken + 1) * 8 <= tags.capacity * 7 }

    @inline(__always)
    func find(_ id: Int64, in table: borrowing LeafTable) -> (leaf: UInt32, index: Int)? {
        if tags.capacity == 0 { return nil }
        var (slot, tag) = home(of: id)
        while tags[slot] != Tag.empty {
            if tags[slot] == tag {
                let leaf = leaves[slot]
                if let index = table.index(of: id, in: leaf, count: table.count(leaf)) {
                    return (leaf, index)
                }
            }
            slot = next(slot)
        }
        return nil
    }

    /// Inserts a row that is not contained yet; there is room.
    mutating func insert(_ id: Int64, leaf: UInt32) {
        var (slot, tag) = home(of: id)
        while tags[slot] >= Tag.firstUsed { slot = next(slot) }
        if tags[slot] == Tag.empty { taken += 1 }
        tags[slot] = tag
        leaves[slot] = leaf
        count += 1
    }

    mutating func remove(_ id: Int64, leaf: UInt32) {
        guard var slot = slot(of: id, leaf: leaf) else { return }
        count -= 1
        guard tags[next(slot)] == Tag.empty else {
            tags[slot] = Tag.removed
            return
        }
        // No probe path continues from here, so this mark and those just before it can be removed.
        repeat {
            tags[slot] = Tag.empty
            taken -= 1
            slot = slot == 0 ? tags.capacity - 1 : slot - 1
        } while tags[slot] == Tag.removed
    }

    @inline(__always)
    mutating func relocate(_ id: Int64, from old: UInt32, to new: UInt32) {
        guard let slot = slot(of: id, leaf: old) else {
            return assertionFailure("row without identity entry")
        }
        leaves[slot] = new
    }

    @inline(__always)
    mutating func warm(_ ids: UnsafeMutablePointer<Int64>, count: Int) {
        if tags.capacity == 0 { return }
        var sum: UInt32 = 0
        for index in 0..<count {
            let slot = unsafe firstSlot(Self.hash(ids[index]))
            sum &+= UInt32(tags[slot]) &+ leaves[slot]
        }
        warmed = sum
    }

    /// Inserts the rows of all leaves; there is room. Returns the first id that occurs twice.
    mutating func build(from table: borrowing LeafTable) -> Int64? {
        for leaf in 0..<table.used where table.isLive(leaf) {
            let ids = unsafe table.ids(leaf)
            let rows = table.count(leaf)
            unsafe warm(ids, count: rows)
            for index in 0..<rows {
                let id = unsafe ids[index]
                var (slot, tag) = home(of: id)
                while tags[slot] != Tag.empty {
                    if tags[slot] == tag {
                        let other = leaves[slot]
                        let count = other == leaf ? index : table.count(other)
                        if table.index(of: id, in: other, count: count) != nil { return id }
                    }
                    slot = next(slot)
                }
                tags[slot] = tag
                leaves[slot] = leaf
            }
            count += rows
        }
        taken = count
        return nil
    }

    @inline(__always)
    private func slot(of id: Int64, leaf: UInt32) -> Int? {
        if tags.capacity == 0 { return nil }
        var (slot, tag) = home(of: id)
        while tags[slot] != Tag.empty {
            if tags[slot] == tag, leaves[slot] == leaf { return slot }
            slot = next(slot)
        }
        return nil
    }

    @inline(__always)
    private func next(_ slot: Int) -> Int {
        let following = slot + 1
        return following == tags.capacity ? 0 : following
    }

    /// The first slot of the probe path, from the high bits of the hash, and the tag, from the low
    /// bits.
    @inline(__always)
    private func home(of id: Int64) -> (Int, UInt8) {
        let hash = Self.hash(id)
        return (firstSlot(hash), max(Tag.firstUsed, UInt8(truncatingIfNeeded: hash)))
    }

    @inline(__always)
    private func firstSlot(_ hash: UInt64) -> Int {
        Int(hash.multipliedFullWidth(by: UInt64(tags.capacity)).high)
    }

    @inline(__always)
    private static func hash(_ id: Int64) -> UInt64 {
        var hash = UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15
        hash = (hash ^ (hash >> 32)) &* 0xD6E8_FEB8_6659_FD93
        return hash ^ (hash >> 32)
    }
}
