internal import OrderedTree
internal import SQLiteKit

/// The totals that an update changes: the totals of the list, and of the sections that touched
/// rows leave and enter.
struct TotalsUpdate {
    /// A section that is in the list before the update.
    struct Section {
        let oldIndex: Int
        let old: GroupTotals
        /// Its totals without the rows that leave it. Another section, which may get its handle,
        /// does not have this object.
        var rest: SharedTotals?
    }

    var all: GroupTotals
    let oldAll: GroupTotals
    var sections: [SectionID: Section] = [:]
    /// The values of touched rows that are in the list afterwards, and are added again.
    var entering: [(id: Int64, values: RowValues)] = []
    /// Whether the old values of a row are not known, so that all rows are read.
    var isLost = false
}

extension IncrementalUpdate {
    /// Takes the values that touched rows had out of the totals. Called while the list is as it
    /// was.
    mutating func noteTotals() throws {
        guard let totals = compiled.totals, let all = list.totals?.totals else { return }
        var update = TotalsUpdate(all: all, oldAll: all)
        // Rows enter and leave a window that were not touched.
        update.isLost = touched.count > 0 && (compiled.request.isWindow || !totals.terms.canBeEvaluated)
        for index in 0..<touched.count where !update.isLost {
            let id = touched.id(at: index)
            let evidence = touched[at: index].evidence
            let (section, isInList) = (touched[at: index].oldPlace?.section, touched[at: index].isInList)
            if section == nil, !isInList { continue }
            var old: RowValues?
            if section != nil {
                guard let inputs = try past.values(of: totals.terms.inputs, id, evidence) else {
                    update.isLost = true
                    break
                }
                old = try totals.terms.values(inputs)
            }
            let new = isInList ? try values(id, evidence.row, totals) : nil
            let stays = section.map { section in touched[at: index].new.map { isIn(section, $0) } ?? false } ?? false
            if stays, let old, let new, old.isSame(as: new) { continue }
            if let section, let old {
                try update.all.add(old, removing: true, totals.parts)
                try change(section, old, removing: true, &update)
            }
            if let new {
                if case .known(let known)? = touched[at: index].new?.section { note(known, &update) }
                if case .mapped(let row)? = touched[at: index].new?.section, let known = list.section(ofRow: row) {
                    note(known, &update)
                }
                update.entering.append((id, new))
            }
        }
        if update.isLost {
            for index in 0..<list.sectionCount { note(list.rows.section(at: index), &update) }
        }
        let isUnchanged = update.entering.isEmpty && update.sections.isEmpty && !update.isLost
        if isUnchanged, update.all.counts == all.counts { return }
        for id in update.sections.keys { update.sections[id]?.rest = list.section(id).totals }
        self.totals = update
    }

    /// The values that a row has now.
    private func values(_ id: Int64, _ row: RowValues?, _ totals: RequestTotals) throws -> RowValues? {
        guard let columns = totals.columns, let row else { return try totals.values(id, decoder, engine) }
        return try totals.terms.values(RowValues(row, columns: columns))
    }

    /// Notes a section as it is before the update.
    private mutating func note(_ id: SectionID, _ update: inout TotalsUpdate) {
        guard !list.isFlat, update.sections[id] == nil, let none = compiled.totals?.parts.none else { return }
        var section = list.section(id)
        update.sections[id] = TotalsUpdate.Section(
            oldIndex: list.rows.index(of: id), old: section.totals?.totals ?? none)
        guard section.totals == nil else { return }
        section.totals = SharedTotals(none)
        edit.setSection(id, section)
    }

    private mutating func change(
        _ id: SectionID, _ values: RowValues, removing: Bool, _ update: inout TotalsUpdate
    ) throws {
        guard !list.isFlat, let parts = compiled.totals?.parts else { return }
        if removing { note(id, &update) }
        var section = list.section(id)
        var totals = section.totals?.totals ?? parts.none
        try totals.add(values, removing: removing, parts)
        section.totals = SharedTotals(totals)
        edit.setSection(id, section)
    }

    /// Adds the values that touched rows have now, once the list is edited. Returns what changed.
    mutating func changeTotals() throws -> [TotalChange] {
        guard var update = totals, let totals = compiled.totals else { return [] }
        update.sections = update.sections.filter { id, section in
            list.rows.contains(id) && list.section(id).totals === section.rest
        }
        if update.isLost { return try readTotals(totals, update) }
        for (id, values) in update.entering {
            guard let section = list.rows.place(of: id)?.section else { continue }
            try update.all.add(values, removing: false, totals.parts)
            try change(section, values, removing: false, &update)
        }
        for index in update.all.extremes.indices where update.all.extremes[index].isRemoved {
            engine.counters.statementsRun += 1
            update.all.extremes[index] = .init(value: try totals.extreme(index, compiled, of: nil))
        }
        edit.setTotals(SharedTotals(update.all))
        var changes = try totals.parts.changes(from: update.oldAll, to: update.all, sections: nil)
        for (id, section) in update.sections {
            guard var now = list.section(id).totals?.totals else { continue }
            for index in now.extremes.indices where now.extremes[index].isRemoved {
                engine.counters.statementsRun += 1
                guard list.orphans != id else { return try readTotals(totals, update) }
                let value = try totals.extreme(index, compiled, of: list.section(id).value)
                now.extremes[index] = .init(value: value)
            }
            var info = list.section(id)
            info.totals = SharedTotals(now)
            edit.setSection(id, info)
            changes += try totals.parts.changes(
                from: section.old, to: now, sections: (section.oldIndex, list.rows.index(of: id)))
        }
        return changes
    }

    /// Reads the totals of the whole list.
    private mutating func readTotals(_ totals: RequestTotals, _ update: TotalsUpdate) throws -> [TotalChange] {
        let (all, sections) = try engine.readTotals(list, totals, compiled, decoder)
        edit.setTotals(SharedTotals(all))
        for index in 0..<list.sectionCount where !list.isFlat {
            let id = list.rows.section(at: index)
            var section = list.section(id)
            section.totals = sections[id].map(SharedTotals.init)
            edit.setSection(id, section)
        }
        return try totals.parts.changes(from: update.oldAll, to: all, sections: nil)
            + update.sections.flatMap { id, section in
                try totals.parts.changes(
                    from: section.old, to: sections[id], sections: (section.oldIndex, list.rows.index(of: id)))
            }
    }

    /// Notes the sections whose totals changed, for their records.
    func noteSections(of totals: [TotalChange], _ changed: ChangedSections) {
        for change in totals {
            guard let old = change.oldSection, let new = change.newSection else { continue }
            if changed.old.index(of: Int64(old)) == nil { changed.old.add(Int64(old), list.section(at: new)) }
            if changed.new.index(of: Int64(new)) == nil { changed.new.add(Int64(new), list.section(at: new)) }
        }
    }
}
