extension ListTree {
    /// Prepares a bulk build, before its first section, of rows that are mostly another
    /// index's: they are found by their ids sooner. O(ids).
    package func prepareBulk(like other: ListTree) {
        precondition(sectionCount == 0 && bulk == nil, "a bulk build needs an empty index")
        forest.identities.prepare(like: other.forest.identities)
    }

    /// Appends a section to the bulk build of an index that is otherwise empty. Until `finishBulk`
    /// only the bulk operations may be called.
    package func beginSection() -> SectionID {
        SectionID(raw: neededBulk().beginSection())
    }

    private func neededBulk() -> BulkBuild {
        if let bulk { return bulk }
        precondition(sectionCount == 0, "a bulk build needs an empty index")
        let build = BulkBuild(forest: forest, positions: positions)
        bulk = build
        return build
    }

    /// Appends a row to the last section. Rows must be in the order of their keys. O(1).
    package func append(id: Int64, key: UnsafeRawBufferPointer, keyHash: UInt32) {
        unsafe begunBulk.builder.append(id: id, key: key, hash: keyHash)
    }

    /// Appends neighbouring rows to the last section. O(rows).
    package func append(_ rows: RowRun) {
        unsafe begunBulk.builder.append(rows)
    }

    /// Appends a leaf to the last section of a bulk build, to which no single rows are appended. It
    /// has 1 to `leafLimit` rows. O(rows of the leaf).
    package func append(_ leaf: LeafImage) {
        unsafe precondition((1...leafLimit).contains(leaf.ids.count), "too few or many rows")
        unsafe begunBulk.builder.append(leaf)
    }

    /// Ends the bulk build: the identity map is built in one pass, with memory that fits. If keys
    /// were out of order or an id occurred twice, throws and leaves the index empty. O(rows).
    package func finishBulk() throws {
        guard let build = bulk else { return }
        bulk = nil
        build.endSection()
        try finish(build.builder)
    }

    private func finish(_ bulk: borrowing BulkBuilder) throws {
        positions.finishBulk(bulk.sections)
        if let misplaced = bulk.misplaced {
            forest.identities.clear()
            removeAllSections()
            throw OrderedTreeError.outOfOrder(misplaced)
        }
        if let twice = forest.identities.build(
            count: bulk.rowCount, ids: bulk.ids, ascending: bulk.areIDsAscending, from: forest.leaves)
        {
            forest.identities.clear()
            removeAllSections()
            throw OrderedTreeError.duplicateRow(twice)
        }
        positions.shrinkToFit()
        forest.shrinkToFit(handles: positions.handleCount)
        releaseTreesOfFewRows()
        assertInvariants()
    }

    private var begunBulk: BulkBuild {
        guard let bulk else { preconditionFailure("no section was begun") }
        return bulk
    }

    private func removeAllSections() {
        while sectionCount > 0 { removeSection(section(at: sectionCount - 1)) }
    }
}

/// The memory of a bulk build, which lasts as long as the build.
final class BulkBuild {
    /// Exclusivity is not checked at run time, because the check would cost time for every row: the
    /// builder does not call the caller's closures.
    @safe @exclusivity(unchecked) var builder: BulkBuilder
    private let forest: RowForest
    private let positions: PositionTree

    init(forest: RowForest, positions: PositionTree) {
        self.forest = forest
        self.positions = positions
        builder = BulkBuilder(forest: forest)
    }

    /// Begins a section after the previous ones; returns its handle.
    func beginSection() -> Int32 {
        endSection()
        let section = positions.appendInBulk(weights: .init(first: 1, second: 0))
        forest.addSection(section)
        builder.begin(section)
        return section
    }

    func endSection() {
        guard let section = builder.section else { return }
        let rows = builder.end()
        if rows > 0 { positions.setWeightsInBulk(.init(first: 1, second: rows), of: section) }
    }
}
