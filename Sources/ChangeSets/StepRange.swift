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
        case .object: ListIndexPath(section: section, row: row + distance)
        }
    }
}

extension [SequentialStep] {
    /// The same steps with runs merged. O(count).
    public func ranges() -> [StepRange] {
        var ranges: [StepRange] = []
        for (place, step) in enumerated() {
            if let longer = ranges.last?.extended(by: step) {
                ranges[ranges.count - 1] = longer
            } else {
                ranges.append(
                    StepRange(
                        kind: step.kind, type: step.type, source: step.source, target: step.target, count: 1,
                        steps: place..<place + 1))
            }
        }
        return ranges
    }
}
