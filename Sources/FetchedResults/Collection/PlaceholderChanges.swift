internal import ChangeSets
internal import ListEngine
internal import SQLiteKit

/// What happened to the one section of a placeholder.
final class PlaceholderChanges: ChangesSource {
    let changeSet: ChangeSet
    private let section: SectionInfo
    /// Its name and index title before.
    private let old: RowValues

    /// - Parameter old: The section before an update; nil if it is the same, or was not there.
    init(_ change: SectionChange, _ section: SectionInfo, old: SectionInfo? = nil) {
        self.section = section
        let old = old ?? section
        self.old = RowValues([old.name, old.indexTitle].map { $0.map(Value.text) ?? .null })
        changeSet = ChangeSet(sectionChanges: [change])
    }

    /// Name and index title.
    func sectionColumnCount(of change: SectionChange) -> Int { 2 }

    func oldSectionValue(of change: SectionChange) -> RowValues? { change.type == .insert ? nil : old }

    func info(of change: SectionChange) -> SectionInfo? { section }

    func sectionObject(of change: SectionChange) throws -> FetchedObject? { nil }

    // A placeholder has no objects.
    func object(of change: ObjectChange) throws -> FetchedObject { throw Self.unknown }
    func identity(of change: ObjectChange) -> [Value] { [] }
    func oldContent(of change: ObjectChange) -> RowValues? { nil }
    func columns(of change: ObjectChange) -> [String] { [] }
}
