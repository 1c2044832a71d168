/// Rows for a bulk build, adjacent in the caller's memory. Unsafe, because it borrows that memory.
@unsafe package struct RowRun {
    let ids: UnsafePointer<Int64>
    let hashes: UnsafePointer<UInt32>
    @safe let count: Int
    /// nil if the rows have no sort values: their keys are made of their ids (`IDKey`).
    let keys: KeyRun?

    /// Keys one after another.
    @unsafe struct KeyRun {
        let bytes: UnsafeRawBufferPointer
        /// Where the first one begins among the bytes.
        @safe let start: Int
        /// Where each one ends.
        let ends: UnsafePointer<Int>

        /// Where the key of a row begins among the bytes.
        @inline(__always)
        func start(of row: Int) -> Int { unsafe row == 0 ? start : ends[row - 1] }
    }

    /// Calls `body` with a run of one row.
    static func withRow<Result>(
        id: Int64, key: UnsafeRawBufferPointer, hash: UInt32, _ body: (RowRun) -> Result
    ) -> Result {
        unsafe withUnsafePointer(to: id) { id in
            unsafe withUnsafePointer(to: hash) { hash in
                unsafe withUnsafePointer(to: key.count) { end in
                    unsafe body(RowRun(ids: id, hashes: hash, ends: end, count: 1, keyBytes: key, keyStart: 0))
                }
            }
        }
    }

    /// Calls `body` with the key of a row.
    func withKey(of row: Int, _ body: (UnsafeRawBufferPointer) -> Void) {
        guard let keys = unsafe keys else { return unsafe IDKey(ids[row]).withBytes(body) }
        unsafe body(UnsafeRawBufferPointer(rebasing: keys.bytes[keys.start(of: row)..<keys.ends[row]]))
    }

    /// An opaque index reads no keys.
    package init(
        ids: UnsafePointer<Int64>, hashes: UnsafePointer<UInt32>, ends: UnsafePointer<Int>, count: Int,
        keyBytes: UnsafeRawBufferPointer, keyStart: Int
    ) {
        unsafe self.ids = ids
        unsafe self.hashes = hashes
        self.count = count
        unsafe keys = KeyRun(bytes: keyBytes, start: keyStart, ends: ends)
    }

    /// Rows without sort values.
    package init(ids: UnsafePointer<Int64>, hashes: UnsafePointer<UInt32>, count: Int) {
        unsafe self.ids = ids
        unsafe self.hashes = hashes
        self.count = count
        unsafe keys = nil
    }
}

/// The rows of one leaf as the index stores them: enough to build an equal leaf without the rows'
/// keys. Unsafe, because it borrows them.
@unsafe package struct LeafImage {
    package let ids: UnsafeBufferPointer<Int64>
    package let hashes: UnsafeBufferPointer<UInt32>
    /// What the leaf stores of each key, in `markSize` bytes; zeros in an index without keys.
    package let marks: UnsafeRawBufferPointer
    /// The prefix of all keys.
    package let prefix: UnsafeRawBufferPointer
    /// The number of bytes that separate the leaf from the previous one in its section, 0 in the
    /// first one. `separator` contains these bytes, or only the last one if the first ones are
    /// unknown.
    @safe package let separatorCount: Int
    package let separator: UnsafeRawBufferPointer

    package static let markSize = MemoryLayout<Mark>.stride

    /// Ids, hashes and marks have one entry per row.
    package init(
        ids: UnsafeBufferPointer<Int64>, hashes: UnsafeBufferPointer<UInt32>, marks: UnsafeRawBufferPointer,
        prefix: UnsafeRawBufferPointer, separatorCount: Int, separator: UnsafeRawBufferPointer
    ) {
        unsafe self.ids = ids
        unsafe self.hashes = hashes
        unsafe self.marks = marks
        unsafe self.prefix = prefix
        self.separatorCount = separatorCount
        unsafe self.separator = separator
    }
}
