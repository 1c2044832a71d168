internal import SQLiteKit

/// The store's side of a fetch in the background: what the program wants to know of it, and what it missed meanwhile.
final class AsynchronousFetch {
    let progress: (Int) -> Bool
    let completion: (StoreError?) -> Void
    var background: BackgroundFetch?
    /// The rounds delivered since the background fetch began.
    var missed: [Round] = []
    /// What the store knew of foreign commits when it began.
    var dataVersion: Connection.DataVersion?
    /// How often it began.
    var attempts = 0
    var isCancelled = false
    private var toldRows = 0

    init(progress: @escaping (Int) -> Bool, completion: @escaping (StoreError?) -> Void) {
        self.progress = progress
        self.completion = completion
    }

    /// Tells how many rows have been read, if there are more than before.
    func tellProgress(_ rows: Int) {
        guard rows > toldRows else { return }
        toldRows = rows
        if !progress(rows) { cancel() }
    }

    func cancel() {
        isCancelled = true
        stop()
    }

    /// Ends the thread, if there is one.
    func stop() {
        background?.stop()
        background = nil
    }
}

extension FetchedResultsController {
    /// Reads the list in the background, on a connection of its own. `progress` (which can end the fetch by returning
    /// false) and `completion` (with nil, or what went wrong) are called by `Store.dispatch`. Until then the list shows
    /// what it showed. A database without a file, or a list that only this connection can read (temporary tables, attached
    /// databases, collations that the program registered), is read by `dispatch` itself.
    public func performFetchAsynchronously(
        progress: @escaping (Int) -> Bool = { _ in true }, completion: @escaping (StoreError?) -> Void
    ) throws {
        try store.checkOpen()
        guard fetch == nil else { throw StoreError(.misuse, "a fetch is under way") }
        let fetch = AsynchronousFetch(progress: progress, completion: completion)
        self.fetch = fetch
        do {
            try begin(fetch)
        } catch {
            self.fetch = nil
            throw error
        }
        store.fetching.append(self)
    }

    /// Ends the fetch under way; its completion is called with `cancelled` by the next `Store.dispatch`. False if there is
    /// none.
    @discardableResult
    public func cancelFetch() -> Bool {
        guard let fetch else { return false }
        fetch.cancel()
        store.wakeUp?.signal()
        return true
    }

    private func begin(_ fetch: AsynchronousFetch) throws {
        guard let wakeUp = try store.wakeUpDescriptor() else { throw StoreError(.io, "there are no file descriptors left") }
        fetch.attempts += 1
        fetch.missed = []
        fetch.stop()
        fetch.dataVersion = try store.readDataVersion()
        if let path = store.connection.fileName, fetch.attempts <= 3, sectionRows == nil, compiled.isReadableElsewhere,
            try !isOutdated, !mayHaveCachedList, let subscription = try? store.subscribe(self, compiled)
        {
            self.subscription = subscription
            let background = BackgroundFetch(
                path: path, isImmutable: store.isImmutable, request: request, nodes: nodes, wakeUp: wakeUp)
            if background.start() { fetch.background = background }
        }
        if fetch.background == nil { wakeUp.signal() }
    }

    /// Looks after the fetch under way; called by `Store.dispatch` when no transaction is open. True once it has ended.
    func continueFetch() -> Bool {
        guard let fetch else { return true }
        do {
            guard try isReady(fetch) else { return false }
            self.fetch = nil
            fetch.stop()
            fetch.completion(nil)
        } catch {
            self.fetch = nil
            fetch.stop()
            fetch.completion(StoreError(any: error))
        }
        return true
    }

    /// Takes the list over if it is there.
    private func isReady(_ fetch: AsynchronousFetch) throws -> Bool {
        if fetch.isCancelled { throw StoreError(.cancelled, "the fetch was cancelled") }
        guard let background = fetch.background else {
            try performFetch(progress: fetch.progress)
            return true
        }
        let state = background.state
        fetch.tellProgress(state.rows)
        if fetch.isCancelled { throw StoreError(.cancelled, "the fetch was cancelled") }
        switch state.result {
        case nil: return false
        case .failure(let error):
            if error.status == .cancelled { throw error }
            // What that connection could not read, this one may.
            try performFetch(progress: fetch.progress)
            return true
        case .list(let list, let identities):
            if try takeOver(list, identities, fetch) { return true }
            try begin(fetch)
            return false
        }
    }

    /// Brings a list up to date with what happened since its reading began; false if that can't be known.
    private func takeOver(_ list: List, _ identities: Identities, _ fetch: AsynchronousFetch) throws -> Bool {
        guard try store.readDataVersion() == fetch.dataVersion, let dataVersion = fetch.dataVersion, fetch.missed.allSatisfy({ $0.reread == nil }) else { return false }
        // Several commits in one round can hide a key that a row had in between.
        guard fetch.missed.isEmpty || compiled.isIncremental else { return false }
        guard fetch.missed.isEmpty || compiled.entity.isIdentityRowid || !store.mergesCommits else { return false }
        let previous = (self.list, decoder)
        decoder = RowDecoder(compiled: compiled, identities: identities)
        do {
            try store.connection.reading {
                for round in fetch.missed { try applyMissed(round, to: list) }
            }
        } catch {
            (self.list, decoder) = previous
            throw error
        }
        try Bracket.reload(collectionsShowing: self) {
            show(list, dataVersion: dataVersion, isInTransaction: store.hasUndeliveredChanges)
        }
        cacheList()
        return true
    }
}
