import ChangeSets
import OrderedTree
import SQLiteKit
import TestSupport

@testable import FetchedResults

/// Lists of all kinds that are fetched in the background at random moments of a random history.
final class FetchWorld {
    private let store: Store
    private let gate: Gate
    private let file = TemporaryFile()
    private var random: SeededRandom
    private var lists: [List] = []
    private(set) var log: [String] = []
    private(set) var faults: [String] = []
    /// The number of lists that had to be updated after a thread had read them.
    private(set) var broughtForward = 0
    /// The number of these that were section maps.
    private(set) var mapsBroughtForward = 0

    /// A list that is fetched in the background, and one of the same request that is not.
    private final class List {
        var request: FetchRequest
        let fetched: FetchedResultsController
        let sibling: FetchedResultsController
        var isFetching = false
        var isCancelled = false

        /// Whether there were deliveries since a thread began to read it.
        var isBehind: Bool {
            if case .reading(let reading)? = fetched.fetch?.state { !reading.since.isEmpty } else { false }
        }

        init(_ store: Store, _ request: FetchRequest) throws {
            self.request = request
            fetched = try FetchedResultsController(store: store, request: request, nodes: nodes)
            sibling = try FetchedResultsController(store: store, request: request, nodes: nodes)
            try sibling.performFetch()
        }

        /// A section map.
        init(map request: FetchRequest, _ make: () throws -> SectionMap) throws {
            self.request = request
            fetched = try make()
            sibling = try make()
            try sibling.performFetch()
        }

        var both: [FetchedResultsController] { [fetched, sibling] }

        /// A list that this one has to equal.
        func fresh(_ store: Store) throws -> FetchedResultsController {
            guard let sibling = sibling as? SectionMap else {
                return try FetchedResultsController(store: store, request: request, nodes: nodes)
            }
            return try map(
                store, request, sections: sibling.sectionRequest, keys: sibling.sectionKeys,
                sibling.emptySections, sibling.itemsWithoutSection)
        }
    }

    /// A section map of a request.
    private static func map(
        _ store: Store, _ items: FetchRequest, sections: FetchRequest?, keys: [Value]?, _ empty: EmptySections,
        _ orphans: ItemsWithoutSection
    ) throws -> SectionMap {
        guard let sections else {
            return try SectionMap(
                store: store, items: items, sectionKeys: keys ?? [], itemKey: "rank", emptySections: empty,
                itemsWithoutSection: orphans, nodes: nodes)
        }
        return try SectionMap(
            store: store, items: items, sections: sections,
            itemKey: isSameName(items.entity, "words") ? "list_code" : "list_id", emptySections: empty,
            itemsWithoutSection: orphans, nodes: nodes)
    }

    private static let nodes = NodeSizes(leafCapacity: 4, fanout: 4, chunk: 1)

    private static let schema = """
        CREATE TABLE lists (id INTEGER PRIMARY KEY, code TEXT UNIQUE COLLATE NOCASE, title, position INT);
        CREATE TABLE items (
            id INTEGER PRIMARY KEY, list_id REFERENCES lists(id) ON DELETE SET NULL ON UPDATE CASCADE,
            kind COLLATE NOCASE, name TEXT, rank);
        CREATE TABLE words (
            word TEXT PRIMARY KEY COLLATE NOCASE,
            list_code REFERENCES lists(code) ON DELETE SET NULL ON UPDATE CASCADE, n);
        CREATE TABLE pairs (a, b TEXT, v, PRIMARY KEY (a, b)) WITHOUT ROWID;
        CREATE TABLE late (id REFERENCES lists(id) DEFERRABLE INITIALLY DEFERRED);
        CREATE VIEW ranked AS SELECT id, rank, name FROM items WHERE rank > 2;
        """

    private static func request(
        _ entity: String, _ predicate: String? = nil, sort: [String], section: String? = nil, limit: Int? = nil
    ) -> FetchRequest {
        var request = FetchRequest(
            entity: entity, predicate: predicate, sorts: sort.map { Sort($0) },
            section: section.map { Sort($0) })
        if entity == "ranked" { request.identity = ["id"] }
        request.limit = limit
        return request
    }

