public import FetchedResults

/// The rows of a list (a controller, a section map or a collection): its objects, or, for another
/// `Item`, what is decoded from them.
///
/// A decoded row is found by its identity: its type is `Identifiable`, and `id` is the row's key,
/// as an integer, a `String`, a `Value` or, for a composite key, an array of `Value`.
public final class ListItems<Item>: ItemSource {
    /// nil to show nothing.
    public var list: (any LiveList)?
    let decoding: ItemDecoding<Item>

    init(_ list: (any LiveList)?, _ decoding: ItemDecoding<Item>) {
        self.list = list
        self.decoding = decoding
    }

    /// The list, if it can be read.
    private var readable: (any LiveList)? { list.flatMap { (try? $0.numberOfSections) == nil ? nil : $0 } }

    public var numberOfSections: Int { (try? list?.numberOfSections) ?? 1 }

    public func numberOfRows(inSection section: Int) -> Int { (try? list?.numberOfObjects(inSection: section)) ?? 0 }

    /// The row at a path. Throws `range` for a path that does not exist, what reading the object
    /// throws, and what decoding it throws.
    public func item(at path: ListIndexPath) throws -> Item { try decoding.read(object(at: path)) }

    /// The object at a path, whatever rows are decoded as.
    public func object(at path: ListIndexPath) throws -> FetchedObject {
        guard let readable else { throw notThere(path) }
        return try readable.object(at: path)
    }

    private func notThere(_ path: ListIndexPath) -> StoreError {
        StoreError(.range, "row \(path.row) of section \(path.section) is out of range: the list is not fetched")
    }

    /// The path of a row; nil if the list does not have it. Throws `misuse` for a decoded row that
    /// is not `Identifiable`.
    public func indexPath(of item: Item) throws -> ListIndexPath? {
        try readable.flatMap { try decoding.path(item, $0) }
    }

    public func sectionName(_ section: Int) -> String? { try? list?.section(at: section).name }

    /// The totals of a section; nil for a collection, and for a list that can't be read.
    public func sectionTotals(_ section: Int) -> FetchedObject? {
        try? (list as? FetchedResultsController)?.totals(ofSection: section)
    }

    public var sectionIndexTitles: [String] { (try? list?.sectionIndexTitles) ?? [] }

    public func section(forIndexTitle title: String, at index: Int) -> Int? {
        (try? list?.section(forIndexTitle: title, at: index)) ?? nil
    }

    public var numberOfItems: Int { (try? list?.numberOfObjects) ?? 0 }
    public func indexPath(at index: Int) -> ListIndexPath? { try? list?.indexPath(at: index) }
    public func index(of path: ListIndexPath) -> Int? { try? list?.index(of: path) }
}

extension ListItems where Item == FetchedObject {
    /// The objects of a list; of none for nil.
    public convenience init(_ list: (any LiveList)?) { self.init(list, .objects) }
}

extension ListItems where Item: Decodable {
    /// The rows of a list, decoded as `FetchedObject.decode` does; of none for nil.
    public convenience init(_ list: (any LiveList)?) { self.init(list, .decoded) }
}
