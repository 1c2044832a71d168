internal import SQLiteKit

/// A new state of a list that is prepared but not shown yet.
struct PendingUpdate {
    enum Form {
        /// The list was edited in place; `isReverted` while the edits are taken back for someone who looks.
        case edit(ListEdit, isReverted: Bool)
        /// The list was read anew.
        case replacement(List)
    }

    var form: Form
    let changes: ListChanges
    /// The contents that touched rows have now.
    let contents: [Int64: Record]
    /// Rows that are not in the list any more.
    let deleted: [Int64]
    /// What to use from now on, if the request or the schema changed.
    var request: FetchRequest?
    var compiled: CompiledRequest?
}
