import Glibc

/// The rows of the leaf being filled by a bulk build, with their full keys, so that the prefix and
/// all heads are known when it closes.
struct BulkLeaf: ~Copyable {
    let capacity: Int
    private(set) var count = 0
    private var ids: Block<Int64>
    private var hashes: Block<UInt32>
    /// Where the key of each row ends in the key bytes.
    private var ends: Block<Int>
    private var keyBytes: Block<UInt8>
    /// The last key of the leaf closed before in the same section.
    private var lastKeyBytes: Block<UInt8>
    private var lastKeyCount = 0

    init(capacity: Int) {
        self.capacity = capacity
        ids = Block(capacity: capacity)
        hashes = Block(capacity: capacity)
        ends = Block(capacity: capacity)
        keyBytes = Block(capacity: capacity * 32)
        lastKeyBytes = Block(capacity: capacity * 2)
    }

    /// The key of a row, valid until the next one is added.
    @inline(__always)
    func key(_ index: Int) -> UnsafeRawBufferPointer {
        let start = index == 0 ? 0 : ends[index - 1]
        return unsafe UnsafeRawBufferPointer(start: keyBytes.start + start, count: ends[index] - start)
    }

    var lastKey: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: lastKeyBytes.start, count: lastKeyCount)
    }

    /// Adds a row; there is room for it.
    @inline(__always)
    mutating func append(id: Int64, key: UnsafeRawBufferPointer, hash: UInt32) {
        let start = count == 0 ? 0 : ends[count - 1]
        let end = start + key.count
        if end > keyBytes.capacity { keyBytes.resize(to: end * 2, keeping: start) }
        if let base = key.baseAddress { unsafe memcpy(keyBytes.start + start, base, key.count) }
        ids[count] = id
        hashes[count] = hash
        ends[count] = end
        count += 1
    }

    /// Makes a leaf of the rows that just fits them, and starts anew.
    mutating func close(keyed: Bool, into leaves: inout LeafTable) -> UInt32 {
        let first = unsafe LeadingBytes(wholeKey: key(0))
        let last = unsafe LeadingBytes(wholeKey: key(count - 1))
        let prefixCount =
            unsafe !keyed
            ? 0
            : count == 1
                ? RowForest.guessedPrefix(first)
                : first.firstDifference(from: last) ?? min(first.count, last.count)
        let leaf = unsafe leaves.create(capacity: count, prefix: first, prefixCount: prefixCount)
        unsafe leaves.ids(leaf).update(from: ids.start, count: count)
        unsafe leaves.hashes(leaf).update(from: hashes.start, count: count)
        let heads = unsafe leaves.heads(leaf)
        for index in 0..<count {
            unsafe heads[index] = keyed ? LeadingBytes(wholeKey: key(index)).head(at: prefixCount) : 0
        }
        leaves[leaf].count = UInt16(count)
        unsafe keepLast(key(count - 1))
        count = 0
        return leaf
    }

    private mutating func keepLast(_ key: UnsafeRawBufferPointer) {
        if key.count > lastKeyBytes.capacity { lastKeyBytes.resize(to: key.count * 2, keeping: 0) }
        if let base = key.baseAddress { unsafe memcpy(lastKeyBytes.start, base, key.count) }
        lastKeyCount = key.count
    }
}
