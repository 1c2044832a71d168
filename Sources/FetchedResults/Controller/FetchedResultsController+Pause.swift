internal import ChangeSets
internal import SQLiteKit

extension FetchedResultsController {
    /// Whether changes are held back until `resume`.
    public var isPaused: Bool { pause.isPaused }

    /// Keeps the list as it is until `resume`. Objects that changed meanwhile and are not in the cache are reported gone.
    public func setPaused() { pause.isPaused = true }

    /// Delivers again. The list catches up with one change set of the difference or, with `reload`, with one reload, which
    /// comes even if nothing changed.
    ///
    /// The store delivers everything that waits at the same time, so that all lists show one state: immediately; inside a
    /// callback, after the current round; inside a transaction, when that ends; in a store that queues its deliveries, at
    /// `dispatch` if anything waits. If the list can't be read, its observers are notified, also if they were before, and
    /// the list recovers when the cause is gone.
    public func resume(reload: Bool = false) throws {
        try store.checkOpen()
        guard pause.isPaused else { return }
        pause.isPaused = false
        catchUp(reload: reload)
    }

    /// Has the list catch up after one of the reasons to hold changes back has ended.
    func catchUp(reload: Bool) {
        guard isFetched else { return }
        pause.end(reload: reload)
        guard pause.isDue else { return }
        if let subscription { store.subscriptions.setEager(subscription, true) }
        store.deliverDue()
    }

    /// Prepares what the list missed. On throw the list is as it was.
    func prepareMissed() throws -> PendingUpdate? {
        let (missed, reload) = (pause.round, pause.endsWithReload)
        let hasMissed = pause.hasMissed
        forgetMissed()
        if reload { return try prepareReload(knowsContents: !hasMissed && !isBehind) }
        return hasMissed || failure != nil ? try prepare(missed) : nil
    }

    /// Reads the list for a reload.
    private func prepareReload(knowsContents: Bool) throws -> PendingUpdate {
        let fetched = try prepareFetch { _ in true }
        return PendingUpdate(
            form: .fetched(fetched), changes: ControllerChanges(.reload, self, sections: ChangedSections()),
            contents: RowTable(), touched: [], showsUndelivered: fetched.isInTransaction, sectionRows: nil,
            knowsContents: knowsContents)
    }

    /// Notes a round that passes while the list is paused.
    func noteMissed(_ round: Round) {
        pause.note(round)
        missed.note(round, subscription, compiled)
        sectionRows?.controller?.noteMissed(round)
    }

    /// Notes that the paused list is to show something else when it is resumed.
    func noteRequestForResume() {
        pause.noteRequest()
        sectionRows?.controller?.pause.noteRequest()
    }

    func forgetMissed() {
        pause.forget()
        sectionRows?.controller?.pause.forget()
    }
}
