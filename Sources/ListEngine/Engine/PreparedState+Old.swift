internal import SQLiteKit

/// The state that a list shows while its rows may be in the next one already. Every read of the
/// list uses it, from `prepare` to `commit` or `drop`.
extension PreparedState {
    /// Whether the database may have another content of a row than the list shows.
    func mayDiffer(_ id: Int64) -> Bool { !sharesContents || isTouched(id) }

    func isTouched(_ id: Int64) -> Bool { changes.isTouched(id) }

    /// The content that a touched row shows, as far as it is known.
    func oldContent(of id: Int64) -> RowValues? { changes.oldContent(of: id) }

    /// Undoes the edits that were made in place, because the program reads or because the next
    /// state is dropped.
    func restoreOld() throws {
        if !isReverted {
            try revertEdit()
            isReverted = true
        }
        try sectionRows?.revert()
    }

    /// Applies the undone edits again.
    func leaveOld() throws {
        if isReverted { try reapplyEdit() }
        try sectionRows?.apply()
    }
}
