/// All leaves of all sections, by number. A leaf holds rows side by side, in one block:
/// ids, heads, key hashes, then the prefix that all its zero-extended keys share.
///
/// A head is the four key bytes that follow the prefix, so rows compare by their heads alone.
struct LeafTable: ~Copyable {
    /// Safe but for what hands out addresses, whose types are unsafe: the block is its own, and freed with it.
    @safe struct Leaf: ~Copyable, SlabElement {
        /// Nil in a free slot.
        fileprivate let block: UnsafeMutableRawPointer?
        fileprivate(set) var prefixCount: UInt32
        /// Bytes of the block that are there for the prefix; a prefix shrinks in place.
        fileprivate let prefixRoom: UInt32
        /// A branch number, or ~section when the leaf is the root of its section. In a free slot: the
        /// next one.
        var parent: Int32
        var count: UInt16
        let capacity: UInt16

        /// A leaf without rows, whose prefix is still to be written.
        fileprivate init(capacity: Int, prefixCount: Int) {
            unsafe block = Memory.allocate(capacity * 16 + prefixCount)
            self.prefixCount = UInt32(prefixCount)
            prefixRoom = UInt32(prefixCount)
            parent = -1
            count = 0
            self.capacity = UInt16(capacity)
        }

        init(nextFree: Int32) {
            unsafe block = nil
            prefixCount = 0
            prefixRoom = 0
            parent = nextFree
            count = 0
            capacity = 0
        }

        deinit { unsafe block?.deallocate() }

        var nextFree: Int32? { unsafe block == nil ? parent : nil }

        fileprivate var bytesHeld: Int {
            unsafe block == nil ? 0 : Memory.held(Int(capacity) * 16 + Int(prefixRoom))
        }

        @inline(__always)
        var ids: UnsafeMutablePointer<Int64> {
            unsafe block.unsafelyUnwrapped.assumingMemoryBound(to: Int64.self)
        }

        @inline(__always)
        var heads: UnsafeMutablePointer<UInt32> {
            unsafe (block.unsafelyUnwrapped + Int(capacity) * 8).assumingMemoryBound(to: UInt32.self)
        }

        @inline(__always)
        var hashes: UnsafeMutablePointer<UInt32> {
            unsafe (block.unsafelyUnwrapped + Int(capacity) * 12).assumingMemoryBound(to: UInt32.self)
        }

        @inline(__always)
        var prefix: UnsafeMutablePointer<UInt8> {
            unsafe (block.unsafelyUnwrapped + Int(capacity) * 16).assumingMemoryBound(to: UInt8.self)
        }
    }

    private var leaves = Slab<Leaf>(leastCapacity: 4)

    /// Bytes really allocated. O(leaves).
    var bytesHeld: Int { (0..<used).reduce(leaves.bytesHeld) { $0 + self[$1].bytesHeld } }

    /// Numbers given out so far, free ones included.
    var used: UInt32 { UInt32(leaves.used) }

    @inline(__always)
    subscript(number: UInt32) -> Leaf {
        @inline(__always) _read { yield leaves[Int(number)] }
        @inline(__always) _modify { yield &leaves[Int(number)] }
    }

    @inline(__always)
    func isLive(_ number: UInt32) -> Bool { leaves.contains(Int(number)) }

    @inline(__always)
    func count(_ number: UInt32) -> Int { Int(self[number].count) }

    @inline(__always)
    func prefixCount(_ number: UInt32) -> Int { Int(self[number].prefixCount) }

    @inline(__always)
    func ids(_ number: UInt32) -> UnsafeMutablePointer<Int64> { unsafe self[number].ids }

    @inline(__always)
    func heads(_ number: UInt32) -> UnsafeMutablePointer<UInt32> { unsafe self[number].heads }

    @inline(__always)
    func hashes(_ number: UInt32) -> UnsafeMutablePointer<UInt32> { unsafe self[number].hashes }

    @inline(__always)
    func prefix(_ number: UInt32) -> UnsafeMutablePointer<UInt8> { unsafe self[number].prefix }

    // What is held of one row. Indices are not checked in release builds, which every row of a search would pay for.
    // They are right by the tree's own invariants: they were found among the leaf's rows, and its count is theirs.

    @inline(__always)
    subscript(id number: UInt32, index: Int) -> Int64 {
        assert(index >= 0 && index < count(number), "no such row")
        return unsafe ids(number)[index]
    }

