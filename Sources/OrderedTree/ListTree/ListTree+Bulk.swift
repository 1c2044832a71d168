extension ListTree {
    /// Appends a section to the bulk build of an index that is otherwise empty. Until `finishBulk`
    /// only the bulk operations may be called.
    package func beginSection() -> SectionID {
        endBulkSection()
        precondition(bulk != nil || sectionCount == 0, "a bulk build needs an empty index")
        let section = positions.appendInBulk(weights: .init(first: 1, second: 0))
        forest.addSection(section)
        let build = bulk ?? BulkBuild(forest: forest)
        build.builder.begin(section)
        bulk = build
        return SectionID(raw: section)
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
        endBulkSection()
        guard let build = bulk else { return }
        bulk = nil
        try finish(build.builder)
    }

    private func finish(_ bulk: borrowing BulkBuilder) throws {
        positions.finishBulk(bulk.sections)
        if let misplaced = bulk.misplaced {
            removeAllSections()
            throw OrderedTreeError.outOfOrder(misplaced)
        }
        if let twice = forest.identities.build(count: bulk.rowCount, ids: bulk.ids, from: forest.leaves) {
            forest.identities.clear()
            removeAllSections()
            throw OrderedTreeError.duplicateRow(twice)
        }
        positions.shrinkToFit()
        forest.shrinkToFit(handles: positions.handleCount)
        releaseTreesOfFewRows()
        assertInvariants()
    }

    private func endBulkSection() {
        guard let build = bulk, let section = build.builder.section else { return }
        let rows = build.builder.end()
        if rows > 0 { positions.setWeightsInBulk(.init(first: 1, second: rows), of: section) }
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

    init(forest: RowForest) { builder = BulkBuilder(forest: forest) }
}
