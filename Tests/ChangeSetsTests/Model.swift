@testable import ChangeSets

/// A row as a list sees it: identity, sort key, content.
struct ModelRow: Equatable {
    var id: Int64
    var key: Int
    var content: Int = 0
}

/// A section with the same members, and its rows.
struct ModelSection: Equatable {
    var id: Int32
    var key: Int
    var content: Int = 0
    var rows: [ModelRow] = []
}

/// What a replay compares; sort keys are not part of it.
typealias Picture = ReplayedSection<[Int], [Int]>

extension [ModelSection] {
    /// In the order of keys, ties broken by identity.
    var inOrder: [ModelSection] {
        map { section in
            var section = section
            section.rows.sort { ($0.key, $0.id) < ($1.key, $1.id) }
            return section
        }.sorted { ($0.key, $0.id) < ($1.key, $1.id) }
    }

    var picture: [Picture] {
        map { Picture([Int($0.id), $0.content], $0.rows.map { [Int($0.id), $0.content] }) }
    }

    var places: [Int64: (section: Int32, path: ListIndexPath, row: ModelRow)] {
        var places: [Int64: (section: Int32, path: ListIndexPath, row: ModelRow)] = [:]
        for (index, section) in enumerated() {
            for (row, value) in section.rows.enumerated() {
                places[value.id] = (section.id, ListIndexPath(section: index, row: row), value)
            }
        }
        return places
    }

    var indexes: [Int32: (index: Int, section: ModelSection)] {
        [Int32: (index: Int, section: ModelSection)](
            uniqueKeysWithValues: enumerated().map { ($1.id, (index: $0, section: $1)) })
    }
}

/// What a list would report as touched between two states. With `everyRow` it includes unchanged
/// rows and sections, as reordered ones: the request's sort changed.
struct Difference {
    var rows: [RowTransition] = []
    var sections: [SectionTransition] = []

    init(from old: [ModelSection], to new: [ModelSection], everyRow: Bool = false) {
        let (oldRows, newRows) = (old.places, new.places)
        for id in Set(oldRows.keys).union(newRows.keys).sorted(by: { $0 * 7919 % 101 < $1 * 7919 % 101 }) {
            let (before, after) = (oldRows[id], newRows[id])
            let isReordered = everyRow || before?.row.key != after?.row.key
            let hasNewContent = before != nil && after != nil && before?.row.content != after?.row.content
            guard isReordered || hasNewContent || before?.section != after?.section else { continue }
            rows.append(
                RowTransition(
                    id: id, oldSection: before?.section ?? -1, oldPath: before?.path, newSection: after?.section ?? -1,
                    newPath: after?.path, isReordered: isReordered, changedColumns: hasNewContent ? [2] : []))
        }
        let (oldSections, newSections) = (old.indexes, new.indexes)
        for id in Set(oldSections.keys).union(newSections.keys).sorted(by: >) {
            let (before, after) = (oldSections[id], newSections[id])
            let isReordered = everyRow || before?.section.key != after?.section.key
            let hasNewContent = before != nil && after != nil && before?.section.content != after?.section.content
            guard isReordered || hasNewContent else { continue }
            sections.append(
                SectionTransition(
                    id: id, oldIndex: before?.index, newIndex: after?.index, isReordered: isReordered,
                    changedColumns: hasNewContent ? [2] : []))
        }
    }

    var changeSet: ChangeSet { ChangeSet(rows: rows, sections: sections) }

    /// The same made from both lists, as by a comparison of whole lists.
    func wholeChangeSet(from old: [ModelSection], to new: [ModelSection]) -> ChangeSet {
        var difference = ListDifference()
        let (oldRows, newRows) = (old.places, new.places)
        let transitions = [Int64: RowTransition](uniqueKeysWithValues: rows.map { ($0.id, $0) })
        for section in new {
            var firstFree = 0
            for row in section.rows {
                guard let place = newRows[row.id]?.path else { continue }
                guard let before = oldRows[row.id] else {
                    difference.inserted.append(row.id, at: place)
                    continue
                }
                if before.section == section.id, transitions[row.id]?.isReordered != true {
                    difference.noteFixedPoints(around: firstFree..<before.path.row)
                    firstFree = before.path.row + 1
                } else {
                    difference.addCandidate(
                        row.id, from: before.path, to: place, staysInSection: before.section == section.id)
                }
            }
            difference.noteFixedPoints(around: firstFree..<Int.max)
        }
        // In any order of sections.
        for section in old.sorted(by: { $0.id < $1.id }) {
            for row in section.rows where newRows[row.id] == nil {
                if let place = oldRows[row.id]?.path { difference.deleted.append(row.id, at: place) }
            }
        }
        difference.findMoves()
        var changed = transitions.compactMapValues { $0.changedColumns.isEmpty ? nil : $0.changedColumns }
        let columns = changed
        difference.forEachMove { changed[$0] = nil }
        let updates = rows.filter { changed[$0.id] != nil }.sorted { $0.new < $1.new }.map {
            ObjectChange.update($0.id, from: $0.old, to: $0.new, changedColumns: $0.changedColumns)
        }
        return ChangeSet(difference, sections: sections, updates: updates, columns: { columns[$0] ?? [] })
    }
}

