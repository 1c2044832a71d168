/// One entry of the ranges encoding: a run of adjacent row deletes or row inserts in one section,
/// of adjacent section deletes or section inserts, or any other single step.
///
/// Ranges are applied one after another, like the steps of which they consist, and their places are
/// valid at that moment.
public struct StepRange: Hashable, Sendable {
    /// Whether the range consists of sections or of objects.
    public let kind: SequentialStep.Kind
    /// The kind of change to all sections or objects of the range.
    public let type: ChangeType
    /// The first place of the range before it is applied; a section's has row 0. `nil` for an
    /// insert.
    public internal(set) var source: ListIndexPath?
    /// The first place of the range after it is applied; a section's has row 0. `nil` for a delete.
    public let target: ListIndexPath?
    /// The number of rows or sections, 1 or more.
    public internal(set) var count: Int
    /// The steps of the range, with ids and changed columns. Inserts ascend: the step at offset n
    /// has the place `target` + n. Deletes descend: the step at offset n has the place `source` +
    /// count - 1 - n.
    public internal(set) var steps: Range<Int>

    /// The same run with one more step, or `nil` if the step doesn't continue it.
    func extended(by step: SequentialStep) -> StepRange? {
        guard step.kind == kind, step.type == type else { return nil }
        var longer = self
        longer.count += 1
        longer.steps = steps.lowerBound..<steps.upperBound + 1
        switch type {
        case .insert:
            return target.map { $0.advanced(by: count, kind) } == step.target ? longer : nil
        case .delete:
            guard let place = step.source, place.advanced(by: 1, kind) == source else { return nil }
            longer.source = place
            return longer
        case .move, .update:
            return nil
        }
    }
}

extension ListIndexPath {
    fileprivate func advanced(by distance: Int, _ kind: SequentialStep.Kind) -> ListIndexPath {
        switch kind {
        case .section: ListIndexPath(section: section + distance, row: row)
        case .object: advanced(by: distance)
        }
    }
}

extension [SequentialStep] {
    /// The same steps with runs merged. O(count).
    ///
    /// - Parameter first: The number of the first of them.
    func ranges(from first: Int) -> [StepRange] {
        var ranges: [StepRange] = []
        for (place, step) in enumerated() {
            if let longer = ranges.last?.extended(by: step) {
                ranges[ranges.count - 1] = longer
            } else {
                ranges.append(
                    StepRange(
                        kind: step.kind, type: step.type, source: step.source, target: step.target, count: 1,
                        steps: first + place..<first + place + 1))
            }
        }
        return ranges
    }
}

extension ChangeSet {
    /// The records in runs: of neighbouring rows with the same change, or of rows that move to
    /// neighbouring places. Places are of the old and of the new list, as in the records; of the
    /// moved rows of a run, the first one has the old place. The numbers of the records of sections
    /// precede the numbers of the objects'. O(r) for r runs.
    package func runs() -> [StepRange] {
        func path(_ section: Int?) -> ListIndexPath? { section.map { ListIndexPath(section: $0, row: 0) } }
        var ranges = sectionChanges.enumerated().map { number, change in
            StepRange(
                kind: .section, type: change.type, source: path(change.oldIndex), target: path(change.newIndex),
                count: 1, steps: number..<number + 1)
        }
        let first = sectionChanges.count
        objectChanges.forEachRun(in: objectChanges.indices) { change, run in
            let last = change.type == .delete ? change.rawOld.advanced(by: 1 - run.count) : change.oldPath
            ranges.append(
                StepRange(
                    kind: .object, type: change.type, source: last, target: change.newPath, count: run.count,
                    steps: run.lowerBound + first..<run.upperBound + first))
        }
        return ranges
    }
}
