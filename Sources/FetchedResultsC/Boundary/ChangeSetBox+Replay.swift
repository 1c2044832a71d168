internal import CFetchedResults
internal import ChangeSets
internal import FetchedResults
internal import SQLiteKit

extension LentArray<fr_replayed_section> {
    /// A list that a change set was replayed on.
    ///
    /// - Parameter numbers: For each record of the batch its number; nil for the same.
    fileprivate convenience init(_ list: [ReplayedSection<Origin, Origin>], numbers: [Int]?) {
        func number(_ origin: Origin) -> Int64 {
            Int64(origin.record < 0 ? -1 : numbers?[origin.record] ?? origin.record)
        }
        let rows = LentArray<fr_replayed_row>(
            list.flatMap { section in
                section.rows.map { unsafe fr_replayed_row(old_path: fr_index_path($0.old), record: number($0)) }
            })
        var next = unsafe UnsafePointer(rows.values.baseAddress)
        unsafe self.init(
            list.map { section in
                defer { unsafe next = next.map { unsafe $0 + section.rows.count } }
                return unsafe fr_replayed_section(
                    old_index: Int64(section.value.old?.section ?? -1), record: number(section.value), rows: next,
                    row_count: Int64(section.rows.count))
            }, owner: rows)
    }
}

extension ChangeSetBox {
    /// The numbers of the records of one kind and type.
    func group(ofSections isSections: Bool, _ type: ChangeType) throws -> Range<Int> {
        guard steps == nil else { throw StoreError(.misuse, "steps have no groups") }
        let set = changes.changeSet
        if isSections {
            return switch type {
            case .delete: set.sectionDeletes.indices
            case .insert: set.sectionInserts.indices
            case .move: set.sectionMoves.indices
            case .update: set.sectionUpdates.indices
            }
        }
        let objects =
            switch type {
            case .delete: set.deletes.indices
            case .insert: set.inserts.indices
            case .move: set.moves.indices
            case .update: set.updates.indices
            }
        let first = set.sectionChanges.count
        return objects.lowerBound + first..<objects.upperBound + first
    }

    /// The identity of the object of a record.
    func identity(_ index: Int) throws -> UnsafeMutableBufferPointer<fr_value> {
        let change = try objectChange(index)
        if let known = unsafe lent.identities[index] { return unsafe known.values }
        let values = RowValues(changes.identity(of: change))
        let identity = unsafe LentArray((0..<values.count).map { unsafe borrowedValue(values, $0) }, owner: values)
        unsafe lent.identities[index] = identity
        return unsafe identity.values
    }

    /// The records or steps in runs.
    func ranges() -> UnsafeMutableBufferPointer<fr_range> {
        if let known = lent.ranges { return unsafe known.values }
        let ranges = LentArray(
            (steps?.ranges() ?? changes.changeSet.runs()).map { range in
                let isSection = range.kind == .section
                func place(_ path: ListIndexPath?) -> fr_index_path {
                    fr_index_path(path.map { isSection ? ListIndexPath(section: $0.section, row: -1) : $0 })
                }
                return fr_range(
                    kind: Int32(isSection ? FR_SECTION : FR_OBJECT), type: range.type.rawValue,
                    old_path: place(range.source),
                    new_path: place(range.target), count: Int64(range.count), first: Int64(range.steps.lowerBound))
            })
        lent.ranges = ranges
        return unsafe ranges.values
    }

    /// Applies the changes to a list with these numbers of rows in its sections.
    ///
    /// The result has an entry for each row. So the numbers must match the list that
    /// changed: nothing is allocated for other numbers.
    func replay(_ rowCounts: UnsafePointer<Int64>?, sectionCount: Int) throws -> UnsafeMutableBufferPointer<
        fr_replayed_section
    > {
        let set = changes.changeSet
        guard !set.isReload else {
            throw StoreError(.misuse, "a reload has no records: read the list again")
        }
        let old = changes.oldCounts
        guard sectionCount == old.sections else {
            throw StoreError(
                .range, "section_count: the old list had \(counted(old.sections, "section")), not \(sectionCount)")
        }
        let counts = unsafe UnsafeBufferPointer(
            start: sectionCount == 0 ? nil : try required(rowCounts, "row_counts"), count: sectionCount)
        var rest = old.objects
        for index in counts.indices {
            let count = unsafe counts[index]
            guard count >= 0, count <= rest else {
                throw StoreError(.range, "row_counts: section \(index) can't have had \(counted(count, "row"))")
            }
            rest -= Int(count)
        }
        guard rest == 0 else {
            throw StoreError(
                .range, "row_counts: the old list had \(counted(old.objects, "row")), not \(old.objects - rest)")
        }
        let new: [ReplayedSection<Origin, Origin>]
        do { new = unsafe try set.origins(rowCounts: counts.map { Int($0) }) } catch let error as ReplayError {
            throw StoreError(.range, error.reason)
        }
        let list = unsafe LentArray(new, numbers: stepNumbers)
        unsafe lent.replayed = list
        return unsafe list.values
    }

    /// For each record of the batch the number of its step; nil if this is the batch.
    private var stepNumbers: [Int]? {
        guard let steps else { return nil }
        let sections = changes.changeSet.sectionChanges.count
        var numbers = [Int](repeating: -1, count: steps.count)
        for (number, step) in steps.enumerated() {
            numbers[step.kind == .section ? step.record : sections + step.record] = number
        }
        return numbers
    }
}
