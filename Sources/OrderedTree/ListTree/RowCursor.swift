import Glibc

/// Runs through the rows of a section, leaf by leaf. Unsafe, because it borrows the leaves of an
/// index that must not be edited meanwhile.
@unsafe package struct RowCursor {
    private let tree: ListTree
    private let leaves: [UInt32]
    private var next = 0
    /// The number of the current row in the section.
    package private(set) var row = 0
    /// The rows that are left in the current leaf; none at the end of the section.
    package private(set) var count = 0
    private var ids: UnsafePointer<Int64>
    private var hashes: UnsafePointer<UInt32>

    /// At the first row of a section.
    package init(_ tree: ListTree, _ section: SectionID) {
        precondition(tree.contains(section), "not a section of this index")
        unsafe self.tree = tree
        unsafe ids = UnsafePointer(bitPattern: 8).unsafelyUnwrapped
        unsafe hashes = UnsafePointer(bitPattern: 8).unsafelyUnwrapped
        if tree.few.isInUse {
            unsafe leaves = []
            guard tree.few.count > 0, let fewIDs = unsafe tree.few.ids.baseAddress,
                let fewHashes = unsafe tree.few.hashes.baseAddress
            else { return }
            unsafe (ids, hashes, count) = (fewIDs, fewHashes, tree.few.count)
            return
        }
        var leaves: [UInt32] = []
        tree.forest.forEachLeaf(section: section.raw) { leaves.append($0) }
        unsafe self.leaves = leaves
        unsafe drop(0)
    }

    /// The id of the current row; there is one.
    package var id: Int64 { unsafe ids[0] }
    /// The hash of its key.
    package var hash: UInt32 { unsafe hashes[0] }

    /// The ids of the current row and of the rows after it in its leaf.
    package var leafIDs: UnsafeBufferPointer<Int64> { unsafe UnsafeBufferPointer(start: ids, count: count) }

    /// Moves on by so many rows, at most to the end of the current leaf.
    package mutating func drop(_ rows: Int) {
        unsafe row += rows
        unsafe count -= rows
        unsafe ids += rows
        unsafe hashes += rows
        guard unsafe count == 0 && next < leaves.count else { return }
        let (leaf, forest) = unsafe (leaves[next], tree.forest)
        unsafe next += 1
        unsafe count = forest.leaves.count(leaf)
        unsafe ids = UnsafePointer(forest.leaves.ids(leaf))
        unsafe hashes = UnsafePointer(forest.leaves.hashes(leaf))
    }

    /// How many of the rows that are left in both current leaves are the same, with the same
    /// hashes.
    package func commonRows(with other: RowCursor) -> Int {
        let limit = unsafe min(count, other.count)
        if unsafe memcmp(ids, other.ids, limit * 8) == 0 && memcmp(hashes, other.hashes, limit * 4) == 0 {
            return limit
        }
        var row = 0
        while unsafe row < limit && ids[row] == other.ids[row] && hashes[row] == other.hashes[row] { row += 1 }
        return row
    }
}

/// Finds the places of many rows in an index that is not edited meanwhile, without a search in the
/// tree. O(leaves) to make.
package struct PlaceFinder {
    private let tree: ListTree
    /// Of each leaf by its number: its section, and how many rows are before it there.
    private var leaves: [(section: Int32, row: Int32)] = []

    package init(_ tree: ListTree) {
        self.tree = tree
        if tree.few.isInUse { return }
        leaves = Array(repeating: (-1, 0), count: Int(tree.forest.leaves.used))
        for index in 0..<tree.sectionCount {
            let section = tree.section(at: index).raw
            var row = 0
            tree.forest.forEachLeaf(section: section) { leaf in
                leaves[Int(leaf)] = (section, Int32(truncatingIfNeeded: row))
                row += tree.forest.leaves.count(leaf)
            }
        }
    }

    /// Section and offset of a row; nil if the index does not contain it. O(1), expected.
    package func place(of id: Int64) -> (section: SectionID, row: Int)? {
        if tree.few.isInUse { return tree.place(of: id) }
        return tree.withForest { forest in
            guard let place = forest.place(of: id) else { return nil }
            let leaf = leaves[Int(place.leaf)]
            return (SectionID(raw: leaf.section), Int(leaf.row) + place.index)
        }
    }
}
