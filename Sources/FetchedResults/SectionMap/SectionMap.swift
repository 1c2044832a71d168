internal import ChangeSets
internal import OrderedTree
public import SQLiteKit

/// A controller whose sections are rows of their own, or keys that the program gives: in their own order, whatever their
/// names, and with or without items.
///
/// Each item belongs to the section whose key equals the value of a key path of the item, as the section's column compares.
/// Two sections can't have the same key. A section is its row: it has an identity, can be moved, renamed, and brought back
/// by its predicate, and its object is read like any other.
public final class SectionMap: FetchedResultsController {
    /// Makes a map whose sections are the rows of a second request, in its order.
    ///
    /// - Parameters:
    ///   - items: A request without a section, limit and offset of its own.
    ///   - sections: The request for the sections; a section key path of its own is ignored.
    ///   - itemKey: The key path from an item to the key of its section.
    ///   - sectionKey: The column of the section's row that holds the key; nil to find it by `itemKey`, which then has to
    ///     be a foreign key to the sections, or to end in one of their columns.
    ///   - indexTitle: The column or key path of the section's row that index titles are made of, which the section's
    ///     object shows as well; nil for the key.
    public convenience init(
        store: Store, items: FetchRequest, sections: FetchRequest, itemKey: String, sectionKey: String? = nil,
        indexTitle: String? = nil, emptySections: EmptySections = .kept, itemsWithoutSection: ItemsWithoutSection = .shown
    ) throws {
        try self.init(
            store: store, items: items, sections: sections, itemKey: itemKey, sectionKey: sectionKey, indexTitle: indexTitle,
            emptySections: emptySections, itemsWithoutSection: itemsWithoutSection, nodes: .standard)
    }

    package init(
        store: Store, items: FetchRequest, sections: FetchRequest, itemKey: String, sectionKey: String? = nil,
        indexTitle: String? = nil, emptySections: EmptySections = .kept, itemsWithoutSection: ItemsWithoutSection = .shown,
        nodes: NodeSizes
    ) throws {
        var sections = sections
        if sections.select == nil { sections.section = nil }
        let key = try sectionKey ?? Self.sectionKey(store, items, sections, itemKey)
        let controller = try FetchedResultsController(
            store: store, request: SectionRows.request(sections, key: key, title: indexTitle), nodes: nodes)
        let rows = try SectionRows(
            store: store, source: .request(controller),
            options: SectionMapOptions(
                itemKey: itemKey, sectionKey: key, titleColumn: indexTitle, emptySections: emptySections,
                itemsWithoutSection: itemsWithoutSection))
        try super.init(store: store, request: items, nodes: nodes, sectionRows: rows)
        controller.setOwner(self)
    }

    /// Makes a map of sections with given keys, in their order. Keys compare byte by byte.
    public convenience init(
        store: Store, items: FetchRequest, sectionKeys: [Value], itemKey: String, emptySections: EmptySections = .kept,
        itemsWithoutSection: ItemsWithoutSection = .shown
    ) throws {
        try self.init(
            store: store, items: items, sectionKeys: sectionKeys, itemKey: itemKey, emptySections: emptySections,
            itemsWithoutSection: itemsWithoutSection, nodes: .standard)
    }

    package init(
        store: Store, items: FetchRequest, sectionKeys: [Value], itemKey: String, emptySections: EmptySections = .kept,
        itemsWithoutSection: ItemsWithoutSection = .shown, nodes: NodeSizes
    ) throws {
        try Self.checkKeys(sectionKeys)
        let rows = try SectionRows(
            store: store, source: .keys(sectionKeys),
            options: SectionMapOptions(
                itemKey: itemKey, sectionKey: nil, titleColumn: nil, emptySections: emptySections,
                itemsWithoutSection: itemsWithoutSection))
        try super.init(store: store, request: items, nodes: nodes, sectionRows: rows)
    }

