/// The rows of an index that has one section and one leaf, as long as they stay as they were read.
/// Most lists are short, and many of them never change: they do without the trees and the identity
/// map, for which the first change makes them.
@safe struct FewRows: ~Copyable {
    /// The handle of the section.
    static let section: Int32 = 0

    fileprivate var leaf: LeafTable.Leaf
    /// Whether the index has no trees.
    let isInUse: Bool

    /// Not in use.
    init() {
        leaf = LeafTable.Leaf(nextFree: -1)
        isInUse = false
    }

    /// Without rows if there is no leaf.
    fileprivate init(_ leaf: consuming LeafTable.Leaf?) {
        self.leaf = leaf.take() ?? LeafTable.Leaf(nextFree: -1)
        isInUse = true
    }

    var count: Int { Int(leaf.count) }
    var bytesHeld: Int { leaf.bytesHeld }
    /// Valid until the rows change. There are rows.
    var ids: UnsafeBufferPointer<Int64> { unsafe UnsafeBufferPointer(start: leaf.ids, count: count) }
    var hashes: UnsafeBufferPointer<UInt32> { unsafe UnsafeBufferPointer(start: leaf.hashes, count: count) }

    func index(of id: Int64) -> Int? {
        count == 0 ? nil : unsafe LeafTable.index(of: id, among: leaf.ids, count: count)
    }

    /// Descriptions of what can't be.
    func faults(keyed: Bool) -> [String] {
        guard count > 0 else { return [] }
        var faults: [String] = []
        if unsafe Set(ids).count < count { faults.append("an id occurs twice") }
        if count > Int(leaf.capacity) { faults.append("\(count) rows in a leaf for \(leaf.capacity)") }
        guard keyed else { return faults }
        var shallow: UInt32 = 0
        for index in 0..<count {
            let mark = unsafe leaf.marks[index]
            if !(index == 0 ? mark.isSoundAsFirst : mark.isSound) { faults.append("mark of row \(index)") }
            guard mark.isShallow else { continue }
            if mark.head < shallow { faults.append("heads") }
            shallow = mark.head
        }
        return faults
    }
}

extension ListTree {
    /// Releases the trees after a bulk build if it made no more than one section with one leaf.
    func releaseTreesOfFewRows() {
        guard sectionCount == 1, rowCount <= leafCapacity, positions.handle(at: 0) == FewRows.section else { return }
        let root = forest.roots[Int(FewRows.section)]
        guard root.node == RowForest.Root.none || root.level == 0 else { return }
        few = FewRows(root.node == RowForest.Root.none ? nil : forest.leaves.take(root.node))
        releaseTrees()
    }

    /// Makes the trees of few rows. The rows stay at their addresses.
    func expand(_ few: consuming FewRows, into forest: RowForest, _ positions: PositionTree) {
        let rows = few.count
        let section = positions.insert(at: 0, weights: .init(first: 1, second: rows))
        forest.addSection(section)
        guard rows > 0 else { return }
        let ids = unsafe few.ids
        var (first, last) = unsafe (ids[0], ids[0])
        for index in 1..<rows { unsafe (first, last) = (min(first, ids[index]), max(last, ids[index])) }
        forest.setRoot(section, node: forest.leaves.insert(few.leaf), level: 0)
        _ = forest.identities.build(count: rows, ids: first...last, ascending: false, from: forest.leaves)
    }
}
