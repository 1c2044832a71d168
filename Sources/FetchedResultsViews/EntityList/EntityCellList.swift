public import FetchedResults

/// An entity list in a view with cells, such as a table or a grid: it is the view's data source as
/// well, and configures its cells. Cells that configure themselves (`ObjectCell`) need nothing
/// more; for other cells the program implements `configure`.
public protocol EntityCellList: EntityList, CellConfigurator {
    /// The program's type of views with cells.
    associatedtype View: CellView<Cell>

    /// The view; it should be a weak property.
    var cellView: View? { get }
}

extension EntityCellList {
    public var listView: (any CoordinatedView)? { cellView as? any CoordinatedView }
    /// The identifier of every row's cell: `cellReuseIdentifier`.
    public func reuseIdentifier(for item: Item, at path: ListIndexPath) -> String { cellReuseIdentifier }

    public var updatesCells: Bool { true }

    /// Configures the cell of a row again if the cell is in sight, and otherwise does nothing.
    public func updateCell(at path: ListIndexPath, with item: Item) {
        guard let cell = cellView?.visibleCell(at: path) else { return }
        configure(cell, with: item, at: path)
    }

    /// A cell for a row, taken from the view and configured; nil without a view.
    public func cell(at path: ListIndexPath) throws -> Cell? {
        guard let cellView else { return nil }
        return try entityListState.items.cell(at: path, in: cellView, self)
    }

    /// A data source for a table that shows headers and an index as well.
    public func makeTableDataSource() -> TableDataSource<ListItems<Item>, Self> {
        TableDataSource(entityListState.items, configurator: self)
    }

    /// A data source for a collection view without supplementary views.
    public func makeCollectionDataSource() -> CollectionDataSource<ListItems<Item>, Self, NoSupplements> {
        CollectionDataSource(entityListState.items, configurator: self)
    }

    /// A data source for a collection view with supplementary views, whose configurator can be the
    /// list itself.
    public func makeCollectionDataSource<Supplements>(
        supplements: Supplements
    ) -> CollectionDataSource<ListItems<Item>, Self, Supplements> {
        CollectionDataSource(entityListState.items, configurator: self, supplements: supplements)
    }
}
