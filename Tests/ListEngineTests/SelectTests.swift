import ChangeSets
import SQLiteKit
import TestSupport
import Testing

@testable import ListEngine

/// A whole SELECT as a request, with its identity and section columns named.
@Suite struct WholeSelects {
    private func makeItems() throws -> Database {
        try makeDatabase(
            """
            CREATE TABLE lists (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE items (id INTEGER PRIMARY KEY, list_id REFERENCES lists(id), rank INTEGER);
            INSERT INTO lists VALUES (1, 'one'), (2, 'two'), (3, 'three');
            INSERT INTO items VALUES (1, 1, 5), (2, 1, 6), (3, 2, 7);
            """)
    }

    private let totals =
        """
        SELECT l.id, l.name, sum(i.rank) AS total FROM lists AS l LEFT JOIN items AS i ON i.list_id = l.id
        GROUP BY l.id ORDER BY total DESC, l.id
        """

    @Test func itsRowsAreInItsOrderAndFollowItsTables() throws {
        let database = try makeItems()
        let sums = try Watch(database, FetchRequest(select: totals, identity: ["id"]))
        #expect(try sums.values("name") == [["one", "two", "three"]])
        #expect(try sums.values("total") == [[11, 7, nil]])
        try database.execute("UPDATE items SET rank = 20 WHERE id = 3")
        #expect(sums.take().map { $0.prefix(4) } == ["move"])
        #expect(try sums.values("name") == [["two", "one", "three"]])
        try database.execute("DELETE FROM lists WHERE id = 3")
        #expect(sums.take() == ["delete 3 at 0.2"])
        try database.execute("CREATE TABLE others (x)")
        #expect(sums.take() == [])
    }

    /// Before: lists by their numbers, of which the program received the last. Change: a SELECT
    /// with another value of the same name, in another order. Expected: what changed is known of
    /// that row only.
    @Test func aColumnOfAnotherSelectMayHaveAnotherValue() throws {
        let database = try makeItems()
        func select(_ value: String, _ order: String) -> FetchRequest {
            var request = FetchRequest(
                select: "SELECT id, \(value) AS value FROM lists ORDER BY \(order)", identity: ["id"])
            request.batchSize = 1
            return request
        }
        let lists = try Watch(database, select("id", "id"))
        #expect(try lists.object(at: ListIndexPath(section: 0, row: 2))["value"] == 3)
        try lists.setRequest(select("name", "-id"))
        #expect(
            lists.take() == ["move 3 from 0.2 to 0.0 value", "move 2 from 0.1 to 0.1 something"])
    }

    @Test func sectionsMustStandTogether() throws {
        let database = try makeItems()
        let select = "SELECT i.id, l.name AS list FROM items AS i JOIN lists AS l ON l.id = i.list_id"
        let sectioned = try Watch(
            database, FetchRequest(select: select + " ORDER BY list, i.id", identity: ["id"], sectionColumn: "list"))
        #expect(try sectioned.sectionNames == ["one", "two"])
        #expect(try sectioned.values("id") == [[1, 2], [3]])
        try database.execute("UPDATE items SET list_id = 2 WHERE id = 1")
        #expect(sectioned.take().map { $0.prefix(6) } == ["move 1"])
        let scattered = FetchRequest(
            select: select + " ORDER BY i.rank % 2, i.id", identity: ["id"], sectionColumn: "list")
        try database.execute("INSERT INTO items VALUES (4, 1, 1), (5, 2, 1), (6, 1, 1)")
        expectFailure(.sql) { _ = try Watch(database, scattered) }
    }

    @Test func itMustBeOneSelectThatNamesItsIdentity() throws {
        let database = try makeItems()
        func make(_ request: FetchRequest) throws { _ = try Watch(database, request) }
        expectFailure(.schema) { try make(FetchRequest(select: totals, identity: [])) }
        expectFailure(.schema, naming: "number") { try make(FetchRequest(select: totals, identity: ["number"])) }
        expectFailure(.schema, naming: "kind") {
            try make(FetchRequest(select: totals, identity: ["id"], sectionColumn: "kind"))
        }
        expectFailure(.sql) { try make(FetchRequest(select: "DELETE FROM items RETURNING id", identity: ["id"])) }
        expectFailure(.sql) { try make(FetchRequest(select: "SELECT 1 AS id; DELETE FROM items", identity: ["id"])) }
        expectFailure(.sql) { try make(FetchRequest(select: "SELECT id FROM items WHERE id = ?", identity: ["id"])) }
        #expect(try Watch(database, "items").count == 3)
    }

    @Test func twoRowsOfOneIdentityAreAnError() throws {
        let database = try makeItems()
        let request = FetchRequest(select: "SELECT list_id FROM items ORDER BY 1", identity: ["list_id"])
        expectFailure(.constraint) { _ = try Watch(database, request) }
    }
}
