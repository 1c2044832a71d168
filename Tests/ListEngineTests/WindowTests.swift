import ChangeSets
import SQLiteKit
import TestSupport
import Testing

@testable import ListEngine

/// Requests with a limit or an offset: rows are inserted and removed at the edges, and nothing else
/// is read.
@Suite struct Windows {
    /// Rows with the ranks 10, 20, 30, ..., their ids a tenth of that.
    private func makeItems(
        _ count: Int, index: String = "rank", limit: Int?, offset: Int, section: String? = nil,
        predicate: String? = nil
    ) throws -> (Database, Watch) {
        let database = try makeDatabase(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, rank, name TEXT, kind);
            CREATE TABLE others (id INTEGER PRIMARY KEY);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(count))
            INSERT INTO items SELECT i, i * 10, 'name ' || i, i / 3 FROM n;
            \(index.isEmpty ? "" : "CREATE INDEX by_rank ON items(\(index));")
            """)
        var request = FetchRequest(
            entity: "items", predicate: predicate, sorts: [Sort("rank")], section: section.map { Sort($0) })
        request.limit = limit
        request.offset = offset
        return (database, try Watch(database, request))
    }

    private func ids(_ items: Watch) throws -> [[Value]] { try items.values("id") }

    /// Runs a statement, and returns the changes, the number of rows read for them, and the lists
    /// read as a whole.
    private func change(
        _ items: Watch, _ database: Database, _ statement: String
    ) throws -> (changes: [String], rowsRead: Int, rereads: [RereadReason: Int]) {
        let before = items.counters
        try database.execute(statement)
        let after = items.counters
        return (
            items.take(), after.rowsRead - before.rowsRead,
            after.rereads.filter { before.rereads[$0.key] != $0.value }
        )
    }

    @Test func aRowInsideIsReadAlone() throws {
        let (database, items) = try makeItems(10_000, limit: 100, offset: 5_000)
        #expect(try items.values("id")[0].prefix(2) == [5001, 5002])
        let update = try change(items, database, "UPDATE items SET name = 'x' WHERE id = 5050")
        #expect(update.changes == ["update 5050 from 0.49 to 0.49 name"])
        #expect(update.rowsRead == 1 && update.rereads.isEmpty)
        let move = try change(items, database, "UPDATE items SET rank = 50005 + 500 WHERE id = 5060")
        #expect(move.changes == ["move 5060 from 0.59 to 0.50 rank"])
        #expect(move.rowsRead <= 2 && move.rereads.isEmpty)
    }

    @Test func rowsOutsideChangeNothing() throws {
        let (database, items) = try makeItems(10_000, limit: 100, offset: 5_000)
        for statement in [
            "UPDATE items SET name = 'x' WHERE id = 17", "UPDATE items SET rank = 33 WHERE id = 4000",
            "UPDATE items SET rank = 1e9 WHERE id = 6000", "INSERT INTO items VALUES (20000, 1e6, '', 0)",
            "DELETE FROM items WHERE id = 9000",
        ] {
            let cost = try change(items, database, statement)
            #expect(cost.changes.isEmpty && cost.rowsRead <= 2 && cost.rereads.isEmpty, "\(statement): \(cost)")
        }
        #expect(try ids(items)[0] == (5001...5100).map { .integer($0) })
    }

    @Test func aRowThatPassesTheWindowShiftsIt() throws {
        let (database, items) = try makeItems(1_000, limit: 3, offset: 500)
        let forward = try change(items, database, "UPDATE items SET rank = 1e6 WHERE id = 7")
        #expect(forward.changes == ["delete 501 at 0.0", "insert 504 at 0.2"])
        #expect(forward.rowsRead <= 6 && forward.rereads.isEmpty, "\(forward)")
        let back = try change(items, database, "UPDATE items SET rank = 5 WHERE id = 7")
        #expect(back.changes == ["delete 504 at 0.2", "insert 501 at 0.0"])
        #expect(back.rowsRead <= 6 && back.rereads.isEmpty, "\(back)")
        #expect(try ids(items) == [[501, 502, 503]])
    }

    @Test func rowsThatAreInsertedAndRemovedAtTheEdgesHaveTheirValues() throws {
        let (database, items) = try makeItems(100, limit: 2, offset: 10)
        try database.execute("INSERT INTO items VALUES (1000, 1, 'first', 0)")
        let inserted = try items.delivery()
        #expect(items.take() == ["delete 12 at 0.1", "insert 10 at 0.0"])
        #expect(inserted.oldValues == [[12, 120, "name 12", 4], nil])
        #expect(try inserted.object(of: inserted.changeSet.objectChanges[1])["name"] == "name 10")
        try database.execute("DELETE FROM items WHERE id < 10 AND id <> 3")
        #expect(items.take() == ["delete 11 at 0.1", "delete 10 at 0.0", "insert 18 at 0.0", "insert 19 at 0.1"])
        #expect(try items.values("name") == [["name 18", "name 19"]])
    }

    @Test func aRowMovesIntoAndOutOfTheWindow() throws {
        let (database, items) = try makeItems(100, limit: 3, offset: 10)
        try database.execute("UPDATE items SET rank = 115 WHERE id = 50")
        #expect(items.take() == ["delete 13 at 0.2", "insert 50 at 0.1"])
        try database.execute("UPDATE items SET rank = 115.5 WHERE id = 2")
        #expect(items.take() == ["delete 11 at 0.0", "insert 2 at 0.1"])
        try database.execute("UPDATE items SET rank = 0 WHERE id = 12")
        #expect(items.take() == ["delete 12 at 0.2", "insert 11 at 0.0"])
        #expect(try ids(items) == [[11, 50, 2]])
        #expect(items.counters.rereads == [.fetch: 1])
    }

    @Test func theWindowOfAShortTableGrowsAndShrinks() throws {
        let (database, items) = try makeItems(4, limit: 3, offset: 2)
        #expect(try ids(items) == [[3, 4]])
        try database.execute("INSERT INTO items VALUES (9, 90, '', 0), (8, 80, '', 0)")
        #expect(items.take() == ["insert 8 at 0.2"])
        try database.execute("DELETE FROM items WHERE id < 3")
        #expect(items.take() == ["delete 4 at 0.1", "delete 3 at 0.0", "insert 9 at 0.1"])
        try database.execute("DELETE FROM items WHERE id = 8")
        #expect(items.take() == ["delete 8 at 0.0"])
        #expect(try ids(items) == [[9]])
    }

    @Test func anOffsetAloneHasOneEdge() throws {
        let (database, items) = try makeItems(6, limit: nil, offset: 3)
        try database.execute("INSERT INTO items VALUES (7, 15, '', 0)")
        #expect(items.take() == ["insert 3 at 0.0"])
        try database.execute("UPDATE items SET rank = 1000 WHERE id = 1")
        #expect(items.take() == ["delete 3 at 0.0", "insert 1 at 0.3"])
        #expect(try ids(items) == [[4, 5, 6, 1]])
        #expect(items.counters.rereads == [.fetch: 1])
    }

    @Test func sectionsAreInsertedAndRemovedWithTheRowsAtTheEdges() throws {
        let (database, items) = try makeItems(20, index: "kind, rank", limit: 4, offset: 4, section: "kind")
        #expect(try items.sectionNames == ["1", "2"])
        #expect(try ids(items) == [[5], [6, 7, 8]])
        try database.execute("DELETE FROM items WHERE id = 1")
        #expect(
            items.take() == [
                "section delete 0 1", "section insert 1 3", "delete 5 at 0.0", "insert 9 at 1.0",
            ])
        try database.execute("INSERT INTO items VALUES (100, 0, '', 0), (101, 0, '', 0)")
        #expect(
            items.take() == [
                "section delete 1 3", "section insert 0 1", "delete 9 at 1.0", "delete 8 at 0.2", "insert 4 at 0.0",
                "insert 5 at 0.1",
            ])
        #expect(try ids(items) == [[4, 5], [6, 7]])
        #expect(items.counters.rereads == [.fetch: 1])
    }

    /// SQLite would read all rows to find the next one.
    @Test func withoutAnIndexTheWindowIsReadWhenRowsEnter() throws {
        let (database, items) = try makeItems(50, index: "", limit: 3, offset: 10)
        let inside = try change(items, database, "UPDATE items SET rank = 125 WHERE id = 11")
        #expect(inside.changes == ["move 11 from 0.0 to 0.1 rank"] && inside.rereads.isEmpty)
        let entering = try change(items, database, "DELETE FROM items WHERE id = 12")
        #expect(entering.changes == ["delete 12 at 0.0", "insert 14 at 0.2"])
        #expect(entering.rereads == [.window: 1])
        #expect(try change(items, database, "UPDATE items SET name = '' WHERE id = 3").rereads.isEmpty)
    }

    @Test func theWindowIsReadWhenNoneOfItsRowsStays() throws {
        let (database, items) = try makeItems(50, limit: 2, offset: 10)
        let all = try change(items, database, "UPDATE items SET rank = -rank WHERE id IN (11, 12)")
        #expect(all.changes == ["delete 12 at 0.1", "delete 11 at 0.0", "insert 9 at 0.0", "insert 10 at 0.1"])
        #expect(all.rereads == [.window: 1])
        let one = try change(items, database, "UPDATE items SET rank = 1000 WHERE id = 9")
        #expect(one.changes == ["delete 9 at 0.0", "insert 13 at 0.1"] && one.rereads.isEmpty)
    }

    @Test func aPredicateThatReadsOtherRowsIsEvaluatedForAll() throws {
        let (database, items) = try makeItems(
            50, limit: 3, offset: 2, predicate: "rank % 20 = 0 OR rank < (SELECT count(*) FROM others) * 100")
        #expect(try ids(items) == [[6, 8, 10]])
        let other = try change(items, database, "INSERT INTO others VALUES (1)")
        #expect(other.rereads == [.related: 1])
        #expect(try ids(items) == [[3, 4, 5]])
    }
}
