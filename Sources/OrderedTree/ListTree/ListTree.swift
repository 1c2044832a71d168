/// The handle of a section: the same as long as the section exists, wherever it moves. It may be
/// reused after the section's removal.
package struct SectionID: Hashable, Sendable {
    /// The handle in the sequence of sections.
    package let raw: Int32

    /// The section with that handle.
    package init(raw: Int32) { self.raw = raw }
}

/// The in-memory index of one live list: sections in order, each with its rows in order.
///
/// Ids identify rows, and are unique in the whole index. A keyed index also stores enough of the
/// rows' sort keys to find the place of a new key with at most one full key. An opaque index has
/// only positions. Index path, flat index and row are converted into one another in O(log n).
///
/// Closures given to an operation may read the index but must not change it.
package final class ListTree {
    /// Reads the full key that a row has in the index; it costs a database read. The key must stay
    /// valid until the next call, or until the operation of the index ends.
    package typealias Resolve = (Int64) throws -> UnsafeRawBufferPointer

    /// In place of the trees. Exclusivity is not checked at run time: no access calls the caller's
    /// closures.
    @safe @exclusivity(unchecked) var few = FewRows()
    /// The trees, which are made when they are needed. Exclusivity is not checked at run time: only
    /// a bulk build releases them, and no use of them calls that.
    @safe @exclusivity(unchecked) private var madeForest = Held<RowForest>()
    @safe @exclusivity(unchecked) private var madePositions = Held<PositionTree>()
    /// Whether rows have keys.
    package let isKeyed: Bool
    private let nodes: (leafCapacity: UInt16, fanout: UInt16)
    /// The bulk build that is under way.
    var bulk: BulkBuild?

    /// An empty index, permanently with keys or without. Capacities apply to the tree's nodes.
    package init(keyed: Bool, leafCapacity: Int = 128, fanout: Int = 64) {
        isKeyed = keyed
        nodes = (UInt16(RowForest.capacity(leafCapacity)), UInt16(RowForest.capacity(fanout)))
    }

    @inline(never)
    private func makeTrees() -> (forest: RowForest, positions: PositionTree) {
        let forest = RowForest(keyed: isKeyed, leafCapacity: Int(nodes.leafCapacity), fanout: Int(nodes.fanout))
        let positions = PositionTree()
        madeForest = Held(forest)
        madePositions = Held(positions)
        if few.isInUse { expand(exchange(&few, with: FewRows()), into: forest, positions) }
        return (forest, positions)
    }

    func releaseTrees() {
        madeForest = Held()
        madePositions = Held()
    }

    @inline(__always)
    var forest: RowForest { madeForest.reference ?? makeTrees().forest }
    /// The sections; their weights are 1 and the number of rows.
    @inline(__always)
    var positions: PositionTree { madePositions.reference ?? makeTrees().positions }

    /// Calls `body` with the trees of the rows, without counting a reference to them.
    @inline(__always)
    func withForest<Result>(_ body: (RowForest) throws -> Result) rethrows -> Result {
        try madeForest.borrow(body) ?? body(makeTrees().forest)
    }

    /// The same with the sections.
    @inline(__always)
    func withPositions<Result>(_ body: (PositionTree) throws -> Result) rethrows -> Result {
        try madePositions.borrow(body) ?? body(makeTrees().positions)
    }

    /// The most rows of a leaf that can be split.
    package var leafCapacity: Int { Int(nodes.leafCapacity) }

    /// The most rows of any leaf.
    package var leafLimit: Int { RowForest.leafLimit(leafCapacity) }

    /// Number of rows in all sections. O(1).
    package var rowCount: Int { few.isInUse ? few.count : madePositions.borrow { $0.totals.second } ?? 0 }

    /// Number of sections. O(1).
    package var sectionCount: Int { few.isInUse ? 1 : madePositions.borrow { $0.count } ?? 0 }

    /// Number of rows of one section. O(1).
    package func rowCount(in section: SectionID) -> Int {
        guard few.isInUse else { return withPositions { $0.weights(of: section.raw).second } }
        precondition(section.raw == FewRows.section, "not a section of this index")
        return few.count
    }

    /// The number of tree nodes that searches have read.
    package var nodesVisited: Int {
        (madeForest.borrow { $0.visited } ?? 0) + (madePositions.borrow { $0.nodesVisited } ?? 0)
    }

    /// The bytes that are allocated for the index, including the allocator's own. O(leaves).
    package var bytesHeld: Int {
        few.bytesHeld + (madeForest.borrow { $0.bytesHeld } ?? 0) + (madePositions.borrow { $0.bytesHeld } ?? 0)
    }
}
