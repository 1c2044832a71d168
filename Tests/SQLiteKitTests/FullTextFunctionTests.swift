import CSQLite
import SQLiteKit
import TestSupport
import Testing

/// The library's auxiliary functions of FTS5.
@Suite struct FullTextFunctionTests {
    private static let words = ["red", "green", "blue", "fox", "hen", "a", "über", "ÜBER", "x-y"]
    private static let queries = [
        "red", "red fox", "red OR hen", "\"red fox\"", "NEAR(red fox, 2)", "re* OR b*", "b : red OR hen", "red NOT hen",
        "\"red green\" OR green", "über", "^red OR blue", "red OR red",
    ]
    private static let tables = [
        "fts5(a, b)", "fts5(a, b, tokenize = 'porter unicode61')", "fts5(a, b, tokenize = ascii, detail = column)",
        "fts5(a, b, detail = none)", "fts5(a, b, columnsize = 0)", "fts5(a, b UNINDEXED, prefix = 2)",
        "fts5(a, b, tokenize = trigram)",
    ]

    private static func makeText(_ random: inout SeededRandom) -> String {
        (0..<random.below(12)).map { _ in random.pick(words) }.joined(separator: random.pick([" ", ", ", "  "]))
    }

    private static func insert(_ count: Int, into connection: Connection, _ random: inout SeededRandom) throws {
        let insert = try connection.prepare("INSERT INTO t (a, b) VALUES (?1, ?2)")
        for _ in 0..<count {
            try insert.bind([.text(makeText(&random)), .text(makeText(&random))])
            try insert.run()
        }
    }

    private static func canRun(_ query: String, _ table: String) -> Bool {
        let isPhrase = query.contains("\"") || query.contains("NEAR") || query.contains("^")
        if table.contains("trigram") { return !["re* OR b*", "x-y"].contains(query) && !query.contains("NEAR") }
        return !(isPhrase && table.contains("detail")) && !(query.contains(":") && table.contains("none"))
    }

    /// Before: random documents. Expected: the bits of bm25(), with the present statistics and with
    /// the same ones given. Change: more documents. Expected: a row's rank with the statistics of
    /// before is the one that it had.
    @Test(arguments: tables, 0..<4)
    func ranksAreThoseOfFTS5(_ table: String, _ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for encoding in ["UTF-8", "UTF-16le"] {
            let connection = try memoryConnection(encoding: encoding)
            try connection.addFullTextFunctions()
            defer { connection.close() }
            try connection.execute("CREATE VIRTUAL TABLE t USING \(table)")
            try Self.insert(60, into: connection, &random)
            for query in Self.queries where Self.canRun(query, table) {
                let match = "FROM t WHERE t MATCH '\(query)'"
                let weights = random.pick(["", ", 10.0, 0.5", ", 0, 1", ", -1.5", ", 1, 2, 3", ", 'x'"])
                let same = """
                    WITH s(v) AS MATERIALIZED (SELECT fr_bm25_statistics(t) \(match) LIMIT 1)
                    SELECT bm25(t\(weights)), fr_bm25(t, NULL\(weights)), fr_bm25(t, (SELECT v FROM s)\(weights)) \(match)
                    """
                for row in try connection.rows(same) { #expect(row[1] == row[0] && row[2] == row[0], "\(query)") }
                guard let statistics = try connection.rows("SELECT fr_bm25_statistics(t) \(match) LIMIT 1").first else {
                    continue
                }
                let before = try connection.rows("SELECT rowid, bm25(t\(weights)) \(match)")
                try connection.execute("SAVEPOINT more")
                try Self.insert(20, into: connection, &random)
                for row in before {
                    let one = try connection.prepare(
                        "SELECT rowid, fr_bm25(t, ?1\(weights)) \(match) AND rowid = ?2")
                    try one.bind([statistics[0], row[0]])
                    #expect(try one.step())
                    #expect(one.rowValues(from: 0, count: 2).values == row, "\(query)")
                }
                try connection.execute("ROLLBACK TO more")
                try connection.execute("RELEASE more")
            }
        }
    }

    @Test func weightsAreReadFromTheOptionRank() throws {
        let connection = try memoryConnection()
        try connection.addFullTextFunctions()
        defer { connection.close() }
        try connection.execute("CREATE VIRTUAL TABLE t USING fts5(a, b)")
        var random = SeededRandom(seed: 1)
        try Self.insert(40, into: connection, &random)
        let rank = "(SELECT v FROM t_config WHERE k = 'rank')"
        let rows = "SELECT rank, fr_rank(t, NULL, \(rank)) FROM t WHERE t MATCH 'red OR fox'"
        for option in ["bm25()", "bm25(10.0, 5.0)", " BM25 ( 2 , 0.5,3 ) ", "bm25(-10.0, .25)"] {
            let set = try connection.prepare("INSERT INTO t (t, rank) VALUES ('rank', ?1)")
            try set.bind([.text(option)])
            try set.run()
            for row in try connection.rows(rows) { #expect(row[0] == row[1], "\(option)") }
        }
        for option in ["snippet(0, 'a', 'b', 'c', 4)", "bm25(1, 'x')"] {
            try connection.execute("INSERT INTO t (t, rank) VALUES ('rank', \"\(option)\")")
            #expect(status { _ = try connection.rows(rows) } == .error, "\(option)")
        }
        #expect(
            try connection.rows("SELECT fr_rank(t, NULL, NULL) = bm25(t) FROM t WHERE t MATCH 'red'").allSatisfy {
                $0 == [.integer(1)]
            })
    }

    @Test func statisticsOfAnotherQueryAreRefused() throws {
        let connection = try memoryConnection()
        try connection.addFullTextFunctions()
        defer { connection.close() }
        try connection.execute("CREATE VIRTUAL TABLE t USING fts5(a, b)")
        try connection.execute("INSERT INTO t VALUES ('red fox', 'hen')")
        for statistics in ["x'00'", "zeroblob(16)", "zeroblob(40)", "'text'", "1"] {
            #expect(
                status { _ = try connection.rows("SELECT fr_bm25(t, \(statistics)) FROM t WHERE t MATCH 'red'") }
                    == .error)
        }
        // Numbers that no documents have make no crash.
        let numbers = ["zeroblob(24)", "x'ffffffffffffffffffffffffffffffffffffffffffffffff'"]
        for statistics in numbers {
            _ = try connection.rows("SELECT fr_bm25(t, \(statistics)) FROM t WHERE t MATCH 'red'")
        }
        for name in ["fr_bm25(t)", "fr_rank(t)", "fr_bm25_statistics(t)", "fr_offsets(t)"] {
            #expect(try connection.rows("SELECT \(name) FROM t WHERE t MATCH 'red'").count == 1)
        }
    }

