internal import OrderedTree

/// The children of a collection in the program's order, with the place of each, both ways in
/// O(log n).
final class CollectionChildren: Sequence {
    private let tree = PositionTree()
    private var byHandle: [CollectionChild?] = []
    /// All of them in their order, until the next change.
    private var known: [CollectionChild]?
    /// Children that were visited one after another.
    private var listed = 0

    var count: Int { tree.count }

    var indices: Range<Int> { 0..<count }

    /// How many children and nodes of the tree were visited so far.
    var visits: Int { listed + tree.nodesVisited }

    /// All children. O(n) after a change, else O(1).
    private var all: [CollectionChild] {
        if let known { return known }
        listed += count
        let all = indices.compactMap { byHandle[Int(tree.handle(at: $0))] }
        known = all
        return all
    }

    func makeIterator() -> IndexingIterator<[CollectionChild]> { all.makeIterator() }

    subscript(index: Int) -> CollectionChild? {
        indices.contains(index) ? byHandle[Int(tree.handle(at: index))] : nil
    }

    /// The place of a child; nil if it is not one of these, or not any more.
    func index(of child: CollectionChild) -> Int? {
        guard byHandle.indices.contains(Int(child.order)), byHandle[Int(child.order)] === child else { return nil }
        return tree.index(of: child.order)
    }

    func insert(_ child: CollectionChild, at index: Int) {
        child.order = tree.insert(at: index, weights: PositionTree.Weights(first: 0, second: 0))
        while byHandle.count <= Int(child.order) { byHandle.append(nil) }
        byHandle[Int(child.order)] = child
        known = nil
    }

    func remove(_ child: CollectionChild) {
        guard index(of: child) != nil else { return }
        tree.remove(child.order)
        byHandle[Int(child.order)] = nil
        child.order = -1
        known = nil
    }
}
