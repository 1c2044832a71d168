import ChangeSets
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// Each call of a SQL function, an aggregate or a collation of the program fails once, in each kind
/// of work. Nothing half-done is committed. The lists show what they showed, and the next dispatch
/// brings the rest, with exact changes.
@Suite struct FailingCallTests {
    /// The work that is done, with a number that differs in each repetition.
    private struct Work: Sendable {
        let name: String
        let run: @Sendable (FailingWorld, Int) throws -> Void

        init(_ name: String, _ run: @escaping @Sendable (FailingWorld, Int) throws -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// Writes that concern all rows or some, and move rows between sections.
    private static let scripts: [@Sendable (Int) -> String] = [
        { "UPDATE items SET stamp = f('s\($0)')" },
        { "UPDATE items SET name = char(97 + (unicode(name) + \($0)) % 26) WHERE id % 2" },
        {
            "DELETE FROM items WHERE id = \(1 + $0 % 8); "
                + "INSERT OR REPLACE INTO items (id, name, kind, stamp) "
                + "SELECT \(1 + ($0 + 3) % 9), f('n'), 2, stamp FROM items LIMIT 1"
        },
        { "UPDATE OR IGNORE pairs SET code = f(code || '\($0 % 10)') WHERE code > 'c'" },
        { "UPDATE kinds SET name = f('k' || (id * \($0)) % 7)" },
    ]

    private static let works =
        scripts.indices.flatMap { index in
            [
                Work("own \(index)") { try $0.store.executeScript(scripts[index]($1)) },
                Work("transaction \(index)") { world, n in
                    try world.store.transaction { try world.store.executeScript(scripts[index](n)) }
                },
                Work("foreign \(index)") { world, n in
                    try world.other.executeScript(scripts[index](n))
                    try world.store.dispatch()
                },
                Work("resume \(index)") { world, n in
                    for list in world.lists { try list.list.setPaused(true) }
                    // Those that the failure has left paused.
                    defer { world.sparing { for list in world.lists { try? list.list.resume() } } }
                    try world.sparing { try world.other.executeScript(scripts[index](n)) }
                    for list in world.lists { try list.list.resume() }
                    try world.store.dispatch()
                },
            ]
        } + [
            Work("fetch") { world, n in
                try world.sparing { try world.other.executeScript(scripts[n % scripts.count](n)) }
                for list in world.lists { try list.fetch() }
            },
            Work("fetch in the background") { world, n in
                try world.sparing { try world.other.executeScript(scripts[n % scripts.count](n)) }
                for list in world.lists {
                    try list.fetchInBackground()
                }
            },
            Work("another request") { world, _ in
                for list in world.lists {
                    var request = list.list.request
                    if request.sorts.isEmpty {
                        request.limit = request.limit == nil ? 5 : nil
                    } else {
                        request.sorts[0].isDescending.toggle()
                    }
                    try list.list.setRequest(request)
                }
            },
            Work("another schema") { world, n in
                try world.other.execute("ALTER TABLE kinds ADD COLUMN extra\(n)")
                try world.store.dispatch()
            },
            Work("reading") { world, n in
                try world.sparing { try world.store.executeScript(scripts[n % scripts.count](n)) }
                for list in world.lists { _ = try list.rows() }
            },
        ]

    @Test(arguments: works.indices) func eachCallFailsOnce(index: Int) throws {
        let work = Self.works[index]
        let mode = (index + index / 4) % 2 == 0 ? "wal" : "delete"
        let world = try FailingWorld(mode)
        try failEachCall(of: work, in: world, "\(mode)", step: 3 + index % 3)
    }

    /// Lists that are read in many chunks, the later ones on another thread.
    @Test(arguments: [0, 1, 2]) func eachCallFailsOnceInManyRows(index: Int) throws {
        let work = Self.works.filter { $0.name.hasPrefix("fetch") || $0.name == "foreign 1" }[index]
        try failEachCall(of: work, in: FailingWorld("delete", rows: 120), "many rows", step: 3)
    }

    private func failEachCall(of work: Work, in world: FailingWorld, _ mode: String, step: Int) throws {
        defer { world.close() }
        var number = 1
        repeat {
            world.faults.arm(number)
            let failure = Result { try work.run(world, number) }
            let wasReached = world.faults.disarm()
            let place = "call \(number) of \(work.name), \(mode)"
            if case .failure(let error) = failure, !wasReached { Issue.record("\(error) without a cause, \(place)") }
            for fault in try world.faultsAfterFailure() { Issue.record("\(fault), \(place)") }
            try world.store.dispatch()
            for fault in try world.faultsAfterRecovery() { Issue.record("\(fault), \(place)") }
            if !wasReached { break }
            // Each of the first calls, and then fewer, which differ from work to work.
            number += 1 + number / step
        } while number < 2000
    }
}

private struct Failure: Error, CustomStringConvertible {
    var description: String { "the call fails" }
}

/// Counts calls of the program, and lets one of them fail.
private final class Faults: @unchecked Sendable {
    private var calls = 0
    private var failing: Int?
    private var isSpared = false

