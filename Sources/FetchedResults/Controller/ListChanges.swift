public import ChangeSets
public import SQLiteKit

/// Everything that one delivery changed in one list: the change set, and what its records are about. Immutable; outlives
/// its controller.
public final class ListChanges {
    public let changeSet: ChangeSet
    /// By record of an object: what it was, as far as known.
    private let old: [Int64: Record]
    /// By record of an object: what it is now, as far as it was read.
    private var new: [Int64: Record]
    private let identities: [Int64: Record]
    private let oldSections: [Int: List.Section]
    private let newSections: [Int: List.Section]
    let layout: ObjectLayout
    /// Reads what was not read yet.
    private weak var controller: FetchedResultsController?

    init(
        changeSet: ChangeSet, old: [Int64: Record], new: [Int64: Record], identities: [Int64: Record],
        oldSections: [Int: List.Section], newSections: [Int: List.Section], controller: FetchedResultsController,
        layout: ObjectLayout
    ) {
        self.changeSet = changeSet
        self.old = old
        self.new = new
        self.identities = identities
        self.oldSections = oldSections
        self.newSections = newSections
        self.controller = controller
        self.layout = layout
    }

    /// The object of a record: its new state, or the last known one of a deleted object, whose values may not be known.
    /// Throws `gone` if the row changed again before its new state was read.
    public func object(of change: ObjectChange) throws -> FetchedObject {
        guard let identity = identities[change.id] else { throw StoreError(.misuse, "the record is not of these changes") }
        return FetchedObject(
            identity: identity, content: change.type == .delete ? old[change.id] : try newContent(change.id), layout: layout)
    }

    private func newContent(_ id: Int64) throws -> Record {
        if let content = new[id] { return content }
        guard let controller else { throw StoreError(.gone, "the row was not read as long as its list was there") }
        let content = try controller.content(of: id)
        new[id] = content
        return content
    }

    /// Whether there is a record of a row.
    func isTouched(_ id: Int64) -> Bool { identities[id] != nil }

    /// What a row of a record showed before, as far as it is known.
    func oldContent(of id: Int64) -> Record? { old[id] }

    /// The identity of the object of a record.
    public func identity(of change: ObjectChange) -> [Value] { identities[change.id]?.values ?? [] }

    /// What an updated, moved or deleted object held before; nil if it is not known.
    public func oldValues(of change: ObjectChange) -> [Value]? { oldContent(of: change)?.values }

    package func oldContent(of change: ObjectChange) -> Record? { change.type == .insert ? nil : old[change.id] }

    /// The name of a section of a record: the old name of a deleted one.
    public func sectionName(of change: SectionChange) -> String? {
        sectionValue(of: change).flatMap { $0.count == 0 ? nil : $0.sectionName }
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