    /// The column of the sections that an item's key path means.
    private static func sectionKey(
        _ store: Store, _ items: FetchRequest, _ sections: FetchRequest, _ itemKey: String
    ) throws -> String {
        try store.checkOpen()
        let schema = SchemaReader(connection: store.connection)
        if items.select == nil, sections.select == nil {
            let entity = try schema.entity(items.entity, identity: items.identity)
            let sectionEntity = try schema.entity(sections.entity, identity: sections.identity)
            let path = try schema.keyPath(itemKey, of: entity)
            if let parent = path.hops.last?.parent, parent.isSame(as: sectionEntity) { return path.column.name }
            if path.hops.isEmpty, let key = entity.foreignKey(path.column.name),
                isSameName(entity.schema, sectionEntity.schema), isSameName(key.parentTable, sectionEntity.name)
            {
                return key.parentColumn
            }
        }
        throw StoreError(.misuse, "\(itemKey) does not lead to a column of \(sections.entity): the section's key must be named")
    }

    private static func checkKeys(_ keys: [Value]) throws {
        guard !keys.contains(.null) else { throw StoreError(.misuse, "a section's key can't be NULL") }
        var seen: Set<[UInt8]> = []
        for key in keys where !seen.insert(Record.Part(Record([key]), 0).encoded(KeyComponent())).inserted {
            throw StoreError(.constraint, "two sections have the key \(key)")
        }
    }

    // MARK: Sections

    /// The number of all sections, with and without items, shown or not. O(1).
    public var numberOfAllSections: Int {
        get throws {
            let list = try shownList()
            return (sectionRows?.shownTable?.count ?? 0) + (list.orphans == nil ? 0 : 1)
        }
    }

    /// The section with a number among all, as its row and, if it is shown, its section; the row is nil for the items
    /// without a section.
    private func section(ofAll index: Int, in list: List) throws -> (row: Int64?, id: SectionID?) {
        let count = try numberOfAllSections
        guard index >= 0, index < count, let table = sectionRows?.shownTable else {
            throw StoreError(.range, "section \(index) is out of range: there are \(count) in all")
        }
        let row = index < table.count ? table.row(at: index) : nil
        return (row, list.section(ofRow: row))
    }

    /// What is known of a section, by its number among all. O(log n).
    public func section(ofAll index: Int) throws -> SectionInfo {
        let list = try shownList()
        let (row, id) = try section(ofAll: index, in: list)
        if let id { return info(list, id, at: list.rows.index(of: id)) }
        let section = row.flatMap { row in sectionRows?.shownTable?[row]?.section(row) } ?? .orphans
        return SectionInfo(record: section.value, indexTitle: indexTitle(of: section), count: 0, index: nil)
    }

    /// The row of a section, by its number among all; nil where sections are no rows. O(log n).
    public func sectionObject(ofAll index: Int) throws -> FetchedObject? {
        let (row, _) = try section(ofAll: index, in: try shownList())
        return try row.flatMap { try sectionRows?.controller?.object(id: $0) }
    }

    /// All sections, with and without items, shown or not, in their order. O(sections).
    public var allSections: [SectionInfo] { get throws { try (0..<numberOfAllSections).map { try section(ofAll: $0) } } }

    /// The sections that have items, in their order. O(sections).
    public var sections: [SectionInfo] { get throws { try allSections.filter { $0.numberOfObjects > 0 } } }

    // MARK: Changing it

    /// Whether sections without items are shown. Changing it delivers the difference as one change set.
    public var emptySections: EmptySections { sectionRows?.options.emptySections ?? .kept }
    public func setEmptySections(_ emptySections: EmptySections) throws { try setOptions { $0.emptySections = emptySections } }

    /// What is done with items without a section. Changing it delivers the difference as one change set.
    public var itemsWithoutSection: ItemsWithoutSection { sectionRows?.options.itemsWithoutSection ?? .shown }
    public func setItemsWithoutSection(_ items: ItemsWithoutSection) throws {
        try setOptions { $0.itemsWithoutSection = items }
    }

