extension RowForest {
    typealias Resolve = (Int64) throws -> [UInt8]

    /// The leaf in which a key belongs, and the number of rows of the section before that leaf.
    /// The section has rows. Only separators not known yet are read.
    func descend(
        to key: UnsafeRawBufferPointer, section: Int32, resolve: Resolve
    ) throws -> (leaf: UInt32, before: Int) {
        let root = roots[Int(section)]
        var node = root.node
        var before = 0
        for _ in 0..<root.level {
            visited += 1
            var low = 1
            var high = branches.count(node)
            while low < high {
                let middle = (low + high) / 2
                let separators = branches.separators(node)
                if separators[middle] == nil {
                    try readSeparator(of: node, at: middle, resolve: resolve)
                }
                if separators[middle]?.isAtMost(key) == true {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            before += branches.rows(node, before: low - 1)
            node = branches.children(node)[low - 1]
        }
        return (node, before)
    }

    /// The number of rows of a leaf with a smaller key.
    func lowerBound(
        of key: UnsafeRawBufferPointer, leaf: UInt32, resolve: Resolve
    ) throws -> Int {
        visited += 1
        let count = leaves.count(leaf)
        let prefixCount = leaves.prefixCount(leaf)
        let leading = LeadingBytes(wholeKey: key)
        let prefix = leaves.prefix(leaf)
        let shared = leading.commonLength(with: prefix, limit: prefixCount)
        if shared < prefixCount { return leading[shared] < prefix[shared] ? 0 : count }
        let head = leading.head(at: prefixCount)
        let heads = leaves.heads(leaf)
        var low = firstIndex(heads, count: count, from: 0) { $0 >= head }
        guard low < count, heads[low] == head else { return low }
        var high = firstIndex(heads, count: count, from: low) { $0 > head }
        while low < high {
            let middle = (low + high) / 2
            let other = try resolvedKey(of: Place(leaf: leaf, index: middle), resolve)
            if other.withUnsafeBytes({ sorts($0, before: key) }) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// The full key of a row. It must agree with what is held of it: a key that has changed
    /// meanwhile would lead the search astray.
    func resolvedKey(of place: Place, _ resolve: Resolve) throws -> [UInt8] {
        let id = leaves.ids(place.leaf)[place.index]
        let key = try resolve(id)
        let held = leaves.leading(place.leaf, place.index)
        let agrees = key.withUnsafeBytes { bytes in
            LeadingBytes(wholeKey: bytes).firstDifference(from: held) == nil
        }
        guard agrees else { throw OrderedTreeError.keyChanged(id) }
        return key
    }

    /// Makes a separator that is not known from the key of the child's first row.
    @inline(never)
    private func readSeparator(of branch: UInt32, at slot: Int, resolve: Resolve) throws {
        let right = Place(leaf: leaf(rightOf: (branch, slot)), index: 0)
        let left = leaf(leftOf: (branch, slot))
        let key = try resolvedKey(of: right, resolve)
        key.withUnsafeBytes { bytes in
            let whole = LeadingBytes(wholeKey: bytes)
            branches.separators(branch)[slot] =
                Separator(between: leaves.leading(left, leaves.count(left) - 1), and: whole)
                ?? Separator(whole, length: bytes.count)
        }
    }

    @inline(__always)
    private func firstIndex(
        _ heads: UnsafeMutablePointer<UInt32>, count: Int, from start: Int,
        where isPast: (UInt32) -> Bool
    ) -> Int {
        var low = start
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isPast(heads[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
