internal import OrderedTree
internal import SQLiteKit

extension FetchedResultsController {
    /// Reads the list. Makes no change callbacks; done again, it reads the list anew. On failure the list stays what it was.
    /// Inside a transaction it sees that transaction's rows. A collection that shows the list is told to reload. O(n).
    ///
    /// A list that is kept under the request's cache name and still right is taken as it is, without reading rows; another
    /// one that has such a name is kept when it has been read.
    ///
    /// - Parameter progress: Told now and then how many rows have been read; false gives up, with `cancelled`.
    public func performFetch(progress: @escaping (Int) -> Bool) throws {
        try store.checkOpen()
        let fetched = try store.readingForFetch { try prepareFetch(progress) }
        try Bracket.reload(collectionsShowing: self) { show(fetched) }
        if !fetched.isFromCache { cacheList() }
    }

    /// Reads the list without showing it. Called in a read transaction.
    func prepareFetch(_ progress: @escaping (Int) -> Bool) throws -> PreparedFetch {
        try store.checkOpen()
        try store.connection.checkNotMoved()
        let compiled = try compileForFetch()
        let decoder = RowDecoder(compiled: compiled, identities: Identities(compiled))
        let sections = try sectionRows?.prepareFetch()
        do {
            let subscription = try store.subscribe(self, compiled)
            do {
                try store.notePagerVersion()
                let cached = cachedList(compiled, decoder, sections?.table)
                let list = try cached ?? readList(.fetch, compiled, decoder, sections?.table, progress: progress)
                return PreparedFetch(
                    compiled: compiled, decoder: decoder, subscription: subscription, list: list, sections: sections,
                    dataVersion: try store.readDataVersion(), isInTransaction: store.hasUndeliveredChanges, isFromCache: cached != nil)
            } catch {
                subscription.cancel()
                throw error
            }
        } catch {
            sections?.cancel()
            throw error
        }
    }

    /// Shows a list that was fetched.
    func show(_ fetched: PreparedFetch) {
        compiled = fetched.compiled
        decoder = fetched.decoder
        subscription = fetched.subscription
        if let sections = fetched.sections { sectionRows?.show(sections) }
        show(fetched.list, dataVersion: fetched.dataVersion, isInTransaction: fetched.isInTransaction)
        if fetched.isFromCache { noteCached() }
    }

    /// Shows a list that was read by the request as it is compiled.
    func show(_ list: List, dataVersion: Connection.DataVersion, isInTransaction: Bool) {
        self.list = list
        superseded = nil
        fetchedDataVersion = dataVersion
        pending = nil
        failure = nil
        missed = MissedRows()
        pause.forget()
        announcer.version += 1
        indexTitles = nil
        cache.removeAll()
        decoder.identities.settle()
        setFetchedInTransaction(isInTransaction)
    }

    /// Notes whether the list that is shown from now on shows what was not delivered yet.
    func setFetchedInTransaction(_ isInTransaction: Bool) {
        wasFetchedInTransaction = isInTransaction
        earlierContents = nil
        guard let list, let subscription else { return }
        if isInTransaction || failure == nil { store.subscriptions.setEager(subscription, isInTransaction) }
        guard isInTransaction else { return }
        do {
            earlierContents = try readEarlierContents(list, subscription)
        } catch {
            // Which rows were touched is not known, so that all that are not in the cache are gone until the next delivery.
            earlierContents = EarlierContents(ids: nil, subscription, writeCount: nil)
        }
    }

    /// Reads what rows show that were touched before they were fetched.
    private func readEarlierContents(_ list: List, _ subscription: Subscription) throws -> EarlierContents {
        guard let watch = subscription.entity else {
            return EarlierContents(ids: [], subscription, writeCount: store.capture.writeCount)
        }
        // A row that came, or got another identity, has no image that tells the one it has now.
        let rowids = try watch.rowids.keys.flatMap { rowid -> [Int64?] in
            if compiled.entity.isIdentityRowid { return [rowid] }
            let image = watch.rowids.image(of: rowid).flatMap { $0 }
            return [image.flatMap { decoder.id(ofImage: $0, rowid: rowid) }, try currentID(ofRowid: rowid)]
        }
        let keys = watch.keys.keys.map { decoder.id(ofIdentity: $0) }
        let ids = Set((rowids + keys).compactMap(\.self).filter(list.rows.contains))
        var contents = RowTable<Record>()
        try readContents(of: ids.sorted()) { contents.add($0, $1) }
        cache.insertAll(contents)
        return EarlierContents(ids: ids, subscription, writeCount: nil)
    }

    /// The id of the row that has a rowid now; nil if none in the list has it.
    private func currentID(ofRowid rowid: Int64) throws -> Int64? {
        guard let statement = compiled.touchedContent else { return nil }
        try statement.bind(rowid, at: statement.parameterCount)
        defer { statement.reset() }
        return try statement.step() ? decoder.id(statement) : nil
    }

    public var isFetched: Bool { list != nil }

    /// Takes another request for the same entity. If the list is fetched, it is read anew, and the difference is delivered
    /// as one change set: at once, or, inside a callback, after the current round. On failure request and list stay;
    /// one after a callback is told to the observers.
    public func setRequest(_ request: FetchRequest) throws {
        try store.checkOpen()
        try checkEntity(of: request)
        let compiled = try compile(request)
        guard isFetched else { return replaceRequest(request, compiled) }
        try store.queue.runOrWait { [weak self] in try self?.deliver(request) } failed: { [weak self] in self?.tellFailure($0) }
        if !store.queue.isUnderWay { store.deliverIfDue() }
    }

    /// Refuses a request for another entity.
    func checkEntity(of request: FetchRequest) throws {
        let isSame: Bool
        let name: String
        if request.select != nil || compiled.isSelect {
            isSame = request.select != nil && compiled.isSelect
            name = request.select == nil ? request.entity : "SELECT"
        } else {
            let entity = try SchemaReader(connection: store.connection).entity(request.entity, identity: request.identity)
            isSame = entity.isSame(as: compiled.entity)
            name = entity.displayName
        }
        guard isSame else {
            throw StoreError(.misuse, "the request is for \(name), the list is of \(compiled.entity.displayName)")
        }
    }

    /// Delivers the difference that another request makes.
    private func deliver(_ request: FetchRequest) throws {
        guard !store.isClosed else { return }
        if pause.holdsBack {
            let compiled = try compile(request)
            subscription = try store.subscribe(self, compiled)
            replaceRequest(request, compiled)
            return noteRequestForResume()
        }
        try store.connection.reading { try prepareRequest(request) }
        if pending != nil { Bracket.announce([self]) }
    }
}
