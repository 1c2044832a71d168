import Foundation
import SQLiteKit
import TestSupport
import Testing

/// How a connection detects that its databases are in another state.
@Suite struct VersionTests {
    private let folder: Folder
    private let own: Connection
    private let other: Connection

    init() throws {
        folder = try Folder()
        own = try Connection.open(path: folder.path("a.db"), readOnly: false, create: true)
        try own.execute("PRAGMA journal_mode = wal")
        try own.execute("CREATE TABLE t (a)")
        other = try Connection.open(path: folder.path("a.db"), readOnly: false, create: false)
        _ = try own.readSchemaVersions()
    }

    @Test func dataVersionsChangeWithOthersCommitsOnly() throws {
        let version = try own.readDataVersion()
        try own.execute("INSERT INTO t VALUES (1)")
        #expect(try own.readDataVersion() == version)
        try other.execute("INSERT INTO t VALUES (2)")
        let later = try own.readDataVersion()
        #expect(later != version)
        #expect(try own.readDataVersion() == later)
    }

    @Test func pagerVersionsChangeWithAllCommits() throws {
        let version = own.pagerVersion
        _ = try own.rows("SELECT * FROM t")
        #expect(own.pagerVersion == version)
        try own.execute("INSERT INTO t VALUES (1)")
        let written = own.pagerVersion
        #expect(written != version)
        try other.execute("INSERT INTO t VALUES (2)")
        _ = try own.rows("SELECT * FROM t")
        #expect(own.pagerVersion != written)
    }

    @Test func schemaVersionsAreByDatabase() throws {
        try own.execute("ATTACH '\(folder.path("b.db"))' AS more")
        let versions = try own.readSchemaVersions()
        #expect(Set(versions.keys.map(\.text)) == ["main", "more"])
        try own.execute("CREATE TABLE more.u (a)")
        let later = try own.readSchemaVersions()
        #expect(later[ExactText("more")] != versions[ExactText("more")])
        #expect(later[ExactText("main")] == versions[ExactText("main")])
        let data = try own.readDataVersion()
        let second = try Connection.open(path: folder.path("b.db"), readOnly: false, create: false)
        try second.execute("INSERT INTO u VALUES (1)")
        #expect(try own.readDataVersion() != data)
        try own.execute("DETACH more")
        #expect(try own.readDataVersion() != data)
    }

    @Test func stampsDistinguishCommittedStates() throws {
        let path = folder.path("a.db")
        let stamp = try #require(DatabaseStamp(path: path))
        #expect(DatabaseStamp(path: path)?.isState(of: stamp) == true)
        #expect(DatabaseStamp(numbers: stamp.numbers) == stamp && stamp.numbers.count == DatabaseStamp.numberCount)
        #expect(stamp.isSettled)
        try other.execute("INSERT INTO t VALUES (1)")
        let later = try #require(DatabaseStamp(path: path))
        #expect(!later.isState(of: stamp) && later.hasLog)
        #expect(DatabaseStamp(path: folder.path("none.db")) == nil)
    }

    @Test func aCheckpointedLogMayBeRemoved() throws {
        let path = folder.path("a.db")
        try own.execute("INSERT INTO t VALUES (1)")
        let checkpoint = try own.rows("PRAGMA wal_checkpoint")[0]
        #expect(checkpoint[0] == .integer(0) && checkpoint[1] == checkpoint[2])
        var stamp = try #require(DatabaseStamp(path: path))
        stamp.isCheckpointed = true
        other.close()
        own.close()
        let later = try #require(DatabaseStamp(path: path))
        #expect(!later.hasLog && later.isState(of: stamp))
        #expect(!stamp.isState(of: later))
    }

    @Test func aReplacedFileIsNoticed() throws {
        try own.checkNotMoved()
        try FileManager.default.moveItem(atPath: folder.path("a.db"), toPath: folder.path("c.db"))
        #expect(status { try own.checkNotMoved() } == .io)
    }
}
