public import SQLiteKit

/// An immutable picture of one row: its identity and the values of its columns. The values of a
/// deleted row may be unknown, if the program never received them.
public final class FetchedObject: @unchecked Sendable {
    /// The rowid, where it is the identity.
    private let rowid: Int64
    /// Nil where the rowid is the identity.
    private let key: RowValues?
    package let content: RowValues?
    package let layout: ObjectLayout

    init(rowid: Int64, content: RowValues?, layout: ObjectLayout) {
        self.rowid = rowid
        key = nil
        self.content = content
        self.layout = layout
    }

    package init(key: RowValues, content: RowValues?, layout: ObjectLayout) {
        rowid = 0
        self.key = key
        self.content = content
        self.layout = layout
    }

    /// Its text and blobs live as long as the object.
    package var identityValues: RowValues { key ?? RowValues([.integer(rowid)]) }

    /// The rowid, where it is the identity.
    package var identityRowid: Int64? { key == nil ? rowid : nil }

    /// The table or view, with its database unless that is "main".
    public var entity: String { layout.entity }
    /// The values of the primary key, in its order; the rowid where there is no key. For a row
    /// whose key holds NULL, a NULL for each column of the key, then the rowid.
    public var identity: [Value] { identityValues.values }
    /// The columns and key paths shown.
    public var columns: [String] { layout.columns }
    /// The values of the columns; nil if they are not known.
    public var values: [Value]? { content?.values }

    /// The number of a column; nil if it is not shown.
    public func index(of column: String) -> Int? { layout.index(of: column) }

    /// The value of a column; nil if it is not shown or not known.
    public subscript(column: String) -> Value? { index(of: column).flatMap { self[$0] } }

    /// The value of a column by its number; nil if it is not shown or not known.
    public subscript(index: Int) -> Value? { columns.indices.contains(index) ? content?.value(index) : nil }
}

extension FetchedObject: CustomStringConvertible {
    /// Entity, identity, and the known values with their columns in one line, for a log.
    public var description: String {
        "\(entity) \(identity): " + zip(columns, values ?? []).map { "\($0): \($1)" }.joined(separator: ", ")
    }
}
