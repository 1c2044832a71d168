public import ChangeSets
public import ListEngine
public import SQLiteKit

/// The contents of the window.
extension ListWindow {
    public var isFetched: Bool { list.isFetched }

    public func performFetch(progress: @escaping (Int) -> Bool) throws { try list.performFetch(progress: progress) }

    public func performFetchAsynchronously(
        progress: @escaping (Int) -> Bool, completion: @escaping (StoreError?) -> Void
    ) throws {
        try list.performFetchAsynchronously(progress: progress, completion: completion)
    }

    @discardableResult
    public func cancelFetch() -> Bool { list.cancelFetch() }

    public var numberOfObjects: Int { get throws { try shownRows().ids.count } }

    public var numberOfSections: Int { get throws { try shownRows().runs.count } }

    package var counts: (sections: Int, objects: Int) {
        get throws {
            let rows = try shownRows()
            return (rows.runs.count, rows.ids.count)
        }
    }

    /// The description of a section, with the number of its objects in the window.
    public func section(at index: Int) throws -> SectionInfo {
        let rows = try shownRows()
        let section = try rows.checkedSection(index)
        return SectionInfo(
            rowValues: section.value, indexTitle: list.engine.indexTitle(of: section),
            count: rows.rows(ofSection: index).count, index: index)
    }

    public func numberOfObjects(inSection index: Int) throws -> Int {
        let rows = try shownRows()
        _ = try rows.checkedSection(index)
        return rows.rows(ofSection: index).count
    }

    public func sectionObject(at index: Int) throws -> FetchedObject? {
        guard let row = try shownRows().checkedSection(index).row else { return nil }
        return try list.engine.mappedSections?.engine?.object(id: row)
    }

    /// The totals of all rows of the list, or of all rows that the list has in a section, whether
    /// the window shows them or not. `ListChanges.totals` of the list, not of the window, are the
    /// ones that changed.
    public func totals(ofSection index: Int?) throws -> FetchedObject {
        let rows = try shownRows()
        guard let index else { return try list.totals() }
        _ = try rows.checkedSection(index)
        let path = try list.indexPath(at: position + rows.rows(ofSection: index).lowerBound)
        return try list.totals(ofSection: path.section)
    }

    public func object(at path: ListIndexPath) throws -> FetchedObject {
        let rows = try shownRows()
        let index = try rows.checkedIndex(of: path)
        // The rows that follow are read with it: a program shows all rows of a window.
        list.engine.rowsAhead = rows.ids.count - index
        defer { list.engine.rowsAhead = 0 }
        return try list.engine.object(id: rows.ids[index])
    }

    public func identity(at path: ListIndexPath) throws -> [Value] { try identityValues(at: path).values }

    package func identityValues(at path: ListIndexPath) throws -> RowValues {
        let rows = try shownRows()
        return list.engine.shownDecoder.identityValues(rows.ids[try rows.checkedIndex(of: path)])
    }

    public func indexPath(of object: FetchedObject) throws -> ListIndexPath? {
        try path(ofListPath: try list.indexPath(of: object))
    }

    public func indexPath(ofIdentity identity: [Value]) throws -> ListIndexPath? {
        try path(ofListPath: try list.indexPath(ofIdentity: identity))
    }

    private func path(ofListPath path: ListIndexPath?) throws -> ListIndexPath? {
        let rows = try shownRows()
        guard let path else { return nil }
        let index = try list.index(of: path) - position
        return rows.ids.indices.contains(index) ? rows.path(of: index) : nil
    }

    public func indexPath(at index: Int) throws -> ListIndexPath {
        let rows = try shownRows()
        guard rows.ids.indices.contains(index) else {
            throw StoreError.outOfRange("object \(index)", count: rows.ids.count)
        }
        return rows.path(of: index)
    }

    public func index(of path: ListIndexPath) throws -> Int { try shownRows().checkedIndex(of: path) }

    public var sectionIndexTitles: [String] { get throws { try indexTitles().titles } }

    public func section(forIndexTitle title: String, at index: Int) throws -> Int? {
        try indexTitles().place(ofTitle: title, at: index)
    }

    private func indexTitles() throws -> IndexTitles<Int> {
        IndexTitles(try shownRows().runs.lazy.map { self.list.engine.indexTitle(of: $0.section) })
    }
}

/// Observers, and the interface for objects that follow the window.
extension ListWindow {
    @discardableResult
    public func addObserver(_ observer: any FetchedResultsObserver) -> UInt64 { announcer.observers.add(observer) }

    @discardableResult
    public func removeObserver(_ id: UInt64) -> Bool { announcer.observers.remove(id) }

    public func hasObserver(_ id: UInt64) -> Bool { announcer.observers[id] != nil }

    public var version: Int { announcer.version }

    public var fetchCount: Int { announcer.fetchCount }

    public func afterDelivery(_ body: @escaping () -> Void) throws { try list.afterDelivery(body) }

    public func refresh(for observer: UInt64?) throws { try list.refresh() }

    public func reportFailure(_ error: any Error) { announcer.notifyFailure(self, StoreError(any: error)) }
}

extension WindowRows {
    fileprivate func checkedSection(_ section: Int) throws -> List.Section {
        guard runs.indices.contains(section) else {
            throw StoreError.outOfRange("section \(section)", count: runs.count)
        }
        return runs[section].section
    }

    /// The number of the row at an index path.
    fileprivate func checkedIndex(of path: ListIndexPath) throws -> Int {
        _ = try checkedSection(path.section)
        let section = rows(ofSection: path.section)
        guard (0..<section.count).contains(path.row) else {
            throw StoreError.outOfRange("row \(path.row) of section \(path.section)", count: section.count)
        }
        return section.lowerBound + path.row
    }
}
