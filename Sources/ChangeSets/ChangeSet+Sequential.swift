/// The steps of a change set, which are applied one after another: one for each record.
///
/// The steps of deletes, inserts and updates of rows are made when they are read: row deletes
/// precede everything else, so they have their old paths; row inserts follow everything that shifts
/// places, so they have their new ones.
public struct SequentialSteps: RandomAccessCollection, Sendable {
    private let changes: ChangeSet
    /// The steps between row deletes and row inserts.
    private let middle: [SequentialStep]
    /// The numbers of the first record of each phase whose steps are not stored.
    private let starts: (deletes: Int, inserts: Int, sectionUpdates: Int, updates: Int)
    /// The number of the first step after each phase.
    private let ends: (deletes: Int, middle: Int, inserts: Int, sectionUpdates: Int, updates: Int)

    fileprivate init(_ changes: ChangeSet, middle: [SequentialStep]) {
        self.changes = changes
        self.middle = middle
        let (deletes, inserts, updates) = (changes.deletes.indices, changes.inserts.indices, changes.updates.indices)
        let sectionUpdates = changes.sectionUpdates.indices
        starts = (deletes.lowerBound, inserts.lowerBound, sectionUpdates.lowerBound, updates.lowerBound)
        ends.deletes = deletes.count
        ends.middle = ends.deletes + middle.count
        ends.inserts = ends.middle + inserts.count
        ends.sectionUpdates = ends.inserts + sectionUpdates.count
        ends.updates = ends.sectionUpdates + updates.count
    }

    /// The number of the first step, 0.
    public var startIndex: Int { 0 }

    /// The number of steps.
    public var endIndex: Int { ends.updates }

    /// A step by its number.
    public subscript(position: Int) -> SequentialStep {
        precondition(position >= 0 && position < endIndex, "there is no step \(position)")
        if position < ends.deletes {
            let record = starts.deletes + position
            let change = changes.objectChanges[record]
            return SequentialStep(change, record: record, source: change.rawOld, target: nil)
        }
        if position < ends.middle { return middle[position - ends.deletes] }
        if position < ends.inserts {
            let record = starts.inserts + position - ends.middle
            let change = changes.objectChanges[record]
            return SequentialStep(change, record: record, source: nil, target: change.rawNew)
        }
        if position < ends.sectionUpdates {
            let record = starts.sectionUpdates + position - ends.inserts
            let change = changes.sectionChanges[record]
            return SequentialStep(change, record: record, source: change.rawNew, target: change.rawNew)
        }
        let record = starts.updates + position - ends.sectionUpdates
        let change = changes.objectChanges[record]
        return SequentialStep(change, record: record, source: change.rawNew, target: change.rawNew)
    }

    /// The same steps with runs merged. O(r) for r ranges.
    public func ranges() -> [StepRange] {
        var ranges: [StepRange] = []
        let (records, first) = (changes.objectChanges, starts.inserts - ends.middle)
        records.forEachRun(in: starts.deletes..<starts.deletes + ends.deletes) { change, run in
            ranges.append(
                StepRange(
                    kind: .object, type: .delete, source: change.rawOld.advanced(by: 1 - run.count), target: nil,
                    count: run.count, steps: run.lowerBound - starts.deletes..<run.upperBound - starts.deletes))
        }
        ranges += middle.ranges(from: ends.deletes)
        records.forEachRun(in: starts.inserts..<starts.inserts + ends.inserts - ends.middle) { change, run in
            ranges.append(
                StepRange(
                    kind: .object, type: .insert, source: nil, target: change.rawNew, count: run.count,
                    steps: run.lowerBound - first..<run.upperBound - first))
        }
        return ranges + self[ends.inserts...].map(\.self).ranges(from: ends.inserts)
    }
}

extension ChangeSet {
    /// The same change as steps that are applied one after another, one for each record; none for a
    /// reload.
    ///
    /// The phases are: row deletes (descending), section inserts (ascending), row moves, section
    /// deletes (descending), section moves, row inserts (ascending), section updates, row updates.
    /// So a row can move out of a section that is deleted and into one that is inserted, and a
    /// section is empty when it is deleted or inserted. O(k log k) for k moves and records of
    /// sections, whatever the length of the list.
    public func sequential() -> SequentialSteps {
        if sectionChanges.isEmpty, objectChanges.count == 1, let move = moves.first {
            return SequentialSteps(self, middle: [SequentialStep(only: move)])
        }
        return SequentialSteps(self, middle: middleSteps())
    }

