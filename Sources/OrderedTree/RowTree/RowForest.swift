/// The B+ trees of all sections, with shared leaves, branches and identity map.
///
/// A search goes down by separators, then decides among the heads of one leaf; full keys are asked
/// for only where heads tie or where a separator is not known yet. Parent links lead back up, so
/// that the rank of a row follows from its leaf.
struct RowForest {
    /// The tree of one section.
    struct Root {
        static let none = UInt32.max
        /// A leaf when `level` is 0, else a branch; `none` when the section has no rows.
        var node: UInt32
        var level: Int32
    }

    struct State {
        var roots: UnsafeMutablePointer<Root>?
        var capacity = 0
        var visited = 0
        var memory = MemoryGauge()
    }

    /// A place for a row, in terms of the tree.
    struct Place {
        var leaf: UInt32
        var index: Int
    }

    let keyed: Bool
    let leafCapacity: Int
    let leaves: LeafTable
    let branches: BranchTable
    let identities: IdentityMap
    let state: UnsafeMutablePointer<State>

    init(keyed: Bool, leafCapacity: Int, fanout: Int) {
        self.keyed = keyed
        self.leafCapacity = min(max(leafCapacity, 4), 4096)
        leaves = LeafTable()
        branches = BranchTable(fanout: min(max(fanout, 4), 4096))
        identities = IdentityMap()
        state = .allocate(capacity: 1)
        state.initialize(to: State())
    }

    func destroy() {
        leaves.destroy()
        branches.destroy()
        identities.destroy()
        if let roots = state.pointee.roots { UnsafeMutableRawPointer(roots).deallocate() }
        state.deallocate()
    }

    var bytesHeld: Int {
        leaves.bytesHeld + branches.bytesHeld + identities.bytesHeld + state.pointee.memory.bytes
    }

    /// Fewest rows of a leaf after a removal, unless it is a root.
    var leastRows: Int { leafCapacity / 2 - leafCapacity / 8 }
    /// Most rows of a leaf made by a merge; below the capacity, so that it does not split at once.
    var mostMergedRows: Int { leafCapacity - leafCapacity / 8 }
    var leastChildren: Int { branches.fanout / 2 }

    @inline(__always)
    func root(_ section: Int32) -> UnsafeMutablePointer<Root> {
        state.pointee.roots.unsafelyUnwrapped + Int(section)
    }

    /// Makes a place for the tree of a section, at first without rows.
    func addSection(_ section: Int32) {
        if Int(section) >= state.pointee.capacity {
            resizeRoots(to: max(8, Int(section) + 1, state.pointee.capacity * 2))
        }
        root(section).initialize(to: Root(node: Root.none, level: 0))
    }

    func shrinkToFit(sections: Int) {
        leaves.shrinkToFit()
        branches.shrinkToFit()
        if sections > 0, sections < state.pointee.capacity { resizeRoots(to: sections) }
    }

    func setRoot(_ section: Int32, node: UInt32, level: Int) {
        root(section).pointee = Root(node: node, level: Int32(level))
        setParent(of: node, level: level, ~section)
    }

    @inline(__always)
    func setParent(of node: UInt32, level: Int, _ parent: Int32) {
        if level == 0 {
            leaves[node].pointee.parent = parent
        } else {
            branches[node].pointee.parent = parent
        }
    }

    @inline(__always)
    func parent(of node: UInt32, level: Int) -> Int32 {
        level == 0 ? leaves[node].pointee.parent : branches[node].pointee.parent
    }

    func rows(below node: UInt32, level: Int) -> Int {
        level == 0 ? leaves.count(node) : branches.rows(node)
    }

    func firstLeaf(below start: UInt32, level: Int) -> UInt32 {
        var node = start
        for _ in 0..<level { node = branches.children(node)[0] }
        return node
    }

    func lastLeaf(below start: UInt32, level: Int) -> UInt32 {
        var node = start
        for _ in 0..<level { node = branches.children(node)[branches.count(node) - 1] }
        return node
    }

    /// Adds to the row counts from a leaf up to its root; returns the section.
    @inline(__always)
    func addRows(_ change: Int, above leaf: UInt32) -> Int32 {
        var node = leaf
        var parent = leaves[leaf].pointee.parent
        while parent >= 0 {
            let branch = UInt32(parent)
            let slot = branches.slot(of: node, in: branch)
            branches.rowCounts(branch)[slot] &+= UInt32(truncatingIfNeeded: change)
            node = branch
            parent = branches[branch].pointee.parent
        }
        return ~parent
    }

    private func resizeRoots(to capacity: Int) {
        let stride = MemoryLayout<Root>.stride
        let old = state.pointee.capacity
        let block = state.pointee.memory.resize(
            state.pointee.roots.map { UnsafeMutableRawPointer($0) }, of: old * stride,
            used: min(old, capacity) * stride, to: capacity * stride)
        state.pointee.roots = block.assumingMemoryBound(to: Root.self)
        state.pointee.capacity = capacity
    }
}
