internal import ChangeSets
internal import OrderedTree
internal import SQLiteKit

/// Reading the whole list from scratch, and comparing it with the old one.
extension ListEngine {
    /// The list, to be compared with one whose rows, or sections' rows, have identities of another
    /// kind.
    func renamed(_ list: List) throws -> List {
        let (rows, sections) = (superseded?.renaming, mappedSections?.renaming)
        guard rows != nil || sections != nil else { return list }
        return try list.renamed(rows: { rows?.new($0) ?? $0 }, sections: { sections?.new($0) ?? $0 })
    }

    /// Reads the whole list and compares.
    func reread(
        _ list: List, _ round: Round, _ reason: RereadReason, _ rowChanges: SectionRowChanges?
    ) throws -> PreparedState? {
        try renewStatistics()
        let isHeld = try reason == .request || database.holdReadState(of: compiled.database)
        let new = try readList(reason, compiled, decoder, mappedSections?.table, earlier: list)
        let content = try contentChanges(list, new, round, reason)
        let sharesContents = sharesContents(reason)
        let comparison = try compare(list, new, reason, rowChanges)
        let touched = isOfSections ? comparison.transitions(content.changed) : []
        let plain = comparison.changeSet(content.changed) { sharesContents || content.new[$0] != nil }
        try readTotals(of: new, compiled, decoder)
        let undelivered = try self.undelivered
        let totals = try totalChanges(list, new, plain)
        var changeSet = plain.updatingSections(of: totals, self)
        changeSet.origin = undelivered
        let next = preparedState(
            .replacement(new, undelivered: undelivered), changeSet, touched,
            contents(of: changeSet, list, new, content, reason),
            changedSections(changeSet, list, new, rowChanges), sharesContents: sharesContents, totals: totals)
        if !isHeld { next.allContents = try allContents(of: new, compiled, decoder) }
        return next
    }

    /// Gives a list that is about to be read again the present statistics of ranks, until that is
    /// committed or dropped.
    private func renewStatistics() throws {
        guard compiled.ranks else { return }
        let old = shownDecoder
        compiled = try compiled.withPresentStatistics()
        if superseded == nil { superseded = (old, nil) }
    }

    /// The contents of all rows of a list that was just read.
    func allContents(
        of list: List, _ compiled: CompiledRequest, _ decoder: KeyDecoder
    ) throws -> RowDictionary<RowValues> {
        var contents = RowDictionary<RowValues>()
        try readContents(of: list.ids, decoder) { contents.add($0, $1) }
        return contents
    }

    /// Whether a list that is read from scratch for some reason has the same contents as before,
    /// except for the rows that hooks or foreign keys name.
    private func sharesContents(_ reason: RereadReason) -> Bool {
        if compiled.showsRanks { return false }
        return switch reason {
        case .related, .window, .many: compiled.touched != nil
        // A column of another SELECT may have the same name and another value.
        case .request:
            !compiled.isSelect && readability.missed.isEmpty && !database.hasUndeliveredChanges
                && groups?.hasPrepared != true
        case .fetch, .schema, .view, .foreign, .transaction, .recovery, .pause: false
        }
    }

    private func changedSections(
        _ changeSet: ChangeSet, _ list: List, _ new: List, _ rowChanges: SectionRowChanges?
    ) -> ChangedSections {
        let changed = ChangedSections(rows: rowChanges)
        for change in changeSet.sectionChanges {
            if let index = change.oldIndex { changed.old.add(Int64(index), list.section(at: index)) }
            if let index = change.newIndex { changed.new.add(Int64(index), new.section(at: index)) }
        }
        return changed
    }

    /// The contents of the rows that a change set has records of, and of rows without one, as far
    /// as they are known. Where rows without a record may share their contents with the state
    /// before, each row with one has an entry.
    private func contents(
        of changeSet: ChangeSet, _ list: List, _ new: List, _ content: ContentChanges, _ reason: RereadReason
    ) -> RowDictionary<ContentTransition> {
        var contents = RowDictionary<ContentTransition>()
        func add(_ id: Int64) {
            let old = content.old[id] ?? (new.rows.contains(id) ? nil : lastContent(of: id))
            if reason == .request, old == nil, content.new[id] == nil { return }
            contents.add(id, ContentTransition(old: old, new: content.new[id]))
        }
        if superseded?.renaming != nil || reason != .request && sharesContents(reason) {
            for id in changeSet.objectChanges.ids { add(id) }
        } else {
            let known = Set(content.old.keys).union(content.new.keys).union(cache.ids)
                .union(readability.earlier?.ids ?? [])
            for id in known.sorted() {
                let isOld = list.rows.contains(id)
                if content.new[id] != nil || isOld != new.rows.contains(id) { add(id) }
            }
        }
        // The columns may be different now, so all cached contents are replaced.
        for (id, new) in content.new where superseded != nil && contents.index(of: id) == nil {
            contents.add(id, ContentTransition(old: nil, new: new))
        }
        return contents
    }

