internal import ChangeSets
internal import OrderedTree

/// The differences between two states of a list, found in linear time without the touched rows.
///
/// Both lists are walked in step, section by section. As long as both show the same row with the
/// same key there is nothing to note. Where they differ, each row is searched in the other list: it
/// was removed, was inserted, has another key or section, or is a fixed point that other rows
/// shifted. Keys are compared by their hashes.
struct ListComparison {
    private let old: List
    private let new: List
    /// The old section that is the same as a new one, by the new one's id.
    private var oldSections: [SectionID: SectionID] = [:]
    private var isCommon: Set<SectionID> = []
    private(set) var rows: [RowTransition] = []
    private(set) var sections: [SectionTransition] = []

    /// - Parameters:
    ///   - match: Finds the index of the old section that is the same as a new one.
    ///   - allReordered: Whether every row and section may have moved, as after a change of the
    ///     order itself.
    init(old: List, new: List, allReordered: Bool, match: (List.Section) throws -> Int?) rethrows {
        self.old = old
        self.new = new
        try compareSections(allReordered: allReordered, match: match)
        if allReordered || !walk() {
            // Keys that did not change have another order: the order itself changed.
            rows = []
            compareAllRows()
        }
    }

    /// The same for lists of a section map, whose sections are identified by their rows.
    init(old: List, new: List, allReordered: Bool, changeOfRow: (Int64) -> SectionRowChange?) {
        self.old = old
        self.new = new
        compareMappedSections(changeOfRow)
        if allReordered || !walk() {
            rows = []
            compareAllRows()
        }
    }

    // MARK: Sections

    private mutating func compareMappedSections(_ changeOfRow: (Int64) -> SectionRowChange?) {
        for index in 0..<new.sectionCount {
            let id = new.rows.section(at: index)
            let row = new.section(id).row
            let change = row.flatMap(changeOfRow)
            let oldID = old.section(ofRow: row)
            if let oldID {
                oldSections[id] = oldID
                isCommon.insert(oldID)
            }
            guard oldID == nil || change != nil else { continue }
            sections.append(
                SectionTransition(
                    id: commonID(ofNew: id), oldIndex: oldID.map { old.rows.index(of: $0) }, newIndex: index,
                    isReordered: change?.isReordered ?? false, changedColumns: change?.changedColumns ?? []))
        }
        noteSectionsThatWent()
    }

    private mutating func noteSectionsThatWent() {
        for index in 0..<old.sectionCount {
            let id = old.rows.section(at: index)
            if !isCommon.contains(id) { sections.append(SectionTransition(id: id.raw, oldIndex: index, newIndex: nil)) }
        }
    }

    /// The id by which a section is identified in both lists: the old list's id, or one past all
    /// of these.
    private func commonID(ofNew id: SectionID) -> Int32 { oldSections[id]?.raw ?? Int32.max - id.raw }

    private mutating func compareSections(allReordered: Bool, match: (List.Section) throws -> Int?) rethrows {
        var pairs: [(id: SectionID, old: Int, new: Int)] = []
        for index in 0..<new.sectionCount {
            let id = new.rows.section(at: index)
            if let oldIndex = try match(new.section(id)) {
                let oldID = old.rows.section(at: oldIndex)
                oldSections[id] = oldID
                isCommon.insert(oldID)
                // A section retains the spelling of the row with which it was inserted.
                new.setSection(id, List.Section(value: old.section(oldID).value, key: new.section(id).key))
                pairs.append((oldID, oldIndex, index))
            } else {
                sections.append(SectionTransition(id: Int32.max - id.raw, oldIndex: nil, newIndex: index))
            }
        }
        noteSectionsThatWent()
        if allReordered || !zip(pairs, pairs.dropFirst()).allSatisfy({ $0.old < $1.old }) {
            sections += pairs.map {
                SectionTransition(id: $0.id.raw, oldIndex: $0.old, newIndex: $0.new, isReordered: true)
            }
        }
    }

    // MARK: Content

    /// Adds the changes in the contents of rows that both lists have. `isKnown` says for which rows
    /// they are known.
    mutating func addContentChanges(_ changed: [Int64: ColumnSet], isKnown: (Int64) -> Bool) {
        for index in rows.indices { rows[index].isContentKnown = isKnown(rows[index].id) }
        var rest = changed.filter { !$0.value.isEmpty }
        for index in rows.indices {
            guard let columns = rest.removeValue(forKey: rows[index].id) else { continue }
            rows[index].changedColumns = columns
        }
        for id in rest.keys.sorted() {
            guard let columns = rest[id], let oldPlace = old.rows.place(of: id), let place = new.rows.place(of: id)
            else {
                continue
            }
            rows.append(
                RowTransition(
                    id: id, oldSection: oldPlace.section.raw,
                    oldPath: ListIndexPath(section: old.rows.index(of: oldPlace.section), row: oldPlace.row),
                    newSection: commonID(ofNew: place.section),
                    newPath: ListIndexPath(section: new.rows.index(of: place.section), row: place.row),
                    changedColumns: columns))
        }
    }

    /// The rows that are not in the new list.
    var deleted: [Int64] { rows.filter { !new.rows.contains($0.id) }.map(\.id) }

    // MARK: Rows

