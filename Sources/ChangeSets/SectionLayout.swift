/// The *common* layout of sections: the old list's in old order, with the inserted ones at
/// the places where the new list has them. Nothing is removed or moved yet, so it contains the
/// section of every row of the old and of the new list.
///
/// A section that is neither deleted, inserted nor moved is *kept*; kept sections have the same
/// order, and so the same rank among themselves, in all layouts. Another section's *gap* is the
/// number of kept sections before it. In one gap of the common layout, old sections precede
/// inserted ones. All lookups are O(log s) for s section changes.
struct SectionLayout {
    /// Old indexes of deleted and moved sections, ascending.
    private let leaving: [Int]
    /// Inserted and moved sections, ascending new index. The old index of an inserted one is -1.
    private let arriving: [(new: Int, old: Int)]
    /// Gaps of the inserted sections, ascending, and the number of these before each arriving one.
    private let insertGaps: [Int]
    private let insertsBefore: [Int]

    init(_ changes: ChangeSet) {
        leaving = (changes.sectionDeletes + changes.sectionMoves).map(\.rawOld).sorted()
        arriving = (changes.sectionInserts + changes.sectionMoves).map { ($0.rawNew, $0.rawOld) }
            .sorted { $0.new < $1.new }
        var insertGaps: [Int] = []
        var insertsBefore: [Int] = []
        for (rank, section) in arriving.enumerated() {
            insertsBefore.append(insertGaps.count)
            if section.old < 0 { insertGaps.append(section.new - rank) }
        }
        self.insertGaps = insertGaps
        self.insertsBefore = insertsBefore
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
        // Inserted sections of the same gap precede the kept section that ends it, but follow the
        // leaving sections.
        return index + partitionPoint(of: insertGaps.count) { isLeaving ? insertGaps[$0] < gap : insertGaps[$0] <= gap }
    }

    /// The index in the common layout of a section of the new list.
    func common(ofNew index: Int) -> Int {
        let rank = partitionPoint(of: arriving.count) { arriving[$0].new < index }
        let gap = index - rank
        let leavingBefore = partitionPoint(of: leaving.count) { leaving[$0] - $0 <= gap }
        guard rank < arriving.count, arriving[rank].new == index else { return common(ofOld: gap + leavingBefore) }
        let old = arriving[rank].old
        return old < 0 ? gap + leavingBefore + insertsBefore[rank] : common(ofOld: old)
    }
}
