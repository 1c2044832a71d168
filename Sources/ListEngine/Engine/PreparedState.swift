package import ChangeSets
internal import SQLiteKit

/// A list's next state, which is prepared but not shown yet. The delivery holds it from `prepare`
/// to `commit` or `drop`.
package final class PreparedState {
    /// How the new list comes about.
    enum NewList {
        /// The list was edited in place.
        case edit(ListEdit)
        /// The list was read from scratch, and shows changes that no round has delivered.
        case replacement(List, undelivered: ChangeOrigin)
        /// The list was fetched, for a reload.
        case fetched(FetchedState)
    }

    private(set) var newList: NewList
    let changes: EngineChanges
    /// The transitions that the change set was made of, if a section map needs them.
    let touched: [RowTransition]
    /// In a section map: what changed in the rows of its sections.
    let sectionRows: SectionRowChanges?
    /// Whether rows that were not touched have the same content in both states.
    let sharesContents: Bool
    /// Whether the edits that were made in place are undone.
    var isReverted = false
    /// The contents of all rows, if no snapshot can show the state in which they were read.
    var allContents: RowDictionary<RowValues>?
    /// For a list that was read from scratch when other connections had committed what is not
    /// delivered yet.
    var ahead: Readability.Ahead?

    init(
        newList: NewList, changes: EngineChanges, touched: [RowTransition], sectionRows: SectionRowChanges?,
        sharesContents: Bool
    ) {
        self.newList = newList
        self.changes = changes
        self.touched = touched
        self.sectionRows = sectionRows
        self.sharesContents = sharesContents
    }

    /// Undoes the edits that were made in place.
    func revertEdit() throws {
        guard case .edit(var edit) = newList else { return }
        defer { newList = .edit(edit) }
        try edit.revert()
    }

    /// Applies them again.
    func reapplyEdit() throws { if case .edit(let edit) = newList { try edit.reapply() } }

    /// Whether the program can see a difference from the shown state.
    package var isVisible: Bool { !changes.changeSet.isEmpty || !changes.totals.isEmpty }

    /// The number of its records; 0 for a reload.
    package var recordCount: Int { changes.changeSet.recordCount }

    /// Whether the difference is more than totals.
    package var hasRecords: Bool { changes.changeSet.isReload || !changes.changeSet.isEmpty }

    /// The causes of the difference.
    package var origin: ChangeOrigin { changes.changeSet.origin }
}
