import Foundation
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// https://man7.org/linux/man-pages/man2/setfsuid.2.html, which Swift does not import.
@_silgen_name("setfsuid") private func setfsuid(_ user: uid_t) -> CInt

/// Files that can't be written, and directories that can't: permissions are those of a user who is
/// not root.
@Suite(.serialized) struct ProtectedFiles {
    /// A database in a directory of its own.
    private final class Database {
        let folder = TemporaryFile().path
        var path: String { folder + "/items.db" }

        init(_ journalMode: String) throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            var options = StoreOptions()
            options.journalMode = journalMode
            let store = try Store(path: path, options: options)
            try store.executeScript("CREATE TABLE items (id INTEGER PRIMARY KEY); INSERT INTO items VALUES (1), (2)")
            try store.close()
        }

        func protect(file: mode_t, folder mode: mode_t) {
            chmod(path, file)
            chmod(folder, mode)
        }

        deinit {
            chmod(folder, 0o700)
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    /// Runs `body` with a user's rights to files, which the kernel stores per thread.
    private func asUser(_ body: () throws -> Void) throws {
        guard geteuid() == 0 else { return try body() }
        _ = setfsuid(65534)
        defer { _ = setfsuid(0) }
        try body()
    }

    private func items(_ store: Store) throws -> Int {
        let controller = try FetchedResultsController(store: store, request: FetchRequest(entity: "items"))
        try controller.performFetch()
        return try controller.numberOfObjects
    }

    @Test(arguments: [(0o444, 0o777), (0o666, 0o755), (0o444, 0o755)]) func aFileThatCannotBeWrittenIsRead(
        file: Int, folder: Int
    ) throws {
        let database = try Database("delete")
        database.protect(file: mode_t(file), folder: mode_t(folder))
        try asUser {
            for isReadOnly in [false, true] {
                var options = StoreOptions()
                options.isReadOnly = isReadOnly
                let store = try Store(path: database.path, options: options)
                defer { try? store.close() }
                #expect(try items(store) == 2)
                expectFailure(.readOnly) { try store.execute("INSERT INTO items VALUES (3)") }
                #expect(try items(store) == 2)
            }
        }
    }

    @Test func aFileInWALModeWithoutItsLogCanBeOpenedAsImmutableOnly() throws {
        let database = try Database("wal")
        database.protect(file: 0o444, folder: 0o555)
        try asUser {
            var options = StoreOptions()
            for isReadOnly in [true, false] {
                options.isReadOnly = isReadOnly
                expectFailure(.io, naming: database.path, "immutable") {
                    _ = try Store(path: database.path, options: options)
                }
            }
            options.isImmutable = true
            let store = try Store(path: database.path, options: options)
            defer { try? store.close() }
            #expect(try items(store) == 2)
            expectFailure(.readOnly) { try store.execute("INSERT INTO items VALUES (3)") }
            #expect(try items(store) == 2)
        }
    }

    @Test func aFileInWALModeIsReadWithItsLogWhereThatIsThere() throws {
        let database = try Database("wal")
        let writer = try Store(path: database.path)
        try writer.execute("INSERT INTO items VALUES (3)")
        database.protect(file: 0o444, folder: 0o555)
        for name in ["-wal", "-shm"] { chmod(database.path + name, 0o444) }
        defer { try? writer.close() }
        try asUser {
            for isReadOnly in [false, true] {
                var options = StoreOptions()
                options.isReadOnly = isReadOnly
                let store = try Store(path: database.path, options: options)
                defer { try? store.close() }
                #expect(try items(store) == 3)
            }
        }
    }

    // MARK: Immutable

    @Test func anImmutableFileIsReadInTheBackgroundAsWell() throws {
        let database = try Database("wal")
        database.protect(file: 0o444, folder: 0o555)
        var options = StoreOptions()
        options.isImmutable = true
        let store = try Store(path: database.path, options: options)
        defer { try? store.close() }
        let controller = try FetchedResultsController(store: store, request: FetchRequest(entity: "items"))
        var failures: [StoreError?] = []
        try controller.performFetchAsynchronously { failures.append($0) }
        while failures.isEmpty { try store.wait(milliseconds: 1000) }
        #expect(failures == [nil])
        #expect(try controller.numberOfObjects == 2)
        // No other connection has created them.
        #expect(!FileManager.default.fileExists(atPath: database.path + "-wal"))
        #expect(!FileManager.default.fileExists(atPath: database.path + "-shm"))
    }

    @Test func aLogThatAnImmutableStoreDoesNotReadIsNotInItsListsEither() throws {
        let starts = try Starts()
        let writer = try Store(path: starts.file.path, options: starts.options)
        defer { try? writer.close() }
        try writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        try writer.execute("DELETE FROM items WHERE id > 5")
        let written = try FetchedResultsController(store: writer, request: Starts.request, nodes: Starts.smallNodes)
        try written.performFetch()
        #expect(try written.numberOfObjects == 4 && starts.files.count == 1)
        var reading = starts
        reading.options.isImmutable = true
        let read = try reading.fetch()
        #expect(!read.isFromCache && read.rows.joined().count == 34)
    }

    @Test func anImmutableStoreTakesListsFromTheCache() throws {
        let starts = try Starts()
        _ = try starts.fetch()
        var reading = starts
        reading.options.isImmutable = true
        #expect(try reading.fetch().isFromCache)
    }

    @Test(arguments: ["a?b", "a#b", "a%41b", "a b&c=d", "ä+ö", "file:a", "a?immutable=0&mode=memory", "%", ":mem:"])
    func everyNameOfAnImmutableFileIsUsedUnchanged(name: String) throws {
        let database = try Database("delete")
        let path = database.folder + "/" + name
        try FileManager.default.moveItem(atPath: database.path, toPath: path)
        var options = StoreOptions()
        options.isImmutable = true
        for path in [path, "/" + path, database.folder + "/./" + name] {
            let store = try Store(path: path, options: options)
            #expect(try items(store) == 2, "\(path)")
            try store.close()
        }
        expectFailure(.io, naming: name) { _ = try Store(path: path + "x", options: options) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: database.folder) == [name])
    }

