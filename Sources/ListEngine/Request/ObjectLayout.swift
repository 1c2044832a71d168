internal import SQLiteKit

/// What the objects of one fetch have in common: their entity and the names of their columns.
package final class ObjectLayout: @unchecked Sendable {
    package let entity: String
    package let columns: [String]
    /// What shows the objects, as long as it does by this layout.
    package weak var owner: AnyObject?
    /// What a language binding keeps beside it.
    package var attachment: AnyObject?

    package init(entity: String, columns: [String]) {
        self.entity = entity
        self.columns = columns
    }

    /// The number of a column; names are compared as SQLite does.
    func index(of column: String) -> Int? { columns.firstIndex { isSameName($0, column) } }
}
