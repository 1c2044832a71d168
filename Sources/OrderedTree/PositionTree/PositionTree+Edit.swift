extension PositionTree {
    /// Inserts an element at `index`, and returns its handle. O(log n).
    package func insert(at index: Int, weights: Weights) -> Int32 {
        precondition(index >= 0 && index <= count, "position out of range")
        completeSums()
        let handle = insertNode(weights)
        attach(handle, at: index)
        return handle
    }

    /// Removes an element; its handle may be reused from now on. O(log n).
    package func remove(_ handle: Int32) {
        precondition(contains(handle), "not a handle of this sequence")
        completeSums()
        detach(handle)
        nodes.remove(Int(handle))
    }

    /// Moves an element to `index`, counted without the element. O(log n) whatever its weights.
    package func move(_ handle: Int32, to index: Int) {
        precondition(contains(handle), "not a handle of this sequence")
        precondition(index >= 0 && index < count, "position out of range")
        completeSums()
        detach(handle)
        self[handle] = Node(weights(of: handle))
        attach(handle, at: index)
    }

    /// Sets the weights of an element. O(log n); O(1) if it has them.
    package func setWeights(_ weights: Weights, of handle: Int32) {
        let old = self.weights(of: handle)
        if weights == old { return }
        addWeights(
            Weights(first: weights.first - old.first, second: weights.second - old.second), to: handle)
    }

    /// Adds to the weights of an element; the change may be negative. O(log n), but O(1) for the
    /// same element again.
    package func addWeights(_ change: Weights, to handle: Int32) {
        precondition(contains(handle), "not a handle of this sequence")
        let first = Int32(change.first)
        let second = Int32(change.second)
        self[handle].first += first
        self[handle].second += second
        if unsummed.handle != handle {
            completeSums()
            unsummed.handle = handle
        }
        unsummed.first += first
        unsummed.second += second
    }

    /// Makes the sums include all weights. Called before sums of subtrees are read, or links
    /// change.
    func completeSums() {
        let change = unsummed
        unsummed = (PositionTree.none, 0, 0)
        guard change.first != 0 || change.second != 0 else { return }
        addToPath(from: change.handle, count: 0, first: change.first, second: change.second)
    }

    private func addToPath(from start: Int32, count: Int32, first: Int32, second: Int32) {
        var handle = start
        while handle != PositionTree.none {
            self[handle].count += count
            self[handle].firstSum += first
            self[handle].secondSum += second
            handle = self[handle].parent
        }
    }

    private func attach(_ handle: Int32, at index: Int) {
        sought.handle = PositionTree.none
        let first = self[handle].first
        let second = self[handle].second
        var place = root
        guard place != PositionTree.none else {
            root = handle
            return
        }
        var offset = Int32(index)
        while true {
            self[place].count += 1
            self[place].firstSum += first
            self[place].secondSum += second
            let before = subtreeCount(self[place].left)
            let isLeft = offset <= before
            let next = isLeft ? self[place].left : self[place].right
            if next == PositionTree.none {
                if isLeft { self[place].left = handle } else { self[place].right = handle }
                break
            }
            if !isLeft { offset -= before + 1 }
            place = next
        }
        self[handle].parent = place
        let priority = PositionTree.priority(handle)
        while self[handle].parent != PositionTree.none,
            PositionTree.priority(self[handle].parent) < priority
        {
            rotateUp(handle)
        }
    }

    private func detach(_ handle: Int32) {
        sought.handle = PositionTree.none
        while self[handle].left != PositionTree.none, self[handle].right != PositionTree.none {
            let left = self[handle].left
            let right = self[handle].right
            rotateUp(PositionTree.priority(left) > PositionTree.priority(right) ? left : right)
        }
        let child = self[handle].left != PositionTree.none ? self[handle].left : self[handle].right
        let parent = self[handle].parent
        if child != PositionTree.none { self[child].parent = parent }
        replaceChild(handle, of: parent, with: child)
        addToPath(
            from: parent, count: -1, first: -self[handle].first, second: -self[handle].second)
    }

    private func replaceChild(_ old: Int32, of parent: Int32, with new: Int32) {
        if parent == PositionTree.none {
            root = new
        } else if self[parent].left == old {
            self[parent].left = new
        } else {
            self[parent].right = new
        }
    }

    /// Rotates a node into the place of its parent; the order of the sequence stays.
    private func rotateUp(_ handle: Int32) {
        let parent = self[handle].parent
        let above = self[parent].parent
        let moved: Int32
        if self[parent].left == handle {
            moved = self[handle].right
            self[parent].left = moved
            self[handle].right = parent
        } else {
            moved = self[handle].left
            self[parent].right = moved
            self[handle].left = parent
        }
        if moved != PositionTree.none { self[moved].parent = parent }
        self[parent].parent = handle
        self[handle].parent = above
        replaceChild(parent, of: above, with: handle)
        self[handle].count = self[parent].count
        self[handle].firstSum = self[parent].firstSum
        self[handle].secondSum = self[parent].secondSum
        updateSums(of: parent)
    }

    /// Updates the sums of a node from its subtrees and itself.
    @inline(__always)
    func updateSums(of handle: Int32) {
        let node = self[handle]
        self[handle].count = subtreeCount(node.left) + subtreeCount(node.right) + 1
        self[handle].firstSum = firstSum(node.left) + firstSum(node.right) + node.first
        self[handle].secondSum = secondSum(node.left) + secondSum(node.right) + node.second
    }

    func insertNode(_ weights: Weights) -> Int32 { Int32(nodes.insert(Node(weights))) }

    /// Frees the memory for further elements. O(n).
    package func shrinkToFit() { nodes.shrinkToFit() }

    /// A hash of the handle: random enough for balance, the same in every run.
    @inline(__always)
    static func priority(_ handle: Int32) -> UInt32 {
        var value = UInt32(bitPattern: handle) &+ 0x9E37_79B9
        value = (value ^ (value >> 16)) &* 0x85EB_CA6B
        value = (value ^ (value >> 13)) &* 0xC2B2_AE35
        return value ^ (value >> 16)
    }
}
