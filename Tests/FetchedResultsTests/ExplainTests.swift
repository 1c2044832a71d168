import FetchedResults
import SQLiteKit
import TestSupport
import Testing

/// What lists say of how they are read.
@Suite struct Explanations {
    private let script =
        """
        CREATE TABLE lists (id INTEGER PRIMARY KEY, title TEXT);
        CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, kind, list INTEGER REFERENCES lists);
        CREATE TABLE named (name TEXT PRIMARY KEY, rank INTEGER);
        CREATE TABLE plain (name TEXT PRIMARY KEY, rank INTEGER) WITHOUT ROWID;
        CREATE VIEW titles AS SELECT DISTINCT id, title FROM lists;
        CREATE VIRTUAL TABLE words USING fts5(word);
        INSERT INTO lists VALUES (1, 'l');
        INSERT INTO items VALUES (1, 'a', 'x', 1), (2, 'b', 'y', 1);
        """

    private func list(_ store: Store, _ request: FetchRequest) throws -> FetchedResultsController {
        try FetchedResultsController(store: store, request: request)
    }

    private func request(
        _ entity: String = "items", where predicate: String? = nil, _ parameters: [Value] = [], by sorts: [Sort] = [],
        section: Sort? = nil, limit: Int? = nil, identity: [String] = []
    ) -> FetchRequest {
        var request = FetchRequest(
            entity: entity, predicate: predicate, parameters: parameters, sorts: sorts, section: section)
        request.limit = limit
        request.identity = identity
        return request
    }

