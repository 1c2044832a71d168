internal import ChangeSets
internal import ListEngine

/// Second and third phase of a delivery, for all lists that change at the same time: the observers of these lists, and
/// of the collections that show them, are notified that the lists will change; then all lists switch to their new
/// states; then the observers are notified of what changed.
///
/// The first phase is over by now: each list has prepared its new state (`FetchedResultsController.prepare`), or knows
/// what to do when it switches.
struct Delivery {
    /// What one list does.
    struct Part {
        let list: any LiveList
        /// Whether the change can be seen.
        let isVisible: Bool
        /// Whether the list's own observers are notified, or only those of the collections that show it.
        let isNotified: Bool
        /// Shows the new state. Answers what changed; nil if the list has shown another state meanwhile.
        let showNewState: () -> ListChanges?

        /// A list that shows what it has prepared.
        init(_ controller: FetchedResultsController) {
            list = controller
            isVisible = controller.hasChanges
            isNotified = true
            showNewState = { controller.commit() }
        }

        /// A collection that changes by other means than its children's changes.
        init(_ collection: FetchedResultsCollection, edit: @escaping () -> ListChanges?) {
            list = collection
            isVisible = true
            isNotified = true
            showNewState = edit
        }

        /// A list that was fetched: its own observers are not notified, the collections that show it reload.
        init(fetched list: any LiveList, show: @escaping () -> Void) {
            self.list = list
            isVisible = true
            isNotified = false
            showNewState = {
                show()
                return ListChanges(.reload)
            }
        }

        /// A collection that shows a fetched list already, and reloads.
        init(reloading collection: FetchedResultsCollection) {
            list = collection
            isVisible = true
            isNotified = true
            showNewState = { ListChanges(.reload) }
        }
    }

    private let parts: [Part]
    private var collections: ShowingCollections
    private var changes: [ListChanges?] = []

    private init(_ parts: [Part]) {
        self.parts = parts
        collections = ShowingCollections(of: parts.lazy.filter(\.isVisible).map(\.list))
    }

    /// Notifies, switches and notifies.
    static func announce(_ parts: [Part]) {
        var delivery = Delivery(parts)
        delivery.notifyWillChange()
        delivery.switchStates()
        delivery.notifyDidChange()
    }

    /// The same for lists that have prepared a new state, or nothing.
    static func announce(_ controllers: [FetchedResultsController]) { announce(controllers.map { Part($0) }) }

    private func notifyWillChange() {
        for part in parts where part.isVisible && part.isNotified { part.list.announcer.notifyWillChange(part.list) }
        collections.notifyWillChange()
    }

    private mutating func switchStates() {
        changes.reserveCapacity(parts.count)
        for part in parts {
            let shown = part.showNewState()
            // A list that was fetched while it was about to change shows more than was announced.
            changes.append(
                shown ?? (part.isVisible && part.list is FetchedResultsController ? ListChanges(.reload) : nil))
        }
        if !collections.isEmpty { collections.switchStates(zip(parts, changes)) }
    }

    private func notifyDidChange() {
        for (part, changes) in zip(parts, changes) where part.isVisible && part.isNotified {
            if let changes { part.list.announcer.notifyDidChange(part.list, changes) }
        }
        collections.notifyDidChange()
    }

    /// Shows a list that was fetched: its own observers are not notified, the collections that show it reload; inside a
    /// callback, after the current round.
    static func reload(collectionsShowing list: any LiveList, show: @escaping () -> Void) throws {
        let showing = ShowingCollections.direct(list)
        guard let queue = showing.first?.queue else { return show() }
        guard queue.isUnderWay else { return queue.run { announce([Part(fetched: list, show: show)]) } }
        show()
        ShowingCollections(of: [list]).refresh()
        try queue.runOrWait { announce(showing.map { Part(reloading: $0) }) }
    }
}
