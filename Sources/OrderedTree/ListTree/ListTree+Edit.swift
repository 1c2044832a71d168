extension ListTree {
    /// Inserts a row where its key belongs and returns its offset in the section. O(log rows), and
    /// full keys resolved only where heads tie. When it throws, the list is as before. Rows whose
    /// keys have changed must be out of the index by then: a resolved key that disagrees with what
    /// is held is refused with `keyChanged`.
    package func insert(
        id: Int64, key: UnsafeRawBufferPointer, keyHash: UInt32, in section: SectionID,
        resolve: Resolve
    ) throws -> Int {
        precondition(contains(section), "not a section of this index")
        guard isKeyed else { throw OrderedTreeError.unknownKey(id) }
        guard !contains(id) else { throw OrderedTreeError.duplicateRow(id) }
        let new = unsafe RowForest.NewRow(id: id, key: LeadingBytes(wholeKey: key), hash: keyHash)
        var row = 0
        if rowCount(in: section) == 0 {
            unsafe forest.placeFirst(new, section: section.raw)
        } else {
            let (leaf, before) = unsafe try forest.descend(to: key, section: section.raw, resolve: resolve)
            let index = unsafe try forest.lowerBound(of: key, leaf: leaf, resolve: resolve)
            let isFull = forest.leaves.count(leaf) == forest.leafCapacity
            let place = unsafe forest.makeRoom(for: new.key, at: .init(leaf: leaf, index: index))
            if isFull { try forest.sharpen(place.leaf, resolve: resolve) }
            unsafe forest.put(new, at: place)
            row = before + index
        }
        positions.addWeights(.init(first: 0, second: 1), to: section.raw)
        return row
    }

    /// Inserts a row at an offset of a section; nothing is resolved. The caller vouches for the
    /// order; where it is certainly wrong, the row is refused. O(log rows).
    package func insert(_ row: DetachedRow, in section: SectionID, at offset: Int) throws {
        let rows = rowCount(in: section)
        precondition(offset >= 0 && offset <= rows, "row out of range")
        guard !contains(row.id) else { throw OrderedTreeError.duplicateRow(row.id) }
        if isKeyed, row.known.count < 4 { throw OrderedTreeError.unknownKey(row.id) }
        unsafe try row.withLeadingBytes { key in
            let new = unsafe RowForest.NewRow(id: row.id, key: key, hash: row.keyHash)
            guard rows > 0 else { return unsafe forest.placeFirst(new, section: section.raw) }
            var place = forest.place(section: section.raw, row: min(offset, rows - 1))
            if offset == rows { place.index += 1 }
            if isKeyed, unsafe forest.contradicts(key, at: place) {
                throw OrderedTreeError.outOfOrder(row.id)
            }
            if place.index == 0 { place = unsafe forest.placeBetween(key, leftOf: place.leaf) }
            unsafe forest.put(new, at: forest.makeRoom(for: key, at: place))
        }
        positions.addWeights(.init(first: 0, second: 1), to: section.raw)
    }

    /// Takes the row at an offset of a section out. O(log rows).
    @discardableResult
    package func remove(section: SectionID, at row: Int) -> DetachedRow {
        let place = checkedPlace(section, row)
        let row = forest.detached(at: place)
        let section = forest.remove(at: place)
        positions.addWeights(.init(first: 0, second: -1), to: section)
        return row
    }
}
