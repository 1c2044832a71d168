extension ListTree {
    /// The number of rows of a section whose key sorts before the given one. O(log rows), and a full
    /// key resolved for each step among rows whose heads tie with it.
    package func lowerBound(
        of key: UnsafeRawBufferPointer, in section: SectionID, resolve: Resolve
    ) throws -> Int {
        guard rowCount(in: section) > 0 else { return 0 }
        guard isKeyed else { throw OrderedTreeError.unknownKey(row(section: section, at: 0)) }
        let (leaf, before) = try forest.descend(to: key, section: section.raw, resolve: resolve)
        return before + (try forest.lowerBound(of: key, leaf: leaf, resolve: resolve))
    }

    /// The number of rows of a section for which `isBefore` holds; it must hold for the first rows
    /// and for none after them. Asks about O(log rows) rows.
    package func lowerBound(
        in section: SectionID, isBefore: (Int64) throws -> Bool
    ) rethrows -> Int {
        var low = 0
        var high = rowCount(in: section)
        while low < high {
            let middle = (low + high) / 2
            if try isBefore(row(section: section, at: middle)) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