    @Test func anIndexServesTheOrder() throws {
        let store = try makeStore(script + "CREATE INDEX by_name ON items (name);")
        let explanation = try list(store, request(by: [Sort("name")])).explain()
        #expect(explanation.sql.hasPrefix("SELECT "))
        #expect(explanation.plan.count == 1)
        #expect(explanation.plan[0].hasSuffix("items USING COVERING INDEX by_name"))
        #expect(!explanation.isSorted && explanation.isIncremental)
        #expect(Array(explanation.wholeReads.keys) == [.many])
        #expect(explanation.advice == [] && explanation.sections.isEmpty)
        #expect(
            "\(explanation)" == """
                \(explanation.sql)
                  \(explanation.plan[0])
                order: as the plan yields it
                commits: cost the rows that they touch
                whole list (many): a commit that touches more than 1,000 rows and more than an eighth of the list
                """)
    }

    /// The indexes that it names are all that is needed.
    @Test func theAdviceHelps() throws {
        let requests = [
            request(by: [Sort("name")]),
            request(by: [Sort("name", isDescending: true, collation: "NOCASE")]),
            request(by: [Sort("name")], section: Sort("kind", isDescending: true)),
            request(where: "kind = ? AND name > ?", ["x", "a"], by: [Sort("name")]),
            request(where: "kind = ?", ["x"]),
            request(where: "list.title = ?", ["l"], by: [Sort("name")]),
            request(by: [Sort("lower(name)")]),
            request(by: [Sort("name")], limit: 1),
            request("named", by: [Sort("rank")]),
            request("plain", by: [Sort("rank")]),
            request("main.items", by: [Sort("kind"), Sort("name")]),
        ]
        for request in requests {
            let store = try makeStore(script)
            let before = try list(store, request).explain()
            #expect(!before.advice.isEmpty, "\(request)")
            for statement in before.advice { try store.execute(statement) }
            let after = try list(store, request).explain()
            #expect(after.advice == [] && !after.isSorted, "\(request): \(before.advice), \(after)")
        }
    }

    @Test func anOrderThatNoIndexCanHave() throws {
        let store = try makeStore(script + "CREATE INDEX by_list ON items (list);")
        for sort in [Sort("list.title"), Sort("name", nulls: .last)] {
            let explanation = try list(store, request(by: [sort])).explain()
            #expect(explanation.isSorted && explanation.isIncremental)
            #expect(explanation.advice.map { $0.hasPrefix("no index") } == [true], "\(explanation)")
        }
    }

    /// A column without a type compares in another way than what it refers to.
    @Test func aForeignKeyThatNoIndexServes() throws {
        let store = try makeStore(
            script + "CREATE TABLE loose (id INTEGER PRIMARY KEY, list REFERENCES lists);"
                + "CREATE INDEX by_list ON loose (list);")
        let explanation = try list(store, request("loose", where: "list.title = 'l'")).explain()
        #expect(explanation.advice.map { $0.hasPrefix("declare list of loose") } == [true], "\(explanation)")
    }

    /// Whoever causes what it names finds it among the counters.
    @Test func listsThatAreReadAsAWhole() throws {
        let rows: [(request: FetchRequest, reason: RereadReason, isIncremental: Bool, cause: String)] = [
            (
                request(where: "kind IN (SELECT title FROM lists)"), .related, true,
                "INSERT INTO lists (title) VALUES ('x')"
            ),
            (request("titles", identity: ["id"]), .view, false, "UPDATE lists SET title = 'm'"),
            (
                FetchRequest(select: "SELECT id, title FROM lists", identity: ["id"]), .view, false,
                "UPDATE lists SET title = 'm'"
            ),
            (request("words", identity: ["word"]), .view, false, "INSERT INTO words VALUES ('w')"),
            (request(by: [Sort("name")], limit: 1), .window, false, "DELETE FROM items WHERE id = 1"),
            (
                request(), .many, true,
                "WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) "
                    + "INSERT INTO items (id) SELECT i FROM n"
            ),
        ]
        for row in rows {
            let store = try makeStore(script)
            let list = try list(store, row.request)
            try list.performFetch()
            let explanation = try list.explain()
            #expect(explanation.isIncremental == row.isIncremental, "\(row.request)")
            #expect(explanation.wholeReads[row.reason] != nil, "\(row.request): \(explanation)")
            try store.execute(row.cause)
            #expect(list.counters.rereads[row.reason] == 1, "\(row.request): \(list.counters.rereads)")
        }
    }

    /// What it names for a window is over once an index has its order.
    @Test func aServedWindowIsFollowed() throws {
        let store = try makeStore(
            script + "CREATE INDEX by_name ON items (name); INSERT INTO items (name) VALUES ('c');")
        let list = try list(store, request(by: [Sort("name")], limit: 2))
        try list.performFetch()
        #expect(try list.explain().isIncremental)
        try store.execute("DELETE FROM items WHERE id = 1")
        #expect(list.counters.rereads == [.fetch: 1])
    }

    @Test func commitsOfOtherConnections() throws {
        let file = TemporaryFile()
        var options = StoreOptions()
        options.journalMode = "delete"
        let store = try Store(path: file.path, options: options)
        try store.executeScript(script)
        let list = try list(store, request())
        let explanation = try list.explain()
        #expect(explanation.wholeReads[.foreign] != nil)
        #expect(explanation.advice == ["PRAGMA journal_mode = WAL"])
        try store.execute(explanation.advice[0])
        #expect(try list.explain().wholeReads[.foreign] == nil)
        #expect(try list.explain().advice == [])
    }

    @Test func sectionMaps() throws {
        let store = try makeStore(script)
        let map = try SectionMap(
            store: store, items: request(by: [Sort("name")]), sections: request("lists", by: [Sort("title")]),
            itemKey: "list")
        let explanation = try map.explain()
        #expect(explanation.sections.count == 1)
        #expect(explanation.sections.allSatisfy { $0.isSorted && $0.advice.count == 1 })
        #expect("\(explanation)".contains("\nsections:\n  SELECT "))
    }

    @Test func failures() throws {
        let store = try makeStore(script)
        let list = try list(store, request())
        try store.execute("DROP TABLE items")
        expectFailure(.sql, naming: "items") { _ = try list.explain() }
        try store.close()
        expectFailure(.closed) { _ = try list.explain() }
    }
}