    func arm(_ number: Int) { (calls, failing) = (0, number) }

    /// Whether the call was reached.
    func disarm() -> Bool {
        defer { failing = nil }
        return failing.map { calls >= $0 } ?? false
    }

    func sparing<Result>(_ body: () throws -> Result) rethrows -> Result {
        let before = isSpared
        isSpared = true
        defer { isSpared = before }
        return try body()
    }

    func call() throws {
        guard !isSpared, let failing else { return }
        calls += 1
        if calls == failing { throw Failure() }
    }
}

/// The longest text of a group.
private final class Longest: AggregateGroup {
    private let faults: Faults
    private var text = ""

    init(_ faults: Faults) { self.faults = faults }

    func step(_ arguments: RowValues) throws {
        try faults.call()
        text = max(text, arguments.value(0).text ?? "")
    }

    func value() throws -> Value { .text(text) }
    func inverse(_ arguments: RowValues) throws {}

    func finalize() throws -> Value {
        try faults.call()
        return .text(text)
    }
}

/// A store with lists of all kinds that use functions and collations of the program.
private final class FailingWorld {
    let faults = Faults()
    let store: Store
    /// Another connection, none of whose calls fails.
    let other: Store
    private(set) var lists: [FailingList] = []
    private let file = TemporaryFile()

    private static let script = """
        CREATE TABLE kinds (id INTEGER PRIMARY KEY, name TEXT COLLATE own);
        CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT COLLATE own, kind INT REFERENCES kinds, stamp TEXT,
            made TEXT AS (f(name)), marked TEXT AS (f(stamp)));
        CREATE TABLE pairs (code TEXT COLLATE own PRIMARY KEY, n INT) WITHOUT ROWID;
        CREATE INDEX by_name ON items (name);
        CREATE INDEX by_f ON items (f(name), kind);
        CREATE VIEW shown AS SELECT id, f(name) AS name, kind FROM items;
        INSERT INTO kinds VALUES (1, 'x'), (2, 'y'), (3, 'z');
        INSERT INTO items (id, name, kind, stamp) VALUES (1, 'h', 1, ''), (2, 'g', 2, ''), (3, 'f', 3, ''),
            (4, 'e', 1, ''), (5, 'd', 2, ''), (6, 'c', 3, ''), (7, 'b', 1, ''), (8, 'a', 2, '');
        INSERT INTO pairs VALUES ('a', 1), ('b', 2), ('d', 3), ('f', 4), ('g', 5);
        """

    static let nodes = NodeSizes(leafCapacity: 4, fanout: 4, manyRows: 2, chunk: 2)

    /// - Parameter rows: How many more rows there are. Then there are only lists that are read as a
    ///   whole.
    init(_ mode: String, rows: Int = 0) throws {
        var options = StoreOptions()
        options.journalMode = mode
        store = try Store(path: file.path, options: options)
        other = try Store(path: file.path, options: options)
        let quiet = Faults()
        for (store, faults) in [(store, faults), (other, quiet)] {
            try store.addFunction("f", argumentCount: 1, isDeterministic: true) { values in
                try faults.call()
                return values[0]
            }
            try store.addFunction(
                SQLFunction(
                    name: "longest", argumentCount: 1, kind: .aggregate(isWindow: false) { Longest(faults) }))
            try store.addCollation("own") { a, b in
                try faults.call()
                return a < b ? -1 : a == b ? 0 : 1
            }
        }
        try store.executeScript(Self.script)
        for row in 0..<rows {
            let name = Value.text(String(UnicodeScalar(UInt8(97 + row * 7 % 26))))
            try store.execute(
                "INSERT INTO items (name, kind, stamp) VALUES (?, ?, '')", [name, .integer(Int64(1 + row % 3))])
        }
        try store.dispatch()
        try other.dispatch()
        lists = try Self.makers.suffix(rows > 0 ? 3 : Self.makers.count).map { try FailingList($0, store, faults) }
    }

