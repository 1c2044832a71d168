/// The facts about a touched item that the search for the fewest moves needs, which is a row or a
/// section.
///
/// An order key has the group (the section's index; 0 where the items are sections) in its high
/// half, and the position in the group in its low half.
protocol Transition {
    /// Whether the item was in the old list.
    var hasOld: Bool { get }
    /// Whether the item is in the new list.
    var hasNew: Bool { get }
    var oldKey: UInt64 { get }
    var newKey: UInt64 { get }
    /// Whether old and new group are the same; read only of items that have both.
    var staysInGroup: Bool { get }
    var isReordered: Bool { get }
    var hasNewContent: Bool { get }
}

extension RowTransition: Transition {
    var hasOld: Bool { !old.isAbsent }
    var hasNew: Bool { !new.isAbsent }
    var oldKey: UInt64 { old.orderKey }
    var newKey: UInt64 { new.orderKey }
    var staysInGroup: Bool { oldSection == newSection }
    var hasNewContent: Bool { !changedColumns.isEmpty }
}

extension SectionTransition: Transition {
    var hasOld: Bool { old >= 0 }
    var hasNew: Bool { new >= 0 }
    var oldKey: UInt64 { UInt64(UInt32(bitPattern: old)) }
    var newKey: UInt64 { UInt64(UInt32(bitPattern: new)) }
    var staysInGroup: Bool { true }
    var hasNewContent: Bool { !changedColumns.isEmpty }
}

/// A row that was inserted or deleted, or whose key or content changed, as input of the builder.
///
/// Rows that were not touched are not passed: they are fixed points, which other items merely
/// shift.
package struct RowTransition: Sendable {
    package let id: Int64
    let old: ListIndexPath
    let new: ListIndexPath
    let oldSection: Int32
    let newSection: Int32
    package let changedColumns: ColumnSet
    package let isReordered: Bool

    /// - Parameters:
    ///   - oldSection, newSection: stable ids of the sections; the row stays in its section if they
    ///     are equal. Ignored where there is no path.
    ///   - oldPath: path before, `nil` if the row was inserted.
    ///   - newPath: path after, `nil` if the row was deleted.
    ///   - isReordered: whether its sort key changed, so that it may be in another place among the
    ///     rows of its section. Rows of one section that are not reordered must be in the same
    ///     order before and after.
    ///   - changedColumns: content that changed; a row without any has no update.
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

/// A section that was inserted or deleted, or whose place-determining values or content changed, as
/// input of the builder.
///
/// Sections that were not touched are not passed: they are fixed points.
package struct SectionTransition: Sendable {
    package let id: Int32
    let old: Int32
    let new: Int32
    let changedColumns: ColumnSet
    let isReordered: Bool

    /// - Parameters:
    ///   - id: stable id of the section, as in the rows.
    ///   - oldIndex: index before, `nil` if the section was inserted.
    ///   - newIndex: index after, `nil` if the section was deleted.
    ///   - isReordered: whether the values that determine its place changed. Sections that are not
    ///     reordered must be in the same order before and after.
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
