/// Hints that an edit follows, so that the processor's cache contains by then what the edit reads.
/// They change nothing, and may be wrong. A short list needs none.
extension ListTree {
    /// A row will soon be found or removed: prefetches its leaf. O(1), expected.
    package func prefetch(_ id: Int64) {
        if !few.isInUse { withForest { $0.prefetch(id) } }
    }

    /// A row will soon be inserted: prefetches the leaf in which its key belongs. O(log rows).
    package func prefetch(_ key: UnsafeRawBufferPointer, in section: SectionID) {
        if isKeyed, !few.isInUse { withForest { unsafe $0.prefetch(KeyBytes(key), section: section.raw) } }
    }
}
