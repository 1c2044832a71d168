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
                let separators = unsafe branches.separators(node)
                if unsafe separators[middle] == nil {
                    try readSeparator(of: node, at: middle, resolve: resolve)
                }
                if unsafe separators[middle]?.isAtMost(key) == true {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            before += branches.rows(node, before: low - 1)
            node = branches[child: node, low - 1]
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
        let leading = unsafe LeadingBytes(wholeKey: key)
        let prefix = unsafe leaves.prefix(leaf)
        let shared = unsafe leading.commonLength(with: prefix, limit: prefixCount)
        if shared < prefixCount { return unsafe leading[shared] < prefix[shared] ? 0 : count }
        let head = unsafe leading.head(at: prefixCount)
        let heads = unsafe leaves.heads(leaf)
        var low = unsafe firstIndex(heads, count: count, from: 0) { $0 >= head }
        guard low < count, unsafe heads[low] == head else { return low }
        var high = unsafe firstIndex(heads, count: count, from: low) { $0 > head }
        while low < high {
            let middle = (low + high) / 2
            let other = try resolvedKey(of: Place(leaf: leaf, index: middle), resolve)
            if unsafe other.withUnsafeBytes({ unsafe sorts($0, before: key) }) {
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
        let id = leaves[id: place.leaf, place.index]
        let key = try resolve(id)
        let held = unsafe leaves.leading(place.leaf, place.index)
        let agrees = unsafe key.withUnsafeBytes { bytes in
            unsafe LeadingBytes(wholeKey: bytes).firstDifference(from: held) == nil
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
        unsafe key.withUnsafeBytes { bytes in
            let whole = unsafe LeadingBytes(wholeKey: bytes)
            branches[separator: branch, slot] =
                unsafe Separator(between: leaves.leading(left, leaves.count(left) - 1), and: whole)
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
            if unsafe isPast(heads[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
