import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults
@testable import ListEngine

/// Lists that search in a full-text index are cached, with the statistics of their ranks.
@Suite struct KeptSearches {
    /// 100 documents, every other one with "fox", of different lengths.
    private static let script = """
        CREATE TABLE notes (id INTEGER PRIMARY KEY, title);
        CREATE VIRTUAL TABLE docs USING fts5(title);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
            INSERT INTO notes SELECT i, iif(i % 2, 'fox', 'hen') || substr(' a b c d e f g', 1, i % 7 * 2) FROM n;
        INSERT INTO docs (rowid, title) SELECT id, title FROM notes;
        """

    private static func request(tolerance: Double = .infinity) -> FetchRequest {
        var request = FetchRequest(
            entity: "docs", predicate: "docs MATCH ?", parameters: ["fox OR hen"], sorts: [Sort("rank")])
        request.columns = ["rowid", "rank"]
        request.rankTolerance = tolerance
        request.cacheName = "search"
        return request
    }

    /// The rows in the order of their ranks, with some statistics, or with the present ones.
    private static func ranked(_ store: Store, _ statistics: Value = .null) throws -> [[Value]] {
        try store.connection.rows(
            "SELECT rowid, fr_bm25(docs, ?1) FROM docs WHERE docs MATCH 'fox OR hen' ORDER BY 2, 1", [statistics])
    }

    private static func expect(_ list: FetchedResultsController, _ expected: [[Value]]) throws {
        let shown = try (0..<list.numberOfObjects).map {
            try list.object(at: ListIndexPath(section: 0, row: $0)).values ?? []
        }
        #expect(shown == expected)
    }

    private static func statistics(_ store: Store) throws -> Value {
        try store.connection.rows("SELECT fr_bm25_statistics(docs) FROM docs WHERE docs MATCH 'fox OR hen' LIMIT 1")[0][
            0]
    }

    private func start<Result>(
        _ starts: Starts, _ request: FetchRequest, _ body: (Store, FetchedResultsController) throws -> Result
    ) throws -> Result {
        try starts.start { store in
            let list = try FetchedResultsController(store: store, request: request, nodes: Starts.smallNodes)
            try list.performFetch()
            let result = try body(store, list)
            try list.close()
            return result
        }
    }

    /// Before: a list by rank, to which documents were added since its fetch. Change: it is opened
    /// again, also after a commit that the log shows, and then fetched again. Expected: the order
    /// and the ranks that it had, the same statistics for the next documents, and the present ones
    /// from the second fetch on.
    @Test func aListByRankIsWhatItWasUntilItIsFetchedAgain() throws {
        let starts = try Starts(Self.script, journalMode: "wal")
        let other = try Store(path: starts.file.path)
        let statistics = try Self.statistics(other)
        try start(starts, Self.request()) { store, list in
            try store.execute("INSERT INTO docs VALUES ('fox'), ('fox'), ('fox a')")
            try Self.expect(list, Self.ranked(store, statistics))
            #expect(try Self.ranked(store) != Self.ranked(store, statistics))
        }
        try start(starts, Self.request()) { store, list in
            #expect(list.counters.cachedFetches == 1)
            try Self.expect(list, Self.ranked(store, statistics))
        }
        try other.execute("INSERT INTO docs VALUES ('hen fox')")
        try start(starts, Self.request()) { store, list in
            #expect(list.counters.cachedFetches == 1)
            try store.execute("DELETE FROM docs WHERE rowid < 7")
            try Self.expect(list, Self.ranked(store, statistics))
            try list.performFetch()
            #expect(list.counters.cachedFetches == 1)
            try Self.expect(list, Self.ranked(store))
        }
    }

    /// Before: a list that tolerates 20 % of the 50 documents with one of its words. Change: in
    /// each of two starts 10 % are written, then one more, and more than 20 % while it is closed.
    /// Expected: it is ranked again with that one, and read from the database in the end.
    @Test func theDocumentsOfAllStartsCount() throws {
        let starts = try Starts(Self.script, journalMode: "wal")
        let other = try Store(path: starts.file.path)
        let request = Self.request(tolerance: 0.2)
        let statistics = try Self.statistics(other)
        for cachedFetches in [0, 1] {
            try start(starts, request) { store, list in
                #expect(list.counters.cachedFetches == cachedFetches)
                for _ in 0..<5 { try store.execute("INSERT INTO docs VALUES ('hen')") }
                try Self.expect(list, Self.ranked(store, statistics))
            }
        }
        try start(starts, request) { store, list in
            try Self.expect(list, Self.ranked(store, statistics))
            try store.execute("INSERT INTO docs VALUES ('hen')")
            try Self.expect(list, Self.ranked(store))
            #expect(list.counters.rereads == [.many: 1])
        }
        for _ in 0..<13 { try other.execute("INSERT INTO docs VALUES ('fox')") }
        try start(starts, request) { store, list in
            #expect(list.counters.cachedFetches == 0)
            try Self.expect(list, Self.ranked(store))
        }
    }

    /// Before: a cached list of a table whose predicate searches in an index. Change: another
    /// connection writes to the index alone. Expected: the cached list, with that change.
    @Test func aSearchInAnIndexIsCached() throws {
        let starts = try Starts(Self.script, journalMode: "wal")
        let other = try Store(path: starts.file.path)
        var request = FetchRequest(
            entity: "notes", predicate: "id < 4 AND id IN (SELECT rowid FROM docs WHERE docs MATCH 'fox')")
        request.cacheName = "search"
        #expect(try starts.fetch(request).rows == [[1, 3]])
        try other.execute("UPDATE docs SET title = 'fox' WHERE rowid = 2")
        let taken = try starts.fetch(request)
        #expect(taken.isFromCache && taken.rows == [[1, 2, 3]])
    }

    /// Expected: lists whose ranks depend on more than the touched documents are not cached.
    @Test func aSearchThatIsReadAsAWholeIsNotCached() throws {
        let starts = try Starts(Self.script, journalMode: "wal")
        var request = FetchRequest(
            select: "SELECT rowid AS id FROM docs WHERE docs MATCH 'fox' ORDER BY rank", identity: ["id"])
        request.cacheName = "search"
        for _ in 0..<2 { #expect(try !starts.fetch(request).isFromCache) }
        #expect(starts.files.isEmpty)
    }
}