    private func middleSteps() -> [SequentialStep] {
        if sectionChanges.isEmpty, moves.isEmpty { return [] }
        let layout = SectionLayout(self)
        var steps: [SequentialStep] = []
        steps.reserveCapacity(sectionChanges.count + moves.count)
        for record in sectionInserts.indices {
            let change = sectionChanges[record]
            let target = layout.common(ofNew: change.rawNew)
            steps.append(SequentialStep(change, record: record, source: nil, target: target))
        }
        appendRowMoves(to: &steps, layout)
        for record in sectionDeletes.indices {
            let change = sectionChanges[record]
            let source = layout.common(ofOld: change.rawOld)
            steps.append(SequentialStep(change, record: record, source: source, target: nil))
        }
        appendSectionMoves(to: &steps, layout)
        return steps
    }

    /// Row moves happen in the common layout of sections, after row deletes and before row inserts.
    private func appendRowMoves(to steps: inout [SequentialStep], _ layout: SectionLayout) {
        let moves = self.moves
        guard !moves.isEmpty else { return }
        var sources = moves.enumerated().map {
            OrderedKey(key: $1.rawOld.orderKey, item: Int32(truncatingIfNeeded: $0))
        }
        sources.sortByKey()
        sources.subtractRanks(passing: deletes.reversed().lazy.map(\.rawOld.orderKey))
        var targets = moves.enumerated().map {
            OrderedKey(key: $1.rawNew.orderKey, item: Int32(truncatingIfNeeded: $0))
        }
        targets.subtractRanks(passing: inserts.lazy.map(\.rawNew.orderKey))
        if !layout.isTrivial {
            sources.mapGroups(layout.common(ofOld:))
            targets.mapGroups(layout.common(ofNew:))
            if !layout.keepsOrder { targets.sortByKey() }
        }
        var sourceSections = [Int32](repeating: 0, count: moves.count)
        for source in sources { sourceSections[Int(source.item)] = Int32(truncatingIfNeeded: source.group) }
        var targetSections = [Int32](repeating: 0, count: moves.count)
        for target in targets { targetSections[Int(target.item)] = Int32(truncatingIfNeeded: target.group) }
        var sequence = MoveSequence(sources: sources, targets: targets)
        for move in 0..<moves.count {
            let (sourceRow, targetRow) = sequence.make(move)
            let record = moves.startIndex + move
            steps.append(
                SequentialStep(
                    objectChanges[record], record: record,
                    source: ListIndexPath(section: Int(sourceSections[move]), row: sourceRow),
                    target: ListIndexPath(section: Int(targetSections[move]), row: targetRow)))
        }
    }

    /// Section moves follow section deletes and inserts, so inserted sections are stationary.
    private func appendSectionMoves(to steps: inout [SequentialStep], _ layout: SectionLayout) {
        let moves = sectionMoves
        guard !moves.isEmpty else { return }
        var sources = moves.enumerated().map { OrderedKey(key: $1.oldKey, item: Int32(truncatingIfNeeded: $0)) }
        sources.sortByKey()
        sources.subtractRanks(passing: sectionDeletes.reversed().lazy.map(\.oldKey))
        var targets = moves.enumerated().map { OrderedKey(key: $1.newKey, item: Int32(truncatingIfNeeded: $0)) }
        targets.subtractRanks(passing: EmptyCollection())
        for place in sources.indices {
            let old = moves[moves.startIndex + Int(sources[place].item)].rawOld
            let insertsBefore = layout.common(ofOld: old) - old
            sources[place].key &+= UInt64(truncatingIfNeeded: insertsBefore)
        }
        var sequence = MoveSequence(sources: sources, targets: targets)
        for move in 0..<moves.count {
            let (source, target) = sequence.make(move)
            let record = moves.startIndex + move
            steps.append(SequentialStep(sectionChanges[record], record: record, source: source, target: target))
        }
    }
}

extension SequentialStep {
    /// The step of a single record, the most common change set: no other record shifts its places.
    fileprivate init(only change: ObjectChange) {
        self.init(change, record: 0, source: change.oldPath, target: change.newPath)
    }
}

extension SectionChange {
    fileprivate var oldKey: UInt64 { UInt64(UInt32(truncatingIfNeeded: rawOld)) }
    fileprivate var newKey: UInt64 { UInt64(UInt32(truncatingIfNeeded: rawNew)) }
}