    private func setOptions(_ change: @escaping (inout SectionMapOptions) -> Void) throws {
        try edit { map in
            guard let rows = map.sectionRows, let previous = map.sectionRows?.options else { return }
            change(&rows.options)
            if map.pause.holdsBack { return map.noteRequestForResume() }
            do {
                if map.isBehind {
                    try map.prepareAnew()
                } else if let list = map.list {
                    map.pending = try map.reread(list, Round([], reread: .request), .request, nil)
                }
            } catch {
                rows.options = previous
                throw error
            }
        }
    }

    /// Takes other keys, or other places for them; what that changes is delivered as one change set.
    public func setSectionKeys(_ keys: [Value]) throws {
        guard let rows = sectionRows, rows.controller == nil else {
            throw StoreError(.misuse, "the sections of this map are rows, not keys")
        }
        try Self.checkKeys(keys)
        try edit { map in
            if map.pause.holdsBack {
                map.noteRequestForResume()
            } else if map.isBehind {
                return try map.prepareAnew(.keys(keys))
            } else if map.isFetched {
                try map.prepare(try rows.prepare(keys: keys))
            }
            rows.use(.keys(keys))
        }
    }

    /// Takes other keys when the list is behind.
    private func prepareAnew(_ source: SectionRows.Source) throws {
        guard let rows = sectionRows else { return }
        let previous = rows.source
        rows.use(source)
        do {
            try prepareAnew()
        } catch {
            rows.use(previous)
            throw error
        }
    }

    /// Takes another request for the sections, of the same entity; what that changes is delivered as one change set.
    public func setSectionRequest(_ request: FetchRequest) throws {
        guard let rows = sectionRows, let controller = rows.controller else {
            throw StoreError(.misuse, "the sections of this map are keys, not rows")
        }
        var request = request
        if request.select == nil { request.section = nil }
        request = SectionRows.request(request, key: rows.options.sectionKey ?? "", title: rows.options.titleColumn)
        try controller.checkEntity(of: request)
        let compiled = try store.compile(request)
        let wanted = request
        try edit { map in
            guard map.isFetched, !map.pause.holdsBack else {
                if map.pause.holdsBack { map.noteRequestForResume() }
                return controller.replaceRequest(wanted, compiled)
            }
            let previous = controller.request
            do {
                if map.isBehind {
                    controller.subscription = try map.store.subscribe(controller, compiled)
                    controller.replaceRequest(wanted, compiled)
                    try map.prepareAnew()
                } else {
                    try map.prepare(try rows.prepare(wanted))
                }
            } catch {
                controller.replaceRequest(previous, try controller.compile(previous))
                throw error
            }
        }
    }

    /// Changes the map and delivers the difference: at once, or, inside a callback, after the current round; then a failure
    /// is told to the observers.
    private func edit(_ body: @escaping (SectionMap) throws -> Void) throws {
        try store.checkOpen()
        try store.queue.runOrWait { [weak self] in
            guard let self, !store.isClosed else { return }
            try store.connection.reading { try body(self) }
            Bracket.announce([self])
        } failed: { [weak self] in
            self?.tellFailure($0)
        }
        if !store.queue.isUnderWay { store.deliverIfDue() }
    }

    /// Whether nothing is delivered. This and `isPaused` each hold changes back for themselves.
    public var isDisabled: Bool { pause.isDisabled }

    /// Holds changes back, or delivers again. A map that is enabled, and not paused, is read from scratch, and its observers
    /// are notified to reload, when and as `resume` says.
    public func setDisabled(_ isDisabled: Bool) throws {
        try store.checkOpen()
        guard isDisabled != pause.isDisabled else { return }
        pause.isDisabled = isDisabled
        if !isDisabled { catchUp(reload: true) }
    }
}
