import Foundation
import SQLiteKit
import TestSupport
import Testing

@Suite struct ConnectionTests {
    @Test func openingReportsWhyItFails() throws {
        let folder = try Folder()
        #expect(status { _ = try Connection.open(path: folder.path("none.db"), readOnly: false, create: false) } == .io)
        #expect(status { _ = try Connection.open(path: folder.path("none.db"), readOnly: true, create: true) } == .io)
        #expect(
            status { _ = try Connection.open(path: folder.path("no/such/folder.db"), readOnly: false, create: true) }
                == .io)
        try Data(repeating: 7, count: 4096).write(to: URL(fileURLWithPath: folder.path("noise.db")))
        let noise = try Connection.open(path: folder.path("noise.db"), readOnly: false, create: false)
        #expect(status { _ = try noise.rows("SELECT * FROM sqlite_schema") } == .corrupt)
    }

    /// A path is taken literally, even where SQLite would parse a URI.
    @Test(arguments: ["a b.db", "what?mode=memory", "100%41.db", "ä#.db"])
    func pathsAreTakenAsTheyAre(name: String) throws {
        let folder = try Folder()
        let path = folder.path(name)
        let connection = try Connection.open(path: path, readOnly: false, create: true)
        try connection.execute("CREATE TABLE t AS SELECT 5 AS a")
        #expect(connection.fileName == path)
        connection.close()
        let immutable = try Connection.open(path: path, readOnly: false, create: false, immutable: true)
        #expect(try immutable.rows("SELECT a FROM t") == [[5]])
        #expect(immutable.isReadOnly && status { try immutable.execute("DELETE FROM t") } == .readOnly)
    }

    @Test func usingAClosedConnectionFails() throws {
        let connection = try memoryConnection()
        let statement = try connection.prepare("SELECT 1")
        try statement.step()
        #expect(connection.close() == nil)
        #expect(!connection.isOpen && !statement.isUnderWay)
        #expect(status { try statement.step() } == .closed)
        #expect(status { try statement.bind(.null, at: 1) } == .closed)
        #expect(status { _ = try connection.prepare("SELECT 1") } == .closed)
        #expect(connection.close() == nil)
    }

    /// Closing commits what a half-way statement wrote. If that fails, closing reports it.
    @Test func closingReportsWhatCouldNotBeCommitted() throws {
        let connection = try memoryConnection()
        try connection.execute("PRAGMA foreign_keys = ON")
        try connection.execute("CREATE TABLE p (id INTEGER PRIMARY KEY)")
        try connection.execute("CREATE TABLE c (p REFERENCES p DEFERRABLE INITIALLY DEFERRED)")
        let insert = try connection.prepare("INSERT INTO c VALUES (1) RETURNING p")
        try insert.step()
        #expect(connection.close()?.status == .constraint)
    }

    @Test func statementsFailAfterTheirConnectionIsReleased() throws {
        let folder = try Folder()
        var connection: Connection? = try Connection.open(path: folder.path("a.db"), readOnly: false, create: true)
        let statement = try connection?.prepare("SELECT 1")
        connection = nil
        #expect(status { try statement?.step() } == .closed)
    }

    @Test func readingIsOneTransaction() throws {
        let folder = try Folder()
        let one = try Connection.open(path: folder.path("a.db"), readOnly: false, create: true)
        try one.execute("PRAGMA journal_mode = wal")
        try one.execute("CREATE TABLE t (a)")
        let other = try Connection.open(path: folder.path("a.db"), readOnly: false, create: false)
        let counts = try one.reading {
            let before = try one.rows("SELECT count(*) FROM t")
            try other.execute("INSERT INTO t VALUES (1)")
            return [before, try one.rows("SELECT count(*) FROM t")]
        }
        #expect(counts == [[[0]], [[0]]])
        #expect(!one.isInTransaction)
        #expect(try one.rows("SELECT count(*) FROM t") == [[1]])
        struct Stop: Error {}
        #expect(throws: Stop.self) { try one.reading { throw Stop() } }
        #expect(!one.isInTransaction)
    }

    @Test func noConnectionWritesDuringAnExclusiveReading() throws {
        let folder = try Folder()
        let one = try Connection.open(path: folder.path("a.db"), readOnly: false, create: true)
        try one.execute("CREATE TABLE t (a)")
        let other = try Connection.open(path: folder.path("a.db"), readOnly: false, create: false)
        try one.withoutOtherWriters(mayWait: false) {
            #expect(status { try other.execute("INSERT INTO t VALUES (1)") } == .busy)
        }
        try other.execute("BEGIN IMMEDIATE")
        #expect(status { try one.withoutOtherWriters(mayWait: false) {} } == .busy)
        try other.execute("COMMIT")
        #expect(status { try one.withoutOtherWriters(mayWait: false) {} } == nil)
        #expect(one.isAutocommit)
    }

    @Test func readersAreOpenedWhereTheyReadTheSame() throws {
        let folder = try Folder()
        let connection = try Connection.open(path: folder.path("a.db"), readOnly: false, create: true)
        try connection.execute("CREATE TABLE t (a)")
        #expect(try connection.openReader() == nil, "a rollback mode")
        try connection.execute("PRAGMA journal_mode = wal")
        #expect(try memoryConnection().openReader() == nil)
        let reader = try #require(try connection.openReader())
        try connection.execute("INSERT INTO t VALUES (1)")
        #expect(try reader.rows("SELECT count(*) FROM t") == [[0]])
        let log = try connection.prepareLoggingAccess("SELECT a FROM t").log
        #expect(try connection.agrees(with: reader, on: log, in: .main))
        try connection.execute("CREATE TEMP TABLE t (b)")
        #expect(try !connection.agrees(with: reader, on: log, in: .main))
        try connection.execute("BEGIN")
        _ = try connection.rows("SELECT * FROM main.t")
        #expect(try connection.openReader() == nil, "a transaction")
    }

    @Test func accessIsLoggedThroughViews() throws {
        let connection = try memoryConnection()
        try connection.execute("CREATE TABLE t (a, b, c)")
        try connection.execute("CREATE VIEW v AS SELECT a, upper(b) AS u FROM t")
        let log = try connection.prepareLoggingAccess("SELECT a FROM v WHERE EXISTS (SELECT 1 FROM t WHERE c = abs(1))")
            .log
        #expect(log.columns[AccessLog.TableName(schema: "main", table: "t")]?.isSuperset(of: ["a", "c"]) == true)
        #expect(log.functions.isSuperset(of: ["abs"]))
        #expect(try connection.areRepeatable(["abs", "upper"]) && !connection.areRepeatable(["random"]))
    }
}
