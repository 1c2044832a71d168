/// Separators, made from what leaves store of their keys.
extension RowForest {
    /// The shortest prefix of a row's key that is greater than the previous key.
    func separator(before index: Int, in leaf: UInt32, _ witness: Witness?) -> Separator {
        let depth = leaves.depth(leaf, index)
        let last = leaves.fragment(leaf, index).dropping(depth - leaves.offset(leaf, index)).first
        guard unsafe isKnown(index, in: leaf, witness) else { return Separator(depth: depth, last: last) }
        return unsafe Separator(count: depth + 1) { bytes in
            _ = unsafe leadingBytes(of: index, in: leaf, witness, into: bytes)
            unsafe bytes[depth] = last
        }
    }

    /// Reads the unknown bytes of a separator from the first key on its right.
    @inline(never)
    func readSeparator(of branch: UInt32, at slot: Int, resolve: Resolve) throws {
        let right = LeafPlace(leaf: leaf(rightOf: (branch, slot)), index: 0)
        let key = unsafe try resolvedKey(of: right, resolve)
        guard let joint = unsafe branches[separator: branch, slot]?.joint, joint.depth < key.count,
            let bytes = unsafe key.bytes, unsafe bytes[joint.depth] == joint.last
        else {
            throw OrderedTreeError.keyChanged(leaves[id: right.leaf, 0])
        }
        branches[separator: branch, slot] = unsafe Separator(bytes, count: joint.depth + 1)
    }

    /// The separator of a leaf from the previous one; nil for a first leaf. Valid until the
    /// separator changes.
    func joint(before leaf: UInt32) -> Separator.Joint? {
        guard let (branch, slot) = separatorBefore(leaf) else { return nil }
        return unsafe branches[separator: branch, slot]?.joint
    }

    /// The number of bytes of the separator before a leaf; 0 for a first leaf.
    func separatorCount(before leaf: UInt32) -> Int {
        guard let (branch, slot) = separatorBefore(leaf) else { return 0 }
        return branches[separator: branch, slot]?.count ?? 0
    }

    /// The known bytes of the separator before a leaf.
    func separatorBytes(before leaf: UInt32) -> UnsafeRawBufferPointer {
        let none = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        guard let (branch, slot) = separatorBefore(leaf),
            let bytes = unsafe branches[separator: branch, slot]?.bytes,
            let count = branches[separator: branch, slot]?.count,
            let isKnown = branches[separator: branch, slot]?.isKnown
        else { return unsafe none }
        return unsafe UnsafeRawBufferPointer(start: bytes, count: isKnown ? count : 1)
    }

    /// Whether the separator before a row can be made without reading a key.
    func isKnown(_ index: Int, in leaf: UInt32, _ witness: Witness?) -> Bool {
        unsafe leadingBytes(of: index, in: leaf, witness, into: nil)
    }

    /// Writes the bytes that a row's key has in common with the previous key; false if some are
    /// unknown.
    private func leadingBytes(
        of index: Int, in leaf: UInt32, _ witness: Witness?, into target: UnsafeMutablePointer<UInt8>?
    ) -> Bool {
        let depth = leaves.depth(leaf, index)
        if let witness = unsafe witness, unsafe witness.key.count >= depth,
            sharesPath(witness.index, with: index, in: leaf)
        {
            if let bytes = unsafe witness.key.bytes { unsafe target?.update(from: bytes, count: depth) }
            return true
        }
        let base = leaves.prefixCount(leaf)
        unsafe target?.update(from: leaves.prefix(leaf), count: base)
        var missing = depth
        var row = leaves[mark: leaf, index].isShallow ? index : index - 1
        // The missing bytes are the same in this row and in those back to the one that contains
        // them.
        while missing > base {
            let offset = row == 0 ? base : leaves.offset(leaf, row)
            if offset < missing {
                let fragment = leaves.fragment(leaf, row)
                guard offset + fragment.count >= missing else { return false }
                for place in offset..<missing { unsafe target?[place] = fragment.dropping(place - offset).first }
                missing = offset
            }
            row -= 1
        }
        return true
    }

    /// Whether the key of a row begins with everything that another key has in common with the key
    /// before that.
    private func sharesPath(_ witness: Int, with index: Int, in leaf: UInt32) -> Bool {
        let depth = leaves.depth(leaf, index)
        let between = witness < index ? witness + 1..<index : index + 1..<witness + 1
        return between.allSatisfy { leaves.depth(leaf, $0) >= depth }
    }

    /// Keeps the separators beside a leaf as short as possible when one of its rows is about to be
    /// removed, which is not its only one. A separator that is longer than what can be stored of
    /// the next row's key may stay too long; it still separates the leaves.
    func shortenSeparators(beside place: LeafPlace) {
        let (leaf, index) = (place.leaf, place.index)
        guard leaves.count(leaf) > 1 else { return }
        if index == 0, let (branch, slot) = separatorBefore(leaf) {
            let depth = leaves.depth(leaf, 1)
            guard let old = branches[separator: branch, slot]?.depth, depth <= old else { return }
            shorten(branch, slot, before: 1, in: leaf)
        } else if index == leaves.count(leaf) - 1, let (branch, slot) = separatorAfter(leaf) {
            let depth = leaves.depth(leaf, index)
            guard let old = branches[separator: branch, slot]?.depth, depth < old else { return }
            // Up to there the first key on the right is the removed row's.
            shorten(branch, slot, before: index, in: leaf)
        }
    }

    /// Shortens a separator to the one before a row, whose bytes except for the last one begin the
    /// old separator.
    private func shorten(_ branch: UInt32, _ slot: Int, before index: Int, in leaf: UInt32) {
        let depth = leaves.depth(leaf, index)
        if branches[separator: branch, slot]?.isKnown == true {
            let last = leaves.fragment(leaf, index).dropping(depth - leaves.offset(leaf, index)).first
            let separator = branches[separator: branch, slot]?.shortened(to: depth, last: last)
            branches[separator: branch, slot] = separator
        } else {
            branches[separator: branch, slot] = unsafe separator(before: index, in: leaf, nil)
        }
    }
}
