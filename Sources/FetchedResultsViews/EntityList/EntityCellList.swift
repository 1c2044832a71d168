public import FetchedResults

/// An entity list in a view with cells, be it a table or a grid: it is the view's data source as well, and configures
/// cells. Of these, cells that configure themselves (`ObjectCell`) need nothing; for others there is `configure` to
/// implement.
public protocol EntityCellList: EntityList, CellConfigurator where Item == FetchedObject {
    /// The program's type of views with cells.
    associatedtype View: CellView<Cell>

    /// The view, which should not be kept.
    var cellView: View? { get }
}

extension EntityCellList {
    public var listView: (any CoordinatedView)? { cellView as? any CoordinatedView }
    /// `cellReuseIdentifier`, for every row.
    public func reuseIdentifier(for item: FetchedObject, at path: ListIndexPath) -> String { cellReuseIdentifier }

    public var updatesCells: Bool { true }

    /// Configures the cell of a row again if that is in sight, and else does nothing.
    public func updateCell(at path: ListIndexPath, with object: FetchedObject) {
        guard let cell = cellView?.visibleCell(at: path) else { return }
        configure(cell, with: object, at: path)
    }

    /// A cell for a row, taken from the view and configured; nil without a view.
    public func cell(at path: ListIndexPath) throws -> Cell? {
        guard let cellView else { return nil }
        return try entityListState.items.cell(at: path, in: cellView, self)
    }

    /// A table's data source for headers and an index besides.
    public func makeTableDataSource() -> TableDataSource<ListItems, Self> {
        TableDataSource(entityListState.items, configurator: self)
    }
}