    private static let requests: [[FetchRequest]] = [
        [
            request("items", sort: ["name"]), request("items", "rank <> 3", sort: ["name", "rank"], section: "kind"),
            request("items", sort: ["list_id.position", "name"], section: "list_id.title"),
            request("items", "list_id.position > 2", sort: ["name"]), request("items", sort: ["rank"], section: "rank"),
            request("items", sort: ["name"], limit: 9),
            request("items", "list_id IN (SELECT id FROM lists WHERE position < 5)", sort: ["name"]),
        ],
        [
            request("words", sort: ["n"]),
            request("words", sort: ["list_code.title", "n"], section: "list_code.position"),
            request("words", "n > 2", sort: ["word"], section: "n"),
        ],
        [
            request("pairs", sort: ["v"]), request("pairs", sort: [], section: "a"),
            request("pairs", "v > 1", sort: ["b"]),
        ],
        [request("ranked", sort: ["name"])],
        [request("lists", sort: ["title"], section: "code")],
    ]

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        var options = StoreOptions()
        options.queuesDelivery = random.chance(30)
        store = try Store(path: file.path, options: options)
        if random.chance(20) { _ = try store.sqliteHandle }
        gate = Gate(store)
        try store.executeScript(Self.schema)
        for _ in 0..<60 { try write() }
        try store.dispatch()
        for requests in Self.requests {
            for request in requests { lists.append(try List(store, request)) }
        }
        for (items, sections) in Self.maps {
            let (empty, orphans) = (someEmptySections(), someOrphans())
            let keys = someKeys()
            lists.append(
                try List(map: items) { try Self.map(store, items, sections: sections, keys: keys, empty, orphans) })
        }
    }

    private static let maps: [(items: FetchRequest, sections: FetchRequest?)] = [
        (request("items", sort: ["name"]), request("lists", sort: ["position", "id"])),
        (request("items", "rank > 2", sort: ["rank", "name"]), request("lists", "position > 2", sort: ["title"])),
        (request("words", sort: ["n"]), request("lists", sort: ["code"])),
        (request("items", sort: ["name"]), nil),
    ]

    private func someEmptySections() -> EmptySections { random.pick([.shown, .hidden]) }

    private func someOrphans() -> ItemsWithoutSection { random.pick([.shown, .hidden, .alwaysShown]) }

    private func someKeys() -> [Value] { (0..<7).filter { _ in random.chance(60) }.map { .integer($0) } }

    func close() { try? store.close() }

    func run() throws {
        for _ in 0..<14 where faults.isEmpty { try step() }
        if faults.isEmpty { try end() }
        for _ in 0..<3 where faults.isEmpty {
            try transaction()
            try end()
        }
    }

    // MARK: Steps

    private func step() throws {
        switch random.below(20) {
        case 0..<6: for list in random.some(lists).prefix(4) { try begin(list) }
        case 6..<15: try transaction()
        case 15: try togglePause(random.pick(lists))
        case 16: try setRequest(random.pick(lists))
        case 17:
            let list = random.pick(lists)
            log.append("fetch \(list.request)")
            try list.fetched.performFetch()
        case 18:
            log.append("dispatch")
            try store.dispatch()
        default: try cancel(random.pick(lists))
        }
    }

    private func begin(_ list: List) throws {
        guard !list.isFetching else { return }
        log.append("begin \(list.request.entity) \(list.request.sorts.map(\.keyPath))")
        gate.isOpen = random.chance(30)
        list.isFetching = true
        list.isCancelled = false
        try list.fetched.performFetchAsynchronously { [unowned self, unowned list] error in
            if !list.isFetching { faults.append("a second completion") }
            list.isFetching = false
            if error?.status != (list.isCancelled ? .cancelled : nil) {
                faults.append("it ends with \(String(describing: error))")
            }
        }
    }

    private func cancel(_ list: List) throws {
        guard list.isFetching else { return }
        log.append("cancel")
        list.isCancelled = true
        if !list.fetched.cancelFetch() { faults.append("there is no fetch to cancel") }
    }

    private func togglePause(_ list: List) throws {
        log.append("\(list.fetched.isPaused ? "resume" : "pause") \(list.request)")
        try list.fetched.setPaused(!list.fetched.isPaused)
    }

    private func setRequest(_ list: List) throws {
        guard !(list.sibling is SectionMap) else { return try setSections(list) }
        let requests = Self.requests.first { $0[0].entity == list.request.entity }
        guard let request = requests?.randomElement(using: &random) else { return }
        log.append("set \(request)")
        list.request = request
        try list.fetched.setRequest(request)
        try list.sibling.setRequest(request)
    }

    private func setSections(_ list: List) throws {
        log.append("set the sections of \(list.request)")
        let (kind, empty, orphans, keys) = (random.below(3), someEmptySections(), someOrphans(), someKeys())
        let sections = random.pick(Self.maps.compactMap(\.sections))
        for case let map as SectionMap in list.both {
            switch kind {
            case 0: try map.setEmptySections(empty)
            case 1: try map.setItemsWithoutSection(orphans)
            default:
                if map.sectionRequest == nil {
                    try map.setSectionKeys(keys)
                } else {
                    try map.setSectionRequest(sections)
                }
            }
        }
    }

    /// Ends all fetches, and compares the lists with others.
    private func end() throws {
        // Counted while threads that wait at the gate can't end: later it would depend on their
        // speed.
        let behind = lists.filter(\.isBehind)
        broughtForward += behind.count
        mapsBroughtForward += behind.count { $0.fetched is SectionMap }
        gate.isOpen = true
        let ending = lists.filter { $0.isFetching && !$0.isCancelled }
        log.append("end")
        try store.dispatch()
        for _ in 0..<60 where lists.contains(where: \.isFetching) { try store.wait(milliseconds: 1000) }
        for list in lists {
            if list.isFetching { faults.append("the fetch of \(list.request) does not end") }
            if list.fetched.isPaused { try list.fetched.resume() }
            guard list.fetched.isFetched else { continue }
            let fresh = try list.fresh(store)
            try fresh.performFetch()
            try compare(list, list.fetched, with: fresh, "fetched")
            try compare(list, list.sibling, with: fresh, "sibling")
            if ending.contains(where: { $0 === list }), try list.fetched.sectionNames != fresh.sectionNames {
                faults.append("sections \(try list.fetched.sectionNames), not \(try fresh.sectionNames)")
            }
            faults += list.fetched.engine.list?.rows.checkInvariants().map { "tree: \($0)" } ?? []
        }
    }

    private func compare(
        _ list: List, _ shown: FetchedResultsController, with fresh: FetchedResultsController, _ name: String
    ) throws {
        let (rows, expected) = (try Self.rows(shown), try Self.rows(fresh))
        if rows != expected { faults.append("\(name) \(list.request):\n    \(rows), not\n    \(expected)") }
    }

    private static func rows(_ list: FetchedResultsController) throws -> [[[Value]]] {
        try (0..<list.numberOfSections).map { section in
            try (0..<list.numberOfObjects(inSection: section)).map { row in
                // An identity may have the spelling with which its row was first read; the content
                // has the present one.
                try list.object(at: ListIndexPath(section: section, row: row)).content?.values ?? []
            }
        }
    }

    // MARK: Writing

    private func transaction() throws {
        log.append("BEGIN")
        try store.begin()
        for _ in 0...random.below(5) {
            let isNested = random.chance(20)
            if isNested { try store.begin() }
            try write()
            if isNested { if random.chance(50) { try store.commit() } else { try store.rollback() } }
            if random.chance(5) { try store.dispatch() }
        }
        if random.chance(15) {
            // A commit that fails leaves the transaction open.
            try store.execute("INSERT INTO late VALUES (-1)")
            do { try store.commit() } catch let error as StoreError where error.status == .constraint {}
            log.append("COMMIT fails")
            if random.chance(50) {
                try store.rollback()
            } else {
                try store.execute("DELETE FROM late")
                try store.commit()
            }
        } else if random.chance(15) {
            log.append("ROLLBACK")
            try store.rollback()
        } else {
            log.append("COMMIT")
            try store.commit()
        }
    }

    private func write() throws {
        let id = Value.integer(Int64(random.below(24)))
        let list: Value = random.chance(15) ? .null : .integer(Int64(random.below(6)))
        let kind: Value = random.pick([.text("a"), .text("A"), .text("b"), .text("B"), .null, .integer(1), .real(1)])
        let name = Value.text("the same beginning \(random.below(12))")
        let number: Value = random.pick([.integer(Int64(random.below(7))), .real(Double(random.below(7))), .null])
        let known = "(SELECT id FROM lists WHERE id = ?)"
        let code = Value.text(random.pick(["x", "X", "y", "z", "Z"]))
        func run(_ sql: String, _ parameters: Value...) throws {
            log.append("\(sql) -- \(parameters.map { "\(Cell($0))" }.joined(separator: ", "))")
            do { try store.execute(sql, parameters) } catch let error as StoreError where error.status == .constraint {}
        }
        switch random.below(22) {
        case 0..<4: try run("INSERT OR REPLACE INTO items VALUES (?, \(known), ?, ?, ?)", id, list, kind, name, number)
        case 4: try run("DELETE FROM items WHERE id = ?", id)
        case 5: try run("UPDATE items SET name = ? WHERE id = ?", name, id)
        case 6: try run("UPDATE items SET name = ?, rank = ? WHERE id % 3 = ? % 3", name, number, id)
        case 7: try run("UPDATE items SET kind = ? WHERE id = ?", kind, id)
        case 8: try run("UPDATE items SET rank = ? WHERE id = ?", number, id)
        case 9: try run("UPDATE OR REPLACE items SET id = ? WHERE id = ?", .integer(Int64(random.below(24))), id)
        case 10: try run("UPDATE items SET list_id = \(known) WHERE id = ?", list, id)
        case 11, 12: try run("INSERT OR REPLACE INTO lists VALUES (?, ?, ?, ?)", list, code, kind, number)
        case 13: try run("UPDATE lists SET title = ?, position = ? WHERE id = ?", kind, number, list)
        case 14: try run("UPDATE OR IGNORE lists SET code = ? WHERE id = ?", code, list)
        case 15: try run("UPDATE OR IGNORE lists SET id = ? WHERE id = ?", .integer(Int64(random.below(6))), list)
        case 16: try run("DELETE FROM lists WHERE id = ?", list)
        case 17, 18:
            let known = "(SELECT code FROM lists WHERE code = ?)"
            try run("INSERT OR REPLACE INTO words VALUES (?, \(known), ?)", word(), code, number)
        case 19: try run("UPDATE OR REPLACE words SET word = ?, n = ? WHERE word = ?", word(), number, word())
        case 20: try run("INSERT OR REPLACE INTO pairs VALUES (ifnull(?, 0), ?, ?)", number, word(), number)
        default: try run("UPDATE OR REPLACE pairs SET a = ifnull(?, 0), v = ? WHERE b = ?", number, number, word())
        }
    }

    private func word() -> Value { .text(random.pick(["w", "W", "word", "words", "Words", "worse", "other"])) }
}
