extension RowForest {
    /// Removes a row, and returns its section.
    func remove(at place: LeafPlace) -> Int32 {
        edits &+= 1
        var place = place
        if leaves.count(place.leaf) == 1, leaves[place.leaf].parent >= 0 { place = merge(place.leaf) }
        let leaf = place.leaf
        identities.remove(leaves[id: leaf, place.index], leaf: leaf)
        if keyed { shortenSeparators(beside: place) }
        let hasNext = keyed && place.index + 1 < leaves.count(leaf)
        let next = hasNext ? leaves.entryAfterRemoval(leaf, of: place.index) : nil
        leaves.remove(at: place.index, from: leaf)
        if let next { leaves.set(leaf, place.index, next) }
        let section = addRows(-1, above: leaf)
        if leaves[leaf].parent < 0 {
            if leaves.count(leaf) == 0 {
                leaves.free(leaf)
                roots[Int(section)] = .empty
            }
        } else if leaves.count(leaf) < leastRows {
            refill(leaf)
        } else {
            leaves.trim(leaf)
        }
        return section
    }

    /// A leaf and a neighbour below the same branch, in their order. The slot is the second
    /// one's.
    private func pair(_ leaf: UInt32) -> (left: UInt32, right: UInt32, branch: UInt32, slot: Int) {
        let branch = UInt32(leaves[leaf].parent)
        let slot = max(1, branches.slot(of: leaf, in: branch))
        return (branches[child: branch, slot - 1], branches[child: branch, slot], branch, slot)
    }

    /// Merges an underfull leaf with a neighbour of the same parent, or distributes the rows of the
    /// two evenly.
    private func refill(_ leaf: UInt32) {
        let (left, right, branch, slot) = pair(leaf)
        let (leftCount, rightCount) = (leaves.count(left), leaves.count(right))
        if leftCount + rightCount <= mostMergedRows {
            merge(leaf)
            return
        }
        let isRightLarger = leftCount < rightCount
        let moved = abs(leftCount - rightCount) / 2
        let larger = isRightLarger ? right : left
        // If no separator is known, the leaf stays small.
        guard let start = unsafe splitPoint(of: larger, aim: isRightLarger ? moved : leftCount - moved, nil) else {
            return
        }
        unsafe shift(from: larger, at: start, across: slot, in: branch, nil)
    }

    /// Merges a leaf with a neighbour of the same parent; returns the new place of its first row.
    @discardableResult
    private func merge(_ leaf: UInt32) -> LeafPlace {
        let (left, right, branch, slot) = pair(leaf)
        let (leftCount, rightCount) = (leaves.count(left), leaves.count(right))
        unsafe moveRows(
            from: right, start: 0, length: rightCount, to: left, at: leftCount,
            joint: branches[separator: branch, slot]?.joint)
        branches[rows: branch, slot - 1] += UInt32(rightCount)
        leaves.free(right)
        _ = branches.remove(at: slot, from: branch)
        refillBranch(branch)
        return LeafPlace(leaf: left, index: leaf == left ? 0 : leftCount)
    }

    /// Restores the minimum number of children after one was removed; as deep as the tree.
    private func refillBranch(_ branch: UInt32) {
        let above = branches[branch].parent
        let level = Int(branches[branch].level)
        guard above >= 0 else {
            if branches.count(branch) == 1 {
                setRoot(~above, node: branches[child: branch, 0], level: level - 1)
                branches.free(branch)
            }
            return
        }
        guard branches.count(branch) < leastChildren else { return }
        let parent = UInt32(above)
        let slot = max(1, branches.slot(of: branch, in: parent))
        let left = branches[child: parent, slot - 1]
        let right = branches[child: parent, slot]
        if branches.count(left) + branches.count(right) <= branches.fanout {
            merge(left, right, in: parent, slot: slot)
            refillBranch(parent)
        } else {
            rotate(left, right, in: parent, slot: slot)
        }
    }

    /// Merges two branches; the separator between them moves down.
    private func merge(_ left: UInt32, _ right: UInt32, in parent: UInt32, slot: Int) {
        let level = Int(branches[left].level)
        branches[rows: parent, slot - 1] += branches[rows: parent, slot]
        branches[separator: right, 0] = branches.remove(at: slot, from: parent)
        for index in 0..<branches.count(right) {
            setParent(of: branches[child: right, index], level: level - 1, Int32(left))
        }
        branches.moveTail(of: right, from: 0, to: left)
        branches.free(right)
    }

    /// Moves one child from the larger branch to the smaller; separators rotate through the parent.
    private func rotate(_ left: UInt32, _ right: UInt32, in parent: UInt32, slot: Int) {
        let level = Int(branches[left].level)
        let between = branches[separator: parent, slot].take()
        let counts = unsafe branches.rowCounts(parent)
        if branches.count(left) > branches.count(right) {
            let last = branches.count(left) - 1
            let child = branches[child: left, last]
            let rows = branches[rows: left, last]
            branches[separator: right, 0] = between
            branches[separator: parent, slot] = branches.remove(at: last, from: left)
            branches.insert(child, rows: Int(rows), separator: nil, into: right, at: 0)
            setParent(of: child, level: level - 1, Int32(right))
            unsafe counts[slot - 1] -= rows
            unsafe counts[slot] += rows
        } else {
            let child = branches[child: right, 0]
            let rows = branches[rows: right, 0]
            _ = branches.remove(at: 0, from: right)
            let separator = branches[separator: right, 0].take()
            branches[separator: parent, slot] = separator
            branches.insert(
                child, rows: Int(rows), separator: between, into: left, at: branches.count(left))
            setParent(of: child, level: level - 1, Int32(left))
            unsafe counts[slot - 1] += rows
            unsafe counts[slot] -= rows
        }
    }
}
