internal import ChangeSets
internal import OrderedTree

/// The records of a list, as evidence for its windows.
struct WindowRecords {
    private let changes: ChangeSet
    /// The new one.
    private let list: List
    private let few: [ObjectChange]?
    private let sections: [WindowComparison.SectionMark: SectionChange]

    init(_ changes: ChangeSet, _ list: List) {
        self.changes = changes
        self.list = list
        let areFew = changes.objectChanges.count <= 8 && changes.sectionMoves.isEmpty
        few = areFew ? Array(changes.objectChanges) : nil
        sections = Dictionary(
            (changes.sectionMoves + changes.sectionUpdates).map { change in
                (WindowComparison.SectionMark(list.section(at: change.rawNew)), change)
            }
        ) { first, _ in first }
    }

    /// The evidence for a window that shows some rows of the new list.
    ///
    /// - Parameter place: The place of the first of them over all sections.
    func evidence(for rows: WindowRows, from place: Int) -> WindowEvidence {
        .records(few: few, rows: few == nil ? changesOfRows(rows, from: place) : [:], sections: sections)
    }

    /// The records of the rows that the window may have shown before. They are found by the new
    /// places, so that the other records do not count.
    private func changesOfRows(_ rows: WindowRows, from place: Int) -> [Int64: ObjectChange] {
        var found: [Int64: ObjectChange] = [:]
        for section in rows.runs.indices {
            let shown = rows.rows(ofSection: section)
            guard !shown.isEmpty, let (id, row) = list.rows.place(atFlatIndex: place + shown.lowerBound) else {
                continue
            }
            let first = ListIndexPath(section: list.rows.index(of: id), row: row)
            let end = ListIndexPath(section: first.section, row: row + shown.count)
            for change in changes.changes(at: first..<end) { found[change.id] = change }
        }
        return found
    }
}
