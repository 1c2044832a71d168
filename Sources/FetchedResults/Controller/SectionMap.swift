internal import ChangeSets
public import ListEngine
internal import OrderedTree
public import SQLiteKit

/// A controller whose sections are rows of their own, or keys from the program: in their own order,
/// whatever their names, and with or without items.
///
/// Each item belongs to the section whose key equals the value of a key path of the item, as the
/// section's column compares. Two sections can't have the same key. A section is its row: it has an
/// identity, can be moved and renamed, appears again when its predicate includes it again, and its
/// object is read like any other.
public final class SectionMap: FetchedResultsController {
    private let mapped: MappedSections

    private init(store: Store, items: FetchRequest, nodes: NodeSizes, announcer: Announcer, mapped: MappedSections)
        throws
    {
        self.mapped = mapped
        try super.init(store: store, request: items, nodes: nodes, announcer: announcer, sections: mapped)
    }

    /// Creates a map whose sections are the rows of a second request, in its order.
    ///
    /// - Parameters:
    ///   - items: A request without a section, limit and offset of its own.
    ///   - sections: The request for the sections; a section key path of its own is ignored.
    ///   - itemKey: The key path from an item to the key of its section.
    ///   - sectionKey: The column of the section's row that holds the key; nil to find it by
    ///     `itemKey`, which then has to be a foreign key to the sections, or to end in one of their
    ///     columns.
    ///   - indexTitle: The column or key path of the section's row from which index titles are
    ///     made, which the section's object shows as well; nil for the key.
    public convenience init(
        store: Store, items: FetchRequest, sections: FetchRequest, itemKey: String, sectionKey: String? = nil,
        indexTitle: String? = nil, emptySections: EmptySections = .shown,
        itemsWithoutSection: ItemsWithoutSection = .shown
    ) throws {
        try self.init(
            store: store, items: items, sections: sections, itemKey: itemKey, sectionKey: sectionKey,
            indexTitle: indexTitle,
            emptySections: emptySections, itemsWithoutSection: itemsWithoutSection, nodes: .standard)
    }

    package convenience init(
        store: Store, items: FetchRequest, sections: FetchRequest, itemKey: String, sectionKey: String? = nil,
        indexTitle: String? = nil, emptySections: EmptySections = .shown,
        itemsWithoutSection: ItemsWithoutSection = .shown,
        nodes: NodeSizes
    ) throws {
        try store.checkOpen()
        let announcer = Announcer(store.delivery)
        let mapped = try MappedSections(
            connection: store.connection, database: store.delivery, items: items, sections: sections,
            options: SectionMapOptions(
                itemKey: itemKey, sectionKey: sectionKey, titleColumn: indexTitle, emptySections: emptySections,
                itemsWithoutSection: itemsWithoutSection),
            nodes: nodes, watch: announcer.watch)
        try self.init(store: store, items: items, nodes: nodes, announcer: announcer, mapped: mapped)
    }

    /// Creates a map of sections with given keys, in their order. Keys compare byte by byte.
    public convenience init(
        store: Store, items: FetchRequest, sectionKeys: [Value], itemKey: String, emptySections: EmptySections = .shown,
        itemsWithoutSection: ItemsWithoutSection = .shown
    ) throws {
        try self.init(
            store: store, items: items, sectionKeys: sectionKeys, itemKey: itemKey, emptySections: emptySections,
            itemsWithoutSection: itemsWithoutSection, nodes: .standard)
    }

    package convenience init(
        store: Store, items: FetchRequest, sectionKeys: [Value], itemKey: String, emptySections: EmptySections = .shown,
        itemsWithoutSection: ItemsWithoutSection = .shown, nodes: NodeSizes
    ) throws {
        let mapped = try MappedSections(
            connection: store.connection, keys: sectionKeys,
            options: SectionMapOptions(
                itemKey: itemKey, sectionKey: nil, titleColumn: nil, emptySections: emptySections,
                itemsWithoutSection: itemsWithoutSection))
        try self.init(store: store, items: items, nodes: nodes, announcer: Announcer(store.delivery), mapped: mapped)
    }

    /// The request for the sections; nil if they are keys.
    public var sectionRequest: FetchRequest? { mapped.engine?.request }

    /// The keys that were given; nil if the sections are rows.
    public var sectionKeys: [Value]? { mapped.keys }

    // MARK: Sections

    /// The number of all sections, with and without items, shown or not. O(1).
    public var numberOfAllSections: Int {
        get throws {
            let list = try shownList()
            return (mapped.shownTable?.count ?? 0) + (list.orphans == nil ? 0 : 1)
        }
    }

    /// The section with a number among all, as its row and, if it is shown, its section; the row is
    /// nil for the items without a section.
    private func section(ofAll index: Int, in list: List) throws -> (row: Int64?, id: SectionID?) {
        let count = try numberOfAllSections
        guard index >= 0, index < count, let table = mapped.shownTable else {
            throw StoreError.outOfRange("section \(index) of all", count: count)
        }
        let row = index < table.count ? table.row(at: index) : nil
        return (row, list.section(ofRow: row))
    }

