import CSQLite
import FetchedResults
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// A connection that the program has opened, still uses and will close.
@Suite struct Adoption {
    private final class Connection {
        let handle: OpaquePointer

        init(_ script: String) throws {
            var handle: OpaquePointer?
            sqlite3_open(":memory:", &handle)
            self.handle = try #require(handle)
            run(script)
        }

        deinit {
            try? store?.close()
            sqlite3_close(handle)
        }

        /// The store that uses the connection, which lives as long.
        private(set) var store: Store?

        func adopted() throws -> Store {
            let store = try Store(adopting: handle, queuesDelivery: false)
            self.store = store
            return store
        }

        func run(_ sql: String) {
            #expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
        }

        func prepare(_ sql: String) throws -> OpaquePointer {
            var statement: OpaquePointer?
            #expect(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK)
            return try #require(statement)
        }
    }

    private let script =
        "CREATE TABLE items (id INTEGER PRIMARY KEY, name); INSERT INTO items VALUES (1, 'a'), (2, 'b');"

    @Test func whatTheProgramWritesIsDeliveredAtDispatch() throws {
        let connection = try Connection(script)
        let store = try connection.adopted()
        let items = try Watch(store, "items")
        connection.run("UPDATE items SET name = 'z' WHERE id = 1")
        #expect(try items.controller.values("name") == [["a", "b"]])
        try store.dispatch()
        #expect(items.take() == ["update 1 from 0.0 to 0.0 name"])
        try store.execute("DELETE FROM items WHERE id = 2")
        #expect(items.take() == ["delete 2 at 0.1"])
        withExtendedLifetime(connection) {}
    }

    @Test func statementsPreparedBeforeTheAdoptionAreCaptured() throws {
        let connection = try Connection(script)
        let delete = try connection.prepare("DELETE FROM items")
        let update = try connection.prepare("UPDATE items SET name = name || '!'")
        defer { [delete, update].forEach { sqlite3_finalize($0) } }
        let store = try connection.adopted()
        let items = try Watch(store, "items")
        #expect(sqlite3_step(update) == SQLITE_DONE)
        try store.dispatch()
        #expect(items.take() == ["update 1 from 0.0 to 0.0 name", "update 2 from 0.1 to 0.1 name"])
        #expect(sqlite3_step(delete) == SQLITE_DONE)
        try store.dispatch()
        #expect(items.take() == ["delete 2 at 0.1", "delete 1 at 0.0"])
        withExtendedLifetime(connection) {}
    }

    @Test func schemaChangesOfTheProgramAreSeen() throws {
        let connection = try Connection(script)
        let store = try connection.adopted()
        let items = try Watch(store, "items")
        connection.run("DROP TABLE items")
        try store.dispatch()
        #expect(items.recorder.events == ["failed"])
        connection.run("CREATE TABLE items (id INTEGER PRIMARY KEY, name); INSERT INTO items VALUES (2, 'b'), (3, 'c')")
        try store.dispatch()
        #expect(items.take() == ["delete 1 at 0.0", "insert 3 at 0.1"])
        withExtendedLifetime(connection) {}
    }

    @Test func theProgramsTransactionsCount() throws {
        let connection = try Connection(script)
        let store = try connection.adopted()
        let items = try Watch(store, "items")
        connection.run("BEGIN; DELETE FROM items WHERE id = 1")
        try store.dispatch()
        try store.execute("DELETE FROM items WHERE id = 2")
        #expect(items.recorder.events == [])
        connection.run("ROLLBACK")
        try store.dispatch()
        #expect(items.recorder.events == [])
        connection.run("BEGIN; DELETE FROM items WHERE id = 1; SAVEPOINT s; DELETE FROM items; ROLLBACK TO s; COMMIT")
        // What was committed is delivered though a later transaction was rolled back.
        connection.run("BEGIN; DELETE FROM items; ROLLBACK")
        try store.dispatch()
        #expect(items.take() == ["delete 1 at 0.0"])
        withExtendedLifetime(connection) {}
    }

    @Test func theConnectionIsLeftAsItWas() throws {
        let connection = try Connection("PRAGMA foreign_keys = OFF;" + script)
        let store = try connection.adopted()
        let items = try Watch(store, "items")
        var isEnforced: Value?
        try store.query("PRAGMA foreign_keys") { isEnforced = $0[0] }
        #expect(isEnforced == 0)
        try store.begin()
        try store.close()
        // Neither closed, nor rolled back, nor observed any more.
        #expect(sqlite3_get_autocommit(connection.handle) == 0)
        connection.run("DELETE FROM items; COMMIT")
        #expect(items.recorder.events == [])
        #expect(sqlite3_next_stmt(connection.handle, nil) == nil)
        #expect(sqlite3_preupdate_hook(connection.handle, nil, nil) == nil)
    }
}
