public import ChangeSets
public import SQLiteKit

/// Everything that one delivery changed in one list: the change set, and what its records are about. Immutable; outlives
/// its list.
public class ListChanges {
    public let changeSet: ChangeSet

    init(_ changeSet: ChangeSet) { self.changeSet = changeSet }

    /// The object of a record: its new state, or the last known one of a deleted object, whose values may not be known.
    /// Throws `gone` if the row changed again before its new state was read.
    public func object(of change: ObjectChange) throws -> FetchedObject { throw Self.unknown }

    /// The identity of the object of a record.
    public func identity(of change: ObjectChange) -> [Value] { [] }

    /// What an updated, moved or deleted object held before; nil if it is not known.
    public func oldValues(of change: ObjectChange) -> [Value]? { oldContent(of: change)?.values }

    /// What an updated, moved or deleted section held before: the values of its row's columns, in a section map of rows;
    /// else its one value, or name and index title of a placeholder. nil if it is not known.
    public func oldValues(of change: SectionChange) -> [Value]? { oldContent(of: change)?.values }

    /// The name that an updated, moved or deleted section had before.
    public func oldSectionName(of change: SectionChange) -> String? { oldSectionRecord(of: change)?.text(0) }

    /// The name of a section of a record: the old name of a deleted one.
    public func sectionName(of change: SectionChange) -> String? { info(of: change)?.name }

    /// The row of a section of a record, if sections are rows: its new state, or the last known one of a deleted section.
    public func sectionObject(of change: SectionChange) throws -> FetchedObject? { nil }

    /// The value of a section of a record: the old one of a deleted section.
    package func sectionValue(of change: SectionChange) -> Record? { info(of: change)?.record }

    /// What a section of a record is, without the number of its objects; nil if nothing is known of it.
    package func info(of change: SectionChange) -> SectionInfo? { nil }

    package func oldContent(of change: ObjectChange) -> Record? { nil }

    package func oldContent(of change: SectionChange) -> Record? { oldSectionRecord(of: change) }

    /// The value that a section had before; nil if it had none.
    package func oldSectionRecord(of change: SectionChange) -> Record? { nil }
    /// Where what a shown column held before is kept as long as the changes are; nil if it is not known.
    package func oldValue(of change: ObjectChange, column: Int) -> (content: Record, column: Int)? {
        oldContent(of: change).map { ($0, column) }
    }

    /// The same for a section: of a row's columns, those that it shows now.
    package func oldValue(of change: SectionChange, column: Int) -> (content: Record, column: Int)? {
        oldContent(of: change).map { ($0, column) }
    }

    /// The columns and key paths that the object of a record shows.
    package func columns(of change: ObjectChange) -> [String] { [] }

    /// How many columns the changes of a section tell apart.
    package func sectionColumnCount(of change: SectionChange) -> Int { 0 }

    static var unknown: StoreError { StoreError(.notFound, "the record is of another change set") }
}