    /// The last content of a row that was removed, as far as it is known.
    private func lastContent(of id: Int64) -> RowValues? { knownContent(of: superseded?.renaming?.old(id) ?? id) }

    private func compare(
        _ list: List, _ new: List, _ reason: RereadReason, _ rowChanges: SectionRowChanges?
    ) throws -> ListComparison {
        let mayReorder = reason == .request || compiled.isSelect
        if list.isMapped {
            return ListComparison(old: list, new: new, mayReorder: mayReorder, changeOfRow: { rowChanges?[$0] })
        }
        guard let order = compiled.section?.order else {
            return ListComparison(old: list, new: new, mayReorder: mayReorder, match: { _ in list.isFlat ? 0 : nil })
        }
        if list.isFlat { return ListComparison(old: list, new: new, mayReorder: mayReorder, match: { _ in nil }) }
        if mayReorder {
            // The old list may have another order, in which nothing can be searched.
            let old = (0..<list.sectionCount).map { order.recoded(list.section(at: $0)) }
            let indexes = Dictionary(old.enumerated().map { ($1.key, $0) }) { first, _ in first }
            return try ListComparison(old: list, new: new, mayReorder: true) { section in
                if let index = indexes[section.key] { return index }
                return order.isBytewise ? nil : try old.firstIndex { try order.isSame($0, section) }
            }
        }
        return try ListComparison(old: list, new: new, mayReorder: false) { section in
            let (index, isThere) = try order.find(section, in: list)
            return isThere ? index : nil
        }
    }

    /// The changes in the contents of rows that both lists have.
    private typealias ContentChanges = (changed: [Int64: ColumnSet], old: [Int64: RowValues], new: [Int64: RowValues])

    /// Compares the contents of the rows that hooks or foreign keys report, or, where these are not
    /// known, of the columns that the program received.
    private func contentChanges(
        _ list: List, _ new: List, _ round: Round, _ reason: RereadReason
    ) throws -> ContentChanges {
        var changes: ContentChanges = ([:], [:], [:])
        switch reason {
        case .related where !compiled.showsRanks, .window where !compiled.showsRanks, .many where !compiled.showsRanks:
            guard let watches, compiled.touched != nil else { break }
            let past = past(round, watches, compiled)
            let touched = try readTouchedContents(round, watches)
            for (id, entry) in touched where list.rows.contains(id) {
                guard let content = entry.content else {
                    changes.old[id] = try oldContent(of: id, entry.evidence, past)
                    continue
                }
                let (changed, old) = try changedColumns(id, entry.evidence, content, past)
                changes.old[id] = old
                guard new.rows.contains(id) else { continue }
                changes.new[id] = content
                changes.changed[id] = changed
            }
        case .related, .window, .many, .fetch, .request, .schema, .view, .foreign, .transaction, .recovery, .pause:
            guard superseded?.renaming == nil else { break }
            let layoutChange = LayoutChange(from: layout(of: shownCompiled), to: layout)
            let known = readability.earlier.map { $0.ids.union(cache.ids) } ?? Set(cache.ids)
            let ids = known.filter { list.rows.contains($0) && new.rows.contains($0) }.sorted()
            try readContents(of: ids) { id, content in
                changes.new[id] = content
                (changes.changed[id], changes.old[id]) = changesSinceGiven(id, content, layoutChange)
            }
            if reason == .foreign { try addOwnChanges(round, list, new, to: &changes) }
        }
        return changes
    }

    /// Adds the rows that the program never received and that the store itself has changed. Their
    /// old contents are not known, as the other connection may have changed them before.
    private func addOwnChanges(_ round: Round, _ list: List, _ new: List, to changes: inout ContentChanges) throws {
        guard let watches, compiled.touched != nil, !round.isSchemaChanged else { return }
        let past = past(round, watches, compiled)
        let touched = try readTouchedContents(round, watches)
        for (id, entry) in touched where list.rows.contains(id) && new.rows.contains(id) {
            guard changes.new[id] == nil, let content = entry.content,
                try !changedColumns(id, entry.evidence, content, past).0.isEmpty
            else { continue }
            changes.new[id] = content
            changes.changed[id] = .unknown
        }
    }

    func preparedState(
        _ newList: consuming PreparedState.NewList, _ changeSet: consuming ChangeSet,
        _ touched: consuming [RowTransition],
        _ contents: consuming RowDictionary<ContentTransition>, _ sections: ChangedSections?,
        sharesContents: Bool = true, totals: [TotalChange] = []
    ) -> PreparedState {
        #if DEBUG
            checkReplay(newList, changeSet)
        #endif
        changeSet.origin.formUnion(missedOrigin)
        return PreparedState(
            newList: newList,
            changes: EngineChanges(changeSet, self, contents: contents, sections: sections, totals: totals),
            touched: isOfSections ? touched : [],
            sectionRows: sections?.rows, sharesContents: sharesContents)
    }
}
