extension RowForest {
    private struct NeedsRow: Error {}
    /// Made once, as most inserted rows throw it.
    private static let needsRow: any Error = NeedsRow()

    /// The row whose key the search for another key reads first; nil if it reads none.
    func rowToCompare(with key: KeyBytes, section: Int32) -> Int64? {
        var row: Int64?
        let stop: Resolve = { id in
            row = id
            throw RowForest.needsRow
        }
        do {
            let (leaf, _) = unsafe try descend(to: key, section: section, resolve: stop)
            _ = unsafe try find(key, in: leaf, resolve: stop)
            return nil
        } catch {
            // Only `stop` throws.
            return row
        }
    }
}
