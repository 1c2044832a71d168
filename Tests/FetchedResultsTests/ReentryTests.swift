import ChangeSets
import Foundation
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// The program is called in the middle of a statement: by a collation, or with the progress of a
/// fetch. It can't use the store there.
@Suite struct Reentry {
    private let script =
        "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO items VALUES (1, 'a'), (2, 'b'), (3, 'c');"

    /// Calls that are all refused.
    private func calls(_ store: Store, _ list: FetchedResultsController) -> [(String, () throws -> Void)] {
        [
            ("close", { try store.close() }),
            ("fetch", { try list.performFetch() }),
            ("fetch in the background", { try list.performFetchAsynchronously { _ in } }),
            ("count", { _ = try list.numberOfObjects }),
            ("object", { _ = try list.object(at: ListIndexPath(section: 0, row: 0)) }),
            ("execute", { try store.execute("INSERT INTO items VALUES (9, 'x')") }),
            ("query", { try store.query("SELECT 1") { _ in } }),
            ("begin", { try store.begin() }),
            ("commit", { try store.commit() }),
            ("dispatch", { try store.dispatch() }),
            ("request", { try list.setRequest(FetchRequest(entity: "items", predicate: "id = 1")) }),
            ("resume", { try list.resume() }),
            ("controller", { _ = try FetchedResultsController(store: store, request: FetchRequest(entity: "items")) }),
            ("insert", { try store.insert(into: "items", [("id", 7)]) }),
            ("collation", { try store.addCollation("other") { _, _ in 0 } }),
            ("caches", { try store.deleteAllCaches() }),
        ]
    }

    private func expectRefusals(_ store: Store, _ list: FetchedResultsController) {
        for (name, call) in calls(store, list) {
            let error = #expect(throws: StoreError.self, "\(name)") { try call() }
            #expect(error?.status == .misuse, "\(name)")
        }
    }

    @Test(arguments: [false, true]) func progressCanNotUseTheStore(isSorted: Bool) throws {
        let store = try makeStore(script)
        // With an index SQLite yields rows in order; without one they are collected by a function.
        if isSorted { try store.execute("CREATE INDEX naming ON items (name)") }
        for predicate in [nil, "id > 0"] {
            let items = try Watch(store, "items", where: predicate, sort: ["name"])
            var count = 0
            try items.controller.performFetch { _ in
                count += 1
                expectRefusals(store, items.controller)
                return true
            }
            #expect(count > 0)
            #expect(try items.controller.values("name") == [["a", "b", "c"]])
            try store.execute("UPDATE items SET name = 'a' WHERE id = 1")
            try? items.controller.close()
        }
        #expect(try !store.isInTransaction)
    }

    /// While one thread is using the store, even in a callback, another one is refused.
    @Test func twoThreadsAtTheSameTimeAreRefused() throws {
        let store = try makeStore(script)
        let items = try Watch(store, "items")
        nonisolated(unsafe) let world = (store, items.controller)
        var count = 0
        items.recorder.didChange = { _ in
            let thread = Thread { [self] in
                for (name, call) in calls(world.0, world.1) {
                    let error = #expect(throws: StoreError.self, "\(name)") { try call() }
                    #expect(error?.status == .misuse, "\(name)")
                    #expect(error?.message.contains("two threads") ?? false, "\(name)")
                }
            }
            thread.start()
            while !thread.isFinished { usleep(1000) }
            count += 1
        }
        try store.execute("INSERT INTO items VALUES (4, 'd')")
        try store.transaction { try store.execute("INSERT INTO items VALUES (5, 'e')") }
        #expect(count == 2)
        #expect(try items.controller.values("id") == [[1, 2, 3, 4, 5]])
        // They may use it one after the other.
        let thread = Thread { _ = try? world.0.execute("DELETE FROM items WHERE id = 1") }
        thread.start()
        while !thread.isFinished { usleep(1000) }
        #expect(try items.controller.values("id") == [[2, 3, 4, 5]])
    }

    @Test func aCollationCanNotUseTheStore() throws {
        let store = try makeStore(script)
        var list: FetchedResultsController?
        var count = 0
        try store.addCollation("calling") { a, b in
            if let list, count < 3 {
                count += 1
                expectRefusals(store, list)
            }
            return a < b ? -1 : a == b ? 0 : 1
        }
        let sort = Sort("name", isDescending: true, collation: "calling")
        let items = try Watch(store, FetchRequest(entity: "items", sorts: [sort]))
        list = items.controller
        try store.execute("INSERT INTO items VALUES (4, 'bb')")
        #expect(count == 3)
        #expect(items.take() == ["insert 4 at 0.1"])
        try items.controller.performFetch()
        #expect(try items.controller.values("id") == [[3, 4, 2, 1]])
    }
}