    /// Notes the rows that differ; false if rows whose keys did not change have another order.
    private mutating func walk() -> Bool {
        for (newIndex, section) in (0..<new.sectionCount).map({ ($0, new.rows.section(at: $0)) }) {
            guard let oldSection = oldSections[section] else {
                guard walk(SectionWalk(), -1, SectionWalk(new, section), newIndex) else { return false }
                continue
            }
            let common = new.rows.commonRows(of: section, with: old.rows, oldSection)
            if common == new.rows.rowCount(in: section), common == old.rows.rowCount(in: oldSection) { continue }
            let (oldRows, newRows) = (
                SectionWalk(old, oldSection, from: common), SectionWalk(new, section, from: common)
            )
            guard walk(oldRows, old.rows.index(of: oldSection), newRows, newIndex) else { return false }
        }
        for index in 0..<old.sectionCount {
            let section = old.rows.section(at: index)
            guard !isCommon.contains(section) else { continue }
            for (row, id) in SectionWalk(old, section).ids.enumerated() {
                noteIfGone(id, ListIndexPath(section: index, row: row))
            }
        }
        return true
    }

    private mutating func walk(_ oldRows: SectionWalk, _ oldSection: Int, _ newRows: SectionWalk, _ newSection: Int)
        -> Bool
    {
        var (i, j) = (oldRows.start, newRows.start)
        while i < oldRows.end || j < newRows.end {
            if i < oldRows.end, j < newRows.end, oldRows.id(i) == newRows.id(j) {
                if oldRows.hash(i) != newRows.hash(j) { noteIfNotFixed(newRows.id(j), newSection, j, newRows.hash(j)) }
                i += 1
                j += 1
            } else if i < oldRows.end, isDisplaced(oldRows.id(i), oldRows.hash(i), oldSection) {
                noteIfGone(oldRows.id(i), ListIndexPath(section: oldSection, row: i))
                i += 1
            } else if j < newRows.end, noteIfNotFixed(newRows.id(j), newSection, j, newRows.hash(j)) {
                j += 1
            } else {
                return false
            }
        }
        return true
    }

    /// Whether a row of the old list was removed, or has another key or section now.
    private func isDisplaced(_ id: Int64, _ hash: UInt32, _ oldSection: Int) -> Bool {
        guard let place = new.rows.place(of: id) else { return true }
        return new.rows.keyHash(of: id) != hash
            || commonID(ofNew: place.section) != old.rows.section(at: oldSection).raw
    }

    private mutating func noteIfGone(_ id: Int64, _ path: ListIndexPath) {
        guard !new.rows.contains(id) else { return }
        rows.append(
            RowTransition(id: id, oldSection: old.rows.section(at: path.section).raw, oldPath: path, newPath: nil))
    }

    /// Notes a row of the new list that was inserted, or has another key or section; false if it is
    /// a fixed point.
    @discardableResult
    private mutating func noteIfNotFixed(_ id: Int64, _ section: Int, _ row: Int, _ hash: UInt32) -> Bool {
        let newSection = commonID(ofNew: new.rows.section(at: section))
        let newPath = ListIndexPath(section: section, row: row)
        guard let place = old.rows.place(of: id) else {
            rows.append(RowTransition(id: id, oldPath: nil, newSection: newSection, newPath: newPath))
            return true
        }
        guard place.section.raw != newSection || old.rows.keyHash(of: id) != hash else { return false }
        noteReordered(id, place, newSection, newPath)
        return true
    }

    private mutating func noteReordered(
        _ id: Int64, _ place: (section: SectionID, row: Int), _ newSection: Int32, _ newPath: ListIndexPath
    ) {
        rows.append(
            RowTransition(
                id: id, oldSection: place.section.raw,
                oldPath: ListIndexPath(section: old.rows.index(of: place.section), row: place.row),
                newSection: newSection,
                newPath: newPath, isReordered: true))
    }

    private mutating func compareAllRows() {
        for index in 0..<new.sectionCount {
            let section = new.rows.section(at: index)
            let newSection = commonID(ofNew: section)
            for (row, id) in SectionWalk(new, section).ids.enumerated() {
                let newPath = ListIndexPath(section: index, row: row)
                if let place = old.rows.place(of: id) {
                    noteReordered(id, place, newSection, newPath)
                } else {
                    rows.append(RowTransition(id: id, oldPath: nil, newSection: newSection, newPath: newPath))
                }
            }
        }
        for index in 0..<old.sectionCount {
            for (row, id) in SectionWalk(old, old.rows.section(at: index)).ids.enumerated() {
                noteIfGone(id, ListIndexPath(section: index, row: row))
            }
        }
    }

    /// The rows of one section from an offset on, copied out for walking.
    private struct SectionWalk {
        let start: Int
        private(set) var ids: [Int64] = []
        private var hashes: [UInt32] = []

        init() { start = 0 }

        init(_ list: List, _ section: SectionID, from start: Int = 0) {
            self.start = start
            let count = list.rows.rowCount(in: section) - start
            ids.reserveCapacity(count)
            hashes.reserveCapacity(count)
            unsafe list.rows.forEachLeaf(in: section, skipping: start) {
                unsafe ids.append(contentsOf: $0)
                unsafe hashes.append(contentsOf: $1)
            }
        }

        var end: Int { start + ids.count }

        func id(_ row: Int) -> Int64 { ids[row - start] }
        func hash(_ row: Int) -> UInt32 { hashes[row - start] }
    }
}
