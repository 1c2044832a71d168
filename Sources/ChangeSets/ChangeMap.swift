/// A change set as a map between the places before it and after it, including the places of rows
/// and sections without a record.
struct ChangeMap {
    private let sections: Displacement
    private let sectionByOld: [Int: SectionChange]
    private let sectionByNew: [Int: SectionChange]
    private let rowByOld: [ListIndexPath: ObjectChange]
    private let rowByNew: [ListIndexPath: ObjectChange]
    /// Rows that leave their old places, and rows that get new ones, by section, ascending.
    private let leaving: [Int: [Int]]
    private let arriving: [Int: [Int]]

    /// O(k log k) for k records.
    init(_ changes: ChangeSet) {
        sections = Displacement(sectionsOf: changes)
        sectionByOld = Self.index(changes.sectionChanges) { $0.oldIndex }
        sectionByNew = Self.index(changes.sectionChanges) { $0.newIndex }
        rowByOld = Self.index(changes.objectChanges) { $0.oldPath }
        rowByNew = Self.index(changes.objectChanges) { $0.newPath }
        leaving = Self.rows(changes.leavingPaths)
        arriving = Self.rows(changes.arrivingPaths)
    }

    private static func index<Key: Hashable, Change>(
        _ changes: some Collection<Change>, by key: (Change) -> Key?
    ) -> [Key: Change] {
        var result: [Key: Change] = [:]
        result.reserveCapacity(changes.count)
        for change in changes { if let key = key(change) { result[key] = change } }
        return result
    }

    /// - Parameter paths: Ascending.
    private static func rows(_ paths: [ListIndexPath]) -> [Int: [Int]] {
        Dictionary(grouping: paths, by: \.section).mapValues { $0.map(\.row) }
    }

    /// The record of the section or row that was at an old place, or that is at a new one.
    func change(ofOld section: Int) -> SectionChange? { sectionByOld[section] }
    func change(ofNew section: Int) -> SectionChange? { sectionByNew[section] }
    func change(ofOld path: ListIndexPath) -> ObjectChange? { rowByOld[path] }
    func change(ofNew path: ListIndexPath) -> ObjectChange? { rowByNew[path] }

    /// The new index of a section; nil if it was deleted.
    func new(ofOld section: Int) -> Int? {
        if let change = sectionByOld[section] { return change.newIndex }
        return sections.new(ofOld: section)
    }

    /// The old index of a section; nil if it was inserted.
    func old(ofNew section: Int) -> Int? {
        if let change = sectionByNew[section] { return change.oldIndex }
        return sections.old(ofNew: section)
    }

    /// The new path of a row without a record; nil if it has none.
    func new(ofOld path: ListIndexPath) -> ListIndexPath? {
        guard let section = new(ofOld: path.section) else { return nil }
        let rows = Displacement(leaving: leaving[path.section] ?? [], arriving: arriving[section] ?? [])
        return ListIndexPath(section: section, row: rows.new(ofOld: path.row))
    }

    /// The old path of a row without a record; nil if it has none.
    func old(ofNew path: ListIndexPath) -> ListIndexPath? {
        guard let section = old(ofNew: path.section) else { return nil }
        let rows = Displacement(leaving: leaving[section] ?? [], arriving: arriving[path.section] ?? [])
        return ListIndexPath(section: section, row: rows.old(ofNew: path.row))
    }
}

/// How the positions in an array change when some elements are removed and new ones inserted.
///
/// The number of staying elements before an element that stays is the same before and after. This
/// number, its *gap*, determines both of its positions. Lookups are O(log k) for k positions.
struct Displacement {
    /// Old positions of the elements that leave; ascending.
    let leaving: [Int]
    /// New positions of the elements that arrive; ascending.
    let arriving: [Int]

    /// The new position of an element that stays.
    func new(ofOld position: Int) -> Int { Self.position(ofGap: Self.gap(of: position, leaving), arriving) }

    /// The old position of an element that stays.
    func old(ofNew position: Int) -> Int { Self.position(ofGap: Self.gap(of: position, arriving), leaving) }

    private static func gap(of position: Int, _ others: [Int]) -> Int {
        position - partitionPoint(of: others.count) { others[$0] < position }
    }

    private static func position(ofGap gap: Int, _ others: [Int]) -> Int {
        // The elements before it are the ones that have at most as many staying elements before
        // them.
        gap + partitionPoint(of: others.count) { others[$0] - $0 <= gap }
    }
}

extension Displacement {
    /// Of the sections of a list.
    init(sectionsOf changes: ChangeSet) {
        leaving = (changes.sectionDeletes + changes.sectionMoves).map(\.rawOld).sorted()
        arriving = (changes.sectionInserts + changes.sectionMoves).map(\.rawNew).sorted()
    }
}
