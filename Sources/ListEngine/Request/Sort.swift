/// One criterion of an order: a column, or a key path through foreign keys.
public struct Sort: Hashable, Sendable {
    public enum Nulls: Hashable, Sendable {
        case first
        case last
    }

    public var keyPath: String
    public var isDescending: Bool
    /// Where NULLs stand; nil for SQLite's place: first ascending, last descending.
    public var nulls: Nulls?
    /// The name of a collation; nil for the column's own.
    public var collation: String?

    public init(_ keyPath: String, isDescending: Bool = false, nulls: Nulls? = nil, collation: String? = nil) {
        self.keyPath = keyPath
        self.isDescending = isDescending
        self.nulls = nulls
        self.collation = collation
    }
}
