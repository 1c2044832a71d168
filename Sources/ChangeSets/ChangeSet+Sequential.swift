extension ChangeSet {
    /// The same change as steps that are applied one after another, one for each record; none for a
    /// reload.
    ///
    /// The phases are: row deletes (descending), section inserts (ascending), row moves, section
    /// deletes (descending), section moves, row inserts (ascending), section updates, row updates.
    /// So a row can move out of a section that is deleted and into one that is inserted, and a
    /// section is empty when it is deleted or inserted. Row deletes precede everything else, so
    /// they have their old paths; row inserts follow everything that shifts places, so they have
    /// their new ones. O(k log k) in the number of records, whatever the length of the list.
    public func sequential() -> [SequentialStep] {
        if sectionChanges.isEmpty, objectChanges.count == 1 { return [SequentialStep(only: objectChanges[0])] }
        let layout = SectionLayout(self)
        var steps: [SequentialStep] = []
        steps.reserveCapacity(sectionChanges.count + objectChanges.count)
        for record in deletes.indices {
            let change = objectChanges[record]
            steps.append(SequentialStep(change, record: record, source: change.rawOld, target: nil))
        }
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
        for record in inserts.indices {
            let change = objectChanges[record]
            steps.append(SequentialStep(change, record: record, source: nil, target: change.rawNew))
        }
        for record in sectionUpdates.indices {
            let change = sectionChanges[record]
            steps.append(SequentialStep(change, record: record, source: change.rawNew, target: change.rawNew))
        }
        for record in updates.indices {
            let change = objectChanges[record]
            steps.append(SequentialStep(change, record: record, source: change.rawNew, target: change.rawNew))
        }
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
    /// The old and new path of an update are then equal.
    fileprivate init(only change: ObjectChange) {
        self.init(change, record: 0, source: change.oldPath, target: change.newPath)
    }
}

extension SectionChange {
    fileprivate var oldKey: UInt64 { UInt64(UInt32(truncatingIfNeeded: rawOld)) }
    fileprivate var newKey: UInt64 { UInt64(UInt32(truncatingIfNeeded: rawNew)) }
}