    /// The description of a section, by its number among all. O(log n).
    public func section(ofAll index: Int) throws -> SectionInfo {
        let list = try shownList()
        let (row, id) = try section(ofAll: index, in: list)
        if let id { return engine.info(list, id, at: list.rows.index(of: id)) }
        let section = row.flatMap { mapped.shownTable?[$0]?.section } ?? .orphans
        return SectionInfo(rowValues: section.value, indexTitle: engine.indexTitle(of: section), count: 0, index: nil)
    }

    /// The row of a section, by its number among all; nil where sections are not rows. O(log n).
    public func sectionObject(ofAll index: Int) throws -> FetchedObject? {
        let (row, _) = try section(ofAll: index, in: try shownList())
        return try row.flatMap { try mapped.engine?.object(id: $0) }
    }

    /// All sections, with and without items, shown or not, in their order. O(sections).
    public var allSections: [SectionInfo] {
        get throws { try (0..<numberOfAllSections).map { try section(ofAll: $0) } }
    }

    /// The sections that have items, in their order. O(sections).
    public var sections: [SectionInfo] { get throws { try allSections.filter { $0.numberOfObjects > 0 } } }

    /// The numbers among all sections of the sections that have items. O(sections).
    package var numbersOfSections: [Int] {
        get throws {
            let sections = try allSections
            return sections.indices.filter { sections[$0].numberOfObjects > 0 }
        }
    }

    // MARK: Changing it

    /// Whether sections without items are shown. Changing it delivers the difference as one change
    /// set.
    public var emptySections: EmptySections { mapped.options.emptySections }
    /// Sets `emptySections`. Inside a callback, the difference is delivered after the current
    /// round. On failure nothing changes.
    public func setEmptySections(_ emptySections: EmptySections) throws {
        try setOptions { $0.emptySections = emptySections }
    }

    /// How items without a section are shown. Changing it delivers the difference as one change
    /// set.
    public var itemsWithoutSection: ItemsWithoutSection { mapped.options.itemsWithoutSection }
    /// Sets `itemsWithoutSection`. Inside a callback, the difference is delivered after the current
    /// round. On failure nothing changes.
    public func setItemsWithoutSection(_ items: ItemsWithoutSection) throws {
        try setOptions { $0.itemsWithoutSection = items }
    }

    private func setOptions(_ change: @escaping (inout SectionMapOptions) -> Void) throws {
        try self.change { [mapped] map in
            let previous = mapped.options
            change(&mapped.options)
            map.restartFetch()
            guard case .compare(let basis) = map.apply(.settings) else { return nil }
            do {
                return try map.preparing { try map.engine.prepareSettings(on: basis) }
            } catch {
                mapped.options = previous
                throw error
            }
        }
    }

    /// Takes other keys, or other places for them; the changes are delivered as one change set.
    public func setSectionKeys(_ keys: [Value]) throws {
        guard mapped.engine == nil else { throw StoreError(.misuse, "the sections of this map are rows, not keys") }
        try MappedSections.check(keys)
        try change { [mapped] map in
            map.restartFetch()
            guard case .compare(let basis) = map.apply(.settings) else {
                mapped.keys = keys
                return nil
            }
            return try map.preparing { try map.engine.prepare(keys: keys, mapped, on: basis) }
        }
    }

    /// Takes another request for the sections, of the same entity; the changes are delivered as one
    /// change set.
    public func setSectionRequest(_ request: FetchRequest) throws {
        guard let rows = mapped.engine else {
            throw StoreError(.misuse, "the sections of this map are keys, not rows")
        }
        let request = mapped.sectionRequest(request)
        try rows.checkEntity(of: request)
        let compiled = try rows.compile(request)
        try change { [mapped] map in
            map.restartFetch()
            guard case .compare(let basis) = map.apply(.settings) else {
                map.cachedFiles.sections = nil
                rows.replaceRequest(request, compiled)
                if rows.watches != nil { try rows.watchTables() }
                return nil
            }
            let prepared = try map.preparing { try map.engine.prepare(sectionRequest: request, mapped, on: basis) }
            map.cachedFiles.sections = nil
            return prepared
        }
    }

    /// Whether nothing is delivered. This and `isPaused` hold changes back independently.
    public var isDisabled: Bool { state.reasons.contains(.disabled) }

    /// Holds changes back, or delivers again. A map that is enabled, and not paused, is read from
    /// scratch, and its observers are notified to reload, when and as `resume` says.
    public func setDisabled(_ isDisabled: Bool) throws {
        try store.checkOpen()
        if isDisabled { apply(.hold(.disabled)) } else { release(.disabled, reload: true) }
    }
}
