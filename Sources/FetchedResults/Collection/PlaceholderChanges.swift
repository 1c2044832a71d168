internal import ChangeSets
internal import SQLiteKit

/// What happened to the one section of a placeholder.
final class PlaceholderChanges: ListChanges {
    private let section: SectionInfo
    /// Its name and index title before.
    private let old: Record

    /// - Parameter old: The section before an update; nil if it is the same, or was not there.
    init(_ change: SectionChange, _ section: SectionInfo, old: SectionInfo? = nil) {
        self.section = section
        let old = old ?? section
        self.old = Record([old.name, old.indexTitle].map { $0.map(Value.text) ?? .null })
        super.init(ChangeSet(sectionChanges: [change]))
    }

    /// Name and index title.
    override func sectionColumnCount(of change: SectionChange) -> Int { 2 }

    override func oldSectionRecord(of change: SectionChange) -> Record? { change.type == .insert ? nil : old }

    override func info(of change: SectionChange) -> SectionInfo? { section }
}
