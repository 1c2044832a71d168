/// Loading what an edit will read into the processor's cache. In a large tree nearly every step of
/// a search misses the cache, and waits. These loads run together, while the caller does something
/// else. Nothing changes, and a wrong guess costs only time.
extension RowForest {
    /// Prefetches the leaf of a row and the branch above it. Waits for the map's slot and the
    /// leaf's.
    func prefetch(_ id: Int64) {
        guard let leaf = identities.presumedLeaf(of: id) else { return }
        leaves.prefetchIDs(leaf)
        let parent = leaves[leaf].parent
        if parent >= 0 { branches.prefetch(UInt32(parent)) }
    }

    /// Prefetches the leaf in which a key belongs, as far as the separators are known. Waits for
    /// the separators.
    func prefetch(_ key: KeyBytes, section: Int32) {
        let root = roots[Int(section)]
        if root.node == Root.none { return }
        var node = root.node
        for _ in 0..<root.level {
            branches.prefetchSeparators(node)
            let (slot, isFound) = unsafe branches.slot(for: key, in: node)
            if !isFound { return }
            node = branches[child: node, slot]
        }
        leaves.prefetchKeys(node)
    }
}
