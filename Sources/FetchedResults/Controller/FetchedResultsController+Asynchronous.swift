internal import ListEngine
internal import OrderedTree
internal import LogFollower
internal import SQLiteKit

extension FetchedResultsController {
    /// Reads the list in the background, on a connection of its own. `progress` (which can end the
    /// fetch by returning false) and `completion` (with nil, or the error) are called by
    /// `Store.dispatch`. Until then the list shows its old state; from then on, the state of the
    /// other lists of the store. If another request is set meanwhile, that one is fetched.
    ///
    /// `dispatch` itself reads lists that a second connection could not read, or not without being
    /// noticed: databases without a file or in a rollback mode, temporary tables, attached
    /// databases, functions and collations that the program registered. It also reads the sections
    /// of a section map; its items are read in the background.
    public func performFetchAsynchronously(
        progress: @escaping (Int) -> Bool = { _ in true }, completion: @escaping (StoreError?) -> Void
    ) throws {
        try checkCanFetchAsynchronously()
        try begin(AsynchronousFetch(progress: progress, completion: completion))
    }

    func checkCanFetchAsynchronously() throws {
        try store.checkOpen()
        guard fetch == nil else { throw StoreError(.misuse, "a fetch is under way") }
        _ = try store.wakeUp()
    }

    func begin(_ fetch: AsynchronousFetch) throws {
        let wakeUp = try store.wakeUp()
        self.fetch = fetch
        store.fetching.append(self)
        begin(fetch, wakeUp)
    }

    /// Ends the fetch under way; its completion is called with `cancelled` by the next
    /// `Store.dispatch`. False if there is none.
    @discardableResult
    public func cancelFetch() -> Bool {
        guard let fetch else { return false }
        fetch.cancel()
        fetch.group?.cancel()
        store.delivery.waking.wake()
        return true
    }

    /// Begins the fetch again with the request that was set.
    func restartFetch() {
        guard let fetch else { return }
        fetch.restart()
        store.delivery.waking.wake()
    }

    var isFetchCancelled: Bool { fetch?.isCancelled ?? false }

    func discardFetch() {
        let group = fetch?.group
        fetch = nil
        group?.discard()
    }

    /// Continues the fetch under way; called by `Store.dispatch` when no transaction is open. True
    /// once it has ended.
    func continueFetch() -> Bool {
        guard let fetch else { return true }
        if case .reading(let reading) = fetch.state { _ = fetch.report(reading.background.rowCount) }
        // Whenever progress is reported, the program may end the fetch, or set another request.
        guard self.fetch === fetch, !store.isClosed else { return self.fetch == nil }
        if let group = fetch.group {
            // The group ends it, with its other fetches.
            proceed(fetch)
            group.proceed()
            return false
        }
        let result: Result<FetchedState, StoreError>
        do {
            guard let fetched = try fetchedList(fetch) else { return false }
            result = .success(fetched)
        } catch {
            result = .failure(StoreError(any: error))
        }
        guard self.fetch === fetch, fetch.isCurrent || fetch.isCancelled else {
            if case .success(let fetched) = result { fetched.cancel() }
            store.delivery.waking.wake()
            return self.fetch == nil
        }
        finish(fetch, result)
        return fetch !== self.fetch
    }

    private func finish(_ fetch: AsynchronousFetch, _ result: Result<FetchedState, StoreError>) {
        end(fetch)
        do {
            let fetched = try result.get()
            guard !fetch.isCancelled else {
                fetched.cancel()
                throw AsynchronousFetch.cancellation
            }
            try Delivery.show(fetched: [self]) { self.show(fetched) }
            if fetched.origin == .database { cacheList() }
            fetch.completion(nil)
        } catch {
            fetch.completion(StoreError(any: error))
        }
    }

    func end(_ fetch: AsynchronousFetch) {
        fetch.end()
        if self.fetch === fetch { self.fetch = nil }
    }

    /// The list in the state that all lists show; nil if it is not read yet.
    private func fetchedList(_ fetch: AsynchronousFetch) throws -> FetchedState? {
        proceed(fetch)
        if fetch.isCancelled { throw AsynchronousFetch.cancellation }
        guard fetch.isReady else { return nil }
        return try store.readingShownState { try take(fetch) }
    }

