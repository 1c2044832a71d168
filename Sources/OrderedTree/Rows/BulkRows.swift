/// Rows for a bulk build, side by side in the caller's memory, their keys one after another. Unsafe, as it borrows
/// that memory.
@unsafe package struct RowRun {
    let ids: UnsafePointer<Int64>
    let hashes: UnsafePointer<UInt32>
    /// Where the key of each row ends among the key bytes.
    let ends: UnsafePointer<Int>
    @safe let count: Int
    let keyBytes: UnsafeRawBufferPointer
    /// Where the key of the first row begins.
    @safe let keyStart: Int

    /// An opaque index looks at no keys.
    package init(
        ids: UnsafePointer<Int64>, hashes: UnsafePointer<UInt32>, ends: UnsafePointer<Int>, count: Int,
        keyBytes: UnsafeRawBufferPointer, keyStart: Int
    ) {
        unsafe self.ids = ids
        unsafe self.hashes = hashes
        unsafe self.ends = ends
        self.count = count
        unsafe self.keyBytes = keyBytes
        self.keyStart = keyStart
    }
}

/// The rows of one leaf as the index holds them: enough to build an equal leaf without the rows' keys. Unsafe, as it
/// borrows them.
@unsafe package struct LeafImage {
    package let ids: UnsafeBufferPointer<Int64>
    /// Four bytes of each key; zeros in an index without keys, as the marks.
    package let heads: UnsafeBufferPointer<UInt32>
    package let hashes: UnsafeBufferPointer<UInt32>
    /// Which bytes these are, and where each key begins to differ from the one before it.
    package let marks: UnsafeBufferPointer<UInt16>
    /// What all keys begin with.
    package let prefix: UnsafeRawBufferPointer
    /// What parts the leaf from the one before it in its section; empty in the first one.
    package let separator: UnsafeRawBufferPointer

    /// All but prefix and separator have one entry per row.
    package init(
        ids: UnsafeBufferPointer<Int64>, heads: UnsafeBufferPointer<UInt32>, hashes: UnsafeBufferPointer<UInt32>,
        marks: UnsafeBufferPointer<UInt16>, prefix: UnsafeRawBufferPointer, separator: UnsafeRawBufferPointer
    ) {
        unsafe self.ids = ids
        unsafe self.heads = heads
        unsafe self.hashes = hashes
        unsafe self.marks = marks
        unsafe self.prefix = prefix
        unsafe self.separator = separator
    }
}
