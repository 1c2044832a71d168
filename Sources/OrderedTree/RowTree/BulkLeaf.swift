import Glibc

/// The rows of the leaf that a bulk build is filling, with their full keys, so that the prefix and
/// everything else that is stored of keys are known when the leaf is complete. Keys that are those
/// of the ids are not copied.
struct BulkLeaf: ~Copyable {
    let capacity: Int
    private let keyed: Bool
    private(set) var count = 0
    /// Whether the keys of the rows are those of their ids, and are not copied.
    private var hasIDKeys = false
    /// Whether such keys ascend, so that the first and the last one determine what all have in
    /// common.
    private var areIDsInOrder = true
    private var ids: Block<Int64>
    private var hashes: Block<UInt32>
    /// Where the key of each row ends in the key bytes.
    private var ends: Block<Int>
    /// How many bytes each key has in common with the previous one in the leaf.
    private var depths: Block<Int>
    /// The least of these, which all keys have in common.
    private var leastDepth = Int.max
    private var keyBytes: Block<UInt8>
    /// The last key of the previous leaf in the same section.
    private var lastKeyBytes: Block<UInt8>
    private var lastKeyCount = 0

    init(capacity: Int, keyed: Bool) {
        self.capacity = capacity
        self.keyed = keyed
        ids = Block(capacity: capacity)
        hashes = Block(capacity: capacity)
        ends = Block(capacity: capacity)
        depths = Block(capacity: capacity)
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

    /// Adds a row; there is room for it. False if its key is not greater than the previous one in
    /// the leaf.
    @inline(__always)
    mutating func append(id: Int64, key: UnsafeRawBufferPointer, hash: UInt32) -> Bool {
        let start = count == 0 ? 0 : ends[count - 1]
        let end = start + key.count
        var depth = 0
        var isInOrder = true
        if keyed, count > 0 {
            let (last, new) = unsafe (KeyBytes(self.key(count - 1)), KeyBytes(key))
            depth = unsafe new.commonLength(with: last)
            isInOrder = unsafe last.symbol(at: depth) < new.symbol(at: depth)
        }
        if end > keyBytes.capacity { keyBytes.resize(to: end * 2, keeping: start) }
        if let base = key.baseAddress { unsafe memcpy(keyBytes.start + start, base, key.count) }
        hasIDKeys = false
        ids[count] = id
        hashes[count] = hash
        ends[count] = end
        depths[count] = depth
        if count > 0 { leastDepth = min(leastDepth, depth) }
        count += 1
        return isInOrder
    }

    /// Adds rows whose keys are those of their ids; there is room for them. False if an id is not
    /// greater than the previous one in the leaf.
    mutating func append(ids new: UnsafePointer<Int64>, hashes newHashes: UnsafePointer<UInt32>, count added: Int)
        -> Bool
    {
        unsafe (ids.start + count).update(from: new, count: added)
        unsafe (hashes.start + count).update(from: newHashes, count: added)
        var disorder = count > 0 && ids[count] <= ids[count - 1]
        for index in 1..<max(added, 1) { disorder = unsafe disorder || new[index] <= new[index - 1] }
        hasIDKeys = true
        if disorder { areIDsInOrder = false }
        count += added
        return !disorder
    }

    /// Makes a leaf of the rows that just fits them, and starts the next one.
    mutating func close(into leaves: inout LeafTable) -> UInt32 {
        let (first, last) = (IDKey(ids[0]), IDKey(ids[count - 1]))
        let leaf =
            unsafe hasIDKeys
            ? first.withBytes { unsafe create(in: &leaves, prefix: $0) } : create(in: &leaves, prefix: key(0))
        setMarks(of: leaf, in: &leaves)
        if hasIDKeys { unsafe last.withBytes { unsafe keepLast($0) } } else { unsafe keepLast(key(count - 1)) }
        count = 0
        leastDepth = .max
        areIDsInOrder = true
        return leaf
    }

    /// A leaf of the rows without marks. Its prefix is that of the given key.
    private func create(in leaves: inout LeafTable, prefix: UnsafeRawBufferPointer) -> UInt32 {
        let leaf = unsafe leaves.create(capacity: count, prefix: KeyBytes(prefix), prefixCount: prefixCount)
        unsafe leaves.ids(leaf).update(from: ids.start, count: count)
        unsafe leaves.hashes(leaf).update(from: hashes.start, count: count)
        leaves[leaf].count = UInt16(count)
        return leaf
    }

    /// Sets the longest possible prefix and exact marks of a leaf that has the same rows.
    func replace(_ leaf: UInt32, in leaves: inout LeafTable) {
        let prefix = unsafe UnsafeRawBufferPointer(rebasing: key(0)[..<prefixCount])
        unsafe leaves.rebuild(leaf, capacity: Int(leaves[leaf].capacity), prefix: KeyBytes(prefix, isWhole: false))
        setMarks(of: leaf, in: &leaves)
    }

    /// The length of the prefix that all keys have in common; a guess if there is only one key.
    private var prefixCount: Int {
        if !keyed { return 0 }
        if hasIDKeys, !areIDsInOrder { return 0 }
        if hasIDKeys, count > 1 { return IDKey(ids[0]).commonLength(with: IDKey(ids[count - 1])) }
        if hasIDKeys { return RowForest.guessedPrefix(IDKey.count) }
        return unsafe count > 1 ? leastDepth : RowForest.guessedPrefix(key(0).count)
    }

    private func setMarks(of leaf: UInt32, in leaves: inout LeafTable) {
        let prefixCount = leaves.prefixCount(leaf)
        if hasIDKeys { return setIDMarks(of: leaf, prefixCount, in: &leaves) }
        let marks = unsafe leaves.marks(leaf)
        if !keyed {
            for index in 0..<count { unsafe marks[index] = .none }
            return
        }
        var start = 0
        for index in 0..<count {
            let end = ends[index]
            let key = unsafe KeyBytes(UnsafeRawBufferPointer(start: keyBytes.start + start, count: end - start))
            let distance = index == 0 ? 0 : depths[index] - prefixCount
            let offset = distance <= Mark.shallow ? prefixCount : depths[index]
            if distance <= Mark.greatestDistance, offset + 4 <= key.count {
                unsafe marks[index] = Mark(distance: distance, head: key.head(at: offset))
            } else {
                unsafe marks[index] = Mark(distance: distance, Fragment(key, at: offset))
            }
            start = end
        }
    }

    private func setIDMarks(of leaf: UInt32, _ prefixCount: Int, in leaves: inout LeafTable) {
        let marks = unsafe leaves.marks(leaf)
        var last = IDKey(ids[0])
        unsafe marks[0] = Mark(distance: 0, last.fragment(at: prefixCount))
        for index in 1..<count {
            let key = IDKey(ids[index])
            let depth = key.commonLength(with: last)
            let isShallow = depth - prefixCount <= Mark.shallow
            unsafe marks[index] = Mark(
                distance: depth - prefixCount, key.fragment(at: isShallow ? prefixCount : depth))
            last = key
        }
    }

    private mutating func keepLast(_ key: UnsafeRawBufferPointer) {
        if key.count > lastKeyBytes.capacity { lastKeyBytes.resize(to: key.count * 2, keeping: 0) }
        if let base = key.baseAddress { unsafe memcpy(lastKeyBytes.start, base, key.count) }
        lastKeyCount = key.count
    }
}
