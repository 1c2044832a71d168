import CSQLite
import Foundation
import TestSupport
import Testing

@testable import SQLiteKit

/// Readers do not lock a log against writers, unless the header of its index has to be repaired.
@Suite struct HeaderRepairTests {
    private let folder: Folder
    private let reader: Connection
    private let writer: Connection

    private static let lock = SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE
    private static let unlock = SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE

    init() throws {
        folder = try Folder()
        writer = try Connection.open(path: folder.path("a.db"), readOnly: false, create: true)
        try writer.execute("PRAGMA journal_mode = wal")
        try writer.execute("CREATE TABLE t (a)")
        try writer.execute("INSERT INTO t VALUES (1)")
        reader = try Connection.open(path: folder.path("a.db"), readOnly: false, create: false)
        #expect(try reader.rows("SELECT a FROM t") == [[.integer(1)]])
    }

    /// Requests, or releases, the write lock of the log as SQLite does.
    private func requestWriteLock(_ flags: Int32, _ connection: Connection) throws -> Int32 {
        let file = try file(connection)
        let lock = try #require(file.pointee.pMethods.pointee.xShmLock)
        return lock(file, 0, 1, flags)
    }

    private func file(_ connection: Connection) throws -> UnsafeMutablePointer<sqlite3_file> {
        var file: UnsafeMutablePointer<sqlite3_file>?
        #expect(sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK)
        return try #require(file)
    }

    /// Leaves the header of the log's index half written, as a process that dies does.
    private func breakHeader() throws {
        let file = try file(writer)
        let map = try #require(file.pointee.pMethods.pointee.xShmMap)
        var region: UnsafeMutableRawPointer?
        #expect(map(file, 0, 32_768, 0, &region) == SQLITE_OK)
        // The number of commits.
        let count = try #require(region) + 8
        count.storeBytes(of: count.load(as: UInt32.self) &+ 1, as: UInt32.self)
    }

    @Test func theFirstRequestsOfAReaderAreRefused() throws {
        for _ in 0..<4 {
            #expect(try requestWriteLock(Self.lock, reader) == SQLITE_BUSY)
            try writer.execute("BEGIN IMMEDIATE")
            try writer.execute("COMMIT")
        }
        #expect(try requestWriteLock(Self.lock, reader) == SQLITE_OK)
        #expect(status { try writer.execute("BEGIN IMMEDIATE") } == .busy)
        #expect(try requestWriteLock(Self.unlock, reader) == SQLITE_OK)
        try writer.execute("BEGIN IMMEDIATE")
        try writer.execute("COMMIT")
    }

    @Test func eachTransactionCountsAnew() throws {
        for _ in 0..<3 {
            for _ in 0..<4 { #expect(try requestWriteLock(Self.lock, reader) == SQLITE_BUSY) }
            #expect(try reader.rows("SELECT a FROM t") == [[.integer(1)]])
        }
    }

    /// A transaction that writes has a read lock; a checkpoint has the lock of checkpoints.
    @Test(arguments: Int32(1)..<8) func whoHasAnotherLockIsNotRefused(held: Int32) {
        var locks = LogLocks()
        locks.note(LockRequest(first: held, count: 1, flags: SQLITE_SHM_LOCK | SQLITE_SHM_SHARED))
        let whileHeld = (0..<10).map { _ in locks.refuses(LockRequest(first: 0, count: 1, flags: Self.lock)) }
        #expect(!whileHeld.contains(true))
        locks.note(LockRequest(first: held, count: 1, flags: SQLITE_SHM_UNLOCK | SQLITE_SHM_SHARED))
        let isRefused = locks.refuses(LockRequest(first: 0, count: 1, flags: Self.lock))
        #expect(isRefused)
    }

    @Test(arguments: Int32(0)..<8) func releasesAndOtherLocksAreNotRefused(first: Int32) {
        var locks = LogLocks()
        for flags in [Self.lock, Self.unlock, SQLITE_SHM_LOCK | SQLITE_SHM_SHARED] {
            let isRefused = locks.refuses(LockRequest(first: first, count: 1, flags: flags))
            #expect(isRefused == (first == 0 && flags == Self.lock))
        }
    }

    @Test func aHalfWrittenHeaderIsRepaired() throws {
        for value in Int64(2)..<6 {
            try breakHeader()
            #expect(try reader.rows("SELECT count(*) FROM t") == [[.integer(value - 1)]])
            try breakHeader()
            try writer.execute("INSERT INTO t VALUES (\(value))")
            try breakHeader()
            try reader.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        #expect(try writer.rows("SELECT a FROM t") == (1...5).map { [.integer($0)] })
    }

    @Test func aConnectionThatOpensRepairsTheHeader() throws {
        try breakHeader()
        let third = try Connection.open(path: folder.path("a.db"), readOnly: false, create: false)
        defer { third.close() }
        #expect(try third.rows("SELECT a FROM t") == [[.integer(1)]])
    }
}
