/// A sequence of Int32 handles, each with two weights, which finds position, handle and sums of
/// weights in O(log n).
///
/// A treap by position in one array of nodes. Links are indices. Priorities are a hash of the
/// handle, so that the shape depends only on the sequence of operations. A handle stays the same
/// while its element is in the sequence, wherever it moves, and may be reused after its removal.
/// The sum of either weight must stay below 2^31.
package final class PositionTree {
    /// The two weights of an element, for example its sections and its rows.
    package struct Weights: Equatable, Sendable {
        package var first: Int
        package var second: Int

        package init(first: Int, second: Int) {
            self.first = first
            self.second = second
        }
    }

    /// No handle, or no link.
    static let none: Int32 = -1

    struct Node: SlabElement {
        var left: Int32
        var right: Int32
        var parent: Int32
        /// The number of nodes in this subtree; 0 marks a free slot, whose link is `left`.
        var count: Int32
        var firstSum: Int32
        var secondSum: Int32
        var first: Int32
        var second: Int32

        /// A node without children or parent.
        init(_ weights: Weights) {
            left = PositionTree.none
            right = PositionTree.none
            parent = PositionTree.none
            count = 1
            first = Int32(weights.first)
            second = Int32(weights.second)
            firstSum = first
            secondSum = second
        }

        init(nextFree: Int32) {
            self.init(Weights(first: 0, second: 0))
            count = 0
            left = nextFree
        }

        var nextFree: Int32? { count == 0 ? left : nil }
    }

    // Exclusivity is not checked at run time: no change of the nodes calls the caller's closures.
    @safe @exclusivity(unchecked) var nodes = Slab<Node>(leastCapacity: 8)
    @safe @exclusivity(unchecked) var root = PositionTree.none
    /// The element that was searched last, as changes and reads ask for the same one again and
    /// again.
    @safe @exclusivity(unchecked) var sought: (handle: Int32, index: Int32) = (PositionTree.none, 0)

    /// The change of an element's weights that the sums above it do not include yet, because the
    /// next one often undoes it: a row that moves leaves its section and enters it again.
    @safe @exclusivity(unchecked) var unsummed: (handle: Int32, first: Int32, second: Int32) = (PositionTree.none, 0, 0)

    /// An empty sequence.
    package init() {}

    /// Number of elements. O(1).
    package var count: Int { Int(subtreeCount(root)) }

    /// Handles are less than this number.
    var handleCount: Int { nodes.used }

    /// Sums of the weights of all elements. O(1).
    package var totals: Weights {
        Weights(first: Int(firstSum(root) + unsummed.first), second: Int(secondSum(root) + unsummed.second))
    }

    /// The number of nodes read so far.
    @safe @exclusivity(unchecked) package internal(set) var nodesVisited = 0

    /// The bytes that are allocated, including the allocator's own. O(1).
    package var bytesHeld: Int { nodes.bytesHeld }

    /// Whether the handle denotes an element of the sequence. O(1).
    package func contains(_ handle: Int32) -> Bool {
        nodes.contains(Int(handle))
    }

    /// The weights of one element. O(1).
    package func weights(of handle: Int32) -> Weights {
        precondition(contains(handle), "not a handle of this sequence")
        return Weights(first: Int(self[handle].first), second: Int(self[handle].second))
    }

    @inline(__always)
    subscript(handle: Int32) -> Node {
        @inline(__always) _read { yield nodes[Int(handle)] }
        @inline(__always) _modify { yield &nodes[Int(handle)] }
    }

    @inline(__always)
    func subtreeCount(_ handle: Int32) -> Int32 {
        handle == PositionTree.none ? 0 : self[handle].count
    }

    @inline(__always)
    func firstSum(_ handle: Int32) -> Int32 {
        handle == PositionTree.none ? 0 : self[handle].firstSum
    }

    @inline(__always)
    func secondSum(_ handle: Int32) -> Int32 {
        handle == PositionTree.none ? 0 : self[handle].secondSum
    }
}
