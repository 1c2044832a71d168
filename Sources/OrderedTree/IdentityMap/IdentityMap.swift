/// Maps each row id to the leaf that contains it: an array of leaves where ids are close together,
/// as rowids mostly are, else a hash table.
struct IdentityMap: ~Copyable {
    /// Without memory while ids are hashed.
    private var dense = DenseIdentities()
    private var hashed = HashedIdentities()
    /// Whether each leaf is inserted as soon as it is built.
    private var isFilling = false

    var bytesHeld: Int { dense.bytesHeld + hashed.bytesHeld }
    var count: Int { dense.isInUse ? dense.count : hashed.count }

    /// The place of a row; a few probes and the scan of one leaf.
    @inline(__always)
    func find(_ id: Int64, in leaves: borrowing LeafTable) -> (leaf: UInt32, index: Int)? {
        guard dense.isInUse else { return hashed.find(id, in: leaves) }
        guard let leaf = dense.leaf(of: id) else { return nil }
        return leaves.index(of: id, in: leaf, count: leaves.count(leaf)).map { (leaf, $0) }
    }

    /// The leaf of a row if the map contains it. The leaf is not read, so a hash table may err.
    @inline(__always)
    func presumedLeaf(of id: Int64) -> UInt32? {
        dense.isInUse ? dense.leaf(of: id) : hashed.presumedLeaf(of: id)
    }

    /// Inserts a row that is not contained yet, after `reserve`.
    mutating func insert(_ id: Int64, leaf: UInt32) {
        if dense.isInUse { dense.insert(id, leaf: leaf) } else { hashed.insert(id, leaf: leaf) }
    }

    /// Removes a row of that leaf.
    mutating func remove(_ id: Int64, leaf: UInt32) {
        if dense.isInUse { dense.remove(id) } else { hashed.remove(id, leaf: leaf) }
    }

    /// Notes that a row moved from one leaf to another.
    @inline(__always)
    mutating func relocate(_ id: Int64, from old: UInt32, to new: UInt32) {
        if dense.isInUse { dense.relocate(id, to: new) } else { hashed.relocate(id, from: old, to: new) }
    }

    /// Loads the slots of many rows into the cache together, which is far faster than one after the
    /// other.
    @inline(__always)
    mutating func warm(_ ids: UnsafeMutablePointer<Int64>, count: Int) {
        if dense.isInUse { unsafe dense.warm(ids, count: count) } else { unsafe hashed.warm(ids, count: count) }
    }

    /// Makes room for one more row. A hash table grows by being filled again from the leaves.
    mutating func reserve(_ id: Int64, from leaves: borrowing LeafTable) {
        guard dense.isInUse ? !dense.reserve(id) : !hashed.hasRoom(leaves: leaves.used) else { return }
        let count = count
        // Before the larger one is allocated, so that the two do not exist together.
        clear()
        hashed = HashedIdentities(count: count, leaves: leaves.used)
        let twice = hashed.fill(count: count, from: leaves)
        assert(twice == nil, "the rows were in the map")
    }

    /// Prepares an empty map for rows of which most have ids that another map contains: leaves can
    /// be inserted while the tree is built, when their ids are in the processor's cache.
    mutating func prepare(like other: borrowing IdentityMap) {
        guard other.dense.isInUse else { return }
        dense = DenseIdentities(like: other.dense)
        isFilling = true
    }

    /// Inserts the rows of a leaf, if the map is prepared for them. If it is not, `build` inserts
    /// all rows later.
    @inline(__always)
    mutating func fill(_ ids: UnsafePointer<Int64>, count: Int, leaf: UInt32) {
        if isFilling, unsafe !dense.insert(ids, count: count, leaf: leaf) { clear() }
    }

    /// Fills a map from all leaves, with memory that fits, unless `fill` has inserted all of them.
    /// They have `count` rows with ids of a range, which is nil if there are none. Returns the
    /// first id that occurs twice.
    ///
    /// - Parameter ascending: Whether the ids of each leaf ascend.
    mutating func build(
        count: Int, ids: ClosedRange<Int64>?, ascending: Bool, from leaves: borrowing LeafTable
    ) -> Int64? {
        if isFilling, dense.isDense {
            isFilling = false
            return nil
        }
        clear()
        if let ids, DenseIdentities.areDense(ids, count: count) {
            dense = DenseIdentities(ids)
            return dense.build(from: leaves, ascending: ascending)
        }
        hashed = HashedIdentities(exactCount: count, leaves: leaves.used)
        return hashed.fill(count: count, from: leaves)
    }

    mutating func clear() {
        dense = DenseIdentities()
        hashed = HashedIdentities()
        isFilling = false
    }
}
