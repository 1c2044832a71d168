/// All leaves of all sections, by number. A leaf holds rows side by side, in one block:
/// ids, heads, key hashes, then the prefix that all its zero-extended keys share.
///
/// A head is the four key bytes that follow the prefix, so rows compare by their heads alone.
struct LeafTable {
    struct Leaf {
        /// Nil on the free list.
        var block: UnsafeMutableRawPointer?
        var prefixCount: UInt32
        /// Bytes kept for the prefix at the end of the block; a prefix shrinks in place.
        var prefixRoom: UInt32
        /// A branch number, or ~section when the leaf is the root of its section. On the free list:
        /// the next free leaf.
        var parent: Int32
        var count: UInt16
        var capacity: UInt16
    }

    struct State {
        var leaves: UnsafeMutablePointer<Leaf>?
        var capacity = 0
        var used = 0
        var free: Int32 = -1
        var memory = MemoryGauge()
    }

    private let state: UnsafeMutablePointer<State>

    init() {
        state = .allocate(capacity: 1)
        state.initialize(to: State())
    }

    func destroy() {
        for number in 0..<state.pointee.used {
            self[UInt32(number)].pointee.block?.deallocate()
        }
        if let leaves = state.pointee.leaves { UnsafeMutableRawPointer(leaves).deallocate() }
        state.deallocate()
    }

    var bytesHeld: Int { state.pointee.memory.bytes }

    /// Numbers given out so far, free ones included.
    var used: UInt32 { UInt32(state.pointee.used) }

    @inline(__always)
    subscript(number: UInt32) -> UnsafeMutablePointer<Leaf> {
        state.pointee.leaves.unsafelyUnwrapped + Int(number)
    }

    @inline(__always)
    func isLive(_ number: UInt32) -> Bool { self[number].pointee.block != nil }

    @inline(__always)
    func count(_ number: UInt32) -> Int { Int(self[number].pointee.count) }

    @inline(__always)
    func prefixCount(_ number: UInt32) -> Int { Int(self[number].pointee.prefixCount) }

    @inline(__always)
    func ids(_ number: UInt32) -> UnsafeMutablePointer<Int64> {
        self[number].pointee.block.unsafelyUnwrapped.assumingMemoryBound(to: Int64.self)
    }

    @inline(__always)
    func heads(_ number: UInt32) -> UnsafeMutablePointer<UInt32> {
        let leaf = self[number].pointee
        return (leaf.block.unsafelyUnwrapped + Int(leaf.capacity) * 8)
            .assumingMemoryBound(to: UInt32.self)
    }

    @inline(__always)
    func hashes(_ number: UInt32) -> UnsafeMutablePointer<UInt32> {
        let leaf = self[number].pointee
        return (leaf.block.unsafelyUnwrapped + Int(leaf.capacity) * 12)
            .assumingMemoryBound(to: UInt32.self)
    }

    @inline(__always)
    func prefix(_ number: UInt32) -> UnsafeMutablePointer<UInt8> {
        let leaf = self[number].pointee
        return (leaf.block.unsafelyUnwrapped + Int(leaf.capacity) * 16)
            .assumingMemoryBound(to: UInt8.self)
    }

    /// What is known of the key of one row.
    @inline(__always)
    func leading(_ number: UInt32, _ index: Int) -> LeadingBytes {
        LeadingBytes(
            prefix: UnsafePointer(prefix(number)), count: prefixCount(number),
            head: heads(number)[index])
    }

    /// Where a row stands in a leaf, among its first `count` rows.
    @inline(__always)
    func index(of id: Int64, in number: UInt32, count: Int) -> Int? {
        let ids = ids(number)
        var index = 0
        // Four at a time without a branch between them.
        while index + 4 <= count {
            let different =
                (ids[index] ^ id != 0 ? 1 : 0) & (ids[index + 1] ^ id != 0 ? 1 : 0)
                & (ids[index + 2] ^ id != 0 ? 1 : 0) & (ids[index + 3] ^ id != 0 ? 1 : 0)
            if different == 0 { break }
            index += 4
        }
        while index < count {
            if ids[index] == id { return index }
            index += 1
        }
        return nil
    }

