import FetchedResults
import SQLiteKit
import TestSupport
import Testing

/// Rows of views and of whole SELECTs whose identity holds NULL are rows like others.
@Suite struct NullIdentities {
    private func makeParts() throws -> Store {
        try makeStore(
            """
            CREATE TABLE parts (kind TEXT, size INT, name);
            CREATE VIEW shown AS SELECT kind, size, name FROM parts;
            INSERT INTO parts VALUES (NULL, 1, 'a'), ('k', NULL, 'b'), (NULL, NULL, 'c'), ('k', 2, 'd');
            """)
    }

    private var requests: [FetchRequest] {
        var view = FetchRequest(entity: "shown", sorts: [Sort("name")])
        view.identity = ["kind", "size"]
        let select = FetchRequest(
            select: "SELECT name, kind, size FROM parts ORDER BY name;", identity: ["kind", "size"])
        return [view, select]
    }

    @Test(arguments: [0, 1]) func theyAreReadAndFollowed(kind: Int) throws {
        let store = try makeParts()
        var request = requests[kind]
        request.batchSize = 1
        let parts = try Watch(store, request)
        #expect(try parts.controller.values("name") == [["a", "b", "c", "d"]])
        #expect(try parts.controller.indexPath(ofIdentity: [nil, nil]) == ListIndexPath(section: 0, row: 2))
        let second = try parts.controller.object(at: ListIndexPath(section: 0, row: 1))
        #expect(try parts.controller.indexPath(of: second) == ListIndexPath(section: 0, row: 1))
        try store.execute("UPDATE parts SET name = 'cc' WHERE kind IS NULL AND size IS NULL")
        #expect(try parts.delivery().oldValues == [kind == 0 ? [nil, nil, "c"] : ["c", nil, nil]])
        #expect(parts.take() == ["update NULL/NULL from 0.2 to 0.2 name"])
        #expect(try parts.controller.values("name") == [["a", "b", "cc", "d"]])
        try store.execute("DELETE FROM parts WHERE kind = 'k' AND size IS NULL")
        try store.execute("INSERT INTO parts VALUES ('m', NULL, 'aa')")
        #expect(parts.take() == ["delete k/NULL at 0.1", "insert m/NULL at 0.1"])
        #expect(try parts.controller.values("name") == [["a", "aa", "cc", "d"]])
    }

    @Test(arguments: [0, 1]) func twoOfThemAreAnErrorThatNamesThem(kind: Int) throws {
        let store = try makeParts()
        let parts = try Watch(store, requests[kind])
        try store.execute("INSERT INTO parts VALUES (NULL, 1, 'again')")
        #expect(parts.recorder.errors.map(\.status) == [.constraint])
        #expect(parts.recorder.errors.allSatisfy { $0.message.contains("NULL, 1") })
        let other = try FetchedResultsController(store: store, request: requests[kind])
        expectFailure(.constraint, naming: "NULL, 1") { try other.performFetch() }
        try store.execute("DELETE FROM parts WHERE name = 'again'")
        #expect(try parts.controller.values("name") == [["a", "b", "c", "d"]])
        try other.performFetch()
        #expect(try other.values("name") == [["a", "b", "c", "d"]])
        #expect(try other.indexPath(ofIdentity: [nil, 1]) == ListIndexPath(section: 0, row: 0))
    }

    @Test func theCollationOfAViewsColumnDoesNotHideARow() throws {
        let store = try makeStore(
            """
            CREATE TABLE parts (kind TEXT, name); INSERT INTO parts VALUES ('a', 1), ('A', 2);
            CREATE VIEW folded AS SELECT kind || '' COLLATE NOCASE AS kind, name FROM parts;
            """)
        var request = FetchRequest(entity: "folded", sorts: [Sort("name")])
        request.identity = ["kind"]
        request.batchSize = 1
        let parts = try Watch(store, request)
        #expect(try parts.controller.values("kind") == [["a", "A"]])
    }
}
