internal import ChangeSets
internal import OrderedTree
internal import SQLiteKit

/// The totals of a list of rows, and of its sections.
extension ListEngine {
    /// The totals of a list, or of one of its sections.
    package func totals(_ list: List, section index: Int?) throws -> FetchedObject {
        let parts = list.requestTotals?.parts
        let section = index.flatMap { list.isFlat ? nil : $0 }
        let totals = section.map { list.section(at: $0).totals } ?? list.totals
        let values = try parts.map { try $0.values(totals ?? $0.none) } ?? RowValues([])
        return FetchedObject(
            key: RowValues([]), content: values, layout: ObjectLayout(entity: "", columns: parts?.names ?? []))
    }

    /// The totals of the shown list, apart from its request.
    package var commonTotals: CommonTotals {
        get throws {
            let list = try shownList()
            guard let parts = list?.requestTotals?.parts, let totals = list?.totals else { return CommonTotals() }
            return CommonTotals(parts, totals)
        }
    }

    /// Reads the totals of a list that was just read, and is not shown yet. O(n).
    package func readTotals(of list: List, _ compiled: CompiledRequest, _ decoder: KeyDecoder) throws {
        guard let totals = compiled.totals else { return }
        let (all, sections) = try readTotals(list, totals, compiled, decoder)
        (list.totals, list.requestTotals) = (all, totals)
        for (id, group) in sections {
            var section = list.section(id)
            section.totals = group
            list.setSection(id, section)
        }
    }

    /// Reads the values of all rows of a list.
    func readTotals(
        _ list: List, _ totals: RequestTotals, _ compiled: CompiledRequest, _ decoder: KeyDecoder
    ) throws -> (all: GroupTotals, sections: [SectionID: GroupTotals]) {
        if totals.areOfAll { return try readTotalsOfAll(list, totals, compiled) }
        var all = totals.parts.none
        var sections: [SectionID: GroupTotals] = [:]
        func add(_ id: Int64, _ values: RowValues) throws {
            guard let section = list.rows.place(of: id)?.section else { return }
            try all.change(from: nil, to: values, totals.parts)
            if list.isFlat { return }
            try sections[section, default: totals.parts.none].change(from: nil, to: values, totals.parts)
        }
        if compiled.request.isWindow, compiled.touched != nil, totals.terms.canBeEvaluated {
            for id in list.ids { if let values = try totals.values(id, decoder, self) { try add(id, values) } }
        } else {
            counters.statementsRun += 1
            try totals.scan(compiled, decoder) {
                counters.rowsRead += 1
                try add($0, $1)
            }
        }
        return (all, sections)
    }

    /// The totals in which a list that was read differs from the one before.
    func totalChanges(_ old: List, _ new: List, _ changeSet: ChangeSet) throws -> [TotalChange] {
        guard let totals = new.requestTotals, let former = old.requestTotals?.parts else { return [] }
        var changes: [TotalChange] = []
        try totals.parts.note(old.totals, of: former, new.totals, sections: nil, in: &changes)
        if old.isFlat || new.isFlat { return changes }
        for (oldIndex, newIndex) in changeSet.remainingSections(oldCount: old.sectionCount, newCount: new.sectionCount)
        {
            try totals.parts.note(
                old.section(at: oldIndex).totals, of: former, new.section(at: newIndex).totals,
                sections: (oldIndex, newIndex), in: &changes)
        }
        return changes
    }
}

extension RequestTotals {
    /// Calls `body` with the ids and the values of all rows whose identities are known.
    func scan(_ compiled: CompiledRequest, _ decoder: KeyDecoder, _ body: (Int64, RowValues) throws -> Void) throws {
        try compiled.bind(scan, ownParameters: 0)
        defer { scan.reset() }
        let (first, count) = (compiled.identity.count, scan.columnCount - compiled.identity.count)
        while try scan.step() {
            guard let id = decoder.id(scan, .identity(hasOthers: true), reader) else { continue }
            try body(id, scan.rowValues(from: first, count: count))
        }
    }

    /// The values of a row; nil if it is not in the database.
    func values(_ id: Int64, _ decoder: KeyDecoder, _ engine: ListEngine) throws -> RowValues? {
        guard let statement = try reader.one(id, decoder) else { return nil }
        defer { statement.reset() }
        engine.counters.statementsRun += 1
        guard try statement.step() else { return nil }
        let row = statement.rowValues(from: reader.firstColumn, count: reader.columnCount)
        return view == nil ? try terms.values(row) : row
    }

