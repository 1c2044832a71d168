internal import ChangeSets
internal import OrderedTree
internal import SQLiteKit

/// Works out what a round changed in one list by reading the touched rows again, and puts them into their new places.
///
/// Touched rows come from the entity's own watch, with their old images, and from related tables, whose touched rows lead
/// through foreign keys to the rows that they feed. Each is read again by its row key with the list's own SELECT, so it is
/// SQLite that says whether it belongs to the list and what its keys are. Rows whose key did not change keep their place;
/// the others are taken out, all before the first is put in again, since the tree may compare with any row in it.
struct IncrementalUpdate {
    /// A row as the list's SELECT shows it now.
    struct NewRow {
        let section: List.Section
        let key: [UInt8]
        let keyHash: UInt32
        /// Sort values and identity, where bytes can't tell the order.
        let values: Record?
        let content: Record
        /// All columns of the table, where the old content needs them.
        let row: Record?
    }

    /// What is known of one touched row.
    struct Touched {
        var image: Record?
        var new: NewRow?
    }

    private let controller: FetchedResultsController
    private let list: List
    private let compiled: CompiledRequest
    private let decoder: RowDecoder
    private let sectionOrder: SectionOrder?
    private let rowOrder: RowOrder?
    private(set) var touched: [Int64: Touched] = [:]
    /// The touched rows in the order in which they were noted, so that equal input has equal output.
    private var order: [Int64] = []
    private var edit: ListEdit
    let past: PastContent

    init(_ controller: FetchedResultsController, _ list: List, _ past: PastContent) throws {
        self.past = past
        self.controller = controller
        self.list = list
        compiled = controller.compiled
        decoder = controller.decoder
        sectionOrder = try controller.sectionOrder()
        rowOrder = compiled.hasByteKeys ? nil : try RowOrder(compiled, connection: controller.store.connection)
        edit = ListEdit(list)
    }

    // MARK: Reading

    /// Reads the rows that a round touched in the entity's table.
    mutating func read(_ rows: TouchedRows) throws {
        guard let statement = compiled.touched else { return }
        let firstKey = statement.parameterCount - (rows.keys.keys.first?.count ?? 1) + 1
        for (rowid, image) in zip(rows.rowids.keys, rows.rowids.images) {
            try statement.bind(rowid, at: firstKey)
            noteOld(image, rowid: rowid)
            try readNew(statement)
        }
        for (key, image) in zip(rows.keys.keys, rows.keys.images) {
            for column in 0..<key.count { try statement.bind(key, column, at: firstKey + column) }
            noteOld(image, rowid: nil)
            try readNew(statement)
        }
    }

    /// Reads a row that a related row feeds, by its identity's id and its row key, which `source` shows from `firstColumn` on.
    mutating func read(fedRow id: Int64, _ source: Statement, firstColumn: Int) throws {
        guard touched[id] == nil, let statement = compiled.touched else { return }
        let count = source.columnCount - firstColumn
        let firstKey = statement.parameterCount - count + 1
        let key = source.record(from: firstColumn, count: count)
        for column in 0..<count { try statement.bind(key, column, at: firstKey + column) }
        note(id)
        try readNew(statement)
    }

    private mutating func note(_ id: Int64) {
        guard touched[id] == nil else { return }
        touched[id] = Touched()
        order.append(id)
    }

    private mutating func noteOld(_ image: Record?, rowid: Int64?) {
        guard let image, let id = decoder.id(ofImage: image, rowid: rowid) else { return }
        note(id)
        touched[id]?.image = image
    }

    private mutating func readNew(_ statement: Statement) throws {
        defer { statement.reset() }
        controller.counters.statementsRun += 1
        controller.counters.rowsRead += 1
        guard try statement.step() else { return }
        let id = decoder.id(statement)
        note(id)
        var section = List.Section.flat
        if let sectionOrder {
            let key = [UInt8](decoder.sectionKey(statement, sectionOrder.component))
            section = List.Section(value: statement.record(from: compiled.sectionColumn, count: 1), key: key)
        }
        let key = [UInt8](decoder.key(statement, firstSort: compiled.firstSortColumn))
        touched[id]?.new = NewRow(
            section: section, key: key, keyHash: key.withUnsafeBytes { KeyHash.hash32($0) },
            values: rowOrder == nil ? nil : decoder.orderValues(statement, firstSort: compiled.firstSortColumn),
            content: statement.record(from: compiled.firstContentColumn, count: compiled.content.columns.count),
            row: compiled.content.imageColumns == nil
                ? statement.record(from: compiled.firstTableColumn, count: compiled.entity.columns.count) : nil)
    }

    // MARK: Editing

    private struct Place {
        let section: SectionID
        let path: IndexPath
    }

    /// Edits the list; nil, with the list as it was, if nothing is to be told.
    mutating func apply() throws -> PendingUpdate? {
        do {
            return try applyNoting()
        } catch {
            try edit.revert()
            throw error
        }
    }

