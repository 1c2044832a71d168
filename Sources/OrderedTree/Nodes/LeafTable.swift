/// All leaves of all sections, by number. A leaf stores its rows in one block: ids, key hashes,
/// marks, then a prefix that all its keys share.
///
/// The mark of a row contains the place where its key begins to differ from the previous key, its
/// *depth*, and four bytes of the key (a `Fragment`). In *shallow* rows, which begin to differ
/// within the four bytes after the prefix, and in the first row, these are the bytes from the end
/// of the prefix on. In all other rows, which are *deep*, they are the bytes from the depth on. So
/// shallow rows compare by these bytes, each together with the following deep rows, which have the
/// same bytes there. The deep rows are a trie in a flat form. Bytes that a search is likely to miss
/// are in the leaf's `Excerpts`.
struct LeafTable: ~Copyable {
    /// Safe except for the members that return addresses, whose types are unsafe: it owns the
    /// block, which is freed with it.
    @safe struct Leaf: ~Copyable, SlabElement {
        private static let rowSize = 18

        /// Nil in a free slot.
        fileprivate let block: UnsafeMutableRawPointer?
        fileprivate(set) var prefixCount: UInt32
        /// The bytes of the block for the prefix; a prefix shrinks in place.
        fileprivate let prefixRoom: UInt32
        /// A branch number, or ~section when the leaf is the root of its section. In a free slot:
        /// the next one.
        var parent: Int32
        var count: UInt16
        let capacity: UInt16
        var excerpts = Excerpts()

        /// A leaf without rows, whose prefix is not written yet.
        fileprivate init(capacity: Int, prefixCount: Int) {
            unsafe block = Memory.allocate(capacity * Leaf.rowSize + prefixCount)
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

        deinit { if let block = unsafe block { unsafe Memory.free(block) } }

        var nextFree: Int32? { unsafe block == nil ? parent : nil }

        var bytesHeld: Int {
            unsafe block == nil ? 0 : Memory.held(Int(capacity) * Leaf.rowSize + Int(prefixRoom)) + excerpts.bytesHeld
        }

        @inline(__always)
        var ids: UnsafeMutablePointer<Int64> {
            unsafe block.unsafelyUnwrapped.assumingMemoryBound(to: Int64.self)
        }

        @inline(__always)
        var hashes: UnsafeMutablePointer<UInt32> {
            unsafe (block.unsafelyUnwrapped + Int(capacity) * 8).assumingMemoryBound(to: UInt32.self)
        }

        @inline(__always)
        var marks: UnsafeMutablePointer<Mark> {
            unsafe (block.unsafelyUnwrapped + Int(capacity) * 12).assumingMemoryBound(to: Mark.self)
        }

        @inline(__always)
        var prefix: UnsafeMutablePointer<UInt8> {
            unsafe (block.unsafelyUnwrapped + Int(capacity) * Leaf.rowSize).assumingMemoryBound(to: UInt8.self)
        }
    }

    private var leaves = Slab<Leaf>(leastCapacity: 4)

    /// The bytes that are allocated, including the allocator's own. O(leaves).
    var bytesHeld: Int { (0..<used).reduce(leaves.bytesHeld) { $0 + self[$1].bytesHeld } }

    /// Numbers assigned so far, including free ones.
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
    func hashes(_ number: UInt32) -> UnsafeMutablePointer<UInt32> { unsafe self[number].hashes }

    @inline(__always)
    func marks(_ number: UInt32) -> UnsafeMutablePointer<Mark> { unsafe self[number].marks }

    @inline(__always)
    func prefix(_ number: UInt32) -> UnsafeMutablePointer<UInt8> { unsafe self[number].prefix }

    // The stored part of one row. Release builds do not check indices, because the check would cost
    // time for every row of a search. The tree's invariants make them valid: they were found among
    // the leaf's rows, whose number is its count.

    @inline(__always)
    subscript(id number: UInt32, index: Int) -> Int64 {
        assert(index >= 0 && index < count(number), "no such row")
        return unsafe ids(number)[index]
    }

    @inline(__always)
    subscript(hash number: UInt32, index: Int) -> UInt32 {
        assert(index >= 0 && index < count(number), "no such row")
        return unsafe hashes(number)[index]
    }

    /// The index of a row in a leaf, among its first `count` rows.
    @inline(__always)
    func index(of id: Int64, in number: UInt32, count: Int) -> Int? {
        unsafe Self.index(of: id, among: ids(number), count: count)
    }

