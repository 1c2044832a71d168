internal import FetchedResults

/// The part of a change set that a view gets.
///
/// | row change | its new section is inserted | its old section is deleted | the view gets | |---|---|---|---|
/// | delete | | no | delete |
/// | insert | no | | insert |
/// | move | no | no | move, and its cell is updated |
/// | move | no | yes | insert |
/// | move | yes | no | delete |
/// | update | | no | reload, or its cell is updated |
/// | any other | | | nothing |
extension ViewBatch {
    /// Copies the section records, and returns which old sections are deleted and which new ones
    /// are inserted, with their rows.
    mutating func addSections() -> (gone: Set<Int>, come: Set<Int>) {
        sectionDeletes = changes.sectionDeletes.compactMap(\.oldIndex)
        sectionInserts = changes.sectionInserts.compactMap(\.newIndex)
        sectionUpdates = changes.sectionUpdates.compactMap(SectionPlaces.init)
        let moves = changes.sectionMoves
        switch options.sectionMoves {
        case .moves:
            sectionMoves = moves.compactMap(SectionPlaces.init)
            let changed = moves.filter { !$0.changedColumns.isEmpty }
            if !changed.isEmpty {
                sectionUpdates += changed.compactMap(SectionPlaces.init)
                sectionUpdates.sort { $0.new < $1.new }
            }
        case .deletesAndInserts where !moves.isEmpty:
            sectionDeletes = (sectionDeletes + moves.compactMap(\.oldIndex)).sorted(by: >)
            sectionInserts = (sectionInserts + moves.compactMap(\.newIndex)).sorted()
        case .deletesAndInserts: break
        }
        return (Set(sectionDeletes), Set(sectionInserts))
    }

    mutating func addRows(gone: Set<Int>, come: Set<Int>) {
        func goes(_ old: ListIndexPath) -> Bool { gone.contains(old.section) }
        func comes(_ new: ListIndexPath) -> Bool { come.contains(new.section) }
        rowDeletes = changes.deletes.compactMap(\.oldPath).filter { !goes($0) }
        rowInserts = changes.inserts.compactMap(\.newPath).filter { !comes($0) }
        let (deletes, inserts) = (rowDeletes.count, rowInserts.count)
        for move in changes.moves.lazy.compactMap(RowPlaces.init) {
            switch (goes(move.old), comes(move.new)) {
            case (false, false) where options.rowMoves == .moves: rowMoves.append(move)
            case (false, false):
                rowDeletes.append(move.old)
                rowInserts.append(move.new)
            case (true, false): rowInserts.append(move.new)
            case (false, true): rowDeletes.append(move.old)
            case (true, true): break
            }
        }
        if rowDeletes.count > deletes { rowDeletes.sort(by: >) }
        if rowInserts.count > inserts { rowInserts.sort() }
        let updates = changes.updates.compactMap(RowPlaces.init).filter { !goes($0.old) }
        if updatesCells { addCells(updates) } else { rowReloads = updates }
    }

    private mutating func addCells(_ updates: [RowPlaces]) {
        switch (options.form, options.rowMoves) {
        case (.groups, _): cellUpdates = rowMoves.map(\.new)
        // Among steps all moves are moves: a row leaves its old section before that section is
        // deleted.
        case (.steps, .moves): cellUpdates = changes.moves.compactMap(\.newPath)
        case (.steps, .deletesAndInserts): break
        }
        let isSorted = cellUpdates.isEmpty || updates.isEmpty
        cellUpdates += updates.map(\.new)
        if !isSorted { cellUpdates.sort() }
    }
}

extension RowPlaces {
    /// nil for a row that was not in the old list or is not in the new one.
    fileprivate init?(_ change: ObjectChange) {
        guard let old = change.oldPath, let new = change.newPath else { return nil }
        self.init(old: old, new: new)
    }
}

extension SectionPlaces {
    /// nil for a section that was not in the old list or is not in the new one.
    fileprivate init?(_ change: SectionChange) {
        guard let old = change.oldIndex, let new = change.newIndex else { return nil }
        self.init(old: old, new: new)
    }
}
