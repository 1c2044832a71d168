import ChangeSets
import SQLiteKit
import TestSupport

@testable import FetchedResults

/// A record that can't be replayed.
private struct ImpossibleChange: Error {
    let text: String
}

/// Everything that is wrong with the deliveries between two states of a list.
struct DeliveryCheck {
    let old: Picture
    let new: Picture
    /// The names of the columns that rows show, before and after.
    let columns: (old: [String], new: [String])
    /// Whether the rows of a map's sections show the same columns as before.
    let hasSameSectionColumns: Bool
    let knowledge: Knowledge
    /// Rows whose content the program received.
    let given: Set<[Cell]>
    /// In a map: whether it received those of all sections' rows.
    let areSectionRowsGiven: Bool
    /// Whether every removed row was touched, and its old image has the whole content.
    let knowsDeleted: Bool
    /// Whether hooks can't report all old values: then a record may leave open what changed, but
    /// never report a wrong change.
    let isHazy: Bool
    /// Whether the library can determine which rows' sort keys changed, and which sections'.
    let knowsOldKeys: Bool
    /// Whether that includes the touched rows: a history does not have old values, and only a
    /// held state has old ranks.
    let knowsTouchedKeys: Bool
    let knowsOldSections: Bool
    private let oldPaths: [[Cell]: ListIndexPath]
    private let newPaths: [[Cell]: ListIndexPath]

    init(
        old: Picture, new: Picture, columns: (old: [String], new: [String]), hasSameSectionColumns: Bool,
        knowledge: Knowledge, given: Set<[Cell]>, areSectionRowsGiven: Bool, knowsDeleted: Bool, isHazy: Bool,
        knowsOldKeys: Bool, knowsTouchedKeys: Bool, knowsOldSections: Bool
    ) {
        self.knowsOldSections = knowsOldSections
        self.knowsOldKeys = knowsOldKeys
        self.knowsTouchedKeys = knowsTouchedKeys
        self.old = old
        self.new = new
        self.columns = columns
        self.hasSameSectionColumns = hasSameSectionColumns
        self.knowledge = knowledge
        self.given = given
        self.areSectionRowsGiven = areSectionRowsGiven
        self.knowsDeleted = knowsDeleted
        self.isHazy = isHazy
        oldPaths = old.paths
        newPaths = new.paths
    }

    private func row(_ picture: Picture, _ path: ListIndexPath) -> Picture.Row {
        picture.sections[path.section].rows[path.row]
    }

    /// Rows of both lists, in the new order.
    private var common: [(id: [Cell], old: ListIndexPath, new: ListIndexPath)] {
        newPaths.compactMap { id, path in oldPaths[id].map { (id, $0, path) } }.sorted { $0.new < $1.new }
    }

    private func changedColumns(_ old: ListIndexPath, _ new: ListIndexPath) -> ColumnSet {
        let (before, after) = (row(self.old, old).content, row(self.new, new).content)
        let changed = ColumnSet(
            after.indices.filter { index in
                columns.old.firstIndex(of: columns.new[index]).map { before[$0] != after[index] } ?? true
            })
        return changed.isEmpty && columns.old.contains { !columns.new.contains($0) } ? .unknown : changed
    }

    /// The old content of a row, in the columns that it shows now; nil if it can't be known.
    private func inNewColumns(_ old: [Cell]) -> [Cell]? {
        let cells = columns.new.map { name in columns.old.firstIndex(of: name).map { old[$0] } }
        return cells.contains(nil) ? nil : cells.compactMap(\.self)
    }

    /// The faults if nothing was delivered.
    func faultsOfSilence() -> [String] {
        var faults: [String] = []
        if old.sections.map(\.key) != new.sections.map(\.key) { faults.append("sections changed") }
        if old.sections.map({ $0.rows.map(\.id) }) != new.sections.map({ $0.rows.map(\.id) }) {
            faults.append("rows changed")
        }
        for (id, old, new) in common where !changedColumns(old, new).isEmpty {
            if knowledge == .exact || given.contains(id) { faults.append("content of \(id) changed") }
        }
        return faults.map { "no delivery, but \($0)" }
    }

