import ChangeSets
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults
@testable import ListEngine

/// Lists in the order of `rank`, and lists that show ranks, highlights and snippets.
@Suite struct RankTests {
    private static let words = ["red", "green", "blue", "fox", "hen", "cat", "dog", "a", "b", "c"]

    private static func makeText(_ random: inout SeededRandom) -> String {
        (0..<1 + random.below(8)).map { _ in random.pick(words) }.joined(separator: " ")
    }

    /// A list, the SELECT that judges it, and what its change sets make of the old list.
    private final class Judged: FetchedResultsObserver {
        let list: FetchedResultsController
        let rank: String
        var replay: [ReplayedSection<Int, [Value]>] = []
        private(set) var moves = 0

        init(_ store: Store, _ request: FetchRequest, rank: String) throws {
            list = try FetchedResultsController(store: store, request: request)
            self.rank = rank
            try list.performFetch()
            list.addObserver(self)
            try restart()
        }

        func restart() throws { replay = [ReplayedSection(0, try shown.map { [$0[0]] })] }

        func list(_ list: any LiveList, didDeliver changes: ListChanges) {
            moves += changes.changeSet.objectChanges.count { $0.type == .move }
            do {
                if changes.changeSet.isReload { return try restart() }
                replay = try changes.changeSet.applied(to: replay, section: { _, _ in 0 }) { change, old in
                    old ?? changes.identity(of: change)
                }
            } catch {
                Issue.record("\(error) in \(changes.changeSet)")
            }
        }

        /// The shown rows: rowid, then the columns.
        var shown: [[Value]] {
            get throws {
                try (0..<list.numberOfObjects).map {
                    let object = try list.object(at: ListIndexPath(section: 0, row: $0))
                    return object.identity + (object.values ?? [])
                }
            }
        }

        /// What the list has to show, with its own statistics, or with the present ones.
        func expected(_ match: String, _ limit: String, statistics: Value) throws -> [[Value]] {
            let connection = list.store.connection
            let sql = """
                SELECT rowid, rowid, \(rank), highlight(docs, 1, '[', ']') FROM docs WHERE docs MATCH ?2
                ORDER BY \(list.request.sorts.isEmpty ? "" : "\(rank), ")rowid \(limit)
                """
            return try connection.rows(sql, [statistics, .text(match)])
        }

        var statistics: Value { list.engine.compiled.statistics.map { .blob($0.bytes) } ?? .null }
    }

    private static let forms = [
        "CREATE VIRTUAL TABLE docs USING fts5(title, body)",
        "CREATE VIRTUAL TABLE docs USING fts5(title, body, tokenize = 'porter', columnsize = 1)",
        """
        CREATE TABLE texts (id INTEGER PRIMARY KEY, title, body);
        CREATE VIRTUAL TABLE docs USING fts5(title, body, content = texts, content_rowid = id);
        CREATE TRIGGER i AFTER INSERT ON texts BEGIN
            INSERT INTO docs (rowid, title, body) VALUES (new.id, new.title, new.body); END;
        CREATE TRIGGER d AFTER DELETE ON texts BEGIN
            INSERT INTO docs (docs, rowid, title, body) VALUES ('delete', old.id, old.title, old.body); END;
        CREATE TRIGGER u AFTER UPDATE ON texts BEGIN
            INSERT INTO docs (docs, rowid, title, body) VALUES ('delete', old.id, old.title, old.body);
            INSERT INTO docs (rowid, title, body) VALUES (new.id, new.title, new.body); END;
        """,
    ]

    /// The ways to write a rank, each with the library's function that judges it.
    private static let ranks = [
        ("rank", "fr_rank(docs, ?1, (SELECT v FROM docs_config WHERE k = 'rank'))"),
        ("bm25(docs)", "fr_bm25(docs, ?1)"),
        ("bm25(docs, 10.0, 0.5)", "fr_bm25(docs, ?1, 10.0, 0.5)"),
        ("docs.rank", "fr_rank(docs, ?1, (SELECT v FROM docs_config WHERE k = 'rank'))"),
        ("-bm25(docs, 2)", "-fr_bm25(docs, ?1, 2)"),
    ]

    private static func write(_ store: Store, _ random: inout SeededRandom, _ table: String) throws {
        for _ in 0..<1 + random.below(3) {
            let rowid = Value.integer(Int64(1 + random.below(300)))
            let id = table == "docs" ? "rowid" : "id"
            switch random.below(5) {
            case 0, 1:
                try store.execute(
                    "INSERT INTO \(table) (title, body) VALUES (?1, ?2)",
                    [.text(makeText(&random)), .text(makeText(&random))])
            case 2: try store.execute("DELETE FROM \(table) WHERE \(id) = ?1", [rowid])
            default:
                try store.execute(
                    "UPDATE \(table) SET body = ?2 WHERE \(id) = ?1", [rowid, .text(makeText(&random))])
            }
        }
    }

