import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// Lists whose rows are groups of other rows. The differential tests have random ones.
@Suite struct Groups {
    private let store: Store

    init() throws {
        store = try makeStore(
            """
            CREATE TABLE folders (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE);
            CREATE TABLE mails (
                id INTEGER PRIMARY KEY, folder INTEGER REFERENCES folders (id), seen INTEGER, size
            );
            CREATE INDEX by_size ON mails (folder, size);
            INSERT INTO folders VALUES (1, 'in'), (2, 'out'), (3, 'drafts');
            INSERT INTO mails VALUES (1, 1, 0, 10), (2, 1, 1, 20), (3, 2, 0, 5);
            """)
    }

    private static let totals = [
        Total("mails", .count), Total("unread", .count, of: "seen = 0"), Total("size", .sum, of: "size"),
        Total("mean", .average, of: "size"), Total("least", .min, of: "size"), Total("most", .max, of: "size"),
    ]

    private func request(by keys: [String] = ["folder"], _ totals: [Total] = Self.totals) -> FetchRequest {
        var request = FetchRequest(entity: "mails")
        request.groupBy = keys
        request.totals = totals
        return request
    }

    private func rows(_ watch: Watch) throws -> [[Value]] {
        try (0..<watch.controller.numberOfObjects).map { index in
            try watch.controller.object(at: watch.controller.indexPath(at: index)).values ?? []
        }
    }

    @Test func showKeysAndTotals() throws {
        let groups = try Watch(store, request())
        #expect(try rows(groups) == [[1, 2, 1, 30, 15.0, 10, 20], [2, 1, 1, 5, 5.0, 5, 5]])
        let inbox = try groups.controller.object(at: ListIndexPath(section: 0, row: 0))
        #expect(inbox.columns == ["folder", "mails", "unread", "size", "mean", "least", "most"])
        #expect(inbox.identity == [1])
    }