    func faults(of delivery: Delivery) -> [String] {
        let changes = delivery.changeSet
        var faults = delivery.brokenOrder
        if changes.isEmpty { faults.append("an empty bracket") }
        faults += violations(
            of: changes, oldCounts: old.sections.map(\.rows.count), newCounts: new.sections.map(\.rows.count))
        guard faults.isEmpty else { return faults }
        faults += replayFaults(delivery)
        faults += sectionFaults(delivery)
        guard faults.isEmpty else { return faults }
        return rowFaults(delivery)
    }

    // MARK: Replay

    private typealias Shown = ReplayedSection<Cell?, [Cell]>

    private func replayFaults(_ delivery: Delivery) -> [String] {
        let changes = delivery.changeSet
        let oldLists = old.sections.map { Shown($0.mark, $0.rows.map(\.id)) }
        let newLists = new.sections.map { Shown($0.mark, $0.rows.map(\.id)) }
        func section(_ change: SectionChange, _ before: Cell??) throws -> Cell? {
            guard let index = change.newIndex, new.sections.indices.contains(index) else {
                throw ImpossibleChange(text: "\(change)")
            }
            return before ?? new.sections[index].mark
        }
        func row(_ change: ObjectChange, _ before: [Cell]?) throws -> [Cell] {
            guard let path = change.newPath else { throw ImpossibleChange(text: "\(change)") }
            let id = self.row(new, path).id
            if let before, before != id { throw ImpossibleChange(text: "\(change) took \(before) for \(id)") }
            return id
        }
        func compare(_ encoding: String, _ replay: () throws -> [Shown]) -> [String] {
            do {
                let result = try replay()
                return result == newLists ? [] : ["\(encoding) replays to \(result), not \(newLists)"]
            } catch {
                return ["\(encoding): \(error)"]
            }
        }
        let steps = changes.sequential()
        return compare("batch") { try changes.applied(to: oldLists, section: section, row: row) }
            + compare("sequence") {
                try steps.applied(to: oldLists) { step, before in
                    try section(changes.sectionChanges[step.record], before)
                } row: { step, before in
                    try row(changes.objectChanges[step.record], before)
                }
            }
    }

    // MARK: Sections

    /// The new index of each old section that stays, according to the records.
    private func stayingSections(_ changes: ChangeSet) -> [(old: Int, new: Int)] {
        let leaving = Set((changes.sectionDeletes + changes.sectionMoves).compactMap(\.oldIndex))
        let arriving = Set((changes.sectionInserts + changes.sectionMoves).compactMap(\.newIndex))
        let kept = zip(
            old.sections.indices.filter { !leaving.contains($0) },
            new.sections.indices.filter { !arriving.contains($0) })
        let moved = changes.sectionMoves.compactMap { change in
            change.oldIndex.flatMap { old in change.newIndex.map { (old, $0) } }
        }
        return (kept.map { ($0, $1) } + moved).sorted { $0.1 < $1.1 }
    }

    private func sectionFaults(_ delivery: Delivery) -> [String] {
        let changes = delivery.changeSet
        var faults: [String] = []
        let staying = stayingSections(changes)
        for (old, new) in staying where self.old.sections[old].key != self.new.sections[new].key {
            faults.append("section \(old) is said to be the new \(new)")
        }
        let expected = new.sections.filter { section in old.sections.contains { $0.key == section.key } }.count
        if staying.count != expected { faults.append("\(staying.count) sections stay, not \(expected)") }
        if (old.sections + new.sections).contains(where: \.isRow) {
            faults += mappedSectionFaults(changes, staying)
        } else if !changes.sectionUpdates.isEmpty {
            faults += changes.sectionUpdates.map { "\($0), though sections have no content of their own" }
        } else if knowledge == .exact || knowledge == .listsOnly {
            faults += changes.sectionMoves.map { "\($0), though a section's place does not change by itself" }
        } else {
            let kept = LongestChain.length(staying.map(\.old))
            if changes.sectionMoves.count != staying.count - kept {
                faults.append("\(changes.sectionMoves.count) sections move, \(staying.count - kept) are enough")
            }
        }
        for change in changes.sectionChanges {
            let value = (delivery.changes.source.info(of: change)?.rowValues).flatMap {
                $0.count == 0 ? nil : Cell($0, 0)
            }
            let expected =
                change.newIndex.map { new.sections[$0].value } ?? change.oldIndex.flatMap { old.sections[$0].value }
            if value != expected {
                faults.append(
                    "\(change) is reported with \(String(describing: value)), not \(String(describing: expected))")
            }
        }
        return faults
    }