    /// Before: lists of random documents by rank. Change: own and foreign commits, pauses, other
    /// requests, fetches. Expected: at each time the rows, their order and their ranks are what a
    /// SELECT yields with the list's statistics; the present ones after a fetch, and after the
    /// request was set again.
    @Test(arguments: RandomTests.seeds(0..<24))
    func ranksAreExactWithTheListsStatistics(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let file = TemporaryFile()
        let store = try Store(path: random.chance(70) ? file.path : ":memory:")
        let form = random.pick(Self.forms)
        let table = form.contains("texts") ? "texts" : "docs"
        try store.executeScript(form + "; CREATE TABLE x (y REFERENCES x (z) DEFERRABLE INITIALLY DEFERRED, z UNIQUE)")
        for _ in 0..<100 { try Self.write(store, &random, table) }
        let other = store.connection.fileName == nil ? nil : try Store(path: file.path)
        var lists: [(judged: Judged, match: String, limit: String)] = []
        for _ in 0..<3 {
            let (written, judge) = random.pick(Self.ranks)
            let match = random.pick(["red", "red OR hen", "\"red fox\"", "title : re* OR b*", "nothing"])
            var request = FetchRequest(
                entity: "docs", predicate: random.pick(["docs MATCH ?", "docs MATCH :text", "(docs MATCH ?1)"]),
                parameters: [.text(match)], sorts: [Sort(written)])
            if request.predicate?.contains(":") ?? false { request.parameters = .named([("text", .text(match))]) }
            request.columns = ["rowid", written, "highlight(docs, 1, '[', ']') AS marked"]
            request.rankTolerance = random.pick([.infinity, .infinity, 0, 0.01, 0.2])
            if random.chance(20) { request.sorts = [] }
            let limit = random.chance(30) ? 1 + random.below(9) : nil
            request.limit = limit
            lists.append((try Judged(store, request, rank: judge), match, limit.map { "LIMIT \($0)" } ?? ""))
        }
        for step in 0..<40 {
            let (judged, match, _) = random.pick(lists)
            switch random.below(12) {
            case 10, 11:
                // The changes are prepared before the COMMIT, which can fail.
                try store.begin()
                try Self.write(store, &random, table)
                if random.chance(60) { try store.execute("INSERT INTO x (y) VALUES (1)") }
                do { try store.commit() } catch { try store.rollback() }
            case 0...3: try Self.write(store, &random, table)
            case 4, 5: if let other { try Self.write(other, &random, table) }
            case 6: try judged.list.setPaused(!judged.list.isPaused)
            case 7:
                try judged.list.setRequest(judged.list.request)
                try store.dispatch()
                if !judged.list.isPaused {
                    #expect(try judged.statistics == Self.present(store, match), "seed \(seed), step \(step)")
                }
            case 8:
                try Self.fetch(judged.list, store, inBackground: random.chance(50))
                try judged.restart()
                #expect(try judged.statistics == Self.present(store, match), "seed \(seed), step \(step)")
            default:
                try (random.chance(50) ? other ?? store : store).execute(
                    "INSERT INTO docs (docs, rank) VALUES ('rank', ?1)",
                    [.text(random.pick(["bm25()", "bm25(3.0, 0.25)"]))])
            }
            try store.dispatch()
            for (judged, match, limit) in lists where !judged.list.isPaused {
                let shown = try judged.shown
                #expect(
                    try shown == judged.expected(match, limit, statistics: judged.statistics),
                    "seed \(seed), step \(step): \(match), \(judged.rank) \(limit)")
                #expect(judged.replay[0].rows == shown.map { [$0[0]] }, "seed \(seed), step \(step)")
            }
        }
    }

    private static func fetch(_ list: FetchedResultsController, _ store: Store, inBackground: Bool) throws {
        if !inBackground { return try list.performFetch() }
        var ended: StoreError??
        try list.performFetchAsynchronously { ended = .some($0) }
        while ended == nil { try store.dispatch() }
        if let error = ended.flatMap({ $0 }) { throw error }
    }

    private static func present(_ store: Store, _ match: String) throws -> Value {
        let rows = try store.connection.rows(
            "SELECT fr_bm25_statistics(docs) FROM docs WHERE docs MATCH ?1 LIMIT 1", [.text(match)])
        return rows.first?[0] ?? .null
    }

    /// Before: a list by rank of two words, each in 50 of 100 documents, that tolerates 10 %.
    /// Change: documents with one of them are written. Expected: the list reads each alone, and is
    /// ranked again with the sixth, in one change set of moves.
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
        let judged = try Judged(store, request, rank: "fr_bm25(docs, ?1)")
        let statistics = judged.statistics
        for number in 1...6 {
            #expect(judged.statistics == statistics && judged.list.counters.rereads[.many] ?? 0 == 0)
            try store.execute("INSERT INTO docs VALUES ('blue', 'hen')")
            #expect(try judged.shown == judged.expected("fox OR blue", "", statistics: judged.statistics), "\(number)")
        }
        #expect(judged.list.counters.rereads[.many] == 1)
        #expect(judged.statistics != statistics && judged.moves > 0)
        #expect(try judged.statistics == Self.present(store, "fox OR blue"))
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
