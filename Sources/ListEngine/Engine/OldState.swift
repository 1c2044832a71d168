internal import SQLiteKit

/// The state that a list shows while its rows may be in the next one already. Every read of the
/// list uses it, from `prepare` to `commit` or `drop`.
final class OldState {
    private var edit: ListEdit?
    private var isReverted = false
    private let sectionRows: SectionRowEdit?
    private let changes: EngineChanges
    /// Whether rows that were not touched have the same content in both states.
    private let sharesContents: Bool

    /// - Parameter edit: How the list was edited in place; nil if the next state is a list of its
    ///   own.
    init(_ edit: ListEdit?, _ sectionRows: SectionRowEdit?, _ changes: EngineChanges, sharesContents: Bool) {
        self.edit = edit
        self.sectionRows = sectionRows
        self.changes = changes
        self.sharesContents = sharesContents
    }

    /// Whether the database may have another content of a row than the list shows.
    func mayDiffer(_ id: Int64) -> Bool { !sharesContents || isTouched(id) }

    func isTouched(_ id: Int64) -> Bool { changes.isTouched(id) }

    /// The content that a touched row shows, as far as it is known.
    func content(of id: Int64) -> RowValues? { changes.oldContent(of: id) }

    /// Undoes the edits that were made in place, because the program reads or because the next
    /// state is dropped.
    func restore() throws {
        if !isReverted {
            try edit?.revert()
            isReverted = true
        }
        try sectionRows?.revert()
    }

    /// Applies the undone edits again.
    func leave() throws {
        if isReverted { try edit?.reapply() }
        try sectionRows?.apply()
    }
}
