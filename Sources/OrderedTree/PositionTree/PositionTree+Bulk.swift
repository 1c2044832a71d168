/// Building a long sequence at once.
extension PositionTree {
    /// Appends an element that no search finds until `finishBulk`, and returns its handle. The
    /// sequence has to be empty otherwise. O(1).
    func appendInBulk(weights: Weights) -> Int32 {
        let handle = allocateNode()
        node(handle).initialize(
            to: Node(
                left: PositionTree.none, right: PositionTree.none, parent: PositionTree.none, count: 1,
                firstSum: 0, secondSum: 0, first: Int32(weights.first), second: Int32(weights.second)))
        return handle
    }

    /// Gives an element its weights before `finishBulk`. O(1).
    func setWeightsInBulk(_ weights: Weights, of handle: Int32) {
        node(handle).pointee.first = Int32(weights.first)
        node(handle).pointee.second = Int32(weights.second)
    }

    /// Makes a tree of all elements that were appended, in their order. O(n).
    func finishBulk(_ handles: [Int32]) {
        precondition(state.pointee.root == PositionTree.none, "a bulk build needs an empty sequence")
        // The right spine: each waits for a later one of greater priority, which takes it as its left.
        var spine: [Int32] = []
        for handle in handles {
            var left = PositionTree.none
            while let top = spine.last, PositionTree.priority(top) < PositionTree.priority(handle) {
                spine.removeLast()
                complete(top, left: node(top).pointee.left, right: left)
                left = top
            }
            node(handle).pointee.left = left
            spine.append(handle)
        }
        var right = PositionTree.none
        while let top = spine.popLast() {
            complete(top, left: node(top).pointee.left, right: right)
            right = top
        }
        state.pointee.root = right
    }

    private func complete(_ handle: Int32, left: Int32, right: Int32) {
        let node = node(handle)
        node.pointee.left = left
        node.pointee.right = right
        if left != PositionTree.none { self.node(left).pointee.parent = handle }
        if right != PositionTree.none { self.node(right).pointee.parent = handle }
        node.pointee.count = subtreeCount(left) + subtreeCount(right) + 1
        node.pointee.firstSum = firstSum(left) + firstSum(right) + node.pointee.first
        node.pointee.secondSum = secondSum(left) + secondSum(right) + node.pointee.second
    }
}