    @Test func anImmutableStoreInMemoryIsEmpty() throws {
        var options = StoreOptions()
        options.isImmutable = true
        let store = try Store(path: ":memory:", options: options)
        #expect(!store.isClosed)
        #expect(!FileManager.default.fileExists(atPath: ":memory:"))
    }

    // MARK: Failing to open

    @Test func whatCannotBeOpenedLeavesNothingOpen() throws {
        let database = try Database("wal")
        let text = TemporaryFile()
        try Data(repeating: 0x58, count: 4096).write(to: URL(fileURLWithPath: text.path))
        let locked = try Database("delete")
        let locker = try Store(path: locked.path)
        try locker.execute("PRAGMA journal_mode = delete")
        try locker.begin(.exclusive)
        let missing = TemporaryFile()
        var mode = StoreOptions()
        mode.journalMode = "sideways"
        var protected = StoreOptions()
        protected.isReadOnly = true
        protected.journalMode = "delete"
        var busy = StoreOptions()
        busy.busyTimeout = 0
        func descriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter(isOfTest).count
        }
        func isOfTest(_ name: String) -> Bool {
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
            return [database.folder, text.path, locked.folder, missing.path].contains { target?.contains($0) ?? false }
        }
        for _ in 1...20 {
            expectFailure(.corrupt) { _ = try Store(path: text.path) }
            expectFailure(.sql) { _ = try Store(path: missing.path, options: mode) }
            expectFailure(.busy) { _ = try Store(path: locked.path, options: busy) }
            expectFailure(.io) { _ = try Store(path: database.path, options: protected) }
            expectFailure(.io) { _ = try Store(path: database.folder) }
        }
        #expect(!FileManager.default.fileExists(atPath: missing.path))
        try locker.rollback()
        try locker.close()
        // While a connection of the process holds a lock, SQLite closes no other descriptor of the
        // file.
        #expect(try descriptors() == 0)
    }
}
