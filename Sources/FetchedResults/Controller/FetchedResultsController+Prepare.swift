internal import ChangeSets
internal import OrderedTree
internal import SQLiteKit

/// First phase of a delivery: finding out what changed.
extension FetchedResultsController {
    /// Prepares what a round changes in this list. On throw the list is as it was.
    func prepareNoting(_ round: Round) throws {
        if round.reread != nil { fetchedDataVersion = nil }
        fetch?.note(round)
        let isDue = pause.isDue
        if pause.holdsBack {
            if !round.isEmpty { noteMissed(round) }
            guard isDue else { return }
        }
        do {
            pending = isDue ? try prepareMissed() : try prepare(round)
        } catch {
            missed.note(round, subscription, compiled)
            restoreSuperseded()
            try sectionRows?.dropPending()
            sectionRows?.controller?.noteDropped(round)
            throw error
        }
        if pending == nil { releaseIdentities() }
        // The rows of a map's sections follow only when the map does.
        if !isOwned { forgetMissedRows() }
        if failure != nil || wasFetchedInTransaction || isDue { didPrepare() }
    }

    /// Notes a round that this list could follow, but not the map whose sections are its rows.
    private func noteDropped(_ round: Round) { missed.note(round, subscription, compiled) }

    private func forgetMissedRows() {
        if !missed.isEmpty { missed = MissedRows() }
        sectionRows?.controller?.forgetMissedRows()
    }

    /// What a round changes in this list; nil if nothing. Called in the round's read transaction.
    func prepare(_ round: Round) throws -> PendingUpdate? {
        guard let list, let subscription else { return nil }
        let rowChanges = try sectionRows?.prepare(round)
        do {
            if mustRecompile(round) {
                try recompile(list)
                // Only now, as the sections' rows can have other ids.
                let reason = rereadReason(round, subscription) ?? .schema
                return try reread(renamed(list), round, reason, rowChanges)
            }
            if let reason = rereadReason(round, subscription) ?? rereadReason(rowChanges) { return try reread(list, round, reason, rowChanges) }
            var update = try readTouched(round, subscription, list, rowChanges, decoder)
            return try update.apply()
        } catch {
            try rowChanges?.edit.revert()
            throw error
        }
    }

    /// Prepares what other sections change in a map, or the showing of others of them.
    func prepare(_ rowChanges: SectionRowChanges?) throws {
        guard let list, let subscription else { return }
        do {
            var update = try readTouched(Round([], reread: nil), subscription, list, rowChanges, decoder)
            pending = try update.apply()
        } catch {
            try rowChanges?.edit.revert()
            try sectionRows?.dropPending()
            throw error
        }
    }

    /// Whether a change of the settings alone would not tell all that changes in the list: it could not follow, or there is
    /// what was not delivered yet, which a part that is read again would show already.
    var isBehind: Bool { failure != nil || store.hasUndeliveredChanges }

    /// Prepares what other settings, which the list has taken, change in it when it is behind: it is read anew. A failure that
    /// is there goes on if this throws.
    func prepareAnew() throws {
        do {
            try prepareNoting(Round([], reread: .request))
        } catch {
            if failure != nil { _ = noteFailure(StoreError(any: error)) }
            throw error
        }
    }

    /// Takes another request and prepares the difference. On throw all is as it was.
    func prepareRequest(_ request: FetchRequest) throws {
        guard let list else { return }
        let previous = (self.request, compiled, decoder)
        let new = try compile(request)
        let subscription = try store.subscribe(self, new)
        replaceRequest(request, new)
        do {
            if isBehind {
                try prepareAnew()
            } else {
                pending = try reread(list, Round([], reread: .request), .request, nil)
            }
        } catch {
            subscription.cancel()
            replaceRequest(previous.0, previous.1)
            decoder = previous.2
            throw error
        }
        self.subscription = subscription
    }

    private func past(_ round: Round, _ subscription: Subscription, _ compiled: CompiledRequest) -> PastContent {
        PastContent(compiled: compiled, round: round, subscription: subscription, connection: store.connection)
    }

