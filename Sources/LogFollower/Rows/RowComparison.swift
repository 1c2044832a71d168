package import SQLiteKit

/// The rows of one table that differ between two states. A row may be among them that does not differ.
package struct TableChange {
    package let table: ExactText
    /// Of a table with rowids: those of the rows, and their old records; nil for a row that was not there.
    package internal(set) var rowids: [(rowid: Int64, oldRecord: [UInt8]?)] = []
    /// Of a table WITHOUT ROWID: the records that only the old state has, and those that only the new one has.
    package internal(set) var oldRecords: [[UInt8]] = []
    package internal(set) var newRecords: [[UInt8]] = []

    package var isEmpty: Bool { rowids.isEmpty && oldRecords.isEmpty && newRecords.isEmpty }
}

/// Finds the rows that changed among those of pages that changed.
struct RowComparison {
    let pages: NewPages
    let layout: PageLayout
    let owners: PageOwners
    /// Cells whose overflow pages may have become those of others, and cells that may have got others.
    private(set) var left: [Cell] = []
    private(set) var came: [Cell] = []

    init(_ pages: NewPages, _ layout: PageLayout, _ owners: PageOwners) {
        self.pages = pages
        self.layout = layout
        self.owners = owners
    }

    /// A page to compare.
    struct Candidate {
        let change: PageOwners.PageChange
        /// Whether overflow pages of its rows were written.
        var hasWrittenOverflow = false
    }

    /// The rows of one tree that differ.
    mutating func rows(of tree: Int, on candidates: [Candidate]) throws(Uncertainty) -> TableChange {
        var old: [Cell] = []
        var new: [Cell] = []
        for candidate in candidates { try addDiffering(candidate, tree, &old, &new) }
        left += old.filter { $0.overflow != 0 }
        came += new.filter { $0.overflow != 0 }
        var change = TableChange(table: owners.trees[tree].table)
        if owners.trees[tree].isIndex {
            try compareRecords(old, new, &change)
        } else {
            try compareRowids(old, new, &change)
        }
        return change
    }

    /// The cells of a page before and after, without those that did not change.
    private mutating func addDiffering(
        _ candidate: Candidate, _ tree: Int, _ old: inout [Cell], _ new: inout [Cell]
    ) throws(Uncertainty) {
        let change = candidate.change
        let isCompared = change.isWritten || change.old != change.new || candidate.hasWrittenOverflow
        guard isCompared else { return }
        var before: [Cell] = []
        var after: [Cell] = []
        if owners.holdsRows(change.old, of: [tree]) {
            try pages.old.page(change.page).addCells(to: &before, layout)
        }
        if owners.holdsRows(change.new, of: [tree]) {
            try pages.page(change.page).addCells(to: &after, layout)
        }
        guard !owners.trees[tree].isIndex else {
            old += before
            new += after
            return
        }
        var (a, b) = (0, 0)
        while a < before.count, b < after.count {
            if before[a].rowid < after[b].rowid {
                old.append(before[a])
                a += 1
            } else if before[a].rowid > after[b].rowid {
                new.append(after[b])
                b += 1
            } else {
                if try isSame(before[a], after[b], comparesOverflow: candidate.hasWrittenOverflow) {
                    if candidate.hasWrittenOverflow || before[a].overflow != after[b].overflow {
                        left.append(before[a])
                        came.append(after[b])
                    }
                } else {
                    old.append(before[a])
                    new.append(after[b])
                }
                a += 1
                b += 1
            }
        }
        old += before[a...]
        new += after[b...]
    }

    /// Takes over what became of the overflow pages, once all trees were compared: a page can go from one to another.
    func update(_ overflow: inout OverflowPages) throws(Uncertainty) {
        for cell in left { try overflow.remove(cell, in: pages.old, layout) }
        for cell in came { try overflow.add(cell, in: pages, layout) }
    }

    /// Whether two cells hold the same record. Without `comparesOverflow`, overflow pages in the same place are known
    /// to be as they were.
    private func isSame(_ old: Cell, _ new: Cell, comparesOverflow: Bool) throws(Uncertainty) -> Bool {
        guard old.hasSameLocal(as: new) else { return false }
        if old.overflow == 0 || old.overflow == new.overflow && !comparesOverflow { return true }
        let before = try old.chain(in: pages.old, layout)
        let after = try new.chain(in: pages, layout)
        var left = old.size - old.localSize
        for (a, b) in zip(before, after) {
            let count = min(left, layout.usableSize - 4)
            left -= count
            let isOnePage = a.number == b.number && !pages.isWritten(a.number)
            guard 4 + count <= a.bytes.count else { throw .pages }
            if !isOnePage, a.bytes[4..<4 + count] != b.bytes[4..<4 + count] { return false }
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
