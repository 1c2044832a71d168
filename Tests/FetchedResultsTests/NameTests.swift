import ChangeSets
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// Names of tables, columns and databases can be any text.
@Suite struct Names {
    @Test func aKeyColumnMayHaveADotInItsName() throws {
        let store = try makeStore("CREATE TABLE items (\"a.b\" TEXT PRIMARY KEY NOT NULL, \"c) --\" INT)")
        let items = try Watch(store, "items")
        let object = try store.insert(into: "items", [("a.b", "x"), ("c) --", 1)])
        #expect(object.identity == ["x"])
        try store.update("items", identity: ["x"], [("c) --", 2)])
        #expect(items.take() == ["insert x at 0.0", "update x from 0.0 to 0.0 c) --"])
    }

    @Test func namesThatUnicodeCallsEquivalentAreOthers() throws {
        let (composed, split) = ("\u{e9}", "e\u{301}")
        let store = try makeStore(
            "CREATE TABLE \(composed) (id INTEGER PRIMARY KEY, \(composed), \(split)); CREATE TABLE \(split) (id INTEGER PRIMARY KEY, x)"
        )
        let first = try Watch(store, composed)
        let second = try Watch(store, split)
        try store.insert(into: composed, [(composed, 1), (split, 2)])
        try store.insert(into: split, [("x", 3)])
        #expect(first.take() == ["insert 1 at 0.0"] && second.take() == ["insert 1 at 0.0"])
        #expect(try first.controller.values(composed) == [[1]] && first.controller.values(split) == [[2]])
        for text in [composed, split] {
            try store.execute("INSERT INTO \(split) (x) VALUES ('\(text)')")
            try store.query("SELECT hex(x) FROM \(split) ORDER BY id DESC LIMIT 1") {
                #expect($0 == [.text(ExactText(text) == ExactText(composed) ? "C3A9" : "65CC81")])
            }
        }
        try store.execute("ALTER TABLE \(composed) DROP COLUMN \(split)")
        #expect(try first.controller.values(composed) == [[1]])
    }

    @Test func aColumnThatIsNotThereIsNoText() throws {
        let store = try makeStore("CREATE TABLE items (id INTEGER PRIMARY KEY, name)")
        let insertion = { try store.insert(into: "items", [("name", 1)]) }
        #expect(try insertion()["name"] == 1)
        try store.connection.execute("ALTER TABLE items RENAME COLUMN name TO title")
        expectFailure(.schema, naming: "name") { _ = try insertion() }
        #expect(try store.object("items", identity: [1])?.columns == ["id", "title"])
    }

    @Test func aTableMayBeNamedLikeTheLibrarysOwn() throws {
        let store = try makeStore(
            """
            CREATE TABLE fetchedresults_rowids (id INTEGER PRIMARY KEY, fr_sort0, fr_section);
            INSERT INTO fetchedresults_rowids VALUES (1, 'b', 'x'), (2, 'a', 'x');
            CREATE TABLE fr_rows (id INTEGER PRIMARY KEY, c0); INSERT INTO fr_rows VALUES (1, 'c'), (2, 'd');
            """)
        let own = try Watch(store, "fetchedresults_rowids", sort: ["fr_sort0"], section: "fr_section")
        #expect(try own.controller.values("fr_sort0") == [["a", "b"]])
        var request = FetchRequest(entity: "fr_rows", predicate: "c0 > :fr_key0")
        request.parameters = .named([("fr_key0", "b")])
        let other = try Watch(store, request)
        try store.execute("INSERT INTO fr_rows VALUES (3, 'a'), (4, 'e')")
        #expect(other.take() == ["insert 4 at 0.2"])
        let rows = try Watch(store, FetchRequest(select: "SELECT c0, id FROM fr_rows ORDER BY id", identity: ["id"]))
        #expect(try rows.controller.values("c0") == [["c", "d", "a", "e"]])
    }
}

/// The same with random schemas whose names have special characters.
@Suite struct HostileNames {
    private static let names = [
        "plain", "with space", "dot.ted", "a.b.c", ".", "\"", "`", "``", "[x]", "]", "it's", "select", "rowid",
        "_rowid_",
        "fr_sort0", "fr_section", "fr_key0", "fr_hop0", "fr_hop1", "fr_rows", "c0", "main", "main.items", "temp.x",
        "\u{e5}",
        "\u{e9}", "e\u{301}", "\u{301}x", "\"\u{301}", "`\u{301}", ".\u{301}", "\u{1}", "a\tb\n", "--", "/*", ";", "?",
        ":p", "", "0",
        "\u{1f1f8}\u{1f1ea}", "UNION ALL", "fetchedresults_rowids", "NULL", "*",
    ]

