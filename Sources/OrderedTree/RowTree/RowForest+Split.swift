extension RowForest {
    /// Splits a full leaf and returns the new right half. At its ends the split is uneven, so that
    /// rows that come in order fill their leaves.
    func split(_ leaf: UInt32, near index: Int) -> UInt32 {
        let count = leaves.count(leaf)
        let small = max(1, count / 8)
        let aim = index == count ? count - small : index == 0 ? small : count / 2
        let start = splitPoint(of: leaf, aim: aim)
        let separator =
            unsafe keyed
            ? Separator(
                between: leaves.leading(leaf, start - 1), and: leaves.leading(leaf, start)) : nil
        let right = unsafe leaves.create(
            capacity: BlockSize.step(for: count - start, limit: leafCapacity),
            prefix: leaves.leading(leaf, start), prefixCount: leaves.prefixCount(leaf))
        moveRows(from: leaf, start: start, length: count - start, to: right, at: 0)
        let fitting = BlockSize.step(for: start, limit: leafCapacity)
        if fitting < Int(leaves[leaf].capacity) { unsafe leaves.rebuild(leaf, capacity: fitting) }
        insert(right, after: leaf, level: 0, separator: separator)
        return right
    }

    /// The point nearest to `aim` where heads differ, so that a separator is known; else `aim`.
    private func splitPoint(of leaf: UInt32, aim: Int) -> Int {
        let heads = unsafe leaves.heads(leaf)
        let count = leaves.count(leaf)
        for distance in 0...(count / 4) {
            for point in [aim - distance, aim + distance] where point > 0 && point < count {
                if unsafe heads[point - 1] != heads[point] { return point }
            }
        }
        return aim
    }

    /// Moves rows between leaves, in the identity map too.
    func moveRows(from source: UInt32, start: Int, length: Int, to receiver: UInt32, at target: Int) {
        leaves.moveRows(
            from: source, start: start, length: length, to: receiver, at: target, limit: leafCapacity)
        let ids = unsafe leaves.ids(receiver) + target
        unsafe identities.warm(ids, count: length)
        for offset in 0..<length { unsafe identities.relocate(ids[offset], from: source, to: receiver) }
    }

    /// Hangs a node that was split off into the parent, right after its other half.
    private func insert(
        _ node: UInt32, after left: UInt32, level: Int, separator: consuming Separator?
    ) {
        let above = parent(of: left, level: level)
        let moved = rows(below: node, level: level)
        guard above >= 0 else {
            let root = branches.create(
                level: level + 1, capacity: BlockSize.step(for: 2, limit: branches.fanout))
            branches.insert(
                left, rows: rows(below: left, level: level), separator: nil, into: root, at: 0)
            branches.insert(node, rows: moved, separator: separator, into: root, at: 1)
            setParent(of: left, level: level, Int32(root))
            setParent(of: node, level: level, Int32(root))
            setRoot(~above, node: root, level: level + 1)
            return
        }
        var branch = UInt32(above)
        var slot = branches.slot(of: left, in: branch)
        branches[rows: branch, slot] -= UInt32(moved)
        if branches.count(branch) == branches.fanout {
            // The rows of `node` are added to whichever half receives it, below.
            let right = splitBranch(branch, missing: moved, at: slot)
            let kept = branches.count(branch)
            if slot >= kept {
                branch = right
                slot -= kept
            }
        }
        branches.insert(node, rows: moved, separator: separator, into: branch, at: slot + 1)
        setParent(of: node, level: level, Int32(branch))
    }

    /// Splits a full branch; the separator between the halves moves up. The rows of a node still to
    /// be inserted after `slot` are missing from the branch, not from its parent.
    private func splitBranch(_ branch: UInt32, missing: Int, at slot: Int) -> UInt32 {
        let level = Int(branches[branch].level)
        let count = branches.count(branch)
        let start = count / 2
        let right = branches.create(
            level: level, capacity: BlockSize.step(for: count - start, limit: branches.fanout))
        branches.moveTail(of: branch, from: start, to: right)
        for index in 0..<branches.count(right) {
            setParent(of: branches[child: right, index], level: level - 1, Int32(right))
        }
        let separator = branches[separator: right, 0].take()
        // Its count stands in for the rows that follow, so that the parents' sums come out right.
        let counts = unsafe slot < start ? branches.rowCounts(branch) : branches.rowCounts(right)
        let index = slot < start ? slot : slot - start
        unsafe counts[index] += UInt32(missing)
        insert(right, after: branch, level: level, separator: separator)
        unsafe counts[index] -= UInt32(missing)
        return right
    }
}
