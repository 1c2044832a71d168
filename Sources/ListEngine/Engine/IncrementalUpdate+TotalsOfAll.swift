internal import OrderedTree
internal import SQLiteKit

/// Totals of all rows of a window, whether the list shows them or not.
extension IncrementalUpdate {
    /// Takes the values that touched rows had out of the totals, and notes the values that they
    /// have. Whether a row counted is known from its old image, as the list does not have all rows.
    mutating func noteTotalsOfAll(_ update: inout TotalsUpdate, _ totals: RequestTotals) throws {
        update.isLost = touched.count > 0 && !(totals.areTracked && knowsOldRows)
        for (rowid, image) in update.isLost ? [] : oldRows {
            var evidence = Evidence(isTouchedItself: true, image: totals.view == nil ? image : nil)
            if totals.view != nil { evidence.tableRow = (rowid, image) }
            try remove(rowid, evidence, totals, &update)
        }
        for index in 0..<touched.count where !update.isLost {
            let (id, evidence) = (touched.id(at: index), touched[at: index].evidence)
            if index >= ownCount { try remove(id, evidence, totals, &update) }
            guard touched[at: index].isInList, let new = try values(id, evidence.row, totals) else { continue }
            if let section = try section(of: new, totals) { note(section, &update) }
            update.entering.append((id, new))
        }
        note(update)
    }

    private mutating func remove(
        _ id: Int64, _ evidence: Evidence, _ totals: RequestTotals, _ update: inout TotalsUpdate
    ) throws {
        guard let values = try totals.oldValues(id, evidence, past) else {
            update.isLost = true
            return
        }
        guard let old = values else { return }
        try update.all.change(from: old, to: nil, totals.parts)
        if let section = try section(of: old, totals) { try change(section, from: old, to: nil, &update) }
    }

    /// Adds the values of a row, once the list is edited.
    mutating func addOfAll(_ values: RowValues, _ totals: RequestTotals, _ update: inout TotalsUpdate) throws {
        try update.all.change(from: nil, to: values, totals.parts)
        // A section that is new was read with the row.
        guard let section = try section(of: values, totals) else { return }
        try update.sections[section]?.totals.change(from: nil, to: values, totals.parts)
    }

    /// Reads the totals of sections that the list did not have before.
    mutating func readTotalsOfNewSections(_ totals: RequestTotals) throws {
        for index in 0..<list.sectionCount where !list.isFlat && list.section(at: index).totals == nil {
            let id = list.rows.section(at: index)
            var (section, sum) = (list.section(id), totals.parts.none)
            engine.counters.statementsRun += 1
            try totals.scanAll(compiled, of: section.value) {
                engine.counters.rowsRead += 1
                try sum.change(from: nil, to: $0, totals.parts)
            }
            section.totals = sum
            edit.setSection(id, section)
        }
    }

    private func section(of values: RowValues, _ totals: RequestTotals) throws -> SectionID? {
        try list.section(ofTotals: values, compiled)
    }
}

extension List {
    /// The section of a row with some values of totals of all rows; nil if the list does not show
    /// it.
    fileprivate func section(ofTotals values: RowValues, _ compiled: CompiledRequest) throws -> SectionID? {
        guard !isFlat, let order = compiled.section?.order else { return nil }
        let value = RowValues(values, columns: [values.count - 1])
        let (index, isThere) = try order.find(order.recoded(Section(value: value, key: .empty)), in: self)
        return isThere ? rows.section(at: index) : nil
    }
}

extension ListEngine {
    /// Reads the totals of all rows of a window, and of the sections that it shows.
    func readTotalsOfAll(
        _ list: List, _ totals: RequestTotals, _ compiled: CompiledRequest
    ) throws -> (all: GroupTotals, sections: [SectionID: GroupTotals]) {
        var all = totals.parts.none
        var sections: [SectionID: GroupTotals] = [:]
        counters.statementsRun += 1
        try totals.scanAll(compiled, of: nil) { values in
            counters.rowsRead += 1
            try all.change(from: nil, to: values, totals.parts)
            guard let section = try list.section(ofTotals: values, compiled) else { return }
            try sections[section, default: totals.parts.none].change(from: nil, to: values, totals.parts)
        }
        return (all, sections)
    }
}