/// All faults of a change set between two states: broken rules, and encodings whose replay differs.
func faults(of changes: ChangeSet, from old: [ModelSection], to new: [ModelSection]) -> [String] {
    var faults = violations(of: changes, oldCounts: old.map(\.rows.count), newCounts: new.map(\.rows.count))
    let (oldRows, newRows, target) = (old.places, new.places, new.picture)

    func expect(_ encoding: String, _ replay: () throws -> [Picture]) {
        do {
            let result = try replay()
            if result != target { faults.append("\(encoding) yields \(result), not \(target)") }
        } catch { faults.append("\(encoding): \(error)") }
    }
    func newSection(_ index: Int?) throws -> [Int] {
        guard let index, new.indices.contains(index) else { throw ReplayError(reason: "no new section") }
        return target[index].value
    }
    func newRow(_ id: Int64, _ before: [Int]?) throws -> [Int] {
        guard let row = newRows[id]?.row else { throw ReplayError(reason: "no new row \(id)") }
        if let before, before[0] != Int(id) { throw ReplayError(reason: "took row \(before[0]) for \(id)") }
        return [Int(id), row.content]
    }
    func replayed(_ changes: ChangeSet) throws -> [Picture] {
        try changes.applied(
            to: old.picture,
            section: { change, before in
                let value = try newSection(change.newIndex)
                if let before, before[0] != value[0] { throw ReplayError(reason: "\(change) took section \(before)") }
                return value
            },
            row: { change, before in
                if let path = change.newPath, newRows[change.id]?.path != path {
                    throw ReplayError(reason: "\(change): path")
                }
                return try newRow(change.id, before)
            })
    }
    expect("batch") { try replayed(changes) }

    let records = Array(changes.objectChanges)
    if ObjectChanges(records) != changes.objectChanges { faults.append("equal records are not equal") }
    for (number, record) in records.enumerated() where changes.objectChanges[number] != record {
        faults.append("record \(number) is \(changes.objectChanges[number]), not \(record)")
    }
    if changes.objectChanges.ids != records.map(\.id) { faults.append("ids \(changes.objectChanges.ids)") }

    let steps = changes.sequential()
    if Array(steps).count != steps.count
        || Array(steps[..<(steps.count / 2)]) != Array(Array(steps)[..<(steps.count / 2)])
    {
        faults.append("the steps are not the same by number")
    }
    if steps.count != changes.sectionChanges.count + changes.objectChanges.count {
        faults.append("\(steps.count) steps")
    }
    func sectionOfStep(_ step: SequentialStep, _ before: [Int]?) throws -> [Int] {
        let value = try newSection(changes.sectionChanges[step.record].newIndex)
        if let before, before[0] != value[0] { throw ReplayError(reason: "\(step) took section \(before)") }
        return value
    }
    expect("sequential") {
        try steps.applied(to: old.picture, section: sectionOfStep) { step, before in try newRow(step.id, before) }
    }
    for step in steps where step.kind == .object {
        if changes.objectChanges[step.record].id != step.id { faults.append("\(step) has another's record") }
    }
    for step in steps where step.type == .delete && step.kind == .object {
        if oldRows[step.id]?.path != step.source { faults.append("\(step) is another row") }
    }
    expect("ranges") {
        try steps.ranges().applied(to: old.picture, steps: steps, section: sectionOfStep) { step, before in
            try newRow(step.id, before)
        }
    }

    let newIds = new.map { $0.rows.map(\.id) }
    for (name, variant) in [
        ("without row moves", changes.replacingRowMoves()),
        ("without section moves", changes.replacingSectionMoves { newIds[$0] }),
        ("without moves", changes.withoutMoves { newIds[$0] }),
    ] {
        expect(name) { try replayed(variant) }
        faults += violations(
            of: variant, oldCounts: old.map(\.rows.count), newCounts: new.map(\.rows.count), allowsReinsertion: true
        ).map { "\(name): \($0)" }
        for change in variant.deletes where oldRows[change.id]?.path != change.oldPath {
            faults.append("\(name): \(change) is another row")
        }
    }
    if !changes.withoutMoves(rows: { newIds[$0] }).sectionMoves.isEmpty { faults.append("section moves are left") }
    if !changes.withoutMoves(rows: { newIds[$0] }).moves.isEmpty { faults.append("row moves are left") }
    return faults
}
