/// The identities of a chunk's rows, where these are not rowids.
///
/// Safe except for the addresses: it owns its memory, which has room for as many rows as the chunk.
@safe struct ChunkIdentities: ~Copyable {
    /// Where the identity begins in the bytes of each row's key.
    private let starts: UnsafeMutablePointer<Int>
    /// Where each packed identity ends.
    private let ends: UnsafeMutablePointer<Int>
    private var packed: [UInt8] = []

    init(limit: Int) {
        // Valgrind reports an allocation of no bytes.
        unsafe starts = .allocate(capacity: max(limit, 1))
        unsafe ends = .allocate(capacity: max(limit, 1))
    }

    deinit {
        unsafe starts.deallocate()
        unsafe ends.deallocate()
    }

    mutating func removeAll() { packed.removeAll(keepingCapacity: true) }

    /// Appends the identity of the next row to its key, and takes it.
    mutating func append(_ source: ResultRow, _ columns: IdentityColumns, _ row: Int, to key: inout KeyEncoder) {
        unsafe starts[row] = key.count
        let rowid = unsafe columns.encode(source, into: &key)
        unsafe columns.pack(source, rowid, into: &packed)
        unsafe ends[row] = packed.count
    }

    /// Calls `body` with the packed identity of each of the rows, and the place where it begins in
    /// the bytes of the row's key.
    func forEach(_ count: Int, _ body: (Int, _ start: Int, _ packed: UnsafeRawBufferPointer) -> Void) {
        unsafe packed.withUnsafeBytes { packed in
            var start = 0
            for row in 0..<count {
                let end = unsafe ends[row]
                unsafe body(row, starts[row], UnsafeRawBufferPointer(rebasing: packed[start..<end]))
                start = end
            }
        }
    }
}
