extension PositionTree {
    /// Inserts an element so that it stands at `index`, and returns its handle. O(log n).
    package func insert(at index: Int, weights: Weights) -> Int32 {
        precondition(index >= 0 && index <= count, "position out of range")
        let handle = allocateNode()
        let fresh = node(handle)
        fresh.pointee.first = Int32(weights.first)
        fresh.pointee.second = Int32(weights.second)
        attach(handle, at: index)
        return handle
    }

    /// Takes an element out; its handle may be reused from now on. O(log n).
    package func remove(_ handle: Int32) {
        precondition(contains(handle), "not a handle of this sequence")
        detach(handle)
        node(handle).pointee.count = 0
        node(handle).pointee.left = state.pointee.free
        state.pointee.free = handle
    }

    /// Moves an element to `index`, counted after it was taken out. O(log n) whatever its weights.
    package func move(_ handle: Int32, to index: Int) {
        precondition(contains(handle), "not a handle of this sequence")
        precondition(index >= 0 && index < count, "position out of range")
        detach(handle)
        attach(handle, at: index)
    }

    /// Gives an element other weights. O(log n).
    package func setWeights(_ weights: Weights, of handle: Int32) {
        let old = self.weights(of: handle)
        addWeights(
            Weights(first: weights.first - old.first, second: weights.second - old.second), to: handle)
    }

    /// Adds to the weights of an element; the change may be negative. O(log n).
    package func addWeights(_ change: Weights, to handle: Int32) {
        precondition(contains(handle), "not a handle of this sequence")
        let first = Int32(change.first)
        let second = Int32(change.second)
        node(handle).pointee.first += first
        node(handle).pointee.second += second
        addToPath(from: handle, count: 0, first: first, second: second)
    }

    private func addToPath(from start: Int32, count: Int32, first: Int32, second: Int32) {
        var handle = start
        while handle != PositionTree.none {
            let node = node(handle)
            node.pointee.count += count
            node.pointee.firstSum += first
            node.pointee.secondSum += second
            handle = node.pointee.parent
        }
    }

    private func attach(_ handle: Int32, at index: Int) {
        let fresh = node(handle)
        fresh.pointee.left = PositionTree.none
        fresh.pointee.right = PositionTree.none
        fresh.pointee.parent = PositionTree.none
        fresh.pointee.count = 1
        fresh.pointee.firstSum = fresh.pointee.first
        fresh.pointee.secondSum = fresh.pointee.second
        var place = state.pointee.root
        guard place != PositionTree.none else {
            state.pointee.root = handle
            return
        }
        var offset = Int32(index)
        while true {
            let above = node(place)
            above.pointee.count += 1
            above.pointee.firstSum += fresh.pointee.first
            above.pointee.secondSum += fresh.pointee.second
            let before = subtreeCount(above.pointee.left)
            let isLeft = offset <= before
            let next = isLeft ? above.pointee.left : above.pointee.right
            if next == PositionTree.none {
                if isLeft { above.pointee.left = handle } else { above.pointee.right = handle }
                break
            }
            if !isLeft { offset -= before + 1 }
            place = next
        }
        fresh.pointee.parent = place
        let priority = PositionTree.priority(handle)
        while fresh.pointee.parent != PositionTree.none,
            PositionTree.priority(fresh.pointee.parent) < priority
        {
            rotateUp(handle)
        }
    }

    private func detach(_ handle: Int32) {
        let gone = node(handle)
        while gone.pointee.left != PositionTree.none, gone.pointee.right != PositionTree.none {
            let left = gone.pointee.left
            let right = gone.pointee.right
            rotateUp(PositionTree.priority(left) > PositionTree.priority(right) ? left : right)
        }
        let child = gone.pointee.left != PositionTree.none ? gone.pointee.left : gone.pointee.right
        let parent = gone.pointee.parent
        if child != PositionTree.none { node(child).pointee.parent = parent }
        replaceChild(handle, of: parent, with: child)
        addToPath(
            from: parent, count: -1, first: -gone.pointee.first, second: -gone.pointee.second)
    }

    private func replaceChild(_ old: Int32, of parent: Int32, with new: Int32) {
        if parent == PositionTree.none {
            state.pointee.root = new
        } else if node(parent).pointee.left == old {
            node(parent).pointee.left = new
        } else {
            node(parent).pointee.right = new
        }
    }

    /// Puts a node in the place of its parent; the order of the sequence stays.
    private func rotateUp(_ handle: Int32) {
        let risen = node(handle)
        let parent = risen.pointee.parent
        let sunk = node(parent)
        let above = sunk.pointee.parent
        let moved: Int32
        if sunk.pointee.left == handle {
            moved = risen.pointee.right
            sunk.pointee.left = moved
            risen.pointee.right = parent
        } else {
            moved = risen.pointee.left
            sunk.pointee.right = moved
            risen.pointee.left = parent
        }
        if moved != PositionTree.none { node(moved).pointee.parent = parent }
        sunk.pointee.parent = handle
        risen.pointee.parent = above
        replaceChild(parent, of: above, with: handle)
        risen.pointee.count = sunk.pointee.count
        risen.pointee.firstSum = sunk.pointee.firstSum
        risen.pointee.secondSum = sunk.pointee.secondSum
        let left = sunk.pointee.left
        let right = sunk.pointee.right
        sunk.pointee.count = subtreeCount(left) + subtreeCount(right) + 1
        sunk.pointee.firstSum = firstSum(left) + firstSum(right) + sunk.pointee.first
        sunk.pointee.secondSum = secondSum(left) + secondSum(right) + sunk.pointee.second
    }

    func allocateNode() -> Int32 {
        let reused = state.pointee.free
        if reused != PositionTree.none {
            state.pointee.free = node(reused).pointee.left
            return reused
        }
        if state.pointee.used == state.pointee.capacity {
            resize(to: max(8, state.pointee.capacity * 2))
        }
        state.pointee.used += 1
        return Int32(state.pointee.used - 1)
    }

    /// Gives back the room kept for further elements. O(n).
    package func shrinkToFit() {
        if state.pointee.used > 0, state.pointee.used < state.pointee.capacity {
            resize(to: state.pointee.used)
        }
    }

    private func resize(to capacity: Int) {
        let stride = MemoryLayout<Node>.stride
        let block = state.pointee.memory.resize(
            state.pointee.nodes.map { UnsafeMutableRawPointer($0) },
            of: state.pointee.capacity * stride, used: state.pointee.used * stride,
            to: capacity * stride)
        state.pointee.nodes = block.assumingMemoryBound(to: Node.self)
        state.pointee.capacity = capacity
    }

    /// A hash of the handle: random enough for balance, the same in every run.
    @inline(__always)
    static func priority(_ handle: Int32) -> UInt32 {
        var value = UInt32(bitPattern: handle) &+ 0x9E37_79B9
        value = (value ^ (value >> 16)) &* 0x85EB_CA6B
        value = (value ^ (value >> 13)) &* 0xC2B2_AE35
        return value ^ (value >> 16)
    }
}