    /// Reads again what a round touched.
    func readTouched(
        _ round: Round, _ subscription: Subscription, _ list: List, _ rowChanges: SectionRowChanges?,
        _ decoder: RowDecoder
    ) throws -> IncrementalUpdate {
        var update = IncrementalUpdate(self, list, past(round, subscription, decoder.compiled), rowChanges, decoder)
        if let rows = round.rows(of: subscription.entity) { try update.read(rows) }
        try readFedRows(round, subscription, decoder) { try update.read(fedRow: $0, $1, firstColumn: $2) }
        if let rowChanges {
            try readItems(of: rowChanges, list) { try update.read(fedRow: $0, $1, firstColumn: compiled.identity.count) }
        }
        decoder.identities.noteUnsettled(update.touched.ids)
        return update
    }

    /// Reads the contents of what a round touched.
    private func readTouchedContents(_ round: Round, _ subscription: Subscription) throws -> RowTable<TouchedEntry> {
        var contents = TouchedContents(self)
        if let rows = round.rows(of: subscription.entity) { try contents.read(rows) }
        try readFedRows(round, subscription, decoder) { try contents.read(fedRow: $0, $1, firstColumn: $2) }
        return contents.touched
    }

    private func rereadReason(_ round: Round, _ subscription: Subscription) -> RereadReason? {
        if failure != nil { return .recovery }
        if let reason = round.reread { return reason }
        if wasFetchedInTransaction { return .transaction }
        if compiled.dependencies.isAnyWrite || subscription.opaque.contains(where: { round.rows(of: $0) != nil }) {
            return compiled.entity.storage == .unobserved ? .view : .related
        }
        if compiled.request.isWindow { return .window }
        // Reading one row by its key costs about as much as reading eight in order.
        let count = round.rows(of: subscription.entity)?.count ?? 0
        if count > 1000, count > (list?.count ?? 0) / 8 { return .many }
        return nil
    }

    /// Whether other sections have other items, which can't be asked for one by one, or only by a predicate that may
    /// read whole tables for each.
    private func rereadReason(_ rowChanges: SectionRowChanges?) -> RereadReason? {
        guard let rowChanges else { return nil }
        let isCostly = !compiled.dependencies.opaque.isEmpty && rowChanges.mayMoveItems
        return compiled.touched == nil || isCostly ? .related : nil
    }

    /// Calls `body` for each item that changed its section because that came, went or has another key.
    private func readItems(
        of rowChanges: SectionRowChanges, _ list: List, _ body: (Int64, Statement) throws -> Void
    ) throws {
        let mayHaveOrphans = sectionRows?.options.itemsWithoutSection == .hidden
            || list.orphans.map { list.rows.rowCount(in: $0) > 0 } ?? false
        var keys: [SectionRow] = []
        for change in rowChanges.all where change.mayMoveItems {
            if let old = change.old, let section = list.section(ofRow: change.id), list.rows.rowCount(in: section) > 0 {
                keys.append(old)
            }
            if let new = change.new, mayHaveOrphans { keys.append(new) }
        }
        for key in keys where !key.isNull {
            let statement = try store.statement(compiled.itemsOfSection)
            try statement.bind(key.value, 0, at: 1)
            defer { statement.reset() }
            counters.statementsRun += 1
            while try statement.step() { try body(decoder.id(statement), statement) }
        }
    }

    /// Calls `body` for each row that a touched row of a related table feeds or fed.
    private func readFedRows(
        _ round: Round, _ subscription: Subscription, _ decoder: RowDecoder,
        _ body: (Int64, Statement, Int) throws -> Void
    ) throws {
        for (watch, related) in subscription.related {
            guard let rows = round.rows(of: watch) else { continue }
            for value in try relatedValues(rows, related) {
                let statement = related.fedRows
                try statement.bind(value, 0, at: 1)
                defer { statement.reset() }
                counters.statementsRun += 1
                while try statement.step() {
                    try body(decoder.id(statement), statement, decoder.compiled.identity.count)
                }
            }
        }
    }

