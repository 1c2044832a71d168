extension PositionTree {
    /// The element at a position. O(log n).
    package func handle(at index: Int) -> Int32 {
        precondition(index >= 0 && index < count, "position out of range")
        var offset = Int32(index)
        var handle = state.pointee.root
        while true {
            state.pointee.visited += 1
            let node = node(handle)
            let before = subtreeCount(node.pointee.left)
            if offset == before { return handle }
            if offset < before {
                handle = node.pointee.left
            } else {
                offset -= before + 1
                handle = node.pointee.right
            }
        }
    }

    /// The position of an element. O(log n).
    package func index(of handle: Int32) -> Int {
        precondition(contains(handle), "not a handle of this sequence")
        var place = handle
        var index = subtreeCount(node(handle).pointee.left)
        while true {
            state.pointee.visited += 1
            let parent = node(place).pointee.parent
            if parent == PositionTree.none { return Int(index) }
            if node(parent).pointee.right == place {
                index += subtreeCount(node(parent).pointee.left) + 1
            }
            place = parent
        }
    }

    /// Sums of the weights of all elements that stand before this one. O(log n).
    package func weightsBefore(_ handle: Int32) -> Weights {
        precondition(contains(handle), "not a handle of this sequence")
        var place = handle
        var first = firstSum(node(handle).pointee.left)
        var second = secondSum(node(handle).pointee.left)
        while true {
            state.pointee.visited += 1
            let parent = node(place).pointee.parent
            if parent == PositionTree.none {
                return Weights(first: Int(first), second: Int(second))
            }
            if node(parent).pointee.right == place {
                let above = node(parent).pointee
                first += firstSum(above.left) + above.first
                second += secondSum(above.left) + above.second
            }
            place = parent
        }
    }

    /// The element that covers unit `offset` of the summed first weights, and the offset within it;
    /// nil when the offset lies outside the total. Elements of weight 0 cover nothing. O(log n).
    package func find(firstOffset offset: Int) -> (handle: Int32, offset: Int)? {
        guard offset >= 0, offset < totals.first else { return nil }
        var rest = Int32(offset)
        var handle = state.pointee.root
        while true {
            state.pointee.visited += 1
            let node = node(handle).pointee
            let before = firstSum(node.left)
            if rest < before {
                handle = node.left
            } else if rest < before + node.first {
                return (handle, Int(rest - before))
            } else {
                rest -= before + node.first
                handle = node.right
            }
        }
    }

    /// As `find(firstOffset:)`, for the second weights. O(log n).
    package func find(secondOffset offset: Int) -> (handle: Int32, offset: Int)? {
        guard offset >= 0, offset < totals.second else { return nil }
        var rest = Int32(offset)
        var handle = state.pointee.root
        while true {
            state.pointee.visited += 1
            let node = node(handle).pointee
            let before = secondSum(node.left)
            if rest < before {
                handle = node.left
            } else if rest < before + node.second {
                return (handle, Int(rest - before))
            } else {
                rest -= before + node.second
                handle = node.right
            }
        }
    }

    /// The element after this one, or nil at the end. O(log n), O(1) amortised over a whole pass.
    package func next(after handle: Int32) -> Int32? {
        precondition(contains(handle), "not a handle of this sequence")
        var place = node(handle).pointee.right
        if place != PositionTree.none {
            while node(place).pointee.left != PositionTree.none { place = node(place).pointee.left }
            return place
        }
        place = handle
        while true {
            let parent = node(place).pointee.parent
            if parent == PositionTree.none { return nil }
            if node(parent).pointee.left == place { return parent }
            place = parent
        }
    }

    /// The element before this one, or nil at the start. O(log n), O(1) amortised over a whole pass.
    package func previous(before handle: Int32) -> Int32? {
        precondition(contains(handle), "not a handle of this sequence")
        var place = node(handle).pointee.left
        if place != PositionTree.none {
            while node(place).pointee.right != PositionTree.none { place = node(place).pointee.right }
            return place
        }
        place = handle
        while true {
            let parent = node(place).pointee.parent
            if parent == PositionTree.none { return nil }
            if node(parent).pointee.right == place { return parent }
            place = parent
        }
    }

    /// The first element, or nil when there is none. O(log n).
    package var first: Int32? {
        var handle = state.pointee.root
        guard handle != PositionTree.none else { return nil }
        while node(handle).pointee.left != PositionTree.none { handle = node(handle).pointee.left }
        return handle
    }

    /// The first position whose element satisfies a predicate that, once true, stays true for all
    /// later elements; `count` when none does. Asks about O(log n) elements.
    package func firstIndex(where isNotBefore: (Int32) throws -> Bool) rethrows -> Int {
        var handle = state.pointee.root
        var index: Int32 = 0
        while handle != PositionTree.none {
            state.pointee.visited += 1
            if try isNotBefore(handle) {
                handle = node(handle).pointee.left
            } else {
                index += subtreeCount(node(handle).pointee.left) + 1
                handle = node(handle).pointee.right
            }
        }
        return Int(index)
    }
}
