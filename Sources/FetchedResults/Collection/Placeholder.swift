internal import ChangeSets
internal import ListEngine
internal import SQLiteKit

/// A section without objects that a collection shows: for itself, or in the place of a list that
/// has no sections.
public final class Placeholder {
    /// The name and the index title of the section, as far as it has any. Setting them updates the
    /// section.
    public var name: String? { didSet { if name != oldValue { notify([0]) } } }
    /// The index title of the section; nil for none. Setting it updates the section.
    public var indexTitle: String? { didSet { if indexTitle != oldValue { notify([1]) } } }
    /// The child of the collection that it is part of.
    weak var child: CollectionChild?
    /// The object that a language binding stores with it.
    package var attachment: AnyObject?

    /// A placeholder that is in no collection yet. It can be in one collection at a time.
    public init(name: String? = nil, indexTitle: String? = nil) {
        self.name = name
        self.indexTitle = indexTitle
    }

    /// Throws `misuse` if a callback of its collection's delivery never returned.
    package func checkNotAbandoned() throws { try child?.collection?.queue.checkNotAbandoned() }

    private func notify(_ columns: [Int]) {
        guard let child else { return }
        child.collection?.updatePlaceholder(of: child, columns)
    }
}

/// The change of the one section of a placeholder.
final class PlaceholderChanges: ChangesSource {
    let changeSet: ChangeSet
    private let section: SectionInfo
    /// Its name and index title before.
    private let old: RowValues

    /// - Parameter old: The section before an update; nil if it is the same, or did not exist.
    init(_ change: SectionChange, _ section: SectionInfo, old: SectionInfo? = nil) {
        self.section = section
        let old = old ?? section
        self.old = RowValues([old.name, old.indexTitle].map { $0.map(Value.text) ?? .null })
        changeSet = ChangeSet(sectionChanges: [change])
    }

    func sectionColumns(of change: SectionChange) -> [String] { ["name", "index_title"] }

    func oldSectionValue(of change: SectionChange) -> RowValues? { change.type == .insert ? nil : old }

    func info(of change: SectionChange) -> SectionInfo? { section }

    func sectionObject(of change: SectionChange) throws -> FetchedObject? { nil }

    // A placeholder has no objects.
    func object(of change: ObjectChange) throws -> FetchedObject { throw Self.unknown }
    func identity(of change: ObjectChange) -> [Value] { [] }
    func oldContent(of change: ObjectChange) -> RowValues? { nil }
    func columns(of change: ObjectChange) -> [String] { [] }
}
