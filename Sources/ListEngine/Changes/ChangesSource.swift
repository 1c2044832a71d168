package import ChangeSets
package import SQLiteKit

/// The source of the rows and sections to which the records of a change set refer.
package protocol ChangesSource: AnyObject {
    var changeSet: ChangeSet { get }
    var isReload: Bool { get }
    /// The totals that differ.
    var totals: [TotalChange] { get }

    func object(of change: ObjectChange) throws -> FetchedObject
    func identity(of change: ObjectChange) -> [Value]
    /// The old content of the object; nil if it is not known.
    func oldContent(of change: ObjectChange) -> RowValues?
    /// Where the old value of a shown column is stored, for as long as the changes live; nil if it
    /// is not known.
    func oldValue(of change: ObjectChange, column: Int) -> (content: RowValues, column: Int)?
    /// The columns and key paths that the object shows.
    func columns(of change: ObjectChange) -> [String]

    /// In the changes of a window: where it is after them.
    var windowPlace: WindowPlace? { get }

    /// The description of a section, without the number of its objects; nil if nothing is known of
    /// it.
    func info(of change: SectionChange) -> SectionInfo?
    func sectionObject(of change: SectionChange) throws -> FetchedObject?
    /// The old content of the section; nil if it is not known.
    func oldContent(of change: SectionChange) -> RowValues?
    /// Where the old value of one of the columns that the section shows now is stored; nil if it is
    /// not known.
    func oldValue(of change: SectionChange, column: Int) -> (content: RowValues, column: Int)?
    /// The value that the section had before; nil if it had none.
    func oldSectionValue(of change: SectionChange) -> RowValues?
    /// The columns that the changes of the section distinguish, without its totals.
    func sectionColumns(of change: SectionChange) -> [String]
    /// The names of the totals of the section, whose columns are behind the ones of its own.
    func totalNames(of change: SectionChange) -> [String]
    /// One of these totals, if it changed.
    func total(_ index: Int, of change: SectionChange) -> TotalChange?
}

extension ChangesSource {
    package var isReload: Bool { changeSet.isReload }

    package var totals: [TotalChange] { [] }

    package var windowPlace: WindowPlace? { nil }

    package func oldValue(of change: ObjectChange, column: Int) -> (content: RowValues, column: Int)? {
        oldContent(of: change).map { ($0, column) }
    }

    package func totalNames(of change: SectionChange) -> [String] { [] }

    package func total(_ index: Int, of change: SectionChange) -> TotalChange? { nil }

    package func oldContent(of change: SectionChange) -> RowValues? { oldSectionValue(of: change) }

    package func oldValue(of change: SectionChange, column: Int) -> (content: RowValues, column: Int)? {
        oldContent(of: change).map { ($0, column) }
    }

    /// The error for a record of another change set.
    package static var unknown: StoreError { StoreError(.notFound, "the record is of another change set") }
}

/// A source that has no objects: of an empty change set or a reload.
final class BareChanges: ChangesSource {
    let changeSet: ChangeSet

    init(changeSet: ChangeSet) { self.changeSet = changeSet }

    func object(of change: ObjectChange) throws -> FetchedObject { throw Self.unknown }
    func identity(of change: ObjectChange) -> [Value] { [] }
    func oldContent(of change: ObjectChange) -> RowValues? { nil }
    func columns(of change: ObjectChange) -> [String] { [] }
    func info(of change: SectionChange) -> SectionInfo? { nil }
    func sectionObject(of change: SectionChange) throws -> FetchedObject? { nil }
    func oldSectionValue(of change: SectionChange) -> RowValues? { nil }
    func sectionColumns(of change: SectionChange) -> [String] { [] }
}
