internal import ChangeSets
internal import ListEngine
internal import SQLiteKit

/// The work of the list in the phases of a delivery.
extension FetchedResultsController {
    func prepare(_ round: Round) throws -> PreparedState? {
        fetch?.note(round)
        engine.missedOrigin.formUnion(round.origin)
        let prepared: PreparedState?
        switch apply(.round(RoundKind(round))) {
        case .follow(.committed):
            prepared = try engine.prepare(round, on: .committed)
            engine.missedOrigin = []
            return prepared
        case .follow(let basis): prepared = try engine.prepare(round, on: basis)
        case .catchUp(let held):
            if !round.isEmpty { engine.noteMissed(round) }
            engine.missedOrigin.insert(.resume)
            prepared = try catchUp(held)
        case .miss:
            engine.noteMissed(round)
            return nil
        case .none, .take, .compare, .askForRound, .notifyFailure: return nil
        }
        engine.missedOrigin = []
        apply(.followed)
        return prepared
    }

    private func catchUp(_ held: HeldChanges) throws -> PreparedState? {
        if held.endsWithReload {
            let sharesContents = held.round == nil && !engine.isBehind(held.basis)
            return try engine.prepareReload(sharesContents: sharesContents, cached: cachedList)
        }
        if let round = held.round { return try engine.prepare(round, on: held.basis) }
        engine.discardMissedRows()
        return nil
    }

    var hasPrepared: Bool { engine.hasPrepared }

    func drop(_ prepared: PreparedState?) throws {
        if let prepared { engine.missedOrigin.formUnion(prepared.origin) }
        try engine.drop(prepared)
    }

    var isDue: Bool { state.isDue }

    func noteFailure(_ error: StoreError) -> Bool {
        if case .notifyFailure = apply(.failed(error)) { true } else { false }
    }

    func commit(_ prepared: PreparedState?) -> ListChanges? {
        let version = engine.version
        let shown =
            engine.mustHangWindowsAgain(prepared)
            ? hangingWindowsAgain { engine.commit(prepared) } : engine.commit(prepared)
        if shown.hasOtherIdentities { announcer.fetchCount += 1 }
        guard engine.version != version else { return nil }
        announcer.version += 1
        if let undelivered = shown.undelivered { apply(.shown(isAhead: !undelivered.isEmpty)) }
        if let fetched = shown.fetched { noteCached(fetched) }
        if let failure = shown.failure { _ = noteFailure(failure) }
        if shown.hasOtherSections { indexTitles = nil }
        if shown.changes?.changeSet.isEmpty ?? true {
            for place in announcer.places { place.container?.refreshTotals(at: place) }
        }
        assert(shown.changes?.changeSet.origin.isEmpty != true, "changes of the list have no origin")
        return shown.changes
    }

    /// Ends the list: its observers are removed, and a fetch in the background is cancelled. A list
    /// with a cache name is cached. One that is released without this stays cached as it was.
    ///
    /// The list is then as it was before its first fetch. One that a collection shows, or on which
    /// a window is open, stays as it is, for these.
    ///
    /// Throws `io` if the list can't be cached; it is ended anyway. The store's `close` reports
    /// that as well, unless the list is cached later.
    public func close() throws(StoreError) {
        announcer.observers.removeAll()
        fetch?.cancel()
        fetch = nil
        store.endFetching(self)
        let failure = cacheList()
        if announcer.places.isEmpty, !hasWindows {
            engine.removeAll()
            apply(.closed)
        }
        if let failure { throw failure }
    }
}

extension FetchedResultsController {
    /// Whether changes are held back until `setPaused(false)` or `resume`.
    public var isPaused: Bool { state.reasons.contains(.paused) }

    /// Holds the list in its state, or resumes it with the difference. While it is paused, objects
    /// that changed meanwhile and are not in the cache are reported as gone.
    public func setPaused(_ isPaused: Bool) throws { if isPaused { apply(.hold(.paused)) } else { try resume() } }

    /// Delivers again. The list catches up with one change set of the difference or, with `reload`,
    /// with one reload, which is delivered even if nothing changed.
    ///
    /// The store delivers everything that waits at the same time, so that all lists show one state:
    /// immediately; inside a callback, after the current round; inside a transaction, when that
    /// ends; in a store that queues its deliveries, at `dispatch` if anything waits. If the list
    /// can't be read, its observers are notified, also if they were before, and the list recovers
    /// when the cause no longer exists.
    public func resume(reload: Bool = false) throws {
        try store.checkOpen()
        release(.paused, reload: reload)
    }

    /// Ends one of the reasons to hold changes back.
    func release(_ reason: HoldReasons, reload: Bool) {
        if case .askForRound = apply(.release(reason, reload: reload)) { store.delivery.deliverDue() }
    }
}
