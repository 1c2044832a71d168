/// The rules that a change set breaks, in words; empty for a correct one.
///
/// Checks what is checkable without the rows: the order of records, at most one record per object
/// and place, which paths a type has, that updated rows and sections have not moved, and that the
/// counts before and after agree with the records. It can't check that the moves are the fewest.
/// O(k log k + s).
///
/// - Parameters:
///   - oldCounts, newCounts: the number of rows of each section before and after, if known.
///   - allowsReinsertion: whether an object may have a delete and an insert, as where moves were
///     replaced.
package func violations(
    of changes: ChangeSet, oldCounts: [Int]? = nil, newCounts: [Int]? = nil, allowsReinsertion: Bool = false
) -> [String] {
    if changes.isReload {
        let hasRecords = !changes.sectionChanges.isEmpty || !changes.objectChanges.isEmpty
        return hasRecords ? ["a reload has records"] : []
    }
    var found = orderViolations(changes)
    // Groups are found by binary search, so the other checks need the order.
    guard found.isEmpty else { return found }
    found += pathViolations(changes)
    found += duplicateViolations(changes, allowsReinsertion)
    found += updateViolations(changes)
    if found.isEmpty, let oldCounts, let newCounts { found += countViolations(changes, oldCounts, newCounts) }
    return found
}

private func orderViolations(_ changes: ChangeSet) -> [String] {
    func order(_ type: ChangeType, _ old: ListIndexPath, _ new: ListIndexPath) -> (Int, Int) {
        (type.rank, type == .delete ? -Int(bitPattern: UInt(old.orderKey)) : Int(bitPattern: UInt(new.orderKey)))
    }
    let sections = changes.sectionChanges.map {
        order($0.type, ListIndexPath(section: 0, row: $0.rawOld), ListIndexPath(section: 0, row: $0.rawNew))
    }
    let objects = changes.objectChanges.map { order($0.type, $0.rawOld, $0.rawNew) }
    return zip(sections, sections.dropFirst()).filter { $0 >= $1 }.map { "sections out of order: \($0), \($1)" }
        + zip(objects, objects.dropFirst()).filter { $0 >= $1 }.map { "objects out of order: \($0), \($1)" }
}

private func pathViolations(_ changes: ChangeSet) -> [String] {
    let sections = changes.sectionChanges.filter {
        ($0.oldIndex != nil) != $0.type.hasOld || ($0.newIndex != nil) != $0.type.hasNew
    }
    let objects = changes.objectChanges.filter {
        ($0.oldPath != nil) != $0.type.hasOld || ($0.newPath != nil) != $0.type.hasNew
            || $0.type.hasOld && $0.rawOld.row < 0 || $0.type.hasNew && $0.rawNew.row < 0
    }
    return sections.map { "\($0): wrong indexes for its type" } + objects.map { "\($0): wrong paths for its type" }
}

private func duplicateViolations(_ changes: ChangeSet, _ allowsReinsertion: Bool) -> [String] {
    func duplicates<Key: Hashable>(_ keys: [Key]) -> [Key] {
        var seen: Set<Key> = []
        return keys.filter { !seen.insert($0).inserted }
    }
    let objects = changes.objectChanges
    let inserted = allowsReinsertion ? changes.inserts.map(\.id) : []
    let rest = objects.filter { !allowsReinsertion || $0.type != .insert }
    return duplicates(changes.sectionChanges.compactMap(\.oldIndex)).map { "old section \($0) has two records" }
        + duplicates(changes.sectionChanges.compactMap(\.newIndex)).map { "new section \($0) has two records" }
        + duplicates(objects.compactMap(\.oldPath)).map { "old row \($0) has two records" }
        + duplicates(objects.compactMap(\.newPath)).map { "new row \($0) has two records" }
        + (duplicates(inserted) + duplicates(rest.map(\.id))).map { "object \($0) has two records" }
}

/// An update states that the place did not change: the same section, and as many kept rows precede
/// as before.
private func updateViolations(_ changes: ChangeSet) -> [String] {
    let layout = SectionLayout(changes)
    let leaving = changes.leavingPaths
    let arriving = changes.arrivingPaths
    func gap(_ path: ListIndexPath, _ others: [ListIndexPath]) -> Int {
        let start = partitionPoint(of: others.count) { others[$0].section < path.section }
        return path.row - (partitionPoint(of: others.count) { others[$0] < path } - start)
    }
    let sections = changes.sectionUpdates.filter {
        layout.common(ofOld: $0.rawOld) != layout.common(ofNew: $0.rawNew) || $0.changedColumns.isEmpty
    }
    let objects = changes.updates.filter {
        layout.common(ofOld: $0.rawOld.section) != layout.common(ofNew: $0.rawNew.section)
            || gap($0.rawOld, leaving) != gap($0.rawNew, arriving) || $0.changedColumns.isEmpty
    }
    return sections.map { "\($0): not the same section, or no column changed" }
        + objects.map { "\($0): not the same row, or no column changed" }
}

/// Replays the counts alone; they agree only if each row of inserted and deleted sections has a
/// record.
private func countViolations(_ changes: ChangeSet, _ oldCounts: [Int], _ newCounts: [Int]) -> [String] {
    let old = oldCounts.enumerated().map { section, count in
        ReplayedSection(section, [Void](repeating: (), count: count))
    }
    do {
        let new = try changes.applied(to: old, section: { $1 ?? $0.rawNew }, row: { _, _ in })
        let counts = new.map(\.rows.count)
        return counts == newCounts ? [] : ["the records yield the counts \(counts), not \(newCounts)"]
    } catch {
        return ["\(error)"]
    }
}
