internal import ChangeSets
internal import ListEngine
internal import SQLiteKit

/// The changes of a collection in one bracket: the changes of its children, each moved to the place
/// of the child.
final class CollectionChanges: ChangesSource {
    let changeSet: ChangeSet
    /// Read without copying the change set.
    var isReload: Bool { changeSet.isReload }
    let totals: [TotalChange]
    /// The changes of one child, or of the placeholder in its place.
    struct ChildChanges {
        let changes: any ChangesSource
        /// Its sections in the collection before the bracket and after it.
        let old: Range<Int>
        let new: Range<Int>
        /// The names of the totals of a child that is one section without a key path, whose totals
        /// are the section's in the collection.
        var flatTotals: [String] = []

        /// The records, with the section of a flat child whose totals changed.
        fileprivate var changeSet: ChangeSet {
            let set = changes.changeSet
            let columns = flatTotalChanges.compactMap { change in flatTotals.firstIndex(of: change.name) }
            if columns.isEmpty { return set }
            var updated = ChangeSet(
                sectionChanges: [.update(from: 0, to: 0, changedColumns: ColumnSet(columns))],
                objectChanges: set.objectChanges)
            updated.origin = set.origin
            return updated
        }

        /// A list that was or becomes flat has another section.
        private var flatTotalChanges: [TotalChange] {
            flatTotals.isEmpty || !changes.changeSet.sectionChanges.isEmpty ? [] : changes.totals
        }

        /// The totals of sections that differ, with the sections' numbers in the collection.
        fileprivate var sectionTotals: [TotalChange] {
            let ofFlat = flatTotalChanges.map { $0.inSection(old: old.lowerBound, new: new.lowerBound) }
            return ofFlat
                + changes.totals.compactMap { change in
                    guard let oldSection = change.oldSection, let newSection = change.newSection else { return nil }
                    return change.inSection(old: old.lowerBound + oldSection, new: new.lowerBound + newSection)
                }
        }
    }

    private let parts: SmallVector<ChildChanges>
    /// The parts that have sections before and after, for searching.
    private lazy var oldParts = parts.filter { !$0.old.isEmpty }
    private lazy var newParts = parts.filter { !$0.new.isEmpty }

    /// - Parameters:
    ///   - parts: In the order of the children.
    ///   - origin: The causes of the changes, beside the causes that the parts name.
    ///   - totals: The totals of all children that differ.
    init(_ parts: SmallVector<ChildChanges>, origin: ChangeOrigin = [], totals: [TotalChange] = []) {
        self.parts = parts
        var changeSet = Self.changeSet(parts)
        changeSet.origin = parts.reduce(origin) { $0.union($1.changes.changeSet.origin) }
        self.changeSet = changeSet
        self.totals = changeSet.isReload ? [] : totals + parts.flatMap(\.sectionTotals)
    }

    private static func changeSet(_ parts: SmallVector<ChildChanges>) -> ChangeSet {
        if parts.count == 1 {
            return parts[0].changeSet.shifted(old: parts[0].old.lowerBound, new: parts[0].new.lowerBound)
        }
        if parts.contains(where: { $0.changes.isReload }) { return .reload }
        var sections: [SectionChange] = []
        var objects = ObjectChanges.Builder()
        sections.reserveCapacity(parts.reduce(0) { $0 + $1.changeSet.sectionChanges.count })
        // Deletes are in descending order, all other records in ascending order.
        for part in parts.reversed() { sections.append(part, \.sectionDeletes) }
        for part in parts { sections.append(part, \.sectionInserts) }
        for part in parts { sections.append(part, \.sectionMoves) }
        for part in parts { sections.append(part, \.sectionUpdates) }
        for part in parts.reversed() { objects.append(part, \.deletes) }
        for part in parts { objects.append(part, \.inserts) }
        for part in parts { objects.append(part, \.moves) }
        for part in parts { objects.append(part, \.updates) }
        return ChangeSet(sectionChanges: sections, objectChanges: objects.finish())
    }