    /// Sections that are rows move only if their sort keys changed, and of these as few as
    /// possible; they are updated if their rows' content changed.
    private func mappedSectionFaults(_ changes: ChangeSet, _ staying: [(old: Int, new: Int)]) -> [String] {
        var faults: [String] = []
        let isFixed = staying.map { knowsOldSections && old.sections[$0.old].sortKeys == new.sections[$0.new].sortKeys }
        let isUntouched = staying.map { old.sections[$0.old].sortValues == new.sections[$0.new].sortValues }
        let moved = Set(changes.sectionMoves.compactMap(\.newIndex))
        for (index, section) in staying.enumerated()
        where isFixed[index] && isUntouched[index] && moved.contains(section.new) {
            faults.append("section \(section.old) moves, though its sort keys did not change")
        }
        let least = staying.count - LongestChain.length(staying.map(\.old), through: isFixed)
        let leastOfTouched =
            staying.count - LongestChain.length(staying.map(\.old), through: zip(isFixed, isUntouched).map { $0 && $1 })
        if moved.count != least, moved.count != leastOfTouched {
            faults.append("\(moved.count) sections move, \(least) would do")
        }
        let records = Dictionary(
            (changes.sectionMoves + changes.sectionUpdates).compactMap { change in change.newIndex.map { ($0, change) }
            }
        ) { first, _ in first }
        for (old, new) in staying {
            let (before, after) = (self.old.sections[old].content, self.new.sections[new].content)
            guard hasSameSectionColumns else { continue }
            let changed = ColumnSet(after.indices.filter { before[$0] != after[$0] })
            let reported = records[new]?.changedColumns ?? []
            let isKnown = knowledge == .exact || areSectionRowsGiven
            let mayBeUnknown = reported.isUnknown && (!changed.isEmpty || !isKnown)
            if mayBeUnknown { continue }
            if knowledge == .exact ? reported != changed : !reported.isEmpty && changed.isEmpty {
                faults.append("columns \(changed) of section \(new) changed, \(reported) are reported")
            }
        }
        return faults
    }

    // MARK: Rows

    private func rowFaults(_ delivery: Delivery) -> [String] {
        let changes = delivery.changeSet
        var faults = moveFaults(changes)
        var records: [[Cell]: (change: ObjectChange, index: Int)] = [:]
        for (index, change) in changes.objectChanges.enumerated() {
            let row = change.newPath.map { self.row(new, $0) } ?? change.oldPath.map { self.row(old, $0) }
            guard let row else { continue }
            records[row.id] = (change, index)
            let identity = delivery.changes.identity(of: change).map { Cell($0) }
            if !isSame(identity, row) {
                faults.append("\(change) reports the identity \(identity), not \(row.identity)")
            }
        }
        for (id, oldPath, newPath) in common {
            let changed = changedColumns(oldPath, newPath)
            let record = records[id]?.change
            let isKnown = knowledge == .exact || given.contains(id)
            let mayBeUnknown = record?.changedColumns.isUnknown == true && (knowledge != .exact || isHazy)
            if changed.isEmpty {
                if mayBeUnknown, isHazy || !isKnown { continue }
                if record?.type == .update { faults.append("\(id) did not change, but there is an update") }
                if let record, !record.changedColumns.isEmpty {
                    faults.append("\(record) names columns that did not change")
                }
            } else if let record {
                // Other columns are a change of the rows that the program has read.
                let isUnread = knowledge == .newRequest && !isKnown && record.changedColumns.isEmpty
                let isRight = record.changedColumns == changed || mayBeUnknown || isUnread
                if !isRight { faults.append("\(record) should name the columns \(changed)") }
            } else if isKnown {
                faults.append("columns \(changed) of \(id) at \(newPath) changed, but there is no record")
            }
        }
        for (change, index) in records.values.sorted(by: { $0.index < $1.index }) {
            if let path = change.oldPath { faults += oldValueFaults(delivery.changes, change, row(old, path)) }
            if let path = change.newPath, let object = delivery.objects?[index], object != row(new, path).content {
                faults.append("\(change) shows \(object), not \(row(new, path).content)")
            }
        }
        return faults
    }

