internal import ChangeSets

/// What happened to the one section of a placeholder.
final class PlaceholderChanges: ListChanges {
    private let section: SectionInfo

    init(_ change: SectionChange, _ section: SectionInfo) {
        self.section = section
        super.init(ChangeSet(sectionChanges: [change]))
    }

    override func info(of change: SectionChange) -> SectionInfo? { section }
}