    @inline(__always)
    static func index(of id: Int64, among ids: UnsafeMutablePointer<Int64>, count: Int) -> Int? {
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

    /// The capacity of a leaf: its block is replaced every few rows, so that a half-full leaf uses
    /// little more memory than it needs.
    static func capacity(for rows: Int) -> Int { rows < 16 ? (rows + 3) & ~3 : (rows + 7) & ~7 }

    /// The capacity of a leaf that a bulk build has filled: most rows that change later go to such
    /// a leaf, and the first few of them fit.
    static func builtCapacity(for rows: Int) -> Int { rows + rows / 28 }

    /// A new leaf without rows and with a prefix.
    mutating func create(capacity: Int, prefix: KeyBytes, prefixCount: Int) -> UInt32 {
        let leaf = Leaf(capacity: capacity, prefixCount: prefixCount)
        if prefixCount > 0, let bytes = unsafe prefix.bytes {
            unsafe leaf.prefix.update(from: bytes, count: prefixCount)
        }
        return UInt32(leaves.insert(leaf))
    }

    /// A new leaf with the rows of an image.
    mutating func create(_ image: LeafImage) -> UInt32 {
        let count = unsafe image.ids.count
        let capacity = LeafTable.builtCapacity(for: count)
        let number = unsafe create(
            capacity: capacity, prefix: KeyBytes(image.prefix), prefixCount: image.prefix.count)
        if let base = unsafe image.ids.baseAddress { unsafe ids(number).update(from: base, count: count) }
        if let base = unsafe image.hashes.baseAddress { unsafe hashes(number).update(from: base, count: count) }
        let marks = unsafe image.marks.assumingMemoryBound(to: Mark.self)
        if let base = marks.baseAddress { unsafe self.marks(number).update(from: base, count: count) }
        self[number].count = UInt16(count)
        return number
    }

    /// Prefetches the ids of a leaf's rows.
    func prefetchIDs(_ number: UInt32) { unsafe Memory.prefetch(ids(number), count(number) * 8) }

    /// Prefetches what a leaf stores of its rows' keys.
    func prefetchKeys(_ number: UInt32) {
        let marks = unsafe marks(number)
        unsafe Memory.prefetch(marks, UnsafeRawPointer(prefix(number)) - UnsafeRawPointer(marks) + prefixCount(number))
    }

    /// Removes a leaf without freeing it.
    mutating func take(_ number: UInt32) -> Leaf { leaves.take(Int(number)) }

    mutating func insert(_ leaf: consuming Leaf) -> UInt32 { UInt32(leaves.insert(leaf)) }

    mutating func free(_ number: UInt32) { leaves.remove(Int(number)) }

    /// Moves a leaf into a block for `capacity` rows.
    mutating func rebuild(_ number: UInt32, capacity: Int) {
        let prefix = unsafe KeyBytes(UnsafePointer(prefix(number)), count: prefixCount(number))
        unsafe rebuild(number, capacity: capacity, prefix: prefix)
    }

    /// Moves a leaf into a block for `capacity` rows, with another prefix. Marks stay unchanged.
    mutating func rebuild(_ number: UInt32, capacity: Int, prefix: KeyBytes) {
        let count = count(number)
        var leaf = Leaf(capacity: capacity, prefixCount: prefix.count)
        leaf.parent = self[number].parent
        leaf.count = UInt16(count)
        leaf.excerpts = exchange(&self[number].excerpts, with: Excerpts())
        unsafe leaf.ids.update(from: ids(number), count: count)
        unsafe leaf.hashes.update(from: hashes(number), count: count)
        unsafe leaf.marks.update(from: marks(number), count: count)
        if let bytes = unsafe prefix.bytes { unsafe leaf.prefix.update(from: bytes, count: prefix.count) }
        self[number] = leaf
    }

    /// Makes room for one more row, in a block that fits closely.
    mutating func reserve(_ number: UInt32) {
        let count = count(number)
        if count == Int(self[number].capacity) { rebuild(number, capacity: LeafTable.capacity(for: count + 1)) }
    }

    /// Releases the memory that many removals have left.
    mutating func trim(_ number: UInt32) {
        let fitting = LeafTable.capacity(for: count(number))
        if fitting + 8 <= Int(self[number].capacity) { rebuild(number, capacity: fitting) }
    }

    /// Notes that the prefix of a leaf is shorter.
    mutating func cutPrefix(of number: UInt32, to length: Int) { self[number].prefixCount = UInt32(length) }

    mutating func shrinkToFit() { leaves.shrinkToFit() }
}
