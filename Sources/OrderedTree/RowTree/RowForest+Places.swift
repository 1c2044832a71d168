extension RowForest {
    /// The leaf and index of a row; nil if the index does not contain it.
    @inline(__always)
    func place(of id: Int64) -> LeafPlace? {
        identities.find(id, in: leaves).map { LeafPlace(leaf: $0.leaf, index: $0.index) }
    }

    /// The leaf and index of the row at an offset of a section that has more rows than that.
    func place(section: Int32, row: Int) -> LeafPlace {
        let root = roots[Int(section)]
        var node = root.node
        var rest = row
        for _ in 0..<root.level {
            visited += 1
            let counts = unsafe branches.rowCounts(node)
            var slot = 0
            while unsafe rest >= Int(counts[slot]) {
                unsafe rest -= Int(counts[slot])
                slot += 1
            }
            node = branches[child: node, slot]
        }
        visited += 1
        return LeafPlace(leaf: node, index: rest)
    }

    /// The section of a leaf and the number of its rows before the leaf.
    func rank(of leaf: UInt32) -> (section: Int32, row: Int) {
        var node = leaf
        var row = 0
        var parent = leaves[leaf].parent
        while parent >= 0 {
            visited += 1
            let branch = UInt32(parent)
            row += branches.rows(branch, before: branches.slot(of: node, in: branch))
            node = branch
            parent = branches[branch].parent
        }
        return (~parent, row)
    }

    /// The place of the separator between a leaf and the one before it; nil for a first leaf.
    func separatorBefore(_ leaf: UInt32) -> (branch: UInt32, slot: Int)? {
        var node = leaf
        var parent = leaves[leaf].parent
        while parent >= 0 {
            let branch = UInt32(parent)
            let slot = branches.slot(of: node, in: branch)
            if slot > 0 { return (branch, slot) }
            node = branch
            parent = branches[branch].parent
        }
        return nil
    }

    /// The place of the separator between a leaf and the one after it; nil for a last leaf.
    func separatorAfter(_ leaf: UInt32) -> (branch: UInt32, slot: Int)? {
        var node = leaf
        var parent = leaves[leaf].parent
        while parent >= 0 {
            let branch = UInt32(parent)
            let slot = branches.slot(of: node, in: branch)
            if slot + 1 < branches.count(branch) { return (branch, slot + 1) }
            node = branch
            parent = branches[branch].parent
        }
        return nil
    }

    /// The leaf beside a separator, on its left or on its right.
    func leaf(leftOf separator: (branch: UInt32, slot: Int)) -> UInt32 {
        lastLeaf(
            below: branches[child: separator.branch, separator.slot - 1],
            level: Int(branches[separator.branch].level) - 1)
    }

    func leaf(rightOf separator: (branch: UInt32, slot: Int)) -> UInt32 {
        firstLeaf(
            below: branches[child: separator.branch, separator.slot],
            level: Int(branches[separator.branch].level) - 1)
    }

    /// Calls `body` with the leaves of a section in order.
    func forEachLeaf(section: Int32, _ body: (UInt32) throws -> Void) rethrows {
        let root = roots[Int(section)]
        guard root.node != Root.none else { return }
        try forEachLeaf(below: root.node, level: Int(root.level), body)
    }

    /// As deep as the tree, which grows with the logarithm of the number of rows.
    private func forEachLeaf(
        below node: UInt32, level: Int, _ body: (UInt32) throws -> Void
    ) rethrows {
        guard level > 0 else { return try body(node) }
        for slot in 0..<branches.count(node) {
            try forEachLeaf(below: branches[child: node, slot], level: level - 1, body)
        }
    }

    /// Frees the tree of a section with all its rows.
    func removeRows(section: Int32) {
        let root = roots[Int(section)]
        guard root.node != Root.none else { return }
        edits &+= 1
        removeSubtree(root.node, level: Int(root.level))
        roots[Int(section)] = .empty
    }

    /// As deep as the tree.
    private func removeSubtree(_ node: UInt32, level: Int) {
        guard level > 0 else {
            let ids = unsafe leaves.ids(node)
            for index in 0..<leaves.count(node) { unsafe identities.remove(ids[index], leaf: node) }
            leaves.free(node)
            return
        }
        for slot in 0..<branches.count(node) {
            removeSubtree(branches[child: node, slot], level: level - 1)
        }
        branches.free(node)
    }

    // MARK: Detached rows

    /// A row of the index, with what is necessary to insert it again at its place.
    func detached(at place: LeafPlace) -> DetachedRow {
        let (leaf, index) = (place.leaf, place.index)
        let (id, hash) = (leaves[id: leaf, index], leaves[hash: leaf, index])
        guard keyed else { return DetachedRow(id: id, keyHash: hash) }
        let base = leaves.prefixCount(leaf)
        let lead = leaves.leadFragment(leaf, index)
        let prefix = unsafe ShortBytes(UnsafeRawBufferPointer(start: leaves.prefix(leaf), count: base))
        let before = neighbour(before: place)
        let after = neighbour(from: LeafPlace(leaf: leaf, index: index + 1))
        let (depth, tail) = shared(at: place)
        let (nextDepth, next) = after.map { shared(at: $0) } ?? (0, .unknown)
        return DetachedRow(
            id: id, keyHash: hash,
            key: DetachedRow.Key(
                prefix: prefix, lead: lead, isWhole: lead.isEnd && leaves[mark: leaf, index].isShallow,
                previous: before.map { leaves[id: $0.leaf, $0.index] }, before: depth, tail: tail,
                following: after.map { leaves[id: $0.leaf, $0.index] }, after: nextDepth, next: next))
    }

    /// The length that a row's key has in common with the previous row's, and its bytes after that.
    private func shared(at place: LeafPlace) -> (depth: Int, Fragment) {
        let (leaf, index) = (place.leaf, place.index)
        if index > 0 {
            let depth = leaves.depth(leaf, index)
            return (
                depth, leaves.fragment(leaf, index).dropping(depth == .max ? 0 : depth - leaves.offset(leaf, index))
            )
        }
        guard let joint = unsafe joint(before: leaf) else { return (0, .unknown) }
        return (joint.depth, Fragment(bytes: UInt32(joint.last) << 24, count: 1, isEnd: false))
    }

    /// The place for a row at an offset of a section that has rows; nil if it was not between these
    /// two rows.
    func place(for row: DetachedRow, section: Int32, offset: Int, rows: Int) -> LeafPlace? {
        var place = place(section: section, row: min(offset, rows - 1))
        if offset == rows { place.index += 1 }
        guard let key = row.key else { return place }
        let (before, after) = (neighbour(before: place), neighbour(from: place))
        guard before.map({ leaves[id: $0.leaf, $0.index] }) == key.previous,
            after.map({ leaves[id: $0.leaf, $0.index] }) == key.following
        else { return nil }
        // Between two leaves the separator decides: it is a prefix of the key of the row after it.
        if place.index == 0, let before, let (branch, slot) = separatorBefore(place.leaf),
            let depth = branches[separator: branch, slot]?.depth, key.after <= depth
        {
            return LeafPlace(leaf: before.leaf, index: before.index + 1)
        }
        return place
    }

    /// The row just before a place in its section.
    func neighbour(before place: LeafPlace) -> LeafPlace? {
        if place.index > 0 { return LeafPlace(leaf: place.leaf, index: place.index - 1) }
        guard let separator = separatorBefore(place.leaf) else { return nil }
        let left = leaf(leftOf: separator)
        return LeafPlace(leaf: left, index: leaves.count(left) - 1)
    }

    /// The row at a place, or at the start of the next leaf if the place is the end of a leaf.
    func neighbour(from place: LeafPlace) -> LeafPlace? {
        if place.index < leaves.count(place.leaf) { return place }
        guard let separator = separatorAfter(place.leaf) else { return nil }
        return LeafPlace(leaf: leaf(rightOf: separator), index: 0)
    }
}
