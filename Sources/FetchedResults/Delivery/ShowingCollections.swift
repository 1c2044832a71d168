internal import ListEngine

/// The collections that show lists that change, each after those that it shows.
struct ShowingCollections {
    private struct Entry {
        let collection: FetchedResultsCollection
        /// The children that change.
        var children: [CollectionChild] = []
        var changes: ListChanges?
    }

    private var entries: [Entry] = []

    init(of lists: some Sequence<any LiveList>) {
        for list in lists { add(collectionsShowing: list) }
        if entries.count > 1 { sortInnerFirst() }
    }

    var isEmpty: Bool { entries.isEmpty }

    /// The collections that show a list as one of their own children.
    static func direct(_ list: any LiveList) -> [FetchedResultsCollection] {
        places(of: list).map(\.collection)
    }

    private static func places(of list: any LiveList) -> [(
        collection: FetchedResultsCollection, child: CollectionChild
    )] {
        list.announcer.parents.compactMap { place in
            guard let collection = place.collection, collection.isFetched, place.child.isShown else { return nil }
            return (collection, place.child)
        }
    }

    private mutating func add(collectionsShowing list: any LiveList) {
        if list.announcer.parents.isEmpty { return }
        for (collection, child) in Self.places(of: list) {
            let index: Int
            if let known = entries.firstIndex(where: { $0.collection === collection }) {
                index = known
            } else {
                index = entries.count
                entries.append(Entry(collection: collection))
                add(collectionsShowing: collection)
            }
            if !entries[index].children.contains(where: { $0 === child }) { entries[index].children.append(child) }
        }
    }

    /// A collection was reached before another way to it led past one that it shows.
    private mutating func sortInnerFirst() {
        var sorted: [Entry] = []
        func append(_ entry: Entry) {
            if sorted.contains(where: { $0.collection === entry.collection }) { return }
            for child in entry.children {
                if let inner = entries.first(where: { $0.collection === child.list }) { append(inner) }
            }
            sorted.append(entry)
        }
        for entry in entries { append(entry) }
        entries = sorted
    }

    func notifyWillChange() {
        for entry in entries { entry.collection.announcer.notifyWillChange(entry.collection) }
    }

    /// Has each collection take over what its children changed.
    mutating func switchStates(_ changed: some Sequence<(Delivery.Part, ListChanges?)>) {
        var changes: [ObjectIdentifier: ListChanges] = [:]
        for (part, listChanges) in changed { changes[ObjectIdentifier(part.list)] = listChanges }
        for index in entries.indices {
            let entry = entries[index]
            entries[index].changes = entry.collection.commit(entry.children, changes)
            changes[ObjectIdentifier(entry.collection)] = entries[index].changes
        }
    }

    func notifyDidChange() {
        for entry in entries {
            if let changes = entry.changes { entry.collection.announcer.notifyDidChange(entry.collection, changes) }
        }
    }

    /// Has each collection take over how many sections and objects its children have now.
    func refresh() {
        for entry in entries { entry.collection.refresh(entry.children) }
    }
}