    /// Begins to read, or to read again, if necessary.
    private func proceed(_ fetch: AsynchronousFetch) {
        guard let wakeUp = store.delivery.waking.wakeUp else { return }
        if case .reading(let reading) = fetch.state {
            switch reading.background.outcome {
            case .success where !reading.isReady: fetch.retry()
            // The store's connection may read a list that the background one could not; its error
            // is reported.
            case .failure: fetch.readHere()
            case nil, .success: return
            }
        }
        if case .waiting = fetch.state { begin(fetch, wakeUp) }
    }

    /// The list of a fetch that is ready. Called in a read transaction on the state that all lists
    /// show.
    func take(_ fetch: AsynchronousFetch) throws -> FetchedState {
        if case .reading(let reading) = fetch.state,
            case .success(let (list, identities, statistics))? = reading.background.outcome,
            let fetched = try takeOver(list, identities, statistics, reading)
        {
            return fetched
        }
        return try prepareFetch { fetch.report($0) }
    }

    /// Opens the logs of the attached databases that a fetch reads, so that the state that it reads
    /// is known.
    func openLogs() {
        guard !store.connection.attachedNames.isEmpty else { return }
        do {
            for engine in [engine, engine.mappedSections?.engine].compactMap(\.self) {
                let watches = try engine.watch(try engine.compileForFetch())
                defer { watches.cancel() }
                _ = store.delivery.foreign.openWatched()
            }
        } catch {
            // The fetch fails as well, and reports it.
        }
    }

    /// Begins to read the state that the lists show in the background; later, if there are commits
    /// that they do not show yet.
    private func begin(_ fetch: AsynchronousFetch, _ wakeUp: WakeUp) {
        do {
            guard try store.isSettled else { return wakeUp.signal() }
            if let reading = try reading(fetch, wakeUp) {
                // Commits after the store's check may be in the reader's state.
                guard try store.isSettled else {
                    reading.end()
                    return wakeUp.signal()
                }
                fetch.begin(reading)
                if reading.background.start() { return }
            }
        } catch {
            // It fails again where the error is reported: when `dispatch` reads.
        }
        fetch.readHere()
        wakeUp.signal()
    }

    /// The number of attempts to read a list in the background that changes too much meanwhile.
    private static let attempts = 3

    /// The reader of the list in the background; nil if only `dispatch` can read it.
    private func reading(_ fetch: AsynchronousFetch, _ wakeUp: WakeUp) throws -> BackgroundReading? {
        guard fetch.attempts < Self.attempts, !mayHaveCachedList, !engine.isGrouped else { return nil }
        let compiled = try engine.compileForFetch()
        guard compiled.isReadableElsewhere, let reader = try store.connection.openReader() else { return nil }
        do {
            try store.connection.shareFunctions(with: reader, onOtherThread: true)
            guard try store.connection.agrees(with: reader, on: compiled.dependencies.access, in: .main) else {
                reader.close()
                return nil
            }
        } catch {
            reader.close()
            throw error
        }
        var sections: FetchedSections?
        do {
            sections = try store.connection.reading { try engine.prepareSections() }
            if sections?.canBeReadElsewhere ?? true {
                let background = BackgroundFetch(
                    reading: reader, request: try engine.requestToRead, sections: sections, nodes: engine.nodes,
                    wakeUp: wakeUp, willRead: store.willReadInBackground)
                return BackgroundReading(background, compiled, try engine.watch(compiled), sections)
            }
        } catch {
            sections?.cancel()
            reader.close()
            throw error
        }
        sections?.cancel()
        reader.close()
        return nil
    }

    /// Updates a list that was read in the background to the state that the lists show; nil if it
    /// has to be ranked again for that.
    private func takeOver(
        _ list: List, _ identities: Identities, _ statistics: RankStatistics?, _ reading: BackgroundReading
    ) throws -> FetchedState? {
        let compiled = try reading.compiled.with(statistics)
        let decoder = KeyDecoder(compiled: compiled, identities: identities)
        if !reading.since.isEmpty {
            let isUpdated = try engine.bring(
                list, forwardBy: reading.since, reading.watches, decoder, reading.sections, spells: true)
            guard isUpdated else { return nil }
            reading.noteForwarded()
        }
        try engine.readTotals(of: list, compiled, decoder)
        let version = store.delivery.dataVersion
        return FetchedState(
            compiled: compiled, decoder: decoder, watches: try engine.watch(compiled), list: list,
            sections: reading.takeSections(in: version), dataVersion: version, undelivered: [],
            origin: .database, ahead: nil)
    }
}
