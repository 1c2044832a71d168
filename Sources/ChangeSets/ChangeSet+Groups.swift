/// The records of one type, as slices of all, without copies. Each is found by binary search: O(log
/// n) steps.
extension ChangeSet {
    /// Deleted sections, descending old index.
    public var sectionDeletes: ArraySlice<SectionChange> { group(.delete, in: sectionChanges, \.type) }
    /// Inserted sections, ascending new index.
    public var sectionInserts: ArraySlice<SectionChange> { group(.insert, in: sectionChanges, \.type) }
    /// Moved sections, ascending new index.
    public var sectionMoves: ArraySlice<SectionChange> { group(.move, in: sectionChanges, \.type) }
    /// Sections whose content changed and whose place did not, ascending new index.
    public var sectionUpdates: ArraySlice<SectionChange> { group(.update, in: sectionChanges, \.type) }

    /// Deleted objects, descending old path.
    public var deletes: Slice<ObjectChanges> { group(.delete, in: objectChanges, \.type) }
    /// Inserted objects, ascending new path.
    public var inserts: Slice<ObjectChanges> { group(.insert, in: objectChanges, \.type) }
    /// Moved objects, ascending new path.
    public var moves: Slice<ObjectChanges> { group(.move, in: objectChanges, \.type) }
    /// Objects whose content changed and whose place did not, ascending new path.
    public var updates: Slice<ObjectChanges> { group(.update, in: objectChanges, \.type) }

    private func group<Records: RandomAccessCollection>(
        _ type: ChangeType, in records: Records, _ typeOf: (Records.Element) -> ChangeType
    ) -> Records.SubSequence where Records.Index == Int {
        let start = partitionPoint(of: records.count) { typeOf(records[$0]).rank < type.rank }
        let end = partitionPoint(of: records.count) { typeOf(records[$0]).rank <= type.rank }
        return records[start..<max(start, end)]
    }

    /// The moves and updates of rows in a part of the new list. O(log k) and their number.
    package func changes(at places: Range<ListIndexPath>) -> [ObjectChange] {
        [moves, updates].flatMap { records in
            let start = partitionPoint(of: records.count) {
                records[records.startIndex + $0].rawNew < places.lowerBound
            }
            return records.dropFirst(start).prefix { $0.rawNew < places.upperBound }
        }
    }

    /// The old places of the rows that were deleted or moved, ascending.
    var leavingPaths: [ListIndexPath] { (deletes.map(\.rawOld) + moves.map(\.rawOld)).sorted() }
    /// The new places of the rows that were inserted or moved, ascending.
    var arrivingPaths: [ListIndexPath] { (inserts.map(\.rawNew) + moves.map(\.rawNew)).sorted() }
}

/// The first position in `0..<count` for which `isBefore` is false. It must be true for a prefix
/// only. Calls it O(log count) times.
package func partitionPoint(of count: Int, where isBefore: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
        let middle = (low + high) / 2
        if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
}
