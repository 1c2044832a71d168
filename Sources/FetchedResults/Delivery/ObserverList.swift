/// The observers of a controller, in the order in which they were added.
struct ObserverList {
    private var observers: [(id: UInt64, observer: any FetchedResultsObserver)] = []
    private var next: UInt64 = 1

    var isEmpty: Bool { observers.isEmpty }
    var ids: [UInt64] { observers.map(\.id) }

    mutating func add(_ observer: any FetchedResultsObserver) -> UInt64 {
        defer { next += 1 }
        observers.append((next, observer))
        return next
    }

    /// Takes an observer out; false if it is not there.
    mutating func remove(_ id: UInt64) -> Bool {
        guard let index = observers.firstIndex(where: { $0.id == id }) else { return false }
        observers.remove(at: index)
        return true
    }

    mutating func removeAll() { observers = [] }

    subscript(id: UInt64) -> (any FetchedResultsObserver)? { observers.first { $0.id == id }?.observer }
}
