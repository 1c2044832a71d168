import OrderedTree
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// Lists that were cached in an earlier state, from which the write-ahead log leads to the present:
/// they are not read again.
@Suite struct ListsFromEarlierStates {
    private static let changes = [
        "UPDATE items SET name = 'a first', list_id = 2 WHERE id = 10", "DELETE FROM items WHERE id = 11",
        "INSERT INTO items VALUES (60, 3, 'new', 0)", "UPDATE items SET done = 0 WHERE id = 3",
        "UPDATE items SET id = 100 WHERE id = 20", "INSERT OR REPLACE INTO items VALUES (22, 1, 'replaced', 0)",
    ]

    /// The contents that a fetch has to show, read from scratch.
    private func read(_ starts: Starts) throws -> [[Value]] {
        var request = Starts.request
        request.cacheName = nil
        return try starts.fetch(request).rows
    }

    /// Cached by a program that ends last, so that the log is deleted; the next one makes another,
    /// which still exists.
    @Test func aListContinuesFromADatabaseFileThatNobodyHasWrittenTo() throws {
        let starts = try Starts()
        let before = try starts.fetch()
        let other = try Store(path: starts.file.path)
        defer { try? other.close() }
        for change in Self.changes { try other.execute(change) }
        let next = try starts.fetch()
        #expect(next.isFromCache)
        #expect(next.rows != before.rows)
        #expect(try next.rows == read(starts))
    }

    /// Cached by a program that is not the last one to close the database, whose log then stays.
    @Test func aListContinuesFromItsPlaceInTheLog() throws {
        let starts = try Starts()
        let other = try Store(path: starts.file.path)
        defer { try? other.close() }
        try other.execute("INSERT INTO other VALUES (1, 1)")
        var before = try starts.fetch()
        for change in Self.changes {
            try other.execute(change)
            let next = try starts.fetch()
            #expect(next.isFromCache, "\(change)")
            #expect(next.rows != before.rows, "\(change)")
            #expect(try next.rows == read(starts), "\(change)")
            before = next
        }
    }

    /// Before: a cached list with a section of one row, whose value is 1. Change: that row leaves,
    /// and one with 1.0 enters. Expected: the section retains its spelling, as in a list that is
    /// shown.
    @Test func aSectionRetainsItsSpelling() throws {
        let starts = try Starts(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, a);
            WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 50) INSERT INTO items SELECT i, i FROM n;
            INSERT INTO items VALUES (1, 1);
            """)
        let other = try Store(path: starts.file.path)
        defer { try? other.close() }
        try other.execute("UPDATE items SET a = 2 WHERE id = 50")
        var request = FetchRequest(entity: "items", section: Sort("a"))
        request.cacheName = "by a"
        func fetchSpelling() throws -> (name: String?, isFromCache: Bool) {
            var name: String?
            let fetched = try starts.fetch(request) { name = try $1.section(at: 0).name }
            return (name, fetched.isFromCache)
        }
        #expect(try fetchSpelling() == ("1", false))
        try other.executeScript("UPDATE items SET a = 2 WHERE id = 1; INSERT INTO items VALUES (60, 1.0)")
        #expect(try fetchSpelling() == ("1", true))
    }

    /// A list that is updated to the present state continues from there like any other.
    @Test func aListThatContinuedFollowsLaterChanges() throws {
        let starts = try Starts()
        let other = try Store(path: starts.file.path)
        defer { try? other.close() }
        try other.execute("INSERT INTO other VALUES (1, 1)")
        _ = try starts.fetch()
        try other.execute(Self.changes[0])
        let next = try starts.fetch { store, controller in
            for change in Self.changes.dropFirst() {
                try other.execute(change)
                try store.dispatch()
            }
            #expect(controller.engine.counters.rereads.isEmpty)
            #expect(controller.engine.list?.rows.checkInvariants() == [])
            var request = Starts.request
            request.cacheName = nil
            let read = try FetchedResultsController(store: store, request: request)
            try read.performFetch()
            #expect(try controller.values("id") == read.values("id"))
        }
        #expect(next.isFromCache)
    }

    /// The pages of the earlier state are then lost.
    @Test(arguments: ["PASSIVE", "FULL", "RESTART", "TRUNCATE"]) func aListIsReadOnceTheLogWasWrittenBack(
        mode: String
    ) throws {
        let starts = try Starts()
        let other = try Store(path: starts.file.path)
        defer { try? other.close() }
        try other.execute("INSERT INTO other VALUES (1, 1)")
        _ = try starts.fetch()
        try other.execute(Self.changes[0])
        try other.query("PRAGMA wal_checkpoint(\(mode))") { _ in }
        let next = try starts.fetch()
        #expect(!next.isFromCache)
        #expect(try next.rows == read(starts))
    }

    /// Before: a cached list of a table with a history. Change: commits of a program that ends
    /// last, so that the log is deleted and the database file written. Expected: the history leads
    /// on.
    @Test(arguments: ["wal", "delete"]) func aListContinuesFromAHistory(journalMode: String) throws {
        let starts = try Starts(journalMode: journalMode)
        try starts.start { store in for table in ["items", "lists"] { try store.startHistory(of: table) } }
        let before = try starts.fetch()
        try starts.start { store in for change in Self.changes { try store.execute(change) } }
        let next = try starts.fetch()
        #expect(next.isFromCache)
        #expect(next.rows != before.rows)
        #expect(try next.rows == read(starts))
    }

    /// No trigger sees that a table is dropped and made again.
    @Test func aListIsReadIfTheHistoryBeganLater() throws {
        let starts = try Starts("CREATE TABLE items (id INTEGER PRIMARY KEY, name); INSERT INTO items VALUES (1, 'a')")
        var request = FetchRequest(entity: "items", sorts: [Sort("name")])
        request.cacheName = "items"
        try starts.start { try $0.startHistory(of: "items") }
        _ = try starts.fetch(request)
        try starts.start { store in
            try store.executeScript(
                """
                DROP TABLE items; CREATE TABLE items (id INTEGER PRIMARY KEY, name);
                INSERT INTO items VALUES (1, 'a'), (9, 'b');
                """)
            try store.startHistory(of: "items")
        }
        let next = try starts.fetch(request)
        #expect(!next.isFromCache)
        #expect(next.rows == [[1, 9]])
    }

    @Test func aListIsReadAfterAChangeOfTheSchema() throws {
        let starts = try Starts()
        let other = try Store(path: starts.file.path)
        defer { try? other.close() }
        _ = try starts.fetch()
        try other.execute("ALTER TABLE items ADD COLUMN note")
        let next = try starts.fetch()
        #expect(!next.isFromCache)
        #expect(try next.rows == read(starts))
    }
}
