internal import ChangeSets
internal import OrderedTree
internal import SQLiteKit

/// Determines what a round changed in one list: reads the touched rows again, and moves them to
/// their new places.
///
/// Transition rows come from the entity's own watch, with their old images, and from related
/// tables, whose touched rows lead through foreign keys to the rows that depend on them. Each is
/// read again by its row key with the list's own SELECT, so SQLite decides whether it belongs to
/// the list and what its keys are. Rows whose key did not change stay in their place. The other
/// rows are all removed before the first is inserted again, since the tree may compare with any row
/// in it.
struct IncrementalUpdate: ~Copyable, TouchedRowReading {
    let engine: ListEngine
    var list: List { edit.list }
    let decoder: KeyDecoder
    var reader: RowReader? { compiled.touched?.members }
    private let round: Round
    private let watches: Watches
    /// Made when the old image of a row lacks a part of its content or key.
    lazy var past = engine.past(round, watches, compiled)
    var touched = RowDictionary<TouchedEntry>()
    /// How many of them were touched themselves; the rest depend on rows that were.
    var ownCount = 0
    /// The keys of the touched rows, and of the rows that the tree compares with them.
    var keys = KeyArena()
    /// Sort values and identity of touched rows, where bytes do not determine the order.
    private(set) var ownOrder: RowDictionary<RowValues>?
    /// Sections of touched rows that the list may not have.
    private(set) var unknownSections: [List.Section] = []
    var edit: ListEdit
    private var sections: [SectionTransition] = []
    /// nil as long as none has changed.
    private var changedSections: ChangedSections?
    /// In a section map: computes the changes of the sections.
    private let mapping: SectionMapping?
    private var foundSections: FoundSections
    /// The row that was not touched whose key was read last: rows that are searched are often
    /// inserted next to the same one.
    var lastOther: (id: Int64, key: ArenaKey)?
    private var lastInsertion = Insertion()
    /// The indexes of the touched rows in the order in which they are inserted; nil if that is the
    /// order in which they were touched.
    private var order: [Int]?
    /// What changes in the totals; nil if the request has none.
    var totals: TotalsUpdate?

    init(
        _ engine: ListEngine, _ list: List, _ round: Round, _ watches: Watches, _ mapping: SectionMapping?,
        _ decoder: KeyDecoder
    ) {
        self.engine = engine
        self.round = round
        self.watches = watches
        self.mapping = mapping
        self.decoder = decoder
        edit = ListEdit(list)
        foundSections = FoundSections(hashMask: engine.nodes.keyHashMask)
    }

    // MARK: Reading

    mutating func read(fedRow id: Int64, _ source: Statement, firstColumn: Int) throws {
        if compiled.neighbours != nil, engine.areMany(touched.count, list) { throw WindowLost() }
        try readAgain(fedRow: id, source, firstColumn: firstColumn)
    }

    /// Whether the old images of all touched rows are known that existed before.
    var knowsOldRows: Bool {
        watches.all.allSatisfy { watch in round.rows(of: watch).map { $0.hasImages && !$0.lacksImage } ?? true }
    }

    /// The old images of the rows of the entity that were touched themselves, with their rowids; 0
    /// for a row that has none.
    var oldRows: [(rowid: Int64, image: RowValues)] {
        guard let rows = round.rows(of: watches.entity) else { return [] }
        let withRowids = zip(rows.rowids.all, rows.rowids.images).map { ($0, $1) }
        return (withRowids + rows.keys.images.map { (0, $0) }).compactMap { rowid, image in
            image.map { (rowid, $0) }
        }
    }

    func newEntry(_ id: Int64) -> TouchedEntry {
        TouchedEntry(oldPlace: list.rows.placeAndHash(of: id))
    }

    /// The processor loads the row's old place while SQLite searches the row.
    func prefetch(_ id: Int64) { list.rows.prefetch(id) }

