import ChangeSets
import FetchedResults
import FetchedResultsViews
import SQLiteKit
import TestSupport

/// A view as strict as those of UIKit: it refuses a batch that is not possible on what it shows, or
/// after which its number of rows differs from the list's. It shows what was drawn, so a cell that
/// was not drawn again stays old.
final class SimulatedView: CoordinatedView, CellView {
    final class Cell {
        var identity: [Value] = []
        /// nil if the row could not be read when the cell was drawn: the view then has to draw it
        /// again.
        var content: [Value]?
    }

    struct Section {
        var name: String?
        var cells: [Cell]
    }

    private let items: ListItems<FetchedObject>
    private let options: ViewOptions
    private let updatesCells: Bool
    private(set) var sections: [Section] = []
    private(set) var faults: [String] = []
    /// Called inside each callback, after the view has applied it.
    var didAct: (_ moment: String) -> Void = { _ in }

    // The calls that it expects next; by default all.

    var isPaused: () -> Bool = { false }
    /// Whether its coordinator was released.
    var isEnded = false
    var mayReload = true
    /// Whether one more reload was requested, which does not replace the other.
    var mayReloadAgain = false
    var mayReloadWhilePaused = false
    /// The number of batches that it may get before the next delivery.
    var allowance = Int.max
    /// The cells that were updated since the last delivery; nil to not record them.
    var updatedCells: Set<ListIndexPath>?

    init(_ list: any LiveList, _ options: ViewOptions, updatesCells: Bool) {
        items = ListItems(list)
        self.options = options
        self.updatesCells = updatesCells
    }

    private func fault(_ text: String) { faults.append(text) }
    func fail(_ text: String) { fault(text) }

    // MARK: Cells

    func dequeueCell(_ identifier: String, at path: ListIndexPath) -> Cell { Cell() }

    func visibleCell(at path: ListIndexPath) -> Cell? {
        guard sections.indices.contains(path.section), sections[path.section].cells.indices.contains(path.row) else {
            fault("there is no cell at \(path) to update")
            return nil
        }
        return sections[path.section].cells[path.row]
    }

    /// The coordinator's `updateCell`.
    func update(_ path: ListIndexPath, _ object: FetchedObject) {
        if isEnded { fault("a cell is updated after the end") }
        if let updated = updatedCells?.insert(path), !updated.inserted { fault("the cell at \(path) is updated again") }
        if let cell = visibleCell(at: path) { configure(cell, object) }
        didAct("a cell update")
    }

    func expectCount(_ old: Int, _ new: Int) {
        if isEnded { fault("the count is reported after the end") }
        if old == new { fault("the count is reported as \(new) again") }
        didAct("the count notice")
    }

    private func draw(_ cell: Cell, _ path: ListIndexPath) {
        do {
            let object = try items.item(at: path)
            configure(cell, object)
        } catch let error as StoreError where error.status == .gone {
            cell.content = nil
        } catch {
            fault("reading \(path): \(error)")
        }
    }

    private func configure(_ cell: Cell, _ object: FetchedObject) {
        if !cell.identity.isEmpty, cell.identity != object.identity {
            fault("\(cell.identity) is updated with \(object)")
        }
        cell.identity = object.identity
        cell.content = object.values
    }

    private func drawnSection(_ section: Int) -> Section {
        Section(
            name: items.sectionName(section),
            cells: (0..<items.numberOfRows(inSection: section)).map { row in
                let cell = Cell()
                draw(cell, ListIndexPath(section: section, row: row))
                return cell
            })
    }

    // MARK: Its calls

    func reload() {
        if isEnded { fault("a reload after the end") }
        if !mayReload { fault("a reload that nothing asked for") }
        if isPaused(), !mayReloadWhilePaused { fault("a reload while paused") }
        (mayReload, mayReloadAgain, mayReloadWhilePaused) = (mayReloadAgain, false, false)
        sections = (0..<items.numberOfSections).map(drawnSection)
        didAct("a reload")
    }

    func apply(_ batch: ViewBatch) {
        if isEnded { fault("a batch after the end") }
        if isPaused() { fault("a batch while paused") }
        if allowance == 0 { fault("a second batch for one delivery") }
        if allowance != .max { allowance -= 1 }
        if batch.isEmpty { fault("an empty batch") }
        if options.form == .steps {
            step(batch)
        } else {
            check(batch)
            guard faults.isEmpty else { return }
            checkSteps(batch)
            change(batch)
        }
        if faults.isEmpty { checkCounts(batch) }
        didAct("a batch")
    }

    // MARK: Refusing

