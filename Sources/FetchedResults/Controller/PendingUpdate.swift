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
    let contents: RowTable<RowContents>
}
