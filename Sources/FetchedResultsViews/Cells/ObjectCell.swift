public import FetchedResults

/// A cell that configures itself when it is given its object.
public protocol ObjectCell: AnyObject {
    var object: FetchedObject? { get set }
}

extension CellConfigurator where Item == FetchedObject, Cell: ObjectCell {
    public func configure(_ cell: Cell, with item: FetchedObject, at path: ListIndexPath) { cell.object = item }
}

/// A cell that shows named columns of its object, in the order in which they are named.
open class ColumnCell: ObjectCell {
    public let columns: [String]

    public init(columns: [String]) { self.columns = columns }

    public var object: FetchedObject? { didSet { show() } }

    /// By column: its value; nil if the object does not show it, or there is none.
    public var values: [Value?] { columns.map { column in object.flatMap { $0[column] } } }

    /// By column: its value as text; "" for NULL and where there is no value.
    public var texts: [String] { values.map { $0?.castToText ?? "" } }

    /// Called when the cell was given another object: the place to draw `texts`.
    open func show() {}
}