    private static let makers: [@Sendable (Store, FetchRequest?) throws -> FetchedResultsController] = {
        var byKind = FetchRequest(entity: "items", predicate: "f(name) <> 'e'", sorts: [Sort("name")])
        byKind.section = Sort("kind")
        var byName = FetchRequest(entity: "items", sorts: [Sort("kind"), Sort("id")])
        byName.section = Sort("kind.name")
        var window = FetchRequest(entity: "items", sorts: [Sort("name", isDescending: true)])
        window.limit = 5
        window.offset = 1
        var batches = FetchRequest(entity: "items", predicate: "made > 'b'", sorts: [Sort("made", collation: "own")])
        batches.batchSize = 2
        var view = FetchRequest(entity: "shown", sorts: [Sort("name")])
        view.identity = ["id"]
        let select = FetchRequest(
            select:
                "SELECT items.id, f(items.name) AS name, kinds.name AS kind FROM items JOIN kinds ON kinds.id = kind"
                + " ORDER BY kinds.name, items.id",
            identity: ["id"])
        let groups = FetchRequest(
            select: "SELECT kind, longest(name) AS name FROM items GROUP BY kind ORDER BY kind", identity: ["kind"])
        let pairs = FetchRequest(entity: "pairs", predicate: "f(n) > 0", sorts: [Sort("n", isDescending: true)])
        let keys = FetchRequest(entity: "pairs", sorts: [Sort("code")])
        let requests = [byKind, byName, window, batches, view, select, groups, pairs, keys]
        var makers: [@Sendable (Store, FetchRequest?) throws -> FetchedResultsController] = requests.map { own in
            { store, request in
                try FetchedResultsController(
                    store: store, request: request ?? own, nodes: FailingWorld.nodes)
            }
        }
        makers.append { store, request in
            try SectionMap(
                store: store,
                items: request ?? FetchRequest(entity: "items", predicate: "f(name) <> 'c'", sorts: [Sort("name")]),
                sections: FetchRequest(entity: "kinds", sorts: [Sort("name")]), itemKey: "kind", sectionKey: "id",
                indexTitle: "name", nodes: FailingWorld.nodes)
        }
        // Without a predicate, the rows are passed to a function in the order of the table.
        var whole = [FetchRequest(entity: "items", sorts: [Sort("marked")])]
        whole += [Sort("id"), Sort("name")].map { sort in
            FetchRequest(entity: "items", predicate: "f(name) <> 'e'", sorts: [sort])
        }
        makers += whole.map { own in
            { store, request in
                try FetchedResultsController(store: store, request: request ?? own, nodes: FailingWorld.nodes)
            }
        }
        return makers
    }()

    func sparing<Result>(_ body: () throws -> Result) rethrows -> Result { try faults.sparing(body) }

    func close() {
        // The lists have no cache names.
        for list in lists { try? list.list.close() }
        // The file is removed in any case.
        try? store.close()
        try? other.close()
    }

    func faultsAfterFailure() throws -> [String] {
        var found = try store.isInTransaction ? ["a transaction is open"] : []
        for list in lists { found += list.faultsOfState() }
        return found
    }

    func faultsAfterRecovery() throws -> [String] {
        var found: [String] = []
        try other.dispatch()
        if try other.query(String.self, "PRAGMA integrity_check") != ["ok"] { found.append("the database is damaged") }
        let nulls = "SELECT (SELECT count(*) FROM items WHERE name IS NULL OR stamp IS NULL OR made IS NULL)"
        let stamps = " + (SELECT count(DISTINCT stamp) > 1 FROM items)"
        if try other.query(Int.self, nulls + stamps) != [0] { found.append("a part was committed") }
        for list in lists { found += try list.faults(comparedWith: other) }
        return found
    }
}

/// A list, and what an observer made of its changes.
private final class FailingList: FetchedResultsObserver {
    private typealias Section = ReplayedSection<String?, [Value]>

