extension ListTree {
    /// Inserts a row at the place of its key, and returns its offset in the section. O(log rows).
    /// Resolves at most one other key, and none where what leaves store decides. If it throws, the
    /// list is unchanged. Rows whose keys have changed must be removed from the index before: a
    /// resolved key that disagrees with what is stored is refused with `keyChanged`.
    ///
    /// - Parameter last: The last insertion into this index, or none. If the row belongs just after
    ///   that one, nothing is searched. Replaced by this insertion, which borrows the key.
    package func insert(
        id: Int64, key: UnsafeRawBufferPointer, keyHash: UInt32, in section: SectionID, after last: inout Insertion,
        resolve: Resolve
    ) throws -> Int {
        precondition(contains(section), "not a section of this index")
        guard isKeyed else { throw OrderedTreeError.unknownKey(id) }
        guard !contains(id) else { throw OrderedTreeError.duplicateRow(id) }
        let row = unsafe RowForest.NewRow(id: id, hash: keyHash, key: KeyBytes(key))
        let isFirst = rowCount(in: section) == 0
        last = try withForest { forest in
            if !isFirst { return unsafe try insert(row, in: section.raw, forest, after: last, resolve) }
            let place = unsafe forest.placeFirst(row, section: section.raw)
            return unsafe Insertion(forest, row.key, section: section.raw, row: 0, at: place)
        }
        withPositions { $0.addWeights(.init(first: 0, second: 1), to: section.raw) }
        return last.row
    }

    /// Inserts a row into the tree of a section that has rows.
    private func insert(
        _ row: RowForest.NewRow, in section: Int32, _ forest: RowForest, after last: Insertion, _ resolve: Resolve
    ) throws -> Insertion {
        var row = unsafe row
        let (spot, leaf, before): (RowForest.Spot, UInt32, Int)
        if let next = unsafe forest.spot(for: row.key, in: section, after: last) {
            (spot, leaf, before) = (next, last.place.leaf, last.row - last.place.index)
        } else {
            (leaf, before) = unsafe try forest.descend(to: row.key, section: section, resolve: resolve)
            spot = unsafe try forest.find(row.key, in: leaf, resolve: resolve)
        }
        // Each row's key contains its identity.
        if spot.isSame { throw OrderedTreeError.keyChanged(forest.leaves[id: leaf, spot.index]) }
        (row.before, row.after, row.next) = (spot.before, spot.after, spot.next)
        let place = RowForest.LeafPlace(leaf: leaf, index: spot.index)
        unsafe forest.put(row, at: place)
        let insertion = unsafe Insertion(forest, row.key, section: section, row: before + spot.index, at: place)
        if forest.leaves.count(leaf) > leafCapacity {
            unsafe forest.relieve(leaf, near: spot.index, row.key, resolve)
        }
        return insertion
    }

    /// Inserts a row again at the offset of a section from which it was removed; nothing is
    /// resolved. In a keyed index it must be between the same rows as before, else it is refused.
    /// O(log rows).
    package func insert(_ row: DetachedRow, in section: SectionID, at offset: Int) throws {
        let rows = rowCount(in: section)
        precondition(offset >= 0 && offset <= rows, "row out of range")
        guard !contains(row.id) else { throw OrderedTreeError.duplicateRow(row.id) }
        if isKeyed, row.key == nil { throw OrderedTreeError.unknownKey(row.id) }
        let forest = forest
        let leading = isKeyed ? row.key?.leading ?? [] : []
        unsafe try leading.withUnsafeBytes { bytes in
            var new = unsafe RowForest.NewRow(
                id: row.id, hash: row.keyHash, key: KeyBytes(bytes, isWhole: row.key?.isWhole ?? false))
            guard rows > 0 else {
                unsafe forest.placeFirst(new, section: section.raw)
                return
            }
            guard let place = forest.place(for: row, section: section.raw, offset: offset, rows: rows) else {
                throw OrderedTreeError.outOfOrder(row.id)
            }
            if let key = row.key {
                (new.before, new.after, new.tail, new.next) = (key.before, key.after, key.tail, key.next)
            }
            unsafe forest.put(new, at: place)
            if forest.leaves.count(place.leaf) > leafCapacity {
                _ = unsafe forest.relieve(
                    place.leaf, near: place.index, RowForest.Witness(key: new.key, index: place.index))
            }
        }
        positions.addWeights(.init(first: 0, second: 1), to: section.raw)
    }

    /// Removes the row at an offset of a section. O(log rows).
    @discardableResult
    package func remove(section: SectionID, at row: Int) -> DetachedRow {
        let forest = forest
        return remove(checkedPlace(section, row), forest)
    }

    /// Removes a row by its id, and returns it with the place that it had; nil if the index does
    /// not contain it. O(log rows), expected.
    @discardableResult
    package func remove(id: Int64) -> (section: SectionID, offset: Int, row: DetachedRow)? {
        withForest { forest in
            guard let place = forest.place(of: id) else { return nil }
            let rank = forest.rank(of: place.leaf)
            return (SectionID(raw: rank.section), rank.row + place.index, remove(place, forest))
        }
    }

    private func remove(_ place: RowForest.LeafPlace, _ forest: RowForest) -> DetachedRow {
        let row = forest.detached(at: place)
        let section = forest.remove(at: place)
        withPositions { $0.addWeights(.init(first: 0, second: -1), to: section) }
        return row
    }
}
