public import SQLiteKit

/// What is known of a section.
public struct SectionInfo {
    /// The value of the section's key path, in the spelling of the row with which the section came to be.
    public var value: Value { record.count == 0 ? .null : record.value(0) }
    /// The value as text, as SQLite casts it; nil for the section of NULL and for the only section of a flat list.
    public let name: String?
    /// What an index shows for the section; nil if it has no name.
    public let indexTitle: String?
    public let numberOfObjects: Int
    /// The value, or nothing for a flat list.
    package let record: Record

    init(section: List.Section, count: Int, title: (String) -> String?) {
        record = section.value
        name = record.count == 0 ? nil : record.text(0)
        indexTitle = name.flatMap(title)
        numberOfObjects = count
    }
}
