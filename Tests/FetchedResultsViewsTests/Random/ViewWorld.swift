import ChangeSets
import FetchedResults
import FetchedResultsViews
import SQLiteKit
import TestSupport

/// A database, lists of it of every kind, and several views of each.
final class ViewWorld {
    /// How commits reach the lists.
    enum Mode {
        /// Before the commit returns.
        case direct
        /// At dispatch.
        case queued
        /// Some of them are another connection's, which no hook reports: at dispatch as well.
        case shared
    }

    let store: Store
    private let mode: Mode
    /// Another connection to the same file.
    private let other: Store?
    /// Another database, of which the collection has a list.
    private let second: Store
    private let file: TemporaryFile?
    private var random: SeededRandom
    private(set) var log: [String] = []
    private(set) var faults: [String] = []
    private var makers: [(inout SeededRandom) throws -> WatchedList] = []
    private var watched: [WatchedList] = []
    /// The lists that were released.
    private let released = Lifetimes()
    private var nextID: Int64 = 1
    /// Whether something was written that waits for dispatch.
    private var isBehind = false
    /// The number of actions that views may still do by themselves in this step.
    private var actions = 0
    /// The number of actions on the database or on lists. A step has only one: lists are changed,
    /// paused and resumed while no other change waits to be delivered.
    private var deed = Deed.writing

    private enum Deed {
        case writing, changing, pausing
    }

