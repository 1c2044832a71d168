internal import ChangeSets
internal import SQLiteKit

/// The data of a section map about one of its sections' rows. A class, as copies would count
/// references to all its members.
package final class SectionRow: Equatable, Sendable {
    let id: Int64
    /// The key, as the row spells it.
    let value: RowValues
    /// The key as bytes.
    let key: SectionKey
    /// The source of the section's index title.
    let title: List.Title

    init(id: Int64, value: RowValues, key: SectionKey, title: List.Title) {
        self.id = id
        self.value = value
        self.key = key
        self.title = title
    }

    var isNull: Bool { value.storageClass(0) == .null }

    /// The section that represents the row.
    package var section: List.Section { List.Section(self) }

    package static func == (a: SectionRow, b: SectionRow) -> Bool {
        a === b || (a.value.isSame(0, as: b.value, 0) && a.title == b.title)
    }
}

/// The changes of a round in the row of one section.
struct SectionRowChange {
    let id: Int64
    let old: SectionRow?
    let new: SectionRow?
    /// Whether the values that determine the section's place changed.
    let isReordered: Bool
    let changedColumns: ColumnSet

    /// Whether items may have another section.
    var mayMoveItems: Bool { old?.key != new?.key || (old == nil) != (new == nil) }
}
