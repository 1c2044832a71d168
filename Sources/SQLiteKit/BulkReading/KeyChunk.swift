/// Some rows that a scan has read: their ids and encoded keys, their identities where these are not
/// rowids, and where sections begin.
///
/// Safe except for the addresses that it returns: it owns its memory, which has room for `limit`
/// rows.
@safe package struct KeyChunk: ~Copyable {
    /// A row at which a section begins whose value is spelled differently from the previous
    /// section's.
    package struct Boundary {
        package let row: Int
        package let key: SectionKey
        package let value: RowValues
        /// Whether its key equals the previous section's, so that only the spelling differs.
        package let isSameKey: Bool
    }

    /// How many rows it has at most.
    let limit: Int
    /// Whether keys consist of a rowid alone, and are not encoded.
    package let omitsKeys: Bool
    package internal(set) var count = 0
    /// The rowids; where rows have other identities, the caller sets the ids.
    package let ids: UnsafeMutablePointer<Int64>
    /// Where the key of each row ends among the key bytes; not set if keys are omitted.
    package let ends: UnsafeMutablePointer<Int>
    /// The hashes of the keys, once `hashKeys` has set them.
    package let hashes: UnsafeMutablePointer<UInt32>
    var keys: KeyEncoder
    /// Where the identity begins in the bytes of each row's key, and where it ends, packed, in
    /// `packedIdentities`.
    private let identities: UnsafeMutablePointer<(start: Int, packedEnd: Int)>
    private var packedIdentities: [UInt8] = []
    /// In the order of their rows; nil once they were passed on.
    var boundaries: [Boundary?] = []

    /// - Parameter hasIdentities: Whether rows have identities other than their rowids.
    init(limit: Int, omitsKeys: Bool, hasIdentities: Bool) {
        self.limit = limit
        self.omitsKeys = omitsKeys
        keys = omitsKeys ? KeyEncoder() : KeyEncoder(capacity: limit * 32)
        // Valgrind reports an allocation of no bytes.
        unsafe identities = .allocate(capacity: hasIdentities ? max(limit, 1) : 1)
        unsafe ids = .allocate(capacity: limit)
        unsafe ends = .allocate(capacity: limit)
        unsafe hashes = .allocate(capacity: limit)
    }

    deinit {
        unsafe identities.deallocate()
        unsafe ids.deallocate()
        unsafe ends.deallocate()
        unsafe hashes.deallocate()
    }

    var isFull: Bool { count == limit }

    mutating func removeAll() {
        count = 0
        keys.removeAll()
        packedIdentities.removeAll(keepingCapacity: true)
        boundaries.removeAll(keepingCapacity: true)
    }

    /// The key bytes of the rows, one key after another.
    package var keyBytes: UnsafeRawBufferPointer { unsafe keys.bytes }

    /// Appends the identity of the next row to its key, and takes it.
    mutating func appendIdentity(of source: ResultRow, _ columns: IdentityColumns) {
        let start = keys.count
        let rowid = unsafe columns.encode(source, into: &keys)
        unsafe columns.pack(source, rowid, into: &packedIdentities)
        unsafe identities[count] = (start, packedIdentities.count)
    }

    /// Calls `body` with each row's number, the bytes of its identity in its key, and its packed
    /// identity. Only of rows that have identities.
    package func forEachIdentity(_ body: (Int, UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void) {
        let (keys, ends, identities) = unsafe (keyBytes, ends, identities)
        unsafe packedIdentities.withUnsafeBytes { packed in
            var start = 0
            for row in 0..<count {
                let identity = unsafe identities[row]
                unsafe body(
                    row, UnsafeRawBufferPointer(rebasing: keys[identity.start..<ends[row]]),
                    UnsafeRawBufferPointer(rebasing: packed[start..<identity.packedEnd]))
                start = identity.packedEnd
            }
        }
    }

    /// Hashes the keys of the complete chunk. The processor hashes several of them at the same
    /// time, and no hash has to wait for bytes that were just written.
    ///
    /// - Parameter mask: Which bits of their hashes the keys have.
    package mutating func hashKeys(mask: UInt32 = .max) {
        if omitsKeys {
            for row in 0..<count { unsafe hashes[row] = KeyHash.hash32(rowid: ids[row]) & mask }
            return
        }
        let bytes = unsafe keyBytes
        var start = 0
        for row in 0..<count {
            let end = unsafe ends[row]
            unsafe hashes[row] = KeyHash.hash32(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) & mask
            start = end
        }
    }

    /// Calls `boundary` before each row at which a section begins, and `row` with each row's number
    /// and key. May be called once.
    @inline(__always)
    package mutating func forEachRow(
        boundary: (consuming Boundary) throws -> Void, row: (Int, UnsafeRawBufferPointer) -> Void
    ) rethrows {
        let (bytes, ends) = unsafe (keyBytes, ends)
        try forEachRun(boundary: boundary) { rows in
            var start = rows.lowerBound == 0 ? 0 : unsafe ends[rows.lowerBound - 1]
            for index in rows {
                let end = unsafe ends[index]
                unsafe row(index, UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                start = end
            }
        }
    }

    /// Calls `boundary` before each row at which a section begins, and `rows` with the numbers of
    /// the rows up to the next boundary. May be called once.
    @inline(__always)
    package mutating func forEachRun(
        boundary: (consuming Boundary) throws -> Void, rows: (Range<Int>) -> Void
    ) rethrows {
        var start = 0
        for index in boundaries.indices {
            // Moved out, so that no references are counted.
            guard let next = boundaries[index].take() else { continue }
            let row = next.row
            if row > start { rows(start..<row) }
            try boundary(next)
            start = row
        }
        if count > start { rows(start..<count) }
    }
}
