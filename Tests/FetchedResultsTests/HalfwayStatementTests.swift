import ChangeSets
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// A statement that has yielded a row and has not ended. One that writes, or may write, prevents
/// SQLite from committing anything. Whatever the store is called for meanwhile, nothing that was
/// committed is lost and no transaction stays open.
@Suite struct HalfwayStatements {
    /// The half-way statement, and whether it has written rows.
    static let statements: [(sql: String, writes: Bool)] = [
        ("INSERT INTO items (name) VALUES ('p'), ('q') RETURNING id", true),
        ("UPDATE items SET name = name || '!' RETURNING id", true),
        ("DELETE FROM items WHERE id < 3 RETURNING id", true),
        ("REPLACE INTO items VALUES (1, 'r'), (2, 's') RETURNING id", true),
        ("WITH two(x) AS (VALUES ('t'), ('u')) INSERT INTO items (name) SELECT x FROM two RETURNING name", true),
        ("PRAGMA journal_mode", false),
        ("PRAGMA wal_checkpoint", false),
        ("PRAGMA table_list", false),
        ("EXPLAIN INSERT INTO items (name) VALUES ('v')", false),
        ("SELECT * FROM items", false),
    ]

    /// The calls that are made meanwhile. Those that fail with `busy` leave everything as it was.
    static let calls: [(name: String, run: @Sendable (World) throws -> Void)] = [
        ("fetch", { try $0.items.controller.performFetch() }),
        (
            "fetch in the background",
            { world in
                try world.items.controller.performFetchAsynchronously { _ in }
                try world.store.dispatch()
            }
        ),
        ("fetch of a map", { try $0.map.performFetch() }),
        ("fetch of a collection", { try $0.collection.performFetch() }),
        ("read", { _ = try $0.items.controller.object(at: ListIndexPath(section: 0, row: 0)) }),
        ("dispatch", { try $0.store.dispatch() }),
        ("wait", { try $0.store.wait(milliseconds: 0) }),
        ("execute", { try $0.store.execute("INSERT INTO items (name) VALUES ('x')") }),
        (
            "script",
            {
                try $0.store.executeScript(
                    "INSERT INTO items (name) VALUES ('x'); UPDATE groups SET name = 'h' WHERE name = 'b'")
            }
        ),
        ("insert", { _ = try $0.store.insert(into: "items", [("name", "x")]) }),
        ("update", { try $0.store.update("items", identity: [3], [("name", "x")]) }),
        ("delete", { try $0.store.delete(from: "items", identity: [3]) }),
        ("object", { _ = try $0.store.object("items", identity: [3]) }),
        ("query", { try $0.store.query("SELECT count(*) FROM items") { _ in } }),
        ("returning", { try $0.store.query("INSERT INTO items (name) VALUES ('x') RETURNING id") { _ in } }),
        (
            "transaction",
            { world in try world.store.transaction { try world.store.execute("INSERT INTO items (name) VALUES ('x')") }
            }
        ),
        (
            "rolled back",
            { world in
                try world.store.begin()
                try world.store.rollback()
            }
        ),
        ("request", { try $0.items.controller.setRequest(FetchRequest(entity: "items", predicate: "id > 1")) }),
        (
            "pause",
            { world in
                try world.items.controller.setPaused(true)
                try world.items.controller.resume(reload: true)
            }
        ),
        (
            "disable",
            { world in
                try world.map.setDisabled(true)
                try world.map.setDisabled(false)
            }
        ),
        ("map options", { try $0.map.setEmptySections(.hidden) }),
        ("schema", { try $0.store.execute("CREATE TABLE others (x)") }),
        ("caches", { try $0.store.deleteAllCaches() }),
    ]

    final class World {
        let file = TemporaryFile()
        let store: Store
        let items: Watch
        let map: SectionMap
        let collection: FetchedResultsCollection

        init(journalMode: String) throws {
            var options = StoreOptions()
            options.journalMode = journalMode
            options.cacheDirectory = file.cacheDirectory
            store = try Store(path: file.path, options: options)
            try store.executeScript(
                """
                PRAGMA synchronous = OFF;
                CREATE TABLE groups (name TEXT PRIMARY KEY);
                CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT);
                INSERT INTO groups VALUES ('a'), ('b');
                INSERT INTO items VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd');
                """)
            var request = FetchRequest(entity: "items", sorts: [Sort("name")])
            request.cacheName = "items"
            items = try Watch(store, request)
            map = try SectionMap(
                store: store, items: FetchRequest(entity: "items"), sections: FetchRequest(entity: "groups"),
                itemKey: "name", sectionKey: "name")
            try map.performFetch()
            collection = try FetchedResultsCollection([
                FetchedResultsController(store: store, request: FetchRequest(entity: "items"))
            ])
            try collection.performFetch()
        }

