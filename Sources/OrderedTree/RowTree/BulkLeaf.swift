import Glibc

/// The rows of the leaf being filled by a bulk build, with their full keys, so that the prefix and
/// all heads are known when it closes.
struct BulkLeaf {
    private struct State {
        var count = 0
        var keyBytes: UnsafeMutablePointer<UInt8>
        var keyRoom: Int
        /// The last key of the leaf closed before in the same section.
        var lastKey: UnsafeMutablePointer<UInt8>
        var lastRoom: Int
        var lastCount = 0
        let ids: UnsafeMutablePointer<Int64>
        let hashes: UnsafeMutablePointer<UInt32>
        /// Where the key of each row ends in the key bytes.
        let ends: UnsafeMutablePointer<Int>
    }

    let capacity: Int
    /// Behind a pointer so that no row pays for exclusivity checks; initialised between `open` and
    /// `shut` only.
    private let state: UnsafeMutablePointer<State>

    init(capacity: Int) {
        self.capacity = capacity
        state = .allocate(capacity: 1)
    }

    func open() {
        state.initialize(
            to: State(
                keyBytes: .allocate(capacity: 4096), keyRoom: 4096, lastKey: .allocate(capacity: 256),
                lastRoom: 256, ids: .allocate(capacity: capacity), hashes: .allocate(capacity: capacity),
                ends: .allocate(capacity: capacity)))
    }

    /// Gives the rooms for rows back, to be opened again or not at all.
    func shut() {
        state.pointee.keyBytes.deallocate()
        state.pointee.lastKey.deallocate()
        state.pointee.ids.deallocate()
        state.pointee.hashes.deallocate()
        state.pointee.ends.deallocate()
    }

    func destroy() { state.deallocate() }

    private var ids: UnsafeMutablePointer<Int64> { state.pointee.ids }
    private var hashes: UnsafeMutablePointer<UInt32> { state.pointee.hashes }
    private var ends: UnsafeMutablePointer<Int> { state.pointee.ends }

    @inline(__always)
    var count: Int { state.pointee.count }

    @inline(__always)
    func key(_ index: Int) -> UnsafeRawBufferPointer {
        let start = index == 0 ? 0 : ends[index - 1]
        return UnsafeRawBufferPointer(
            start: state.pointee.keyBytes + start, count: ends[index] - start)
    }

    var lastKey: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: state.pointee.lastKey, count: state.pointee.lastCount)
    }

    /// Adds a row; there is room for it.
    @inline(__always)
    func append(id: Int64, key: UnsafeRawBufferPointer, hash: UInt32) {
        let index = state.pointee.count
        let start = index == 0 ? 0 : ends[index - 1]
        let end = start + key.count
        if end > state.pointee.keyRoom { growKeys(used: start, needed: end) }
        if let base = key.baseAddress { memcpy(state.pointee.keyBytes + start, base, key.count) }
        ids[index] = id
        hashes[index] = hash
        ends[index] = end
        state.pointee.count = index + 1
    }

    /// Makes a leaf of the rows that just fits them, and starts anew.
    func close(keyed: Bool, into leaves: LeafTable) -> UInt32 {
        let count = state.pointee.count
        let first = LeadingBytes(wholeKey: key(0))
        let last = LeadingBytes(wholeKey: key(count - 1))
        let prefixCount =
            !keyed
            ? 0
            : count == 1
                ? RowForest.guessedPrefix(first)
                : first.firstDifference(from: last) ?? min(first.count, last.count)
        let leaf = leaves.create(capacity: count, prefix: first, prefixCount: prefixCount)
        leaves.ids(leaf).update(from: ids, count: count)
        leaves.hashes(leaf).update(from: hashes, count: count)
        let heads = leaves.heads(leaf)
        for index in 0..<count {
            heads[index] = keyed ? LeadingBytes(wholeKey: key(index)).head(at: prefixCount) : 0
        }
        leaves[leaf].pointee.count = UInt16(count)
        keepLast(key(count - 1))
        state.pointee.count = 0
        return leaf
    }

    private func keepLast(_ key: UnsafeRawBufferPointer) {
        if key.count > state.pointee.lastRoom {
            state.pointee.lastKey.deallocate()
            state.pointee.lastRoom = key.count * 2
            state.pointee.lastKey = .allocate(capacity: key.count * 2)
        }
        if let base = key.baseAddress { memcpy(state.pointee.lastKey, base, key.count) }
        state.pointee.lastCount = key.count
    }

    private func growKeys(used: Int, needed: Int) {
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: needed * 2)
        larger.update(from: state.pointee.keyBytes, count: used)
        state.pointee.keyBytes.deallocate()
        state.pointee.keyBytes = larger
        state.pointee.keyRoom = needed * 2
    }
}