    /// Reads the current row of a statement. It belongs to the list.
    mutating func readRow(_ statement: Statement) throws {
        let (id, bytes) = unsafe decoder.idAndKey(statement, firstSort: compiled.order.firstColumn)
        let key = unsafe keys.copy(bytes)
        let index = entry(id)
        guard let section = try section(statement, oldPlace: touched[at: index].oldPlace) else { return }
        let hash = unsafe KeyHash.hash32(key.bytes) & engine.nodes.keyHashMask
        touched[at: index].new = TouchedEntry.Destination(section: section, key: key, keyHash: hash)
        if !compiled.order.isBytewise {
            let values = decoder.orderValues(statement, firstSort: compiled.order.firstColumn)
            if ownOrder == nil { ownOrder = RowDictionary() }
            ownOrder?.set(id, values)
        }
        // The processor loads the row's new place while its content is read. Not for many rows: the
        // first places would have left the cache before the rows are inserted.
        if touched.count == 1, case .known(let section) = section {
            unsafe list.rows.prefetch(key.bytes, in: section)
        }
        try engine.readTouched(
            &touched[at: index], id, statement, firstColumn: compiled.content.firstColumn, decoder)
    }

    /// The section to which the current row belongs; nil if that is not shown.
    private mutating func section(
        _ statement: Statement, oldPlace: TouchedEntry.OldPlace?
    ) throws -> TouchedEntry.DestinationSection? {
        guard let requested = compiled.section else { return .known(list.rows.section(at: 0)) }
        let order = requested.order
        let key = unsafe decoder.sectionKey(statement, requested)
        if let mapping {
            let row = unsafe try mapping.table.row(
                withKey: key, statement.rowValues(from: requested.column, count: 1))
            return row != nil || mapping.showsOrphans ? .mapped(row) : nil
        }
        if let oldPlace, unsafe list.hasKey(oldPlace.section, key) { return .known(oldPlace.section) }
        if let known = unsafe foundSections.section(withKey: key, in: list) { return .known(known) }
        if order.isBytewise, let known = unsafe list.section(withKey: key) {
            unsafe foundSections.add(known, withKey: key)
            return .known(known)
        }
        let section = unsafe List.Section(
            value: statement.rowValues(from: requested.column, count: 1), key: SectionKey(key))
        if order.isBytewise { return unknown(section) }
        if let oldPlace, try order.isSame(list.section(oldPlace.section), section) { return .known(oldPlace.section) }
        let (index, isThere) = try order.find(section, in: list)
        guard isThere else { return unknown(section) }
        let known = list.rows.section(at: index)
        unsafe section.key.withUnsafeBytes { unsafe foundSections.add(known, withKey: $0) }
        return .known(known)
    }

    private mutating func unknown(_ section: List.Section) -> TouchedEntry.DestinationSection {
        unknownSections.append(section)
        return .unknown(unknownSections.count - 1)
    }

    // MARK: Editing

    /// Edits the list and makes its change set; nil if nothing in it changed. On throw the list is
    /// as it was. Called by `ListEngine.prepare`, which returns the state to the delivery.
    mutating func apply() throws -> PreparedState? {
        var hasEdits = false
        var hasContent = false
        for index in 0..<touched.count {
            try decide(index)
            hasEdits = hasEdits || touched[at: index].fate != .stays || isSkipped(index)
            hasContent = hasContent || !touched[at: index].changed.isEmpty
        }
        do {
            try noteTotals()
            guard hasEdits || hasContent || mapping?.mayChange ?? false || totals != nil else { return nil }
            if hasEdits, compiled.neighbours != nil {
                try editWindow()
                if edit.isEmpty, !hasContent, totals == nil { return nil }
            } else if hasEdits || mapping != nil {
                try editList()
            }
            return preparedState(try changeTotals())
        } catch {
            try edit.revert()
            throw error
        }
    }

    private func isSkipped(_ index: Int) -> Bool { list.skipped?.contains(touched.id(at: index)) ?? false }