        /// All names, as a connection of its own reads them.
        func namesOnDisk() throws -> [Value] {
            var options = StoreOptions()
            options.isReadOnly = true
            let other = try Store(path: file.path, options: options)
            var names: [Value] = []
            try other.query("SELECT name FROM items ORDER BY name, id") { names.append($0[0]) }
            return names
        }

        func names() throws -> [Value] {
            var names: [Value] = []
            try store.query("SELECT name FROM items ORDER BY name, id") { names.append($0[0]) }
            return names
        }
    }

    @Test(arguments: statements.indices, ["wal", "delete"]) func nothingIsLostAndNoTransactionStaysOpen(
        index: Int, journalMode: String
    ) throws {
        let (sql, writes) = Self.statements[index]
        for (number, (name, run)) in Self.calls.enumerated() {
            let world = try World(journalMode: journalMode)
            let store = world.store
            let statement = try store.prepare(sql)
            _ = try store.step(statement)
            #expect(try store.isInTransaction == writes, "\(sql), then \(name)")
            do {
                try run(world)
            } catch let error as StoreError {
                // A PRAGMA may change anything, and rows may be gone until it has ended.
                #expect(error.status == .busy || error.status == .gone, "\(sql), then \(name): \(error)")
            }
            if (number + index).isMultiple(of: 2) {
                try store.end(statement)
            } else {
                while try store.step(statement) {}
            }
            #expect(try !store.isInTransaction, "\(sql), then \(name)")
            try store.execute("INSERT INTO items (name) VALUES ('last')")
            try store.dispatch()
            let names = try world.names()
            #expect(names.contains("last"))
            let fresh = try FetchedResultsController(store: store, request: world.items.controller.request)
            try fresh.performFetch()
            #expect(try world.items.controller.values("name") == fresh.values("name"), "\(sql), then \(name)")
            try store.close()
            #expect(try world.namesOnDisk() == names, "\(sql), then \(name)")
        }
    }

    @Test func whatAStatementWritesIsDeliveredWhenItIsEnded() throws {
        let world = try World(journalMode: "wal")
        let statement = try world.store.prepare("INSERT INTO items VALUES (8, 'x'), (9, 'y') RETURNING id")
        #expect(try world.store.step(statement))
        #expect(world.items.take() == [])
        try world.store.execute("INSERT INTO items VALUES (10, 'z')")
        #expect(world.items.take() == [])
        try world.store.end(statement)
        #expect(world.items.take() == ["insert 8 at 0.4", "insert 9 at 0.5", "insert 10 at 0.6"])
    }

    @Test func aStatementThatCannotCommitAtItsEndSaysSo() throws {
        let store = try makeStore(
            """
            CREATE TABLE parents (id INTEGER PRIMARY KEY);
            CREATE TABLE children (id INTEGER PRIMARY KEY, parent REFERENCES parents DEFERRABLE INITIALLY DEFERRED);
            """)
        let children = try Watch(store, "children")
        let sql = "INSERT INTO children VALUES (1, 7), (2, 8) RETURNING id"
        let statement = try store.prepare(sql)
        #expect(try store.step(statement))
        expectFailure(.constraint) { try store.end(statement) }
        expectFailure(.constraint) { try store.query(sql) { _ in throw StoreError(.cancelled, "enough") } }
        #expect(try !store.isInTransaction)
        #expect(children.recorder.events == [])
        #expect(try children.controller.numberOfObjects == 0)
    }

    @Test func aTransactionThatCouldNotBeCommittedIsNotBegun() throws {
        let world = try World(journalMode: "wal")
        let statement = try world.store.prepare("INSERT INTO items (name) VALUES ('x'), ('y') RETURNING id")
        _ = try world.store.step(statement)
        expectFailure(.busy, naming: "half-way") { try world.store.begin() }
        try world.store.end(statement)
        try world.store.transaction {}
        #expect(try world.namesOnDisk().count == 6)
    }
}
