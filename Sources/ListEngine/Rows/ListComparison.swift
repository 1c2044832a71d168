internal import ChangeSets
internal import OrderedTree

/// The differences between two states of a list, found in linear time without the touched rows.
///
/// Both lists are walked in step, section by section. As long as both show the same row with the
/// same key there is nothing to note. Where they differ, each row is searched in the other list: it
/// was removed, was inserted, has another key or section, or is a fixed point that other rows
/// shifted. Keys are compared by their hashes. If the list may have another order, there are no
/// fixed
/// points: as soon as a row has another key, only the places of all rows are compared.
struct ListComparison {
    private let old: List
    private let new: List
    /// Whether the new list may have another order.
    private let mayReorder: Bool
    /// The old section that is the same as a new one, by the new one's id.
    private var oldSections: [SectionID: SectionID] = [:]
    private var isCommon: Set<SectionID> = []
    private var difference = ListDifference()
    private var sections: [SectionTransition] = []

    /// - Parameters:
    ///   - mayReorder: Whether the new list may have another order.
    ///   - match: Finds the index of the old section that is the same as a new one.
    init(old: List, new: List, mayReorder: Bool, match: (List.Section) throws -> Int?) rethrows {
        self.old = old
        self.new = new
        self.mayReorder = mayReorder
        try compareSections(match: match)
        compareRows()
    }

    /// The same for lists of a section map, whose sections are identified by their rows.
    init(old: List, new: List, mayReorder: Bool, changeOfRow: (Int64) -> SectionRowChange?) {
        self.old = old
        self.new = new
        self.mayReorder = mayReorder
        compareMappedSections(changeOfRow)
        compareRows()
    }

