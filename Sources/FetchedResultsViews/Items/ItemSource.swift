// A program that shows lists in views also needs the names of the lists' module.
@_exported public import FetchedResults

/// The items of a data source, in sections, from a list of a store or a fixed array.
///
/// A view can read it at any time: a list that is not fetched, or whose store is closed, has one
/// section without rows.
public protocol ItemSource<Item>: AnyObject {
    /// What a row shows: `FetchedObject`, or a type of the program.
    associatedtype Item

    /// The number of sections; 1 for a list that can't be read.
    var numberOfSections: Int { get }
    /// The number of items in a section; 0 for a section that does not exist.
    func numberOfRows(inSection section: Int) -> Int
    /// The item at a path. Throws `range` for a path that does not exist.
    func item(at path: ListIndexPath) throws -> Item
    /// The path of an item; nil if it is not among the items.
    func indexPath(of item: Item) throws -> ListIndexPath?

    /// The title of a section; nil if it has none or does not exist.
    func sectionName(_ section: Int) -> String?
    /// The totals of a section, by name; nil if there are none.
    func sectionTotals(_ section: Int) -> FetchedObject?
    /// The titles of an index of the sections; empty without an index.
    var sectionIndexTitles: [String] { get }
    /// The first section with an index title, given with its number among all; nil if there is
    /// none.
    func section(forIndexTitle title: String, at index: Int) -> Int?

    /// The number of items in all sections.
    var numberOfItems: Int { get }
    /// The path of the item with a number over all sections; nil if it does not exist.
    func indexPath(at index: Int) -> ListIndexPath?
    /// The number over all sections of the item at a path; nil if it does not exist.
    func index(of path: ListIndexPath) -> Int?
}

extension ItemSource {
    public func sectionName(_ section: Int) -> String? { nil }
    public func sectionTotals(_ section: Int) -> FetchedObject? { nil }
    public var sectionIndexTitles: [String] { [] }
    public func section(forIndexTitle title: String, at index: Int) -> Int? { nil }

    public var numberOfItems: Int { (0..<numberOfSections).reduce(0) { $0 + numberOfRows(inSection: $1) } }

    public func indexPath(at index: Int) -> ListIndexPath? {
        guard index >= 0 else { return nil }
        var row = index
        for section in 0..<numberOfSections {
            let count = numberOfRows(inSection: section)
            if row < count { return ListIndexPath(section: section, row: row) }
            row -= count
        }
        return nil
    }

    public func index(of path: ListIndexPath) -> Int? {
        guard 0..<numberOfSections ~= path.section, 0..<numberOfRows(inSection: path.section) ~= path.row else {
            return nil
        }
        return (0..<path.section).reduce(path.row) { $0 + numberOfRows(inSection: $1) }
    }
}
