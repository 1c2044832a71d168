extension Sequence<SequentialStep> {
    /// Applies the steps one after another and returns the new list.
    ///
    /// - Parameters:
    ///   - section: the value of an inserted, moved or updated section. Its arguments are the step
    ///     and, except for an insert, the old value.
    ///   - row: the same for rows.
    /// - Throws: `ReplayError` if a step is impossible; and what the closures throw.
    public func applied<Section, Row>(
        to old: [ReplayedSection<Section, Row>],
        section: (SequentialStep, Section?) throws -> Section,
        row: (SequentialStep, Row?) throws -> Row
    ) throws -> [ReplayedSection<Section, Row>] {
        var list = old
        for step in self { try list.apply(step, section, row) }
        return list
    }
}

extension [StepRange] {
    /// Applies the ranges one after another and returns the new list.
    ///
    /// - Parameters:
    ///   - steps: the steps of which the ranges consist; the closures receive these.
    /// - Throws: `ReplayError` if a range is impossible; and what the closures throw.
    public func applied<Section, Row>(
        to old: [ReplayedSection<Section, Row>], steps: SequentialSteps,
        section: (SequentialStep, Section?) throws -> Section,
        row: (SequentialStep, Row?) throws -> Row
    ) throws -> [ReplayedSection<Section, Row>] {
        var list = old
        for range in self {
            guard steps.indices.contains(range.steps.lowerBound), range.steps.upperBound <= steps.count else {
                throw ReplayError(reason: "\(range) is not of these steps")
            }
            try list.apply(range, steps[range.steps], section, row)
        }
        return list
    }
}

extension Array {
    fileprivate mutating func apply<Section, Row>(
        _ step: SequentialStep,
        _ section: (SequentialStep, Section?) throws -> Section,
        _ row: (SequentialStep, Row?) throws -> Row
    ) throws where Element == ReplayedSection<Section, Row> {
        guard (step.source != nil) == step.type.hasOld, (step.target != nil) == step.type.hasNew else {
            throw step.impossible("wrong places for its type")
        }
        switch step.kind {
        case .section:
            let before = try step.source.map { source in
                guard indices.contains(source.section) else { throw step.impossible("no such section") }
                return remove(at: source.section)
            }
            guard let target = step.target else {
                guard before?.rows.isEmpty ?? false else { throw step.impossible("the section still has rows") }
                return
            }
            guard target.section <= count else { throw step.impossible("no such place") }
            insert(ReplayedSection(try section(step, before?.value), before?.rows ?? []), at: target.section)
        case .object:
            let before = try step.source.map { source in
                guard contains(source) else { throw step.impossible("no such row") }
                return self[source.section].rows.remove(at: source.row)
            }
            guard let target = step.target else { return }
            guard indices.contains(target.section), 0...self[target.section].rows.count ~= target.row else {
                throw step.impossible("no such place")
            }
            self[target.section].rows.insert(try row(step, before), at: target.row)
        }
    }

    fileprivate mutating func apply<Section, Row>(
        _ range: StepRange, _ steps: Slice<SequentialSteps>,
        _ section: (SequentialStep, Section?) throws -> Section,
        _ row: (SequentialStep, Row?) throws -> Row
    ) throws where Element == ReplayedSection<Section, Row> {
        func impossible() -> ReplayError {
            ReplayError(reason: "\(range): no such place, or sections that still have rows")
        }
        switch (range.kind, range.source, range.target) {
        case (.object, let source?, nil):
            guard contains(source), source.row + range.count <= self[source.section].rows.count else {
                throw impossible()
            }
            self[source.section].rows.removeSubrange(source.row..<source.row + range.count)
        case (.object, nil, let target?):
            guard indices.contains(target.section), 0...self[target.section].rows.count ~= target.row else {
                throw impossible()
            }
            self[target.section].rows.insert(contentsOf: try steps.map { try row($0, nil) }, at: target.row)
        case (.section, let source?, nil):
            let end = source.section + range.count
            guard end <= count, self[source.section..<end].allSatisfy(\.rows.isEmpty) else { throw impossible() }
            removeSubrange(source.section..<end)
        case (.section, nil, let target?):
            guard target.section <= count else { throw impossible() }
            insert(contentsOf: try steps.map { ReplayedSection(try section($0, nil)) }, at: target.section)
        default:
            for step in steps { try apply(step, section, row) }
        }
    }
}

extension SequentialStep {
    fileprivate func impossible(_ reason: String) -> ReplayError { ReplayError(reason: "\(self): \(reason)") }
}
