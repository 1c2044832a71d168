/// A row that was removed from the index, with what the index stored of its key, so that it can be
/// inserted again at its place without its key.
package struct DetachedRow: Equatable, Sendable {
    /// The row's id.
    package let id: Int64
    /// The hash of its key, from the caller.
    package let keyHash: UInt32
    /// The known part of its key; nil for a row of an opaque index.
    let key: Key?

    /// A row of an opaque index. O(1).
    package init(id: Int64, keyHash: UInt32) { self.init(id: id, keyHash: keyHash, key: nil) }

    init(id: Int64, keyHash: UInt32, key: Key?) {
        self.id = id
        self.keyHash = keyHash
        self.key = key
    }

    /// The known part of a key between the keys of two other rows.
    struct Key: Equatable, Sendable {
        /// The prefix of its leaf, the bytes after that, and whether these are all.
        let prefix: ShortBytes
        let lead: Fragment
        let isWhole: Bool
        /// The previous row in its section; how many bytes the keys have in common; the bytes of
        /// this key after that.
        let previous: Int64?
        let before: Int
        let tail: Fragment
        /// The next row; how many bytes the keys have in common; the bytes of that key after that.
        let following: Int64?
        let after: Int
        let next: Fragment

        /// The first bytes.
        var leading: [UInt8] { prefix.array + (0..<lead.count).map { lead.dropping($0).first } }
    }
}

/// Why an operation was refused. It has changed nothing.
package enum OrderedTreeError: Error, Equatable, Sendable {
    /// The index already contains a row with this id.
    case duplicateRow(Int64)
    /// The row would be out of order at its place, or would not be between the rows between which
    /// it was.
    case outOfOrder(Int64)
    /// The resolved key of this row differs from the one that it has in the index.
    case keyChanged(Int64)
    /// The index contains no row with this id.
    case unknownRow(Int64)
    /// Nothing is known of this row's key: it was detached from an index without keys, or the index
    /// itself has no keys.
    case unknownKey(Int64)
}
