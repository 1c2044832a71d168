/// A row that came, went, or changed its key or content: what the builder is told of it.
///
/// Rows that were not touched are not given: they are fixed points, which others merely shift.
package struct RowTransition: Sendable {
    package let id: Int64
    let old: ListIndexPath
    let new: ListIndexPath
    let oldSection: Int32
    let newSection: Int32
    package var changedColumns: ColumnSet
    package let isReordered: Bool
    /// Whether `changedColumns` is right. If not, a move says that its columns are unknown.
    package var isContentKnown = true

    /// - Parameters:
    ///   - oldSection, newSection: stable ids of the sections; the row stays in its section if they are equal.
    ///     Ignored where there is no path.
    ///   - oldPath: path before, `nil` if the row came.
    ///   - newPath: path after, `nil` if the row went.
    ///   - isReordered: its sort key changed, so that it may be in another place among the rows of its section. Rows of
    ///     one section that are not reordered must be in the same order before and after.
    ///   - changedColumns: content that changed; a row without any gives no update.
    package init(
        id: Int64, oldSection: Int32 = -1, oldPath: ListIndexPath?, newSection: Int32 = -1, newPath: ListIndexPath?,
        isReordered: Bool = false, changedColumns: ColumnSet = ColumnSet()
    ) {
        self.id = id
        self.oldSection = oldSection
        self.newSection = newSection
        old = oldPath ?? .absent
        new = newPath ?? .absent
        self.isReordered = isReordered
        self.changedColumns = changedColumns
    }

    /// Whether the row is in the new list.
    package var isThere: Bool { !new.isAbsent }
}
