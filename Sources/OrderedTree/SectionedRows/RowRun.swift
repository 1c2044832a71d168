/// Rows for a bulk build, side by side in the caller's memory, their keys one after another.
package struct RowRun {
    let ids: UnsafePointer<Int64>
    let hashes: UnsafePointer<UInt32>
    /// Where the key of each row ends among the key bytes.
    let ends: UnsafePointer<Int>
    let count: Int
    let keyBytes: UnsafeRawBufferPointer
    /// Where the key of the first row begins.
    let keyStart: Int

    /// An opaque index looks at no keys.
    package init(
        ids: UnsafePointer<Int64>, hashes: UnsafePointer<UInt32>, ends: UnsafePointer<Int>, count: Int,
        keyBytes: UnsafeRawBufferPointer, keyStart: Int
    ) {
        self.ids = ids
        self.hashes = hashes
        self.ends = ends
        self.count = count
        self.keyBytes = keyBytes
        self.keyStart = keyStart
    }
}
