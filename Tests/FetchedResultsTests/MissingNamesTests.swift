import FetchedResults
import SQLiteKit
import TestSupport
import Testing

/// Tables that need collations and functions which the program does not have, as other programs
/// make them. Only what a request uses is checked.
@Suite struct MissingNames {
    private let file = TemporaryFile()

    private func addNames(to store: Store) throws {
        try store.addCollation("unicase") { $0 == $1 ? 0 : $0 < $1 ? -1 : 1 }
        try store.addFunction("twice", argumentCount: 1, isDeterministic: true) { values in
            guard case .integer(let number) = values[0] else { return .null }
            return .integer(number * 2)
        }
    }

    /// The store of another program, which has them.
    private func make() throws -> Store {
        let other = try Store(path: file.path)
        try addNames(to: other)
        try other.executeScript(
            """
            PRAGMA journal_mode = WAL;
            CREATE TABLE decks (id INTEGER PRIMARY KEY, name TEXT COLLATE unicase, kind TEXT);
            CREATE TABLE cards (
                id INTEGER PRIMARY KEY, a INTEGER, deck REFERENCES decks(id), name TEXT COLLATE unicase,
                virtual AS (twice(a)), stored AS (twice(a)) STORED);
            CREATE TABLE keyed (id TEXT COLLATE unicase PRIMARY KEY NOT NULL, a);
            CREATE TABLE bare (id TEXT COLLATE unicase PRIMARY KEY, a) WITHOUT ROWID;
            CREATE VIEW shown AS SELECT id, a, virtual FROM cards;
            CREATE VIEW named AS SELECT id, name FROM cards;
            CREATE VIEW broken AS SELECT id, absent FROM cards;
            CREATE TABLE numbered (id INTEGER COLLATE unicase PRIMARY KEY, a);
            CREATE INDEX by_name ON cards (name);
            INSERT INTO decks VALUES (1, 'd1', 'k1'), (2, 'd2', 'k2');
            INSERT INTO cards (id, a, deck, name) VALUES (1, 10, 1, 'n1'), (2, 20, 2, 'n2'), (3, 30, 1, 'n3');
            INSERT INTO keyed VALUES ('x', 1);
            INSERT INTO numbered VALUES (1, 10);
            INSERT INTO bare VALUES ('x', 1);
            """)
        return other
    }

    private func request(_ entity: String, _ columns: [String], sort: [String] = []) -> FetchRequest {
        var request = FetchRequest(entity: entity, sorts: sort.map { Sort($0) })
        request.columns = columns
        if ["shown", "named", "broken"].contains(entity) { request.identity = ["id"] }
        return request
    }

    /// Before: lists that use neither in an order. Change: by the program itself and by another
    /// one.
    /// Expected: they are read, and follow.
    @Test func listsThatDoNotUseThemFollow() throws {
        let other = try make()
        let store = try Store(path: file.path)
        let named = try Watch(store, request("cards", ["id", "a", "name"], sort: ["a"]))
        let stored = try Watch(store, request("cards", ["id", "stored"]))
        let path = try Watch(store, request("cards", ["id", "deck.name", "deck.kind"], sort: ["deck.kind"]))
        let other1 = try Watch(
            store,
            FetchRequest(entity: "cards", predicate: "a > ?", parameters: [10], sorts: [Sort("a")]).with(["id", "a"]))
        let bytes = try Watch(store, request("cards", ["id", "name"]).sorted(Sort("name", collation: "BINARY")))
        let view = try Watch(store, request("shown", ["id", "a"]))
        let numbered = try Watch(store, request("numbered", ["id", "a"]))
        let select = try Watch(
            store,
            FetchRequest(
                select: "SELECT id, name COLLATE BINARY AS name, stored FROM cards ORDER BY a", identity: ["id"]))
        #expect(try named.controller.values("name") == [["n1", "n2", "n3"]])
        #expect(try stored.controller.values("stored") == [[20, 40, 60]])
        #expect(try path.controller.values("deck.name") == [["d1", "d1", "d2"]])
        #expect(try view.controller.values("a") == [[10, 20, 30]])
        #expect(try select.controller.values("stored") == [[20, 40, 60]])
        #expect(try numbered.controller.values("a") == [[10]])
        let all = [named, stored, path, other1, bytes, view, select]

        try other.execute("UPDATE cards SET a = 25, name = 'm1' WHERE id = 1")
        try store.dispatch()
        #expect(try named.controller.values("name") == [["n2", "m1", "n3"]])
        #expect(try named.delivery().oldValues.contains { $0 == [1, 10, "n1"] })
        #expect(try stored.controller.values("stored") == [[50, 40, 60]])
        #expect(try other1.controller.values("a") == [[20, 25, 30]])
        #expect(try bytes.controller.values("name") == [["m1", "n2", "n3"]])
        #expect(try view.controller.values("a") == [[25, 20, 30]])
        for list in all { _ = list.take() }
        try store.execute("UPDATE numbered SET a = 11")
        #expect(numbered.take() == ["update 1 from 0.0 to 0.0 a"])

        // SQLite itself can delete rows, but not insert or update them.
        try other.execute("DROP INDEX by_name")
        try store.dispatch()
        try store.execute("DELETE FROM cards WHERE id = 2")
        #expect(try named.controller.values("name") == [["m1", "n3"]])
        #expect(named.take().last == "delete 2 at 0.0")
        #expect(try stored.controller.values("id") == [[1, 3]])
        try store.execute("UPDATE decks SET kind = 'k0' WHERE id = 1")
        #expect(path.take().suffix(2) == ["update 1 from 0.0 to 0.0 deck.kind", "update 3 from 0.1 to 0.1 deck.kind"])
    }

