/// The handle of a section: the same for the section's life, wherever it moves. It may be reused
/// after the section's removal.
package struct SectionID: Hashable, Sendable {
    /// The handle in the sequence of sections.
    package let raw: Int32

    /// The section with that handle.
    package init(raw: Int32) { self.raw = raw }
}

/// The in-memory index of one live list: sections in order, each with its rows in order.
///
/// Rows are known by ids, unique in the whole index. A keyed index also knows enough of the rows'
/// sort keys to find the place of a new key by asking for one full key at most. An
/// opaque index knows positions only. Index path, flat index and row lead to one another in
/// O(log n).
///
/// Closures given to an operation may read the index but must not change it.
package final class ListTree {
    /// Reads the full key under which a row of the index stands; it costs a database read.
    package typealias Resolve = (Int64) throws -> [UInt8]

    let forest: RowForest
    /// The sections; weights are 1 and the number of rows.
    let positions: PositionTree
    /// The next bulk build, or the one that is under way. Not checked for exclusivity as the program runs, which every
    /// row would pay for: it calls nothing of the caller's.
    @safe @exclusivity(unchecked) var bulk: BulkBuilder

    /// An empty index, with keys or without for its life. Capacities are those of the tree's nodes.
    package init(keyed: Bool, leafCapacity: Int = 128, fanout: Int = 64) {
        forest = RowForest(keyed: keyed, leafCapacity: leafCapacity, fanout: fanout)
        positions = PositionTree()
        bulk = BulkBuilder(forest: forest)
    }

    /// Whether rows have keys.
    package var isKeyed: Bool { forest.keyed }

    /// The most rows of a leaf that can be split.
    package var leafCapacity: Int { forest.leafCapacity }

    /// The most rows of any leaf.
    package var leafLimit: Int { forest.leafLimit }

    /// Number of rows of all sections. O(1).
    package var rowCount: Int { positions.totals.second }

    /// Number of sections. O(1).
    package var sectionCount: Int { positions.count }

    /// Number of rows of one section. O(1).
    package func rowCount(in section: SectionID) -> Int { positions.weights(of: section.raw).second }

    /// Tree nodes looked at by searches so far.
    package var nodesVisited: Int { forest.visited + positions.nodesVisited }

    /// Bytes really allocated for the index. O(leaves).
    package var bytesHeld: Int { forest.bytesHeld + positions.bytesHeld }
}
