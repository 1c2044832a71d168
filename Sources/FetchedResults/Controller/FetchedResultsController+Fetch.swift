internal import SQLiteKit

extension FetchedResultsController {
    /// Reads the list. Makes no callbacks; done again, it reads the list anew. On failure the list stays what it was.
    /// Inside a transaction it sees that transaction's rows. O(n).
    public func performFetch() throws {
        try store.checkOpen()
        if isFetched || store.hasUndeliveredChanges { use(try store.compile(request)) }
        let subscription = store.subscribe(self, compiled)
        do {
            list = try store.connection.reading { try readList(.fetch) }
        } catch {
            if list == nil { subscription.cancel() } else { self.subscription = subscription }
            throw error
        }
        self.subscription = subscription
        wasFetchedInTransaction = !store.connection.isAutocommit
        store.subscriptions.setEager(subscription, wasFetchedInTransaction)
        pending = nil
        failure = nil
        version += 1
        indexTitles = nil
        cache.removeAll()
        fingerprints = [:]
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
            let subscription = store.subscribe(self, compiled)
            self.subscription = subscription
            pending = try store.connection.reading { try reread(list, Round([], reread: .request), .request) }
            if !store.connection.isAutocommit {
                wasFetchedInTransaction = true
                store.subscriptions.setEager(subscription, true)
            }
        } catch {
            replaceRequest(previous.0, previous.1)
            decoder = previous.2
            subscription = store.subscribe(self, compiled)
            throw error
        }
        if pending != nil { store.announce([self]) }
    }
}
