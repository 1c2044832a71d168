public import SQLiteKit

/// The description of a section.
public struct SectionInfo: Sendable {
    /// The value of the section's key path, in the spelling of the row with which the section was
    /// inserted.
    public var value: Value { rowValues.count == 0 ? .null : rowValues.value(0) }
    /// The value as text, as SQLite casts it; nil for the section of NULL and for the only section
    /// of a flat list.
    public let name: String?
    /// The text that an index shows for the section; nil if it has no name.
    public let indexTitle: String?
    /// The number of objects in the section.
    public let numberOfObjects: Int
    /// The number of the section; nil if the list does not show it.
    public let index: Int?
    /// The value, or nothing for a flat list.
    package let rowValues: RowValues

    package init(rowValues: RowValues, indexTitle: String?, count: Int, index: Int?) {
        self.rowValues = rowValues
        name = rowValues.count == 0 ? nil : rowValues.text(0)
        self.indexTitle = indexTitle
        numberOfObjects = count
        self.index = index
    }

    /// The same section with another number of objects.
    package func counting(_ count: Int) -> SectionInfo {
        SectionInfo(rowValues: rowValues, indexTitle: indexTitle, count: count, index: index)
    }

    /// The same section as part of a collection.
    package func shown(at index: Int?) -> SectionInfo {
        SectionInfo(rowValues: rowValues, indexTitle: indexTitle, count: numberOfObjects, index: index)
    }
}
