import ChangeSets
import FetchedResults
import FetchedResultsViews
import SQLiteKit
import TestSupport

/// A list, and the views that show it.
final class WatchedList {
    let name: String
    let list: any LiveList
    private(set) var screens: [Screen] = []
    /// Whether it is being fetched in the background.
    var isFetching = false
    /// A new list with the same request, to fetch and compare.
    private let makeFresh: () throws -> any LiveList
    /// Changes the list other than by the database, and returns a description of the change; nil if
    /// there is nothing to change.
    private let makeChange: (inout SeededRandom) throws -> String?
    /// Notified of each delivery before the views are; nil if one view is the only observer of the
    /// list, so that loading and the end of a pause fetch again.
    private let marker: Marker?
    private var markerID: UInt64?
    /// Called inside a view's callbacks.
    var didAct: (String) -> Void = { _ in }

    init(
        _ name: String, _ list: any LiveList, _ random: inout SeededRandom,
        fresh: @escaping () throws -> any LiveList, change: @escaping (inout SeededRandom) throws -> String?
    ) {
        self.name = name
        self.list = list
        makeFresh = fresh
        makeChange = change
        marker = random.chance(25) ? nil : Marker()
        markerID = marker.map { list.addObserver($0) }
        for _ in 0..<(marker == nil ? 1 : 5) { addScreen(&random) }
        marker?.didDeliver = { [unowned self] changes in
            for screen in screens { screen.expectDelivery(changes) }
        }
    }

    private func addScreen(_ random: inout SeededRandom) {
        let screen = Screen(list, name, &random)
        screen.view.didAct = { [unowned self] moment in didAct(moment) }
        screens.append(screen)
    }

    /// Releases its views and their coordinators.
    func end(_ lifetimes: Lifetimes) {
        lifetimes.note(list, name)
        for screen in screens { screen.end() }
        if let markerID { list.removeObserver(markerID) }
    }

    /// Releases a view and its coordinator, and makes new ones.
    func replaceScreen(_ random: inout SeededRandom) throws {
        screens.remove(at: random.below(screens.count)).end()
        addScreen(&random)
        if random.chance(80) { try screens.last?.load() }
    }

    // MARK: Changing

    func change(_ random: inout SeededRandom) throws -> String? { try makeChange(&random) }

    /// Pauses the list itself, or resumes it.
    func togglePause(_ random: inout SeededRandom) throws -> String? {
        // A fetch makes no callbacks: the list's views detect it at the next delivery, which a
        // paused list does not make.
        guard let controller = list as? FetchedResultsController, !isFetching else { return nil }
        guard controller.isPaused else {
            try controller.setPaused(true)
            return "is paused"
        }
        let reload = random.chance(30)
        // If nothing delays the list, its views are notified immediately; otherwise the marker
        // reports the change later.
        if reload, marker == nil { for screen in screens { screen.expectReloadOfList() } }
        try controller.resume(reload: reload)
        return "goes on\(reload ? " with a reload" : "")"
    }

    // MARK: Checking

    /// - Parameter isBehind: Whether the database has changes that the lists have not processed
    ///   yet.
    func check(isBehind: Bool) throws -> [String] {
        var faults = screens.flatMap(\.view.faults)
        guard faults.isEmpty else { return faults }
        let isPaused = (list as? FetchedResultsController)?.isPaused ?? false
        let isCurrent = !isBehind && !isPaused
        let shown: any LiveList = isCurrent ? try makeFresh() : list
        if isCurrent {
            try shown.performFetch()
            if let difference = try difference(from: shown) { return ["the list itself: \(difference)"] }
        }
        for screen in screens where screen.isFollowing {
            if let difference = try screen.view.difference(from: shown, comparesContent: isCurrent) {
                faults.append("\(screen): \(difference)")
            }
            if try screen.reportedCount != shown.numberOfObjects {
                faults.append("\(screen): the count was reported as \(screen.reportedCount)")
            }
        }
        return faults
    }

    /// Rows in which the list differs from one that was fetched just now: its views have no part in
    /// that.
    private func difference(from fresh: any LiveList) throws -> String? {
        let (names, identities) = (try list.sectionNames, try list.values("id"))
        if try names != fresh.sectionNames { return "the sections are \(names), not \(try fresh.sectionNames)" }
        if try identities != fresh.values("id") { return "the rows are \(identities), not \(try fresh.values("id"))" }
        return nil
    }
}

/// Reports each delivery.
private final class Marker: FetchedResultsObserver {
    var didDeliver: (ChangeSet) -> Void = { _ in }

    var wantsSingleChanges: Bool { false }
    func list(_ controller: any LiveList, didDeliver changes: ListChanges) { didDeliver(changes.changeSet) }
}

/// A view, its coordinator, and what they may do next.
final class Screen: CustomStringConvertible {
    let view: SimulatedView
    let description: String
    private let options: ViewOptions
    private var coordinator: Coordinator<FetchedObject>?
    /// The number of calls of the coordinator that are under way: each retains it.
    private var calls = 0
    private(set) var reportedCount = -1

    init(_ list: any LiveList, _ name: String, _ random: inout SeededRandom) {
        let moves: [ViewOptions.Moves] = [.moves, .deletesAndInserts]
        options = ViewOptions(
            form: random.chance(70) ? .groups : .steps, rowMoves: random.pick(moves), sectionMoves: random.pick(moves),
            resume: random.chance(75) ? .difference : .reload)
        let updatesCells = random.chance(50)
        description = "\(name)'s view (\(options)\(updatesCells ? ", cells" : ""))"
        let view = SimulatedView(list, options, updatesCells: updatesCells)
        self.view = view
        let coordinator = Coordinator(
            view: view, list: list, options: options,
            updateCell: updatesCells ? { path, object in view.update(path, object) } : nil)
        self.coordinator = coordinator
        view.isPaused = { [weak coordinator] in coordinator?.isPaused ?? false }
        coordinator.countChanged = { [weak self] count in
            let reported = self?.reportedCount ?? count
            self?.reportedCount = count
            view.expectCount(reported, count)
        }
        coordinator.failed = { error in view.fail("failed: \(error)") }
    }

    var isPaused: Bool { coordinator?.isPaused ?? false }
    /// Whether the view has to show what the list shows.
    var isFollowing: Bool { coordinator.map { $0.isLoaded && !$0.isPaused } ?? false }

    func load(fetching: Bool = true) throws {
        expectReload()
        view.mayReloadWhilePaused = true
        calls += 1
        defer { calls -= 1 }
        try coordinator?.loadData(fetching: fetching)
    }

    func togglePause() {
        guard let coordinator else { return }
        if isPaused {
            if view.allowance != .max { view.allowance += 1 }
            view.updatedCells = nil
            if options.resume == .reload { expectReload() }
        }
        calls += 1
        defer { calls -= 1 }
        coordinator.isPaused.toggle()
    }

    /// Releases the coordinator, after which the view is not called.
    func end() {
        if calls > 0 { coordinator?.end() }
        coordinator = nil
        view.isEnded = true
    }

    func expectReload() { view.mayReload = true }

    /// The list reloads: inside a callback, a view that is being loaded does so as well, and both
    /// follow after it.
    func expectReloadOfList() {
        view.mayReloadAgain = view.mayReload
        view.mayReload = true
    }

    /// One delivery of the list: one batch, or none, or a reload if the delivery is one.
    func expectDelivery(_ changes: ChangeSet) {
        view.allowance = 1
        view.updatedCells = []
        if changes.isReload { view.mayReload = true }
    }
}
