/// A row out of the index, with what the index knew of its key, so that it can be put back by
/// position without its key.
package struct DetachedRow: Equatable, Sendable {
    /// The row's id.
    package let id: Int64
    /// The hash of its key that the caller gave.
    package let keyHash: UInt32
    /// Leading bytes of the zero-extended key.
    let known: [UInt8]

    /// A row of an opaque index. O(1).
    package init(id: Int64, keyHash: UInt32) { self.init(id: id, keyHash: keyHash, known: []) }

    init(id: Int64, keyHash: UInt32, known: [UInt8]) {
        self.id = id
        self.keyHash = keyHash
        self.known = known
    }

    func withLeadingBytes<Result>(_ body: (LeadingBytes) throws -> Result) rethrows -> Result {
        unsafe try known.withUnsafeBytes { unsafe try body(LeadingBytes(part: $0)) }
    }
}

/// Why an operation was refused. Nothing has changed then.
package enum OrderedTreeError: Error, Equatable, Sendable {
    /// The index already holds a row with this id.
    case duplicateRow(Int64)
    /// The row would stand out of order where it was put.
    case outOfOrder(Int64)
    /// The resolved key of this row is not the one under which it stands in the index.
    case keyChanged(Int64)
    /// The index holds no row with this id.
    case unknownRow(Int64)
    /// Too little is known of this row's key: it was detached from an index without keys, or the
    /// index itself holds none.
    case unknownKey(Int64)
}
