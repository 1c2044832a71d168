internal import ChangeSets
internal import ListEngine

/// Second and third phase of a delivery, for all lists that change at the same time: the observers
/// of these lists, and of the lists that show them, are notified that the lists will change; then
/// all lists switch to their new states; then the observers are notified of the changes.
///
/// The first phase is over by now: each list has prepared its new state (`FollowingList.prepare`),
/// or has determined what to do when it switches.
struct Delivery: ~Copyable {
    /// The part of one list.
    struct ListPart {
        let list: any NotifyingList
        let announcer: Announcer
        /// Whether the program can see the change.
        let isVisible: Bool
        /// Whether the change is more than totals of the list.
        let hasRecords: Bool
        private let change: Change

        private enum Change {
            case prepared(any FollowingList, PreparedState?)
            /// Shows the new state, and returns the changes.
            case edit(() -> ListChanges?)
        }

        /// A list that shows its prepared state, or nothing new.
        init(_ list: any FollowingList, _ prepared: PreparedState?) {
            self.list = list
            announcer = list.announcer
            isVisible = prepared?.isVisible ?? false
            hasRecords = prepared?.hasRecords ?? false
            change = .prepared(list, prepared)
        }

        /// A container that changes by other means than the changes of the lists that it shows, or
        /// a window. If a callback fetches it while it is about to change, it shows the change
        /// already, and reloads.
        init(_ list: any NotifyingList, edit: @escaping () -> ListChanges?) {
            self.list = list
            let announcer = list.announcer
            self.announcer = announcer
            (isVisible, hasRecords) = (true, true)
            change = .edit { [fetchCount = announcer.fetchCount] in
                let changes = announcer.fetchCount == fetchCount ? edit() : nil
                return changes ?? .reload(from: [.request, .fetch])
            }
        }

        /// Lists that were fetched, of which nobody is notified.
        init(showing list: any NotifyingList, _ show: @escaping () -> Void) {
            self.list = list
            announcer = list.announcer
            (isVisible, hasRecords) = (false, false)
            change = .edit {
                show()
                return nil
            }
        }

        /// A container or window that shows a fetched list already, and reloads.
        init(reloading list: any NotifyingList) {
            self.list = list
            announcer = list.announcer
            (isVisible, hasRecords) = (true, true)
            change = .edit { .reload(from: .fetch) }
        }

        /// Appends the parts of the windows on the list that change with it.
        func appendWindows(to parts: inout [ListPart]) {
            if case .prepared(let list, let next?) = change, list.hasWindows { parts += list.windowParts(next) }
        }

        /// Shows the new state. Returns the changes; nil if none is visible.
        func showNewState() -> ListChanges? {
            switch change {
            // A list that was fetched while it was about to change shows more than was announced.
            case .prepared(let list, let next):
                list.commit(next) ?? (isVisible ? .reload(from: [next?.origin ?? [], .fetch]) : nil)
            case .edit(let edit): edit()
            }
        }

        /// Drops the prepared state of the list.
        func drop() throws {
            if case .prepared(let list, let next) = change { try list.drop(next) }
        }
    }

    private let parts: [ListPart]
    private let containers: ShowingLists
    /// The changes of each part, and how often its list had been fetched when it switched.
    private var changes = SmallVector<(changes: ListChanges?, fetchCount: Int)>()

    private init(_ parts: [ListPart]) {
        var all = parts
        for index in parts.indices { parts[index].appendWindows(to: &all) }
        self.parts = all
        containers = ShowingLists(of: parts)
    }

    /// Notifies, switches and notifies.
    static func announce(_ parts: [ListPart]) {
        var delivery = Delivery(parts)
        delivery.notifyWillChange()
        delivery.switchStates()
        delivery.notifyDidChange()
    }

    private func notifyWillChange() {
        for index in parts.indices where parts[index].isVisible {
            parts[index].announcer.notifyWillChange(parts[index].list)
        }
        containers.notifyWillChange()
    }

    private mutating func switchStates() {
        for index in parts.indices {
            let shown = parts[index].showNewState()
            changes.append((shown, parts[index].announcer.fetchCount))
        }
        if containers.isEmpty { return }
        var changed = ChangedLists()
        for index in parts.indices {
            if let changes = changes[index].changes { changed.add(parts[index].list, changes) }
        }
        containers.switchStates(&changed)
    }

    private func notifyDidChange() {
        for index in parts.indices where parts[index].isVisible {
            guard let changes = changes[index].changes else { continue }
            parts[index].announcer.notifyDidChange(parts[index].list, changes, at: self.changes[index].fetchCount)
        }
        containers.notifyDidChange()
    }

    /// Shows lists that were fetched together: their own observers are not notified, the other
    /// lists that show one of them reload, and their windows deliver the difference; inside a
    /// callback both reload after the current round.
    static func show(fetched lists: [any NotifyingList], _ show: @escaping () -> Void) throws {
        let showing = ShowingLists(ofFetched: lists)
        let following = lists.compactMap { $0 as? any FollowingList }.filter(\.hasWindows)
        let windows = following.flatMap(\.windowPartsOfFetch)
        guard let list = lists.first, let queue = showing.queue ?? following.first?.announcer.queue else {
            return show()
        }
        func showAll() {
            show()
            showing.refresh()
        }
        let reloads = showing.innermost.map { ListPart(reloading: $0) }
        guard queue.isUnderWay else {
            return queue.run { announce([ListPart(showing: list, showAll)] + windows + reloads) }
        }
        showAll()
        for list in following { list.discardWindowChanges() }
        try queue.runOrWait { announce(windows.map { ListPart(reloading: $0.list) } + reloads) }
    }
}
