public import FetchedResults

/// The identifier of cells for which none is named.
public let defaultReuseIdentifier = "managedObjectCell"

/// A view that lends cells, which it uses again when they are out of sight.
public protocol CellView<Cell>: AnyObject {
    /// The program's type of cells.
    associatedtype Cell

    /// A cell of a kind, used before or new.
    func dequeueCell(_ identifier: String, at path: ListIndexPath) -> Cell
    /// The cell that shows a row now; nil if it is out of sight.
    func visibleCell(at path: ListIndexPath) -> Cell?
}

/// Who knows what a cell shows of an item.
public protocol CellConfigurator<Item, Cell>: AnyObject {
    /// What the cells show, such as `FetchedObject`.
    associatedtype Item
    /// The program's type of cells.
    associatedtype Cell

    /// Which kind of cell an item wants: "managedObjectCell" by default.
    func reuseIdentifier(for item: Item, at path: ListIndexPath) -> String
    /// Has a cell show an item. By default, an `ObjectCell` is given its object.
    ///
    /// - Parameters:
    ///   - cell: A new cell, or one that showed another item before.
    ///   - item: What to show.
    ///   - path: Where the item is.
    func configure(_ cell: Cell, with item: Item, at path: ListIndexPath)
}

extension CellConfigurator {
    public func reuseIdentifier(for item: Item, at path: ListIndexPath) -> String { defaultReuseIdentifier }

    /// A function for a coordinator's `updateCell`: it configures the cell of a row again if that is in sight, and else
    /// does nothing. Keeps neither the view nor this.
    public func makeUpdateVisibleCell(_ view: some CellView<Cell>) -> (ListIndexPath, Item) -> Void {
        { [weak self, weak view] path, item in
            guard let cell = view?.visibleCell(at: path) else { return }
            self?.configure(cell, with: item, at: path)
        }
    }
}

/// A cell that configures itself when it is given its object.
public protocol ObjectCell: AnyObject {
    /// The object that the cell shows; nil for none. Setting it has the cell show the new one.
    var object: FetchedObject? { get set }
}

extension CellConfigurator where Item == FetchedObject, Cell: ObjectCell {
    /// Gives the cell its object.
    public func configure(_ cell: Cell, with item: FetchedObject, at path: ListIndexPath) { cell.object = item }
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

    /// Called when the cell was given another object: the place to draw `texts`.
    open func show() {}
}
