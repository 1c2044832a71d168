import SQLiteKit
import TestSupport
import Testing

@Suite struct StatementTests {
    @Test func parametersAreBoundByNumberOrByName() throws {
        let connection = try memoryConnection()
        let byPlace = try connection.prepare("SELECT ?, ?")
        try byPlace.bind([.integer(1), .text("a")])
        #expect(try byPlace.step() && byPlace.integer(0) == 1 && byPlace.text(1) == "a")
        byPlace.reset()
        #expect(status { try byPlace.bind([.null]) } == .sql)
        #expect(status { try byPlace.bind(.null, at: 3) } == .range)

        let byName = try connection.prepare("SELECT :a, @b, $c")
        try byName.bind(named: [("a", 1), ("@b", 2), ("$c", 3)])
        #expect(try byName.step() && (0..<3).map { byName.integer($0) } == [1, 2, 3])
        byName.reset()
        #expect(status { try byName.bind(named: [("a", 1), ("@b", 2)]) } == .sql)
        #expect(status { try byName.bind(named: [("a", 1), ("@b", 2), ("$c", 3), ("d", 4)]) } == .sql)
        #expect(byName.parameterName(1) == ":a" && byPlace.parameterName(1) == nil)
    }

    @Test func emptyTextsAndBlobsAreNotNull() throws {
        let row = try memoryConnection().rows(
            "SELECT ?, ?, typeof(?), typeof(?)", [.text(""), .blob([]), .text(""), .blob([])])
        #expect(row == [[.text(""), .blob([]), .text("text"), .text("blob")]])
    }

    @Test func onlyOneStatementIsPrepared() throws {
        let connection = try memoryConnection()
        for sql in ["SELECT 1; SELECT 2", "", " -- nothing\n", ";", "SELEC 1", "SELECT * FROM nowhere"] {
            #expect(status { _ = try connection.prepare(sql) } == .sql, "\(sql)")
        }
        for sql in ["SELECT 1;", "SELECT 1 ; -- end", "SELECT 1 /* ; SELECT 2 */;;"] {
            #expect(status { _ = try connection.prepare(sql) } == nil, "\(sql)")
        }
    }

    @Test func aScriptIsPreparedStatementByStatement() throws {
        let connection = try memoryConnection()
        var texts: [Int] = []
        try connection.eachStatement(
            of: "CREATE TABLE t (a); -- first\nINSERT INTO t VALUES (';'); ; SELECT count(*) FROM t;"
        ) { statement in
            while try statement.step() { texts.append(Int(statement.integer(0))) }
        }
        #expect(texts == [1])
    }

    @Test func theFirstWordDeterminesTheKind() throws {
        let connection = try memoryConnection()
        try connection.execute("CREATE TABLE t (a)")
        let kinds: [(String, StatementKind)] = [
            ("/* x */ select 1", .data), ("WITH a AS (SELECT 1) DELETE FROM t", .data),
            ("REPLACE INTO t VALUES (1)", .data),
            ("EXPLAIN SELECT 1", .data), ("VALUES (1)", .data), ("; begin", .transaction),
            ("SAVEPOINT a", .transaction),
            ("END", .transaction), ("PRAGMA encoding", .exclusive), ("DROP TABLE t", .schema), ("VACUUM", .exclusive),
            ("CREATE TABLE u (b)", .schema), ("ATTACH ':memory:' AS a", .exclusive),
        ]
        for (sql, kind) in kinds { #expect(try connection.prepare(sql).kind == kind, "\(sql)") }
    }

    /// A half-way statement that writes has written everything, and commits when it ends.
    @Test func halfWayStatementsCommitAtTheirEnd() throws {
        let connection = try memoryConnection()
        try connection.execute("CREATE TABLE t (a)")
        let insert = try connection.prepare("INSERT INTO t VALUES (1), (2) RETURNING a")
        #expect(try insert.step() && insert.isUnderWay)
        #expect(connection.isInTransaction && connection.isAutocommit && connection.hasUncommittedWrites)
        try insert.end()
        #expect(!connection.isInTransaction && !insert.isUnderWay)
        #expect(try connection.rows("SELECT count(*) FROM t") == [[2]])
    }

    @Test func aFailingStatementReportsTheReason() throws {
        let connection = try memoryConnection()
        try connection.execute("CREATE TABLE t (a UNIQUE)")
        try connection.execute("INSERT INTO t VALUES (1)")
        do {
            try connection.execute("INSERT INTO t VALUES (1)")
            Issue.record("a second row was taken")
        } catch {
            #expect(error.status == .constraint && error.sqliteCode == 2067)
            #expect(error.message.contains("t.a") && error.sql == "INSERT INTO t VALUES (1)")
        }
        #expect(try connection.rows("SELECT count(*) FROM t") == [[1]])
    }

    /// SQLite reads a quoted name as exactly that name, whatever its characters.
    @Test(arguments: RandomTests.seeds(1..<60))
    func namesAreQuotedAsSQLiteReadsThem(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let parts = [
            "`", "\"", "'", "[", "]", "a", "A", " ", "\u{301}", "ß", ";", "--", "/*", "\\", "%", "?", "1", "ä", "Ä",
        ]
        let name = { (random: inout SeededRandom) in
            (0..<(1 + random.below(5))).map { _ in random.pick(parts) }.joined()
        }
        for _ in 0..<15 {
            let (a, b) = (name(&random), name(&random))
            let connection = try memoryConnection()
            let isTaken =
                status { try connection.execute("CREATE TABLE \(quoted(a)) (\(quoted(a)), \(quoted(b)))") } != nil
            let comment = Comment(rawValue: "\(RandomTests.replay(seed, "Statement")): \(a) and \(b)")
            #expect(isTaken == isSameName(a, b), comment)
            #expect((FoldedName(a) == FoldedName(b)) == isSameName(a, b), comment)
            if isTaken { continue }
            #expect(
                try connection.rows("SELECT name FROM pragma_table_info(?)", [.text(a)]) == [[.text(a)], [.text(b)]],
                comment)
            try connection.execute("INSERT INTO \(quoted("main", a)) VALUES (1, 2)")
            #expect(try connection.rows("SELECT \(quoted(b)) FROM \(quoted(a))") == [[2]], comment)
            let log = try connection.prepareLoggingAccess("SELECT \(quoted(b)) FROM \(quoted(a))").log
            #expect(log.columns[AccessLog.TableName(schema: "main", table: a)] == [b], comment)
            // No part of it is read as a separate token.
            #expect(Array(SQLTokens("SELECT \(quoted(a))")).map(\.token) == [.word("SELECT"), .quoted(a)], comment)
        }
    }
}
