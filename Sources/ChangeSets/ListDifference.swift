/// Rows of one list in their order. Neighbours are stored together.
package struct RowRuns {
    /// The ids of all rows.
    package private(set) var ids: [Int64] = []
    /// The first row of each run, and its number among the ids.
    private var runs: [(first: ListIndexPath, start: Int32)] = []
    /// The place after the last row.
    private var next = ListIndexPath.absent

    package init() {}

    /// Makes space for so many rows.
    package mutating func reserve(_ count: Int) { ids.reserveCapacity(count) }

    /// Appends a row.
    package mutating func append(_ id: Int64, at path: ListIndexPath) {
        extend(path, by: 1)
        ids.append(id)
    }

    /// Appends neighbouring rows.
    ///
    /// - Parameter path: The place of the first one.
    package mutating func append(contentsOf rows: some Collection<Int64>, at path: ListIndexPath) {
        if rows.isEmpty { return }
        extend(path, by: rows.count)
        ids.append(contentsOf: rows)
    }

    private mutating func extend(_ path: ListIndexPath, by count: Int) {
        if path != next { runs.append((path, Int32(truncatingIfNeeded: ids.count))) }
        next = path.advanced(by: count)
    }

    /// How many runs there are.
    var runCount: Int { runs.count }

    /// The place of the first row of a run, and the numbers of its rows among the ids.
    func run(_ number: Int) -> (first: ListIndexPath, rows: Range<Int>) {
        let end = number + 1 < runs.count ? Int(runs[number + 1].start) : ids.count
        return (runs[number].first, Int(runs[number].start)..<end)
    }

    /// The numbers of the runs in the opposite order of their places.
    var descending: [Int] {
        let isAscending = zip(runs, runs.dropFirst()).allSatisfy { $0.first < $1.first }
        return isAscending ? runs.indices.reversed() : runs.indices.sorted { runs[$0].first > runs[$1].first }
    }

    /// Calls `body` with the id and the place of each row.
    package func forEach(_ body: (Int64, ListIndexPath) -> Void) {
        for number in runs.indices {
            let (first, rows) = run(number)
            for row in rows { body(ids[row], first.advanced(by: row - rows.lowerBound)) }
        }
    }
}

/// The differences of two whole lists: in compact form, as all rows may differ.
///
/// Rows that both lists have are fixed points or *candidates*. All of the former have the same
/// order in both lists. A candidate that changed its section, or is between other fixed points than
/// before, moves. As few of the rest as possible do.
package struct ListDifference {
    /// The rows that only the old list has, at their old places.
    package var deleted = RowRuns()
    /// The rows that only the new list has.
    package var inserted = RowRuns()
    /// At their new places.
    private var candidates = RowRuns()
    /// The old places of the candidates.
    package private(set) var oldPaths: [ListIndexPath] = []
    /// Which candidates are no moves. Before the moves are determined: which may be none.
    private var stays: [Bool] = []
    /// The candidates of the current section that are after its last fixed point.
    private var undecided = 0

    package init() {}

    /// Makes space for so many candidates.
    package mutating func reserve(_ count: Int) {
        candidates.reserve(count)
        oldPaths.reserveCapacity(count)
        stays.reserveCapacity(count)
    }

    /// Adds a row that both lists have. Called in the order of the new list.
    package mutating func addCandidate(
        _ id: Int64, from old: ListIndexPath, to new: ListIndexPath, staysInSection: Bool
    ) {
        candidates.append(id, at: new)
        oldPaths.append(old)
        stays.append(staysInSection)
    }

    /// Notes the rows of the old section that are between two fixed points, where the candidates
    /// added since the last call are in the new section.
    package mutating func noteFixedPoints(around oldRows: Range<Int>) {
        for place in undecided..<stays.count where !oldRows.contains(oldPaths[place].row) { stays[place] = false }
        undecided = stays.count
    }

    /// Calls `body` with the id, the old and the new place of each candidate, in the order of the
    /// new list.
    package func forEachCandidate(_ body: (Int64, ListIndexPath, ListIndexPath) -> Void) {
        var place = 0
        candidates.forEach { id, new in
            body(id, oldPaths[place], new)
            place += 1
        }
    }

    /// Calls `body` with the id of each row that moves.
    package func forEachMove(_ body: (Int64) -> Void) {
        for place in stays.indices where !stays[place] { body(candidates.ids[place]) }
    }

    /// Determines the moves.
    package mutating func findMoves() {
        var start = 0
        for number in 0..<candidates.runCount {
            let end = candidates.run(number).rows.upperBound
            let section = candidates.run(number).first.section
            if number + 1 < candidates.runCount, candidates.run(number + 1).first.section == section { continue }
            keepMost(start..<end)
            start = end
        }
    }

    /// Keeps as many candidates of one section as possible in their order.
    private mutating func keepMost(_ rows: Range<Int>) {
        let kept = longestIncreasingSubsequence(count: rows.count) { place in
            stays[rows.lowerBound + place] ? UInt64(oldPaths[rows.lowerBound + place].row) : nil
        }
        for place in rows { stays[place] = false }
        for place in kept { stays[rows.lowerBound + Int(place)] = true }
    }
}

extension ChangeSet {
    /// The change set of a difference whose moves are determined.
    ///
    /// - Parameters:
    ///   - columns: The columns of a moved row that changed.
    ///   - updates: The records of the rows whose content changed and which did not move, in the
    ///     order of their new places.
    /// - Complexity: O(d) for d rows that differ.
    package init(
        _ difference: ListDifference, sections: [SectionTransition], updates: [ObjectChange],
        columns: (Int64) -> ColumnSet
    ) {
        self.init(
            sectionChanges: ChangeSet(rows: [], sections: sections).sectionChanges,
            objectChanges: difference.records(updates, columns))
    }
}

extension ListDifference {
    fileprivate func records(_ updates: [ObjectChange], _ columns: (Int64) -> ColumnSet) -> ObjectChanges {
        let moves = stays.count { !$0 }
        var records = ObjectChanges.Builder()
        records.reserve(deleted.ids.count + inserted.ids.count + moves + updates.count, moves: moves)
        for number in deleted.descending {
            let (first, rows) = deleted.run(number)
            let last = first.advanced(by: rows.count - 1)
            records.append(.delete(deleted.ids[rows.upperBound - 1], at: last), deleted.ids[rows].reversed())
        }
        for number in 0..<inserted.runCount {
            let (first, rows) = inserted.run(number)
            records.append(.insert(inserted.ids[rows.lowerBound], at: first), inserted.ids[rows])
        }
        var place = 0
        forEachCandidate { id, old, new in
            if !stays[place] { records.append(.move(id, from: old, to: new, changedColumns: columns(id))) }
            place += 1
        }
        for update in updates { records.append(update) }
        return records.finish()
    }
}
