public import FetchedResults

/// The items of another source, of all its sections, as the one section of a picker. If requested,
/// a blank first row represents no item.
public final class PickerItems<Items: ItemSource>: ItemSource {
    /// The items that the picker offers.
    public let items: Items
    /// Whether the first row is blank.
    public let hasBlankRow: Bool

    /// The rows of a picker.
    ///
    /// - Parameters:
    ///   - items: The items that the picker offers.
    ///   - hasBlankRow: Whether a blank row precedes them.
    public init(_ items: Items, hasBlankRow: Bool = false) {
        self.items = items
        self.hasBlankRow = hasBlankRow
    }

    private var blankRows: Int { hasBlankRow ? 1 : 0 }

    /// Always 1.
    public var numberOfSections: Int { 1 }
    /// The number of items, and one more with a blank row.
    public var numberOfRows: Int { items.numberOfItems + blankRows }
    public func numberOfRows(inSection section: Int) -> Int { section == 0 ? numberOfRows : 0 }

    /// The item of a row; nil for the blank one.
    public func item(atRow row: Int) throws -> Items.Item? {
        if hasBlankRow, row == 0 { return nil }
        guard row >= 0, let path = items.indexPath(at: row - blankRows) else {
            throw StoreError(.range, "row \(row) is out of range: the number of rows is \(numberOfRows)")
        }
        return try items.item(at: path)
    }

    public func item(at path: ListIndexPath) throws -> Items.Item? {
        guard path.section == 0 else { throw StoreError(.range, "section \(path.section) is out of range: there is 1") }
        return try item(atRow: path.row)
    }

    /// The row of an item, or the blank row for nil; nil if there is no such row.
    public func row(of item: Items.Item?) throws -> Int? {
        guard let item else { return hasBlankRow ? 0 : nil }
        return try items.indexPath(of: item).flatMap { items.index(of: $0) }.map { $0 + blankRows }
    }

    public func indexPath(of item: Items.Item?) throws -> ListIndexPath? {
        try row(of: item).map { ListIndexPath(section: 0, row: $0) }
    }
}

/// Supplies what a picker asks for: the number of rows, and their titles.
public final class PickerDataSource<Items: ItemSource> {
    /// The items in the rows.
    public let rows: PickerItems<Items>
    private let title: (Items.Item) -> String

    /// - Parameter title: The title of an item; the blank row has an empty one.
    public init(_ items: Items, hasBlankRow: Bool = false, title: @escaping (Items.Item) -> String) {
        rows = PickerItems(items, hasBlankRow: hasBlankRow)
        self.title = title
    }

    /// A data source of a list.
    ///
    /// - Parameter title: The title of an object; the blank row has an empty one.
    public convenience init(
        list: any LiveList, hasBlankRow: Bool = false, title: @escaping (FetchedObject) -> String
    ) where Items == ListItems<FetchedObject> {
        self.init(ListItems(list), hasBlankRow: hasBlankRow, title: title)
    }

    /// A data source of a list whose rows are decoded.
    ///
    /// - Parameter title: The title of a row; the blank row has an empty one.
    public convenience init<Row: Decodable>(
        list: any LiveList, hasBlankRow: Bool = false, title: @escaping (Row) -> String
    ) where Items == ListItems<Row> {
        self.init(ListItems(list), hasBlankRow: hasBlankRow, title: title)
    }

    /// The number of rows, the blank one included.
    public var numberOfRows: Int { rows.numberOfRows }
    /// The title of a row; "" for the blank one. Throws `range` for a row that does not exist.
    public func title(forRow row: Int) throws -> String { try rows.item(atRow: row).map(title) ?? "" }
}
