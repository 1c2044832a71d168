/// A row out of the index, with what the index knew of its key, so that it can be put back by
/// position without its key.
package struct DetachedRow: Equatable, Sendable {
    /// The row's id.
    package let id: Int64
    /// The hash of its key that the caller gave.
    package let keyHash: UInt32
    /// Leading bytes of the zero-extended key, or the whole key.
    let known: [UInt8]
    let isWhole: Bool

    /// A row of an opaque index. O(1).
    package init(id: Int64, keyHash: UInt32) {
        self.init(id: id, keyHash: keyHash, known: [], isWhole: false)
    }

    /// A row with its whole key. O(length of the key).
    package init(id: Int64, keyHash: UInt32, key: UnsafeRawBufferPointer) {
        self.init(id: id, keyHash: keyHash, known: [UInt8](key), isWhole: true)
    }

    init(id: Int64, keyHash: UInt32, known: [UInt8], isWhole: Bool) {
        self.id = id
        self.keyHash = keyHash
        self.known = known
        self.isWhole = isWhole
    }

    func withLeadingBytes<Result>(_ body: (LeadingBytes) throws -> Result) rethrows -> Result {
        try known.withUnsafeBytes { bytes in
            try body(isWhole ? LeadingBytes(wholeKey: bytes) : LeadingBytes(part: bytes))
        }
    }
}

extension RowForest {
    /// A row as it stands, with all that is known of its key.
    func detached(at place: Place) -> DetachedRow {
        let leading = leaves.leading(place.leaf, place.index)
        let known =
            keyed
            ? [UInt8](unsafeUninitializedCapacity: leading.known) { buffer, count in
                for offset in 0..<leading.known { buffer[offset] = leading[offset] }
                count = leading.known
            } : []
        return DetachedRow(
            id: leaves.ids(place.leaf)[place.index], keyHash: leaves.hashes(place.leaf)[place.index],
            known: known, isWhole: false)
    }
}
