public import ChangeSets
public import ListEngine
internal import OrderedTree
public import SQLiteKit

/// The contents of the collection, over all children.
extension FetchedResultsCollection {
    func checkFetched() throws {
        guard isFetched else { throw StoreError(.notFetched, "the collection has not fetched yet") }
    }

    public var numberOfObjects: Int {
        get throws {
            try checkFetched()
            return tree.totals.second
        }
    }

    public var numberOfSections: Int {
        get throws {
            try checkFetched()
            return tree.totals.first
        }
    }

    package var counts: (sections: Int, objects: Int) {
        get throws {
            try checkFetched()
            return (tree.totals.first, tree.totals.second)
        }
    }

    /// The child that shows a section, and the section's number in it.
    func shownChild(ofSection section: Int) throws -> (child: CollectionChild, section: Int) {
        try checkFetched()
        guard let found = tree.find(firstOffset: section), let child = child(found.handle) else {
            throw StoreError.outOfRange("section \(section)", count: tree.totals.first)
        }
        return (child, found.offset)
    }

    /// The list that shows a section, and the section's number in it; nil for the section of a
    /// placeholder.
    private func shownList(ofSection section: Int) throws -> (list: any NotifyingList, section: Int)? {
        let (child, section) = try shownChild(ofSection: section)
        guard child.shownPlaceholder == nil, let list = child.list else { return nil }
        return (list, section)
    }

    public func section(at index: Int) throws -> SectionInfo {
        let (child, section) = try shownChild(ofSection: index)
        if let placeholder = child.shownPlaceholder { return placeholder.shown(at: index) }
        guard let list = child.list else { throw StoreError(.range, "section \(index) is out of range") }
        return try list.section(at: section).shown(at: index)
    }

    public func numberOfObjects(inSection index: Int) throws -> Int {
        guard let (list, section) = try shownList(ofSection: index) else { return 0 }
        return try list.numberOfObjects(inSection: section)
    }

    public func sectionObject(at index: Int) throws -> FetchedObject? {
        guard let (list, section) = try shownList(ofSection: index) else { return nil }
        return try list.sectionObject(at: section)
    }

    public func object(at path: ListIndexPath) throws -> FetchedObject {
        let (list, path) = try shown(path)
        return try list.object(at: path)
    }

    public func identity(at path: ListIndexPath) throws -> [Value] { try identityValues(at: path).values }

    package func identityValues(at path: ListIndexPath) throws -> RowValues {
        let (list, path) = try shown(path)
        return try list.identityValues(at: path)
    }

    /// The list that shows a row, and the row's place in it.
    private func shown(_ path: ListIndexPath) throws -> (list: any NotifyingList, path: ListIndexPath) {
        guard let (list, section) = try shownList(ofSection: path.section) else {
            throw StoreError.outOfRange("row \(path.row) of section \(path.section)", count: 0)
        }
        return (list, ListIndexPath(section: section, row: path.row))
    }

    /// The present place of an object; nil if it is not in the collection. If several children show
    /// its row, it is the place in the one in which the object was read. O(log n); O(children) if
    /// that one does not show it any more.
    public func indexPath(of object: FetchedObject) throws -> ListIndexPath? {
        try checkFetched()
        if let shown = place(of: object.layout.owner as? Announcer), let path = try shown.list.indexPath(of: object) {
            return path.shifted(shown.first)
        }
        return try find { try $0.indexPath(of: object) }
    }

    /// The list of an announcer, anywhere in the collection, and the number of its first section;
    /// nil if it is not shown.
    private func place(of announcer: Announcer?) -> (list: any NotifyingList, first: Int)? {
        for case let child as CollectionChild in announcer?.places ?? [] {
            guard let collection = child.collection, let list = child.list, child.isShown, collection.isFetched else {
                continue
            }
            let first = collection.firstSection(of: child)
            if collection === self { return (list, first) }
            if let outer = self.place(of: collection.announcer) { return (list, outer.first + first) }
        }
        return nil
    }

    /// The present place of the row with an identity, in the first child that shows one; nil if
    /// none does. O(children).
    public func indexPath(ofIdentity identity: [Value]) throws -> ListIndexPath? {
        try checkFetched()
        return try find { try $0.indexPath(ofIdentity: identity) }
    }

    /// Queries one child after another. Children of other entities fail because they can't have
    /// such an object or identity.
    private func find(_ path: (any NotifyingList) throws -> ListIndexPath?) throws -> ListIndexPath? {
        for child in children where child.isShown && child.shownPlaceholder == nil {
            do {
                if let found = try child.read(path) { return found.shifted(firstSection(of: child)) }
            } catch let error as StoreError where error.status == .type || error.status == .range {
                continue
            }
        }
        return nil
    }

    public func indexPath(at index: Int) throws -> ListIndexPath {
        try checkFetched()
        guard let found = tree.find(secondOffset: index), let child = child(found.handle), let list = child.list else {
            throw StoreError.outOfRange("object \(index)", count: tree.totals.second)
        }
        return try list.indexPath(at: found.offset).shifted(firstSection(of: child))
    }

    public func index(of path: ListIndexPath) throws -> Int {
        let (child, section) = try shownChild(ofSection: path.section)
        guard let list = child.list, child.shownPlaceholder == nil else {
            throw StoreError.outOfRange("row \(path.row) of section \(path.section)", count: 0)
        }
        return try tree.weightsBefore(child.handle).second
            + list.index(of: ListIndexPath(section: section, row: path.row))
    }

    /// The children's index titles, one after another: a title that two of them have appears twice.
    public var sectionIndexTitles: [String] { get throws { try shownIndexTitles().titles } }

    public func section(forIndexTitle title: String, at index: Int) throws -> Int? {
        guard let place = try shownIndexTitles().place(ofTitle: title, at: index), place.child.isShown else {
            return nil
        }
        let first = firstSection(of: place.child)
        if place.child.shownPlaceholder != nil { return first }
        return try place.child.list?.section(forIndexTitle: title, at: place.index).map { $0 + first }
    }

    private func shownIndexTitles() throws -> IndexTitles<(child: CollectionChild, index: Int)> {
        try checkFetched()
        if let indexTitles { return indexTitles }
        var titles = IndexTitles<(child: CollectionChild, index: Int)>()
        for child in children where child.isShown {
            let own =
                if let placeholder = child.shownPlaceholder {
                    [placeholder.indexTitle].compactMap(\.self)
                } else {
                    try child.read { try $0.sectionIndexTitles } ?? []
                }
            for (index, title) in own.enumerated() { titles.append(title, (child, index)) }
        }
        indexTitles = titles
        return titles
    }
}
