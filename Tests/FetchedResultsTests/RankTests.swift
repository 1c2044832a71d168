import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults
@testable import ListEngine

/// Lists in the order of `rank`. The random world has more of them (`RandomRanks`).
@Suite struct RankTests {
    /// Before: a list by rank of two words, each in 50 of 100 documents, that tolerates 10 %.
    /// Change: documents with one of them are written. Expected: the list reads each alone, with
    /// the statistics of the fetch, and is ranked again with the sixth, in one change set of moves.
    @Test func aListIsRankedAgainWhenMoreIsWrittenThanItTolerates() throws {
        let store = try Store(path: ":memory:")
        try store.executeScript("CREATE VIRTUAL TABLE docs USING fts5(title, body)")
        for number in 0..<100 {
            let body = Array(repeating: "a", count: number % 7).joined(separator: " ")
            try store.execute(
                "INSERT INTO docs VALUES (?1, ?2)", [.text(number % 2 == 0 ? "fox" : "blue"), .text(body)])
        }
        var request = FetchRequest(
            entity: "docs", predicate: "docs MATCH ?", parameters: ["fox OR blue"], sorts: [Sort("rank")])
        request.columns = ["rowid", "rank", "highlight(docs, 1, '[', ']')"]
        request.rankTolerance = 0.1
        let list = try FetchedResultsController(store: store, request: request)
        try list.performFetch()
        func presentStatistics() throws -> [[Value]] {
            try store.connection.rows(
                "SELECT fr_bm25_statistics(docs) FROM docs WHERE docs MATCH 'fox OR blue' LIMIT 1")
        }
        let statistics = try presentStatistics()[0][0]
        func expect(_ statistics: Value, _ comment: Comment) throws {
            let shown = try (0..<list.numberOfObjects).map {
                try list.object(at: ListIndexPath(section: 0, row: $0)).values ?? []
            }
            let expected = try store.connection.rows(
                """
                SELECT rowid, fr_bm25(docs, ?1), highlight(docs, 1, '[', ']') FROM docs WHERE docs MATCH 'fox OR blue'
                ORDER BY 2, 1
                """, [statistics])
            #expect(shown == expected, comment)
        }
        final class Moves: FetchedResultsObserver {
            var counts: [Int] = []
            func list(_ list: any LiveList, didDeliver changes: ListChanges) {
                counts.append(changes.changeSet.objectChanges.count { $0.type == .move })
            }
        }
        let moves = Moves()
        list.addObserver(moves)
        for number in 1...5 {
            try store.execute("INSERT INTO docs VALUES ('blue', 'hen')")
            try expect(statistics, "\(number)")
        }
        #expect(
            try list.explain().wholeReads[.many]?.hasSuffix("(so far 5 of 100 documents, 5 of 50 that match)") ?? false)
        #expect(list.counters.rereads[.many] ?? 0 == 0 && moves.counts == [0, 0, 0, 0, 0])
        try store.execute("INSERT INTO docs VALUES ('blue', 'hen')")
        #expect(try presentStatistics()[0][0] != statistics)
        try expect(try presentStatistics()[0][0], "ranked again")
        #expect(list.counters.rereads[.many] == 1 && moves.counts.count == 6 && moves.counts[5] > 0)
    }

    /// Before: a list that is ranked again with each document, in an order that needs the columns
    /// of the table as well. Change: a document of it. Expected: the new text with its marks.
    @Test func aListThatIsRankedAgainMarksTheMatchesOfTouchedDocuments() throws {
        let store = try Store(path: ":memory:")
        try store.executeScript(
            """
            CREATE VIRTUAL TABLE docs USING fts5(title);
            INSERT INTO docs VALUES ('red fox'), ('the hen is red');
            """)
        var request = FetchRequest(
            entity: "docs", predicate: "docs MATCH 'red'", sorts: [Sort("rank"), Sort("lower(title)")])
        request.columns = ["highlight(docs, 0, '[', ']') AS marked"]
        request.rankTolerance = 0
        let list = try FetchedResultsController(store: store, request: request)
        try list.performFetch()
        func shown() throws -> [[Value]] {
            try (0..<2).map { try list.object(at: ListIndexPath(section: 0, row: $0)).values ?? [] }
        }
        #expect(try shown() == [["[red] fox"], ["the hen is [red]"]])
        try store.execute("UPDATE docs SET title = 'one red fox' WHERE rowid = 1")
        #expect(try shown() == [["one [red] fox"], ["the hen is [red]"]])
    }

    @Test func thePredicateCanHaveTheOptionRank() throws {
        let store = try Store(path: ":memory:")
        try store.executeScript(
            """
            CREATE VIRTUAL TABLE docs USING fts5(title, body);
            INSERT INTO docs VALUES ('red', 'fox'), ('fox', 'red'), ('red red', 'hen');
            """)
        func ids(_ predicate: String, _ parameters: [Value]) throws -> [Int64] {
            let request = FetchRequest(
                entity: "docs", predicate: predicate, parameters: parameters, sorts: [Sort("rank")])
            let list = try FetchedResultsController(store: store, request: request)
            try list.performFetch()
            return try list.identities().map { $0[0] }.compactMap { if case .integer(let id) = $0 { id } else { nil } }
        }
        for option in ["bm25(0.1, 9.0)", "bm25(9.0, 0.1)"] {
            let expected = try store.connection.rows(
                "SELECT rowid FROM docs WHERE docs MATCH 'red' AND rank MATCH ?1 ORDER BY rank, rowid", [.text(option)]
            ).map { $0[0] }
            for predicate in ["docs MATCH 'red' AND rank MATCH ?", "rank MATCH '\(option)' AND docs MATCH 'red'"] {
                let found = try ids(predicate, predicate.contains("?") ? [.text(option)] : [])
                #expect(found.map { .integer($0) } == expected, "\(predicate)")
            }
        }
        #expect(throws: StoreError.self) { try ids("docs MATCH 'red' AND rank MATCH 'bm25(' || ? || ')'", ["1"]) }
    }
}
