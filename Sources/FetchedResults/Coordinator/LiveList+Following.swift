internal import SQLiteKit

/// What a coordinator has to know of a list besides what everyone may.
extension LiveList {
    /// Runs something when no delivery is under way that concerns the list: now, or after the current round.
    func afterDelivery(_ body: @escaping () -> Void) throws {
        switch self {
        case let controller as FetchedResultsController:
            try controller.store.queue.runOrWait(body) { _ in }
            controller.store.deliverIfDue()
        case let collection as FetchedResultsCollection: try collection.queue.runOrWait(body) { _ in }
        default: body()
        }
    }

    /// Whether anyone but one observer, and the collection given, is told what the list changes: someone whom a fetch, which
    /// makes no callbacks, would leave behind.
    func isFollowed(besides observer: UInt64?, in collection: FetchedResultsCollection? = nil) -> Bool {
        if announcer.observers.ids.contains(where: { $0 != observer }) { return true }
        let isShownElsewhere = announcer.parents.contains { place in
            place.collection.map { $0 !== collection && $0.isFetched } ?? false
        }
        if isShownElsewhere { return true }
        guard let own = self as? FetchedResultsCollection else { return false }
        return own.children.contains { $0.list?.isFollowed(besides: nil, in: own) ?? false }
    }

    /// Has everything delivered that the list does not show; see `Store.deliverAll`.
    func deliverAll() throws {
        switch self {
        case let controller as FetchedResultsController: try controller.store.deliverAll()
        case let collection as FetchedResultsCollection: for store in collection.stores { try store.deliverAll() }
        default: break
        }
    }

    /// An object that is another one after each fetch of the list; nil where that is not known. A collection is told to
    /// reload when one of its lists was fetched.
    var fetchMark: AnyObject? { (self as? FetchedResultsController)?.decoder.identities }
}
