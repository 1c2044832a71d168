/// The origin of a section or a row of a list on which a change set was replayed.
package struct Origin {
    /// Its place in the old list; a section's has row 0. `nil` for an insert.
    package var old: ListIndexPath?
    /// The number of its record, with sections before objects; -1 if it has none.
    package var record = -1
}

extension ChangeSet {
    /// Replays the change set on a list of which only the size is known, and returns the origin of
    /// each part of the new list. Linear in the length of the list.
    ///
    /// - Parameter rowCounts: The number of rows in each section of the old list.
    /// - Throws: `ReplayError`, as `applied` does.
    package func origins(rowCounts: [Int]) throws -> [ReplayedSection<Origin, Origin>] {
        let old = rowCounts.enumerated().map { section, count in
            ReplayedSection(
                Origin(old: ListIndexPath(section: section, row: 0)),
                (0..<count).map { Origin(old: ListIndexPath(section: section, row: $0)) })
        }
        var new = try applied(
            to: old, section: { _, before in before ?? Origin() }, row: { _, before in before ?? Origin() })
        // Each new place belongs to one record.
        for (record, change) in sectionChanges.enumerated() {
            if let place = change.newIndex { new[place].value.record = record }
        }
        for (record, change) in objectChanges.enumerated() {
            guard let place = change.newPath else { continue }
            new[place.section].rows[place.row].record = sectionChanges.count + record
        }
        return new
    }
}