    @Test func listsAndWritesWork() throws {
        let seeds = RandomTests.seed.map { $0...$0 } ?? 1...24
        for seed in seeds {
            let world = try HostileWorld(seed: seed, Self.names)
            do { try world.run() } catch { world.faults.append("\(error)") }
            for fault in world.faults { Issue.record("FR_SEED=\(seed) swift test --filter HostileNames\n  \(fault)") }
            try? world.store.close()
        }
    }
}

private final class HostileWorld {
    let store: Store
    var faults: [String] = []
    private var random: SeededRandom
    /// The names of the tables in requests, and in the test's own SQL.
    private let parent: (name: String, sql: String)
    private let child: (name: String, sql: String)
    private let parentColumns: [String]
    private let childColumns: [String]
    /// The identities of the rows.
    private var parents: [[Value]] = []
    private var rows: [[Value]] = []
    private var number: Int64 = 1000

    init(seed: UInt64, _ names: [String]) throws {
        random = SeededRandom(seed: seed)
        store = try Store(path: ":memory:")
        var database = "main"
        if random.chance(50) {
            database = random.pick(names.filter { !["main", ""].contains($0) })
            try store.execute("ATTACH ':memory:' AS \(Self.quote(database))")
        }
        // A name that reads as a table of another database would mean that one.
        let tables = names.shuffled(using: &random).filter { !$0.isEmpty || database == "main" }
        func name(_ table: String) -> String { database == "main" ? table : "\(database).\(table)" }
        func sql(_ table: String) -> String { "\(Self.quote(database)).\(Self.quote(table))" }
        parent = (name(tables[0]), sql(tables[0]))
        child = (name(tables[1]), sql(tables[1]))
        parentColumns = Array(names.shuffled(using: &random).prefix(3))
        childColumns = Array(names.shuffled(using: &random).prefix(5))
        let (p, c) = (parentColumns.map(Self.quote), childColumns.map(Self.quote))
        let parentKey = random.pick(["INTEGER PRIMARY KEY", "TEXT PRIMARY KEY NOT NULL", "UNIQUE"])
        try store.execute("CREATE TABLE \(parent.sql) (\(p[0]) \(parentKey), \(p[1]) TEXT, \(p[2]))")
        let key = random.pick(["\(c[0])", "\(c[0]), \(c[3])"])
        let isWithoutRowid = random.chance(40)
        let reference = "\(c[1]) REFERENCES \(Self.quote(tables[0]))(\(p[0])) ON DELETE SET NULL"
        try store.execute(
            """
            CREATE TABLE \(child.sql) (\(c[0]) INTEGER NOT NULL, \(reference), \(c[2]) TEXT COLLATE NOCASE, \(c[3]) NOT NULL, \
            \(c[4]), PRIMARY KEY (\(key))) \(isWithoutRowid ? "WITHOUT ROWID" : "")
            """)
        for (number, word) in ["one", "two", "three"].enumerated() {
            let values: [(column: String, value: Value)] = [
                (parentColumns[0], .integer(Int64(number))), (parentColumns[1], .text(word)),
            ]
            parents.append(try store.insert(into: parent.name, values).identity)
        }
    }

    /// The test quotes names in the other way.
    private static func quote(_ name: String) -> String {
        var bytes: [UInt8] = []
        for byte in name.utf8 { bytes += byte == 0x22 ? [0x22, 0x22] : [byte] }
        return "\"\(String(decoding: bytes, as: UTF8.self))\""
    }

    private func request(_ sort: [String], _ section: String? = nil, _ columns: [String] = []) -> FetchRequest {
        var request = FetchRequest(
            entity: child.name,
            sorts: sort.map { Sort($0, collation: random.chance(30) ? "NOCASE" : nil) },
            section: section.map { Sort($0) })
        request.columns = columns
        return request
    }

