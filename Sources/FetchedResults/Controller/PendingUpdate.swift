internal import ChangeSets

/// A new state of a list that is prepared but not shown yet. A class, so that every read can quickly see that there is none.
final class PendingUpdate {
    enum Form {
        /// The list was edited in place; `isReverted` while the edits are taken back for someone who looks.
        case edit(ListEdit, isReverted: Bool)
        /// The list was read anew.
        case replacement(List)
    }

    private(set) var form: Form
    let changes: ControllerChanges
    let contents: RowTable<RowContents>
    /// What the change set was made of, where a section map wants to know.
    let touched: [TouchedRow]
    /// Whether it shows what was not delivered yet when it was read.
    let showsUndelivered: Bool
    /// In a section map: what changed in the rows of its sections.
    let sectionRows: SectionRowChanges?

    init(
        form: Form, changes: ControllerChanges, contents: RowTable<RowContents>, touched: [TouchedRow],
        showsUndelivered: Bool, sectionRows: SectionRowChanges?
    ) {
        self.form = form
        self.changes = changes
        self.contents = contents
        self.touched = touched
        self.showsUndelivered = showsUndelivered
        self.sectionRows = sectionRows
    }

    /// Takes back the edits that were made in place, for someone who looks.
    func revert() throws {
        if case .edit(var edit, false) = form {
            try edit.revert()
            form = .edit(edit, isReverted: true)
        }
        try sectionRows?.edit.revert()
    }
}
