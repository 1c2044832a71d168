internal import ChangeSets
internal import ListEngine
internal import SQLiteKit

/// Notifies a list's observers of changes, in the phases of a delivery.
@safe package final class Announcer {
    var observers = ObserverList()
    /// The places in collections that show the list.
    var places: [any ListPlace] = []
    private var counts: (versions: UInt32, fetches: UInt32) = (0, 0)
    /// Counts the states that the list has shown.
    package var version: Int {
        get { Int(counts.versions) }
        set { counts.versions = UInt32(truncatingIfNeeded: newValue) }
    }
    /// Counts the states in which the list was fetched.
    var fetchCount: Int {
        get { Int(counts.fetches) }
        set { counts.fetches = UInt32(truncatingIfNeeded: newValue) }
    }
    /// The handle by which a language binding identifies the list, as long as it does.
    package var handle: OpaquePointer?
    private let place: Place

    private enum Place {
        /// In a store, whose announcers include this one by its number.
        case store(StoreDelivery)
        /// Over several stores.
        case stores(DeliveryQueue)
    }

    /// The queue in which the list's deliveries wait for other ones.
    var queue: DeliveryQueue {
        switch place {
        case .store(let delivery): delivery.queue
        case .stores(let queue): queue
        }
    }

    /// The delivery of the list's store; nil for a list of several stores.
    var delivery: StoreDelivery? { if case .store(let delivery) = place { delivery } else { nil } }

    private var number = 0
    /// The list of one store, whose end cancels all watches. The announcer is created first.
    unowned var list: (any FollowingList)?
    /// The number of the next observer when the current round began: one that is added later takes
    /// part from the next round on.
    private var endOfRound: UInt64 = 0

    /// For a list of one store.
    init(_ delivery: StoreDelivery) {
        place = .store(delivery)
        number = delivery.announcers.add(self)
    }

    /// For a list of several stores.
    init() {
        place = .stores(DeliveryQueue())
    }

    deinit { delivery?.announcers.remove(number) }

    /// Removes all observers.
    package func removeAllObservers() { observers.removeAll() }

    /// Second phase of a delivery.
    func notifyWillChange(_ list: any NotifyingList) {
        endOfRound = observers.next
        forEachOfRound { listener($0)?.listWillChange(list) }
    }

    /// Calls `body` with the numbers of the observers that take part in the round. It may add and
    /// remove observers.
    private func forEachOfRound(_ body: (UInt64) -> Void) {
        var last: UInt64 = 0
        while let id = observers.id(after: last), id < endOfRound {
            body(id)
            last = id
        }
    }

    /// The end of a delivery: the observers receive the changes that led to a state. If a callback
    /// has fetched the list since, the records do not lead to what it shows, and the other
    /// observers receive a reload.
    ///
    /// - Parameter fetchCount: The fetch count of the state.
    func notifyDidChange(_ list: any NotifyingList, _ changes: ListChanges, at fetchCount: Int) {
        forEachOfRound { id in
            guard let observer = listener(id) else { return }
            let changes =
                fetchCount == self.fetchCount ? changes : .reload(from: changes.changeSet.origin.union(.fetch))
            if changes.isReload {
                observer.listDidReload(list)
                listener(id)?.list(list, didDeliver: changes)
            } else if observer.wantsSingleChanges {
                notifySingleChanges(list, changes, id)
                listener(id)?.list(list, didDeliver: changes)
            } else {
                observer.list(list, didDeliver: changes)
            }
            listener(id)?.listDidChange(list)
        }
    }

    private func notifySingleChanges(_ list: any NotifyingList, _ changes: ListChanges, _ id: UInt64) {
        for change in changes.changeSet.sectionChanges {
            guard let info = changes.source.info(of: change) else { continue }
            // A callback before may have closed the store, or fetched the list, which may not have
            // such a section now.
            let count = change.newIndex.flatMap { try? list.numberOfObjects(inSection: $0) } ?? 0
            listener(id)?.list(list, didChange: info.counting(count), change, in: changes)
        }
        guard listener(id)?.wantsSingleObjects ?? false else { return }
        for change in changes.changeSet.objectChanges {
            // nil for an object that can't be read any more, as the observer's documentation says.
            listener(id)?.list(list, didChange: try? changes.object(of: change), change, in: changes)
        }
    }

    /// Notifies of a failure, including the observers of the collections and windows that show the
    /// list.
    func notifyFailure(_ list: any NotifyingList, _ error: StoreError) {
        for id in observers.ids { listener(id)?.list(list, didFail: error) }
        for place in places {
            if let container = place.container { container.announcer.notifyFailure(container, error) }
        }
        for window in (list as? any FollowingList)?.openWindows ?? [] {
            window.announcer.notifyFailure(window, error)
        }
    }

    /// Whether the store of a list is closed, which has this announcer; of a collection, all stores
    /// of its lists.
    fileprivate func isOver(_ list: (any NotifyingList)?) -> Bool {
        if let delivery { return !delivery.connection.isOpen }
        guard let lists = (list as? any ContainerList)?.shownLists, !lists.isEmpty else { return false }
        return lists.allSatisfy { $0.announcer.isOver($0) }
    }

    /// Notifies the observers that the list has no store any more, including the observers of
    /// collections without other stores.
    fileprivate func end() {
        for id in observers.ids {
            guard let observer = observers[id] as? any EndingObserver else { continue }
            _ = observers.remove(id)
            observer.end()
        }
        for container in places.compactMap(\.container) { container.endIfOver() }
    }

    /// An observer that has not been notified yet: callbacks may remove it, or close the store.
    private func listener(_ id: UInt64) -> (any FetchedResultsObserver)? {
        if case .store(let delivery) = place, !delivery.connection.isOpen { return nil }
        return observers[id]
    }
}