    /// Expected: the text with marks at the offsets is what highlight() makes.
    @Test(arguments: tables, 0..<4)
    func offsetsAreWhereHighlightMarks(_ table: String, _ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let connection = try memoryConnection(encoding: random.pick(["UTF-8", "UTF-16be"]))
        try connection.addFullTextFunctions()
        defer { connection.close() }
        try connection.execute("CREATE VIRTUAL TABLE t USING \(table)")
        try Self.insert(40, into: connection, &random)
        for query in Self.queries where Self.canRun(query, table) {
            for row in try connection.rows(
                "SELECT fr_offsets(t), a, b, highlight(t, 0, '[', ']'), highlight(t, 1, '[', ']') FROM t WHERE t MATCH '\(query)'"
            ) {
                let texts = row.map { if case .text(let text) = $0 { text } else { "" } }
                let numbers = texts[0].split(separator: " ").compactMap { Int($0) }
                var marked = [Array(texts[1].utf8), Array(texts[2].utf8)]
                for place in stride(from: numbers.count - 3, through: 0, by: -3) {
                    let (column, start, count) = (numbers[place], numbers[place + 1], numbers[place + 2])
                    marked[column].insert(UInt8(ascii: "]"), at: start + count)
                    marked[column].insert(UInt8(ascii: "["), at: start)
                }
                #expect(marked.map { String(decoding: $0, as: UTF8.self) } == [texts[3], texts[4]], "\(query)")
            }
        }
    }

    /// Before: a program's connection. Change: two stores after each other use it. Expected: the
    /// functions work, also when none uses it any more.
    @Test func adoptedConnectionsKeepTheFunctions() throws {
        var handle: OpaquePointer?
        #expect(sqlite3_open(":memory:", &handle) == SQLITE_OK)
        defer { sqlite3_close(handle) }
        let program = try #require(handle)
        for _ in 0..<2 {
            let connection = Connection.adopt(program)
            try connection.addFullTextFunctions()
            connection.close()
        }
        let count = "SELECT count(*) = 1 FROM pragma_function_list WHERE name = 'fr_offsets'"
        let rows = "SELECT fr_offsets(t) = '0 0 3' FROM t WHERE t MATCH 'red'"
        #expect(
            sqlite3_exec(program, "CREATE VIRTUAL TABLE t USING fts5(a); INSERT INTO t VALUES ('red')", nil, nil, nil)
                == SQLITE_OK)
        for sql in [count, rows] {
            var statement: OpaquePointer?
            sqlite3_prepare_v2(program, sql, -1, &statement, nil)
            #expect(sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_int(statement, 0) == 1, "\(sql)")
            sqlite3_finalize(statement)
        }
    }

    /// Before: an authorizer refuses FTS5's function. Expected: a connection without the library's.
    @Test func aConnectionThatRefusesFTS5IsUsedWithout() throws {
        var handle: OpaquePointer?
        #expect(sqlite3_open(":memory:", &handle) == SQLITE_OK)
        defer { sqlite3_close(handle) }
        sqlite3_set_authorizer(
            handle,
            { _, action, _, name, _, _ in
                let isRefused = action == SQLITE_FUNCTION && name.map { String(cString: $0) } == "fts5"
                return isRefused ? SQLITE_DENY : SQLITE_OK
            }, nil)
        let connection = Connection.adopt(try #require(handle))
        try connection.addFullTextFunctions()
        #expect(try connection.rows("SELECT 1") == [[.integer(1)]])
        #expect(status { _ = try connection.prepare("SELECT fr_offsets(1)") } == .sql)
        connection.close()
    }
}
