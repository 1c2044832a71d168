public import FetchedResults

/// A view that a coordinator updates: anything that shows a list and reads its rows from it.
///
/// Both methods are called when the list shows its new state. They may write to the store (the
/// changes arrive as a batch of their own), pause, load, and release the coordinator or the list.
public protocol CoordinatedView: AnyObject {
    /// Shows the whole list again.
    func reload()
    /// Whether it can apply a batch; by default it can apply each. A batch that it can't apply is
    /// replaced by a reload.
    func canApply(_ batch: ViewBatch) -> Bool
    /// Applies one batch, which is never empty. By default it reloads.
    func apply(_ batch: ViewBatch)
}

extension CoordinatedView {
    public func reload() {}
    public func canApply(_ batch: ViewBatch) -> Bool { true }
    public func apply(_ batch: ViewBatch) { reload() }
}

/// A view that gets a batch one group at a time: in the order of the methods here, without empty
/// groups. A batch that has begun is delivered to its end, whatever one of these methods does.
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
