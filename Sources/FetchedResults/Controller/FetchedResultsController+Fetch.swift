internal import OrderedTree
internal import SQLiteKit

extension FetchedResultsController {
    /// Reads the list. Makes no change callbacks; done again, it reads the list anew. On failure the list stays what it was.
    /// Inside a transaction it sees that transaction's rows. O(n).
    ///
    /// - Parameter progress: Told now and then how many rows have been read; false gives up, with `cancelled`.
    public func performFetch(progress: @escaping (Int) -> Bool = { _ in true }) throws {
        try store.checkOpen()
        let compiled = try compileForFetch()
        let previous = (self.compiled, decoder, subscription)
        self.compiled = compiled
        decoder = RowDecoder(compiled: compiled, identities: Identities())
        subscription = try store.subscribe(self, compiled)
        let list: List
        do {
            list = try store.connection.reading {
                try store.notePagerVersion()
                return try readList(.fetch, progress: progress)
            }
        } catch {
            (self.compiled, decoder) = (previous.0, previous.1)
            subscription = try previous.2.map { _ in try store.subscribe(self, previous.0) }
            throw error
        }
        show(list)
    }

    /// Shows a list that was fetched.
    func show(_ list: List) {
        self.list = list
        earlierContents = nil
        wasFetchedInTransaction = store.hasUndeliveredChanges
        if let subscription { store.subscriptions.setEager(subscription, wasFetchedInTransaction) }
        pending = nil
        failure = nil
        version += 1
        indexTitles = nil
        cache.removeAll()
        fingerprints = [:]
        if wasFetchedInTransaction, let subscription { readEarlierContents(list, subscription) }
    }

    /// Reads what rows show that were touched before they were fetched. A row that can't be read is told as gone later.
    private func readEarlierContents(_ list: List, _ subscription: Subscription) {
        guard let watch = subscription.entity else {
            earlierContents = EarlierContents(ids: [], subscription, writeCount: store.capture.writeCount)
            return
        }
        let rowids = watch.rowids.keys.map { rowid in
            compiled.entity.isIdentityRowid ? rowid : watch.rowids.image(of: rowid).flatMap { $0 }.flatMap {
                decoder.id(ofImage: $0, rowid: rowid)
            }
        }
        let keys = watch.keys.keys.map { decoder.id(ofIdentity: $0) }
        let ids = Set((rowids + keys).compactMap(\.self).filter(list.rows.contains))
        cache.limit = max(cache.limit, ids.count * 2)
        try? readContents(of: ids.sorted()) { remember($0, $1) }
        earlierContents = EarlierContents(ids: ids, subscription, writeCount: nil)
    }

    public var isFetched: Bool { list != nil }

    /// Takes another request for the same entity. If the list is fetched, it is read anew, and the difference is delivered
    /// as one change set: at once, or, inside a callback, after the current round. On failure request and list stay.
    public func setRequest(_ request: FetchRequest) throws {
        try store.checkOpen()
        let compiled = try store.compile(request)
        guard compiled.entity.sqlName == self.compiled.entity.sqlName else {
            throw StoreError(.misuse, "the request is for \(compiled.entity.displayName), the list is of \(self.compiled.entity.displayName)")
        }
        guard isFetched else { return replaceRequest(request, compiled) }
        if store.isDelivering {
            store.queuedRequests.append((self, request))
        } else {
            store.isDelivering = true
            defer { store.isDelivering = false }
            try deliver(request)
        }
        try store.deliverIfDue()
    }

    /// Delivers the difference that another request makes.
    func deliver(_ request: FetchRequest) throws {
        guard let list else { return }
        let previous = (self.request, compiled, decoder, subscription)
        replaceRequest(request, try store.compile(request))
        do {
            let subscription = try store.subscribe(self, compiled)
            self.subscription = subscription
            pending = try store.connection.reading { try reread(list, Round([], reread: .request), .request) }
            if store.hasUndeliveredChanges {
                wasFetchedInTransaction = true
                store.subscriptions.setEager(subscription, true)
            }
        } catch {
            replaceRequest(previous.0, previous.1)
            decoder = previous.2
            subscription = try store.subscribe(self, compiled)
            throw error
        }
        if pending != nil { store.announce([self]) }
    }
}
