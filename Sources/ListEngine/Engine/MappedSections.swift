internal import ChangeSets
internal import OrderedTree
package import SQLiteKit

/// The source of a section map's sections: a second request, whose rows they represent, or a list
/// of keys from the program.
///
/// A request has an engine of its own, which takes part in the list's rounds. The list turns the
/// changes of its rows into changes of the sections.
package final class MappedSections {
    let connection: Connection
    /// The engine of the section request; nil if the sections are keys.
    package let engine: ListEngine?
    /// The keys from the program; nil if the sections are rows.
    package var keys: [Value]?
    package var options: SectionMapOptions
    /// The rows, in the state of the list that the map shows, or prepares; nil before the first
    /// fetch.
    package private(set) var table: SectionRowTable?
    /// The table that is shown as long as one of another kind is prepared.
    private var superseded: SectionRowTable?
    private var nextKeyID: Int64 = 1
    /// The columns of the last layout that was used.
    private var knownColumns: (layout: ObjectLayout, key: Int, title: Int?)?

    private init(
        connection: Connection, engine: ListEngine?, keys: [Value]?, options: SectionMapOptions
    ) throws {
        self.connection = connection
        self.engine = engine
        self.keys = keys
        self.options = options
        _ = try columns()
    }

    /// Sections that are the rows of a request. If the options name no section key, it is found by
    /// the item's key.
    package convenience init(
        connection: Connection, database: any DatabaseState, items: FetchRequest, sections: FetchRequest,
        options: SectionMapOptions, nodes: NodeSizes, watch: @escaping (CompiledRequest) throws -> Watches
    ) throws {
        var sections = sections
        if sections.select == nil { sections.section = nil }
        var options = options
        options.sectionKey = try options.sectionKey ?? Self.sectionKey(connection, items, sections, options.itemKey)
        let engine = try ListEngine(
            connection: connection, database: database, request: Self.request(sections, options), nodes: nodes,
            sections: nil, indexTitle: { _ in nil }, watch: watch)
        engine.isOfSections = true
        try self.init(connection: connection, engine: engine, keys: nil, options: options)
    }

    /// Sections that have given keys.
    package convenience init(connection: Connection, keys: [Value], options: SectionMapOptions) throws {
        try Self.check(keys)
        try self.init(connection: connection, engine: nil, keys: keys, options: options)
    }

    /// The column of the sections that an item's key path means.
    private static func sectionKey(
        _ connection: Connection, _ items: FetchRequest, _ sections: FetchRequest, _ itemKey: String
    ) throws -> String {
        let schema = SchemaReader(connection: connection)
        if items.select == nil, sections.select == nil {
            let entity = try schema.entity(items.entity, identity: items.identity)
            let sectionEntity = try schema.entity(sections.entity, identity: sections.identity)
            let path = try schema.keyPath(itemKey, of: entity)
            if let parent = path.hops.last?.parent, parent.isSame(as: sectionEntity) { return path.column.name }
            if path.hops.isEmpty, let key = entity.foreignKey(path.column.name), key.columns.count == 1,
                isSameName(entity.schema, sectionEntity.schema), isSameName(key.parentTable, sectionEntity.name)
            {
                return key.parentColumns[0]
            }
        }
        throw StoreError(
            .misuse, "\(itemKey) does not lead to a column of \(sections.entity): the section's key must be named")
    }

    /// Refuses keys that can't be keys of sections.
    package static func check(_ keys: [Value]) throws {
        guard !keys.contains(.null) else { throw StoreError(.misuse, "a section's key can't be NULL") }
        var seen: Set<[UInt8]> = []
        for key in keys where !seen.insert(RowValues.Part(RowValues([key]), 0).encoded(KeyComponent())).inserted {
            throw StoreError(.constraint, "two sections have the key \(key)")
        }
    }

    /// How many columns sections show: the columns of their rows, or the key alone.
    var columnCount: Int { engine?.compiled.content.columns.count ?? 1 }

    // MARK: Requests

    /// The items' request with the order by their sections' keys.
    func itemsRequest(_ request: FetchRequest) throws -> FetchRequest {
        guard request.section == nil else {
            throw StoreError(.misuse, "the items of a section map can't have a section of their own")
        }
        guard !request.isWindow else {
            throw StoreError(.misuse, "the items of a section map can't have a limit or an offset")
        }
        var request = request
        request.section = Sort(options.itemKey, collation: try keyComponent().collation.name)
        return request
    }

    /// Another section request, showing the columns that the map needs as well.
    package func sectionRequest(_ request: FetchRequest) -> FetchRequest {
        var request = request
        if request.select == nil { request.section = nil }
        return Self.request(request, options)
    }

    private static func request(_ request: FetchRequest, _ options: SectionMapOptions) -> FetchRequest {
        guard request.select == nil else { return request }
        var request = request
        request.additionalColumns = [options.sectionKey, options.titleColumn].compactMap(\.self)
        return request
    }

    /// The numbers of the shown columns that hold key and title.
    private func columns() throws -> (key: Int, title: Int?) {
        guard let engine, let name = options.sectionKey else { return (0, nil) }
        let layout = engine.layout
        if let knownColumns, knownColumns.layout === layout { return (knownColumns.key, knownColumns.title) }
        func number(_ name: String) throws -> Int {
            guard let index = layout.index(of: name) else {
                throw StoreError(.schema, "\(engine.compiled.entity.displayName) has no column named \(name)")
            }
            return index
        }
        let (key, title) = (try number(name), try options.titleColumn.map(number))
        knownColumns = (layout, key, title)
        return (key, title)
    }

    /// How keys compare: as the section's column does.
    private func keyComponent() throws -> KeyComponent {
        guard let engine else { return KeyComponent(collation: try connection.collation(named: "BINARY")) }
        return KeyComponent(collation: engine.compiled.content.columns[try columns().key].column.collation)
    }

    private func emptyTable(_ order: List) throws -> SectionRowTable {
        SectionRowTable(order: order, keyOrder: try ValueOrder(try keyComponent(), connection))
    }

    /// - Parameter old: The old row, which is returned if it is the same.
    private func sectionRow(_ id: Int64, _ content: RowValues, like old: SectionRow? = nil) throws -> SectionRow {
        let (key, title) = try columns()
        if let old, title == nil, old.value.isSame(0, as: content, key) { return old }
        return try sectionRow(
            id, RowValues(content, columns: [key]),
            title.map { .text(content.storageClass($0) == .null ? nil : content.text($0)) } ?? .name)
    }

    private func sectionRow(_ id: Int64, _ value: RowValues, _ title: List.Title) throws -> SectionRow {
        SectionRow(id: id, value: value, key: SectionKey(value, try keyComponent()), title: title)
    }

    // MARK: Fetching

    func prepareFetch(cached: FindCachedList = { _, _, _, _ in nil }) throws -> FetchedSections {
        guard let engine else { return FetchedSections(table: try keyTable(), options: options, fetch: nil) }
        let fetch = try engine.prepareFetch(cached: cached) { _ in true }
        do {
            let table = try emptyTable(fetch.list)
            try readRows(fetch.list, engine, fetch.compiled, fetch.decoder) { try table.set($0, $1) }
            return FetchedSections(table: table, options: options, fetch: fetch)
        } catch {
            fetch.cancel()
            throw error
        }
    }

    private func keyTable() throws -> SectionRowTable {
        let table = try emptyTable(Self.order([]))
        var ids: [Int64] = []
        for key in keys ?? [] {
            ids.append(nextKeyID)
            try table.set(nextKeyID, sectionRow(nextKeyID, RowValues([key]), .name))
            nextKeyID += 1
        }
        table.order = try Self.order(ids)
        return table
    }

    func show(_ fetched: FetchedSections) {
        if let fetch = fetched.fetch { engine?.show(fetch) }
        table = fetched.table
        superseded = nil
    }

    private func readRows(
        _ list: List, _ engine: ListEngine, _ compiled: CompiledRequest, _ decoder: KeyDecoder,
        _ body: (Int64, SectionRow) throws -> Void
    ) throws {
        var ids: [Int64] = []
        unsafe list.rows.forEachLeaf(in: list.rows.section(at: 0)) { leaf, _ in unsafe ids.append(contentsOf: leaf) }
        try engine.readContents(of: ids, decoder) { try body($0, sectionRow($0, $1)) }
    }

    /// Ids as a list of one section.
    private static func order(_ ids: [Int64]) throws -> List {
        let list = List(isFlat: true, isKeyed: false)
        list.beginSection(.flat)
        for id in ids { unsafe list.rows.append(id: id, key: UnsafeRawBufferPointer(start: nil, count: 0), keyHash: 0) }
        try list.rows.finishBulk()
        return list
    }

    // MARK: Rounds

    /// The changes of a round in the rows; nil if there are none. The table is in its new state
    /// afterwards; on throw, in its old one.
    func prepare(_ round: Round, on basis: Basis) throws -> SectionRowChanges? {
        guard let engine else {
            // The keys may have been exchanged while the map was paused.
            if round.reread == .request, let keys { return try prepare(keys: keys) }
            return nil
        }
        let next = try engine.prepare(round, on: basis)
        try followSchema(engine)
        return try changes(of: engine, next)
    }

    /// Makes the table compare as the schema says now, if that was changed.
    private func followSchema(_ engine: ListEngine) throws {
        guard let table, engine.superseded != nil else { return }
        guard let renaming = renaming else {
            if try keyComponent() == table.component { return }
            return try replaceTable(table, table.order) { $0 }
        }
        try replaceTable(table, try table.order.renamed(rows: renaming.new, sections: { $0 }), renaming.new)
    }

    private func replaceTable(_ table: SectionRowTable, _ order: List, _ rename: (Int64) -> Int64) throws {
        let new = try emptyTable(order)
        for index in 0..<table.count {
            let id = table.row(at: index)
            if let row = table[id] { try new.set(rename(id), sectionRow(rename(id), row.value, row.title)) }
        }
        superseded = table
        self.table = new
    }

    /// Other ids for the rows, if these have identities of another kind in the state that is
    /// prepared.
    var renaming: RowRenaming? { engine?.superseded?.renaming }

    /// The rows, in the state of the list that the map shows.
    package var shownTable: SectionRowTable? { superseded ?? table }

    /// Undoes what was prepared.
    func restore() throws {
        if let superseded { table = superseded }
        superseded = nil
        try engine?.restore()
    }

    /// Makes the prepared state of the rows the shown one.
    func commit(_ next: PreparedState?) {
        superseded = nil
        _ = engine?.commit(next)
    }

    /// The changes that another request makes in the rows.
    func prepare(_ request: FetchRequest) throws -> SectionRowChanges? {
        guard let engine else { return nil }
        return try changes(of: engine, try engine.prepare(request, on: .committed))
    }

    private func changes(of engine: ListEngine, _ next: PreparedState?) throws -> SectionRowChanges? {
        guard let table, let next else { return nil }
        var changes = RowDictionary<SectionRowChange>()
        let order: List
        switch next.newList {
        // A reload is the map's own, which then fetches its sections with its items.
        case .fetched: return nil
        case .edit:
            order = table.order
            for touched in next.touched {
                let content = touched.isThere ? next.changes.contents[touched.id]?.new : nil
                let row = try content.map { try sectionRow(touched.id, $0, like: table[touched.id]) }
                try changes.add(touched.id, change(table, touched, row))
            }
        case .replacement(let list, _):
            order = list
            var rows: [Int64: SectionRow] = [:]
            try readRows(list, engine, engine.compiled, engine.decoder) { id, row in rows[id] = row }
            for touched in next.touched { try changes.add(touched.id, change(table, touched, rows[touched.id])) }
            // Keys and titles are compared even where it is not known which rows changed.
            for (id, row) in rows where changes.index(of: id) == nil && table[id] != row {
                try changes.add(id, change(table, RowTransition(id: id, oldPath: nil, newPath: nil), row))
            }
        }
        return try SectionRowChanges(applying: changes, to: table, newOrder: order, next)
    }

    private func change(_ table: SectionRowTable, _ touched: RowTransition, _ new: SectionRow?) throws
        -> SectionRowChange
    {
        let old = table[touched.id]
        var changed = touched.changedColumns
        if let old, let new, old != new {
            let numbers = try columns()
            if !old.value.isSame(0, as: new.value, 0) { changed.insert(numbers.key) }
            if old.title != new.title, let title = numbers.title { changed.insert(title) }
        }
        return SectionRowChange(
            id: touched.id, old: old, new: new, isReordered: touched.isReordered, changedColumns: changed)
    }

    /// The changes that another list of keys makes.
    func prepare(keys: [Value]) throws -> SectionRowChanges? {
        guard let table else { return nil }
        var ids: [Int64] = []
        var changes = RowDictionary<SectionRowChange>()
        for key in keys {
            let value = RowValues([key])
            let known = unsafe try SectionKey(value, keyComponent()).withUnsafeBytes {
                unsafe try table.row(withKey: $0, value)
            }
            if let known, changes.index(of: known) != nil {
                throw StoreError(.constraint, "two sections have the key \(key)")
            }
            let id = known ?? nextKeyID
            if known == nil { nextKeyID += 1 }
            ids.append(id)
            let row = try sectionRow(id, value, .name)
            let isRespelled = table[id].map { $0 != row } ?? false
            changes.add(
                id,
                SectionRowChange(
                    id: id, old: table[id], new: row, isReordered: true, changedColumns: isRespelled ? [0] : []))
        }
        for id in (0..<table.count).map(table.row) where changes.index(of: id) == nil {
            changes.add(id, SectionRowChange(id: id, old: table[id], new: nil, isReordered: false, changedColumns: []))
        }
        return try SectionRowChanges(applying: changes, to: table, newOrder: Self.order(ids), nil)
    }
}