    private mutating func compareRows() {
        if !walk() {
            difference = ListDifference()
            compareAllRows()
        }
        difference.findMoves()
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

    private mutating func compareSections(match: (List.Section) throws -> Int?) rethrows {
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
        if !zip(pairs, pairs.dropFirst()).allSatisfy({ $0.old < $1.old }) {
            sections += pairs.map {
                SectionTransition(id: $0.id.raw, oldIndex: $0.old, newIndex: $0.new, isReordered: true)
            }
        }
    }

    // MARK: Rows

    /// Notes the rows that differ; false if there are no fixed points, as rows whose keys did not
    /// change have another order, or may have.
    private mutating func walk() -> Bool {
        difference.deleted.reserve(max(0, old.count - new.count))
        difference.inserted.reserve(max(0, new.count - old.count))
        for index in 0..<new.sectionCount {
            let section = new.rows.section(at: index)
            var theirs = unsafe RowCursor(new.rows, section)
            if let oldSection = oldSections[section] {
                guard unsafe walk(oldSection, &theirs, index, section) else { return false }
                continue
            }
            // No row of a new section is a fixed point.
            while unsafe theirs.count > 0 {
                let (id, hash, row) = unsafe (theirs.id, theirs.hash, theirs.row)
                let path = ListIndexPath(section: index, row: row)
                guard noteUnlessFixed(id, hash, path, commonID(ofNew: section)) else { return false }
                unsafe theirs.drop(1)
            }
        }
        for index in 0..<old.sectionCount where !isCommon.contains(old.rows.section(at: index)) {
            addDeletedRows(ofSection: index)
        }
        return true
    }

    /// The same for a section that both lists have.
    private mutating func walk(
        _ oldSection: SectionID, _ theirs: inout RowCursor, _ newIndex: Int, _ newSection: SectionID
    ) -> Bool {
        let oldIndex = old.rows.index(of: oldSection)
        var mine = unsafe RowCursor(old.rows, oldSection)
        var firstFree = 0
        while unsafe mine.count > 0 || theirs.count > 0 {
            let oldPath = unsafe ListIndexPath(section: oldIndex, row: mine.row)
            let newPath = unsafe ListIndexPath(section: newIndex, row: theirs.row)
            let common = unsafe mine.commonRows(with: theirs)
            if common > 0 {
                difference.noteFixedPoints(around: firstFree..<oldPath.row)
                unsafe mine.drop(common)
                unsafe theirs.drop(common)
                firstFree = oldPath.row + common
            } else if unsafe !mayReorder && mine.count > 0 && theirs.count > 0 && mine.id == theirs.id {
                unsafe difference.addCandidate(mine.id, from: oldPath, to: newPath, staysInSection: true)
                unsafe mine.drop(1)
                unsafe theirs.drop(1)
            } else if case let deleted = unsafe Self.count(mine, notIn: new), deleted > 0 {
                unsafe difference.deleted.append(contentsOf: mine.leafIDs[..<deleted], at: oldPath)
                unsafe mine.drop(deleted)
            } else if unsafe !mayReorder && mine.count > 0 && isDisplaced(mine.id, mine.hash, oldSection) {
                unsafe mine.drop(1)
            } else if case let inserted = unsafe Self.count(theirs, notIn: old), inserted > 0 {
                unsafe difference.inserted.append(contentsOf: theirs.leafIDs[..<inserted], at: newPath)
                unsafe theirs.drop(inserted)
            } else if unsafe theirs.count > 0 && noteUnlessFixed(theirs.id, theirs.hash, newPath, oldSection.raw) {
                unsafe theirs.drop(1)
            } else {
                return false
            }
        }
        difference.noteFixedPoints(around: firstFree..<Int.max)
        return true
    }

    /// How many of the next rows of a leaf another list lacks.
    private static func count(_ cursor: RowCursor, notIn list: List) -> Int {
        let ids = unsafe cursor.leafIDs
        var count = 0
        while unsafe count < ids.count && !list.rows.contains(ids[count]) { count += 1 }
        return count
    }

    /// Whether a row that both lists have has another key or section in the new one.
    private func isDisplaced(_ id: Int64, _ hash: UInt32, _ oldSection: SectionID) -> Bool {
        guard let place = new.rows.placeAndHash(of: id) else { return true }
        return place.keyHash != hash || commonID(ofNew: place.section) != oldSection.raw
    }

    /// Notes a row of the new list that was inserted, or has another key or section; false if it is
    /// a fixed point, or if a row that both lists have may have another place.
    private mutating func noteUnlessFixed(
        _ id: Int64, _ hash: UInt32, _ newPath: ListIndexPath, _ newSection: Int32
    ) -> Bool {
        guard let place = old.rows.placeAndHash(of: id) else {
            difference.inserted.append(id, at: newPath)
            return true
        }
        let staysInSection = place.section.raw == newSection
        if mayReorder || staysInSection && place.keyHash == hash { return false }
        let oldPath = ListIndexPath(section: old.rows.index(of: place.section), row: place.row)
        difference.addCandidate(id, from: oldPath, to: newPath, staysInSection: staysInSection)
        return true
    }

    private mutating func addDeletedRows(ofSection index: Int) {
        var mine = unsafe RowCursor(old.rows, old.rows.section(at: index))
        while unsafe mine.count > 0 {
            let deleted = unsafe Self.count(mine, notIn: new)
            let path = unsafe ListIndexPath(section: index, row: mine.row)
            unsafe difference.deleted.append(contentsOf: mine.leafIDs[..<deleted], at: path)
            unsafe mine.drop(max(1, deleted))
        }
    }

    private mutating func compareAllRows() {
        let places = PlaceFinder(old.rows)
        difference.reserve(min(old.count, new.count))
        var lastSection: (id: SectionID, index: Int)?
        for index in 0..<new.sectionCount {
            let section = new.rows.section(at: index)
            let commonID = commonID(ofNew: section)
            var theirs = unsafe RowCursor(new.rows, section)
            while unsafe theirs.count > 0 {
                let newPath = unsafe ListIndexPath(section: index, row: theirs.row)
                if let place = unsafe places.place(of: theirs.id) {
                    if lastSection?.id != place.section {
                        lastSection = (place.section, old.rows.index(of: place.section))
                    }
                    unsafe difference.addCandidate(
                        theirs.id, from: ListIndexPath(section: lastSection?.index ?? 0, row: place.row), to: newPath,
                        staysInSection: place.section.raw == commonID)
                } else {
                    unsafe difference.inserted.append(theirs.id, at: newPath)
                }
                unsafe theirs.drop(1)
            }
        }
        if difference.oldPaths.count == old.count { return }
        for index in 0..<old.sectionCount { addDeletedRows(ofSection: index) }
    }

    // MARK: Result

    /// The change set of the difference.
    ///
    /// - Parameters:
    ///   - changed: The columns that changed in the contents of rows that both lists have.
    ///   - isKnown: Whether it is known which columns of a row changed.
    func changeSet(_ changed: [Int64: ColumnSet], isKnown: (Int64) -> Bool) -> ChangeSet {
        var rest = changed.filter { !$0.value.isEmpty }
        if !rest.isEmpty { difference.forEachMove { rest[$0] = nil } }
        let updates = rest.compactMap { id, columns -> ObjectChange? in
            guard let oldPath = Self.path(id, old), let newPath = Self.path(id, new) else { return nil }
            return .update(id, from: oldPath, to: newPath, changedColumns: columns)
        }
        return ChangeSet(
            difference, sections: sections, updates: updates.sorted { $0.rawNew < $1.rawNew },
            columns: { isKnown($0) ? changed[$0] ?? [] : .unknown })
    }

    private static func path(_ id: Int64, _ list: List) -> ListIndexPath? {
        list.rows.place(of: id).map { ListIndexPath(section: list.rows.index(of: $0.section), row: $0.row) }
    }

    /// The rows that differ, with the columns that changed.
    func transitions(_ changed: [Int64: ColumnSet]) -> [RowTransition] {
        var rows: [RowTransition] = []
        difference.deleted.forEach { rows.append(RowTransition(id: $0, oldPath: $1, newPath: nil)) }
        difference.inserted.forEach { rows.append(RowTransition(id: $0, oldPath: nil, newPath: $1)) }
        var rest = changed.filter { !$0.value.isEmpty }
        difference.forEachCandidate { id, oldPath, newPath in
            rows.append(
                RowTransition(
                    id: id, oldPath: oldPath, newPath: newPath, isReordered: true,
                    changedColumns: rest.removeValue(forKey: id) ?? []))
        }
        for id in rest.keys.sorted() {
            guard let oldPath = Self.path(id, old), let newPath = Self.path(id, new) else { continue }
            rows.append(RowTransition(id: id, oldPath: oldPath, newPath: newPath, changedColumns: rest[id] ?? []))
        }
        return rows
    }
}