    private mutating func applyNoting() throws -> PendingUpdate? {
        var oldPlaces: [Int64: Place] = [:]
        var reordered: [Int64] = []
        var gone: [Int64] = []
        var came: [Int64] = []
        var changed: [Int64: ColumnSet] = [:]
        var old: [Int64: Record] = [:]
        for id in order {
            guard let row = touched[id] else { continue }
            guard let place = list.rows.place(of: id) else {
                if row.new != nil { came.append(id) }
                continue
            }
            oldPlaces[id] = Place(
                section: place.section, path: IndexPath(section: list.rows.index(of: place.section), row: place.row))
            guard let new = row.new else {
                old[id] = try controller.oldContent(of: id, row, past)
                gone.append(id)
                continue
            }
            (changed[id], old[id]) = try controller.changedColumns(id, row, new.content, past)
            if try !isSameSection(place.section, new.section) || !isSameKey(id, row.image, new) { reordered.append(id) }
        }
        let updated = changed.keys.filter { !(changed[$0]?.isEmpty ?? true) }
        if gone.isEmpty && came.isEmpty && reordered.isEmpty && updated.isEmpty { return nil }

        var sections: [TouchedSection] = []
        let oldSections = Set((gone + reordered).compactMap { oldPlaces[$0]?.section })
        let oldIndexes = oldSections.map { (id: $0, index: list.rows.index(of: $0), info: list.section($0)) }
        for id in gone + reordered { edit.removeRow(id) }
        var newSections: Set<SectionID> = []
        for id in came + reordered { try insert(id, &newSections) }
        var deletedInfos: [Int: List.Section] = [:]
        if !list.isFlat {
            for (id, index, info) in oldIndexes.sorted(by: { $0.index < $1.index }) where list.rows.rowCount(in: id) == 0 {
                edit.removeSection(id)
                deletedInfos[index] = info
                sections.append(TouchedSection(id: id.raw, oldIndex: index, newIndex: nil))
            }
        }
        var insertedInfos: [Int: List.Section] = [:]
        for id in newSections {
            spell(id)
            let index = list.rows.index(of: id)
            insertedInfos[index] = list.section(id)
            sections.append(TouchedSection(id: id.raw, oldIndex: nil, newIndex: index))
        }
        let isReordered = Set(reordered)
        let rows = order.compactMap { id -> TouchedRow? in
            let oldPlace = oldPlaces[id]
            let place = list.rows.place(of: id)
            guard oldPlace != nil || place != nil else { return nil }
            return TouchedRow(
                id: id, oldSection: oldPlace?.section.raw ?? -1, oldPath: oldPlace?.path,
                newSection: place?.section.raw ?? -1,
                newPath: place.map { IndexPath(section: list.rows.index(of: $0.section), row: $0.row) },
                isReordered: isReordered.contains(id), changedColumns: changed[id] ?? [])
        }
        let changeSet = ChangeSet(rows: rows, sections: sections)
        if changeSet.isEmpty { return nil }
        return controller.pendingUpdate(
            .edit(edit, isReverted: false), changeSet, old: old,
            new: touched.compactMapValues { $0.new?.content }, deleted: gone, oldSections: deletedInfos,
            newSections: insertedInfos)
    }

    private func isSameSection(_ id: SectionID, _ section: List.Section) throws -> Bool {
        try sectionOrder?.isSame(list.section(id), section) ?? true
    }

    /// Whether a row's key is what it was. The hash that the list holds can agree by chance; the image, where it has all
    /// sort values, can't.
    private func isSameKey(_ id: Int64, _ image: Record?, _ new: NewRow) -> Bool {
        guard list.rows.keyHash(of: id) == new.keyHash else { return false }
        guard let image, let key = decoder.key(ofImage: image, id: id) else { return true }
        return key == new.key
    }

    private mutating func insert(_ id: Int64, _ newSections: inout Set<SectionID>) throws {
        guard let new = touched[id]?.new else { return }
        let section: SectionID
        if let sectionOrder {
            let (index, isThere) = try sectionOrder.find(new.section, in: list)
            section = isThere ? list.rows.section(at: index) : edit.insertSection(new.section, at: index)
            if !isThere { newSections.insert(section) }
        } else {
            section = list.rows.section(at: 0)
        }
        let row: Int
        if let rowOrder, let values = new.values {
            row = try list.rows.lowerBound(in: section) { other in
                try rowOrder.isBefore(try orderValues(of: other), values)
            }
            try list.rows.insert(DetachedRow(id: id, keyHash: new.keyHash), in: section, at: row)
        } else {
            row = try new.key.withUnsafeBytes { key in
                try list.rows.insert(id: id, key: key, keyHash: new.keyHash, in: section) { try self.key(of: $0) }
            }
        }
        edit.noteInsertion(section: section, row: row)
    }

    /// A new section is spelled as its first row spells it.
    private func spell(_ id: SectionID) {
        guard list.rows.rowCount(in: id) > 0, let first = touched[list.rows.row(section: id, at: 0)]?.new else { return }
        list.setSection(id, first.section)
    }

    /// The key of a row in the list, which the tree compares with when it does not hold enough of it.
    private func key(of id: Int64) throws -> [UInt8] {
        if let new = touched[id]?.new { return new.key }
        return try readOrder(of: id) { [UInt8](decoder.key($0, firstSort: compiled.identity.count)) }
    }

    private func orderValues(of id: Int64) throws -> Record {
        if let values = touched[id]?.new?.values { return values }
        return try readOrder(of: id) { decoder.orderValues($0, firstSort: compiled.identity.count) }
    }

    private func readOrder<Result>(of id: Int64, _ read: (Statement) -> Result) throws -> Result {
        controller.counters.statementsRun += 1
        controller.counters.rowsRead += 1
        guard let statement = try compiled.sortValues.statement(for: id, decoder.identities) else {
            throw StoreError(.gone, "a row of the list is not known any more")
        }
        defer { statement.reset() }
        guard try statement.step() else { throw StoreError(.gone, "a row of the list is not in the database any more") }
        return read(statement)
    }
}
