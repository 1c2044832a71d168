internal import FetchedResults

/// What works for a coordinator: it outlives it for as long as a callback lasts inside which the coordinator was let go
/// of, and finds out that it ended.
///
/// Everything that is to reach the view goes through `missed`, which is empty whenever the view is up to date. A
/// delivery adds to it and catches up at once; while paused, or while a reload waits for the end of a round, it only
/// adds. So it makes no difference in which callback of which list a view is loaded, paused or resumed.
final class ListFollower: FetchedResultsObserver {
    let list: any LiveList
    private(set) weak var view: (any CoordinatedView)?
    var countChanged: ((Int) -> Void)?
    var failed: ((StoreError) -> Void)?
    private(set) var isPaused = false
    private let options: ViewOptions
    private let updateCell: Coordinator.CellUpdate?

    /// Its number as an observer; nil before the view was loaded.
    private var observer: UInt64?
    private var isEnded = false
    /// What happened since the view was up to date.
    private var missed = MissedChanges()
    /// Whether catching up waits for the end of a round.
    private var isWaiting = false
    /// Whether it makes good what could not be told before.
    private var isCatchingUpAgain = false
    /// What the program asked for that is still to be done: a reload, and a fetch before it.
    private var isLoadWanted = false
    private var isFetchWanted = false
    private var toldCount: Int?
    /// The version of the list before the delivery under way.
    private var versionBefore = 0
    /// The fetch count of the list when the view was loaded.
    private var fetchCount: Int?

    init(list: any LiveList, view: any CoordinatedView, options: ViewOptions, updateCell: Coordinator.CellUpdate?) {
        self.list = list
        self.view = view
        self.options = options
        self.updateCell = updateCell
    }

    var isLoaded: Bool { observer != nil }

    /// Whether the view may be told of something: not if the coordinator or the list was let go of, or the store is
    /// closed.
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

    // MARK: What the program asks for

    func load(fetching: Bool) throws {
        if !list.isFetched || fetching {
            // What is delivered meanwhile is part of the reload.
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

    // MARK: What the list tells

    var wantsSingleChanges: Bool { false }

    func listWillChange(_ controller: any LiveList) { versionBefore = list.version }

    func list(_ controller: any LiveList, didDeliver changes: ListChanges) {
        // Who resumes with a reload needs no record of what happened.
        if isPaused, !isLoadWanted, options.resume == .reload { return }
        // If a callback has fetched the list meanwhile, it shows something else than what is told here.
        missed.add(list.version == versionBefore + 1 ? changes.changeSet : .reload)
        if !isPaused, !isWaiting { catchUp() }
    }

    func list(_ controller: any LiveList, didFail error: StoreError) {
        if isFollowing { failed?(error) }
    }

    // MARK: What the view is told

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

    /// Tells the view what it does not know yet.
    private func catchUp() {
        guard isFollowing, isLoadWanted || !isPaused else { return }
        isLoadWanted = false
        if isFetchWanted {
            isFetchWanted = false
            do { try list.refresh(for: observer) } catch { list.reportFailure(error) }
            guard isFollowing else { return }
        }
        let changes = missed.take()
        if changes.isReload || isFetchedAnew {
            fetchCount = list.fetchCount
            view?.reload()
        } else if !changes.isEmpty {
            apply(changes)
        }
        tellCount()
    }

    /// Whether the list was fetched since the view was told of it, which makes no callbacks.
    private var isFetchedAnew: Bool { fetchCount != list.fetchCount }

    private func apply(_ changes: ChangeSet) {
        let batch = ViewBatch(changes, options: options, updatesCells: updateCell != nil)
        if !batch.isEmpty, let view {
            guard view.canApply(batch) else { return view.reload() }
            view.apply(batch)
        }
        guard let updateCell else { return }
        var unread: [ListIndexPath] = []
        for path in batch.cellUpdates {
            // A callback may have ended all this, or have fetched the list, whose paths are others then.
            guard isFollowing, !isLoadWanted else { return }
            guard !isFetchedAnew else { return reloadLater() }
            do {
                updateCell(path, try list.object(at: path))
            } catch let error as StoreError where error.status == .gone {
                unread.append(path)
            } catch {
                list.reportFailure(error)
                return reloadLater()
            }
        }
        if !unread.isEmpty { updateLater(unread) }
    }

    /// Makes good what could not be told in parts: when the round is over, or, if it was told outside of one, with the
    /// next.
    private func reloadLater() {
        missed.add(.reload)
        try? catchUpAfterDelivery()
    }

    /// Has cells updated whose rows can't be read now, since a callback wrote to them or to what they depend on: once
    /// more when the round is over, or else with the next delivery. That round need not tell of them.
    private func updateLater(_ paths: [ListIndexPath]) {
        missed.add(ChangeSet(objectChanges: paths.map { .update(0, from: $0, to: $0, changedColumns: .unknown) }))
        guard !isCatchingUpAgain else { return }
        try? catchUpAfterDelivery(again: true)
    }

    private func tellCount() {
        guard isFollowing, let count = try? list.numberOfObjects, count != toldCount else { return }
        toldCount = count
        countChanged?(count)
    }
}
