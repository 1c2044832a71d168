/// A row out of the index, with what the index knew of its key, so that it can be put back where it stood without its
/// key.
package struct DetachedRow: Equatable, Sendable {
    /// The row's id.
    package let id: Int64
    /// The hash of its key that the caller gave.
    package let keyHash: UInt32
    /// What is known of its key; nil for a row of an opaque index.
    let key: Key?

    /// A row of an opaque index. O(1).
    package init(id: Int64, keyHash: UInt32) { self.init(id: id, keyHash: keyHash, key: nil) }

    init(id: Int64, keyHash: UInt32, key: Key?) {
        self.id = id
        self.keyHash = keyHash
        self.key = key
    }

    /// What is known of a key between those of two other rows.
    struct Key: Equatable, Sendable {
        /// The first bytes, and whether these are all.
        let leading: [UInt8]
        let isWhole: Bool
        /// The row before it in its section; how many bytes the keys have in common; what this one has there.
        let previous: Int64?
        let before: Int
        let tail: Fragment
        /// The row after it; how many bytes the keys have in common; what that one has there.
        let following: Int64?
        let after: Int
        let next: Fragment
    }
}

/// Why an operation was refused. Nothing has changed then.
package enum OrderedTreeError: Error, Equatable, Sendable {
    /// The index already holds a row with this id.
    case duplicateRow(Int64)
    /// The row would stand out of order where it was put, or not between the rows between which it stood.
    case outOfOrder(Int64)
    /// The resolved key of this row is not the one under which it stands in the index.
    case keyChanged(Int64)
    /// The index holds no row with this id.
    case unknownRow(Int64)
    /// Nothing is known of this row's key: it was detached from an index without keys, or the index itself holds none.
    case unknownKey(Int64)
}
