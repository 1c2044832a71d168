internal import OrderedTree
internal import SQLiteKit

/// The totals that an update changes: the totals of the list, and of the sections that touched
/// rows leave and enter.
struct TotalsUpdate {
    var all: GroupTotals
    /// The sections whose totals change, or may change. `old` has index and totals before the
    /// update, and is nil for a section that the update inserts. Another section, which may get its
    /// handle, does not have the same copy.
    var sections: [SectionID: (old: (index: Int, totals: GroupTotals)?, totals: GroupTotals)] = [:]
    /// The values of touched rows that enter a section, and are added when the list is edited.
    var entering: [(id: Int64, values: RowValues)] = []
    /// Whether the old values of a row are not known, so that all rows are read.
    var isLost = false
}

extension IncrementalUpdate {
    /// Takes the values that touched rows had out of the totals. Called while the list is as it
    /// was.
    mutating func noteTotals() throws {
        guard let totals = compiled.totals, let all = list.totals else { return }
        var update = TotalsUpdate(all: all)
        if totals.areOfAll { return try noteTotalsOfAll(&update, totals) }
        // Rows enter and leave a window that were not touched.
        update.isLost = touched.count > 0 && !totals.areTracked
        for index in 0..<touched.count where !update.isLost {
            let id = touched.id(at: index)
            let evidence = touched[at: index].evidence
            let (section, destination) = (touched[at: index].oldPlace?.section, touched[at: index].new)
            if section == nil, destination == nil { continue }
            var old: RowValues?
            if section != nil {
                guard let values = try totals.oldValues(id, evidence, past) else {
                    update.isLost = true
                    break
                }
                old = values
            }
            let new = destination == nil ? nil : try values(id, evidence.row, totals)
            if let section, let destination, isIn(section, destination) {
                if let old, let new, old.isSame(as: new) { continue }
                try update.all.change(from: old, to: new, totals.parts)
                try change(section, from: old, to: new, &update)
                continue
            }
            try update.all.change(from: old, to: nil, totals.parts)
            if let section { try change(section, from: old, to: nil, &update) }
            guard let new else { continue }
            if case .known(let known)? = destination?.section { note(known, &update) }
            if case .mapped(let row)? = destination?.section, let known = list.section(ofRow: row) {
                note(known, &update)
            }
            update.entering.append((id, new))
        }
        note(update)
    }

    /// Takes the totals that touched rows had or have.
    mutating func note(_ noted: TotalsUpdate) {
        var update = noted
        if update.isLost {
            for index in 0..<list.sectionCount { note(list.rows.section(at: index), &update) }
        }
        let isUnchanged = list.totals.map { update.all.isIdentical(to: $0) } ?? false
        if isUnchanged, update.sections.isEmpty, update.entering.isEmpty, !update.isLost { return }
        totals = update
    }

    /// The values that a row has now.
    func values(_ id: Int64, _ row: RowValues?, _ totals: RequestTotals) throws -> RowValues? {
        guard let columns = totals.columns, let row else { return try totals.values(id, decoder, engine) }
        return try totals.terms.values(RowValues(row, columns: columns))
    }

    /// Notes a section as it is before the update.
    mutating func note(_ id: SectionID, _ update: inout TotalsUpdate) {
        guard !list.isFlat, update.sections[id] == nil, let none = compiled.totals?.parts.none else { return }
        var section = list.section(id)
        let old = section.totals ?? none
        update.sections[id] = ((list.rows.index(of: id), old), old)
        guard section.totals == nil else { return }
        section.totals = old
        edit.setSection(id, section)
    }

    /// Changes the totals of a section that is in the list before the update.
    mutating func change(
        _ id: SectionID, from old: RowValues?, to new: RowValues?, _ update: inout TotalsUpdate
    ) throws {
        guard !list.isFlat, let parts = compiled.totals?.parts else { return }
        guard update.sections[id] == nil else {
            try update.sections[id]?.totals.change(from: old, to: new, parts)
            return
        }
        var totals = list.section(id).totals ?? parts.none
        guard try totals.change(from: old, to: new, parts) else { return }
        note(id, &update)
        update.sections[id]?.totals = totals
    }

    /// Adds the values that touched rows have now, once the list is edited. Returns what changed.
    mutating func changeTotals() throws -> [TotalChange] {
        guard let totals = compiled.totals else { return [] }
        if totals.areOfAll { try readTotalsOfNewSections(totals) }
        guard var update = exchange(&self.totals, with: nil), let old = list.totals else { return [] }
        for (id, section) in update.sections where !isSame(id, section.old?.totals) { update.sections[id] = nil }
        if update.isLost { return try readTotals(totals, update) }
        for (id, values) in update.entering {
            if totals.areOfAll {
                try addOfAll(values, totals, &update)
                continue
            }
            guard let section = list.rows.place(of: id)?.section else { continue }
            try update.all.change(from: nil, to: values, totals.parts)
            if list.isFlat { continue }
            try update.sections[section, default: (nil, totals.parts.none)].totals.change(
                from: nil, to: values, totals.parts)
        }
        for index in update.all.extremes.indices where update.all.extremes[index].isRemoved {
            // A section map may hide rows that the request has.
            guard !list.isMapped else { return try readTotals(totals, update) }
            engine.counters.statementsRun += 1
            update.all.extremes[index] = .init(value: try totals.extreme(index, compiled, of: nil))
        }
        var changes: [TotalChange] = []
        try totals.parts.note(old, update.all, sections: nil, in: &changes)
        for (id, var section) in update.sections {
            var info = list.section(id)
            for index in section.totals.extremes.indices where section.totals.extremes[index].isRemoved {
                engine.counters.statementsRun += 1
                guard list.orphans != id else { return try readTotals(totals, update) }
                section.totals.extremes[index] = .init(value: try totals.extreme(index, compiled, of: info.value))
            }
            if let old = section.old {
                let sections = (old.index, list.rows.index(of: id))
                try totals.parts.note(old.totals, section.totals, sections: sections, in: &changes)
            }
            info.totals = section.totals
            edit.setSection(id, info)
        }
        edit.setTotals(update.all)
        return changes
    }

    /// Whether a section of before the update is still there.
    private func isSame(_ id: SectionID, _ old: GroupTotals?) -> Bool {
        guard list.rows.contains(id), let totals = list.section(id).totals else { return false }
        return old?.isIdentical(to: totals) ?? false
    }

    /// Reads the totals of the whole list.
    mutating func readTotals(_ totals: RequestTotals, _ update: TotalsUpdate) throws -> [TotalChange] {
        let (all, sections) = try engine.readTotals(list, totals, compiled, decoder)
        let old = list.totals
        edit.setTotals(all)
        for index in 0..<list.sectionCount where !list.isFlat {
            let id = list.rows.section(at: index)
            var section = list.section(id)
            section.totals = sections[id]
            edit.setSection(id, section)
        }
        var changes: [TotalChange] = []
        try totals.parts.note(old, all, sections: nil, in: &changes)
        for (id, section) in update.sections {
            guard let old = section.old else { continue }
            let indexes = (old.index, list.rows.index(of: id))
            try totals.parts.note(old.totals, sections[id], sections: indexes, in: &changes)
        }
        return changes
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
