import Glibc

/// The rows of the leaf that a bulk build is filling, with their full keys, so that the prefix and
/// everything else that is stored of keys are known when the leaf is complete. Keys made of the
/// ids are not copied.
struct BulkLeaf: ~Copyable {
    let capacity: Int
    private let keyed: Bool
    private(set) var count = 0
    /// Whether the keys of the rows are made of their ids, and are not copied.
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
    private var excerpts = Excerpts()
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

    /// Adds neighbouring rows of a run; there is room for them. False if a key is not greater than
    /// the previous one in the leaf.
    mutating func append(_ run: RowRun, _ rows: Range<Int>) -> Bool {
        let first = count
        unsafe (ids.start + first).update(from: run.ids + rows.lowerBound, count: rows.count)
        unsafe (hashes.start + first).update(from: run.hashes + rows.lowerBound, count: rows.count)
        count += rows.count
        if let keys = unsafe run.keys { return unsafe appendKeys(keyed ? keys : nil, rows, from: first) }
        hasIDKeys = true
        var disorder = false
        for index in max(first, 1)..<max(count, 1) { disorder = disorder || ids[index] <= ids[index - 1] }
        if disorder { areIDsInOrder = false }
        return !disorder
    }

    /// Adds the keys of rows that were just added from index `first` on.
    private mutating func appendKeys(_ keys: RowRun.KeyRun?, _ rows: Range<Int>, from first: Int) -> Bool {
        hasIDKeys = false
        guard let keys = unsafe keys else {
            for index in first..<count { ends[index] = 0 }
            return true
        }
        let source = unsafe keys.start(of: rows.lowerBound)
        let end = first == 0 ? 0 : ends[first - 1]
        let length = unsafe keys.ends[rows.upperBound - 1] - source
        if end + length + BulkLeaf.slack > keyBytes.capacity {
            keyBytes.resize(to: (end + length) * 2 + BulkLeaf.slack, keeping: end)
        }
        if let base = unsafe keys.bytes.baseAddress { unsafe memcpy(keyBytes.start + end, base + source, length) }
        unsafe memset(keyBytes.start + end + length, 0, BulkLeaf.slack)
        for index in 0..<rows.count {
            ends[first + index] = unsafe keys.ends[rows.lowerBound + index] - source + end
        }
        return noteDepths(from: first)
    }

    /// Compares each key from index `first` on with the previous one. False if one is not greater.
    private mutating func noteDepths(from first: Int) -> Bool {
        if first == 0 { depths[0] = 0 }
        var isInOrder = true
        var least = leastDepth
        var lastStart = first < 2 ? 0 : ends[first - 2]
        var start = ends[max(first, 1) - 1]
        for index in max(first, 1)..<max(count, 1) {
            let end = ends[index]
            let (lastCount, newCount) = (start &- lastStart, end &- start)
            let (last, new) = unsafe (keyBytes.start + lastStart, keyBytes.start + start)
            let depth = unsafe BulkLeaf.commonLength(last, new, limit: min(lastCount, newCount))
            let isGreater = unsafe depth < newCount && (depth == lastCount || last[depth] < new[depth])
            isInOrder = isInOrder && isGreater
            depths[index] = depth
            least = min(least, depth)
            (lastStart, start) = (start, end)
        }
        leastDepth = least
        return isInOrder
    }

    /// The number of first bytes that two keys have in common. It reads up to `slack` bytes after
    /// their ends, so that it never compares single bytes as `commonPrefixLength` does.
    @inline(__always)
    private static func commonLength(_ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, limit: Int) -> Int {
        var length = 0
        while length < limit {
            let x = unsafe UnsafeRawPointer(a + length).loadUnaligned(as: UInt64.self)
            let y = unsafe UnsafeRawPointer(b + length).loadUnaligned(as: UInt64.self)
            if x != y { return min(limit, length &+ (UInt64(littleEndian: x ^ y).trailingZeroBitCount &>> 3)) }
            length &+= 8
        }
        return limit
    }

    /// How many bytes after the last key may be read; they are zeros.
    private static let slack = 8

    /// Makes a leaf of the rows, and starts the next one.
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

    /// A leaf of the rows without marks. It has the prefix of the given key.
    private func create(in leaves: inout LeafTable, prefix: UnsafeRawBufferPointer) -> UInt32 {
        let leaf = unsafe leaves.create(
            capacity: LeafTable.builtCapacity(for: count), prefix: KeyBytes(prefix), prefixCount: prefixCount)
        unsafe leaves.ids(leaf).update(from: ids.start, count: count)
        unsafe leaves.hashes(leaf).update(from: hashes.start, count: count)
        leaves[leaf].count = UInt16(count)
        return leaf
    }

    /// Sets the longest possible prefix and exact marks of a leaf that has the same rows.
    mutating func replace(_ leaf: UInt32, in leaves: inout LeafTable) {
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

    private mutating func setMarks(of leaf: UInt32, in leaves: inout LeafTable) {
        let prefixCount = leaves.prefixCount(leaf)
        excerpts.removeAll()
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
            // The bytes that the next key has in common with this one beyond the mark, and where
            // they differ.
            if index + 1 < count, depths[index + 1] >= offset + 4 {
                unsafe excerpts.add(index, key, from: offset + 4, to: depths[index + 1] + 1)
            }
            start = end
        }
        leaves[leaf].excerpts = Excerpts(excerpts)
    }

    private func setIDMarks(of leaf: UInt32, _ prefixCount: Int, in leaves: inout LeafTable) {
        let marks = unsafe leaves.marks(leaf)
        var last = IDKey(ids[0])
        if IDKey.areShallow(after: prefixCount) {
            for index in 0..<count {
                let key = IDKey(ids[index])
                let depth = index == 0 ? prefixCount : key.commonLength(with: last)
                unsafe marks[index] = key.shallowMark(depth: depth, prefixCount)
                last = key
            }
            return
        }
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
