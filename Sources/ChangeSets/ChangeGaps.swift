/// Where the new list has the gaps that rows left when they were deleted or moved.
package struct ChangeGaps {
    private let sections: Displacement
    private let movedSections: [Int: Int]
    private let leaving: [ListIndexPath]
    private let arriving: [ListIndexPath]

    /// O(k log k) for k records.
    package init(_ changes: ChangeSet) {
        sections = Displacement(
            leaving: (changes.sectionDeletes + changes.sectionMoves).map(\.rawOld).sorted(),
            arriving: (changes.sectionInserts + changes.sectionMoves).map(\.rawNew).sorted())
        movedSections = Dictionary(changes.sectionMoves.map { ($0.rawOld, $0.rawNew) }) { first, _ in first }
        leaving = changes.leavingPaths
        arriving = changes.arrivingPaths
    }

    /// The path of the first row that stayed after a place of the old list, or the end of its
    /// section. If the section was deleted, the beginning of the next section that stayed, which
    /// can be the end of the list. O(log k).
    package func newPath(ofOld path: ListIndexPath) -> ListIndexPath {
        let isDeleted = movedSections[path.section] == nil && sections.leaves(path.section)
        let section = movedSections[path.section] ?? sections.new(ofOld: path.section)
        if isDeleted { return ListIndexPath(section: section, row: 0) }
        let rows = Displacement(leaving: rows(leaving, path.section), arriving: rows(arriving, section))
        return ListIndexPath(section: section, row: rows.new(ofOld: path.row))
    }

    /// The rows of one section among ascending paths.
    private func rows(_ paths: [ListIndexPath], _ section: Int) -> [Int] {
        let start = partitionPoint(of: paths.count) { paths[$0].section < section }
        let end = partitionPoint(of: paths.count) { paths[$0].section <= section }
        return paths[start..<end].map(\.row)
    }
}

extension Displacement {
    /// Whether the element at an old position leaves.
    fileprivate func leaves(_ position: Int) -> Bool {
        let index = partitionPoint(of: leaving.count) { leaving[$0] < position }
        return index < leaving.count && leaving[index] == position
    }
}