    let list: FetchedResultsController
    private let make: (Store, FetchRequest?) throws -> FetchedResultsController
    private let faults: Faults
    private var mirror: [Section] = []
    private var problems: [String] = []

    init(
        _ make: @escaping (Store, FetchRequest?) throws -> FetchedResultsController, _ store: Store, _ faults: Faults
    ) throws {
        self.make = make
        self.faults = faults
        list = try make(store, nil)
        list.addObserver(self)
        try list.performFetch()
        mirror = try read(list)
    }

    func fetch() throws {
        try list.performFetch()
        try noteFetch()
    }

    func fetchInBackground() throws {
        var outcome: StoreError??
        try list.performFetchAsynchronously { outcome = .some($0) }
        while outcome == nil { try list.store.wait(milliseconds: 10) }
        if let error = outcome.flatMap(\.self) { throw error }
        try noteFetch()
    }

    /// After a fetch the program reads the list.
    private func noteFetch() throws { mirror = try faults.sparing { try read(list) } }

    /// Reads all rows as the program would.
    func rows() throws -> [[Value]] {
        try (0..<list.numberOfObjects).map { try list.object(at: list.indexPath(at: $0)).values ?? [] }
    }

    private func read(_ list: FetchedResultsController) throws -> [Section] {
        try (0..<list.numberOfSections).map { section in
            ReplayedSection(
                try list.section(at: section).name,
                try (0..<list.numberOfObjects(inSection: section)).map { row in
                    let object = try list.object(at: ListIndexPath(section: section, row: row))
                    return object.identity + (object.values ?? [])
                })
        }
    }

    func listDidReload(_ controller: any LiveList) {
        do { mirror = try faults.sparing { try read(list) } } catch { problems.append("\(error)") }
    }

    func list(_ controller: any LiveList, didDeliver changes: ListChanges) {
        guard !changes.changeSet.isReload else { return }
        do {
            mirror = try faults.sparing {
                try changes.changeSet.applied(
                    to: mirror,
                    section: { change, old in
                        guard let index = change.newIndex else { return old ?? nil }
                        return try list.section(at: index).name
                    },
                    row: { change, old in
                        guard let path = change.newPath else { return old ?? [] }
                        let object = try list.object(at: path)
                        return object.identity + (object.values ?? [])
                    })
            }
        } catch {
            problems.append("\(error)")
        }
    }

    /// What is wrong when the work has failed: each row is the one that it was, or gone.
    func faultsOfState() -> [String] {
        faults.sparing {
            do {
                var found = take()
                guard try list.numberOfSections == mirror.count else { return found + ["sections of \(list)"] }
                for (section, expected) in mirror.enumerated() {
                    guard try list.numberOfObjects(inSection: section) == expected.rows.count else {
                        found.append("rows of section \(section) of \(list)")
                        continue
                    }
                    for (row, values) in expected.rows.enumerated() {
                        do {
                            let object = try list.object(at: ListIndexPath(section: section, row: row))
                            let shown = object.identity + (object.values ?? [])
                            if shown != values { found.append("it shows \(shown), not \(values), in \(list)") }
                        } catch let error as StoreError where error.status == .gone {}
                    }
                }
                return found
            } catch {
                return ["\(error) of \(list)"]
            }
        }
    }

    /// What differs from a list that another store reads.
    func faults(comparedWith store: Store) throws -> [String] {
        let fresh = try make(store, list.request)
        try fresh.performFetch()
        let expected = try read(fresh)
        try fresh.close()
        let shown = try read(list)
        var found = take()
        if shown != expected { found.append("it shows \(shown), not \(expected), in \(list)") }
        if mirror != expected { found.append("the changes led to \(mirror), not \(expected), in \(list)") }
        // Later repetitions begin with what is right.
        mirror = shown
        return found
    }

    private func take() -> [String] {
        defer { problems = [] }
        return problems.map { "\($0) of \(list)" }
    }
}
