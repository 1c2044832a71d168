public import FetchedResults

/// What a coordinator keeps up to date: whatever shows a list and reads its rows from it.
///
/// Both calls come when the list shows its new state. They may write to the store (what that changes comes as a batch
/// of its own), pause, load, and let go of the coordinator or the list.
public protocol CoordinatedView: AnyObject {
    /// Shows the list anew as a whole.
    func reload()
    /// Whether it can apply a batch, by default every one; it reloads in place of one that it can't.
    func canApply(_ batch: ViewBatch) -> Bool
    /// Shows the changes of one batch, which is never empty. A reload by default.
    func apply(_ batch: ViewBatch)
}

extension CoordinatedView {
    public func reload() {}
    public func canApply(_ batch: ViewBatch) -> Bool { true }
    public func apply(_ batch: ViewBatch) { reload() }
}

/// A view that is told of a batch one group at a time: in the order of the methods here, and of no empty group. A batch
/// that has begun is told to its end, whatever one of these does.
public protocol GroupedView: CoordinatedView {
    /// A batch begins.
    func beginUpdates()
    /// Old indexes, descending.
    func deleteSections(_ sections: [Int])
    /// New indexes, ascending.
    func insertSections(_ sections: [Int])
    /// Old and new indexes, in ascending order of the new ones.
    func moveSections(_ sections: [SectionPlaces])
    /// Old paths, descending.
    func deleteRows(_ rows: [ListIndexPath])
    /// New paths, ascending.
    func insertRows(_ rows: [ListIndexPath])
    /// Old and new paths, in ascending order of the new ones.
    func moveRows(_ rows: [RowPlaces])
    /// Rows whose content changed, with old and new paths, in ascending order of the new ones.
    func reloadRows(_ rows: [RowPlaces])
    /// Headers to draw again.
    func updateSections(_ sections: [SectionPlaces])
    /// The batch ends: the view can show its new state.
    func endUpdates()
}

extension GroupedView {
    public func beginUpdates() {}
    public func deleteSections(_ sections: [Int]) {}
    public func insertSections(_ sections: [Int]) {}
    public func moveSections(_ sections: [SectionPlaces]) {}
    public func deleteRows(_ rows: [ListIndexPath]) {}
    public func insertRows(_ rows: [ListIndexPath]) {}
    public func moveRows(_ rows: [RowPlaces]) {}
    public func reloadRows(_ rows: [RowPlaces]) {}
    public func updateSections(_ sections: [SectionPlaces]) {}
    public func endUpdates() {}

    public func apply(_ batch: ViewBatch) {
        beginUpdates()
        if !batch.sectionDeletes.isEmpty { deleteSections(batch.sectionDeletes) }
        if !batch.sectionInserts.isEmpty { insertSections(batch.sectionInserts) }
        if !batch.sectionMoves.isEmpty { moveSections(batch.sectionMoves) }
        if !batch.rowDeletes.isEmpty { deleteRows(batch.rowDeletes) }
        if !batch.rowInserts.isEmpty { insertRows(batch.rowInserts) }
        if !batch.rowMoves.isEmpty { moveRows(batch.rowMoves) }
        if !batch.rowReloads.isEmpty { reloadRows(batch.rowReloads) }
        if !batch.sectionUpdates.isEmpty { updateSections(batch.sectionUpdates) }
        endUpdates()
    }
}
