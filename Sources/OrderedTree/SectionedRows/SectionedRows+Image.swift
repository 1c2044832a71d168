/// The rows of one leaf as the index holds them: enough to build an equal leaf without the rows' keys.
package struct LeafImage {
    package let ids: UnsafeBufferPointer<Int64>
    /// The four bytes of each key that follow the prefix; zeros in an index without keys.
    package let heads: UnsafeBufferPointer<UInt32>
    package let hashes: UnsafeBufferPointer<UInt32>
    /// What all keys begin with, extended with zeros.
    package let prefix: UnsafeRawBufferPointer

    /// All but the prefix have one entry per row.
    package init(
        ids: UnsafeBufferPointer<Int64>, heads: UnsafeBufferPointer<UInt32>,
        hashes: UnsafeBufferPointer<UInt32>, prefix: UnsafeRawBufferPointer
    ) {
        self.ids = ids
        self.heads = heads
        self.hashes = hashes
        self.prefix = prefix
    }
}

extension ListTree {
    /// The most rows of a leaf.
    package var leafCapacity: Int { forest.leafCapacity }

    /// Calls `body` with the leaves of a section in order. Images are valid within the call only.
    /// O(leaves of the section).
    package func forEachLeafImage(
        in section: SectionID, _ body: (LeafImage) throws -> Void
    ) rethrows {
        precondition(contains(section), "not a section of this index")
        let leaves = forest.leaves
        try forest.forEachLeaf(section: section.raw) { leaf in
            let count = leaves.count(leaf)
            try body(
                LeafImage(
                    ids: UnsafeBufferPointer(start: leaves.ids(leaf), count: count),
                    heads: UnsafeBufferPointer(start: leaves.heads(leaf), count: count),
                    hashes: UnsafeBufferPointer(start: leaves.hashes(leaf), count: count),
                    prefix: UnsafeRawBufferPointer(start: leaves.prefix(leaf), count: leaves.prefixCount(leaf))
                ))
        }
    }

    /// Appends a leaf to the section begun last of a bulk build, to which no single rows are
    /// appended. It has 1 to `leafCapacity` rows. O(rows of the leaf).
    package func append(_ leaf: LeafImage) {
        precondition(bulk.isOpen, "no section was begun")
        precondition((1...leafCapacity).contains(leaf.ids.count), "too few or many rows")
        bulk.append(leaf)
    }
}
