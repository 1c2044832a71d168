internal import ChangeSets
internal import SQLiteKit

/// Tells a list's observers what changes, in the phases of a delivery.
public final class Announcer {
    var observers = ObserverList()
    /// The places in collections that show the list.
    var parents: [CollectionPlace] = []
    /// Counts the states that the list has shown.
    package var version = 0
    /// Counts the states that the list was fetched in.
    var fetchCount = 0
    /// What a language binding keeps beside the list, which clears it before it goes. Not weak, as objects with weak
    /// references count all others more slowly.
    package unowned(unsafe) var attachment: AnyObject?
    /// In which the list's deliveries wait for others.
    package let queue: DeliveryQueue
    /// Whose closing ends all notifications; nil for a list of several stores.
    private let store: Store?
    /// Those that were there when the round under way began: who is added later takes part from the next round on.
    private var observersOfRound: [UInt64] = []

    init(store: Store) {
        self.store = store
        queue = store.queue
    }

    /// For a list of several stores.
    init() {
        store = nil
        queue = DeliveryQueue()
    }

    /// Lets go of all observers.
    package func removeAllObservers() { observers.removeAll() }

    func tellWillChange(_ list: any LiveList) {
        observersOfRound = observers.ids
        for id in observersOfRound { listener(id)?.controllerWillChangeContent(list) }
    }

    func tellDidChange(_ list: any LiveList, _ changes: ListChanges) {
        for id in observersOfRound {
            if changes.changeSet.isReload {
                listener(id)?.controllerDidReload(list)
            } else if listener(id)?.wantsSingleChanges ?? false {
                tellSingleChanges(list, changes, id)
            }
            listener(id)?.controller(list, didDeliver: changes)
            listener(id)?.controllerDidChangeContent(list)
        }
    }

    private func tellSingleChanges(_ list: any LiveList, _ changes: ListChanges, _ id: UInt64) {
        for change in changes.changeSet.sectionChanges {
            guard let info = changes.info(of: change) else { continue }
            let count = change.newIndex.flatMap { try? list.numberOfObjects(inSection: $0) } ?? 0
            listener(id)?.controller(list, didChange: info.counting(count), change, in: changes)
        }
        guard listener(id)?.wantsSingleObjects ?? false else { return }
        for change in changes.changeSet.objectChanges {
            listener(id)?.controller(list, didChange: try? changes.object(of: change), change, in: changes)
        }
    }

    /// Tells of a failure, the collections' observers as well.
    func tellFailure(_ list: any LiveList, _ error: StoreError) {
        for id in observers.ids { listener(id)?.controller(list, didFail: error) }
        for parent in parents {
            if let collection = parent.collection { collection.announcer.tellFailure(collection, error) }
        }
    }

    /// An observer that is still to be told: callbacks may take it out, or close the store.
    private func listener(_ id: UInt64) -> (any FetchedResultsObserver)? {
        store?.isClosed ?? false ? nil : observers[id]
    }
}
