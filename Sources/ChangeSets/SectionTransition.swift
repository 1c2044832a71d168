/// A section that came, went, or changed its place-giving values or content: what the builder is told of it.
///
/// Sections that were not touched are not given: they are fixed points.
package struct SectionTransition: Sendable {
    package let id: Int32
    let old: Int32
    let new: Int32
    let changedColumns: ColumnSet
    let isReordered: Bool

    /// - Parameters:
    ///   - id: stable id of the section, as in the rows.
    ///   - oldIndex: index before, `nil` if the section came.
    ///   - newIndex: index after, `nil` if the section went.
    ///   - isReordered: the values that give it its place changed. Sections that are not reordered must be in the same
    ///     order before and after.
    ///   - changedColumns: content of its own that changed.
    package init(
        id: Int32, oldIndex: Int?, newIndex: Int?, isReordered: Bool = false, changedColumns: ColumnSet = ColumnSet()
    ) {
        self.id = id
        old = Int32(clamping: oldIndex ?? -1)
        new = Int32(clamping: newIndex ?? -1)
        self.isReordered = isReordered
        self.changedColumns = changedColumns
    }
}