    /// Edits a list that was never shown, so that no changes are needed. Every touched row is
    /// removed before the first is inserted: the keys of all rows in the list are then the keys in
    /// the database.
    mutating func applyUnshown() throws {
        for index in 0..<touched.count {
            let isInList = touched[at: index].isInList
            if let place = touched[at: index].oldPlace {
                touched[at: index].oldPath = path(of: place)
                touched[at: index].fate = isInList ? .reordered : .went
            } else if isInList {
                touched[at: index].fate = .came
            }
        }
        try editList()
    }

    /// Determines the change of a row, while the list is as it was.
    private mutating func decide(_ index: Int) throws {
        let id = touched.id(at: index)
        guard let place = touched[at: index].oldPlace else {
            if touched[at: index].isInList { touched[at: index].fate = .came }
            return
        }
        touched[at: index].oldPath = path(of: place)
        let evidence = touched[at: index].evidence
        guard touched[at: index].isInList, let content = touched[at: index].content else {
            touched[at: index].oldContent = try engine.oldContent(of: id, evidence, past)
            touched[at: index].fate = .went
            return
        }
        let (changed, oldContent) = try engine.changedColumns(id, evidence, content, past)
        (touched[at: index].changed, touched[at: index].oldContent) = (changed, oldContent)
        if let new = touched[at: index].new, isIn(place.section, new), try isSameKey(id, place, new, evidence) {
            return
        }
        touched[at: index].fate = .reordered
    }

    /// The path of a place in the old list, while no section has moved.
    private func path(of place: TouchedEntry.OldPlace) -> ListIndexPath {
        ListIndexPath(section: list.rows.index(of: place.section), row: place.row)
    }

    func isIn(_ id: SectionID, _ row: TouchedEntry.Destination) -> Bool {
        switch row.section {
        case .known(let known): known == id
        case .unknown: false
        case .mapped(let row): list.section(id).row == row
        }
    }

    /// Whether a row's key is unchanged. If the hash in the list is equal, the old values decide; a
    /// row whose old values can't be known is inserted in its place again.
    private mutating func isSameKey(
        _ id: Int64, _ old: TouchedEntry.OldPlace, _ new: TouchedEntry.Destination, _ evidence: Evidence
    ) throws -> Bool {
        guard old.keyHash == new.keyHash else { return false }
        if !evidence.isTouchedItself, compiled.order.hasOwnValues { return true }
        return try past.keyValues(id, evidence).map { unsafe decoder.isKey(new.key.bytes, of: $0) } ?? false
    }

    private mutating func editList() throws {
        edit.reserve(touched.count)
        mapping?.noteOldIndexes()
        var emptied: [(id: SectionID, index: Int)] = []
        for index in 0..<touched.count where touched[at: index].fate.removes {
            let path = touched[at: index].oldPath
            // No section has moved yet.
            edit.removeRow(touched.id(at: index), sectionIndex: path?.section)
            guard let place = touched[at: index].oldPlace, let path else { continue }
            if list.rows.rowCount(in: place.section) == 0 { emptied.append((place.section, path.section)) }
        }
        try mapping?.editSections(&edit)
        var newSections: [SectionID] = []
        if areMany(touched.count), compiled.order.isBytewise { order = indexesByKey(of: touched) }
        for position in 0..<touched.count {
            let index = order?[position] ?? position
            guard touched[at: index].fate.inserts, let new = touched[at: index].new else { continue }
            try insert(touched.id(at: index), new, &newSections)
        }
        if mapping != nil {
            mapping?.removeEmptied(emptied, &edit)
        } else if !list.isFlat {
            for (id, index) in emptied where list.rows.rowCount(in: id) == 0 { removeSection(id, oldIndex: index) }
        }
        note(newSections: newSections)
    }

    /// Removes a section that has no rows any more.
    mutating func removeSection(_ id: SectionID, oldIndex: Int) {
        neededChangedSections().old.add(Int64(oldIndex), list.section(id))
        sections.append(SectionTransition(id: id.raw, oldIndex: oldIndex, newIndex: nil))
        edit.removeSection(id)
    }

