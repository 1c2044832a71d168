public import ListEngine
internal import SQLiteKit

extension FetchedResultsController {
    /// Reads the list. Makes no change callbacks; called again, it reads the list from scratch. On
    /// failure the list stays as it was. Inside a transaction it reads that transaction's rows. A
    /// collection that shows the list is notified to reload. O(n).
    ///
    /// A list that is cached under the request's cache name and still valid is used as it is,
    /// without reading rows; another list with such a name is cached after it was read.
    ///
    /// - Parameter progress: Called at intervals with the number of rows that have been read; false
    ///   cancels, with `cancelled`.
    public func performFetch(progress: @escaping (Int) -> Bool) throws {
        try store.checkOpen()
        let fetched = try store.readingForFetch { try prepareFetch(progress) }
        try Delivery.show(fetched: [self]) { self.show(fetched) }
        if fetched.origin == .database { cacheList() }
    }

    /// Reads the list without showing it. Called in a read transaction.
    func prepareFetch(_ progress: @escaping (Int) -> Bool) throws -> FetchedState {
        try engine.prepareFetch(cached: cachedList, progress)
    }

    /// Shows a list that was fetched.
    func show(_ fetched: FetchedState) {
        hangingWindowsAgain { engine.show(fetched) }
        announcer.version += 1
        announcer.fetchCount += 1
        indexTitles = nil
        engine.missedOrigin = []
        apply(.fetched(isAhead: !fetched.undelivered.isEmpty))
        noteCached(fetched)
    }

    /// Whether the list was fetched, so that it can be read and delivers changes.
    public var isFetched: Bool { engine.list != nil }

    /// Takes another request for the same entity. If the list is fetched, it is read again, and the
    /// difference is delivered as one change set: immediately, or, inside a callback, after the
    /// current round. If the request has other columns, the rows that the program has read are
    /// reported as updated. On failure the request and the list stay. The observers are notified of
    /// a failure after a callback.
    public func setRequest(_ request: FetchRequest) throws {
        try store.checkOpen()
        try checkEntity(of: request)
        let compiled = try engine.compile(request)
        guard isFetched else { return take(request, compiled) }
        try change { controller in
            switch controller.apply(.settings) {
            case .take:
                let compiled = try controller.engine.compile(request)
                controller.take(request, compiled)
                try controller.watchTables()
                return nil
            case .compare(let basis):
                let prepared = try controller.preparing { try controller.engine.prepare(request, on: basis) }
                controller.noteNewRequest()
                return prepared
            case .none, .follow, .miss, .catchUp, .askForRound, .notifyFailure: return nil
            }
        }
    }

    private func take(_ request: FetchRequest, _ compiled: CompiledRequest) {
        engine.replaceRequest(request, compiled)
        noteNewRequest()
    }

    private func noteNewRequest() {
        cachedFiles.list = nil
        restartFetch()
    }

    /// Refuses a request for another entity.
    func checkEntity(of request: FetchRequest) throws { try engine.checkEntity(of: request) }

    // MARK: Settings

    /// Changes the settings of the list, and delivers the difference: immediately, or, inside a
    /// callback, after the current round; then the observers are notified of a failure.
    func change(_ body: @escaping (FetchedResultsController) throws -> PreparedState?) throws {
        try store.checkOpen()
        try store.delivery.queue.runOrWait { [weak self] in
            guard let self, !store.isClosed else { return }
            // The snapshot then has everything that the lists show.
            store.delivery.foreign.tidy(isIdle: true)
            try store.delivery.foreign.inRound {
                let prepared = try preparingSettings(body)
                Delivery.announce([Delivery.ListPart(self, prepared)])
            }
        } failed: { [weak self] error in
            if let self { announcer.notifyFailure(self, error) }
        }
        if !store.delivery.queue.isUnderWay { store.delivery.deliverIfDue() }
    }

    /// Calls a function that takes other settings, and notes them as the origin of its changes, or
    /// of the changes with which the list catches up.
    private func preparingSettings(
        _ body: (FetchedResultsController) throws -> PreparedState?
    ) throws -> PreparedState? {
        let missed = engine.missedOrigin
        engine.missedOrigin.insert(.request)
        do {
            let prepared = try store.readingForSettings { try body(self) }
            if !state.isHeld { engine.missedOrigin = [] }
            return prepared
        } catch {
            engine.missedOrigin = missed
            throw error
        }
    }

    /// Prepares the changes of other settings. A list that is behind stays so if that fails.
    func preparing(_ body: () throws -> PreparedState?) throws -> PreparedState? {
        do {
            let prepared = try body()
            apply(.followed)
            return prepared
        } catch {
            if state.basis == .failure { apply(.failed(StoreError(any: error))) }
            throw error
        }
    }
}
