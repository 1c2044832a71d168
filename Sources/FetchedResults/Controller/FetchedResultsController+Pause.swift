internal import ChangeSets
internal import SQLiteKit

extension FetchedResultsController {
    /// Whether changes are held back until `resume`.
    public var isPaused: Bool { state.reasons.contains(.paused) }

    /// Keeps the list as it is until `resume`. Objects that changed meanwhile and are not in the cache are reported
    /// gone.
    public func setPaused() { apply(.hold(.paused)) }

    /// Delivers again. The list catches up with one change set of the difference or, with `reload`, with one reload,
    /// which comes even if nothing changed.
    ///
    /// The store delivers everything that waits at the same time, so that all lists show one state: immediately; inside
    /// a callback, after the current round; inside a transaction, when that ends; in a store that queues its
    /// deliveries, at `dispatch` if anything waits. If the list can't be read, its observers are notified, also if they
    /// were before, and the list recovers when the cause is gone.
    public func resume(reload: Bool = false) throws {
        try store.checkOpen()
        release(.paused, reload: reload)
    }

    /// Ends one of the reasons to hold changes back.
    func release(_ reason: HoldReasons, reload: Bool) {
        if case .askForRound = apply(.release(reason, reload: reload)) { store.delivery.deliverDue() }
    }
}
