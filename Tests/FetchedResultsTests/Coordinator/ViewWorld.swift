import ChangeSets
import SQLiteKit

@testable import FetchedResults

/// A database, lists of it, and several views of each.
final class ViewWorld {
    private let store: Store
    private var random: SeededRandom
    private(set) var log: [String] = []
    private(set) var faults: [String] = []
    private var watched: [WatchedList] = []
    private var next: Int64 = 1

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        store = try makeStore(
            """
            CREATE TABLE lists (id INTEGER PRIMARY KEY, title TEXT, position INT);
            CREATE TABLE items (
                id INTEGER PRIMARY KEY, list_id REFERENCES lists(id) ON DELETE SET NULL, kind TEXT, name TEXT, rank INT);
            """)
        for _ in 0..<random.below(40) { try write() }
        try addLists()
        for list in watched {
            for screen in list.screens { try screen.coordinator.loadData() }
        }
    }

    private func request(_ predicate: String? = nil, section: SortDescriptor? = nil) -> FetchRequest {
        FetchRequest(
            entity: "items", predicate: predicate, sortDescriptors: [SortDescriptor(random.pick(["rank", "name"]))],
            section: section)
    }

    private func addLists() throws {
        let store = store
        let kind = SortDescriptor("kind", isDescending: random.chance(30))
        let sectioned = request(random.pick([nil, "rank < 6"]), section: kind)
        let items = request(random.pick([nil, "rank > 1"]))
        let sections = FetchRequest(entity: "lists", sortDescriptors: [SortDescriptor("position")])
        let emptySections = random.pick([EmptySections.kept, .hidden])
        let without = random.pick([ItemsWithoutSection.shown, .hidden, .alwaysShown])
        func makeMap() throws -> SectionMap {
            try SectionMap(
                store: store, items: items, sections: sections, itemKey: "list_id", emptySections: emptySections,
                itemsWithoutSection: without)
        }
        func makeController(_ request: FetchRequest) throws -> FetchedResultsController {
            try FetchedResultsController(store: store, request: request, nodes: NodeSizes(leafCapacity: 4, fanout: 4))
        }
        let requests = [request("rank < 4"), request("kind < 'c'", section: kind)]
        func makeCollection() throws -> FetchedResultsCollection {
            let collection = try FetchedResultsCollection([makeController(requests[0])])
            try collection.append(try makeController(requests[1]), emptySection: Placeholder(name: "none"))
            try collection.append(Placeholder(name: "between"))
            try collection.append(try makeMap())
            return collection
        }
        let controller = try makeController(sectioned)
        watched = [
            WatchedList(controller, &random) { try makeController(controller.request) },
            WatchedList(try makeMap(), &random, makeMap), WatchedList(try makeCollection(), &random, makeCollection),
        ]
        for list in watched {
            for screen in list.screens { screen.view.didApply = { [weak self] in self?.didApply() } }
        }
    }

    func close() { store.close() }

    // MARK: Steps

    func step() throws {
        switch random.below(100) {
        case 0..<55: try transaction()
        case 55..<75: try write()
        case 75..<90: togglePause()
        case 90..<95:
            guard let controller = watched[0].list as? FetchedResultsController else { break }
            var request = controller.request
            request.sortDescriptors = [SortDescriptor(random.pick(["rank", "name", "id"]), isDescending: random.chance(50))]
            if random.chance(30) { request.section = random.chance(50) ? nil : SortDescriptor("kind") }
            log.append("set request \(request.sortDescriptors) \(String(describing: request.section))")
            try controller.setRequest(request)
        default:
            let screen = random.pick(random.pick(watched).screens)
            log.append("load a view\(screen.coordinator.isPaused ? " that is paused" : "")")
            try screen.coordinator.loadData()
        }
        for list in watched {
            for fault in try list.check() { faults.append("\(type(of: list.list)): \(fault)") }
        }
    }

    private func togglePause() {
        let screen = random.pick(random.pick(watched).screens)
        screen.coordinator.isPaused.toggle()
        log.append("\(screen.coordinator.isPaused ? "pause" : "resume") a view")
    }

    private func transaction() throws {
        log.append("BEGIN")
        try store.begin()
        for _ in 0...random.below(6) { try write() }
        log.append("COMMIT")
        try store.commit()
    }

    /// Now and then a view does something itself.
    private func didApply() {
        guard random.chance(4) else { return }
        log.append("in a batch:")
        do {
            if random.chance(50) { try write() } else { togglePause() }
        } catch {
            faults.append("in a batch: \(error)")
        }
    }

    private func write() throws {
        let kinds: [Value] = ["a", "b", "c", "d", .null]
        let list: Value = random.chance(20) ? .null : .integer(Int64(random.below(6)))
        let id = Value.integer(Int64(random.below(Int(next) + 1)))
        let kind = random.pick(kinds)
        let rank = Value.integer(Int64(random.below(8)))
        let listID = try listIDs().contains(list) ? list : .null
        switch random.below(20) {
        case 0..<6:
            next += 1
            let name = Value.text("n\(random.below(9))")
            try run("INSERT INTO items VALUES (?, ?, ?, ?, ?)", [.integer(next), listID, kind, name, rank])
        case 6, 7: try run("DELETE FROM items WHERE id = ?", [id])
        case 8: try run("DELETE FROM items WHERE kind IS ? AND id % 2", [kind])
        case 9, 10: try run("UPDATE items SET rank = ? WHERE id = ?", [rank, id])
        case 11: try run("UPDATE items SET name = name || '.' WHERE id = ?", [id])
        case 12: try run("UPDATE items SET kind = ? WHERE id = ?", [kind, id])
        case 13: try run("UPDATE items SET kind = ? WHERE kind IS ?", [kind, random.pick(kinds)])
        case 14: try run("UPDATE items SET list_id = ?, name = 'moved' WHERE id = ?", [listID, id])
        case 15: try run("UPDATE items SET rank = 7 - rank, name = name || '-' WHERE id % 3 = 0", [])
        case 16: try run("INSERT OR IGNORE INTO lists VALUES (?, 'new', ?)", [list, rank])
        case 17: try run("DELETE FROM lists WHERE id = ?", [list])
        case 18: try run("UPDATE lists SET position = ?, title = title || '+' WHERE id = ?", [rank, list])
        default: try run("UPDATE lists SET position = -position", [])
        }
    }

    private func listIDs() throws -> Set<Value> {
        var ids: Set<Value> = []
        try store.query("SELECT id FROM lists") { ids.insert($0[0]) }
        return ids
    }

    private func run(_ sql: String, _ parameters: [Value]) throws {
        log.append(parameters.isEmpty ? sql : "\(sql) -- \(parameters.map { "\(Cell($0))" }.joined(separator: ", "))")
        try store.execute(sql, parameters)
    }
}

