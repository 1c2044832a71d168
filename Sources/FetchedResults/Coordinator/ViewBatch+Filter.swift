internal import ChangeSets

/// What of a change set a view gets.
///
/// | row change | its new section comes | its old section goes | the view gets |
/// |---|---|---|---|
/// | delete | | no | delete |
/// | insert | no | | insert |
/// | move | no | no | move, and its cell is updated |
/// | move | no | yes | insert |
/// | move | yes | no | delete |
/// | update | | no | reload, or its cell is updated |
/// | any other | | | nothing |
extension ViewBatch {
    /// Takes the sections over, and answers which old ones go with their rows and which new ones come with theirs.
    mutating func addSections() -> (gone: Set<Int>, come: Set<Int>) {
        sectionDeletes = changes.sectionDeletes.map(\.rawOld)
        sectionInserts = changes.sectionInserts.map(\.rawNew)
        sectionUpdates = changes.sectionUpdates.map(SectionPlaces.init)
        let moves = changes.sectionMoves
        switch options.sectionMoves {
        case .moves:
            sectionMoves = moves.map(SectionPlaces.init)
            let changed = moves.filter { !$0.changedColumns.isEmpty }
            if !changed.isEmpty {
                sectionUpdates += changed.map(SectionPlaces.init)
                sectionUpdates.sort { $0.new < $1.new }
            }
        case .deletesAndInserts where !moves.isEmpty:
            sectionDeletes = (sectionDeletes + moves.map(\.rawOld)).sorted(by: >)
            sectionInserts = (sectionInserts + moves.map(\.rawNew)).sorted()
        case .deletesAndInserts: break
        }
        return (Set(sectionDeletes), Set(sectionInserts))
    }

    mutating func addRows(gone: Set<Int>, come: Set<Int>) {
        func goes(_ change: ObjectChange) -> Bool { gone.contains(change.rawOld.section) }
        func comes(_ change: ObjectChange) -> Bool { come.contains(change.rawNew.section) }
        rowDeletes = changes.deletes.filter { !goes($0) }.map(\.rawOld)
        rowInserts = changes.inserts.filter { !comes($0) }.map(\.rawNew)
        let (deletes, inserts) = (rowDeletes.count, rowInserts.count)
        for move in changes.moves {
            switch (goes(move), comes(move)) {
            case (false, false) where options.rowMoves == .moves: rowMoves.append(RowPlaces(move))
            case (false, false):
                rowDeletes.append(move.rawOld)
                rowInserts.append(move.rawNew)
            case (true, false): rowInserts.append(move.rawNew)
            case (false, true): rowDeletes.append(move.rawOld)
            case (true, true): break
            }
        }
        if rowDeletes.count > deletes { rowDeletes.sort(by: >) }
        if rowInserts.count > inserts { rowInserts.sort() }
        let updates = changes.updates.filter { !goes($0) }
        if updatesCells { addCells(updates) } else { rowReloads = updates.map(RowPlaces.init) }
    }

    private mutating func addCells(_ updates: [ObjectChange]) {
        switch (options.form, options.rowMoves) {
        case (.groups, _): cellUpdates = rowMoves.map(\.new)
        // Among steps all moves are moves: the cell of a row is taken out of the section before that goes.
        case (.steps, .moves): cellUpdates = changes.moves.map(\.rawNew)
        case (.steps, .deletesAndInserts): break
        }
        let isSorted = cellUpdates.isEmpty || updates.isEmpty
        cellUpdates += updates.map(\.rawNew)
        if !isSorted { cellUpdates.sort() }
    }
}

extension RowPlaces {
    fileprivate init(_ change: ObjectChange) { self.init(old: change.rawOld, new: change.rawNew) }
}

extension SectionPlaces {
    fileprivate init(_ change: SectionChange) { self.init(old: change.rawOld, new: change.rawNew) }
}
