public import ChangeSets
public import SQLiteKit

/// What a row showed before a delivery, and what it shows after it, as far as these are known.
struct RowContents {
    var old: Record?
    var new: Record?
}

/// Everything that one delivery changed in one list: the change set, and what its records are about. Immutable; outlives
/// its controller.
public final class ListChanges {
    public let changeSet: ChangeSet
    private var contents: RowTable<RowContents>
    private let identities: Identities
    private let oldSections: [Int: List.Section]
    private let newSections: [Int: List.Section]
    let layout: ObjectLayout
    /// Reads what was not read yet.
    private weak var controller: FetchedResultsController?

    init(
        changeSet: ChangeSet, contents: RowTable<RowContents>, identities: Identities,
        oldSections: [Int: List.Section], newSections: [Int: List.Section], controller: FetchedResultsController,
        layout: ObjectLayout
    ) {
        self.changeSet = changeSet
        self.contents = contents
        self.identities = identities
        self.oldSections = oldSections
        self.newSections = newSections
        self.controller = controller
        self.layout = layout
    }

    /// The object of a record: its new state, or the last known one of a deleted object, whose values may not be known.
    /// Throws `gone` if the row changed again before its new state was read.
    public func object(of change: ObjectChange) throws -> FetchedObject {
        let content = change.type == .delete ? contents[change.id]?.old : try newContent(change.id)
        return FetchedObject(id: change.id, identities: identities, content: content, layout: layout)
    }

    private func newContent(_ id: Int64) throws -> Record {
        let index = contents.index(of: id)
        if let index, let content = contents[at: index].new {
            controller?.rememberGiven(id, content)
            return content
        }
        guard let controller else { throw StoreError(.gone, "the row was not read as long as its list was there") }
        let content = try controller.content(of: id)
        if let index { contents[at: index].new = content } else { contents.add(id, RowContents(old: nil, new: content)) }
        return content
    }

    /// Whether a row was touched.
    func isTouched(_ id: Int64) -> Bool { contents.index(of: id) != nil }

    /// What a touched row showed before, as far as it is known.
    func oldContent(of id: Int64) -> Record? { contents[id]?.old }

    /// The identity of the object of a record.
    public func identity(of change: ObjectChange) -> [Value] { identities.values(change.id).values }

    /// What an updated, moved or deleted object held before; nil if it is not known.
    public func oldValues(of change: ObjectChange) -> [Value]? { oldContent(of: change)?.values }

    package func oldContent(of change: ObjectChange) -> Record? { change.type == .insert ? nil : contents[change.id]?.old }

    /// The name of a section of a record: the old name of a deleted one.
    public func sectionName(of change: SectionChange) -> String? {
        sectionValue(of: change).flatMap { $0.count == 0 ? nil : $0.text(0) }
    }

    package func sectionValue(of change: SectionChange) -> Record? {
        change.newIndex.map { newSections[$0]?.value } ?? change.oldIndex.flatMap { oldSections[$0]?.value }
    }

    func info(of change: SectionChange, count: Int, title: (String) -> String?) -> SectionInfo {
        let section = change.newIndex.map { newSections[$0] } ?? change.oldIndex.flatMap { oldSections[$0] }
        return SectionInfo(section: section ?? .flat, count: count, title: title)
    }

    package var columnCount: Int { layout.columns.count }
}
