/// Building a long sequence in one pass.
extension PositionTree {
    /// Appends an element, which searches find only after `finishBulk`, and returns its handle. The
    /// sequence must contain only elements that were appended in this way. O(1).
    func appendInBulk(weights: Weights) -> Int32 {
        insertNode(weights)
    }

    /// Sets the weights of an element before `finishBulk`. O(1).
    func setWeightsInBulk(_ weights: Weights, of handle: Int32) {
        self[handle].first = Int32(weights.first)
        self[handle].second = Int32(weights.second)
    }

    /// Builds a tree of all elements that were appended, in their order. O(n).
    func finishBulk(_ handles: [Int32]) {
        precondition(root == PositionTree.none, "a bulk build needs an empty sequence")
        // The right spine: each node waits for a later one of greater priority, which takes it as
        // its left child.
        var spine: [Int32] = []
        for handle in handles {
            var left = PositionTree.none
            while let top = spine.last, PositionTree.priority(top) < PositionTree.priority(handle) {
                spine.removeLast()
                complete(top, left: self[top].left, right: left)
                left = top
            }
            self[handle].left = left
            spine.append(handle)
        }
        var right = PositionTree.none
        while let top = spine.popLast() {
            complete(top, left: self[top].left, right: right)
            right = top
        }
        root = right
    }

    private func complete(_ handle: Int32, left: Int32, right: Int32) {
        self[handle].left = left
        self[handle].right = right
        if left != PositionTree.none { self[left].parent = handle }
        if right != PositionTree.none { self[right].parent = handle }
        updateSums(of: handle)
    }
}
