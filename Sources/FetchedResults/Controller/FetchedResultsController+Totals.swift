public import ListEngine

extension FetchedResultsController {
    /// The totals of the list (`FetchRequest.totals`), or of one of its sections, under their
    /// names: `try list.totals()["unread"]`. They summarize the rows that the list shows, also with
    /// a limit or an offset, and no rows for an empty section.
    ///
    /// The object has no entity and no identity, and no columns if the request has no totals. A
    /// list of groups shows its totals as columns of its rows. O(log n).
    public func totals(ofSection index: Int?) throws -> FetchedObject {
        let list = try shownList()
        if let index { _ = try list.checkedSection(index) }
        return try engine.totals(list, section: index)
    }
}