    /// Each use is refused with the names of the column and of what is missing. Where SQLite itself
    /// finds the use, the column is in the statement.
    @Test func usesAreRefused() throws {
        _ = try make()
        let store = try Store(path: file.path)
        func refused(
            _ column: String, _ name: String, _ request: FetchRequest, _ status: StoreError.Status = .schema,
            at location: SourceLocation = #_sourceLocation
        ) {
            let error = #expect(throws: StoreError.self, sourceLocation: location) {
                try FetchedResultsController(store: store, request: request).performFetch()
            }
            guard let error else { return }
            let text = status == .schema ? error.message : error.description
            #expect(error.status == status, "\(error)", sourceLocation: location)
            #expect(error.message.contains(name) && text.contains(column), "\(error)", sourceLocation: location)
        }
        refused("name", "unicase", request("cards", ["id"], sort: ["name"]))
        refused("name", "unicase", request("cards", ["id"], sort: ["deck.name"]))
        refused("name", "unicase", FetchRequest(entity: "cards", section: Sort("name")).with(["id"]))
        refused("name", "unicase", FetchRequest(entity: "cards", predicate: "name = 'x'").with(["id"]), .sql)
        refused("name", "unicase", FetchRequest(entity: "cards", predicate: "deck.name = 'x'").with(["id"]), .sql)
        refused("id", "unicase", request("keyed", ["a"]))
        refused("id", "unicase", request("bare", ["a"]))
        refused("name", "unicase", FetchRequest(select: "SELECT name, id FROM cards", identity: ["name"]))
        refused(
            "name", "unicase",
            FetchRequest(select: "SELECT name, id FROM cards", identity: ["id"], sectionColumn: "name"))
        for entity in ["cards", "shown"] {
            refused("virtual", "twice", request(entity, ["id", "virtual"]))
            refused("virtual", "twice", request(entity, []))
            refused("virtual", "twice", request(entity, ["id"], sort: ["virtual"]))
        }
        refused("virtual", "twice", FetchRequest(entity: "cards", predicate: "virtual > 1").with(["id"]), .sql)
        // SQLite itself reads nothing of a view, and of a query in another one, that shows such a
        // column.
        refused("", "unicase", request("named", ["id"]), .error)
        refused("name", "unicase", FetchRequest(select: "SELECT id, name FROM cards", identity: ["id"]), .sql)
        refused("absent", "absent", request("broken", ["id"]), .error)
    }

    /// Before: a section map whose sections or items would be found by such a collation. Expected:
    /// it is refused.
    @Test func sectionsByThemAreRefused() throws {
        _ = try make()
        let store = try Store(path: file.path)
        for (items, sections, key, sectionKey) in [
            ("cards", "decks", "name", "name"), ("decks", "cards", "kind", "name"),
        ] {
            let error = #expect(throws: StoreError.self) {
                try SectionMap(
                    store: store, items: request(items, ["id"]), sections: request(sections, ["id", "name"]),
                    itemKey: key, sectionKey: sectionKey
                ).performFetch()
            }
            #expect(error?.message.contains("unicase") ?? false, "\(String(describing: error))")
        }
    }

    /// Before: a list that uses neither. Change: the program registers them, before or after a row
    /// is changed that the list has not shown yet. Expected: a request that uses them is taken, and
    /// records have the right old values.
    @Test(arguments: [false, true])
    func whatIsRegisteredLaterIsUsed(isRowPending: Bool) throws {
        let other = try make()
        try other.execute("DROP INDEX by_name")
        var options = StoreOptions()
        options.queuesDelivery = true
        let store = try Store(path: file.path, options: options)
        let list = try Watch(store, request("cards", ["id", "a"], sort: ["a"]))
        for row in 0..<3 { _ = try list.controller.object(at: ListIndexPath(section: 0, row: row)) }
        if isRowPending { try store.execute("DELETE FROM cards WHERE id = 3") }
        try addNames(to: store)
        try list.controller.setRequest(request("cards", ["id", "virtual"], sort: ["name"]))
        try store.dispatch()
        #expect(try list.controller.values("virtual") == [isRowPending ? [20, 40] : [20, 40, 60]])
        _ = list.take()
        try store.execute("UPDATE cards SET a = 11, name = 'z' WHERE id = 1")
        try store.dispatch()
        #expect(try list.delivery().oldValues == [[1, 20]])
        #expect(try list.controller.values("virtual") == [isRowPending ? [40, 22] : [40, 60, 22]])
        _ = list.take()
        try other.execute("UPDATE cards SET a = 12 WHERE id = 1")
        try store.dispatch()
        #expect(try list.controller.values("virtual") == [isRowPending ? [40, 24] : [40, 60, 24]])
        #expect(try list.delivery().oldValues == [[1, 22]])
    }
}

extension FetchRequest {
    fileprivate func with(_ columns: [String]) -> FetchRequest {
        var request = self
        request.columns = columns
        return request
    }

    fileprivate func sorted(_ sort: Sort) -> FetchRequest {
        var request = self
        request.sorts = [sort]
        return request
    }
}
