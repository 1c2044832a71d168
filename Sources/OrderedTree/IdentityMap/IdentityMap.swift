/// From a row id to the leaf that holds it. Ids that lie close together, as rowids mostly do, index
/// an array of leaves. Others are hashed: open addressing with linear probing, five bytes a slot.
/// The id itself stands in the leaf only; a tag of its hash keeps most wrong leaves from being
/// looked at.
///
/// Two rows with the same tag and leaf are not told apart. They need not be: their slots are
/// interchangeable wherever both lie on both probe paths, and the first one on a row's path always
/// is, because every slot up to the row's own is taken.
struct IdentityMap {
    private enum Tag {
        static let empty: UInt8 = 0
        static let removed: UInt8 = 1
        static let firstUsed: UInt8 = 2
    }

    struct State {
        var tags: UnsafeMutablePointer<UInt8>?
        var leaves: UnsafeMutablePointer<UInt32>?
        var capacity = 0
        /// One more than the leaf of each id from `firstID` on, 0 where there is none; nil when ids are
        /// hashed.
        var dense: UnsafeMutablePointer<UInt32>?
        var firstID: Int64 = 0
        var denseCount = 0
        /// Slots that hold a row.
        var live = 0
        /// Slots that hold a row or a mark of removal.
        var taken = 0
        /// Keeps the reads of `warm` from being optimised away.
        var warmed: UInt32 = 0
        var memory = MemoryGauge()
    }

    private let state: UnsafeMutablePointer<State>

    init() {
        state = .allocate(capacity: 1)
        state.initialize(to: State())
    }

    func destroy() {
        state.pointee.tags?.deallocate()
        state.pointee.leaves?.deallocate()
        state.pointee.dense?.deallocate()
        state.deallocate()
    }

    var bytesHeld: Int { state.pointee.memory.bytes }
    var count: Int { state.pointee.live }

    /// Where a row stands; a few probes and the scan of one leaf.
    @inline(__always)
    func find(_ id: Int64, in leaves: LeafTable) -> (leaf: UInt32, index: Int)? {
        if let dense = state.pointee.dense {
            guard let place = densePlace(id), dense[place] != 0 else { return nil }
            let leaf = dense[place] - 1
            return leaves.index(of: id, in: leaf, count: leaves.count(leaf)).map { (leaf, $0) }
        }
        guard let tags = state.pointee.tags, let numbers = state.pointee.leaves else { return nil }
        var (slot, tag) = home(of: id)
        while tags[slot] != Tag.empty {
            if tags[slot] == tag {
                let leaf = numbers[slot]
                if let index = leaves.index(of: id, in: leaf, count: leaves.count(leaf)) {
                    return (leaf, index)
                }
            }
            slot = next(slot)
        }
        return nil
    }

    /// Enters a row that is not there yet, after `reserve`.
    func insert(_ id: Int64, leaf: UInt32) {
        if let dense = state.pointee.dense, let place = densePlace(id) {
            dense[place] = leaf + 1
            state.pointee.live += 1
            return
        }
        guard let tags = state.pointee.tags, let numbers = state.pointee.leaves else { return }
        var (slot, tag) = home(of: id)
        while tags[slot] >= Tag.firstUsed { slot = next(slot) }
        if tags[slot] == Tag.empty { state.pointee.taken += 1 }
        tags[slot] = tag
        numbers[slot] = leaf
        state.pointee.live += 1
    }

    /// Takes a row of that leaf out.
    func remove(_ id: Int64, leaf: UInt32) {
        if let dense = state.pointee.dense {
            if let place = densePlace(id), dense[place] != 0 {
                dense[place] = 0
                state.pointee.live -= 1
            }
            return
        }
        guard let tags = state.pointee.tags, var slot = slot(of: id, leaf: leaf) else { return }
        state.pointee.live -= 1
        guard tags[next(slot)] == Tag.empty else {
            tags[slot] = Tag.removed
            return
        }
        // No probe path leads on from here, so this mark and those just before it can go.
        repeat {
            tags[slot] = Tag.empty
            state.pointee.taken -= 1
            slot = slot == 0 ? state.pointee.capacity - 1 : slot - 1
        } while tags[slot] == Tag.removed
    }

    /// Notes that a row went from one leaf to another.
    @inline(__always)
    func relocate(_ id: Int64, from old: UInt32, to new: UInt32) {
        if let dense = state.pointee.dense, let place = densePlace(id) {
            dense[place] = new + 1
            return
        }
        if let slot = slot(of: id, leaf: old) {
            state.pointee.leaves.unsafelyUnwrapped[slot] = new
        } else {
            assertionFailure("row without identity entry")
        }
    }

