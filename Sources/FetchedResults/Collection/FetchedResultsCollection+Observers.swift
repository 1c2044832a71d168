internal import SQLiteKit

/// Observers, and what those need that follow the list.
extension FetchedResultsCollection {
    @discardableResult
    public func addObserver(_ observer: any FetchedResultsObserver) -> UInt64 { announcer.observers.add(observer) }

    @discardableResult
    public func removeObserver(_ id: UInt64) -> Bool { announcer.observers.remove(id) }

    public func hasObserver(_ id: UInt64) -> Bool { announcer.observers[id] != nil }

    public var version: Int { announcer.version }

    public var fetchCount: Int { announcer.fetchCount }

    public func afterDelivery(_ body: @escaping () -> Void) throws { try queue.runOrWait(body) }

    public func refresh(for observer: UInt64?) throws {
        guard isFetched, isFollowed(besides: observer) else { return try performFetch() }
        for store in stores { try store.delivery.deliverAll() }
    }

    public func reportFailure(_ error: any Error) { announcer.notifyFailure(self, StoreError(any: error)) }
}
