import FetchedResults
import SQLiteKit
import TestSupport
import Testing

/// Windows of a list that was prepared in vain, or paused.
@Suite struct WindowsOfStores {
    private func makeItems(_ count: Int, limit: Int?, offset: Int) throws -> (Store, Watch) {
        let store = try makeStore(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, rank, name TEXT, kind);
            CREATE TABLE others (id INTEGER PRIMARY KEY REFERENCES items DEFERRABLE INITIALLY DEFERRED);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(count))
            INSERT INTO items SELECT i, i * 10, 'name ' || i, i / 3 FROM n;
            CREATE INDEX by_rank ON items(rank);
            """)
        var request = FetchRequest(entity: "items", sorts: [Sort("rank")])
        (request.limit, request.offset) = (limit, offset)
        return (store, try Watch(store, request))
    }

    @Test func whatFailsToCommitDoesNotShiftTheWindow() throws {
        let (store, items) = try makeItems(20, limit: 2, offset: 10)
        try store.execute("PRAGMA foreign_keys = ON")
        try store.begin()
        try store.execute("DELETE FROM items WHERE id = 3")
        try store.execute("INSERT INTO others VALUES (999)")
        expectFailure(.constraint) { try store.commit() }
        try store.rollback()
        #expect(items.take().isEmpty)
        try store.execute("INSERT INTO items VALUES (99, 35, '', 0)")
        #expect(items.take() == ["delete 12 at 0.1", "insert 10 at 0.0"])
        try store.execute("DELETE FROM items WHERE id = 3")
        #expect(items.take() == ["delete 10 at 0.0", "insert 12 at 0.1"])
        #expect(items.controller.counters.rereads == [.fetch: 1])
    }

    @Test func aPausedWindowCatchesUp() throws {
        let (store, items) = try makeItems(50, limit: 3, offset: 10)
        try items.controller.setPaused(true)
        try store.execute("DELETE FROM items WHERE id = 5")
        try store.execute("UPDATE items SET rank = 1000 WHERE id = 12")
        #expect(items.take().isEmpty)
        try items.controller.resume()
        #expect(items.take() == ["delete 12 at 0.1", "delete 11 at 0.0", "insert 14 at 0.1", "insert 15 at 0.2"])
        try store.execute("DELETE FROM items WHERE id = 6")
        #expect(items.take() == ["delete 13 at 0.0", "insert 16 at 0.2"])
    }
}
