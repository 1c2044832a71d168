public import FetchedResults

/// The identifier of cells for which the program names none.
public let defaultReuseIdentifier = "managedObjectCell"

/// A view that supplies cells and reuses cells that are out of sight.
public protocol CellView<Cell>: AnyObject {
    /// The program's type of cells.
    associatedtype Cell

    /// A cell with an identifier, reused or new.
    func dequeueCell(_ identifier: String, at path: ListIndexPath) -> Cell
    /// The cell that shows a row now; nil if it is out of sight.
    func visibleCell(at path: ListIndexPath) -> Cell?
}

/// Configures cells: it determines what a cell shows of an item.
public protocol CellConfigurator<Item, Cell>: AnyObject {
    /// What the cells show: `FetchedObject`, or a type of the program.
    associatedtype Item
    /// The program's type of cells.
    associatedtype Cell

    /// The identifier of the cell for an item: "managedObjectCell" by default.
    func reuseIdentifier(for item: Item, at path: ListIndexPath) -> String
    /// Makes a cell show an item. By default, it sets the object of an `ObjectCell`.
    ///
    /// - Parameters:
    ///   - cell: A new cell, or one that showed another item before.
    ///   - item: The item to show.
    ///   - path: Where the item is.
    func configure(_ cell: Cell, with item: Item, at path: ListIndexPath)
}

extension CellConfigurator {
    public func reuseIdentifier(for item: Item, at path: ListIndexPath) -> String { defaultReuseIdentifier }

    /// A function for a coordinator's `updateCell`: it configures the cell of a row again if the
    /// cell is in sight, and otherwise does nothing. It retains neither the view nor the
    /// configurator.
    public func makeUpdateVisibleCell(_ view: some CellView<Cell>) -> (ListIndexPath, Item) -> Void {
        { [weak self, weak view] path, item in
            guard let cell = view?.visibleCell(at: path) else { return }
            self?.configure(cell, with: item, at: path)
        }
    }
}

/// A cell that configures itself when its object is set.
public protocol ObjectCell<Object>: AnyObject {
    /// `FetchedObject`, or the program's type of rows.
    associatedtype Object

    /// The item that the cell shows; nil for none. Setting it makes the cell show it.
    var object: Object? { get set }
}

extension CellConfigurator where Cell: ObjectCell, Item == Cell.Object {
    /// Sets the object of the cell.
    public func configure(_ cell: Cell, with item: Item, at path: ListIndexPath) { cell.object = item }
}

/// A cell that shows named columns of its object, in the order in which they are named.
open class ColumnCell: ObjectCell {
    /// The columns that the cell shows, in order.
    public let columns: [String]

    /// A cell without an object.
    public init(columns: [String]) { self.columns = columns }

    /// The object that the cell shows; nil for none. Setting it calls `show`.
    public var object: FetchedObject? { didSet { show() } }

    /// By column: its value; nil if the object does not show it, or there is none.
    public var values: [Value?] { columns.map { column in object.flatMap { $0[column] } } }

    /// By column: its value as text; "" for NULL and where there is no value.
    public var texts: [String] { values.map { $0?.castToText ?? "" } }

    /// Called after the cell's object was set: the place to draw `texts`.
    open func show() {}
}
