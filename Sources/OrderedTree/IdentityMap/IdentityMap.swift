/// From a row id to the leaf that holds it: an array of leaves where ids lie close together, as
/// rowids mostly do, else a hash table.
struct IdentityMap: ~Copyable {
    /// Without room while ids are hashed.
    private var dense = DenseIdentities()
    private var hashed = HashedIdentities()

    var bytesHeld: Int { dense.bytesHeld + hashed.bytesHeld }
    var count: Int { dense.isInUse ? dense.count : hashed.count }

    /// Where a row stands; a few probes and the scan of one leaf.
    @inline(__always)
    func find(_ id: Int64, in leaves: borrowing LeafTable) -> (leaf: UInt32, index: Int)? {
        guard dense.isInUse else { return hashed.find(id, in: leaves) }
        guard let leaf = dense.leaf(of: id) else { return nil }
        return leaves.index(of: id, in: leaf, count: leaves.count(leaf)).map { (leaf, $0) }
    }

    /// Enters a row that is not there yet, after `reserve`.
    mutating func insert(_ id: Int64, leaf: UInt32) {
        if dense.isInUse { dense.insert(id, leaf: leaf) } else { hashed.insert(id, leaf: leaf) }
    }

    /// Takes a row of that leaf out.
    mutating func remove(_ id: Int64, leaf: UInt32) {
        if dense.isInUse { dense.remove(id) } else { hashed.remove(id, leaf: leaf) }
    }

    /// Notes that a row went from one leaf to another.
    @inline(__always)
    mutating func relocate(_ id: Int64, from old: UInt32, to new: UInt32) {
        if dense.isInUse { dense.relocate(id, to: new) } else { hashed.relocate(id, from: old, to: new) }
    }

    /// Brings the slots of many rows into the cache side by side, which is far quicker than to wait
    /// for one after the other.
    @inline(__always)
    mutating func warm(_ ids: UnsafeMutablePointer<Int64>, count: Int) {
        if dense.isInUse { unsafe dense.warm(ids, count: count) } else { unsafe hashed.warm(ids, count: count) }
    }

    /// Makes room for one more row. To grow, a hash table is filled anew from the leaves.
    mutating func reserve(_ id: Int64, from leaves: borrowing LeafTable) {
        guard dense.isInUse ? !dense.reserve(id) : !hashed.hasRoom else { return }
        let count = count
        // Before there is a larger one, that the two need not be held together.
        clear()
        hashed = HashedIdentities(count: count)
        for leaf in 0..<leaves.used where leaves.isLive(leaf) {
            let ids = unsafe leaves.ids(leaf)
            unsafe hashed.warm(ids, count: leaves.count(leaf))
            for index in 0..<leaves.count(leaf) { unsafe hashed.insert(ids[index], leaf: leaf) }
        }
    }

    /// Fills an empty map from all leaves, sized to fit. They have `count` rows with ids of a range, which is nil if
    /// there are none. Returns the first id that occurs twice.
    mutating func build(count: Int, ids: ClosedRange<Int64>?, from leaves: borrowing LeafTable) -> Int64? {
        clear()
        if let ids, DenseIdentities.areDense(ids, count: count) {
            dense = DenseIdentities(ids)
            return dense.build(from: leaves)
        }
        hashed = HashedIdentities(exactCount: count)
        return hashed.build(from: leaves)
    }

    mutating func clear() {
        dense = DenseIdentities()
        hashed = HashedIdentities()
    }
}