    mutating func neededChangedSections() -> ChangedSections {
        if let changedSections { return changedSections }
        let new = ChangedSections()
        changedSections = new
        return new
    }

    mutating func note(newSections: [SectionID]) {
        for id in newSections {
            spell(id)
            let index = list.rows.index(of: id)
            neededChangedSections().new.add(Int64(index), list.section(id))
            sections.append(SectionTransition(id: id.raw, oldIndex: nil, newIndex: index))
        }
    }

    mutating func insert(_ id: Int64, _ new: TouchedEntry.Destination, _ newSections: inout [SectionID]) throws {
        let section: SectionID
        switch new.section {
        case .known(let known): section = known
        case .mapped(let row):
            guard let mapped = mapping?.section(ofRow: row, &edit) else { return }
            section = mapped
        case .unknown(let number):
            guard let order = compiled.section?.order else { return }
            let wanted = unknownSections[number]
            let (index, isThere) = try order.find(wanted, in: list)
            section = isThere ? list.rows.section(at: index) : edit.insertSection(wanted, at: index)
            if !isThere { newSections.append(section) }
        }
        let row: Int
        if !compiled.order.isBytewise, let values = ownOrder?[id] {
            let order = compiled.order
            row = try list.rows.lowerBound(in: section) { try order.isBefore(orderValues(of: $0), values) }
            try list.rows.insert(DetachedRow(id: id, keyHash: new.keyHash), in: section, at: row)
        } else {
            // Taken out, as reading a key changes other parts of the update.
            var last = exchange(&lastInsertion, with: Insertion())
            row = unsafe try list.rows.insert(
                id: id, key: new.key.bytes, keyHash: new.keyHash, in: section, after: &last
            ) { unsafe try self.key(of: $0) }
            lastInsertion = last
        }
        edit.noteInsertion(section: section, row: row)
    }

    /// A new section is spelled as its first row spells it.
    private func spell(_ id: SectionID) {
        guard list.rows.rowCount(in: id) > 0, let first = newRow(list.rows.row(section: id, at: 0)),
            case .unknown(let number) = first.section
        else { return }
        list.setSection(id, unknownSections[number])
    }

    /// Takes the contents of the touched rows.
    private mutating func preparedState(_ totals: [TotalChange]) -> PreparedState {
        var rows: [RowTransition] = []
        rows.reserveCapacity(touched.count)
        var finder = RowFinder(list.rows, after: lastInsertion)
        for position in 0..<touched.count {
            let index = order?[position] ?? position
            let id = touched.id(at: index)
            let (oldPlace, isInList) = (touched[at: index].oldPlace, touched[at: index].isInList)
            if oldPlace == nil, !isInList { continue }
            let place = isInList ? finder.find(id) : nil
            rows.append(
                RowTransition(
                    id: id, oldSection: oldPlace?.section.raw ?? -1, oldPath: touched[at: index].oldPath,
                    newSection: place.map { mapping?.groupID(of: $0.section) ?? $0.section.raw } ?? -1,
                    newPath: place.map { ListIndexPath(section: $0.sectionIndex, row: $0.row) },
                    isReordered: touched[at: index].fate == .reordered, changedColumns: touched[at: index].changed))
        }
        let contents = touched.mapValues { row in
            ContentTransition(
                old: exchange(&row.oldContent, with: nil), new: row.isInList ? exchange(&row.content, with: nil) : nil)
        }
        if let mapping { (sections, changedSections) = mapping.touchedSections() }
        let changeSet = engine.isOfSections ? ChangeSet() : ChangeSet(rows: rows, sections: sections)
        guard !totals.isEmpty else {
            return engine.preparedState(.edit(edit), changeSet, rows, contents, changedSections)
        }
        let changed = neededChangedSections()
        noteSections(of: totals, changed)
        return engine.preparedState(
            .edit(edit), changeSet.updatingSections(of: totals, engine), rows, contents, changed, totals: totals)
    }
}