    /// Brings the slots of many rows into the cache side by side, which is far quicker than to wait
    /// for one after the other.
    @inline(__always)
    func warm(_ ids: UnsafeMutablePointer<Int64>, count: Int) {
        if let dense = state.pointee.dense {
            var sum: UInt32 = 0
            for index in 0..<count {
                if let place = densePlace(ids[index]) { sum &+= dense[place] }
            }
            state.pointee.warmed = sum
            return
        }
        guard let tags = state.pointee.tags, let numbers = state.pointee.leaves else { return }
        let capacity = UInt64(state.pointee.capacity)
        var sum: UInt32 = 0
        for index in 0..<count {
            let slot = Int(IdentityMap.hash(ids[index]).multipliedFullWidth(by: capacity).high)
            sum &+= UInt32(tags[slot]) &+ numbers[slot]
        }
        state.pointee.warmed = sum
    }

    /// Makes room for one more row. To grow, the map is filled anew from the leaves.
    func reserve(_ id: Int64, from leaves: LeafTable) {
        if state.pointee.dense != nil {
            if densePlace(id) != nil { return }
            let last = state.pointee.firstID + Int64(state.pointee.denseCount - 1)
            let isBelow = id < state.pointee.firstID
            let live = state.pointee.live + 1
            if let span = IdentityMap.span(min(id, state.pointee.firstID), max(id, last)),
                IdentityMap.isDense(span: span, count: live)
            {
                growDense(
                    to: span + span / 4, from: isBelow ? last - Int64(span + span / 4 - 1) : state.pointee.firstID)
                return
            }
            dropDense()
            reset(capacity: max(16, live * 3 / 2))
            refill(from: leaves)
            return
        }
        guard (state.pointee.taken + 1) * 8 > state.pointee.capacity * 7 else { return }
        reset(capacity: max(16, (state.pointee.live + 1) * 3 / 2))
        refill(from: leaves)
    }

    private func refill(from leaves: LeafTable) {
        for leaf in 0..<leaves.used where leaves.isLive(leaf) {
            let ids = leaves.ids(leaf)
            warm(ids, count: leaves.count(leaf))
            for index in 0..<leaves.count(leaf) { insert(ids[index], leaf: leaf) }
        }
    }

    /// Fills an empty map from all leaves, sized to fit. Returns the first id that occurs twice.
    func build(count: Int, from leaves: LeafTable) -> Int64? {
        dropDense()
        if let (least, span) = range(of: leaves), IdentityMap.isDense(span: span, count: count) {
            return buildDense(count: count, from: leaves, least: least, span: span)
        }
        reset(capacity: max(16, count * 5 / 4 + 1))
        guard let tags = state.pointee.tags, let numbers = state.pointee.leaves else { return nil }
        for leaf in 0..<leaves.used where leaves.isLive(leaf) {
            let ids = leaves.ids(leaf)
            let rows = leaves.count(leaf)
            warm(ids, count: rows)
            for index in 0..<rows {
                let id = ids[index]
                var (slot, tag) = home(of: id)
                while tags[slot] != Tag.empty {
                    if tags[slot] == tag {
                        let other = numbers[slot]
                        let count = other == leaf ? index : leaves.count(other)
                        if leaves.index(of: id, in: other, count: count) != nil { return id }
                    }
                    slot = next(slot)
                }
                tags[slot] = tag
                numbers[slot] = leaf
            }
            state.pointee.live += rows
        }
        state.pointee.taken = state.pointee.live
        return nil
    }

    func clear() {
        dropDense()
        reset(capacity: 16)
    }

    // MARK: Dense ids

    private static func isDense(span: Int, count: Int) -> Bool { span <= count + count / 2 + 64 }

    private static func span(_ least: Int64, _ greatest: Int64) -> Int? {
        let (difference, overflow) = greatest.subtractingReportingOverflow(least)
        return overflow || difference > 1 << 40 ? nil : Int(difference) + 1
    }

    @inline(__always)
    private func densePlace(_ id: Int64) -> Int? {
        let place = UInt64(bitPattern: id &- state.pointee.firstID)
        return place < UInt64(state.pointee.denseCount) ? Int(place) : nil
    }

    /// The least id and how far they reach; nil without rows or if they lie too far apart.
    private func range(of leaves: LeafTable) -> (least: Int64, span: Int)? {
        var least = Int64.max
        var greatest = Int64.min
        for leaf in 0..<leaves.used where leaves.isLive(leaf) {
            let ids = leaves.ids(leaf)
            for index in 0..<leaves.count(leaf) {
                least = min(least, ids[index])
                greatest = max(greatest, ids[index])
            }
        }
        guard least <= greatest, let span = IdentityMap.span(least, greatest) else { return nil }
        return (least, span)
    }

