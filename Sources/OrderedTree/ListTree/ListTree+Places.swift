extension ListTree {
    /// The id of the row at an offset of a section. O(log rows).
    package func row(section: SectionID, at row: Int) -> Int64 {
        guard let id = findRow(section: section, at: row) else { preconditionFailure("row out of range") }
        return id
    }

    /// The same; nil if the section has no such row.
    package func findRow(section: SectionID, at row: Int) -> Int64? {
        guard row >= 0, row < rowCount(in: section) else { return nil }
        if few.isInUse { return unsafe few.ids[row] }
        return withForest { forest in
            let place = forest.place(section: section.raw, row: row)
            return forest.leaves[id: place.leaf, place.index]
        }
    }

    /// Calls `body` with the ids of neighbouring rows of a section in order. O(log rows) for each
    /// leaf.
    package func forEachRow(
        in section: SectionID, _ rows: Range<Int>, _ body: (Int64) throws -> Void
    ) rethrows {
        if few.isInUse {
            for row in rows { try body(fewRow(section, at: row)) }
            return
        }
        var row = rows.lowerBound
        while row < rows.upperBound {
            let place = checkedPlace(section, row)
            let count = min(forest.leaves.count(place.leaf) - place.index, rows.upperBound - row)
            let ids = unsafe forest.leaves.ids(place.leaf) + place.index
            for index in 0..<count { unsafe try body(ids[index]) }
            row += count
        }
    }

    /// Section and offset of a row, or nil if the index does not contain it. O(log rows), expected.
    package func place(of id: Int64) -> (section: SectionID, row: Int)? {
        if few.isInUse { return few.index(of: id).map { (SectionID(raw: FewRows.section), $0) } }
        return withForest { forest in
            guard let found = forest.place(of: id) else { return nil }
            let rank = forest.rank(of: found.leaf)
            return (SectionID(raw: rank.section), rank.row + found.index)
        }
    }

    /// The same with the key hash of the row.
    package func placeAndHash(of id: Int64) -> (section: SectionID, row: Int, keyHash: UInt32)? {
        if few.isInUse {
            return few.index(of: id).map { unsafe (SectionID(raw: FewRows.section), $0, few.hashes[$0]) }
        }
        return withForest { forest in
            guard let found = forest.place(of: id) else { return nil }
            let rank = forest.rank(of: found.leaf)
            return (SectionID(raw: rank.section), rank.row + found.index, forest.leaves[hash: found.leaf, found.index])
        }
    }

    /// Whether the index contains a row. O(1), expected.
    package func contains(_ id: Int64) -> Bool {
        if few.isInUse { return few.index(of: id) != nil }
        return withForest { $0.place(of: id) != nil }
    }

    /// The key hash of a row, or nil if the index does not contain it. O(1), expected.
    package func keyHash(of id: Int64) -> UInt32? {
        if few.isInUse { return few.index(of: id).map { unsafe few.hashes[$0] } }
        return withForest { forest in forest.place(of: id).map { forest.leaves[hash: $0.leaf, $0.index] } }
    }

    /// Number of rows before this one in all sections. O(log sections).
    package func flatIndex(section: SectionID, row: Int) -> Int {
        few.isInUse ? row : withPositions { $0.weightsBefore(section.raw).second } + row
    }

    /// Section and offset of the row before which there are `index` rows; nil if there is none.
    /// O(log sections).
    package func place(atFlatIndex index: Int) -> (section: SectionID, row: Int)? {
        if few.isInUse {
            return (0..<few.count).contains(index) ? (SectionID(raw: FewRows.section), index) : nil
        }
        return withPositions { $0.find(secondOffset: index) }.map { (SectionID(raw: $0.handle), $0.offset) }
    }

    /// Calls `body` with ids and key hashes of the rows of a section in order, one leaf at a time.
    /// The buffers are valid only during the call. O(rows of the section).
    package func forEachLeaf(
        in section: SectionID, _ body: (UnsafeBufferPointer<Int64>, UnsafeBufferPointer<UInt32>) throws -> Void
    ) rethrows {
        precondition(contains(section), "not a section of this index")
        if few.isInUse {
            return few.count == 0 ? () : unsafe try body(few.ids, few.hashes)
        }
        try forest.forEachLeaf(section: section.raw) { leaf in
            let count = forest.leaves.count(leaf)
            unsafe try body(
                UnsafeBufferPointer(start: forest.leaves.ids(leaf), count: count),
                UnsafeBufferPointer(start: forest.leaves.hashes(leaf), count: count))
        }
    }

    /// Calls `body` with the leaves of a section in order. Images are valid only during the call.
    /// O(leaves of the section).
    package func forEachLeafImage(
        in section: SectionID, _ body: (LeafImage) throws -> Void
    ) rethrows {
        precondition(contains(section), "not a section of this index")
        try forest.forEachLeaf(section: section.raw) { leaf in
            let count = forest.leaves.count(leaf)
            unsafe try body(
                LeafImage(
                    ids: UnsafeBufferPointer(start: forest.leaves.ids(leaf), count: count),
                    hashes: UnsafeBufferPointer(start: forest.leaves.hashes(leaf), count: count),
                    marks: UnsafeRawBufferPointer(UnsafeBufferPointer(start: forest.leaves.marks(leaf), count: count)),
                    prefix: UnsafeRawBufferPointer(
                        start: forest.leaves.prefix(leaf), count: forest.leaves.prefixCount(leaf)),
                    separatorCount: forest.separatorCount(before: leaf), separator: forest.separatorBytes(before: leaf))
            )
        }
    }

    /// The number of rows of a section whose keys sort before the given one. O(log rows); resolves
    /// at most one key.
    package func lowerBound(
        of key: UnsafeRawBufferPointer, in section: SectionID, resolve: Resolve
    ) throws -> Int {
        guard rowCount(in: section) > 0 else { return 0 }
        guard isKeyed else { throw OrderedTreeError.unknownKey(row(section: section, at: 0)) }
        let forest = forest
        let (leaf, before) = unsafe try forest.descend(to: KeyBytes(key), section: section.raw, resolve: resolve)
        return unsafe before + (try forest.find(KeyBytes(key), in: leaf, resolve: resolve).index)
    }

    /// The number of rows of a section for which `isBefore` is true. It must be true for the first
    /// rows and for none after them. Calls it for O(log rows) rows.
    package func lowerBound(
        in section: SectionID, isBefore: (Int64) throws -> Bool
    ) rethrows -> Int {
        var low = 0
        var high = rowCount(in: section)
        while low < high {
            let middle = (low + high) / 2
            if try isBefore(row(section: section, at: middle)) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func fewRow(_ section: SectionID, at row: Int) -> Int64 {
        precondition(row >= 0 && row < rowCount(in: section), "row out of range")
        return unsafe few.ids[row]
    }

    func checkedPlace(_ section: SectionID, _ row: Int) -> RowForest.LeafPlace {
        precondition(row >= 0 && row < rowCount(in: section), "row out of range")
        return forest.place(section: section.raw, row: row)
    }
}
