/// Searching by key.
///
/// Separators lead to a leaf. In the leaf, shallow rows compare by their heads. If one ties with
/// the key, the search continues through the following deep rows in order. Because their depths
/// make them a trie, this ends at the place. Where unknown bytes would decide, it ends at a row
/// that has more bytes in common with the key than any other row (a blind search: Ferragina and
/// Grossi, The String B-Tree). The search then reads that row's full key, and the first difference
/// between the two keys determines the place. Where the leaf has an excerpt of the bytes in
/// question, that decides, and no row is read.
extension RowForest {
    typealias Resolve = (Int64) throws -> UnsafeRawBufferPointer

    /// A place in a leaf for a key, and what is known of the key there.
    struct Spot {
        let index: Int
        /// How many bytes the key has in common with the key of the row before the place, if the
        /// leaf has that row.
        var before = 0
        /// The same for the row at the place.
        var after = 0
        /// The bytes of the row at the place from `after` on, if the leaf does not contain them.
        var next: Fragment?
        /// Whether the row at the place has the same key.
        var isSame = false
    }

    /// The leaf in which a key belongs, and the number of rows of the section before that leaf. The
    /// section has rows. The search reads only separators of which too little is known.
    func descend(to key: KeyBytes, section: Int32, resolve: Resolve) throws -> (leaf: UInt32, before: Int) {
        let root = roots[Int(section)]
        var node = root.node
        var before = 0
        for _ in 0..<root.level {
            visited += 1
            var (slot, isFound) = unsafe branches.slot(for: key, in: node)
            while !isFound {
                unsafe try readSeparator(of: node, at: slot, resolve: resolve)
                unsafe (slot, isFound) = branches.slot(for: key, in: node)
            }
            before += branches.rows(node, before: slot)
            node = branches[child: node, slot]
        }
        return (node, before)
    }

    /// The place of a key in a leaf. At most one key is read.
    func find(_ key: KeyBytes, in leaf: UInt32, resolve: Resolve) throws -> Spot {
        visited += 1
        let count = leaves.count(leaf)
        let base = leaves.prefixCount(leaf)
        let prefix = unsafe leaves.prefix(leaf)
        let shared = unsafe key.commonLength(with: prefix, limit: base)
        if shared < base {
            let isBefore = unsafe key.symbol(at: shared) < Int(prefix[shared])
            return isBefore ? Spot(index: 0, after: shared) : Spot(index: count, before: shared)
        }
        var (row, end) = unsafe shallowRows(around: key.head(at: base), in: leaf)
        while row >= 0 {
            switch unsafe leaves.fragment(leaf, row).order(of: key, at: base) {
            case .same: return Spot(index: row, isSame: true)
            case .after(let shared): return unsafe spot(key, leaf, end, before: base + shared)
            case .tied(let shared):
                return unsafe try findBehind(key, leaf, row, base + shared, end: end, resolve)
            case .before:
                // The heads are equal: one key has zeros where the other one ends.
                end = row
                repeat { row -= 1 } while row >= 0 && !leaves[mark: leaf, row].isShallow
            }
        }
        return unsafe spot(key, leaf, end, before: 0)
    }

    /// The last shallow row whose head is at most `head`, -1 if there is none, and the first one
    /// whose head is greater.
    @inline(__always)
    private func shallowRows(around head: UInt32, in leaf: UInt32) -> (last: Int, next: Int) {
        let marks = unsafe leaves.marks(leaf)
        var last = -1
        var low = 0
        var high = leaves.count(leaf)
        while low < high {
            let middle = (low + high) / 2
            var row = middle
            while row >= low, unsafe !marks[row].isShallow { row -= 1 }
            if row < low {
                // These deep rows belong to a row that was compared.
                low = middle + 1
            } else if unsafe marks[row].head <= head {
                last = row
                low = middle + 1
            } else {
                high = row
            }
        }
        return (last, high)
    }

    /// The spot before a shallow row with a greater head, or at the end of the leaf.
    private func spot(_ key: KeyBytes, _ leaf: UInt32, _ index: Int, before: Int) -> Spot {
        unsafe Spot(index: index, before: before, after: shared(key, leaf, index))
    }

    private func shared(_ key: KeyBytes, _ leaf: UInt32, _ index: Int) -> Int {
        guard index < leaves.count(leaf) else { return 0 }
        let base = leaves.prefixCount(leaf)
        guard case .before(let shared) = unsafe leaves.fragment(leaf, index).order(of: key, at: base) else {
            return base
        }
        return base + shared
    }

