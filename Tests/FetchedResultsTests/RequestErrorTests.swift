import FetchedResults
import SQLiteKit
import TestSupport
import Testing

@Suite struct RequestErrors {
    private func makeItems() throws -> Store {
        try makeStore(
            """
            CREATE TABLE lists (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE items (id INTEGER PRIMARY KEY, list_id REFERENCES lists(id), name TEXT);
            CREATE VIEW shown AS SELECT id, name FROM items;
            INSERT INTO items VALUES (1, NULL, 'a');
            """)
    }

    private func make(_ store: Store, _ request: FetchRequest) throws {
        _ = try FetchedResultsController(store: store, request: request)
    }

    @Test func whatTheSchemaDoesNotHaveIsNamed() throws {
        let store = try makeItems()
        expectFailure(.schema, naming: "nothing") { try make(store, FetchRequest(entity: "nothing")) }
        expectFailure(.schema, naming: "other.items") { try make(store, FetchRequest(entity: "other.items")) }
        expectFailure(.schema, naming: "items", "colour") {
            try make(store, FetchRequest(entity: "items", sorts: [Sort("colour")]))
        }
        expectFailure(.schema, naming: "colour") {
            try make(store, FetchRequest(entity: "items", section: Sort("colour")))
        }
        var request = FetchRequest(entity: "items")
        request.columns = ["name", "list_id.colour"]
        expectFailure(.schema, naming: "list_id.colour", "lists") { try make(store, request) }
    }

    @Test func aKeyPathFollowsForeignKeysOnly() throws {
        let store = try makeItems()
        func sorting(_ path: String) -> FetchRequest {
            FetchRequest(entity: "items", sorts: [Sort(path)])
        }
        expectFailure(.schema, naming: "name.id", "foreign key") { try make(store, sorting("name.id")) }
        expectFailure(.schema, naming: "list_id.name.id", "lists") { try make(store, sorting("list_id.name.id")) }
        for path in ["", "list_id.", "list_id.colour"] { expectFailure(.schema) { try make(store, sorting(path)) } }
        for text in [".name", "list_id..name", "name; DROP TABLE items", "\"name\" FROM items --"] {
            expectFailure(.sql, naming: text) { try make(store, sorting(text)) }
        }
    }

    @Test func aPredicateThatIsNoExpressionIsReported() throws {
        let store = try makeItems()
        for predicate in [
            "name =", "colour = 1", "1) OR (1", "1; DELETE FROM items", "name = 'a' UNION SELECT 1",
            "1) UNION SELECT (1",
        ] {
            expectFailure(.sql, naming: predicate) {
                try make(store, FetchRequest(entity: "items", predicate: predicate))
            }
        }
        expectFailure(.sql, naming: "predicate") { try make(store, FetchRequest(entity: "items", predicate: " ")) }
        #expect(try Watch(store, "items").controller.numberOfObjects == 1)
    }

    @Test func aPredicateThatFailsWhileItRunsLeavesTheListAsItWas() throws {
        let store = try makeItems()
        let items = try Watch(store, "items", where: "abs(name) >= 0")
        let failing = FetchRequest(entity: "items", predicate: "abs(-9223372036854775808) > id")
        expectFailure(.error, naming: "overflow") { try items.controller.setRequest(failing) }
        #expect(items.controller.request.predicate == "abs(name) >= 0")
        #expect(try items.controller.numberOfObjects == 1)
        try store.execute("INSERT INTO items VALUES (2, NULL, 'b')")
        #expect(items.take() == ["insert 2 at 0.1"])
        let other = try FetchedResultsController(store: store, request: failing)
        expectFailure(.error, naming: "overflow") { try other.performFetch() }
        #expect(!other.isFetched)
    }

    @Test func aPredicateThatBeginsToFailIsReportedAndRecovers() throws {
        let store = try makeItems()
        let items = try Watch(
            store, "items", where: "abs(CASE name WHEN 'min' THEN -9223372036854775808 ELSE 1 END) > 0")
        try store.execute("INSERT INTO items VALUES (2, NULL, 'min')")
        #expect(items.recorder.events == ["failed"])
        try store.execute("INSERT INTO items VALUES (3, NULL, 'c')")
        #expect(items.recorder.events == ["failed"])
        #expect(try items.controller.values("id") == [[1]])
        try store.execute("DELETE FROM items WHERE id = 2")
        #expect(items.take() == ["insert 3 at 0.1"])
    }

