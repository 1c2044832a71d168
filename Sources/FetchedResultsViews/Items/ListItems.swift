public import FetchedResults

/// The objects of a list: a controller, a section map or a collection.
public final class ListItems: ItemSource {
    /// nil to show nothing.
    public var list: (any LiveList)?

    /// The objects of a list; of none for nil.
    public init(_ list: (any LiveList)?) { self.list = list }

    /// The list, if it can be read.
    private var readable: (any LiveList)? { list.flatMap { (try? $0.numberOfSections) == nil ? nil : $0 } }

    public var numberOfSections: Int { (try? list?.numberOfSections) ?? 1 }

    public func numberOfRows(inSection section: Int) -> Int { (try? list?.numberOfObjects(inSection: section)) ?? 0 }

    public func item(at path: ListIndexPath) throws -> FetchedObject {
        guard let readable else { throw notThere(path) }
        return try readable.object(at: path)
    }

    private func notThere(_ path: ListIndexPath) -> StoreError {
        StoreError(.range, "row \(path.row) of section \(path.section) is out of range: the list is not fetched")
    }

    public func indexPath(of object: FetchedObject) throws -> ListIndexPath? { try readable?.indexPath(of: object) }

    public func sectionName(_ section: Int) -> String? { try? list?.section(at: section).name }

    public var sectionIndexTitles: [String] { (try? list?.sectionIndexTitles) ?? [] }

    public func section(forIndexTitle title: String, at index: Int) -> Int? {
        (try? list?.section(forIndexTitle: title, at: index)) ?? nil
    }

    public var numberOfItems: Int { (try? list?.numberOfObjects) ?? 0 }
    public func indexPath(at index: Int) -> ListIndexPath? { try? list?.indexPath(at: index) }
    public func index(of path: ListIndexPath) -> Int? { try? list?.index(of: path) }
}
