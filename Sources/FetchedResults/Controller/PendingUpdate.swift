internal import ChangeSets

/// A new state of a list that is prepared but not shown yet.
struct PendingUpdate {
    enum Form {
        /// The list was edited in place; `isReverted` while the edits are taken back for someone who looks.
        case edit(ListEdit, isReverted: Bool)
        /// The list was read anew.
        case replacement(List)
    }

    var form: Form
    let changes: ControllerChanges
    let contents: RowTable<RowContents>
    /// What the change set was made of, where a section map wants to know.
    let touched: [TouchedRow]
    /// In a section map: what changed in the rows of its sections.
    let sectionRows: SectionRowChanges?
}