    @Test func theNumberOfParametersMustBeRight() throws {
        let store = try makeItems()
        expectFailure(.sql, naming: "1", "0") { try make(store, FetchRequest(entity: "items", predicate: "name = ?")) }
        expectFailure(.sql) { try make(store, FetchRequest(entity: "items", predicate: "name = 'a'", parameters: [1])) }
        var request = FetchRequest(entity: "items", predicate: "name = :name")
        request.parameters = .named([])
        expectFailure(.sql, naming: ":name") { try make(store, request) }
        request.parameters = .named([(name: "name", value: "a"), (name: "other", value: 1)])
        expectFailure(.sql, naming: "other") { try make(store, request) }
        request.parameters = .named([(name: ":fr_key0", value: "a")])
        expectFailure(.sql, naming: ":fr_key0") { try make(store, request) }
    }

    @Test(arguments: ["", " ", "\"", "'", "NOCASE ", "nope\0", "BINARY\0", String(repeating: "x", count: 100_000)])
    func aWrongNameIsNoCollation(name: String) throws {
        let store = try makeItems()
        expectFailure(.schema) {
            try make(store, FetchRequest(entity: "items", sorts: [Sort("name", collation: name)]))
        }
        expectFailure(.schema) {
            try make(store, FetchRequest(entity: "items", section: Sort("name", collation: name)))
        }
    }

    @Test func anUnknownCollationIsNamed() throws {
        let store = try makeItems()
        let request = FetchRequest(
            entity: "items", sorts: [Sort("name", collation: "xx_NOWHERE.UTF-8")])
        expectFailure(.schema, naming: "xx_NOWHERE.UTF-8") { try make(store, request) }
    }

    @Test func aViewMustNameItsIdentityAndATableMustNot() throws {
        let store = try makeItems()
        expectFailure(.schema, naming: "shown") { try make(store, FetchRequest(entity: "shown")) }
        var request = FetchRequest(entity: "shown")
        request.identity = ["number"]
        expectFailure(.schema, naming: "number") { try make(store, request) }
        request = FetchRequest(entity: "items")
        request.identity = ["id"]
        expectFailure(.misuse, naming: "items") { try make(store, request) }
    }

    @Test func twoRowsOfAViewWithOneIdentityAreAnError() throws {
        let store = try makeStore(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, name);
            CREATE VIEW shown AS SELECT name FROM items;
            INSERT INTO items VALUES (1, 'a'), (2, 'b')
            """
        )
        var request = FetchRequest(entity: "shown")
        request.identity = ["name"]
        let shown = try Watch(store, request)
        try store.execute("INSERT INTO items VALUES (3, 'a')")
        #expect(shown.recorder.events == ["failed"])
        #expect(shown.recorder.errors.map { $0.message.contains("shown") } == [true])
        #expect(try shown.controller.numberOfObjects == 2)
        try store.execute("UPDATE items SET name = 'c' WHERE id = 3")
        #expect(shown.take() == ["insert c at 0.2"])
        let other = try FetchedResultsController(store: store, request: request)
        try store.execute("INSERT INTO items VALUES (4, 'a')")
        expectFailure(.constraint, naming: "shown") { try other.performFetch() }
    }

    @Test func anotherEntityIsAnotherController() throws {
        let store = try makeItems()
        let items = try Watch(store, "items")
        expectFailure(.misuse, naming: "lists", "items") {
            try items.controller.setRequest(FetchRequest(entity: "lists"))
        }
        #expect(try items.controller.numberOfObjects == 1)
    }

    @Test func numbersOutOfRangeAreNoTrap() throws {
        let store = try makeItems()
        for (limit, offset, batchSize) in [
            (-1, 0, 20), (Int.min, 0, 20), (0, 0, 20), (1, -5, 20), (1, Int.min, 20), (Int.max, Int.max, 20), (5, 0, 0),
            (5, 0, -3), (5, 0, 1_000_000),
        ] {
            var request = FetchRequest(entity: "items")
            request.limit = limit
            request.offset = offset
            request.batchSize = batchSize
            do {
                let items = try Watch(store, request)
                if try items.controller.numberOfObjects > 0 { _ = try items.controller.values("name") }
            } catch is StoreError {
                // An error is a result as well.
            }
        }
        let items = try Watch(store, "items").controller
        for path in [
            ListIndexPath(section: -1, row: 0), ListIndexPath(section: 1, row: 0), ListIndexPath(section: 0, row: 1),
            ListIndexPath(section: 0, row: -1), ListIndexPath(section: .max, row: .min),
        ] {
            expectFailure(.range) { _ = try items.object(at: path) }
            expectFailure(.range) { _ = try items.index(of: path) }
        }
        for index in [-1, 1, Int.max, Int.min] {
            expectFailure(.range) { _ = try items.indexPath(at: index) }
            expectFailure(.range) { _ = try items.section(at: index == 1 ? 1 : index) }
            expectFailure(.range) { _ = try items.numberOfObjects(inSection: index) }
        }
    }
}
