/// Where the new list has the gaps that rows left when they were deleted or moved.
package struct ChangeGaps {
    private let sections: Displacement
    private let movedSections: [Int: Int]
    private let leaving: NeighbourRuns
    private let arriving: NeighbourRuns

    /// O(r log r) for r runs of records, moves, and records of sections.
    package init(_ changes: ChangeSet) {
        sections = Displacement(sectionsOf: changes)
        movedSections = Dictionary(changes.sectionMoves.map { ($0.rawOld, $0.rawNew) }) { first, _ in first }
        var (leaving, arriving) = (NeighbourRuns(), NeighbourRuns())
        changes.objectChanges.forEachRun(in: changes.deletes.indices) { last, records in
            leaving.add(records.count, from: last.rawOld.advanced(by: 1 - records.count))
        }
        for change in changes.moves { leaving.add(1, from: change.rawOld) }
        for entering in [changes.inserts, changes.moves] {
            changes.objectChanges.forEachRun(in: entering.indices) { first, records in
                arriving.add(records.count, from: first.rawNew)
            }
        }
        self.leaving = leaving.sorted()
        self.arriving = arriving.sorted()
    }

    /// The path of the first row that stayed after a place of the old list, or the end of its
    /// section. If the section was deleted, the beginning of the next section that stayed, which
    /// can be the end of the list. O(log r).
    package func newPath(ofOld path: ListIndexPath) -> ListIndexPath {
        let isDeleted = movedSections[path.section] == nil && sections.leaves(path.section)
        let section = movedSections[path.section] ?? sections.new(ofOld: path.section)
        if isDeleted { return ListIndexPath(section: section, row: 0) }
        let gap = path.row - leaving.count(before: path)
        return ListIndexPath(section: section, row: gap + arriving.count(upTo: gap, inSection: section))
    }
}

/// Rows of a list, in runs of neighbours in one section.
private struct NeighbourRuns {
    private struct Run {
        let first: ListIndexPath
        let count: Int
        /// How many rows the runs before it have in its section.
        var before = 0
        /// How many other rows of its section are before it.
        var gap: Int { first.row - before }
    }

    /// Ascending, once they are sorted.
    private var runs: [Run] = []

    mutating func add(_ count: Int, from first: ListIndexPath) { runs.append(Run(first: first, count: count)) }

    consuming func sorted() -> NeighbourRuns {
        runs.sort { $0.first < $1.first }
        for place in runs.indices.dropFirst() where runs[place].first.section == runs[place - 1].first.section {
            runs[place].before = runs[place - 1].before + runs[place - 1].count
        }
        return self
    }

    /// The number of rows that are before a path in its section.
    func count(before path: ListIndexPath) -> Int {
        let last = last(ofSection: path.section) { $0.first < path }
        return last.map { $0.before + min($0.count, path.row - $0.first.row) } ?? 0
    }

    /// The number of rows in a section that have at most so many other rows before them.
    func count(upTo gap: Int, inSection section: Int) -> Int {
        let last = last(ofSection: section) { ($0.first.section, $0.gap) <= (section, gap) }
        return last.map { $0.before + $0.count } ?? 0
    }

    private func last(ofSection section: Int, where isBefore: (Run) -> Bool) -> Run? {
        let end = partitionPoint(of: runs.count) { isBefore(runs[$0]) }
        return end > 0 && runs[end - 1].first.section == section ? runs[end - 1] : nil
    }
}

extension Displacement {
    /// Whether the element at an old position leaves.
    fileprivate func leaves(_ position: Int) -> Bool {
        let index = partitionPoint(of: leaving.count) { leaving[$0] < position }
        return index < leaving.count && leaving[index] == position
    }
}
