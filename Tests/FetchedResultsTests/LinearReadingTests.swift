import CSQLite
import ChangeSets
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// The work of a delivery does not grow with the product of touched rows and rows.
@Suite struct LinearReadingTests {
    private final class Calls {
        var count = 0
    }

    /// A store whose function `counted`, which is true, counts its calls: one for each row of which
    /// a predicate is evaluated.
    private func makeStore(_ count: Int) throws -> (store: Store, calls: Calls) {
        let calls = Calls()
        let store = try Store(path: ":memory:")
        sqlite3_create_function_v2(
            store.connection.handle, "counted", 1, SQLITE_UTF8, Unmanaged.passRetained(calls).toOpaque(),
            { context, _, _ in
                Unmanaged<Calls>.fromOpaque(sqlite3_user_data(context)).takeUnretainedValue().count += 1
                sqlite3_result_int(context, 1)
            }, nil, nil, { Unmanaged<Calls>.fromOpaque($0!).release() })
        try store.executeScript(
            """
            CREATE TABLE lists (id INTEGER PRIMARY KEY, name TEXT, rank INTEGER);
            INSERT INTO lists VALUES (1, 'a', 1), (2, 'b', 2);
            CREATE TABLE items (id INTEGER PRIMARY KEY, list_id INTEGER REFERENCES lists(id), name TEXT, done INTEGER);
            CREATE INDEX items_by_list ON items(list_id);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(count))
            INSERT INTO items SELECT i, 1 + i % 2, printf('%06d', i), 0 FROM n
            """)
        try store.dispatch()
        return (store, calls)
    }

    private static let count = 600
    private static let predicate = "counted(id) AND done < (SELECT count(*) FROM items AS others)"

    @Test func aPredicateWithASubqueryIsEvaluatedOncePerRow() throws {
        let (store, calls) = try makeStore(Self.count)
        let items = try Watch(
            store, "items", where: Self.predicate, sort: ["name"], columns: ["name", "done", "list_id.name"])
        calls.count = 0
        try store.execute("UPDATE items SET done = 1 WHERE id > 1; ")
        #expect(calls.count == Self.count)
        let delivery = try items.delivery()
        #expect(delivery.changeSet.updates.count == Self.count - 1)
        #expect(delivery.source.oldContent(of: delivery.changeSet.updates[0])?.values == ["000002", 0, "a"])
        #expect(try delivery.object(of: delivery.changeSet.updates[0]).values == ["000002", 1, "a"])
    }

    @Test func rowsThatLeaveByASubqueryKeepTheirValues() throws {
        let (store, calls) = try makeStore(Self.count)
        let items = try Watch(store, "items", where: Self.predicate, sort: ["name"])
        calls.count = 0
        try store.execute("UPDATE items SET done = 1000 WHERE id % 2 = 0")
        #expect(calls.count == Self.count)
        let delivery = try items.delivery()
        #expect(delivery.changeSet.deletes.count == Self.count / 2)
        let last = try #require(delivery.changeSet.deletes.last)
        #expect(delivery.source.oldContent(of: last)?.values == [2, 1, "000002", 0])
    }

    @Test func rowsThatARelatedRowFeedsAreReadWithoutThePredicate() throws {
        let (store, calls) = try makeStore(Self.count)
        let items = try Watch(
            store, "items", where: Self.predicate, sort: ["list_id.rank", "name"], columns: ["name", "list_id.name"])
        calls.count = 0
        try store.execute("UPDATE lists SET name = name || '!', rank = 3 - rank")
        #expect(calls.count == Self.count)
        let delivery = try items.delivery()
        #expect(Set((Array(delivery.changeSet.updates) + delivery.changeSet.moves).map(\.id)).count == Self.count)
        let updated = try #require((Array(delivery.changeSet.updates) + delivery.changeSet.moves).first)
        #expect(updated.changedColumns == [1])
    }

    @Test func itemsOfAMapAreReadOnceWhenSectionsChange() throws {
        let (store, calls) = try makeStore(Self.count)
        let map = try SectionMap(
            store: store,
            items: FetchRequest(entity: "items", predicate: Self.predicate, sorts: [Sort("name")]),
            sections: FetchRequest(entity: "lists"), itemKey: "list_id", sectionKey: "id")
        try map.performFetch()
        calls.count = 0
        try store.execute("UPDATE lists SET name = 'other'")
        #expect(calls.count == 0)
        try store.execute("PRAGMA foreign_keys = OFF")
        calls.count = 0
        try store.execute("UPDATE lists SET id = 3 WHERE id = 2")
        #expect(calls.count <= Self.count)
        #expect(try map.numberOfObjects(inSection: 1) == 0)
        #expect(try map.numberOfObjects == Self.count)
    }
}
