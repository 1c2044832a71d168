internal import ChangeSets
internal import OrderedTree
internal import SQLiteKit

/// A list that an earlier fetch has cached. The decoder's request has the statistics of its ranks.
/// `isUnchanged` says whether it is as it was cached, rather than updated to the present state.
package typealias CachedList = (list: List, decoder: KeyDecoder, isUnchanged: Bool)

/// Finds the list of a fetch, which has read no row yet, where an earlier one has cached it. The
/// sections are those of a section map.
package typealias FindCachedList = (ListEngine, KeyDecoder, Watches, FetchedSections?) -> CachedList?

/// Reading the list from scratch, without comparing it with the old one.
extension ListEngine {
    /// Reads the list without showing it. Called in a read transaction. `show` follows, or the
    /// state's `cancel`. O(n).
    package func prepareFetch(
        cached find: FindCachedList = { _, _, _, _ in nil }, _ progress: @escaping (Int) -> Bool
    ) throws -> FetchedState {
        try database.checkOpen()
        try connection.checkNotMoved()
        try groups?.fetch()
        let compiled = try compileForFetch()
        let decoder = KeyDecoder(compiled: compiled, identities: .of(compiled))
        let sections = try mappedSections?.prepareFetch(cached: find)
        do {
            let watches = try watch(compiled)
            do {
                try database.willReadList()
                let cached = find(self, decoder, watches, sections)
                if cached != nil {
                    counters.cachedFetches += 1
                } else {
                    // The identities of a cached list that could not be used.
                    decoder.identities.releaseAll { _ in false }
                }
                let decoder = try cached?.decoder ?? decoder.with(compiled.withPresentStatistics())
                let list =
                    try cached?.list
                    ?? readList(.fetch, decoder.compiled, decoder, sections?.table, progress: progress)
                try readTotals(of: list, decoder.compiled, decoder)
                let state = FetchedState(
                    compiled: decoder.compiled, decoder: decoder, watches: watches, list: list, sections: sections,
                    dataVersion: try database.readDataVersion(), undelivered: try undelivered,
                    origin: cached.map { $0.isUnchanged ? .cache : .earlierCache } ?? .database,
                    ahead: database.fetchedAhead)
                state.groups = groups
                return state
            } catch {
                watches.cancel()
                throw error
            }
        } catch {
            sections?.cancel()
            throw error
        }
    }

    /// Shows a list that was fetched.
    package func show(_ fetched: FetchedState) { show(fetched, nil) }

    /// - Parameter contents: The contents of all rows, if no snapshot can show the state of the
    ///   fetch.
    func show(_ fetched: FetchedState, _ contents: RowDictionary<RowValues>?) {
        groups?.commit()
        decoder = fetched.decoder
        watches = fetched.watches
        if let sections = fetched.sections { mappedSections?.show(sections) }
        list = fetched.list
        noteRead(contents)
        superseded = nil
        prepared = nil
        readability = Readability(fetched: fetched.dataVersion, fetched.ahead, database)
        version += 1
        emptyCache()
        decoder.identities.settle()
        noteUndelivered(fetched.undelivered)
    }

    /// Notes that the list is shown as it was read from scratch.
    func noteRead(_ contents: RowDictionary<RowValues>?) {
        database.shownState(of: compiled.database)?.withLaterContents { $0.noteRead(self, contents, isBehind: $1) }
    }

    /// Notes the undelivered changes of the list that is shown from now on.
    func noteUndelivered(_ undelivered: ChangeOrigin) {
        readability.earlier = nil
        guard undelivered.contains(.store), groups == nil, let list, let watches else { return }
        let writeCount = watches.entity == nil ? database.writeCount : nil
        do {
            let contents = try earlierContents(list, watches, readability.ahead?.state)
            let hasAllTouched = contents.hasAllTouched || !connection.isInTransaction
            readability.earlier = EarlierContents(
                contents.rows, isComplete: contents.isComplete, watches, writeCount: writeCount,
                rollbackCount: hasAllTouched ? nil : database.rollbackCount)
        } catch {
            // The touched rows are not known, so all rows that are not in the cache are gone until
            // the next delivery.
            readability.earlier = EarlierContents(
                nil, isComplete: false, watches, writeCount: writeCount, rollbackCount: nil)
        }
    }

    /// The contents of rows that were touched before they were fetched, whether all other rows are
    /// as in the state that the other lists show, and whether no other rows were touched.
    ///
    /// - Parameter held: Holds the state of the fetch, and with it the contents of all rows.
    private func earlierContents(
        _ list: List, _ watches: Watches, _ held: (any ShownState)?
    ) throws -> (rows: RowDictionary<RowValues>, isComplete: Bool, hasAllTouched: Bool) {
        let hasOwnContent = compiled.content.imageColumns != nil
        if held == nil, watches.entity == nil || !hasOwnContent, database.mergesCommits,
            database.shownState(of: compiled.database)?.withSnapshot({ $0 != nil }) ?? false
        {
            // It is not known in which rows the list differs from that snapshot.
            return (try allContents(of: list, compiled, decoder), true, true)
        }
        guard let watch = watches.entity else { return (RowDictionary(), false, false) }
        // A row that was inserted, or got another identity, has no image that shows the one it has
        // now.
        let rowids = try watch.rowids.all.flatMap { rowid -> [Int64?] in
            if compiled.entity.isIdentityRowid { return [rowid] }
            let image = watch.rowids.image(of: rowid).flatMap { $0 }
            return [image.flatMap { decoder.id(ofImage: $0, rowid: rowid) }, try currentID(ofRowid: rowid)]
        }
        let keys = watch.keys.all.map { decoder.id(ofIdentity: $0) }
        let ids = Set((rowids + keys).compactMap(\.self).filter(list.rows.contains))
        var contents = RowDictionary<RowValues>()
        if let held {
            for id in ids.sorted() { contents.add(id, try held.withSnapshot { try readContent(of: id, in: $0) }) }
        } else {
            try readContents(of: ids.sorted()) { contents.add($0, $1) }
        }
        return (contents, hasOwnContent, hasOwnContent && database.hasAllTouched(watch))
    }

    /// The id of the row that has a rowid now; nil if none in the list has it.
    func currentID(ofRowid rowid: Int64) throws -> Int64? {
        guard let statement = try compiled.touched?.contents.one(rowid: rowid, compiled) else { return nil }
        defer { statement.reset() }
        return try statement.step() ? decoder.id(statement) : nil
    }

    /// Reads the list as it is in the database.
    func readList(
        _ reason: RereadReason, _ compiled: CompiledRequest, _ decoder: KeyDecoder, _ sections: SectionRowTable?,
        earlier: List? = nil, progress: @escaping (Int) -> Bool = { _ in true }
    ) throws -> List {
        counters.countReread(reason)
        counters.statementsRun += 1
        let reader = ListReader(
            compiled: compiled, decoder: decoder, nodes: nodes, earlier: earlier, progress: progress)
        let list: List
        if let sections, let options = mappedSections?.options {
            list = try reader.read(sections, options)
        } else {
            list = try reader.read()
        }
        counters.rowsRead += list.count + (list.skipped?.count ?? 0)
        return list
    }
}
