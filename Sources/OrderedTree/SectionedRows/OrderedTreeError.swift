/// Why an operation was refused. Nothing has changed then.
package enum OrderedTreeError: Error, Equatable, Sendable {
    /// The index already holds a row with this id.
    case duplicateRow(Int64)
    /// The row would stand out of order where it was put.
    case outOfOrder(Int64)
    /// The resolved key of this row is not the one under which it stands in the index.
    case keyChanged(Int64)
    /// The index holds no row with this id.
    case unknownRow(Int64)
    /// Too little is known of this row's key: it was detached from an index without keys, or the
    /// index itself holds none.
    case unknownKey(Int64)
}
