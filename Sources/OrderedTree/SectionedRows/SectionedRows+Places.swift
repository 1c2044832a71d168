extension ListTree {
    /// The id of the row at an offset of a section. O(log rows).
    package func row(section: SectionID, at row: Int) -> Int64 {
        let place = checkedPlace(section, row)
        return forest.leaves.ids(place.leaf)[place.index]
    }

    /// Calls `body` with the ids of neighbouring rows of a section in order. O(log rows) for each leaf.
    package func forEachRow(
        in section: SectionID, _ rows: Range<Int>, _ body: (Int64) throws -> Void
    ) rethrows {
        var row = rows.lowerBound
        while row < rows.upperBound {
            let place = checkedPlace(section, row)
            let count = min(forest.leaves.count(place.leaf) - place.index, rows.upperBound - row)
            let ids = forest.leaves.ids(place.leaf) + place.index
            for index in 0..<count { try body(ids[index]) }
            row += count
        }
    }

    /// What is held of the row at an offset of a section. O(log rows).
    package func entry(
        section: SectionID, at row: Int
    ) -> (id: Int64, head: UInt32, keyHash: UInt32) {
        let place = checkedPlace(section, row)
        let leaves = forest.leaves
        return (
            leaves.ids(place.leaf)[place.index], leaves.heads(place.leaf)[place.index],
            leaves.hashes(place.leaf)[place.index]
        )
    }

    /// Section and offset of a row, or nil when the index does not hold it. O(log rows), expected.
    package func place(of id: Int64) -> (section: SectionID, row: Int)? {
        guard let found = forest.identities.find(id, in: forest.leaves) else { return nil }
        let rank = forest.rank(of: found.leaf)
        return (SectionID(raw: rank.section), rank.row + found.index)
    }

    /// Whether the index holds a row. O(1), expected.
    package func contains(_ id: Int64) -> Bool {
        forest.identities.find(id, in: forest.leaves) != nil
    }

    /// The key hash of a row, or nil when the index does not hold it. O(1), expected.
    package func keyHash(of id: Int64) -> UInt32? {
        forest.identities.find(id, in: forest.leaves).map { forest.leaves.hashes($0.leaf)[$0.index] }
    }

    /// Number of rows before this one over all sections. O(log sections).
    package func flatIndex(section: SectionID, row: Int) -> Int { firstFlatIndex(of: section) + row }

    /// Number of rows in all sections before this one. O(log sections).
    package func firstFlatIndex(of section: SectionID) -> Int {
        positions.weightsBefore(section.raw).second
    }

    /// Section and offset of the row with that many rows before it. O(log sections).
    package func place(atFlatIndex index: Int) -> (section: SectionID, row: Int) {
        guard let found = positions.find(secondOffset: index) else {
            preconditionFailure("flat index out of range")
        }
        return (SectionID(raw: found.handle), found.offset)
    }

    /// Calls `body` with ids and key hashes of the rows of a section in order, one leaf at a time.
    /// The buffers are valid within the call only. O(rows of the section).
    package func forEachLeaf(
        in section: SectionID,
        _ body: (UnsafeBufferPointer<Int64>, UnsafeBufferPointer<UInt32>) throws -> Void
    ) rethrows {
        precondition(contains(section), "not a section of this index")
        try forest.forEachLeaf(section: section.raw) { leaf in
            let count = forest.leaves.count(leaf)
            try body(
                UnsafeBufferPointer(start: forest.leaves.ids(leaf), count: count),
                UnsafeBufferPointer(start: forest.leaves.hashes(leaf), count: count))
        }
    }

    func checkedPlace(_ section: SectionID, _ row: Int) -> RowForest.Place {
        precondition(row >= 0 && row < rowCount(in: section), "row out of range")
        return forest.place(section: section.raw, row: row)
    }
}
