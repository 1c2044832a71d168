import ChangeSets
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// The cost of a change, counted: few rows read, few nodes visited, nothing for lists that it does
/// not affect.
@Suite struct CostOfChanges {
    private func makeItems(_ count: Int) throws -> (Store, FetchedResultsController) {
        let store = try makeStore(
            """
            CREATE TABLE lists (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE items (id INTEGER PRIMARY KEY, list_id REFERENCES lists(id), name TEXT, rank);
            CREATE TABLE others (id INTEGER PRIMARY KEY);
            CREATE INDEX by_list ON items(list_id, name);
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT 100)
            INSERT INTO lists SELECT i, 'list ' || i FROM n;
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT \(count))
            INSERT INTO items SELECT i, i % 100, 'item ' || printf('%08d', i * 7919 % \(count)), 0 FROM n;
            """)
        let request = FetchRequest(
            entity: "items", sorts: [Sort("name")], section: Sort("list_id"))
        let items = try FetchedResultsController(store: store, request: request)
        try items.performFetch()
        return (store, items)
    }

    private func cost(_ controller: FetchedResultsController, _ body: () throws -> Void) rethrows -> (
        rows: Int, statements: Int, nodes: Int
    ) {
        let before = controller.counters
        try body()
        let after = controller.counters
        #expect(after.rereads == before.rereads)
        return (
            after.rowsRead - before.rowsRead, after.statementsRun - before.statementsRun,
            after.nodesVisited - before.nodesVisited
        )
    }

    /// Before: a list of 100 rows. Change: rows are inserted, changed and deleted. Expected: one
    /// statement reads them if there are 32 or more, beside those that find their places; of fewer,
    /// one statement reads each.
    @Test func manyTouchedRowsAreReadTogether() throws {
        let (store, items) = try makeItems(100)
        func cost(_ sql: String) throws -> (rows: Int, statements: Int) {
            let cost = try self.cost(items) { try store.execute(sql) }
            return (cost.rows, cost.statements)
        }
        let insert = try cost(
            """
            WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n LIMIT 50)
            INSERT INTO items SELECT i, 3, 'new', 0 FROM n
            """)
        #expect(insert == (50, 1))
        #expect(try cost("UPDATE items SET rank = 1 WHERE id BETWEEN 1000 AND 1031") == (32, 1))
        #expect(try cost("UPDATE items SET rank = 2 WHERE id BETWEEN 1000 AND 1030") == (31, 31))
        #expect(try cost("DELETE FROM items WHERE id >= 1000") == (0, 1))
        #expect(try items.numberOfObjects == 100)
    }

    /// Before: a list of 10,000 rows, each name ten times. Change: 1,000 rows are inserted, of
    /// which each has another name than the row before, but only ten names occur. Expected: a
    /// search for each name, and none for the other rows, in the tree and for their changes.
    @Test func rowsThatBecomeNeighboursAreSearchedOnce() throws {
        let store = try makeStore(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT);
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT 10000)
            INSERT INTO items SELECT i, 'name ' || (i % 1000) FROM n;
            """)
        let items = try FetchedResultsController(
            store: store, request: FetchRequest(entity: "items", sorts: [Sort("name")]))
        try items.performFetch()
        let cost = try cost(items) {
            try store.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 10000 UNION ALL SELECT i + 1 FROM n LIMIT 1000)
                INSERT INTO items SELECT i, 'name ' || (i % 10) FROM n
                """)
        }
        #expect(cost.rows <= 1_010 && cost.nodes <= 1_000, "\(cost)")
        #expect(try items.numberOfObjects == 11_000)
    }

    @Test func oneRowOfAHundredThousand() throws {
        let (store, items) = try makeItems(100_000)
        #expect(items.counters.rereads == [.fetch: 1])
        let update = try cost(items) { try store.execute("UPDATE items SET rank = 1 WHERE id = 77") }
        #expect(update.rows == 1 && update.statements == 1 && update.nodes <= 20, "\(update)")
        let move = try cost(items) { try store.execute("UPDATE items SET name = 'item 00005000x' WHERE id = 78") }
        #expect(move.rows <= 4 && move.nodes <= 60, "\(move)")
        let migration = try cost(items) { try store.execute("UPDATE items SET list_id = 5 WHERE id = 79") }
        #expect(migration.rows <= 4 && migration.nodes <= 60, "\(migration)")
        let insert = try cost(items) { try store.execute("INSERT INTO items VALUES (1000000, 3, 'item 5', 0)") }
        #expect(insert.rows <= 4 && insert.nodes <= 60, "\(insert)")
        let delete = try cost(items) { try store.execute("DELETE FROM items WHERE id = 80") }
        #expect(delete.rows == 1 && delete.nodes <= 60, "\(delete)")
        let nothing = try cost(items) { try store.execute("UPDATE items SET rank = rank WHERE id = 81") }
        #expect(nothing.rows <= 1 && nothing.nodes <= 20, "\(nothing)")
        #expect(items.counters.deliveries == 5)
    }

    @Test func theCostDoesNotGrowWithTheList() throws {
        func nodes(_ count: Int) throws -> Int {
            let (store, items) = try makeItems(count)
            return try cost(items) { try store.execute("UPDATE items SET name = 'item 00000500x' WHERE id = 78") }.nodes
        }
        #expect(try nodes(50_000) <= nodes(1_000) + 20)
    }

    @Test func tablesThatTheListDoesNotReadCostNothing() throws {
        let (store, items) = try makeItems(1_000)
        let cost = try cost(items) {
            try store.execute("INSERT INTO others VALUES (1)")
            try store.execute("UPDATE lists SET name = 'unused'")
            try store.transaction {
                for id in 2..<50 as Range<Int64> { try store.execute("INSERT INTO others VALUES (?)", [.integer(id)]) }
            }
        }
        #expect(cost == (0, 0, 0))
    }

    @Test func readingIndexPathsTouchesNoTable() throws {
        let (_, items) = try makeItems(1_000)
        var (indexes, section, count): ([Int], Int?, Int) = ([], nil, 0)
        let cost = try cost(items) {
            indexes = try (0..<10).map { try items.index(of: ListIndexPath(section: 7, row: $0)) }
            section = try items.indexPath(ofIdentity: [501])?.section
            count = try items.section(at: 99).numberOfObjects
        }
        #expect(indexes == Array(70..<80) && section == 1 && count == 10)
        #expect(cost.rows == 0 && cost.statements == 0)
    }

    @Test func everyFullReadHasItsReason() throws {
        let (store, items) = try makeItems(2_000)
        var request = items.request
        request.sorts = [Sort("rank")]
        try items.setRequest(request)
        try store.execute("CREATE INDEX ranking ON items(rank)")
        try store.execute("UPDATE items SET rank = 1 - rank")
        try store.begin()
        try store.execute("UPDATE items SET rank = 7 WHERE id = 1")
        try items.performFetch()
        try store.rollback()
        #expect(items.counters.rereads == [.fetch: 2, .request: 1, .schema: 1, .many: 1, .transaction: 1])
        request.limit = 10
        try items.setRequest(request)
        try store.execute("UPDATE items SET rank = 7 WHERE id = 1")
        #expect(items.counters.rereads[.window] == nil)
        try store.execute("UPDATE items SET rank = -rank")
        #expect(items.counters.rereads[.window] == 1)
        request.limit = nil
        request.predicate = "id IN (SELECT id FROM others)"
        try items.setRequest(request)
        try store.execute("INSERT INTO others VALUES (1)")
        #expect(items.counters.rereads[.related] == 1)
        #expect(items.counters.rereads[.request] == 3)
    }
}
