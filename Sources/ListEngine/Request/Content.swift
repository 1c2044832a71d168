internal import SQLiteKit

/// The columns that the objects of a request show.
struct Content {
    let columns: [KeyPath]
    /// The names of the columns, as the request wrote them.
    let columnNames: [String]
    /// The numbers in the entity's table of all columns, if all are the entity's own.
    let imageColumns: [Int]?
    /// Whether these are the first columns of the table, in their order.
    let isBeginningOfImage: Bool
    /// Where they begin in the rows of `TouchedReaders.members`.
    let firstColumn: Int
    let reader: RowReader

    init(columns: [(name: String, keyPath: KeyPath)], firstColumn: Int, reader: RowReader) {
        self.columns = columns.map { $0.keyPath }
        self.firstColumn = firstColumn
        self.reader = reader
        columnNames = columns.map { $0.name }
        let tableColumns = self.columns.compactMap(\.tableColumn)
        imageColumns = tableColumns.count == columns.count ? tableColumns : nil
        isBeginningOfImage = imageColumns?.elementsEqual(0..<columns.count) ?? false
    }

    /// Whether both have the same columns, spelled the same.
    func hasColumns(of other: Content) -> Bool {
        columnNames.elementsEqual(other.columnNames) { ExactText($0) == ExactText($1) }
    }
}

extension RequestPlan {
    /// The content that an old image of a row has; nil if it lacks a part of it.
    func content(ofImage image: RowValues) -> RowValues? {
        guard let columns = content.imageColumns, image.count == entity.columns.count else { return nil }
        if content.isBeginningOfImage, columns.count == image.count { return image }
        return RowValues(image, columns: columns)
    }
}

/// The common properties of the objects of one fetch: their entity and the names of their columns.
package final class ObjectLayout: @unchecked Sendable {
    package let entity: String
    package let columns: [String]
    private let ownerReference: BackReference<AnyObject>?
    /// The owner of the objects, as long as it exists.
    package var owner: AnyObject? { ownerReference?.target }
    /// The object that a language binding stores with it.
    package var attachment: AnyObject?

    /// - Parameter owner: nil for objects that no list owns.
    package init(entity: String, columns: [String], owner: BackReference<AnyObject>? = nil) {
        self.entity = entity
        self.columns = columns
        ownerReference = owner
    }

    /// The number of a column; names are compared as SQLite does.
    func index(of column: String) -> Int? { columns.firstIndex { isSameName($0, column) } }
}
