extension ListTree {
    /// Inserts a row at the place of its key, and returns its offset in the section. O(log rows).
    /// Resolves at most one other key, and none where what leaves store decides. If it throws, the
    /// list is unchanged. Rows whose keys have changed must be removed from the index before: a
    /// resolved key that disagrees with what is stored is refused with `keyChanged`.
    package func insert(
        id: Int64, key: UnsafeRawBufferPointer, keyHash: UInt32, in section: SectionID,
        resolve: Resolve
    ) throws -> Int {
        precondition(contains(section), "not a section of this index")
        guard isKeyed else { throw OrderedTreeError.unknownKey(id) }
        guard !contains(id) else { throw OrderedTreeError.duplicateRow(id) }
        let key = unsafe KeyBytes(key)
        // Taken once, so that references to it are not counted at each use.
        let forest = forest
        var row = 0
        if rowCount(in: section) == 0 {
            unsafe forest.placeFirst(RowForest.NewRow(id: id, hash: keyHash, key: key), section: section.raw)
        } else {
            let (leaf, before) = unsafe try forest.descend(to: key, section: section.raw, resolve: resolve)
            let spot = unsafe try forest.find(key, in: leaf, resolve: resolve)
            // Each row's key contains its identity.
            if spot.isSame { throw OrderedTreeError.keyChanged(forest.leaves[id: leaf, spot.index]) }
            unsafe forest.put(
                RowForest.NewRow(
                    id: id, hash: keyHash, key: key, before: spot.before, after: spot.after, next: spot.next),
                at: RowForest.Place(leaf: leaf, index: spot.index))
            if forest.leaves.count(leaf) > leafCapacity {
                unsafe forest.relieve(leaf, near: spot.index, key, resolve)
            }
            row = before + spot.index
        }
        positions.addWeights(.init(first: 0, second: 1), to: section.raw)
        return row
    }

    /// The row whose key an insertion of a key would resolve first; nil if it would resolve none.
    /// O(log rows).
    package func rowToCompare(with key: UnsafeRawBufferPointer, in section: SectionID) -> Int64? {
        precondition(contains(section), "not a section of this index")
        guard isKeyed, rowCount(in: section) > 0 else { return nil }
        return unsafe forest.rowToCompare(with: KeyBytes(key), section: section.raw)
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
            guard rows > 0 else { return unsafe forest.placeFirst(new, section: section.raw) }
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
        let place = checkedPlace(section, row)
        let forest = forest
        let row = forest.detached(at: place)
        let section = forest.remove(at: place)
        positions.addWeights(.init(first: 0, second: -1), to: section)
        return row
    }
}