    private func check(_ batch: ViewBatch) {
        if options.rowMoves == .deletesAndInserts, !batch.rowMoves.isEmpty { fault("a row move") }
        if options.sectionMoves == .deletesAndInserts, !batch.sectionMoves.isEmpty { fault("a section move") }
        if updatesCells, !batch.rowReloads.isEmpty { fault("a reload though cells are updated") }
        if !updatesCells, !batch.cellUpdates.isEmpty { fault("a cell update though rows are reloaded") }
        checkOrder(batch)
        let gone = Set(batch.sectionDeletes)
        let come = Set(batch.sectionInserts)
        checkPlaces("old section", batch.sectionDeletes + batch.sectionMoves.map(\.old), within: sections.indices)
        checkPlaces(
            "new section", batch.sectionInserts + batch.sectionMoves.map(\.new), within: 0..<items.numberOfSections)
        let oldRows = batch.rowDeletes + batch.rowMoves.map(\.old) + batch.rowReloads.map(\.old)
        if Set(oldRows).count != oldRows.count { fault("an old row twice") }
        for path in oldRows {
            if gone.contains(path.section) { fault("row \(path) of a deleted section") }
            if !sections.indices.contains(path.section) || !sections[path.section].cells.indices.contains(path.row) {
                fault("no old row \(path)")
            }
        }
        let newRows = batch.rowInserts + batch.rowMoves.map(\.new) + batch.rowReloads.map(\.new)
        if Set(newRows).count != newRows.count { fault("a new row twice") }
        if Set(batch.cellUpdates).count != batch.cellUpdates.count { fault("a cell twice") }
        for path in newRows + batch.cellUpdates {
            if come.contains(path.section) { fault("row \(path) of an inserted section") }
            if path.row >= items.numberOfRows(inSection: path.section) { fault("no new row \(path)") }
        }
        for update in batch.sectionUpdates where gone.contains(update.old) || come.contains(update.new) {
            fault("section update of \(update)")
        }
    }

    private func checkPlaces(_ what: String, _ places: [Int], within range: Range<Int>) {
        if Set(places).count != places.count { fault("\(what) twice") }
        for place in places where !range.contains(place) { fault("no \(what) \(place)") }
    }

    private func checkOrder(_ batch: ViewBatch) {
        func ascends<Place: Comparable>(_ places: [Place]) -> Bool { zip(places, places.dropFirst()).allSatisfy(<) }
        let orders = [
            ascends(batch.sectionDeletes.reversed()), ascends(batch.sectionInserts),
            ascends(batch.sectionMoves.map(\.new)),
            ascends(batch.rowDeletes.reversed()), ascends(batch.rowInserts), ascends(batch.rowMoves.map(\.new)),
            ascends(batch.rowReloads.map(\.new)), ascends(batch.sectionUpdates.map(\.new)), ascends(batch.cellUpdates),
        ]
        for (index, isRight) in orders.enumerated() where !isRight { fault("group \(index) is out of order") }
    }

    // MARK: Changing

    private func change(_ batch: ViewBatch) {
        let old = sections
        var moved: [ListIndexPath: Cell] = [:]
        for move in batch.rowMoves { moved[move.new] = old[move.old.section].cells[move.old.row] }
        for path in (batch.rowDeletes + batch.rowMoves.map(\.old)).sorted(by: >) {
            sections[path.section].cells.remove(at: path.row)
        }
        let kept = sections
        for index in (batch.sectionDeletes + batch.sectionMoves.map(\.old)).sorted(by: >) { sections.remove(at: index) }
        let moving = batch.sectionMoves.map { ($0.new, kept[$0.old]) }
        let arriving = batch.sectionInserts.map { ($0, drawnSection($0)) } + moving
        for (index, section) in arriving.sorted(by: { $0.0 < $1.0 }) {
            guard index <= sections.count else { return fault("no place for section \(index)") }
            sections.insert(section, at: index)
        }
        for path in (batch.rowInserts + batch.rowMoves.map(\.new)).sorted() {
            guard path.row <= sections[path.section].cells.count else { return fault("no place for row \(path)") }
            let cell = moved[path] ?? Cell()
            sections[path.section].cells.insert(cell, at: path.row)
            // A view without cell updates draws the cells again that it moves.
            if moved[path] == nil || !updatesCells { draw(cell, path) }
        }
        for reload in batch.rowReloads {
            let cell = old[reload.old.section].cells[reload.old.row]
            guard let now = visibleCell(at: reload.new), now === cell else {
                fault("\(reload) is another row")
                continue
            }
            draw(cell, reload.new)
        }
        for update in batch.sectionUpdates { sections[update.new].name = items.sectionName(update.new) }
    }

