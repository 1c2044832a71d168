internal import FetchedResults

/// Does the work of a coordinator. If the coordinator is released inside a callback, the follower
/// outlives it until the callback returns, and detects that it ended.
///
/// All changes for the view pass through `missed`, which is empty whenever the view is up to date.
/// A delivery adds to it and catches up immediately; while paused, or while a reload waits for the
/// end of a round, it only adds. A view can therefore be loaded, paused or resumed in any callback
/// of any list.
final class ListFollower: FetchedResultsObserver {
    /// Decodes the row of a cell and updates the cell. Throws only `StoreError`: `type` if the row
    /// can't be decoded.
    typealias CellUpdate = (ListIndexPath, FetchedObject) throws -> Void

    let list: any LiveList
    private(set) weak var view: (any CoordinatedView)?
    var countChanged: ((Int) -> Void)?
    var failed: ((StoreError) -> Void)?
    private(set) var isPaused = false
    private let options: ViewOptions
    private let updateCell: CellUpdate?

    /// Its number as an observer; nil before the view was loaded.
    private var observer: UInt64?
    private var isEnded = false
    /// The changes since the view was up to date.
    private var missed = MissedChanges()
    /// Whether catching up waits for the end of a round.
    private var isWaiting = false
    /// Whether it delivers changes that could not be delivered before.
    private var isCatchingUpAgain = false
    /// The program's requests that are still to be done: a reload, and a fetch before it.
    private var isLoadWanted = false
    private var isFetchWanted = false
    private var reportedCount: Int?
    /// The version of the list before the delivery under way.
    private var versionBefore = 0
    /// The fetch count of the list when the view was loaded.
    private var fetchCount: Int?

    init(list: any LiveList, view: any CoordinatedView, options: ViewOptions, updateCell: CellUpdate?) {
        self.list = list
        self.view = view
        self.options = options
        self.updateCell = updateCell
    }

    var isLoaded: Bool { observer != nil }

    /// Whether the view may be called: not if the coordinator or the list was released, or the
    /// store is closed.
    private var isFollowing: Bool {
        guard !isEnded, let observer else { return false }
        return list.hasObserver(observer) && (try? list.numberOfObjects) != nil
    }

    func end() {
        isEnded = true
        view = nil
        countChanged = nil
        failed = nil
        if let observer { list.removeObserver(observer) }
    }

    // MARK: Requests of the program

    func load(fetching: Bool) throws {
        if !list.isFetched || fetching {
            // The reload includes all changes that are delivered meanwhile.
            let wasWaiting = isWaiting
            isWaiting = true
            defer { isWaiting = wasWaiting }
            try list.refresh(for: observer)
        }
        // Fails if the store is closed.
        _ = try list.numberOfObjects
        if !isFollowing, !isEnded { observer = list.addObserver(self) }
        missed.add(.reload)
        isLoadWanted = true
        try catchUpAfterDelivery()
    }

    func setPaused(_ isPaused: Bool) {
        guard isPaused != self.isPaused else { return }
        self.isPaused = isPaused
        guard !isPaused, isFollowing else { return }
        if options.resume == .reload {
            missed.add(.reload)
            isFetchWanted = true
        }
        do { try catchUpAfterDelivery() } catch { list.reportFailure(error) }
    }

    // MARK: Deliveries of the list

    var wantsSingleChanges: Bool { false }

    func listWillChange(_ controller: any LiveList) { versionBefore = list.version }

    func list(_ controller: any LiveList, didDeliver changes: ListChanges) {
        // A coordinator that resumes with a reload needs no record of the changes.
        if isPaused, !isLoadWanted, options.resume == .reload { return }
        // If a callback has fetched the list meanwhile, the list shows another state than these
        // changes lead to.
        missed.add(list.version == versionBefore + 1 ? changes.changeSet : .reload)
        if !isPaused, !isWaiting { catchUp() }
    }

    func list(_ controller: any LiveList, didFail error: StoreError) {
        if isFollowing { failed?(error) }
    }

    // MARK: Updates of the view

    private func catchUpAfterDelivery(again: Bool = false) throws {
        guard !isWaiting else { return }
        isWaiting = true
        try list.afterDelivery { [weak self] in
            guard let self else { return }
            isWaiting = false
            isCatchingUpAgain = again
            catchUp()
            isCatchingUpAgain = false
        }
    }

    /// Delivers to the view what it does not show yet.
    private func catchUp() {
        guard isFollowing, isLoadWanted || !isPaused else { return }
        isLoadWanted = false
        if isFetchWanted {
            isFetchWanted = false
            do { try list.refresh(for: observer) } catch { list.reportFailure(error) }
            guard isFollowing else { return }
        }
        let changes = missed.take()
        if changes.isReload || isFetchedAgain {
            fetchCount = list.fetchCount
            view?.reload()
        } else if !changes.isEmpty {
            apply(changes)
        }
        reportCount()
    }

    /// Whether the list was fetched since the view was last updated. A fetch makes no callbacks.
    private var isFetchedAgain: Bool { fetchCount != list.fetchCount }

    private func apply(_ changes: ChangeSet) {
        let batch = ViewBatch(changes, options: options, updatesCells: updateCell != nil)
        if !batch.isEmpty, let view {
            guard view.canApply(batch) else { return view.reload() }
            view.apply(batch)
        }
        guard let updateCell else { return }
        var unread: [ListIndexPath] = []
        for path in batch.cellUpdates {
            // A callback may have ended the coordinator, or have fetched the list, which then has
            // other paths.
            guard isFollowing, !isLoadWanted else { return }
            guard !isFetchedAgain else { return reloadLater() }
            do {
                try updateCell(path, try list.object(at: path))
            } catch let error as StoreError where error.status == .gone {
                unread.append(path)
            } catch let error as StoreError where error.status == .type {
                // Not a failure of the list: other observers have rows of other types.
                failed?(error)
                return reloadLater()
            } catch {
                list.reportFailure(error)
                return reloadLater()
            }
        }
        if !unread.isEmpty { updateLater(unread, changes.origin) }
    }

    /// Makes up for what could not be delivered in parts: when the round is over or, outside of a
    /// round, with the next one.
    private func reloadLater() {
        missed.add(.reload)
        try? catchUpAfterDelivery()
    }

    /// Updates cells whose rows can't be read now because a callback wrote to them or to what they
    /// depend on: once more when the round is over, or else with the next delivery, even if that
    /// has no changes of these rows.
    private func updateLater(_ paths: [ListIndexPath], _ origin: ChangeOrigin) {
        let updates = ObjectChanges(paths.lazy.map { .update(0, from: $0, to: $0, changedColumns: .unknown) })
        missed.add(ChangeSet(objectChanges: updates, origin: origin))
        guard !isCatchingUpAgain else { return }
        try? catchUpAfterDelivery(again: true)
    }

    private func reportCount() {
        guard isFollowing, let count = try? list.numberOfObjects, count != reportedCount else { return }
        reportedCount = count
        countChanged?(count)
    }
}