/// An observer that is notified when its list can deliver nothing any more.
protocol EndingObserver: FetchedResultsObserver {
    /// The store of the list is closed.
    func end()
}

extension NotifyingList {
    /// Notifies the observers if the list can deliver nothing any more.
    func endIfOver() { if announcer.isOver(self) { announcer.end() } }
}

/// The announcers of all lists of a store, so that its closing reaches those, too, that were not
/// fetched.
@safe final class Announcers {
    /// Unretained: each announcer removes itself when it ends.
    private var announcers = unsafe SerialList<Unmanaged<Announcer>>()
    private var next = 0

    /// Returns the number by which it is removed.
    func add(_ announcer: Announcer) -> Int {
        defer { next += 1 }
        unsafe announcers.append(Unmanaged.passUnretained(announcer), serial: next)
        return next
    }

    func remove(_ number: Int) { unsafe announcers.remove(number) }

    /// Notifies the observers of all lists, in the order in which these were made, that the store
    /// is closed.
    func end() {
        let ending = unsafe announcers.elements.map { unsafe $0.takeUnretainedValue() }
        for announcer in ending { announcer.end() }
    }
}

/// The observers of a controller, in the order in which they were added.
struct ObserverList {
    private var all: [(id: UInt64, observer: any FetchedResultsObserver)] = []
    /// The number of the next one that is added. Numbers ascend.
    private(set) var next: UInt64 = 1

    var isEmpty: Bool { all.isEmpty }
    var ids: [UInt64] { all.map(\.id) }

    /// The number of the first observer after one, which may have been removed.
    func id(after id: UInt64) -> UInt64? {
        let index = partitionPoint(of: all.count) { all[$0].id <= id }
        return index < all.count ? all[index].id : nil
    }

    mutating func add(_ observer: any FetchedResultsObserver) -> UInt64 {
        defer { next += 1 }
        all.append((next, observer))
        return next
    }

    /// Removes an observer; false if there is none.
    mutating func remove(_ id: UInt64) -> Bool {
        guard let index = all.firstIndex(where: { $0.id == id }) else { return false }
        all.remove(at: index)
        return true
    }

    mutating func removeAll() { all = [] }

    subscript(id: UInt64) -> (any FetchedResultsObserver)? { all.first { $0.id == id }?.observer }
}
