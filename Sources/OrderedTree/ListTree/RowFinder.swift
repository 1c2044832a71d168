/// Finds the places of many rows in an index that is not edited meanwhile. A row that is the one
/// inserted last, or follows the one before, is not searched; and what rows of one leaf or section
/// have in common is determined once.
package struct RowFinder {
    private let tree: ListTree
    /// The place of the last row, and the rows of its section before its leaf.
    private var last: (place: RowForest.LeafPlace, section: Int32, rowsBefore: Int)?
    /// The position of the last row's section, if it is known.
    private var sectionIndex: Int?

    /// - Parameter insertion: The last one into the index, or none.
    package init(_ tree: ListTree, after insertion: Insertion) {
        self.tree = tree
        if !tree.few.isInUse, tree.withForest({ insertion.isAtPlace($0, in: insertion.section) }) {
            last = (insertion.place, insertion.section, insertion.row - insertion.place.index)
        }
    }

    /// The section of a row, the position of that, and the row's offset in it; nil if the index
    /// does not contain the row. O(log rows), expected.
    package mutating func find(_ id: Int64) -> (section: SectionID, sectionIndex: Int, row: Int)? {
        if tree.few.isInUse { return tree.place(of: id).map { ($0.section, 0, $0.row) } }
        return tree.withForest { find(id, $0) }
    }

    private mutating func find(_ id: Int64, _ forest: RowForest) -> (section: SectionID, sectionIndex: Int, row: Int)? {
        guard let place = nextPlace(of: id, forest) ?? forest.place(of: id) else { return nil }
        var (section, rowsBefore) = (last?.section, last?.rowsBefore ?? 0)
        if last?.place.leaf != place.leaf { (section, rowsBefore) = forest.rank(of: place.leaf) }
        guard let section else { return nil }
        if section != last?.section { sectionIndex = nil }
        last = (place, section, rowsBefore)
        let index = sectionIndex ?? tree.withPositions { $0.index(of: section) }
        sectionIndex = index
        return (SectionID(raw: section), index, rowsBefore + place.index)
    }

    /// The place of a row if it is the last one, or follows it in its leaf.
    private func nextPlace(of id: Int64, _ forest: RowForest) -> RowForest.LeafPlace? {
        guard let last = last?.place else { return nil }
        for index in last.index..<min(last.index + 2, forest.leaves.count(last.leaf))
        where forest.leaves[id: last.leaf, index] == id {
            return RowForest.LeafPlace(leaf: last.leaf, index: index)
        }
        return nil
    }
}
