import CSQLite
import SQLiteKit
import TestSupport
import Testing

@testable import LogFollower

/// A read transaction prevents the restart of the log, unless the database file contained all of
/// the log when the transaction began. A checkpoint may end at any moment around that.
@Suite struct HeldInLogTests {
    private let disk = TemporaryFile()
    private let writer: Connection
    private let file: DatabaseFile

    init() throws {
        writer = try Connection.open(path: disk.path, readOnly: false, create: true)
        try writer.execute("PRAGMA journal_mode = wal")
        try writer.execute("CREATE TABLE t (a)")
        file = DatabaseFile(path: disk.path, name: "main", encoding: .utf8)
    }

    private func checkpoint(_ mode: String) throws -> Bool {
        try writer.rows("PRAGMA wal_checkpoint(\(mode))")[0][0] == .integer(0)
    }

    /// Runs `body`, and writes the log into the file as soon as a read transaction of the
    /// connection has begun.
    private func checkpointing(once connection: Connection, hasBegun body: () throws -> Void) throws {
        final class Moment {
            let connection: Connection
            let checkpoint: () throws -> Bool
            var results: [Result<Bool, any Error>] = []

            init(_ connection: Connection, _ checkpoint: @escaping () throws -> Bool) {
                self.connection = connection
                self.checkpoint = checkpoint
            }
        }
        let moment = Moment(connection) { try checkpoint("PASSIVE") }
        let data = Unmanaged.passRetained(moment)
        defer { data.release() }
        sqlite3_progress_handler(
            connection.handle, 1,
            { data in
                guard let data else { return 0 }
                let moment = Unmanaged<Moment>.fromOpaque(data).takeUnretainedValue()
                if moment.results.isEmpty, sqlite3_txn_state(moment.connection.handle, "main") == SQLITE_TXN_READ {
                    moment.results.append(Result { try moment.checkpoint() })
                }
                return 0
            }, data.toOpaque())
        defer { sqlite3_progress_handler(connection.handle, 0, nil, nil) }
        try body()
        #expect(try moment.results.map { try $0.get() } == [true])
    }

    @Test func aTransactionThatBeganBeforeTheLogWasWrittenBackIsInTheLog() throws {
        let snapshot = try #require(try StateReader([file]))
        defer { snapshot.close() }
        try writer.execute("INSERT INTO t VALUES (1)")
        try checkpointing(once: snapshot.connection) { _ = try snapshot.begin() }
        #expect(!snapshot.isInFile)
        #expect(try !checkpoint("RESTART"))
        try snapshot.end()
        _ = try snapshot.begin()
        #expect(snapshot.isInFile)
        #expect(try checkpoint("RESTART"))
    }

    @Test func theSameOfSeveralDatabases() throws {
        let snapshot = try #require(try StateReader([file]))
        defer { snapshot.close() }
        let index = try #require(try StateReader([file])).file.index
        try writer.execute("INSERT INTO t VALUES (1)")
        let position = try #require(index.position())
        try checkpointing(once: snapshot.connection) { () throws -> Void in
            #expect(try snapshot.begin(at: [position]))
        }
        #expect(snapshot.isInTheWay)
        #expect(try !checkpoint("RESTART"))
        #expect(try snapshot.begin(at: [position]))
        #expect(!snapshot.isInTheWay)
        #expect(try checkpoint("RESTART"))
    }
}