    private func isSame(_ identity: [Cell], _ row: Picture.Row) -> Bool {
        // Spellings may differ if the key's collation treats them as equal.
        identity.count == row.identity.count
            && zip(identity, row.identity.map { Cell($0) }).allSatisfy {
                $0.representative(.nocase).representative(.rtrim) == $1.representative(.nocase).representative(.rtrim)
            }
    }

    private func oldValueFaults(_ changes: ListChanges, _ change: ObjectChange, _ old: Picture.Row) -> [String] {
        guard let values = changes.source.oldContent(of: change)?.cells else {
            // A column that was added has no old value.
            let isThere = change.type == .delete || inNewColumns(old.content) != nil
            let isNeeded =
                knowledge == .exact && isThere
                && (change.type == .delete ? knowsDeleted : !change.changedColumns.isEmpty && !isHazy)
            return isNeeded ? ["\(change) has no old values"] : []
        }
        let expected = change.type == .delete ? old.content : inNewColumns(old.content)
        return values == expected ? [] : ["\(change) reports the old values \(values), not \(expected ?? [])"]
    }

    /// Rows that stay in their section move only if their sort keys changed, and of these as few as
    /// possible.
    private func moveFaults(_ changes: ChangeSet) -> [String] {
        let moved = Set(changes.moves.compactMap { $0.newPath.map { row(new, $0).id } })
        var faults: [String] = []
        var stayers: [[Cell]] = []
        for (oldSection, newSection) in stayingSections(changes) {
            let staying = common.filter { $0.old.section == oldSection && $0.new.section == newSection }
            stayers += staying.map(\.id)
            let hasSameKey = staying.map { row(old, $0.old).sortKeys == row(new, $0.new).sortKeys }
            let isFixed = hasSameKey.map { knowsOldKeys && knowledge != .newRequest && $0 }
            let isUntouched = staying.map { row(old, $0.old).sortValues == row(new, $0.new).sortValues }
            for (index, row) in staying.enumerated()
            where isFixed[index] && isUntouched[index] && moved.contains(row.id) && knowsTouchedKeys {
                faults.append("\(row.id) moves, though its sort keys did not change")
            }
            let made = staying.count { moved.contains($0.id) }
            let least = staying.count - LongestChain.length(staying.map(\.old.row), through: isFixed)
            // A text that is spelled differently without a change of order may count as changed or
            // not.
            let leastOfTouched =
                staying.count
                - LongestChain.length(staying.map(\.old.row), through: zip(isFixed, isUntouched).map { $0 && $1 })
            let leastOfAll =
                staying.count - LongestChain.length(staying.map(\.old.row), through: isFixed.map { _ in false })
            // A list that was read as a whole may have been followed row by row after that.
            let leastOfFollowed =
                staying.count - LongestChain.length(staying.map(\.old.row), through: hasSameKey)
            let mayBeFewer = !knowsTouchedKeys && (leastOfAll...least).contains(made)
            if ![least, leastOfTouched, leastOfFollowed].contains(made), !mayBeFewer {
                faults.append("section \(newSection): \(made) rows move, \(least) would do")
            }
        }
        let migrants = Set(common.map(\.id)).subtracting(stayers)
        return faults + migrants.subtracting(moved).map { "\($0) changed its section, but does not move" }
    }
}
