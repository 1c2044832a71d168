/// Separators, made of what leaves hold of their keys.
extension RowForest {
    /// The shortest beginning of a row's key that is greater than the key before it. All its bytes must be known.
    func separator(before index: Int, in leaf: UInt32, _ witness: Witness?) -> Separator {
        let depth = leaves.depth(leaf, index)
        return unsafe Separator(count: depth + 1) { bytes in
            _ = unsafe leadingBytes(of: index, in: leaf, witness, into: bytes)
            let fragment = leaves.fragment(leaf, index)
            unsafe bytes[depth] = fragment.dropping(depth - leaves.offset(leaf, index)).first
        }
    }

    /// The bytes of the separator between a leaf and the one before it; none for a first leaf.
    func separatorBytes(before leaf: UInt32) -> UnsafeRawBufferPointer {
        guard let (branch, slot) = separatorBefore(leaf), let key = unsafe branches[separator: branch, slot]?.key else {
            return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return unsafe UnsafeRawBufferPointer(start: key.bytes, count: key.count)
    }

    /// Whether the separator before a row can be made without reading a key.
    func isKnown(_ index: Int, in leaf: UInt32, _ witness: Witness?) -> Bool {
        unsafe leadingBytes(of: index, in: leaf, witness, into: nil)
    }

    /// Writes the bytes that a row's key has in common with the one before it; false if some are not known.
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
        // What is missing is the same in this row and those back to the one that holds it.
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

    /// Whether the key of a row begins with all that another one has in common with the key before it.
    private func sharesPath(_ witness: Int, with index: Int, in leaf: UInt32) -> Bool {
        let depth = leaves.depth(leaf, index)
        let between = witness < index ? witness + 1..<index : index + 1..<witness + 1
        return between.allSatisfy { leaves.depth(leaf, $0) >= depth }
    }

    /// Keeps the separators beside a leaf as short as they can be when one of its rows is about to go, which is not its
    /// only one.
    func shortenSeparators(beside place: Place) {
        let (leaf, index) = (place.leaf, place.index)
        guard leaves.count(leaf) > 1 else { return }
        if index == 0, let (branch, slot) = separatorBefore(leaf) {
            let depth = leaves.depth(leaf, 1)
            guard let old = branches[separator: branch, slot]?.depth, depth <= old else { return }
            let offset = leaves.offset(leaf, 1)
            shorten(branch, slot, to: depth, last: leaves.fragment(leaf, 1).dropping(depth - offset).first)
        } else if index == leaves.count(leaf) - 1, let (branch, slot) = separatorAfter(leaf) {
            let depth = leaves.depth(leaf, index)
            guard let old = branches[separator: branch, slot]?.depth, depth < old,
                let last = unsafe branches[separator: branch, slot]?.bytes[depth]
            else { return }
            shorten(branch, slot, to: depth, last: last)
        }
    }

    private func shorten(_ branch: UInt32, _ slot: Int, to depth: Int, last: UInt8) {
        let separator = branches[separator: branch, slot]?.shortened(to: depth, last: last)
        branches[separator: branch, slot] = separator
    }
}
