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
    /// Reads the full key that a row has in the index; it costs a database read.
    package typealias Resolve = (Int64) throws -> [UInt8]

    let forest: RowForest
    /// The sections; their weights are 1 and the number of rows.
    let positions: PositionTree
    /// The bulk build that is under way.
    var bulk: BulkBuild?

    /// An empty index, permanently with keys or without. Capacities are those of the tree's nodes.
    package init(keyed: Bool, leafCapacity: Int = 128, fanout: Int = 64) {
        forest = RowForest(keyed: keyed, leafCapacity: leafCapacity, fanout: fanout)
        positions = PositionTree()
    }

    /// Whether rows have keys.
    package var isKeyed: Bool { forest.keyed }

    /// The most rows of a leaf that can be split.
    package var leafCapacity: Int { forest.leafCapacity }

    /// The most rows of any leaf.
    package var leafLimit: Int { forest.leafLimit }

    /// Number of rows in all sections. O(1).
    package var rowCount: Int { positions.totals.second }

    /// Number of sections. O(1).
    package var sectionCount: Int { positions.count }

    /// Number of rows of one section. O(1).
    package func rowCount(in section: SectionID) -> Int { positions.weights(of: section.raw).second }

    /// The number of tree nodes that searches have read.
    package var nodesVisited: Int { forest.visited + positions.nodesVisited }

    /// The bytes that are allocated for the index, including the allocator's own. O(leaves).
    package var bytesHeld: Int { forest.bytesHeld + positions.bytesHeld }
}
