internal import ListEngine
internal import SQLiteKit

/// What an observer needs that keeps something in step with a list: a view, a copy, an index of its own.
///
/// Deliveries alone do not suffice for that. A fetch makes no callbacks, so such an observer compares `fetchCount`; and
/// it has to begin, and to start over, at a moment when no delivery is under way, for which there is `afterDelivery`.
///
/// As everything about a list, these are used by the thread that uses its store.
extension LiveList {
    /// Whether the observer with a number is still notified: not if it was removed, by its number or with all others.
    /// O(n) for n observers.
    public func hasObserver(_ id: UInt64) -> Bool { announcer.observers[id] != nil }

    /// Counts the states that the list has shown. It changes whenever the list shows another state, by a delivery or by
    /// a fetch, and may change when the new state looks like the old one. A delivery of changes that is no reload
    /// raises it by one, between the two callbacks that bracket it. If it rose by more, a callback fetched the list
    /// meanwhile, which shows more than the delivery reports.
    public var version: Int { announcer.version }

    /// Counts the states that the list was fetched in. It changes with each fetch, in the foreground or in the
    /// background, and with each change of the schema that gives rows identities of another kind. What an observer
    /// noted of the list's rows and places before is then void, without having been reported as changes.
    public var fetchCount: Int { announcer.fetchCount }

    /// Calls a function when no delivery that concerns the list is under way: now, or, inside a callback, after the
    /// current round. What the function writes is delivered after it.
    ///
    /// The function is held until it was called. Throws `misuse`, and never calls it, if a callback of the list's store
    /// ended by longjmp or an exception.
    public func afterDelivery(_ body: @escaping () -> Void) throws {
        switch self {
        case let controller as FetchedResultsController:
            try controller.store.queue.runOrWait(body)
            controller.store.deliverIfDue()
        case let collection as FetchedResultsCollection: try collection.queue.runOrWait(body)
        default: body()
        }
    }

    /// Brings the list up to date without leaving anyone behind.
    ///
    /// A list that nobody else follows is fetched, without callbacks. If it is fetched already and others would be left
    /// behind by that, namely other observers or fetched collections that show it, then what the database has and the
    /// list does not show is delivered to all: commits of other connections too, but nothing that waits for `dispatch`
    /// in a store that queues its deliveries. Inside a callback that delivery comes after the current round.
    ///
    /// - Parameter observer: The number of the observer that asks, which needs no notification; nil if none does.
    /// - Throws: What fetching throws, or reading what other connections have committed. The list is then what it was.
    /// - Complexity: O(n) for a fetch of n rows; else that of the delivery.
    public func refresh(for observer: UInt64? = nil) throws {
        if isFetched, isFollowed(besides: observer) { try deliverAll() } else { try performFetch() }
    }

    /// Reports a failure to the observers of the list and of the collections that show it, as one of a delivery.
    public func reportFailure(_ error: any Error) { announcer.notifyFailure(self, StoreError(any: error)) }

    /// Whether anyone but one observer, and the collection given, is told what the list changes: someone whom a fetch,
    /// which makes no callbacks, would leave behind.
    private func isFollowed(besides observer: UInt64?, in collection: FetchedResultsCollection? = nil) -> Bool {
        if announcer.observers.ids.contains(where: { $0 != observer }) { return true }
        let isShownElsewhere = announcer.parents.contains { place in
            place.collection.map { $0 !== collection && $0.isFetched } ?? false
        }
        if isShownElsewhere { return true }
        guard let own = self as? FetchedResultsCollection else { return false }
        return own.children.contains { $0.list?.isFollowed(besides: nil, in: own) ?? false }
    }

    /// Has everything delivered that the list does not show; see `Store.deliverAll`.
    private func deliverAll() throws {
        switch self {
        case let controller as FetchedResultsController: try controller.store.deliverAll()
        case let collection as FetchedResultsCollection: for store in collection.stores { try store.deliverAll() }
        default: break
        }
    }
}