    /// Applies the steps of a batch, one after another.
    private func step(_ batch: ViewBatch) {
        for step in batch.steps(rowCount: { items.numberOfRows(inSection: $0) }) {
            switch step.change.kind {
            case .section: stepSection(step)
            case .object: stepRow(step)
            }
        }
    }

    private func stepSection(_ step: ViewStep) {
        if options.sectionMoves == .deletesAndInserts, step.change.type == .move {
            fault("a step that moves a section")
        }
        var section = Section(name: nil, cells: [])
        if let source = step.change.source { section = sections.remove(at: source.section) }
        guard let target = step.change.target, let final = step.finalPath else {
            return section.cells.isEmpty ? () : fault("a section with rows is deleted by a step")
        }
        let isChanged = step.change.type == .insert || !step.change.changedColumns.isEmpty
        if isChanged { section.name = items.sectionName(final.section) }
        sections.insert(section, at: target.section)
    }

    private func stepRow(_ step: ViewStep) {
        if options.rowMoves == .deletesAndInserts, step.change.type == .move { fault("a step that moves a row") }
        if updatesCells, step.change.type == .update { fault("a step for a row whose cell is updated") }
        var cell = Cell()
        if let source = step.change.source { cell = sections[source.section].cells.remove(at: source.row) }
        guard let target = step.change.target, let final = step.finalPath else { return }
        sections[target.section].cells.insert(cell, at: target.row)
        if step.change.type == .insert || !updatesCells { draw(cell, final) }
    }

    private func checkCounts(_ batch: ViewBatch) {
        let counts = (0..<items.numberOfSections).map { items.numberOfRows(inSection: $0) }
        if counts != sections.map(\.cells.count) {
            fault(
                "there are \(sections.map(\.cells.count)) rows after the batch, the list says \(counts)\n\(batch.changes)"
            )
        }
    }

    /// Applies the steps to what was shown, one after another, and expects what the list shows.
    private func checkSteps(_ batch: ViewBatch) {
        let before = sections.map { ReplayedSection($0.name, $0.cells.map { $0.identity.isEmpty ? nil : $0.identity }) }
        do {
            let steps = batch.steps { items.numberOfRows(inSection: $0) }.map(\.change)
            let after = try steps.applied(
                to: before, section: { step, name in step.type == .insert ? nil : name ?? nil },
                row: { _, identity in identity ?? nil })
            let wanted = (0..<items.numberOfSections).map { section in
                (0..<items.numberOfRows(inSection: section)).map { row in
                    (try? items.item(at: ListIndexPath(section: section, row: row)))?.identity
                }
            }
            guard after.map(\.rows.count) == wanted.map(\.count) else { return fault("the steps yield other counts") }
            for (section, shown) in after.enumerated() {
                for (row, identity) in shown.rows.enumerated() {
                    guard let identity, let other = wanted[section][row], identity != other else { continue }
                    return fault("the steps yield \(identity) at (\(section), \(row)), not \(other)")
                }
            }
        } catch {
            fault("steps: \(error)")
        }
    }

    // MARK: Comparing

    /// The differences from a list that was fetched just now.
    func difference(from fresh: any LiveList, comparesContent: Bool = true) throws -> String? {
        let items = ListItems(fresh)
        guard sections.count == items.numberOfSections else {
            return "\(sections.count) sections are shown of \(items.numberOfSections)"
        }
        for (index, section) in sections.enumerated() {
            if section.name != items.sectionName(index) { return "section \(index) is named \(section.name ?? "nil")" }
            guard section.cells.count == items.numberOfRows(inSection: index) else { return "rows of section \(index)" }
            for (row, cell) in section.cells.enumerated() {
                let path = ListIndexPath(section: index, row: row)
                guard let object = try readable(items, path, isGoneFine: !comparesContent) else { continue }
                if cell.identity.isEmpty, !comparesContent { continue }
                if comparesContent, cell.content == nil { draw(cell, path) }
                if cell.identity != object.identity || comparesContent && cell.content != object.values {
                    return "\(path) shows \(cell.identity) \(cell.content ?? []), not \(object)"
                }
            }
        }
        return nil
    }

    /// The object at a path; nil if it was deleted, where that is allowed.
    private func readable(_ items: ListItems<FetchedObject>, _ path: ListIndexPath, isGoneFine: Bool) throws
        -> FetchedObject?
    {
        do {
            return try items.item(at: path)
        } catch let error as StoreError where error.status == .gone && isGoneFine {
            return nil
        }
    }
}
