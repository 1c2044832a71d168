public import SQLiteKit

/// An immutable picture of one row: its identity and the values of its columns.
public final class FetchedObject: @unchecked Sendable {
    package let identityRecord: Record
    package let content: Record
    private let layout: ObjectLayout

    init(identity: Record, content: Record, layout: ObjectLayout) {
        identityRecord = identity
        self.content = content
        self.layout = layout
    }

    /// The table or view, with its database unless that is "main".
    public var entity: String { layout.entity }
    /// The values of the primary key, in its order; the rowid where there is no key.
    public var identity: [Value] { identityRecord.values }
    /// The columns and key paths shown.
    public var columns: [String] { layout.columns }
    public var values: [Value] { content.values }

    /// The number of a column; nil if it is not shown.
    public func index(of column: String) -> Int? { layout.index(of: column) }

    /// The value of a column; nil if it is not shown.
    public subscript(column: String) -> Value? { index(of: column).map(content.value) }

    /// The value of a column by its number, which must be in `columns.indices`.
    public subscript(index: Int) -> Value { content.value(index) }
}

extension FetchedObject: CustomStringConvertible {
    public var description: String {
        "\(entity) \(identity): " + zip(columns, values).map { "\($0): \($1)" }.joined(separator: ", ")
    }
}
