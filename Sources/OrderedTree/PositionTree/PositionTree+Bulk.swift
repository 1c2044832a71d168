/// Building a long sequence at once.
extension PositionTree {
    /// Appends an element that no search finds until `finishBulk`, and returns its handle. The
    /// sequence has to be empty otherwise. O(1).
    func appendInBulk(weights: Weights) -> Int32 {
        insertNode(weights)
    }

    /// Gives an element its weights before `finishBulk`. O(1).
    func setWeightsInBulk(_ weights: Weights, of handle: Int32) {
        self[handle].first = Int32(weights.first)
        self[handle].second = Int32(weights.second)
    }

    /// Makes a tree of all elements that were appended, in their order. O(n).
    func finishBulk(_ handles: [Int32]) {
        precondition(root == PositionTree.none, "a bulk build needs an empty sequence")
        // The right spine: each waits for a later one of greater priority, which takes it as its left.
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
