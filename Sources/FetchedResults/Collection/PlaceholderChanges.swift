internal import ChangeSets

/// What happened to the one section of a placeholder.
final class PlaceholderChanges: ListChanges {
    private let section: SectionInfo

    init(_ change: SectionChange, _ section: SectionInfo) {
        self.section = section
        super.init(ChangeSet(sectionChanges: [change]))
    }

    /// Name and index title.
    override func sectionColumnCount(of change: SectionChange) -> Int { 2 }

    override func info(of change: SectionChange) -> SectionInfo? { section }
}
