import FetchedResults
import SQLiteKit
import TestSupport
import Testing

@Suite struct Writing {
    private func makeItems() throws -> Store {
        try makeStore(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'new', rank REAL, "b c");
            INSERT INTO items VALUES (1, 'a', 1.5, NULL), (2, 'b', NULL, x'00');
            """)
    }

    @Test func parametersArePositionalOrNamed() throws {
        let store = try makeItems()
        try store.execute("UPDATE items SET name = ?2 WHERE id = ?1", [1, "x\0y"])
        try store.execute("UPDATE items SET name = :name WHERE id = $id", named: [("$id", 2), ("name", "\u{e9}")])
        var names: [Value] = []
        try store.query("SELECT name FROM items ORDER BY id") { names.append($0[0]) }
        #expect(names == ["x\0y", "\u{e9}"])
    }

    @Test func wrongParametersAreReported() throws {
        let store = try makeItems()
        expectFailure(.sql, naming: "1", "2") { try store.execute("DELETE FROM items WHERE id = ?", [1, 2]) }
        expectFailure(.sql) { try store.execute("DELETE FROM items WHERE id = ?") }
        expectFailure(.sql, naming: ":id") { try store.execute("DELETE FROM items WHERE id = :id", named: []) }
        expectFailure(.sql, naming: "no") {
            try store.execute("DELETE FROM items WHERE id = :id", named: [("id", 1), ("no", 1)])
        }
        expectFailure(.sql, naming: "nothing") { try store.execute("SELECT nothing FROM items") }
        expectFailure(.sql) { try store.execute("SELECT 1; SELECT 2") }
        expectFailure(.sql) { try store.execute("  -- nothing") }
    }

    @Test func anInsertedRowIsReturnedWithItsDefaults() throws {
        let store = try makeItems()
        try store.execute(
            "CREATE TRIGGER ranking AFTER INSERT ON items BEGIN UPDATE items SET rank = 7 WHERE id = NEW.id; END")
        let items = try Watch(store, "items")
        let object = try store.insert(into: "items", [(column: "b c", value: .blob([1, 0]))])
        #expect(object.identity == [3])
        #expect(object.values == [3, "new", 7.0, .blob([1, 0])])
        #expect(items.take() == ["insert 3 at 0.2"])
        #expect(try store.insert(into: "items", []).identity == [4])
    }

    @Test func rowsAreUpdatedAndDeletedByIdentity() throws {
        let store = try makeItems()
        let items = try Watch(store, "items")
        try store.update("items", identity: [2], [(column: "NAME", value: "z")])
        #expect(items.take() == ["update 2 from 0.1 to 0.1 name"])
        try store.delete(from: "items", identity: [1])
        #expect(items.take() == ["delete 1 at 0.0"])
        #expect(try store.object("items", identity: [2])?["name"] == "z")
        #expect(try store.object("items", identity: [1]) == nil)
    }

    @Test func missingRowsAreReported() throws {
        let store = try makeItems()
        expectFailure(.notFound, naming: "items") {
            try store.update("items", identity: [9], [(column: "name", value: "z")])
        }
        expectFailure(.notFound, naming: "items") { try store.delete(from: "items", identity: [9]) }
        expectFailure(.range) { try store.delete(from: "items", identity: [1, 2]) }
        expectFailure(.range) { try store.update("items", identity: [1], []) }
        expectFailure(.schema, naming: "nothing") { try store.delete(from: "nothing", identity: [1]) }
        expectFailure(.schema, naming: "items", "colour") {
            try store.insert(into: "items", [(column: "colour", value: 1)])
        }
        expectFailure(.schema, naming: "name\" = 1 --") {
            try store.update("items", identity: [1], [(column: "name\" = 1 --", value: 1)])
        }
        expectFailure(.constraint, naming: "items.name") {
            try store.insert(into: "items", [(column: "name", value: .null)])
        }
        try store.execute("CREATE TRIGGER spam AFTER INSERT ON items BEGIN DELETE FROM items WHERE id = NEW.id; END")
        expectFailure(.notFound) { try store.insert(into: "items", []) }
    }

    @Test func identitiesOfOtherTables() throws {
        let store = try makeStore(
            """
            CREATE TABLE pairs (a TEXT, b INTEGER, c, PRIMARY KEY (b, a)) WITHOUT ROWID;
            CREATE TABLE loose (a TEXT PRIMARY KEY, b); CREATE TABLE bare (a);
            """)
        #expect(
            try store.insert(into: "pairs", [("a", "x"), ("b", 1)].map { (column: $0.0, value: $0.1) }).identity == [
                1, "x",
            ])
        #expect(try store.insert(into: "loose", [(column: "a", value: .null)]).identity == [nil, 1])
        #expect(try store.insert(into: "loose", [(column: "a", value: "k")]).identity == ["k"])
        #expect(try store.insert(into: "bare", [(column: "a", value: 5)]).identity == [1])
        try store.update("pairs", identity: [1, "x"], [(column: "c", value: 2)])
        try store.update("loose", identity: [nil, 1], [(column: "b", value: 3)])
        try store.update("loose", identity: ["k"], [(column: "b", value: 4)])
        #expect(try store.object("pairs", identity: [1, "x"])?["c"] == 2)
        #expect(try store.object("loose", identity: [nil, 1])?["b"] == 3)
        #expect(try store.object("loose", identity: ["k"])?["b"] == 4)
    }

    @Test func transactionsNest() throws {
        let store = try makeItems()
        let items = try Watch(store, "items")
        try store.transaction {
            try store.execute("INSERT INTO items (id) VALUES (3)")
            try? store.transaction {
                try store.execute("INSERT INTO items (id) VALUES (4)")
                throw StoreError(.error, "no")
            }
            try store.transaction { try store.execute("INSERT INTO items (id) VALUES (5)") }
            #expect(items.take() == [])
        }
        #expect(items.take() == ["insert 3 at 0.2", "insert 5 at 0.3"])
        #expect(try !store.isInTransaction)
        expectFailure(.misuse) { try store.commit() }
        expectFailure(.misuse) { try store.rollback() }
    }

    @Test func aTransactionThatFailsDeliversNothing() throws {
        let store = try makeItems()
        let items = try Watch(store, "items")
        expectFailure(.constraint) {
            try store.transaction {
                try store.execute("DELETE FROM items")
                try store.execute("INSERT INTO items (id, name) VALUES (1, NULL)")
            }
        }
        #expect(items.recorder.events == [])
        #expect(try items.controller.values("name") == [["a", "b"]])
    }

    @Test func aQueryThatWritesDelivers() throws {
        let store = try makeItems()
        let items = try Watch(store, "items")
        var ids: [Value] = []
        try store.query("DELETE FROM items WHERE id = 1 RETURNING id") { ids.append($0[0]) }
        #expect(ids == [1])
        #expect(items.take() == ["delete 1 at 0.0"])
    }

    @Test func aScriptRunsUntilAStatementFailsAndTheRestIsNotRun() throws {
        let store = try makeItems()
        let items = try Watch(store, "items")
        expectFailure(.sql) {
            try store.executeScript("DELETE FROM items WHERE id = 1; DELETE FROM nothing; DELETE FROM items")
        }
        #expect(items.take() == ["delete 1 at 0.0"])
    }
}
