internal import ChangeSets
internal import OrderedTree
internal import SQLiteKit

/// Computes the changes of a section map's sections while its list is edited.
///
/// Rows that leave their place have been removed from the list by then, and are not inserted again
/// yet. So a section whose row was removed is empty, and one whose row moved takes the rest of its
/// items along, in one step. Sections are put into the order of their rows, which is the new one
/// already.
final class SectionMapping {
    let table: SectionRowTable
    private let options: SectionMapOptions
    private let list: List
    private let rowChanges: SectionRowChanges?
    /// The sections that may have changed, by row, as they were before the edit; nil for sections
    /// that were made here.
    private var entries = RowDictionary<(index: Int, section: List.Section, group: Int32)?>()
    /// Sections made here, by their new handles, which may have belonged to sections that were
    /// removed.
    private var groups: [SectionID: Int32] = [:]

    /// nil if the map's rows are not known.
    convenience init?(_ rows: MappedSections, _ list: List, _ rowChanges: SectionRowChanges?) {
        guard let table = rows.table else { return nil }
        self.init(table, rows.options, list, rowChanges)
    }

    init(_ table: SectionRowTable, _ options: SectionMapOptions, _ list: List, _ rowChanges: SectionRowChanges?) {
        self.table = table
        self.options = options
        self.list = list
        self.rowChanges = rowChanges
    }

    var showsOrphans: Bool { options.itemsWithoutSection != .hidden }
    /// Whether sections may change though no item does.
    var mayChange: Bool { rowChanges != nil }

    /// Notes where sections are whose rows changed; called before anything is edited.
    func noteOldIndexes() {
        guard let rowChanges else { return }
        for (_, change) in rowChanges.all {
            guard let id = list.section(ofRow: change.id) else { continue }
            noteOld(id, list.rows.index(of: id))
        }
    }

    private func noteOld(_ id: SectionID, _ index: Int) {
        let section = list.section(id)
        let row = section.row ?? Self.orphans
        if entries.index(of: row) == nil {
            entries.add(row, (index, section, id.raw))
        }
    }

    /// The row id of the section of items without a section row.
    private static var orphans: Int64 { .min }

    private func section(ofEntry row: Int64) -> SectionID? { list.section(ofRow: row == Self.orphans ? nil : row) }

    // MARK: Editing

    /// Moves the sections into the order of their rows.
    func editSections(_ edit: inout ListEdit) throws {
        guard let rowChanges else { return }
        var moved: [(id: SectionID, rank: Int)] = []
        for (_, change) in rowChanges.all {
            guard let id = list.section(ofRow: change.id) else { continue }
            guard let new = change.new, let rank = table.rank(of: change.id) else {
                guard list.rows.rowCount(in: id) == 0 else {
                    throw StoreError(.corrupt, "a section was deleted, and not all of its items were found")
                }
                edit.removeSection(id)
                continue
            }
            if change.old != new {
                var section = new.section
                section.totals = list.section(id).totals
                edit.setSection(id, section)
            }
            if change.isReordered { moved.append((id, rank)) }
        }
        move(moved, &edit)
        guard options.emptySections == .shown else { return }
        for (_, change) in rowChanges.all where change.new != nil && list.section(ofRow: change.id) == nil {
            _ = section(ofRow: change.id, &edit)
        }
    }

    private func move(_ moved: [(id: SectionID, rank: Int)], _ edit: inout ListEdit) {
        if moved.count == 1, let index = indexOfSection(after: moved[0].rank, besides: []) {
            let from = list.rows.index(of: moved[0].id)
            let target = from < index ? index - 1 : index
            if from != target { edit.moveSection(moved[0].id, from: from, to: target) }
            return
        }
        // They are removed first, so that the other sections are in order.
        let last = list.sectionCount - 1 - (list.orphans == nil ? 0 : 1)
        for (id, _) in moved { edit.moveSection(id, to: last) }
        var unplaced = Set(moved.map(\.id))
        for (id, rank) in moved.sorted(by: { $0.rank < $1.rank }) {
            edit.moveSection(id, to: index(forRank: rank, unplaced))
            unplaced.remove(id)
        }
    }

    /// Where a section of a rank belongs among the sections in order, before the ones that are not
    /// placed yet.
    private func index(forRank rank: Int, _ unplaced: Set<SectionID>) -> Int {
        if let index = indexOfSection(after: rank, besides: unplaced) { return index }
        return list.rows.firstSection { id in
            guard !unplaced.contains(id), let row = list.section(id).row, let other = table.rank(of: row) else {
                return true
            }
            return other >= rank
        }
    }

    /// The index of the section of the next row, if one of the next few rows has a section.
    private func indexOfSection(after rank: Int, besides unplaced: Set<SectionID>) -> Int? {
        for next in rank + 1..<max(rank + 1, min(rank + 9, table.count)) {
            if let id = list.section(ofRow: table.row(at: next)), !unplaced.contains(id) {
                return list.rows.index(of: id)
            }
        }
        return nil
    }

    /// The section that represents a row, or none, made if necessary; nil if there is no such row.
    func section(ofRow row: Int64?, _ edit: inout ListEdit) -> SectionID? {
        if let id = list.section(ofRow: row) { return id }
        let id: SectionID
        if let row {
            guard let known = table[row], let rank = table.rank(of: row) else { return nil }
            id = edit.insertSection(known.section, at: index(forRank: rank, []))
        } else {
            id = edit.insertSection(.orphans, at: list.sectionCount)
        }
        groups[id] = Int32.max - Int32(truncatingIfNeeded: groups.count)
        if entries.index(of: row ?? Self.orphans) == nil { entries.add(row ?? Self.orphans, nil) }
        return id
    }

    /// Removes sections that have no items left and are not shown empty.
    func removeEmptied(_ emptied: [(id: SectionID, index: Int)], _ edit: inout ListEdit) {
        for (id, index) in emptied where list.rows.contains(id) && groups[id] == nil && list.rows.rowCount(in: id) == 0
        {
            let isKept =
                list.section(id).row == nil
                ? options.itemsWithoutSection == .alwaysShown : options.emptySections == .shown
            if isKept { continue }
            noteOld(id, index)
            edit.removeSection(id)
        }
    }

    // MARK: Result

    /// The id by which the change-set builder identifies a section.
    func groupID(of id: SectionID) -> Int32 { groups[id] ?? id.raw }

    /// The sections that were inserted, removed, moved or updated, and what they show.
    func touchedSections() -> ([SectionTransition], ChangedSections) {
        var transitions: [SectionTransition] = []
        let changed = ChangedSections(rows: rowChanges)
        for (row, old) in entries {
            let id = section(ofEntry: row)
            let newIndex = id.map { list.rows.index(of: $0) }
            if let old { changed.old.add(Int64(old.index), old.section) }
            if let id, let newIndex { changed.new.add(Int64(newIndex), list.section(id)) }
            guard let group = old?.group ?? id.map(groupID) else { continue }
            let change = rowChanges?[row]
            transitions.append(
                SectionTransition(
                    id: group, oldIndex: old?.index, newIndex: newIndex,
                    isReordered: change?.isReordered ?? false, changedColumns: change?.changedColumns ?? []))
        }
        return (transitions, changed)
    }
}