    /// Before: two groups. Change: each kind of change of a row. Expected: the groups that differ
    /// are updated, with their old values; groups without rows leave, and new ones enter.
    @Test func followRows() throws {
        let groups = try Watch(store, request())
        try store.execute("UPDATE mails SET seen = 1 WHERE id = 1")
        #expect(groups.recorder.deliveries.last?.oldValues == [[1, 2, 1, 30, 15.0, 10, 20]])
        #expect(groups.take() == ["update 1 from 0.0 to 0.0 unread"])
        try store.execute("INSERT INTO mails VALUES (4, 3, 0, NULL)")
        #expect(groups.take() == ["insert 3 at 0.2"])
        #expect(try rows(groups).last == [3, 1, 1, nil, nil, nil, nil])
        try store.execute("UPDATE mails SET folder = 2 WHERE id = 2")
        #expect(
            groups.take() == [
                "update 1 from 0.0 to 0.0 mails size mean most", "update 2 from 0.1 to 0.1 mails size mean most",
            ])
        try store.execute("DELETE FROM mails WHERE id = 4")
        #expect(groups.take() == ["delete 3 at 0.2"])
        try store.execute("UPDATE mails SET id = 9 WHERE id = 1")
        #expect(groups.take() == [])
        #expect(try rows(groups) == [[1, 1, 0, 10, 10.0, 10, 10], [2, 2, 1, 25, 12.5, 5, 20]])
        #expect(groups.controller.counters.rereads == [.fetch: 1])
    }

    /// Before: groups in the order of a total. Change: the total. Expected: the group moves.
    @Test func areSortedByTotals() throws {
        var request = request()
        request.sorts = [Sort("size", isDescending: true), Sort("folder")]
        request.having = "mails > ?"
        request.havingParameters = .positional([0])
        request.limit = 2
        let groups = try Watch(store, request)
        try store.execute("UPDATE mails SET size = 100 WHERE id = 3")
        #expect(groups.take() == ["move 2 from 0.1 to 0.0 size mean least most"])
        (request.having, request.havingParameters) = ("mails > 1", .positional([]))
        try groups.controller.setRequest(request)
        #expect(groups.take() == ["delete 2 at 0.0"])
        request.having = nil
        request.predicate = "size < ?"
        request.parameters = .positional([50])
        try groups.controller.setRequest(request)
        #expect(try rows(groups) == [[1, 2, 1, 30, 15.0, 10, 20]])
        try store.execute("UPDATE mails SET size = 49 WHERE id = 3")
        #expect(groups.take() == ["insert 2 at 0.0"])
        #expect(groups.controller.request.groupBy == ["folder"])
    }

    @Test func followKeyPathsAndExpressions() throws {
        var request = request(by: ["folder.name", "size % 2"], [Total("mails", .count)])
        request.section = Sort("folder.name")
        request.predicate = "folder.name != 'spam'"
        let groups = try Watch(store, request)
        #expect(try rows(groups) == [["in", 0, 2], ["out", 1, 1]])
        try store.execute("UPDATE folders SET name = 'IN' WHERE id = 2")
        #expect(groups.take() == ["section delete 1 out", "delete out/1 at 1.0", "insert IN/1 at 0.1"])
        try store.execute("UPDATE folders SET name = 'spam' WHERE id = 2")
        #expect(groups.take() == ["delete IN/1 at 0.1"])
        #expect(groups.controller.counters.rereads == [.fetch: 1])
    }

    /// Before: no group of NULL. Change: a row of it. Expected: NULLs are one group.
    @Test func aKeyCanBeNull() throws {
        let groups = try Watch(store, request(by: ["folder"], [Total("mails", .count)]))
        try store.execute("INSERT INTO mails VALUES (4, NULL, 0, 1)")
        try store.execute("INSERT INTO mails VALUES (5, NULL, 0, 1)")
        #expect(try rows(groups) == [[nil, 2], [1, 2], [2, 1]])
    }

    @Test func withoutTotalsAreDistinctValues() throws {
        let seen = try Watch(store, request(by: ["seen"], []))
        #expect(try rows(seen) == [[0], [1]])
        try store.execute("UPDATE mails SET seen = 1")
        #expect(seen.take() == ["delete 0 at 0.0"])
    }

    /// Before: integers near the limit. Change: one more, and one less. Expected: the list fails
    /// as `sum()` does, and recovers.
    @Test func anOverflowIsAFailure() throws {
        try store.execute("UPDATE mails SET size = 9223372036854775807 WHERE id = 1")
        let sizes = request(by: ["seen"], [Total("size", .sum, of: "size")])
        #expect(throws: StoreError.self) { try Watch(store, sizes) }
        try store.execute("UPDATE mails SET size = 1 WHERE id = 1")
        let groups = try Watch(store, sizes)
        try store.execute("UPDATE mails SET size = 9223372036854775807 WHERE id = 1")
        #expect(groups.recorder.errors.map(\.status) == [.sql])
        #expect(try rows(groups) == [[0, 6], [1, 20]])
        try store.execute("UPDATE mails SET size = 7 WHERE id = 1")
        #expect(try rows(groups) == [[0, 12], [1, 20]])
    }

    /// Before: a paused list. Change: rows. Expected: it shows the old groups until it is resumed,
    /// then the difference.
    @Test func waitWhilePaused() throws {
        let groups = try Watch(store, request(by: ["folder"], [Total("mails", .count)]))
        try groups.controller.setPaused(true)
        try store.execute("DELETE FROM mails WHERE folder = 2")
        try store.execute("INSERT INTO mails VALUES (4, 3, 0, 1)")
        #expect(try rows(groups) == [[1, 2], [2, 1]])
        try groups.controller.setPaused(false)
        #expect(groups.take() == ["delete 2 at 0.1", "insert 3 at 0.1"])
    }

    /// Before: a fetch in a transaction. Change: it is rolled back. Expected: the groups of before.
    @Test func followARollback() throws {
        let groups = try Watch(store, request(by: ["folder"], [Total("mails", .count)]))
        try store.execute("BEGIN")
        try store.execute("DELETE FROM mails")
        try groups.controller.performFetch()
        #expect(try rows(groups) == [])
        try store.execute("ROLLBACK")
        try store.dispatch()
        #expect(try rows(groups) == [[1, 2], [2, 1]])
    }

    /// Before: a list of groups that is about to change. Expected: it shows the old groups in
    /// will-change, and the new ones afterwards.
    @Test func areOldUntilTheSwitch() throws {
        let groups = try Watch(store, request(by: ["folder"], [Total("mails", .count)]))
        var before: [[Value]] = []
        groups.recorder.willChange = { _ in before = (try? self.rows(groups)) ?? [] }
        try store.executeScript(
            "BEGIN; DELETE FROM mails WHERE id = 3; UPDATE mails SET folder = 3 WHERE id = 2; COMMIT")
        #expect(before == [[1, 2], [2, 1]])
        #expect(try rows(groups) == [[1, 1], [3, 1]])
        withExtendedLifetime(groups) {}
    }

    /// Before: groups of a table. Change: its schema. Expected: the groups stay, and follow.
    @Test func followTheSchema() throws {
        let groups = try Watch(store, request(by: ["folder"], [Total("mails", .count)]))
        try store.execute("ALTER TABLE mails ADD COLUMN more")
        try store.execute("DELETE FROM mails WHERE id = 3")
        #expect(groups.take() == ["delete 2 at 0.1"])
        try store.execute("DROP TABLE mails")
        #expect(groups.recorder.errors.map(\.status) == [.schema])
    }

    @Test(arguments: [
        (["colour"], [Total("n", .count)], "colour"), (["folder"], [Total("folder", .count)], "two columns"),
        (["folder"], [Total("n", .sum)], "expression"), (["folder"], [Total("n", .sum, of: "colour")], "colour"),
        (["folder"], [Total("n", .sum, of: "count(*)")], "count"), (["random() + id"], [], "random"),
    ])
    func whatCanNotBeGroupedIsRefused(keys: [String], totals: [Total], word: String) throws {
        let error = #expect(throws: StoreError.self) {
            try FetchedResultsController(store: store, request: request(by: keys, totals))
        }
        #expect(error?.message.contains(word) == true, "\(String(describing: error))")
    }
}