    /// Searches the deep rows after a row with which the key has `tied` bytes in common, which are
    /// all that are known.
    private func findBehind(
        _ key: KeyBytes, _ leaf: UInt32, _ start: Int, _ tied: Int, end: Int, _ resolve: Resolve
    ) throws -> Spot {
        var row = start
        // The bytes that the key has in common with `row`: that many, or, if the key is after it,
        // possibly only the known ones.
        var shared = tied
        var isTied = true
        while true {
            // All rows between have more bytes in common with `row`.
            let next = nextRow(in: leaf, after: row, end: end, upTo: shared)
            let depth = next < end ? leaves.depth(leaf, next) : -1
            if depth < shared, !isTied {
                return unsafe depth < 0
                    ? spot(key, leaf, end, before: shared) : Spot(index: next, before: shared, after: depth)
            }
            let order = unsafe depth < shared ? .before(0) : leaves.fragment(leaf, next).order(of: key, at: shared)
            if isTied, case .before(0) = order {
                // The key is before the next row, but perhaps not after `row`.
                guard let known = unsafe leaves.excerpt(leaf, row, at: shared) else { break }
                let more = unsafe commonLength(key, known, at: shared)
                shared += more
                if more == known.count { continue }
                if unsafe key.symbol(at: shared) < known.symbol(at: more) {
                    return unsafe Spot(
                        index: row, before: row > 0 ? leaves.depth(leaf, row) : 0, after: shared,
                        next: Fragment(known, at: more))
                }
                isTied = false
                continue
            }
            switch order {
            case .before(let more): return Spot(index: next, before: shared, after: shared + more)
            case .same: return Spot(index: next, isSame: true)
            case .after(let more): (row, shared, isTied) = (next, shared + more, false)
            case .tied(let more): (row, shared, isTied) = (next, shared + more, true)
            }
        }
        let next = nextRow(in: leaf, after: row, end: end, upTo: shared)
        let after = unsafe next < end ? leaves.depth(leaf, next) : self.shared(key, leaf, end)
        return unsafe try findBlindly(key, leaf, row..<next, shared, after: after, resolve)
    }

    /// How many bytes a key has in common with the bytes that another one has at an offset.
    @inline(__always)
    private func commonLength(_ key: KeyBytes, _ part: KeyBytes, at offset: Int) -> Int {
        guard let bytes = unsafe key.bytes, let other = unsafe part.bytes, offset < key.count else { return 0 }
        return unsafe commonPrefixLength(bytes + offset, other, limit: min(part.count, key.count - offset))
    }

    /// The first row after another one that has at most `depth` bytes in common with it.
    @inline(__always)
    private func nextRow(in leaf: UInt32, after row: Int, end: Int, upTo depth: Int) -> Int {
        let marks = unsafe leaves.marks(leaf)
        let distance = depth - leaves.prefixCount(leaf)
        var next = row + 1
        while next < end, unsafe marks[next].distance > distance { next += 1 }
        return next
    }

    /// Finds the place of a key among rows, or just after them, that have more than `shared` bytes
    /// in common; the key has these bytes, too. It reads the full key of one of the rows.
    ///
    /// - Parameter after: How many bytes the key has in common with the row after them.
    private func findBlindly(
        _ key: KeyBytes, _ leaf: UInt32, _ rows: Range<Int>, _ shared: Int, after: Int, _ resolve: Resolve
    ) throws -> Spot {
        let candidate = unsafe candidate(for: key, leaf, rows)
        let other = unsafe try resolvedKey(of: LeafPlace(leaf: leaf, index: candidate), resolve)
        let common = unsafe key.commonLength(with: other)
        guard common >= shared else { throw OrderedTreeError.keyChanged(leaves[id: leaf, candidate]) }
        unsafe storeExcerpt(of: rows, leaf, other, candidate, from: shared, common)
        let (mine, theirs) = unsafe (key.symbol(at: common), other.symbol(at: common))
        if mine == theirs { return Spot(index: candidate, isSame: true) }
        if mine > theirs {
            var index = candidate + 1
            let isFar = common > leaves.prefixCount(leaf) + Mark.greatestDistance
            while index < rows.upperBound, leaves.depth(leaf, index) > common {
                if isFar { return unsafe try findFar(key, leaf, index, rows.upperBound, after: after, resolve) }
                index += 1
            }
            return Spot(
                index: index, before: common,
                after: index < rows.upperBound ? leaves.depth(leaf, index) : after)
        }
        var index = candidate
        var agreeing = Int.max
        while index > rows.lowerBound, leaves.depth(leaf, index) > common {
            agreeing = min(agreeing, leaves.depth(leaf, index))
            index -= 1
        }
        return unsafe Spot(
            index: index, before: index > 0 ? leaves.depth(leaf, index) : 0, after: common,
            next: Fragment(other, at: common).limited(to: agreeing - common))
    }