    /// The values by which foreign keys refer to touched rows of a related table, before and now.
    private func relatedValues(_ rows: TouchedRows, _ related: Dependencies.Related) throws -> [Record] {
        guard let column = related.table.columnIndex(related.parentColumn) else { return [] }
        var values: [Record] = []
        var seen: Set<[UInt8]> = []
        func add(_ value: Record) {
            if value.storageClass(0) != .null, seen.insert(Record.Part(value, 0).encoded(KeyComponent())).inserted {
                values.append(value)
            }
        }
        for image in rows.rowids.images + rows.keys.images {
            if let image, column < image.count { add(Record(image, columns: [column])) }
        }
        let statement = related.currentValue
        defer { statement.reset() }
        func addCurrent() throws {
            counters.statementsRun += 1
            if try statement.step() { add(statement.record(from: 0, count: 1)) }
            statement.reset()
        }
        for rowid in rows.rowids.keys {
            try statement.bind(rowid, at: 1)
            try addCurrent()
        }
        for key in rows.keys.keys {
            for index in 0..<key.count { try statement.bind(key, index, at: index + 1) }
            try addCurrent()
        }
        return values
    }

    // MARK: Reading anew

    /// The list, to be compared with one whose rows, or sections' rows, have identities of another kind.
    private func renamed(_ list: List) throws -> List {
        let (rows, sections) = (superseded?.renaming, sectionRows?.renaming)
        guard rows != nil || sections != nil else { return list }
        return try list.renamed(rows: { rows?.new($0) ?? $0 }, sections: { sections?.new($0) ?? $0 })
    }

    /// Reads the whole list and compares.
    func reread(
        _ list: List, _ round: Round, _ reason: RereadReason, _ rowChanges: SectionRowChanges?
    ) throws -> PendingUpdate? {
        let new = try readList(reason, compiled, decoder, sectionRows?.table)
        var comparison = try compare(list, new, allReordered: reason == .request || compiled.isSelect, rowChanges)
        let content = try contentChanges(list, new, round, reason)
        let knowsContents = knowsContents(reason)
        comparison.addContentChanges(content.changed) { knowsContents || content.new[$0] != nil }
        let changeSet = ChangeSet(rows: comparison.rows, sections: comparison.sections)
        return pendingUpdate(
            .replacement(new), changeSet, comparison.rows, contents(of: changeSet, content),
            changedSections(changeSet, list, new, rowChanges), knowsContents: knowsContents)
    }

    /// Whether a list that is read from scratch for some reason has the same contents as before, but for the rows that
    /// hooks or foreign keys name.
    private func knowsContents(_ reason: RereadReason) -> Bool {
        switch reason {
        case .related, .window, .many: compiled.touched != nil
        case .request: !isBehind
        case .fetch, .schema, .view, .foreign, .transaction, .recovery, .pause: false
        }
    }

    private func changedSections(
        _ changeSet: ChangeSet, _ list: List, _ new: List, _ rowChanges: SectionRowChanges?
    ) -> ChangedSections {
        var changed = ChangedSections(rows: rowChanges)
        for change in changeSet.sectionChanges {
            if let index = change.oldIndex { changed.old.add(Int64(index), list.section(at: index)) }
            if let index = change.newIndex { changed.new.add(Int64(index), new.section(at: index)) }
        }
        return changed
    }

    /// What is known of the contents of all rows that a change set has records of.
    private func contents(of changeSet: ChangeSet, _ content: ContentChanges) -> RowTable<RowContents> {
        var contents = RowTable<RowContents>()
        for change in changeSet.objectChanges {
            contents.add(
                change.id,
                RowContents(
                    old: content.old[change.id] ?? (change.type == .delete ? lastContent(of: change.id) : nil),
                    new: change.type == .delete ? nil : content.new[change.id]))
        }
        // The columns may be others now, so that all that is kept of contents is replaced.
        for (id, new) in content.new where superseded != nil && contents.index(of: id) == nil {
            contents.add(id, RowContents(old: nil, new: new))
        }
        return contents
    }

    /// What the program was given of a row that went, as far as that is kept.
    private func lastContent(of id: Int64) -> Record? { cache.peek(superseded?.renaming?.old(id) ?? id) }

    private func compare(
        _ list: List, _ new: List, allReordered: Bool, _ rowChanges: SectionRowChanges?
    ) throws -> ListComparison {
        if list.isMapped { return ListComparison(old: list, new: new, allReordered: allReordered, rowChanges: rowChanges) }
        guard let order = compiled.sectionOrder else {
            return ListComparison(old: list, new: new, allReordered: allReordered) { _ in list.isFlat ? 0 : nil }
        }
        if list.isFlat { return ListComparison(old: list, new: new, allReordered: allReordered) { _ in nil } }
        if allReordered {
            // The old list may stand in another order, in which nothing can be searched for.
            let old = (0..<list.sectionCount).map { order.recoded(list.section(at: $0)) }
            let indexes = Dictionary(old.enumerated().map { ($1.key, $0) }) { first, _ in first }
            return try ListComparison(old: list, new: new, allReordered: true) { section in
                if let index = indexes[section.key] { return index }
                return order.isBytewise ? nil : try old.firstIndex { try order.isSame($0, section) }
            }
        }
        return try ListComparison(old: list, new: new, allReordered: false) { section in
            let (index, isThere) = try order.find(section, in: list)
            return isThere ? index : nil
        }
    }

