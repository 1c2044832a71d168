public import ChangeSets
public import ListEngine
internal import OrderedTree
public import SQLiteKit

/// The contents of the list. All reads throw `StoreError.Status.notFetched` before the first fetch,
/// and `.closed` once the store is closed.
extension FetchedResultsController {
    /// The list to read from: the old one, until a delivery switches.
    func shownList() throws -> List {
        try store.checkOpen()
        guard let list = try engine.shownList() else {
            throw StoreError(.notFetched, "the controller has not fetched yet")
        }
        return list
    }

    /// The number of objects in all sections. O(1).
    public var numberOfObjects: Int { get throws { try shownList().count } }

    /// The number of sections; 1 for a flat list, also an empty one. O(1).
    public var numberOfSections: Int { get throws { try shownList().sectionCount } }

    package var counts: (sections: Int, objects: Int) {
        get throws {
            guard store.connection.isOpen, let list = try engine.shownList() else { return (0, 0) }
            return (list.sectionCount, list.count)
        }
    }

    /// The description of a section. O(log n).
    public func section(at index: Int) throws -> SectionInfo {
        let list = try shownList()
        return engine.info(list, try list.checkedSection(index), at: index)
    }

    /// The row that a section of a section map represents; nil for the section of items without
    /// one, and where sections are not rows. O(log n).
    public func sectionObject(at index: Int) throws -> FetchedObject? {
        let list = try shownList()
        guard let row = list.section(try list.checkedSection(index)).row else { return nil }
        return try engine.mappedSections?.engine?.object(id: row)
    }

    /// The number of objects in a section. O(log n).
    public func numberOfObjects(inSection index: Int) throws -> Int {
        let list = try shownList()
        return list.rows.rowCount(in: try list.checkedSection(index))
    }

    /// The object at an index path; it and its neighbours are read if they are not in the cache.
    /// O(log n).
    public func object(at path: ListIndexPath) throws -> FetchedObject {
        try engine.object(id: shownList().checkedRow(path))
    }

    /// Calls `body` with the objects from a row of a section on, as many as are wanted and as the
    /// section has. They are read together. Ends when `body` returns false.
    package func forEachObject(
        from path: ListIndexPath, count: Int, _ body: (ListIndexPath, FetchedObject) -> Bool
    ) throws {
        let ids = try ids(from: path, count: count)
        engine.rowsAhead = count
        defer { engine.rowsAhead = 0 }
        for (index, id) in ids.enumerated() {
            let path = ListIndexPath(section: Int(path.section), row: Int(path.row) + index)
            guard body(path, try engine.object(id: id)) else { return }
        }
    }

    /// The ids of the rows from a row of a section on, as many as are wanted and as the section
    /// has.
    private func ids(from path: ListIndexPath, count: Int) throws -> [Int64] {
        let list = try shownList()
        let section = try list.checkedSection(Int(path.section))
        var ids: [Int64] = []
        let end = min(list.rows.rowCount(in: section), Int(path.row) + count)
        list.rows.forEachRow(in: section, min(Int(path.row), end)..<end) { ids.append($0) }
        return ids
    }

    /// The identity of the object at an index path, whose row is not read. O(log n).
    public func identity(at path: ListIndexPath) throws -> [Value] { try identityValues(at: path).values }

    package func identityValues(at path: ListIndexPath) throws -> RowValues {
        engine.shownDecoder.identityValues(try shownList().checkedRow(path))
    }

    package func forEachIdentity(
        from path: ListIndexPath, count: Int, _ body: (ListIndexPath, RowValues) -> Bool
    ) throws {
        let decoder = engine.shownDecoder
        for (index, id) in try ids(from: path, count: count).enumerated() {
            let path = ListIndexPath(section: path.section, row: path.row + index)
            guard body(path, decoder.identityValues(id)) else { return }
        }
    }

    /// The present place of an object, by its identity; nil if it is not in the list. O(log n).
    public func indexPath(of object: FetchedObject) throws -> ListIndexPath? {
        let list = try shownList()
        guard object.entity == engine.compiled.entity.displayName else {
            throw StoreError(
                .type, "the object is of \(object.entity), but the list is of \(engine.compiled.entity.displayName)")
        }
        return engine.shownDecoder.id(ofIdentity: object.identityValues).flatMap { path(of: $0, in: list) }
    }

    /// The present place of the row with an identity; nil if it is not in the list. O(log n).
    public func indexPath(ofIdentity identity: [Value]) throws -> ListIndexPath? {
        let list = try shownList()
        try engine.shownCompiled.entity.checkIdentity(count: identity.count)
        return engine.shownDecoder.id(ofIdentity: RowValues(identity)).flatMap { path(of: $0, in: list) }
    }

    private func path(of id: Int64, in list: List) -> ListIndexPath? {
        list.rows.place(of: id).map { ListIndexPath(section: list.rows.index(of: $0.section), row: $0.row) }
    }

    /// The index path of the object that is number `index` over all sections. O(log n).
    public func indexPath(at index: Int) throws -> ListIndexPath {
        let list = try shownList()
        guard let place = list.rows.place(atFlatIndex: index) else {
            throw StoreError.outOfRange("object \(index)", count: list.count)
        }
        return ListIndexPath(section: list.rows.index(of: place.section), row: place.row)
    }

    /// The number over all sections of the object at an index path. O(log n).
    public func index(of path: ListIndexPath) throws -> Int {
        let list = try shownList()
        _ = try list.checkedRow(path)
        return list.rows.flatIndex(section: list.rows.section(at: path.section), row: path.row)
    }

    /// The index titles of the sections, each once, in order of first appearance. O(sections) after
    /// sections changed.
    public var sectionIndexTitles: [String] { get throws { try shownIndexTitles().titles } }

    /// The first section with an index title, given with its number among `sectionIndexTitles`; nil
    /// if there is no such title.
    public func section(forIndexTitle title: String, at index: Int) throws -> Int? {
        try shownIndexTitles().place(ofTitle: title, at: index)
    }

    private func shownIndexTitles() throws -> IndexTitles<Int> {
        let list = try shownList()
        if !engine.isBetweenStates, let indexTitles { return indexTitles }
        let titles = IndexTitles(
            (0..<list.sectionCount).lazy.map { self.engine.indexTitle(of: list.section(at: $0)) })
        if !engine.isBetweenStates { indexTitles = titles }
        return titles
    }
}

/// Index titles, and what each one leads to.
struct IndexTitles<Place> {
    private(set) var titles: [String] = []
    private(set) var places: [Place] = []

    mutating func append(_ title: String, _ place: Place) {
        titles.append(title)
        places.append(place)
    }

    /// The place of a title, which has a number among all of them; nil if there is no such title.
    func place(ofTitle title: String, at index: Int) throws -> Place? {
        guard titles.contains(title) else { return nil }
        guard titles.indices.contains(index), titles[index] == title else {
            throw StoreError(.range, "index title \(index) is not \(title)")
        }
        return places[index]
    }
}

extension IndexTitles<Int> {
    /// The distinct index titles of a list's sections, in order of first appearance, each with the
    /// first section that has it.
    init(_ sectionTitles: some Sequence<String?>) {
        var seen: Set<String> = []
        for (section, title) in sectionTitles.enumerated() {
            guard let title, seen.insert(title).inserted else { continue }
            append(title, section)
        }
    }
}
