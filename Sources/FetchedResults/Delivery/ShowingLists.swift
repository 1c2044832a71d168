internal import ListEngine

/// The lists that show lists that change, each after the lists that it shows.
struct ShowingLists {
    private final class ShowingList {
        let container: any ContainerList
        /// The places with lists that change.
        var places: SmallVector<any ListPlace>
        var changes: ListChanges?
        /// How often the container had been fetched when it switched.
        var fetchCount = 0

        init(_ container: any ContainerList, _ place: any ListPlace) {
            self.container = container
            places = [place]
        }
    }

    private var entries = SmallVector<ShowingList>()
    /// The collections that were fetched, which are not among these.
    private let fetched: Set<ObjectIdentifier>

    /// The lists that show one of some lists that were fetched together, and were not fetched
    /// themselves.
    init(ofFetched lists: [any NotifyingList]) {
        fetched = Set(lists.lazy.compactMap { $0 as? any ContainerList }.map { ObjectIdentifier($0) })
        for list in lists { add(showing: list.announcer) }
        if entries.count > 1 { sortInnerFirst() }
    }

    /// The lists that show the visibly changing lists of a delivery.
    init(of parts: [Delivery.ListPart]) {
        fetched = []
        for index in parts.indices where parts[index].isVisible {
            add(showing: parts[index].announcer, hasRecords: parts[index].hasRecords)
        }
        if entries.count > 1 { sortInnerFirst() }
    }

    var isEmpty: Bool { entries.isEmpty }

    /// The queue of their deliveries; nil if there are none.
    var queue: DeliveryQueue? { entries.isEmpty ? nil : entries[0].container.announcer.queue }

    /// Lists that show no other one of them.
    var innermost: [any ContainerList] {
        entries.filter { entry in
            !entry.places.contains { place in entries.contains { $0.container === place.list } }
        }.map(\.container)
    }

    /// The list that shows another one at a place; nil if it does not.
    private func container(of place: any ListPlace) -> (any ContainerList)? {
        guard place.isShown, let container = place.container, container.isFetched,
            fetched.isEmpty || !fetched.contains(ObjectIdentifier(container))
        else { return nil }
        return container
    }

    /// As deep as collections are nested: see `FetchedResultsCollection.nestingLimit`.
    ///
    /// - Parameter hasRecords: Whether the change is more than totals of the list.
    private mutating func add(showing shown: Announcer, hasRecords: Bool = true) {
        for place in shown.places {
            guard let container = container(of: place), hasRecords || container.followsTotals(at: place) else {
                continue
            }
            if let known = entries.first(where: { $0.container === container }) {
                if !known.places.contains(where: { $0 === place }) { known.places.append(place) }
            } else {
                entries.append(ShowingList(container, place))
                add(showing: container.announcer)
            }
        }
    }

    /// A container was reached before another path to it passed one that it shows. As deep as
    /// `add`.
    private mutating func sortInnerFirst() {
        var sorted = SmallVector<ShowingList>()
        func append(_ entry: ShowingList) {
            if sorted.contains(where: { $0.container === entry.container }) { return }
            for place in entry.places {
                if let inner = entries.first(where: { $0.container === place.list }) { append(inner) }
            }
            sorted.append(entry)
        }
        for entry in entries { append(entry) }
        entries = sorted
    }

    func notifyWillChange() {
        for entry in entries { entry.container.announcer.notifyWillChange(entry.container) }
    }

    /// Makes each container take over the changes of the lists that it shows.
    func switchStates(_ changed: inout ChangedLists) {
        for entry in entries {
            let changes = entry.container.commit(entry.places, changed)
            entry.changes = changes
            entry.fetchCount = entry.container.announcer.fetchCount
            if entries.count > 1 { changed.add(entry.container, changes) }
        }
    }

    func notifyDidChange() {
        for entry in entries {
            guard let changes = entry.changes else { continue }
            entry.container.announcer.notifyDidChange(entry.container, changes, at: entry.fetchCount)
        }
    }

    /// Makes each container take over the present numbers of sections and objects of the lists that
    /// it shows.
    func refresh() {
        for entry in entries { entry.container.refresh(entry.places) }
    }
}

/// The changes of the lists that change in one round. Few are found faster without a hash.
struct ChangedLists {
    private static let most = 8
    private var few = SmallVector<(list: any NotifyingList, changes: ListChanges)>()
    private var others: [ObjectIdentifier: ListChanges] = [:]

    mutating func add(_ list: any NotifyingList, _ changes: ListChanges) {
        if few.count < Self.most {
            few.append((list, changes))
        } else {
            others[ObjectIdentifier(list)] = changes
        }
    }

    /// Lists that were added last.
    subscript(list: any NotifyingList) -> ListChanges? {
        if !others.isEmpty, let changes = others[ObjectIdentifier(list)] { return changes }
        return few.last { $0.list === list }?.changes
    }
}
