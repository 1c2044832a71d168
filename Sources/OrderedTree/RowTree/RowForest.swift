/// The B+ trees of all sections, with shared leaves, branches and identity map.
///
/// A search descends by separators, then decides by what one leaf stores of its keys; it reads at
/// most one full key. Parent links lead upwards, so that the rank of a row is computed from its
/// leaf.
final class RowForest {
    /// The tree of one section.
    struct Root: BitwiseCopyable {
        static let none = UInt32.max
        static let empty = Root(node: none, level: 0)

        /// A leaf if `level` is 0, else a branch; `none` if the section has no rows.
        var node: UInt32
        var level: Int32
    }

    /// A place for a row, as a leaf and an index.
    struct LeafPlace {
        var leaf: UInt32
        var index: Int
    }

    let keyed: Bool
    let leafCapacity: Int

    // Exclusivity is not checked at run time, which would cost a third of the time. A change of a
    // table calls only that table and reads of the other tables, and never the caller's closures.
    @safe @exclusivity(unchecked) var leaves = LeafTable()
    @safe @exclusivity(unchecked) var branches: BranchTable
    @safe @exclusivity(unchecked) var identities = IdentityMap()
    /// By section.
    @safe @exclusivity(unchecked) var roots = Block<Root>(capacity: 0)
    /// The number of nodes that searches have read.
    @safe @exclusivity(unchecked) var visited = 0
    /// Counts what may change the places of rows.
    @safe @exclusivity(unchecked) var edits = 0

    init(keyed: Bool, leafCapacity: Int, fanout: Int) {
        self.keyed = keyed
        self.leafCapacity = Self.capacity(leafCapacity)
        branches = BranchTable(fanout: Self.capacity(fanout))
    }

    /// A capacity of nodes within its limits.
    static func capacity(_ wanted: Int) -> Int { min(max(wanted, 4), 4096) }

    var bytesHeld: Int {
        leaves.bytesHeld + branches.bytesHeld + identities.bytesHeld + roots.bytesHeld
    }

    /// A leaf with more rows is split whether or not enough of its keys is known for a separator.
    var splitLimit: Int { Self.splitLimit(leafCapacity) }
    private static func splitLimit(_ leafCapacity: Int) -> Int { max(leafCapacity * 2, 128) }
    /// The most rows of any leaf, unless none of its depths could be stored.
    var leafLimit: Int { Self.leafLimit(leafCapacity) }
    static func leafLimit(_ leafCapacity: Int) -> Int { splitLimit(leafCapacity) * 4 }
    /// The fewest rows of a leaf after a removal, unless it is a root.
    var leastRows: Int { leafCapacity / 2 - leafCapacity / 8 }
    /// The most rows of a leaf after a merge; below the capacity, so that the leaf is not split
    /// immediately.
    var mostMergedRows: Int { leafCapacity - leafCapacity / 8 }
    var leastChildren: Int { branches.fanout / 2 }

    /// Adds the tree of a section, at first without rows.
    func addSection(_ section: Int32) {
        let old = roots.capacity
        if Int(section) >= old {
            roots.resize(to: max(8, Int(section) + 1, old * 2), keeping: old)
        }
        unsafe (roots.start + Int(section)).initialize(to: .empty)
    }

    /// Frees the memory for further nodes, and for sections with further handles.
    func shrinkToFit(handles: Int) {
        leaves.shrinkToFit()
        branches.shrinkToFit()
        if handles < roots.capacity { roots.resize(to: handles, keeping: handles) }
    }

    func setRoot(_ section: Int32, node: UInt32, level: Int) {
        roots[Int(section)] = Root(node: node, level: Int32(level))
        setParent(of: node, level: level, ~section)
    }

    @inline(__always)
    func setParent(of node: UInt32, level: Int, _ parent: Int32) {
        if level == 0 {
            leaves[node].parent = parent
        } else {
            branches[node].parent = parent
        }
    }

    @inline(__always)
    func parent(of node: UInt32, level: Int) -> Int32 {
        level == 0 ? leaves[node].parent : branches[node].parent
    }

    func rows(below node: UInt32, level: Int) -> Int {
        level == 0 ? leaves.count(node) : branches.rows(node)
    }

    func firstLeaf(below start: UInt32, level: Int) -> UInt32 {
        var node = start
        for _ in 0..<level { node = branches[child: node, 0] }
        return node
    }

    func lastLeaf(below start: UInt32, level: Int) -> UInt32 {
        var node = start
        for _ in 0..<level { node = branches[child: node, branches.count(node) - 1] }
        return node
    }

    /// Adds to the row counts from a leaf up to its root; returns the section.
    @inline(__always)
    func addRows(_ change: Int, above leaf: UInt32) -> Int32 {
        var node = leaf
        var parent = leaves[leaf].parent
        while parent >= 0 {
            let branch = UInt32(parent)
            let slot = branches.slot(of: node, in: branch)
            branches[rows: branch, slot] &+= UInt32(truncatingIfNeeded: change)
            node = branch
            parent = branches[branch].parent
        }
        return ~parent
    }
}
