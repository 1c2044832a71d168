extension PositionTree {
    /// The element at a position. O(log n).
    package func handle(at index: Int) -> Int32 {
        precondition(index >= 0 && index < count, "position out of range")
        if index == sought.index, sought.handle != PositionTree.none { return sought.handle }
        var offset = Int32(index)
        var handle = root
        while true {
            nodesVisited += 1
            let node = self[handle]
            let before = subtreeCount(node.left)
            if offset == before {
                sought = (handle, Int32(index))
                return handle
            }
            if offset < before {
                handle = node.left
            } else {
                offset -= before + 1
                handle = node.right
            }
        }
    }

    /// The position of an element. O(log n).
    package func index(of handle: Int32) -> Int {
        precondition(contains(handle), "not a handle of this sequence")
        if handle == sought.handle { return Int(sought.index) }
        var place = handle
        var index = subtreeCount(self[handle].left)
        while true {
            nodesVisited += 1
            let parent = self[place].parent
            if parent == PositionTree.none {
                sought = (handle, index)
                return Int(index)
            }
            if self[parent].right == place {
                index += subtreeCount(self[parent].left) + 1
            }
            place = parent
        }
    }

    /// Sums of the weights of all elements before this one. O(log n).
    package func weightsBefore(_ handle: Int32) -> Weights {
        precondition(contains(handle), "not a handle of this sequence")
        completeSums()
        var place = handle
        var first = firstSum(self[handle].left)
        var second = secondSum(self[handle].left)
        while true {
            nodesVisited += 1
            let parent = self[place].parent
            if parent == PositionTree.none {
                return Weights(first: Int(first), second: Int(second))
            }
            if self[parent].right == place {
                let above = self[parent]
                first += firstSum(above.left) + above.first
                second += secondSum(above.left) + above.second
            }
            place = parent
        }
    }

    /// The element that covers unit `offset` of the summed first weights, and the offset within it;
    /// nil if the offset is outside the total. Elements of weight 0 cover nothing. O(log n).
    package func find(firstOffset offset: Int) -> (handle: Int32, offset: Int)? {
        guard offset >= 0, offset < totals.first else { return nil }
        completeSums()
        var rest = Int32(offset)
        var handle = root
        while true {
            nodesVisited += 1
            let node = self[handle]
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

    /// The same as `find(firstOffset:)`, for the second weights. O(log n).
    package func find(secondOffset offset: Int) -> (handle: Int32, offset: Int)? {
        guard offset >= 0, offset < totals.second else { return nil }
        completeSums()
        var rest = Int32(offset)
        var handle = root
        while true {
            nodesVisited += 1
            let node = self[handle]
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

    /// The first position whose element satisfies a predicate that stays true for all later
    /// elements; `count` if none does. Calls it for O(log n) elements.
    package func firstIndex(where isNotBefore: (Int32) throws -> Bool) rethrows -> Int {
        var handle = root
        var index: Int32 = 0
        while handle != PositionTree.none {
            nodesVisited += 1
            if try isNotBefore(handle) {
                handle = self[handle].left
            } else {
                index += subtreeCount(self[handle].left) + 1
                handle = self[handle].right
            }
        }
        return Int(index)
    }
}