    /// Stores what the next blind search among some rows will need, after this one has read the key
    /// of one of them.
    ///
    /// - Parameter common: How many bytes that key has in common with the searched one.
    private func storeExcerpt(
        of rows: Range<Int>, _ leaf: UInt32, _ other: KeyBytes, _ candidate: Int, from shared: Int, _ common: Int
    ) {
        let first = rows.lowerBound
        // There the first row begins to differ from the next one, or else from the searched key.
        var end = rows.count > 1 ? leaves.depth(leaf, first + 1) : common
        if end < .max { end += 1 }
        if candidate > first { for row in first + 1...candidate { end = min(end, leaves.depth(leaf, row)) } }
        let start = leaves.startOfExcerpt(leaf, first, endingAt: shared) ?? shared
        if end > shared, end - start <= Excerpts.greatestCount {
            unsafe leaves.addExcerpt(leaf, first, other, from: start, to: end)
        }
    }

    /// The row that has most bytes in common with the key, if the key agrees with the rows where
    /// they all agree.
    private func candidate(for key: KeyBytes, _ leaf: UInt32, _ rows: Range<Int>) -> Int {
        var candidate = rows.lowerBound
        var row = candidate + 1
        while row < rows.upperBound {
            let depth = leaves.depth(leaf, row)
            let other = Int(leaves.fragment(leaf, row).first)
            row += 1
            if depth == .max { continue }
            let symbol = unsafe key.symbol(at: depth)
            if symbol >= other { candidate = row - 1 }
            if symbol == other { continue }
            // Continues with the rows of other branches.
            let passed = symbol > other ? depth : depth - 1
            while row < rows.upperBound, leaves.depth(leaf, row) > passed { row += 1 }
        }
        return candidate
    }

    /// Finds a place among the rows, from `start` on, that have more bytes in common than can be
    /// stored. The key is after the row before these. Only this search reads several keys.
    private func findFar(
        _ key: KeyBytes, _ leaf: UInt32, _ start: Int, _ end: Int, after: Int, _ resolve: Resolve
    ) throws -> Spot {
        var low = start
        var high = start
        while high < end, leaves.depth(leaf, high) == .max { high += 1 }
        let after = high < end ? leaves.depth(leaf, high) : after
        let behind = high
        while low < high {
            let middle = (low + high) / 2
            let other = unsafe try resolvedKey(of: LeafPlace(leaf: leaf, index: middle), resolve)
            let common = unsafe key.commonLength(with: other)
            let (mine, theirs) = unsafe (key.symbol(at: common), other.symbol(at: common))
            if mine == theirs { return Spot(index: middle, isSame: true) }
            if mine > theirs { low = middle + 1 } else { high = middle }
        }
        return Spot(index: low, before: .max, after: low < behind ? .max : after)
    }

    /// The full key of a row. It must agree with what is stored of it: a key that has changed
    /// meanwhile would mislead the search. Valid until the next one is resolved.
    func resolvedKey(of place: LeafPlace, _ resolve: Resolve) throws -> KeyBytes {
        let id = leaves[id: place.leaf, place.index]
        let key = unsafe KeyBytes(try resolve(id))
        guard unsafe agrees(key, with: place) else { throw OrderedTreeError.keyChanged(id) }
        return unsafe key
    }

    /// Whether a row can have this whole key.
    func agrees(_ key: KeyBytes, with place: LeafPlace) -> Bool {
        let base = leaves.prefixCount(place.leaf)
        guard unsafe key.commonLength(with: leaves.prefix(place.leaf), limit: base) == base else { return false }
        if leaves[mark: place.leaf, place.index].isFar { return key.count > base }
        let held = leaves.fragment(place.leaf, place.index)
        let offset = leaves.offset(place.leaf, place.index)
        guard offset <= key.count, unsafe Fragment(key, at: offset).limited(to: held.isEnd ? 4 : held.count) == held
        else { return false }
        var agrees = true
        unsafe leaves[place.leaf].excerpts.forEach { head, bytes in
            if head.row == place.index, unsafe commonLength(key, bytes, at: head.offset) < head.count { agrees = false }
        }
        return agrees
    }
}