    func run() throws {
        let (p, c) = (parentColumns, childColumns)
        let path = "\(c[1]).\(p[1])"
        for _ in 0..<6 { try write() }
        var requests = [
            request([c[2]]), request([path, c[4]], c[2]), request([c[3]], path, [c[2], path]), request([path], path),
            request([c[2]]),
        ]
        requests[4].predicate = "\(Self.quote(c[1])).\(Self.quote(p[1])) IS NOT ? AND \(Self.quote(c[2])) <> ?"
        requests[4].parameters = .positional(["two", "none"])
        let columns = c.map(Self.quote)
        let select =
            "SELECT \(columns[0]), \(columns[2]) AS \(Self.quote(p[2])), \(columns[3]) FROM \(child.sql) ORDER BY 1, 3"
        let isAmbiguous = [c[0], c[3]].contains { isSameName($0, p[2]) }
        if !isAmbiguous { requests.append(FetchRequest(select: select, identity: [c[0], c[3]])) }
        var makers = requests.map { request in
            { [store] () throws -> FetchedResultsController in
                try FetchedResultsController(store: store, request: request)
            }
        }
        let sections = FetchRequest(entity: parent.name, sorts: [Sort(p[1])])
        makers.append { [store] in
            try SectionMap(store: store, items: requests[0], sections: sections, itemKey: c[1], indexTitle: p[1])
        }
        let recorder = Recorder()
        let lists = try makers.map { try $0() }
        for list in lists {
            try list.performFetch()
            list.addObserver(recorder)
        }
        for _ in 0..<12 where faults.isEmpty {
            try write()
            for (list, make) in zip(lists, makers) where random.chance(30) { try compare(list, try make()) }
            try compareWithTable(lists[0])
        }
        if recorder.deliveries.isEmpty { faults.append("nothing is delivered") }
        for error in recorder.errors { faults.append("\(error)") }
        for text in recorder.take() where text.contains("#") {
            faults.append("\(text) names a column that is not there")
        }
    }

    /// One insert, update or delete by the names of the columns.
    private func write() throws {
        let (p, c) = (parentColumns, childColumns)
        let value = Value.text(random.pick(["a", "B", "b", "c"]))
        let reference = Value.integer(Int64(random.below(3)))
        guard let identity = rows.randomElement(using: &random), !random.chance(40) else {
            number += 1
            let values: [(column: String, value: Value)] = [
                (c[0], .integer(number)), (c[1], reference), (c[2], value), (c[3], .integer(number % 4)), (c[4], 5),
            ]
            let object = try store.insert(into: child.name, values)
            if object[c[2]] != value || object[c[4]] != 5 { faults.append("inserted \(object), not \(values)") }
            rows.append(object.identity)
            return
        }
        switch random.below(4) {
        case 0:
            try store.delete(from: child.name, identity: identity)
            rows.removeAll { $0 == identity }
            if try store.object(child.name, identity: identity) != nil { faults.append("\(identity) is still there") }
        case 1:
            let name = Value.text(random.pick(["x", "y", "z"]))
            try store.update(parent.name, identity: random.pick(parents), [(p[1], name)])
        default:
            try store.update(child.name, identity: identity, [(c[2], value), (c[1], reference)])
            if try store.object(child.name, identity: identity)?[c[2]] != value {
                faults.append("\(identity) is not updated")
            }
        }
    }

    private func picture(_ list: FetchedResultsController) throws -> [[[Value]]] {
        try (0..<list.numberOfSections).map { section in
            let info = try list.section(at: section)
            return try [[info.value]]
                + (0..<info.numberOfObjects).map { row in
                    let path = ListIndexPath(section: section, row: row)
                    let object = try list.object(at: path)
                    if try list.indexPath(of: object) != path { faults.append("\(object) is not found at \(path)") }
                    return object.identity + (object.values ?? [])
                }
        }
    }

    private func compare(_ list: FetchedResultsController, _ fresh: FetchedResultsController) throws {
        try fresh.performFetch()
        let (shown, expected) = try (picture(list), picture(fresh))
        // A section retains the spelling with which it was inserted.
        let isSame =
            shown.count == expected.count && zip(shown, expected).allSatisfy { $0.dropFirst() == $1.dropFirst() }
        if !isSame { faults.append("\(list.request) shows \(shown), not \(expected)") }
        try fresh.close()
    }

    private func compareWithTable(_ list: FetchedResultsController) throws {
        var rows: Set<[Value]> = []
        let columns = childColumns.map(Self.quote).joined(separator: ", ")
        try store.query("SELECT \(columns) FROM \(child.sql)") { rows.insert($0) }
        let shown = try (0..<list.numberOfObjects).map { try list.object(at: list.indexPath(at: $0)).values ?? [] }
        if Set(shown) != rows || shown.count != self.rows.count { faults.append("it shows \(shown), not \(rows)") }
    }
}
