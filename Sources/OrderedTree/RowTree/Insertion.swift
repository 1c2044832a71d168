/// The last insertion into an index: the next one needs no search if its row belongs just after
/// that row, as rows do that are added in their order.
///
/// It borrows the row's key, which must stay valid as long as insertions are made after it.
@safe package struct Insertion {
    /// No insertion yet.
    package init() {}

    init(_ forest: RowForest, _ key: KeyBytes, section: Int32, row: Int, at place: RowForest.LeafPlace) {
        unsafe self.key = key
        self.section = section
        self.row = row
        self.place = place
        edits = forest.edits
    }

    private(set) var key = unsafe KeyBytes(UnsafeRawBufferPointer(start: nil, count: 0))
    private(set) var section: Int32 = -1
    /// The row's offset in the section, and its place, as long as the index is not edited.
    private(set) var row = 0
    private(set) var place = RowForest.LeafPlace(leaf: 0, index: 0)
    private var edits = -1

    /// Whether the row is still at its place, which is in a section.
    func isAtPlace(_ forest: RowForest, in section: Int32) -> Bool {
        edits == forest.edits && self.section == section
    }
}

extension RowForest {
    /// The spot just after the row that was inserted last, if what is known shows that a key
    /// belongs there; nil if it has to be searched. Reads no key.
    func spot(for key: KeyBytes, in section: Int32, after last: Insertion) -> Spot? {
        guard last.isAtPlace(self, in: section) else { return nil }
        let shared = unsafe key.commonLength(with: last.key)
        guard unsafe key.symbol(at: shared) > last.key.symbol(at: shared) else { return nil }
        let (leaf, index) = (last.place.leaf, last.place.index + 1)
        if index == leaves.count(leaf) {
            let root = roots[Int(section)]
            return leaf == lastLeaf(below: root.node, level: Int(root.level)) ? Spot(index: index, before: shared) : nil
        }
        // The next row is after the key if it has fewer bytes in common with the last one.
        let depth = leaves.depth(leaf, index)
        return depth < shared ? Spot(index: index, before: shared, after: depth) : nil
    }
}
