package import ChangeSets
package import SQLiteKit

/// The changes of one delivery in the list of one request.
package final class EngineChanges: ChangesSource, IdentityHolder {
    package let changeSet: ChangeSet
    private(set) var contents: RowDictionary<ContentTransition>
    private let context: ChangesContext
    /// Identities of rows that have left the list.
    private var released: [Int64: RowValues] = [:]
    /// The rows that the change set has records of, in the order of their ids; made when the first
    /// of them may have left the list.
    private lazy var ids = (changeSet.objectChanges.ids + contents.ids).sorted()
    private let sections: ChangedSections?
    package let totals: [TotalChange]
    /// The version of the state that the records lead to.
    private let version: Int
    /// The engine, while it shows that state; else nil. Contents that were not read yet are read
    /// only then: in another state an id may be another row's, or the row may have changed.
    private var engine: ListEngine? {
        guard let engine = context.reference.target, engine.version == version else { return nil }
        return engine
    }
    /// In a section map of rows: their old contents.
    private let oldSectionRows: OldSectionRows?
    /// Whether the list showed the delivered state before, as the other lists did.
    let startAtDelivered: Bool
    /// Whether the list stays as it is: it joins or leaves a collection, or a window shows other
    /// rows of it.
    private let isWhole: Bool
    /// Whether the list shows, or has shown, the state that the changes lead to.
    private var isShown: Bool
    /// In the changes of a window: where it is then.
    package internal(set) var windowPlace: WindowPlace?

    init(
        _ changeSet: ChangeSet, _ engine: ListEngine, contents: RowDictionary<ContentTransition> = RowDictionary(),
        sections: ChangedSections?, isWhole: Bool = false, totals: [TotalChange] = []
    ) {
        self.totals = totals.inOrder
        self.contents = contents
        self.sections = sections
        context = engine.changesContext
        // A list that joins or leaves a collection stays as it is; any other delivery shows a new
        // state.
        version = engine.version + (isWhole ? 0 : 1)
        oldSectionRows = context.isSectionMap ? OldSectionRows(engine, sections?.rows) : nil
        self.isWhole = isWhole
        isShown = isWhole
        startAtDelivered = !isWhole && engine.readability.isUnlimited
        self.changeSet = changeSet
        context.identities.addHolder(self)
    }

    func willRelease(_ id: Int64, _ identity: RowValues) {
        let place = partitionPoint(of: ids.count) { ids[$0] < id }
        if place < ids.count, ids[place] == id { released[id] = identity }
    }

    func willRespell(_ id: Int64, _ identity: RowValues) {
        if isShown, released[id] == nil { willRelease(id, identity) }
    }

    private func object(_ id: Int64, _ content: RowValues?, _ layout: ObjectLayout) -> FetchedObject {
        if let key = released[id] ?? context.identities.key(id) {
            return FetchedObject(key: key, content: content, layout: layout)
        }
        return FetchedObject(rowid: id, content: content, layout: layout)
    }

    package func object(of change: ObjectChange) throws -> FetchedObject {
        change.type == .delete ? object(deleted: change.id) : try object(change.id)
    }

    /// The last known state of a deleted object.
    func object(deleted id: Int64) -> FetchedObject {
        object(id, readOldContent(of: id) ?? lastContent(id), context.oldLayout)
    }

    /// The new state of an object.
    func object(_ id: Int64) throws -> FetchedObject {
        object(id, try newContent(id), context.layout)
    }

    /// The content of a row that is deleted because its whole list was, or because it left a window
    /// while its list has it; nil if it can't be read, as it is then not known.
    private func lastContent(_ id: Int64) -> RowValues? {
        guard let engine, isWhole || engine.list?.holds(id) ?? false else { return nil }
        return try? engine.content(of: id)
    }

    private func newContent(_ id: Int64) throws -> RowValues {
        let index = contents.index(of: id)
        if let index, let content = contents[at: index].new {
            engine?.cache.noteGiven(id, content)
            return content
        }
        guard let engine else {
            throw StoreError(.gone, "the row was not read before its list showed another state, or was freed")
        }
        let content = try engine.content(of: id)
        if let index {
            contents[at: index].new = content
        } else {
            contents.add(id, ContentTransition(old: nil, new: content))
        }
        return content
    }

    /// Notes that the list shows the state that the changes lead to.
    func noteShown() { isShown = true }

    /// Whether a row was touched.
    func isTouched(_ id: Int64) -> Bool { contents.index(of: id) != nil }

    /// The old content of a touched row, as far as it is known.
    func oldContent(of id: Int64) -> RowValues? { contents[id]?.old }

    /// The same; until the round is over it is also read from the state that the lists showed
    /// before.
    private func readOldContent(of id: Int64) -> RowValues? {
        if let known = oldContent(of: id) { return known }
        // A content that can't be read is not known.
        guard startAtDelivered, context.layoutChange == nil,
            let content = try? engine?.readContentBeforeRound(of: id, released: released[id])
        else { return nil }
        let new = contents[id]?.new
        contents.set(id, ContentTransition(old: content, new: new))
        return content
    }

    package func identity(of change: ObjectChange) -> [Value] {
        (released[change.id] ?? context.identities.values(change.id)).values
    }

    package func oldContent(of change: ObjectChange) -> RowValues? {
        change.type == .insert ? nil : oldContent(of: change.id, isDeleted: change.type == .delete)
    }

    package func oldValue(of change: ObjectChange, column: Int) -> (content: RowValues, column: Int)? {
        change.type == .insert ? nil : oldValue(of: change.id, column: column, isDeleted: change.type == .delete)
    }

    /// The old content of a touched row, in the columns that it shows now, or, if it is deleted, in
    /// the old columns.
    func oldContent(of id: Int64, isDeleted: Bool) -> RowValues? {
        guard let old = readOldContent(of: id) else { return nil }
        guard !isDeleted, let layoutChange = context.layoutChange else { return old }
        return layoutChange.translated(old)
    }

    func oldValue(of id: Int64, column: Int, isDeleted: Bool) -> (content: RowValues, column: Int)? {
        guard let old = readOldContent(of: id) else { return nil }
        guard !isDeleted, let layoutChange = context.layoutChange else { return (old, column) }
        return layoutChange.source(of: column).map { (old, $0) }
    }

    /// A deleted object shows the columns that it had.
    package func columns(of change: ObjectChange) -> [String] {
        change.type == .delete ? context.oldLayout.columns : context.layout.columns
    }

    package func sectionColumns(of change: SectionChange) -> [String] {
        oldSectionRows?.columns ?? (sections?.section(of: change)?.isFlat ?? true ? [] : ["name"])
    }

    package func totalNames(of change: SectionChange) -> [String] {
        sections?.section(of: change)?.isFlat ?? true ? [] : context.totalNames
    }

    package func total(_ index: Int, of change: SectionChange) -> TotalChange? {
        guard let section = change.newIndex else { return nil }
        return totals.first { $0.newSection == section && $0.name == context.totalNames[index] }
    }

    package func oldSectionValue(of change: SectionChange) -> RowValues? {
        oldSection(of: change).flatMap { $0.isFlat ? nil : $0.value }
    }

    package func oldContent(of change: SectionChange) -> RowValues? {
        guard context.isSectionMap else { return oldSectionValue(of: change) }
        guard let section = oldSection(of: change), let row = section.row else { return nil }
        guard oldSectionRows != nil else { return section.value }
        return oldSectionRows?.content(of: row, isShown: engine != nil)
    }

    package func oldValue(of change: SectionChange, column: Int) -> (content: RowValues, column: Int)? {
        guard oldSectionRows != nil, let row = oldSection(of: change)?.row else {
            return oldContent(of: change).map { ($0, column) }
        }
        return oldSectionRows?.value(of: row, column: column, isShown: engine != nil)
    }

    private func oldSection(of change: SectionChange) -> List.Section? {
        change.oldIndex.flatMap { sections?.old[Int64($0)] }
    }

    package func info(of change: SectionChange) -> SectionInfo? {
        let section = sections?.section(of: change) ?? .flat
        return SectionInfo(
            rowValues: section.value, indexTitle: context.reference.target?.indexTitle(of: section), count: 0,
            index: change.newIndex)
    }

    package func sectionObject(of change: SectionChange) throws -> FetchedObject? {
        guard let row = sections?.section(of: change)?.row else { return nil }
        if let rows = sections?.rows, let object = try rows.sectionObject(row) { return object }
        return try engine?.mappedSections?.engine?.object(id: row)
    }
}

extension [TotalChange] {
    /// The totals of the list, and then of sections in their order.
    fileprivate var inOrder: [TotalChange] {
        enumerated().sorted { ($0.element.newSection ?? -1, $0.offset) < ($1.element.newSection ?? -1, $1.offset) }
            .map(\.element)
    }
}

/// The sections that a change set has records of.
final class ChangedSections {
    /// By index.
    var old: RowDictionary<List.Section>
    var new: RowDictionary<List.Section>
    /// Where sections are rows: the changes of these.
    let rows: SectionRowChanges?

    init(
        old: RowDictionary<List.Section> = RowDictionary(), new: RowDictionary<List.Section> = RowDictionary(),
        rows: SectionRowChanges? = nil
    ) {
        self.old = old
        self.new = new
        self.rows = rows
    }

    func section(of change: SectionChange) -> List.Section? {
        change.newIndex.flatMap { new[Int64($0)] } ?? change.oldIndex.flatMap { old[Int64($0)] }
    }
}
