/// A sequence of Int32 handles, each with two weights, that answers for position, handle and sums
/// of weights in O(log n).
///
/// A treap by position in one array of nodes: links are indices, priorities are a hash of the
/// handle, so that the shape follows from the history alone. Handles stay the same while their
/// element stands in the sequence, wherever it moves, and may be reused after its removal.
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

    /// No handle; also the absent link.
    static let none: Int32 = -1

    struct Node {
        var left: Int32
        var right: Int32
        var parent: Int32
        /// Nodes in this subtree; 0 marks a node on the free list, linked by `left`.
        var count: Int32
        var firstSum: Int32
        var secondSum: Int32
        var first: Int32
        var second: Int32
    }

    struct State {
        var nodes: UnsafeMutablePointer<Node>?
        var capacity = 0
        var used = 0
        var free = PositionTree.none
        var root = PositionTree.none
        var visited = 0
        var memory = MemoryGauge()
    }

    /// Behind a pointer so that no access pays for exclusivity checks.
    let state: UnsafeMutablePointer<State>

    /// An empty sequence.
    package init() {
        state = .allocate(capacity: 1)
        state.initialize(to: State())
    }

    deinit {
        if let nodes = state.pointee.nodes { UnsafeMutableRawPointer(nodes).deallocate() }
        state.deallocate()
    }

    /// Number of elements. O(1).
    package var count: Int { Int(subtreeCount(state.pointee.root)) }

    /// Sums of the weights of all elements. O(1).
    package var totals: Weights {
        let root = state.pointee.root
        return Weights(first: Int(firstSum(root)), second: Int(secondSum(root)))
    }

    /// Nodes looked at since the last reset.
    package var nodesVisited: Int { state.pointee.visited }

    /// Sets the counter of visited nodes to 0.
    package func resetNodesVisited() { state.pointee.visited = 0 }

    /// Bytes really allocated. O(1).
    package var bytesHeld: Int { state.pointee.memory.bytes + MemoryLayout<State>.size }

    /// Whether the handle names an element of the sequence. O(1).
    package func contains(_ handle: Int32) -> Bool {
        handle >= 0 && Int(handle) < state.pointee.used && node(handle).pointee.count > 0
    }

    /// The weights of one element. O(1).
    package func weights(of handle: Int32) -> Weights {
        precondition(contains(handle), "not a handle of this sequence")
        let node = node(handle).pointee
        return Weights(first: Int(node.first), second: Int(node.second))
    }

    @inline(__always)
    func node(_ handle: Int32) -> UnsafeMutablePointer<Node> {
        state.pointee.nodes.unsafelyUnwrapped + Int(handle)
    }

    @inline(__always)
    func subtreeCount(_ handle: Int32) -> Int32 {
        handle == PositionTree.none ? 0 : node(handle).pointee.count
    }

    @inline(__always)
    func firstSum(_ handle: Int32) -> Int32 {
        handle == PositionTree.none ? 0 : node(handle).pointee.firstSum
    }

    @inline(__always)
    func secondSum(_ handle: Int32) -> Int32 {
        handle == PositionTree.none ? 0 : node(handle).pointee.secondSum
    }
}
