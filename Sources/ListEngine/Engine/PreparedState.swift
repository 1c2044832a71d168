internal import ChangeSets

/// A new state of a list that is prepared but not shown yet. A class, so that every read can quickly see that there is
/// none.
package final class PreparedState {
    enum Form {
        /// The list was edited in place; `isReverted` while the edits are taken back for someone who looks.
        case edit(ListEdit, isReverted: Bool)
        /// The list was read from scratch.
        case replacement(List)
        /// The list was fetched, for a reload.
        case fetched(FetchedState)
    }

    private(set) var form: Form
    let changes: EngineChanges
    /// The same as observers receive it.
    let listChanges: ListChanges
    let contents: RowTable<RowContents>
    /// What the change set was made of, where a section map wants to know.
    let touched: [RowTransition]
    /// Whether it shows what was not delivered yet when it was read.
    let showsUndelivered: Bool
    /// In a section map: what changed in the rows of its sections.
    let sectionRows: SectionRowChanges?
    /// Whether rows of which `contents` says nothing have the same content in both states.
    let knowsContents: Bool

    init(
        form: Form, changes: EngineChanges, contents: RowTable<RowContents>, touched: [RowTransition],
        showsUndelivered: Bool, sectionRows: SectionRowChanges?, knowsContents: Bool
    ) {
        self.form = form
        self.changes = changes
        listChanges = ListChanges(changes)
        self.contents = contents
        self.touched = touched
        self.showsUndelivered = showsUndelivered
        self.sectionRows = sectionRows
        self.knowsContents = knowsContents
    }

    /// Whether it differs from the shown state in a way that can be seen.
    package var isVisible: Bool { !changes.changeSet.isEmpty }

    /// Takes everything back, as the update is not going to be shown.
    func cancel() throws {
        if case .fetched(let fetched) = form { fetched.cancel() }
        try revert()
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
