import Glibc

extension ListTree {
    /// How many of the first rows of a section are also the first ones in a section of another
    /// index, with the same key hashes. O(rows that are the same), and O(leaves) of both.
    package func commonRows(of section: SectionID, with other: ListTree, _ otherSection: SectionID) -> Int {
        if few.isInUse || other.few.isInUse { return 0 }
        var mine = unsafe RowCursor(forest, section: section.raw)
        var theirs = unsafe RowCursor(other.forest, section: otherSection.raw)
        var common = 0
        while true {
            let length = unsafe min(mine.count, theirs.count)
            let same = unsafe mine.commonRows(with: theirs, limit: length)
            common += same
            if same < length || length == 0 { return common }
            unsafe mine.drop(length)
            unsafe theirs.drop(length)
        }
    }
}

/// Runs through the rows of a section, leaf by leaf. Unsafe, because it borrows the leaves.
@unsafe private struct RowCursor {
    private let forest: RowForest
    private let leaves: [UInt32]
    private var next = 0
    /// The rows that are left in the current leaf; none at the end of the section.
    private(set) var count = 0
    private var ids: UnsafeMutablePointer<Int64>
    private var hashes: UnsafeMutablePointer<UInt32>

    init(_ forest: RowForest, section: Int32) {
        var leaves: [UInt32] = []
        forest.forEachLeaf(section: section) { leaves.append($0) }
        unsafe self.forest = forest
        unsafe self.leaves = leaves
        unsafe ids = UnsafeMutablePointer(bitPattern: 8).unsafelyUnwrapped
        unsafe hashes = UnsafeMutablePointer(bitPattern: 8).unsafelyUnwrapped
        unsafe drop(0)
    }

    /// Goes `rows` further, at most to the end of the current leaf.
    mutating func drop(_ rows: Int) {
        unsafe count -= rows
        unsafe ids += rows
        unsafe hashes += rows
        guard unsafe count == 0 && next < leaves.count else { return }
        let leaf = unsafe leaves[next]
        unsafe next += 1
        unsafe count = forest.leaves.count(leaf)
        unsafe ids = forest.leaves.ids(leaf)
        unsafe hashes = forest.leaves.hashes(leaf)
    }

    /// How many of the next `limit` rows are those of another cursor.
    func commonRows(with other: RowCursor, limit: Int) -> Int {
        if unsafe memcmp(ids, other.ids, limit * 8) == 0 && memcmp(hashes, other.hashes, limit * 4) == 0 {
            return limit
        }
        var row = 0
        while unsafe row < limit && ids[row] == other.ids[row] && hashes[row] == other.hashes[row] { row += 1 }
        return row
    }
}
