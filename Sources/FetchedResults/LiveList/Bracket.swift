internal import ChangeSets

/// Second and third phase of a delivery, for the lists that change by themselves and for the collections that show them:
/// all are told that they will change, then all switch, then all are told what changed.
struct Bracket {
    /// The collections that show the lists, each after those that it shows.
    private var collections: [FetchedResultsCollection] = []
    /// Where collections show lists that change.
    private var places: [ObjectIdentifier: [CollectionChild]] = [:]
    private var changes: [ObjectIdentifier: ListChanges] = [:]

    private init(_ lists: [any LiveList]) {
        for list in lists { addCollections(showing: list) }
        // A collection was reached before another way to it led past one that it shows.
        var sorted: [FetchedResultsCollection] = []
        var seen: Set<ObjectIdentifier> = []
        for collection in collections { sort(collection, &sorted, &seen) }
        collections = sorted
    }

    private mutating func addCollections(showing list: any LiveList) {
        for place in list.announcer.parents {
            guard let collection = place.collection, collection.isFetched, place.child.isShown else { continue }
            let id = ObjectIdentifier(collection)
            if places[id] == nil {
                collections.append(collection)
                addCollections(showing: collection)
            }
            if !places[id, default: []].contains(where: { $0 === place.child }) { places[id, default: []].append(place.child) }
        }
    }

    private func sort(
        _ collection: FetchedResultsCollection, _ sorted: inout [FetchedResultsCollection], _ seen: inout Set<ObjectIdentifier>
    ) {
        guard seen.insert(ObjectIdentifier(collection)).inserted else { return }
        for child in places[ObjectIdentifier(collection)] ?? [] {
            if let inner = child.list as? FetchedResultsCollection, places[ObjectIdentifier(inner)] != nil {
                sort(inner, &sorted, &seen)
            }
        }
        sorted.append(collection)
    }

    private func tellWillChange() {
        for collection in collections { collection.announcer.tellWillChange(collection) }
    }

    private mutating func switchCollections() {
        for collection in collections {
            let id = ObjectIdentifier(collection)
            changes[id] = collection.commit(places[id] ?? [], changes)
        }
    }

    private func tellDidChange() {
        for collection in collections {
            if let changes = changes[ObjectIdentifier(collection)] { collection.announcer.tellDidChange(collection, changes) }
        }
    }

    /// Makes prepared states the shown ones.
    static func announce(_ controllers: [FetchedResultsController]) {
        if controllers.count == 1 {
            let places = controllers[0].announcer.parents
            if places.isEmpty { return announce(controllers[0]) }
            if places.count == 1, let collection = places[0].collection, collection.announcer.parents.isEmpty {
                return announce(controllers[0], in: collection, places[0].child)
            }
        }
        let changing = controllers.filter(\.hasChanges)
        var bracket = Bracket(changing)
        for controller in changing { controller.announcer.tellWillChange(controller) }
        bracket.tellWillChange()
        for controller in controllers { bracket.changes[ObjectIdentifier(controller)] = controller.commitPending() }
        for controller in changing where bracket.changes[ObjectIdentifier(controller)] == nil {
            bracket.changes[ObjectIdentifier(controller)] = fetchedMeanwhile
        }
        bracket.switchCollections()
        for controller in changing {
            if let changes = bracket.changes[ObjectIdentifier(controller)] {
                controller.announcer.tellDidChange(controller, changes)
            }
        }
        bracket.tellDidChange()
    }

    private static func announce(_ controller: FetchedResultsController) {
        guard controller.hasChanges else {
            _ = controller.commitPending()
            return
        }
        controller.announcer.tellWillChange(controller)
        controller.announcer.tellDidChange(controller, controller.commitPending() ?? fetchedMeanwhile)
    }

    /// What is told of a list that was fetched while it was about to change: it shows more than was announced.
    private static var fetchedMeanwhile: ListChanges { ListChanges(.reload) }

    /// The same for one controller in one collection, without looking for more.
    private static func announce(
        _ controller: FetchedResultsController, in collection: FetchedResultsCollection, _ child: CollectionChild
    ) {
        guard collection.isFetched, child.isShown, controller.hasChanges else { return announce(controller) }
        controller.announcer.tellWillChange(controller)
        collection.announcer.tellWillChange(collection)
        let changes = controller.commitPending() ?? fetchedMeanwhile
        let collected = collection.commit(child, changes)
        controller.announcer.tellDidChange(controller, changes)
        collection.announcer.tellDidChange(collection, collected)
    }

    /// Changes a collection by other means than its children's changes.
    static func announce(_ collection: FetchedResultsCollection, edit: () -> ListChanges?) {
        var bracket = Bracket([collection])
        collection.announcer.tellWillChange(collection)
        bracket.tellWillChange()
        let changes = edit()
        bracket.changes[ObjectIdentifier(collection)] = changes
        bracket.switchCollections()
        if let changes { collection.announcer.tellDidChange(collection, changes) }
        bracket.tellDidChange()
    }

    /// Has a list and the collections that show it told to reload.
    static func reload(_ controller: FetchedResultsController, switching: () -> Void) {
        var bracket = Bracket([controller])
        controller.announcer.tellWillChange(controller)
        bracket.tellWillChange()
        switching()
        let changes = ListChanges(.reload)
        bracket.changes[ObjectIdentifier(controller)] = changes
        bracket.switchCollections()
        controller.announcer.tellDidChange(controller, changes)
        bracket.tellDidChange()
    }

    /// Shows a list that was fetched anew: its own observers are not told, the collections that show it are told to reload;
    /// inside a callback, after the current round.
    static func reload(collectionsShowing list: any LiveList, switching: () -> Void) throws {
        let bracket = Bracket([list])
        guard let outermost = bracket.collections.last else { return switching() }
        if outermost.queue.isUnderWay {
            switching()
            for collection in bracket.collections { collection.refresh(bracket.places[ObjectIdentifier(collection)] ?? []) }
            return try outermost.queue.runOrWait { bracket.tellReload {} }
        }
        outermost.queue.run {
            bracket.tellReload {
                switching()
                for collection in bracket.collections { collection.refresh(bracket.places[ObjectIdentifier(collection)] ?? []) }
            }
        }
    }

    private func tellReload(switching: () -> Void) {
        tellWillChange()
        switching()
        for collection in collections { collection.announcer.tellDidChange(collection, ListChanges(.reload)) }
    }
}
