internal import CFetchedResults
internal import ChangeSets
internal import FetchedResults
internal import FetchedResultsViews
internal import SQLiteKit

/// A data source of any kind of items.
final class DataSourceBox {
    let items: AnyItems
    let table: TableDataSource<AnyItems, CellsAdapter>
    let grid: CollectionDataSource<AnyItems, CellsAdapter, CellsAdapter>
    let cells: CellsAdapter
    /// Strings that were lent until the list changes, by their text.
    private var lent = LentStrings()
    private var version = 0

    init(_ items: AnyItems, _ cells: CellsAdapter) {
        self.items = items
        self.cells = cells
        table = unsafe TableDataSource(items, configurator: cells)
        grid = unsafe CollectionDataSource(items, configurator: cells, supplements: cells)
    }

    deinit { end() }

    /// Ends all callbacks.
    func end() { cells.end() }

    /// A text that lives until the list changes.
    func lend(_ text: String) -> UnsafePointer<CChar> {
        let now = items.list?.version ?? 0
        if version != now {
            version = now
            lent = LentStrings()
        }
        return unsafe lent.lend(text).pointer
    }

    /// The number of a section that exists.
    func section(_ section: Int64) throws -> Int { try checked(section, below: items.numberOfSections, "section") }
}

/// The items of a list, an array or a picker; nil is the blank row of a picker.
final class AnyItems: ItemSource {
    private let base: any ItemSource
    private let itemAt: (ListIndexPath) throws -> FetchedObject?
    private let pathOf: (FetchedObject?) throws -> ListIndexPath?
    private let lists: ListItems<FetchedObject>?

    /// The list that is shown, if it is one.
    var list: (any LiveList)? { lists?.list }

    convenience init(_ list: ListItems<FetchedObject>) { self.init(list, list) }
    convenience init(_ objects: [FetchedObject]) { self.init(ArrayItems(objects), nil) }

    /// Items that are never nil.
    private init(_ items: some ItemSource<FetchedObject>, _ lists: ListItems<FetchedObject>?) {
        base = items
        itemAt = { try items.item(at: $0) }
        pathOf = { try $0.flatMap { try items.indexPath(of: $0) } }
        self.lists = lists
    }

    init(picker list: ListItems<FetchedObject>, hasBlankRow: Bool) {
        let items = PickerItems(list, hasBlankRow: hasBlankRow)
        base = items
        itemAt = { try items.item(at: $0) }
        pathOf = { try items.indexPath(of: $0) }
        lists = list
    }

    var numberOfSections: Int { base.numberOfSections }
    func numberOfRows(inSection section: Int) -> Int { base.numberOfRows(inSection: section) }
    func item(at path: ListIndexPath) throws -> FetchedObject? { try itemAt(path) }
    func indexPath(of item: FetchedObject?) throws -> ListIndexPath? { try pathOf(item) }
    func sectionName(_ section: Int) -> String? { base.sectionName(section) }
    func sectionTotals(_ section: Int) -> FetchedObject? { base.sectionTotals(section) }
    var sectionIndexTitles: [String] { base.sectionIndexTitles }
    func section(forIndexTitle title: String, at index: Int) -> Int? { base.section(forIndexTitle: title, at: index) }
}

/// A path of the caller as one of the core, if it fits.
func path(_ path: fr_index_path) throws -> ListIndexPath {
    guard let section = Int32(exactly: path.section), let row = Int32(exactly: path.row) else {
        throw StoreError(.range, "index path (\(path.section), \(path.row)) is out of range")
    }
    return ListIndexPath(section: Int(section), row: Int(row))
}

/// Objects of the caller.
func objects(_ pointer: UnsafePointer<OpaquePointer?>?, _ count: Int) throws -> [FetchedObject] {
    unsafe try array(pointer, count, "objects").map { try object($0) }
}
