import Foundation
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// Programs that need all locks of a write-ahead log, as to restore a database in place.
@Suite struct LockWaits {
    /// Takes all locks one after another, waits for each, and releases them when its input ends.
    private static let program = """
        import fcntl, os, sys
        file = os.open(sys.argv[1] + "-shm", os.O_RDWR)
        for byte in range(120, 128):
            fcntl.lockf(file, fcntl.LOCK_EX, 1, byte)
        print("locked", flush=True)
        sys.stdin.read()
        """

    /// Before: a store at rest holds the state that its list shows: in the log, or in the database
    /// file alone. Change: a process takes all locks. Expected: it gets them, and the store follows
    /// the next commit.
    @Test(arguments: [false, true]) func aStoreAtRestMakesWay(isInFile: Bool) throws {
        let file = TemporaryFile()
        let store = try Store(path: file.path)
        try store.executeScript("CREATE TABLE items (id INTEGER PRIMARY KEY); INSERT INTO items VALUES (1)")
        let items = try Watch(store, "items")
        _ = try store.fileDescriptor
        if isInFile { try store.query("PRAGMA wal_checkpoint(PASSIVE)") { _ in } }
        try store.dispatch()
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.program, file.path]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        // Nothing is dispatched meanwhile. At the end of a program that failed there is no data.
        #expect(!output.fileHandleForReading.availableData.isEmpty)
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        let other = try Connection.open(path: file.path, readOnly: false, create: false)
        defer { other.close() }
        try other.execute("INSERT INTO items VALUES (2)")
        try store.wait(milliseconds: 10_000)
        #expect(items.take() == ["insert 2 at 0.1"])
        try other.execute("INSERT INTO items VALUES (3)")
        try store.wait(milliseconds: 10_000)
        #expect(items.take() == ["insert 3 at 0.2"])
    }
}
