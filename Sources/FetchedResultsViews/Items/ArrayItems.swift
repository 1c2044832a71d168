public import FetchedResults

/// A fixed array, as one section.
public final class ArrayItems<Item>: ItemSource {
    /// The items, in order.
    public let items: [Item]
    private let isSame: (Item, Item) -> Bool

    /// The items of an array.
    ///
    /// - Parameter isSame: Whether two items are the same one, for `indexPath(of:)`.
    public init(_ items: [Item], isSame: @escaping (Item, Item) -> Bool) {
        self.items = items
        self.isSame = isSame
    }

    /// Always 1.
    public var numberOfSections: Int { 1 }
    public func numberOfRows(inSection section: Int) -> Int { section == 0 ? items.count : 0 }

    public func item(at path: ListIndexPath) throws -> Item {
        guard path.section == 0, items.indices.contains(path.row) else {
            throw StoreError(
                .range,
                "row \(path.row) of section \(path.section) is out of range: the number of rows is \(items.count)")
        }
        return items[path.row]
    }

    /// - Complexity: O(n).
    public func indexPath(of item: Item) -> ListIndexPath? {
        items.firstIndex { isSame($0, item) }.map { ListIndexPath(section: 0, row: $0) }
    }
}

extension ArrayItems where Item: Equatable {
    /// The items of an array, which are the same if they are equal.
    public convenience init(_ items: [Item]) { self.init(items, isSame: ==) }
}

extension ArrayItems where Item == FetchedObject {
    /// Objects are the same if they are of one entity and have one identity.
    public convenience init(_ objects: [FetchedObject]) {
        self.init(objects) { $0 === $1 || $0.entity == $1.entity && $0.identity == $1.identity }
    }
}
