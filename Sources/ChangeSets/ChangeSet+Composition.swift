/// Two changes as one, which leads from the list before the first to the list after the second.
///
/// Rows and sections are identified by their places between the two, never by their ids. So the
/// result is also correct for collections, whose lists may use one id twice, and no list is needed.
extension ChangeSet {
    /// This change and then another, with the fewest moves. A row that was inserted and then
    /// deleted has no record. A row that was deleted and then inserted has a delete and an insert.
    /// A column that changed back counts as changed. If either change is a reload, the result is a
    /// reload. The origin is the union of both.
    ///
    /// The ids of its records belong to no list: rows are identified by the places that the records
    /// name. `next` must begin where this change ends.
    ///
    /// - Complexity: O(k log k) for k records of both, whatever the length of the list.
    public func followed(by next: ChangeSet) -> ChangeSet {
        if isEmpty { return next }
        if next.isEmpty { return self }
        let origin = origin.union(next.origin)
        if isReload || next.isReload { return .reload(from: origin) }
        let first = ChangeMap(self)
        let second = ChangeMap(next)
        var changes = ChangeSet(
            rows: composedRows(next, first, second), sections: composedSections(next, first, second))
        changes.origin = origin
        return changes
    }

    private func composedSections(_ next: ChangeSet, _ first: ChangeMap, _ second: ChangeMap) -> [SectionTransition] {
        var sections: [SectionTransition] = []
        for change in sectionChanges {
            // Rows that the second change also touches follow below.
            if let between = change.newIndex, second.change(ofOld: between) != nil { continue }
            sections.append(
                SectionTransition(
                    id: 0, oldIndex: change.oldIndex, newIndex: change.newIndex.flatMap { second.new(ofOld: $0) },
                    isReordered: change.type == .move, changedColumns: change.changedColumns))
        }
        for change in next.sectionChanges {
            let earlier = change.oldIndex.flatMap { first.change(ofNew: $0) }
            sections.append(
                SectionTransition(
                    id: 0, oldIndex: change.oldIndex.flatMap { first.old(ofNew: $0) }, newIndex: change.newIndex,
                    isReordered: change.type == .move || earlier?.type == .move,
                    changedColumns: change.changedColumns.union(earlier?.changedColumns ?? [])))
        }
        return sections
    }

    private func composedRows(_ next: ChangeSet, _ first: ChangeMap, _ second: ChangeMap) -> [RowTransition] {
        // A number for each section of any of the three lists. The same section always has the same
        // number.
        func id(ofOld section: Int) -> Int32 {
            Int32(truncatingIfNeeded: first.new(ofOld: section) ?? -2 - 2 * section)
        }
        func id(ofNew section: Int) -> Int32 {
            Int32(truncatingIfNeeded: second.old(ofNew: section) ?? -3 - 2 * section)
        }
        var rows: [RowTransition] = []
        rows.reserveCapacity(objectChanges.count + next.objectChanges.count)
        func add(_ row: Int64, _ old: ListIndexPath?, _ new: ListIndexPath?, _ isReordered: Bool, _ columns: ColumnSet)
        {
            guard old != nil || new != nil else { return }
            rows.append(
                RowTransition(
                    id: row, oldSection: old.map { id(ofOld: $0.section) } ?? -1, oldPath: old,
                    newSection: new.map { id(ofNew: $0.section) } ?? -1, newPath: new, isReordered: isReordered,
                    changedColumns: columns))
        }
        for change in objectChanges {
            if let between = change.newPath, second.change(ofOld: between) != nil { continue }
            add(
                change.id, change.oldPath, change.newPath.flatMap { second.new(ofOld: $0) }, change.type == .move,
                change.changedColumns)
        }
        for change in next.objectChanges {
            guard let between = change.oldPath else {
                add(change.id, nil, change.newPath, false, [])
                continue
            }
            let earlier = first.change(ofNew: between)
            add(
                change.id, earlier == nil ? first.old(ofNew: between) : earlier?.oldPath, change.newPath,
                change.type == .move || earlier?.type == .move,
                change.changedColumns.union(earlier?.changedColumns ?? []))
        }
        return rows
    }
}
