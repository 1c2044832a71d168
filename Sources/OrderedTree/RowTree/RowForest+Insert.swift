extension RowForest {
    /// A row that is about to be inserted, and what is known of its key at its place. Unsafe,
    /// because it borrows its key.
    @unsafe struct NewRow {
        @safe let id: Int64
        @safe let hash: UInt32
        /// All of the key, or its first bytes.
        let key: KeyBytes
        /// How many bytes the key has in common with the row before it and the row after it, where
        /// the leaf has these.
        @safe var before = 0
        @safe var after = 0
        /// The bytes of the key from `before` on, and the bytes of the next row from `after` on,
        /// where the key and the leaf do not contain them.
        @safe var tail: Fragment?
        @safe var next: Fragment?
    }

    /// The longest prefix that a first row sets for its leaf; the prefix of a single row is only a
    /// guess.
    private static var longestGuess: Int { 120 }

    /// Inserts the first row of a section.
    @discardableResult
    func placeFirst(_ row: NewRow, section: Int32) -> LeafPlace {
        let prefixCount = unsafe keyed ? RowForest.guessedPrefix(row.key.count) : 0
        let leaf = unsafe leaves.create(
            capacity: LeafTable.capacity(for: 1), prefix: row.key, prefixCount: prefixCount)
        setRoot(section, node: leaf, level: 0)
        let place = LeafPlace(leaf: leaf, index: 0)
        unsafe put(row, at: place)
        return place
    }

    static func guessedPrefix(_ keyCount: Int) -> Int { min(max(0, keyCount - 4), longestGuess) }

    /// Inserts a row at a place of a leaf. The caller is responsible for the order.
    func put(_ row: NewRow, at place: LeafPlace) {
        edits &+= 1
        identities.reserve(row.id, from: leaves)
        let (leaf, index) = (place.leaf, place.index)
        leaves.reserve(leaf)
        let old = index < leaves.count(leaf) ? leaves.entry(leaf, index) : nil
        if keyed { unsafe leaves.shrinkPrefix(leaf, to: base(for: row, leaf, index)) }
        let entry = unsafe keyed ? entry(of: row, leaf, index) : nil
        let next = unsafe keyed && old != nil ? nextEntry(after: row, leaf, index) : nil
        leaves.insert(id: row.id, hash: row.hash, into: leaf, at: index)
        if let entry { leaves.set(leaf, index, entry) }
        if let next { leaves.set(leaf, index + 1, next) }
        if keyed, unsafe row.key.isWhole { unsafe leaves.addExcerpt(leaf, index, ofWhole: row.key) }
        identities.insert(row.id, leaf: leaf)
        _ = addRows(1, above: leaf)
    }

    /// How many bytes of the leaf's prefix remain, so that all keys share them, and enough is known
    /// of the rows that are then shallow.
    private func base(for row: NewRow, _ leaf: UInt32, _ index: Int) -> Int {
        var base = leaves.prefixCount(leaf)
        if index > 0 { base = min(base, row.before) }
        if index < leaves.count(leaf) { base = min(base, row.after) }
        if unsafe row.key.isWhole { return base }
        // The bytes that the neighbouring rows have in common with it are known, too.
        let added = leaves.prefixCount(leaf) - base
        let known = unsafe row.key.count
        if index > 0, known <= row.before, added + leaves.leadFragment(leaf, index - 1).count < row.before - base,
            row.before - base <= Mark.shallow
        {
            base = max(0, row.before - Mark.shallow - 1)
        }
        if index < leaves.count(leaf), known < row.after,
            added + leaves.leadFragment(leaf, index).count <= row.after - base, row.after - base <= Mark.shallow
        {
            base = max(0, row.after - Mark.shallow - 1)
        }
        return base
    }

    /// What has to be stored of a row's key.
    private func entry(of row: NewRow, _ leaf: UInt32, _ index: Int) -> LeafTable.KeyEntry {
        let base = leaves.prefixCount(leaf)
        if index == 0 { return unsafe LeafTable.KeyEntry(depth: base, fragment: Fragment(row.key, at: base)) }
        let distance = row.before - base
        if distance > Mark.greatestDistance { return LeafTable.KeyEntry(depth: .max, fragment: .unknown) }
        if distance > Mark.shallow {
            return unsafe LeafTable.KeyEntry(depth: row.before, fragment: row.tail ?? Fragment(row.key, at: row.before))
        }
        var fragment = unsafe Fragment(row.key, at: base)
        if fragment.count <= distance, let tail = row.tail {
            fragment = tail.following(leaves.leadFragment(leaf, index - 1), at: distance)
        }
        return LeafTable.KeyEntry(depth: row.before, fragment: fragment)
    }

    /// The part to store of the row at a place before another one is inserted there; nil if
    /// that does not change.
    private func nextEntry(after row: NewRow, _ leaf: UInt32, _ index: Int) -> LeafTable.KeyEntry? {
        let depth = row.after
        let base = leaves.prefixCount(leaf)
        if index > 0, leaves.depth(leaf, index) == .max || leaves.depth(leaf, index) == depth { return nil }
        let own = leaves.fragment(leaf, index)
        let distance = depth - base
        if distance > Mark.shallow {
            let offset = index == 0 ? base : leaves.offset(leaf, index)
            let fragment = own.count > depth - offset ? own.dropping(depth - offset) : row.next
            return LeafTable.KeyEntry(depth: depth, fragment: fragment ?? .unknown)
        }
        if own.count > distance { return LeafTable.KeyEntry(depth: depth, fragment: own) }
        // The new row has the bytes before `depth` too.
        let start = unsafe Fragment(row.key, at: base)
        let fragment = row.next?.following(start.count >= distance ? start : own, at: distance)
        return LeafTable.KeyEntry(depth: depth, fragment: fragment ?? own)
    }

    /// Reduces an overfull leaf to its capacity. Beyond the limit, where no depth could be stored,
    /// all its keys are read.
    func relieve(_ leaf: UInt32, near index: Int, _ key: KeyBytes, _ resolve: Resolve) {
        let witness = unsafe Witness(key: key, index: index)
        if unsafe relieve(leaf, near: index, witness) || leaves.count(leaf) <= splitLimit { return }
        var keys: [[UInt8]] = []
        for row in 0..<leaves.count(leaf) {
            // Without a key the leaf remains as it is.
            guard let key = unsafe row == index ? key : try? resolvedKey(of: LeafPlace(leaf: leaf, index: row), resolve)
            else { return }
            keys.append(unsafe [UInt8](UnsafeBufferPointer(start: key.bytes, count: key.count)))
        }
        var exact = BulkLeaf(capacity: keys.count, keyed: true)
        for (row, key) in keys.enumerated() {
            let isInOrder = unsafe key.withUnsafeBytes {
                unsafe RowRun.withRow(id: leaves[id: leaf, row], key: $0, hash: leaves[hash: leaf, row]) {
                    unsafe exact.append($0, 0..<1)
                }
            }
            if !isInOrder { return }
        }
        exact.replace(leaf, in: &leaves)
        _ = unsafe relieve(leaf, near: index, witness)
    }
}