    /// A new leaf without rows, its prefix the first `prefixCount` bytes of `prefix`.
    func create(capacity: Int, prefix: LeadingBytes, prefixCount: Int) -> UInt32 {
        let number = allocateNumber()
        self[number].initialize(
            to: Leaf(
                block: state.pointee.memory.allocate(capacity * 16 + prefixCount),
                prefixCount: UInt32(prefixCount), prefixRoom: UInt32(prefixCount), parent: -1, count: 0,
                capacity: UInt16(capacity)))
        copy(prefix, count: prefixCount, to: self.prefix(number))
        return number
    }

    /// A new leaf with the rows of an image.
    func create(_ image: LeafImage) -> UInt32 {
        let count = image.ids.count
        let number = create(
            capacity: count, prefix: LeadingBytes(wholeKey: image.prefix), prefixCount: image.prefix.count)
        if let base = image.ids.baseAddress { ids(number).update(from: base, count: count) }
        if let base = image.heads.baseAddress { heads(number).update(from: base, count: count) }
        if let base = image.hashes.baseAddress { hashes(number).update(from: base, count: count) }
        self[number].pointee.count = UInt16(count)
        return number
    }

    func free(_ number: UInt32) {
        let leaf = self[number].pointee
        if let block = leaf.block { state.pointee.memory.free(block, size: size(of: leaf)) }
        self[number].pointee.block = nil
        self[number].pointee.count = 0
        self[number].pointee.parent = state.pointee.free
        state.pointee.free = Int32(number)
    }

    /// Moves a leaf into a block for `capacity` rows whose prefix is the first `prefixCount` bytes
    /// of `prefix`, or the present prefix when none is given. Heads are left as they are.
    func rebuild(
        _ number: UInt32, capacity: Int, prefix newPrefix: LeadingBytes? = nil, prefixCount: Int? = nil
    ) {
        let old = self[number].pointee
        guard let oldBlock = old.block else { return }
        let ids = ids(number)
        let heads = heads(number)
        let hashes = hashes(number)
        let source =
            newPrefix
            ?? LeadingBytes(
                prefix: UnsafePointer(prefix(number)), count: Int(old.prefixCount), head: 0)
        let length = prefixCount ?? Int(old.prefixCount)
        let count = Int(old.count)
        self[number].pointee.block = state.pointee.memory.allocate(capacity * 16 + length)
        self[number].pointee.capacity = UInt16(capacity)
        self[number].pointee.prefixCount = UInt32(length)
        self[number].pointee.prefixRoom = UInt32(length)
        self.ids(number).update(from: ids, count: count)
        self.heads(number).update(from: heads, count: count)
        self.hashes(number).update(from: hashes, count: count)
        copy(source, count: length, to: prefix(number))
        state.pointee.memory.free(oldBlock, size: size(of: old))
    }

    func shrinkToFit() {
        if state.pointee.used > 0, state.pointee.used < state.pointee.capacity {
            resize(to: state.pointee.used)
        }
    }

    private func size(of leaf: Leaf) -> Int { Int(leaf.capacity) * 16 + Int(leaf.prefixRoom) }

    private func copy(_ source: LeadingBytes, count: Int, to target: UnsafeMutablePointer<UInt8>) {
        let direct = min(count, source.count)
        if direct > 0, let bytes = source.bytes { target.update(from: bytes, count: direct) }
        for offset in direct..<count { target[offset] = source[offset] }
    }

    private func allocateNumber() -> UInt32 {
        if state.pointee.free >= 0 {
            let number = UInt32(state.pointee.free)
            state.pointee.free = self[number].pointee.parent
            return number
        }
        if state.pointee.used == state.pointee.capacity {
            resize(to: max(4, state.pointee.capacity * 2))
        }
        state.pointee.used += 1
        return UInt32(state.pointee.used - 1)
    }

    private func resize(to capacity: Int) {
        let stride = MemoryLayout<Leaf>.stride
        let block = state.pointee.memory.resize(
            state.pointee.leaves.map { UnsafeMutableRawPointer($0) },
            of: state.pointee.capacity * stride, used: state.pointee.used * stride,
            to: capacity * stride)
        state.pointee.leaves = block.assumingMemoryBound(to: Leaf.self)
        state.pointee.capacity = capacity
    }
}