    /// What changed in the contents of rows that both lists have.
    private struct ContentChanges {
        var changed: [Int64: ColumnSet] = [:]
        var old: [Int64: Record] = [:]
        var new: [Int64: Record] = [:]
    }

    /// Compares the contents of the rows that hooks or foreign keys tell of, or, where these are not known, of those that
    /// the program was given.
    private func contentChanges(
        _ list: List, _ new: List, _ round: Round, _ reason: RereadReason
    ) throws -> ContentChanges {
        var changes = ContentChanges()
        switch reason {
        case .related, .window, .many:
            guard let subscription, compiled.touched != nil else { break }
            let past = past(round, subscription, compiled)
            let touched = try readTouchedContents(round, subscription)
            for (id, entry) in zip(touched.ids, touched.values) where list.rows.contains(id) {
                guard let content = entry.content else {
                    changes.old[id] = try oldContent(of: id, entry, past)
                    continue
                }
                let (changed, old) = try changedColumns(id, entry, content, past)
                changes.old[id] = old
                guard new.rows.contains(id) else { continue }
                changes.new[id] = content
                changes.changed[id] = changed
            }
        case .fetch, .request, .schema, .view, .foreign, .transaction, .recovery, .pause:
            guard superseded?.renaming == nil else { break }
            let layoutChange = LayoutChange(from: shownCompiled.content.layout, to: compiled.content.layout)
            try readContents(of: cache.ids.filter { list.rows.contains($0) && new.rows.contains($0) }) { id, content in
                changes.new[id] = content
                (changes.changed[id], changes.old[id]) = changesSinceGiven(id, content, layoutChange)
            }
            if reason == .foreign { try addOwnChanges(round, list, new, to: &changes) }
        }
        return changes
    }

    /// Adds the rows that the program was never given and that the store itself has changed. What they showed is not known,
    /// as the other connection may have changed them before.
    private func addOwnChanges(_ round: Round, _ list: List, _ new: List, to changes: inout ContentChanges) throws {
        guard let subscription, compiled.touchedContent != nil, !round.isSchemaChanged else { return }
        let past = past(round, subscription, compiled)
        let touched = try readTouchedContents(round, subscription)
        for (id, entry) in zip(touched.ids, touched.values) where list.rows.contains(id) && new.rows.contains(id) {
            guard changes.new[id] == nil, let content = entry.content,
                try !changedColumns(id, entry, content, past).0.isEmpty
            else { continue }
            changes.new[id] = content
            changes.changed[id] = .unknown
        }
    }

    /// Reads the list as it is in the database.
    func readList(
        _ reason: RereadReason, _ compiled: CompiledRequest, _ decoder: RowDecoder, _ sections: SectionRowTable?,
        progress: @escaping (Int) -> Bool = { _ in true }
    ) throws -> List {
        counters.rereads[reason, default: 0] += 1
        counters.statementsRun += 1
        let reader = ListReader(compiled: compiled, decoder: decoder, nodes: nodes, progress: progress)
        let list: List
        if let sections, let options = sectionRows?.options {
            list = try reader.read(sections, options)
        } else {
            list = try reader.read()
        }
        counters.rowsRead += list.count
        return list
    }

    func pendingUpdate(
        _ form: PendingUpdate.Form, _ changeSet: ChangeSet, _ touched: [TouchedRow], _ contents: RowTable<RowContents>,
        _ sections: ChangedSections, knowsContents: Bool = true
    ) -> PendingUpdate {
        PendingUpdate(
            form: form, changes: ControllerChanges(changeSet, self, contents: contents, sections: sections),
            contents: contents, touched: isOwned ? touched : [],
            showsUndelivered: store.hasUndeliveredChanges, sectionRows: sections.rows, knowsContents: knowsContents)
    }
}
