/// For views that do not support moves. Here an object may have two records, a delete and an
/// insert.
extension ChangeSet {
    /// The same change with each row move as a delete and an insert. O(k log k).
    public func replacingRowMoves() -> ChangeSet {
        guard !moves.isEmpty else { return self }
        return ChangeSet(
            sectionChanges: sectionChanges,
            objectChanges: ObjectChanges(
                Self.ordered(
                    deletes: Array(deletes) + moves.map { .delete($0.id, at: $0.rawOld) },
                    inserts: Array(inserts) + moves.map { .insert($0.id, at: $0.rawNew) }) + updates),
            origin: origin)
    }

    /// The same change with each section move as a delete and an insert of the section, and of all
    /// rows that stayed in it. Rows that moved out of it or into it stay moves.
    ///
    /// - Parameter rows: the ids of all rows of a section of the new list, in order. Its argument
    ///   is the section's new index. Called once for each moved section.
    /// - Complexity: O(k log k + r) for r rows in moved sections.
    public func replacingSectionMoves(rows: (_ newIndex: Int) throws -> [Int64]) rethrows -> ChangeSet {
        guard !sectionMoves.isEmpty else { return self }
        let leaving = leavingPaths
        let arriving = arrivingPaths
        var moreDeletes: [ObjectChange] = []
        var moreInserts: [ObjectChange] = []
        for move in sectionMoves {
            var gone = leaving.rows(ofSection: move.rawOld)[...]
            var come = arriving.rows(ofSection: move.rawNew)[...]
            var oldRow = 0
            for (newRow, id) in try rows(move.rawNew).enumerated() {
                if come.first == newRow {
                    come.removeFirst()
                    continue
                }
                while gone.first == oldRow {
                    gone.removeFirst()
                    oldRow += 1
                }
                moreDeletes.append(.delete(id, at: ListIndexPath(section: move.rawOld, row: oldRow)))
                moreInserts.append(.insert(id, at: ListIndexPath(section: move.rawNew, row: newRow)))
                oldRow += 1
            }
        }
        let reinserted = Set(sectionMoves.map(\.rawNew))
        let remainingUpdates = updates.filter { !reinserted.contains($0.rawNew.section) }
        let sectionDeletes = (sectionDeletes + sectionMoves.map { .delete(at: $0.rawOld) }).sorted {
            $0.rawOld > $1.rawOld
        }
        let sectionInserts = (sectionInserts + sectionMoves.map { .insert(at: $0.rawNew) }).sorted {
            $0.rawNew < $1.rawNew
        }
        return ChangeSet(
            sectionChanges: sectionDeletes + sectionInserts + sectionUpdates,
            objectChanges: ObjectChanges(
                Self.ordered(deletes: Array(deletes) + moreDeletes, inserts: Array(inserts) + moreInserts) + moves
                    + remainingUpdates),
            origin: origin)
    }

    /// The same change without any move: `replacingSectionMoves` and `replacingRowMoves`.
    public func withoutMoves(rows: (_ newIndex: Int) throws -> [Int64]) rethrows -> ChangeSet {
        try replacingSectionMoves(rows: rows).replacingRowMoves()
    }

    private static func ordered(
        deletes: [ObjectChange], inserts: [ObjectChange]
    ) -> [ObjectChange] {
        deletes.sorted { $0.rawOld > $1.rawOld } + inserts.sorted { $0.rawNew < $1.rawNew }
    }
}

extension [ListIndexPath] {
    /// The rows of the paths in one section. The paths are sorted.
    fileprivate func rows(ofSection section: Int) -> [Int] {
        let start = partitionPoint(of: count) { self[$0].section < section }
        return self[start...].prefix { $0.section == section }.map(\.row)
    }
}