    private static let schema = """
        CREATE TABLE lists (id INTEGER PRIMARY KEY, title TEXT, position INT);
        CREATE TABLE items (
            id INTEGER PRIMARY KEY, list_id REFERENCES lists(id) ON DELETE SET NULL, kind TEXT, name TEXT, rank INT);
        """

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        mode = random.pick([.direct, .direct, .queued, .shared])
        var options = StoreOptions()
        options.queuesDelivery = mode == .queued
        file = mode == .shared ? TemporaryFile() : nil
        store = try Store(path: file?.path ?? ":memory:", options: options)
        try store.executeScript(Self.schema)
        other = try file.map { try Store(path: $0.path) }
        second = try makeStore(Self.schema, options)
        note("\(mode)")
        for _ in 0..<random.below(40) { try write(random.chance(80) ? store : second) }
        try dispatch()
        makers = WatchedList.makers(of: store, second)
        for make in makers { watched.append(try newList(make)) }
    }

    private func newList(_ make: (inout SeededRandom) throws -> WatchedList) throws -> WatchedList {
        var own = fork()
        let list = try make(&own)
        list.didAct = { [unowned self] moment in act(moment) }
        for screen in list.screens { try screen.load() }
        return list
    }

    private func note(_ line: String) {
        log.append(line)
        // Printed immediately, as the action may crash.
        if RandomTests.seed != nil { print(line + ";") }
    }

    func close() {
        for store in [store, second, other] { try? store?.close() }
    }

    // MARK: Steps

    func step() throws {
        actions = random.chance(30) ? 2 : 0
        deed = random.pick([.writing, .writing, .changing, .pausing])
        switch random.below(104) {
        case 100..<104: try fetchInBackground()
        case 0..<45: try transaction()
        case 45..<60: try write(random.chance(15) ? second : store)
        case 60..<75: togglePause()
        case 75..<80: try load()
        case 80..<84: try replaceScreen()
        case 84..<94: try changeList()
        case 94..<98: try pauseList()
        case 98..<100: try replaceList()
        default: try load()
        }
        if mode != .direct || isFetching, random.chance(70) { try dispatch() }
        // The views that still wait are those of lists that wait themselves.
        actions = 0
        for list in released.remaining { faults.append("not released: \(list)") }
        for list in watched {
            for fault in try list.check(isBehind: isBehind) { faults.append("\(list.name): \(fault)") }
        }
    }

    private func dispatch() throws {
        note("dispatch")
        isBehind = false
        try store.dispatch()
        try second.dispatch()
    }

    private func pickWriter() -> Store {
        if random.chance(15) { return second }
        return random.chance(50) ? other ?? store : store
    }

    private func transaction() throws {
        let writer = pickWriter()
        note("BEGIN")
        try writer.begin()
        for _ in 0...random.below(6) { try write(writer) }
        note("COMMIT")
        try writer.commit()
    }

    /// Numbers for what may call back and draw numbers of its own.
    private func fork() -> SeededRandom { SeededRandom(seed: random.next()) }

    private func pickScreen() -> Screen { random.pick(random.pick(watched).screens) }

    private func togglePause() {
        let screen = pickScreen()
        note("\(screen.isPaused ? "resume" : "pause") \(screen)")
        screen.togglePause()
    }

    private func load() throws {
        let screen = pickScreen()
        let fetching = random.chance(70)
        note("load \(screen)\(screen.isPaused ? ", paused" : "")\(fetching ? "" : ", as it is")")
        try screen.load(fetching: fetching)
    }

    private var isFetching: Bool { watched.contains(where: \.isFetching) }

    /// Begins to fetch a list in the background. Its views detect that at its next delivery, and
    /// reload.
    private func fetchInBackground() throws {
        let list = random.pick(watched)
        guard let controller = list.list as? FetchedResultsController, !controller.isPaused, controller.isFetched,
            !list.isFetching
        else { return }
        note("fetch the \(list.name) in the background")
        list.isFetching = true
        try controller.performFetchAsynchronously { [unowned self] error in
            list.isFetching = false
            note("the \(list.name) is fetched")
            if let error { faults.append("the fetch of the \(list.name): \(error)") }
            for screen in list.screens { screen.expectReload() }
        }
    }

    private func replaceScreen() throws {
        let list = random.pick(watched)
        note("another view of the \(list.name)")
        var own = fork()
        try list.replaceScreen(&own)
    }

    /// Releases a list with its views, and makes another one of its kind.
    private func replaceList() throws {
        let index = random.below(watched.count)
        guard !watched[index].isFetching else { return }
        note("another \(watched[index].name)")
        watched[index].end(released)
        watched[index] = try newList(makers[index])
    }

    private func changeList() throws {
        let list = random.pick(watched)
        var own = fork()
        guard let change = try list.change(&own) else { return }
        note("the \(list.name): \(change)")
    }

    private func pauseList() throws {
        let list = random.pick(watched)
        var own = fork()
        guard let change = try list.togglePause(&own) else { return }
        note("the \(list.name): \(change)")
    }

    /// Now and then a view acts itself.
    private func act(_ moment: String) {
        guard actions > 0, random.chance(15) else { return }
        actions -= 1
        note("in \(moment):")
        do {
            switch random.below(10) {
            case 0..<2: togglePause()
            case 2: try load()
            case 3: try replaceScreen()
            case 4: try replaceList()
            case _ where deed == .changing: try changeList()
            case _ where deed == .pausing: try pauseList()
            default: try write(random.chance(15) ? second : store)
            }
        } catch {
            faults.append("in \(moment): \(error)")
        }
    }

    // MARK: Writing

    private func write(_ writer: Store) throws {
        let kinds: [Value] = ["a", "b", "c", "d", .null]
        let list: Value = random.chance(20) ? .null : .integer(Int64(random.below(6)))
        let id = Value.integer(Int64(random.below(Int(nextID) + 1)))
        let kind = random.pick(kinds)
        let rank = Value.integer(Int64(random.below(8)))
        let name = Value.text("n\(random.below(9))")
        let known = "(SELECT id FROM lists WHERE id = ?)"
        func run(_ sql: String, _ parameters: Value...) throws {
            let place = writer === second ? " (second)" : writer === other ? " (other)" : ""
            note("\(sql)\(place) -- \(parameters.map { "\(Cell($0))" }.joined(separator: ", "))")
            isBehind = isBehind || writer === other || mode == .queued
            try writer.execute(sql, parameters)
        }
        switch random.below(24) {
        case 0..<6:
            nextID += 1
            try run("INSERT INTO items VALUES (?, \(known), ?, ?, ?)", .integer(nextID), list, kind, name, rank)
        case 6: try run("INSERT OR REPLACE INTO items VALUES (?, \(known), ?, ?, ?)", id, list, kind, name, rank)
        case 7, 8: try run("DELETE FROM items WHERE id = ?", id)
        case 9: try run("DELETE FROM items WHERE kind IS ? AND id % 2", kind)
        case 10, 11: try run("UPDATE items SET rank = ? WHERE id = ?", rank, id)
        case 12: try run("UPDATE items SET name = name || '.' WHERE id = ?", id)
        case 13: try run("UPDATE items SET kind = ? WHERE id = ?", kind, id)
        case 14: try run("UPDATE items SET kind = ? WHERE kind IS ?", kind, random.pick(kinds))
        case 15: try run("UPDATE items SET list_id = \(known), name = 'moved' WHERE id = ?", list, id)
        case 16: try run("UPDATE items SET rank = 7 - rank, name = name || '-' WHERE id % 3 = 0")
        case 17:
            try run(
                "UPDATE OR REPLACE items SET id = ? WHERE id = ?", .integer(Int64(random.below(Int(nextID) + 1))), id)
        case 18: try run("INSERT OR IGNORE INTO lists VALUES (?, 'new', ?)", list, rank)
        case 19: try run("DELETE FROM lists WHERE id = ?", list)
        case 20: try run("UPDATE lists SET position = ?, title = title || '+' WHERE id = ?", rank, list)
        case 21: try run("UPDATE lists SET title = title || '!' WHERE id = ?", list)
        case 22: try run("INSERT OR REPLACE INTO lists VALUES (?, 'again', ?)", list, rank)
        default: try run("UPDATE lists SET position = -position")
        }
    }
}