    private func buildDense(count: Int, from leaves: LeafTable, least: Int64, span: Int) -> Int64? {
        releaseHash()
        let dense = state.pointee.memory.allocate(span * 4).assumingMemoryBound(to: UInt32.self)
        dense.initialize(repeating: 0, count: span)
        state.pointee.dense = dense
        state.pointee.firstID = least
        state.pointee.denseCount = span
        for leaf in 0..<leaves.used where leaves.isLive(leaf) {
            let ids = leaves.ids(leaf)
            for index in 0..<leaves.count(leaf) {
                let place = Int(ids[index] - least)
                if dense[place] != 0 { return ids[index] }
                dense[place] = leaf + 1
            }
        }
        state.pointee.live = count
        return nil
    }

    private func growDense(to span: Int, from first: Int64) {
        guard let old = state.pointee.dense else { return }
        let oldCount = state.pointee.denseCount
        let dense = state.pointee.memory.allocate(span * 4).assumingMemoryBound(to: UInt32.self)
        dense.initialize(repeating: 0, count: span)
        (dense + Int(state.pointee.firstID - first)).update(from: old, count: oldCount)
        state.pointee.memory.free(UnsafeMutableRawPointer(old), size: oldCount * 4)
        state.pointee.dense = dense
        state.pointee.firstID = first
        state.pointee.denseCount = span
    }

    private func dropDense() {
        guard let dense = state.pointee.dense else { return }
        state.pointee.memory.free(UnsafeMutableRawPointer(dense), size: state.pointee.denseCount * 4)
        state.pointee.dense = nil
        state.pointee.denseCount = 0
        state.pointee.live = 0
    }

    private func releaseHash() {
        if let tags = state.pointee.tags, let leaves = state.pointee.leaves {
            state.pointee.memory.free(UnsafeMutableRawPointer(tags), size: state.pointee.capacity)
            state.pointee.memory.free(UnsafeMutableRawPointer(leaves), size: state.pointee.capacity * 4)
        }
        state.pointee.tags = nil
        state.pointee.leaves = nil
        state.pointee.capacity = 0
        state.pointee.taken = 0
    }

    /// Empties the map and gives it `capacity` slots.
    private func reset(capacity: Int) {
        let old = state.pointee.capacity
        if let tags = state.pointee.tags, let leaves = state.pointee.leaves {
            state.pointee.memory.free(UnsafeMutableRawPointer(tags), size: old)
            state.pointee.memory.free(UnsafeMutableRawPointer(leaves), size: old * 4)
        }
        let tags = state.pointee.memory.allocate(capacity).assumingMemoryBound(to: UInt8.self)
        tags.initialize(repeating: Tag.empty, count: capacity)
        state.pointee.tags = tags
        let numbers = state.pointee.memory.allocate(capacity * 4)
            .assumingMemoryBound(to: UInt32.self)
        numbers.initialize(repeating: 0, count: capacity)
        state.pointee.leaves = numbers
        state.pointee.capacity = capacity
        state.pointee.live = 0
        state.pointee.taken = 0
    }

    @inline(__always)
    private func slot(of id: Int64, leaf: UInt32) -> Int? {
        guard let tags = state.pointee.tags, let numbers = state.pointee.leaves else { return nil }
        var (slot, tag) = home(of: id)
        while tags[slot] != Tag.empty {
            if tags[slot] == tag, numbers[slot] == leaf { return slot }
            slot = next(slot)
        }
        return nil
    }

    @inline(__always)
    private func next(_ slot: Int) -> Int {
        let following = slot + 1
        return following == state.pointee.capacity ? 0 : following
    }

    /// The first slot of the probe path, from the high bits of the hash, and the tag, from the low.
    @inline(__always)
    private func home(of id: Int64) -> (Int, UInt8) {
        let hash = IdentityMap.hash(id)
        let slot = hash.multipliedFullWidth(by: UInt64(state.pointee.capacity)).high
        return (Int(slot), max(Tag.firstUsed, UInt8(truncatingIfNeeded: hash)))
    }

    @inline(__always)
    private static func hash(_ id: Int64) -> UInt64 {
        var hash = UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15
        hash = (hash ^ (hash >> 32)) &* 0xD6E8_FEB8_6659_FD93
        return hash ^ (hash >> 32)
    }
}
