internal import SQLiteKit

/// What the objects of one fetch have in common: their entity and the names of their columns.
package final class ObjectLayout: @unchecked Sendable {
    package let entity: String
    package let columns: [String]
    /// The list that shows the objects, as long as it does by this layout; it clears this itself. Not weak, as objects with
    /// weak references count all others more slowly.
    unowned(unsafe) var list: FetchedResultsController?
    /// What a language binding keeps beside it.
    package var attachment: AnyObject?

    init(entity: String, columns: [String]) {
        self.entity = entity
        self.columns = columns
    }

    /// The number of a column; names are compared as SQLite does.
    func index(of column: String) -> Int? { columns.firstIndex { isSameName($0, column) } }
}