    /// The values that a touched row had, which may be none; nil if they are unknown.
    func oldValues(_ id: Int64, _ evidence: Evidence, _ past: @autoclosure () -> PastContent) throws -> RowValues?? {
        if let view, let (rowid, image) = evidence.tableRow {
            return view.canRead(image) ? .some(try view.values(rowid: rowid, image)) : nil
        }
        if let columns {
            let row = evidence.image ?? (evidence.isTouchedItself ? nil : evidence.row)
            guard let row, row.count == tableColumnCount else { return nil }
            return .some(try terms.values(RowValues(row, columns: columns)))
        }
        return try past().values(of: terms.inputs, id, evidence).map { try terms.values($0) }
    }
}

extension List {
    /// The ids of all rows.
    var ids: [Int64] {
        var ids: [Int64] = []
        ids.reserveCapacity(count)
        for index in 0..<sectionCount {
            unsafe rows.forEachLeaf(in: rows.section(at: index)) { leaf, _ in unsafe ids.append(contentsOf: leaf) }
        }
        return ids
    }
}

extension TotalParts {
    /// Adds the totals that differ to `changes`, of the names that were there before.
    ///
    /// - Parameter former: The parts of the totals before; nil if they are the same.
    func note(
        _ old: GroupTotals?, of former: TotalParts? = nil, _ new: GroupTotals?, sections: (old: Int, new: Int)?,
        in changes: inout [TotalChange]
    ) throws(StoreError) {
        let former = former ?? self
        let (old, new) = (old ?? former.none, new ?? none)
        for index in names.indices where former !== self || !isSame(index, old, new) {
            guard let formerIndex = former === self ? index : former.names.firstIndex(of: names[index]) else {
                continue
            }
            let (oldValue, newValue) = (try former.value(formerIndex, of: old), try value(index, of: new))
            // Other numbers can have the same sum.
            if case .extreme = sources[index], former === self {} else if oldValue == newValue { continue }
            changes.append(
                TotalChange(
                    name: names[index], oldSection: sections?.old, newSection: sections?.new, oldValue: oldValue,
                    newValue: newValue))
        }
    }
}

extension ChangeSet {
    /// The indexes, before and after, of the sections that are there before and after.
    func remainingSections(oldCount: Int, newCount: Int) -> [(old: Int, new: Int)] {
        var pairs: [(old: Int, new: Int)] = []
        var (left, come) = (Set(0..<oldCount), Set(0..<newCount))
        for change in sectionChanges {
            if change.type == .update { continue }
            if let index = change.oldIndex { left.remove(index) }
            if let index = change.newIndex { come.remove(index) }
            if let old = change.oldIndex, let new = change.newIndex { pairs.append((old, new)) }
        }
        return pairs + zip(left.sorted(), come.sorted()).map { (old: $0, new: $1) }
    }

    /// The change set with the sections whose totals changed as updated ones. Their records name
    /// the totals behind the columns of the section.
    func updatingSections(of totals: [TotalChange], _ engine: ListEngine) -> ChangeSet {
        var sections: [(old: Int, new: Int, columns: ColumnSet)] = []
        for change in totals {
            guard let old = change.oldSection, let new = change.newSection,
                let index = engine.compiled.totals?.parts.names.firstIndex(of: change.name)
            else { continue }
            // The changes of a section follow one another.
            if sections.last?.old != old { sections.append((old, new, [])) }
            sections[sections.count - 1].columns.insert(engine.sectionColumnCount + index)
        }
        if sections.isEmpty { return self }
        var records = sectionChanges
        var numbers: [Int: Int] = [:]
        for (number, record) in records.enumerated() { if let old = record.oldIndex { numbers[old] = number } }
        for (old, new, columns) in sections {
            if let number = numbers[old] {
                let all = records[number].changedColumns.union(columns)
                records[number] =
                    records[number].type == .move
                    ? .move(from: old, to: new, changedColumns: all) : .update(from: old, to: new, changedColumns: all)
            } else {
                records.append(.update(from: old, to: new, changedColumns: columns))
            }
        }
        let updates = records.filter { $0.type == .update }.sorted { $0.newIndex ?? 0 < $1.newIndex ?? 0 }
        records.removeAll { $0.type == .update }
        return ChangeSet(sectionChanges: records + updates, objectChanges: objectChanges)
    }
}

extension ListEngine {
    /// How many columns a section shows, before its totals.
    var sectionColumnCount: Int { mappedSections?.columnCount ?? 1 }
}