    /// The part that had or has a section; nil if no part has it.
    private func part(_ section: Int, _ parts: [ChildChanges], _ range: Swift.KeyPath<ChildChanges, Range<Int>>)
        -> ChildChanges?
    {
        var low = 0
        var high = parts.count
        while low < high {
            let middle = (low + high) / 2
            if parts[middle][keyPath: range].upperBound <= section { low = middle + 1 } else { high = middle }
        }
        guard low < parts.count, parts[low][keyPath: range].contains(section) else { return nil }
        return parts[low]
    }

    private func source(of change: ObjectChange) -> (changes: any ChangesSource, change: ObjectChange)? {
        let found =
            change.newPath.map { part($0.section, newParts, \.new) }
            ?? change.oldPath.flatMap { part($0.section, oldParts, \.old) }
        guard let found else { return nil }
        return (found.changes, change.shifted(old: -found.old.lowerBound, new: -found.new.lowerBound))
    }

    private func source(of change: SectionChange) -> (changes: any ChangesSource, change: SectionChange)? {
        let found =
            change.newIndex.map { part($0, newParts, \.new) } ?? change.oldIndex.flatMap { part($0, oldParts, \.old) }
        guard let found else { return nil }
        return (found.changes, change.shifted(old: -found.old.lowerBound, new: -found.new.lowerBound))
    }

    func object(of change: ObjectChange) throws -> FetchedObject {
        guard let (changes, change) = source(of: change) else { throw Self.unknown }
        return try changes.object(of: change)
    }

    func identity(of change: ObjectChange) -> [Value] {
        source(of: change).map { $0.identity(of: $1) } ?? []
    }

    func oldContent(of change: ObjectChange) -> RowValues? {
        source(of: change).flatMap { $0.oldContent(of: $1) }
    }

    func oldValue(of change: ObjectChange, column: Int) -> (content: RowValues, column: Int)? {
        source(of: change).flatMap { $0.oldValue(of: $1, column: column) }
    }

    func columns(of change: ObjectChange) -> [String] {
        source(of: change).map { $0.columns(of: $1) } ?? []
    }

    func sectionColumns(of change: SectionChange) -> [String] {
        source(of: change).map { $0.sectionColumns(of: $1) } ?? []
    }

    func totalNames(of change: SectionChange) -> [String] {
        source(of: change).map { $0.totalNames(of: $1) } ?? []
    }

    func total(_ index: Int, of change: SectionChange) -> TotalChange? {
        source(of: change).flatMap { $0.total(index, of: $1) }
    }

    func oldContent(of change: SectionChange) -> RowValues? {
        source(of: change).flatMap { $0.oldContent(of: $1) }
    }

    func oldValue(of change: SectionChange, column: Int) -> (content: RowValues, column: Int)? {
        source(of: change).flatMap { $0.oldValue(of: $1, column: column) }
    }

    func oldSectionValue(of change: SectionChange) -> RowValues? {
        source(of: change).flatMap { $0.oldSectionValue(of: $1) }
    }

    func info(of change: SectionChange) -> SectionInfo? {
        source(of: change).flatMap { $0.info(of: $1) }?.shown(at: change.newIndex)
    }

    func sectionObject(of change: SectionChange) throws -> FetchedObject? {
        guard let (changes, change) = source(of: change) else { throw Self.unknown }
        return try changes.sectionObject(of: change)
    }
}

extension Array where Element == SectionChange {
    fileprivate mutating func append(
        _ part: CollectionChanges.ChildChanges, _ group: Swift.KeyPath<ChangeSet, ArraySlice<SectionChange>>
    ) {
        for change in part.changeSet[keyPath: group] {
            append(change.shifted(old: part.old.lowerBound, new: part.new.lowerBound))
        }
    }
}

extension ObjectChanges.Builder {
    fileprivate mutating func append(
        _ part: CollectionChanges.ChildChanges, _ group: Swift.KeyPath<ChangeSet, Slice<ObjectChanges>>
    ) {
        for change in part.changeSet[keyPath: group] {
            append(change.shifted(old: part.old.lowerBound, new: part.new.lowerBound))
        }
    }
}
