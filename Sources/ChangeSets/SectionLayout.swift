/// The *common* layout of sections: those of the old list in old order, with the inserted ones at
/// the places where the new list has them. Nothing is removed or moved yet, so it contains the
/// section of every row of the old and of the new list.
///
/// A section that is neither deleted, inserted nor moved is *kept*; kept sections have the same
/// order, and so the same rank among themselves, in all layouts. Another section's *gap* is the
/// number of kept sections before it. In one gap of the common layout, old sections precede
/// inserted ones. All lookups are O(log s) for s section changes.
struct SectionLayout {
    private struct Arrival {
        var new: Int
        /// -1 for an inserted section.
        var old: Int
        /// The number of inserted sections before it.
        var insertsBefore = 0
    }

    /// Old indexes of deleted and moved sections, ascending.
    private let leaving: [Int]
    /// Inserted and moved sections, ascending new index.
    private let arriving: [Arrival]
    /// Gaps of the inserted sections, ascending.
    private let insertGaps: [Int]

    init(_ changes: ChangeSet) {
        leaving = (changes.sectionDeletes + changes.sectionMoves).map(\.rawOld).sorted()
        var arriving = (changes.sectionInserts + changes.sectionMoves).map { Arrival(new: $0.rawNew, old: $0.rawOld) }
        arriving.sort { $0.new < $1.new }
        var insertGaps: [Int] = []
        for rank in arriving.indices {
            arriving[rank].insertsBefore = insertGaps.count
            if arriving[rank].old < 0 { insertGaps.append(arriving[rank].new - rank) }
        }
        self.arriving = arriving
        self.insertGaps = insertGaps
    }

    /// Whether section indexes are the same in all layouts.
    var isTrivial: Bool { leaving.isEmpty && arriving.isEmpty }

    /// Whether the sections that the old and the new list share have the same order in both.
    var keepsOrder: Bool { arriving.count == insertGaps.count }

    /// The index in the common layout of a section of the old list.
    func common(ofOld index: Int) -> Int {
        let rank = partitionPoint(of: leaving.count) { leaving[$0] < index }
        let gap = index - rank
        let isLeaving = rank < leaving.count && leaving[rank] == index
        // Inserted sections of the same gap precede the kept section that ends it, but follow those
        // that leave.
        return index + partitionPoint(of: insertGaps.count) { isLeaving ? insertGaps[$0] < gap : insertGaps[$0] <= gap }
    }

    /// The index in the common layout of a section of the new list.
    func common(ofNew index: Int) -> Int {
        let rank = partitionPoint(of: arriving.count) { arriving[$0].new < index }
        let gap = index - rank
        let leavingBefore = partitionPoint(of: leaving.count) { leaving[$0] - $0 <= gap }
        guard rank < arriving.count, arriving[rank].new == index else { return common(ofOld: gap + leavingBefore) }
        let arrival = arriving[rank]
        return arrival.old < 0 ? gap + leavingBefore + arrival.insertsBefore : common(ofOld: arrival.old)
    }
}