    @inline(__always)
    subscript(head number: UInt32, index: Int) -> UInt32 {
        assert(index >= 0 && index < count(number), "no such row")
        return unsafe heads(number)[index]
    }

    @inline(__always)
    subscript(hash number: UInt32, index: Int) -> UInt32 {
        assert(index >= 0 && index < count(number), "no such row")
        return unsafe hashes(number)[index]
    }

    /// What is known of the key of one row.
    @inline(__always)
    func leading(_ number: UInt32, _ index: Int) -> LeadingBytes {
        unsafe LeadingBytes(
            prefix: UnsafePointer(prefix(number)), count: prefixCount(number),
            head: heads(number)[index])
    }

    /// Where a row stands in a leaf, among its first `count` rows.
    @inline(__always)
    func index(of id: Int64, in number: UInt32, count: Int) -> Int? {
        let ids = unsafe ids(number)
        var index = 0
        // Four at a time without a branch between them.
        while index + 4 <= count {
            let different =
                unsafe (ids[index] ^ id != 0 ? 1 : 0) & (ids[index + 1] ^ id != 0 ? 1 : 0)
                & (ids[index + 2] ^ id != 0 ? 1 : 0) & (ids[index + 3] ^ id != 0 ? 1 : 0)
            if different == 0 { break }
            index += 4
        }
        while index < count {
            if unsafe ids[index] == id { return index }
            index += 1
        }
        return nil
    }

    /// A new leaf without rows, its prefix the first `prefixCount` bytes of `prefix`.
    mutating func create(capacity: Int, prefix: LeadingBytes, prefixCount: Int) -> UInt32 {
        let leaf = Leaf(capacity: capacity, prefixCount: prefixCount)
        unsafe copy(prefix, count: prefixCount, to: leaf.prefix)
        return UInt32(leaves.insert(leaf))
    }

    /// A new leaf with the rows of an image.
    mutating func create(_ image: LeafImage) -> UInt32 {
        let count = unsafe image.ids.count
        let number = unsafe create(
            capacity: count, prefix: LeadingBytes(wholeKey: image.prefix), prefixCount: image.prefix.count)
        if let base = unsafe image.ids.baseAddress { unsafe ids(number).update(from: base, count: count) }
        if let base = unsafe image.heads.baseAddress { unsafe heads(number).update(from: base, count: count) }
        if let base = unsafe image.hashes.baseAddress { unsafe hashes(number).update(from: base, count: count) }
        self[number].count = UInt16(count)
        return number
    }

    mutating func free(_ number: UInt32) { leaves.remove(Int(number)) }

    /// Moves a leaf into a block for `capacity` rows whose prefix is the first `prefixCount` bytes
    /// of `prefix`, or the present prefix when none is given. Heads are left as they are.
    mutating func rebuild(
        _ number: UInt32, capacity: Int, prefix newPrefix: LeadingBytes? = nil, prefixCount: Int? = nil
    ) {
        let length = prefixCount ?? self.prefixCount(number)
        let count = count(number)
        var leaf = Leaf(capacity: capacity, prefixCount: length)
        leaf.parent = self[number].parent
        leaf.count = UInt16(count)
        unsafe leaf.ids.update(from: ids(number), count: count)
        unsafe leaf.heads.update(from: heads(number), count: count)
        unsafe leaf.hashes.update(from: hashes(number), count: count)
        let prefix =
            unsafe newPrefix
            ?? LeadingBytes(
                prefix: UnsafePointer(self.prefix(number)), count: self.prefixCount(number), head: 0)
        unsafe copy(prefix, count: length, to: leaf.prefix)
        self[number] = leaf
    }

    /// Notes that the heads of a leaf begin behind the first `length` bytes of its prefix.
    mutating func cutPrefix(of number: UInt32, to length: Int) {
        self[number].prefixCount = UInt32(length)
    }

    mutating func shrinkToFit() { leaves.shrinkToFit() }

    private func copy(_ source: LeadingBytes, count: Int, to target: UnsafeMutablePointer<UInt8>) {
        let direct = min(count, source.count)
        if direct > 0, let bytes = unsafe source.bytes { unsafe target.update(from: bytes, count: direct) }
        for offset in direct..<count { unsafe target[offset] = source[offset] }
    }
}