/// A list and the views that show it.
private final class WatchedList {
    let list: any LiveList
    private(set) var screens: [Screen] = []
    private let makeFresh: () throws -> any LiveList

    init(_ list: any LiveList, _ random: inout SeededRandom, _ makeFresh: @escaping () throws -> any LiveList) {
        self.list = list
        self.makeFresh = makeFresh
        for rowMoves in [ViewOptions.Moves.moves, .deletesAndInserts] {
            for sectionMoves in [ViewOptions.Moves.moves, .deletesAndInserts] {
                for updatesCells in [false, true] {
                    let resume = random.chance(75) ? ViewOptions.Resume.difference : .reload
                    let form = random.chance(75) ? ViewOptions.Form.groups : .steps
                    let options = ViewOptions(form: form, rowMoves: rowMoves, sectionMoves: sectionMoves, resume: resume)
                    screens.append(Screen(list, options, updatesCells: updatesCells))
                }
            }
        }
    }

    func check() throws -> [String] {
        let fresh = try makeFresh()
        try fresh.performFetch()
        var faults: [String] = []
        if let difference = try difference(from: fresh) { return ["the list itself: \(difference)"] }
        for screen in screens {
            faults += screen.view.faults
            guard faults.isEmpty, !screen.coordinator.isPaused else { continue }
            if let difference = try screen.view.difference(from: fresh) { faults.append(difference) }
            if try screen.toldCount != fresh.numberOfObjects { faults.append("the count was told as \(screen.toldCount)") }
        }
        return faults
    }

    /// What the list has otherwise than one that was fetched just now: no fault of its views.
    private func difference(from fresh: any LiveList) throws -> String? {
        let (names, identities) = (try list.sectionNames, try list.values("id"))
        if try names != fresh.sectionNames { return "the sections are \(names), not \(try fresh.sectionNames)" }
        if try identities != fresh.values("id") { return "the rows are \(identities), not \(try fresh.values("id"))" }
        return nil
    }
}

/// A view, its coordinator, and what this told besides.
private final class Screen {
    let view: SimulatedView
    let coordinator: Coordinator
    private(set) var toldCount = -1

    init(_ list: any LiveList, _ options: ViewOptions, updatesCells: Bool) {
        let view = SimulatedView(list, options, updatesCells: updatesCells)
        self.view = view
        coordinator = Coordinator(
            view: view, list: list, options: options,
            updateCell: updatesCells ? { path, object in view.update(path, object) } : nil)
        coordinator.countChanged = { [unowned self] count in toldCount = count }
    }
}
