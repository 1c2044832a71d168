extension RowForest {
    /// A key, or its first bytes, and the index of its row in its leaf. Unsafe, because it borrows
    /// the key.
    @unsafe struct Witness {
        let key: KeyBytes
        @safe let index: Int
    }

    /// Reduces a leaf with too many rows to its capacity: it moves rows to a neighbour that has
    /// room, or splits the leaf. Returns false, and changes nothing, if too little is known of the
    /// leaf's keys. The leaf may then stay overfull, up to a limit.
    ///
    /// - Parameter index: The index of the row that was inserted last.
    func relieve(_ leaf: UInt32, near index: Int, _ witness: Witness?) -> Bool {
        edits &+= 1
        if unsafe moveToNeighbour(of: leaf, witness) { return true }
        let count = leaves.count(leaf)
        let small = max(1, count / 8)
        // Rows that are inserted in order fill their leaves.
        let aim = index == count - 1 ? count - small : index == 0 ? small : count / 2
        guard let start = unsafe splitPoint(of: leaf, aim: aim, witness) else { return false }
        unsafe split(leaf, at: start, witness)
        return true
    }

    private func split(_ leaf: UInt32, at start: Int, _ witness: Witness?) {
        let separator = unsafe keyed ? separator(before: start, in: leaf, witness) : nil
        let right = unsafe leaves.create(
            capacity: LeafTable.capacity(for: leaves.count(leaf) - start),
            prefix: KeyBytes(UnsafePointer(leaves.prefix(leaf)), count: leaves.prefixCount(leaf)),
            prefixCount: leaves.prefixCount(leaf))
        unsafe moveRows(from: leaf, start: start, length: leaves.count(leaf) - start, to: right, at: 0, joint: nil)
        insert(right, after: leaf, level: 0, separator: separator)
        guard keyed else { return }
        growPrefix(of: leaf)
        growPrefix(of: right)
    }

    /// Makes the prefix of a leaf as long as the known bytes of its keys allow.
    private func growPrefix(of leaf: UInt32) {
        // Separators may be longer than necessary where depths can't be stored. The prefix must not
        // reach these.
        let limit = leaves.prefixCount(leaf) + Mark.greatestDistance
        for (branch, slot) in [separatorBefore(leaf), separatorAfter(leaf)].compactMap(\.self) {
            if let depth = branches[separator: branch, slot]?.depth, depth > limit { return }
        }
        unsafe leaves.growPrefix(leaf, joint(before: leaf)?.key)
    }

    /// Moves rows to the leaf on the right or on the left, below the same branch, if that has much
    /// room.
    private func moveToNeighbour(of leaf: UInt32, _ witness: Witness?) -> Bool {
        guard leaves[leaf].parent >= 0 else { return false }
        let branch = UInt32(leaves[leaf].parent)
        let slot = branches.slot(of: leaf, in: branch)
        let count = leaves.count(leaf)
        for right in [slot + 1, slot] where right > 0 && right < branches.count(branch) {
            let other = branches[child: branch, right == slot ? slot - 1 : right]
            let room = leafCapacity - leaves.count(other)
            guard room * 4 >= leafCapacity else { continue }
            let moved = (count - leaves.count(other)) / 2
            let aim = right == slot ? moved : count - moved
            guard let start = unsafe splitPoint(of: leaf, aim: aim, witness) else { continue }
            guard (right == slot ? start : count - start) <= room else { continue }
            unsafe shift(from: leaf, at: start, across: right, in: branch, witness)
            return true
        }
        return false
    }

    /// Moves the rows of a leaf before or after `start` to its neighbour, across the separator at a
    /// slot.
    func shift(from leaf: UInt32, at start: Int, across slot: Int, in branch: UInt32, _ witness: Witness?) {
        let (left, right) = (branches[child: branch, slot - 1], branches[child: branch, slot])
        let separator = unsafe keyed ? separator(before: start, in: leaf, witness) : nil
        if leaf == left {
            let length = leaves.count(left) - start
            unsafe moveRows(
                from: left, start: start, length: length, to: right, at: 0,
                joint: branches[separator: branch, slot]?.joint)
        } else {
            let end = leaves.count(left)
            unsafe moveRows(
                from: right, start: 0, length: start, to: left, at: end, joint: branches[separator: branch, slot]?.joint
            )
        }
        branches[rows: branch, slot - 1] = UInt32(leaves.count(left))
        branches[rows: branch, slot] = UInt32(leaves.count(right))
        branches[separator: branch, slot] = separator
    }

    /// The row near `aim` before which the leaf is best split; nil if no separator is known. In a
    /// leaf that exceeds all limits it is a row whose separator is unknown, and nil only if no
    /// depth is known.
    func splitPoint(of leaf: UInt32, aim: Int, _ witness: Witness?) -> Int? {
        guard keyed else { return aim }
        let count = leaves.count(leaf)
        var best: Int?
        var nearest: Int?
        for distance in 0..<count {
            // Among the nearest rows the shortest known separator is best.
            if distance > (best == nil ? count / 4 : count / 16), nearest != nil { break }
            for point in [aim - distance, aim + distance] where point > 0 && point < count {
                let depth = leaves.depth(leaf, point)
                if depth == .max { continue }
                nearest = nearest ?? point
                if let best, depth >= leaves.depth(leaf, best) { continue }
                if unsafe isKnown(point, in: leaf, witness) { best = point }
            }
        }
        return best ?? (count > splitLimit ? nearest : nil)
    }

    /// Moves rows between leaves, in the identity map too.
    func moveRows(
        from source: UInt32, start: Int, length: Int, to receiver: UInt32, at target: Int,
        joint: Separator.Joint?
    ) {
        unsafe leaves.moveRows(from: source, start: start, length: length, to: receiver, at: target, joint: joint)
        let ids = unsafe leaves.ids(receiver) + target
        unsafe identities.warm(ids, count: length)
        for offset in 0..<length { unsafe identities.relocate(ids[offset], from: source, to: receiver) }
    }

    /// Inserts a node that was split off into the parent, directly after its other half.
    private func insert(
        _ node: UInt32, after left: UInt32, level: Int, separator: consuming Separator?
    ) {
        let above = parent(of: left, level: level)
        let moved = rows(below: node, level: level)
        guard above >= 0 else {
            let root = branches.create(level: level + 1, capacity: branches.capacity(for: 2))
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
            // The rows of `node` are added to the half that receives it, below.
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

    /// Splits a full branch; the separator between the halves moves up. The rows of a node that
    /// will be inserted after `slot` are missing in the branch, but not in its parent.
    private func splitBranch(_ branch: UInt32, missing: Int, at slot: Int) -> UInt32 {
        let level = Int(branches[branch].level)
        let count = branches.count(branch)
        let start = count / 2
        let right = branches.create(level: level, capacity: branches.capacity(for: count - start))
        branches.moveTail(of: branch, from: start, to: right)
        for index in 0..<branches.count(right) {
            setParent(of: branches[child: right, index], level: level - 1, Int32(right))
        }
        let separator = branches[separator: right, 0].take()
        // Its count temporarily includes the rows that follow, so that the parents' sums are
        // correct.
        let counts = unsafe slot < start ? branches.rowCounts(branch) : branches.rowCounts(right)
        let index = slot < start ? slot : slot - start
        unsafe counts[index] += UInt32(missing)
        insert(right, after: branch, level: level, separator: separator)
        unsafe counts[index] -= UInt32(missing)
        return right
    }
}
