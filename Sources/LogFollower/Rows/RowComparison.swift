internal import SQLiteKit

/// Finds the changed rows on changed pages.
struct RowComparison {
    let pages: NewPages
    let layout: PageLayout
    let owners: PageOwners
    /// Cells whose overflow pages may now belong to other cells, and cells that may have new ones.
    private(set) var left: [Cell] = []
    private(set) var came: [Cell] = []

    init(_ pages: NewPages, _ layout: PageLayout, _ owners: PageOwners) {
        self.pages = pages
        self.layout = layout
        self.owners = owners
    }

    /// The rows of one tree that differ.
    mutating func rows(of tree: Int, on changes: [PageOwners.PageChange]) throws(Uncertainty) -> TableChange {
        var change = TableChange(table: owners.trees[tree].table)
        var old: [Cell] = []
        var new: [Cell] = []
        for page in changes { try addDiffering(page, tree, &change, &old, &new) }
        left += old.filter { $0.overflow != 0 }
        came += new.filter { $0.overflow != 0 }
        if owners.trees[tree].isIndex {
            try compareRecords(old, new, &change)
        } else {
            try compareRowids(old, new, &change)
            // Rows that are read in order are read faster.
            change.rowids.sort { $0.rowid < $1.rowid }
        }
        return change
    }

    /// The rows that differ and that a page has before and after, and the other cells of the page,
    /// before and after, without the unchanged ones.
    ///
    /// A commit can write many pages, so the page is read here, and held only by its cells.
    private mutating func addDiffering(
        _ page: PageOwners.PageChange, _ tree: Int, _ change: inout TableChange, _ old: inout [Cell],
        _ new: inout [Cell]
    ) throws(Uncertainty) {
        let isCompared = page.isWritten || page.old != page.new || page.hasWrittenOverflow
        guard isCompared else { return }
        let before = owners.holdsRows(page.old, of: tree) ? try pages.old.transient(page.page) : nil
        let after = owners.holdsRows(page.new, of: tree) ? try pages.transient(page.page) : nil
        guard let before, let after, !owners.trees[tree].isIndex else {
            if let before { old += try before.cells(layout) }
            if let after { new += try after.cells(layout) }
            return
        }
        try addDiffering(before, after, page.hasWrittenOverflow, &change, &old, &new)
    }

    /// For most cells the places suffice. These are stored apart from their pages, because there
    /// are many.
    private mutating func addDiffering(
        _ oldPage: Page, _ newPage: Page, _ hasWrittenOverflow: Bool, _ change: inout TableChange,
        _ old: inout [Cell], _ new: inout [Cell]
    ) throws(Uncertainty) {
        let (before, after) =
            hasWrittenOverflow
            ? (try oldPage.cellPlaces(layout), try newPage.cellPlaces(layout))
            : try oldPage.cellsThatDiffer(in: newPage, layout)
        var (a, b) = (0, 0)
        while a < before.count, b < after.count {
            let (left, right) = (before[a], after[b])
            if left.rowid < right.rowid {
                old.append(Cell(page: oldPage, place: left))
                a += 1
            } else if left.rowid > right.rowid {
                new.append(Cell(page: newPage, place: right))
                b += 1
            } else {
                if left.overflow != 0 || right.overflow != 0 {
                    try addPair(
                        Cell(page: oldPage, place: left), Cell(page: newPage, place: right), hasWrittenOverflow, &old,
                        &new)
                } else if !oldPage.hasSameLocal(left, as: right, of: newPage) {
                    change.rowids.append((left.rowid, Array(Cell(page: oldPage, place: left).local)))
                }
                a += 1
                b += 1
            }
        }
        for place in before[a...] { old.append(Cell(page: oldPage, place: place)) }
        for place in after[b...] { new.append(Cell(page: newPage, place: place)) }
    }

    /// Adds the cells of a row that both pages have, if these differ.
    private mutating func addPair(
        _ before: Cell, _ after: Cell, _ hasWrittenOverflow: Bool, _ old: inout [Cell], _ new: inout [Cell]
    ) throws(Uncertainty) {
        if try isSame(before, after, comparesOverflow: hasWrittenOverflow) {
            if hasWrittenOverflow || before.overflow != after.overflow {
                left.append(before)
                came.append(after)
            }
        } else {
            old.append(before)
            new.append(after)
        }
    }

    /// Applies the changes of the overflow pages, after all trees were compared: a page can move
    /// from one tree to another.
    func update(_ overflow: inout OverflowPages) throws(Uncertainty) {
        for cell in left { try overflow.remove(cell, in: pages.old, layout) }
        for cell in came { try overflow.add(cell, in: pages, layout) }
    }

    /// Whether two cells have the same record. Without `comparesOverflow`, overflow pages in the
    /// same place are known to be unchanged.
    private func isSame(_ old: Cell, _ new: Cell, comparesOverflow: Bool) throws(Uncertainty) -> Bool {
        guard old.hasSameLocal(as: new) else { return false }
        if old.overflow == 0 || old.overflow == new.overflow && !comparesOverflow { return true }
        var before = try OverflowChain(of: old, in: pages.old, layout)
        var after = try OverflowChain(of: new, in: pages, layout)
        // Records of the same size continue in the same number of pages.
        while let (a, content) = try before.next(), let (b, _) = try after.next() {
            let isOnePage = a.number == b.number && !pages.isWritten(a.number)
            if !isOnePage, a.bytes[content] != b.bytes[content] { return false }
        }
        return true
    }

    private func compareRowids(_ old: [Cell], _ new: [Cell], _ change: inout TableChange) throws(Uncertainty) {
        let before = old.sorted { $0.rowid < $1.rowid }
        let after = new.sorted { $0.rowid < $1.rowid }
        var (a, b) = (0, 0)
        while a < before.count || b < after.count {
            if b == after.count || a < before.count && before[a].rowid < after[b].rowid {
                change.rowids.append((before[a].rowid, try before[a].record(in: pages.old, layout)))
                a += 1
            } else if a == before.count || before[a].rowid > after[b].rowid {
                change.rowids.append((after[b].rowid, nil))
                b += 1
            } else {
                if try !isSame(before[a], after[b], comparesOverflow: true) {
                    change.rowids.append((before[a].rowid, try before[a].record(in: pages.old, layout)))
                }
                a += 1
                b += 1
            }
        }
    }

    private func compareRecords(_ old: [Cell], _ new: [Cell], _ change: inout TableChange) throws(Uncertainty) {
        var before: Set<[UInt8]> = []
        for cell in old { before.insert(try cell.record(in: pages.old, layout)) }
        for cell in new {
            let record = try cell.record(in: pages, layout)
            if before.remove(record) == nil { change.newRecords.append(record) }
        }
        change.oldRecords = Array(before)
    }
}
