import CSQLite
import Foundation
import Glibc
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// A store that continues with another file that is at its path.
@Suite struct ReplacedFiles {
    private final class World {
        let file = TemporaryFile()
        let copy = TemporaryFile()
        let store: Store
        let items: Watch
        /// The program's waiting for the store.
        let descriptor: Int32

        init(journalMode: String = "wal", _ change: (inout StoreOptions) -> Void = { _ in }) throws {
            try Self.make(file.path, journalMode)
            var options = StoreOptions()
            options.followsPath = true
            options.journalMode = "unchanged"
            options.cacheDirectory = file.cacheDirectory
            change(&options)
            store = try Store(path: file.path, options: options)
            items = try Watch(store, "items", sort: ["name"])
            // Of rows that the program has not read, changed columns are not known.
            _ = try items.controller.values("name")
            descriptor = try store.fileDescriptor
            try store.dispatch()
        }

        static func make(_ path: String, _ journalMode: String = "wal", _ script: String = "") throws {
            let connection = try Connection.open(path: path, readOnly: false, create: true)
            defer { connection.close() }
            try connection.execute("PRAGMA journal_mode = \(journalMode)")
            try connection.eachStatement(
                of: """
                    CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT);
                    INSERT INTO items VALUES (1, 'a'), (2, 'b'), (3, 'c');
                    \(script)
                    """
            ) { try $0.run() }
        }

        /// Moves a new file over the store's.
        func replace(_ journalMode: String = "wal", _ script: String = changes) throws {
            try Self.make(copy.path, journalMode, script)
            #expect(rename(copy.path, file.path) == 0)
        }

        func waitUntilWoken() -> Bool {
            var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return Glibc.poll(&poll, 1, 10_000) == 1
        }

        /// What another connection to the file that is at the path now commits.
        func write(_ sql: String) throws {
            let connection = try Connection.open(path: file.path, readOnly: false, create: false)
            defer { connection.close() }
            try connection.execute(sql)
        }
    }

    /// Deletes the row 2, and makes the row 3 the first.
    private static let changes = """
        DELETE FROM items WHERE id = 2; UPDATE items SET name = '0' WHERE id = 3; INSERT INTO items VALUES (4, 'd');
        """
    private static let difference = ["delete 2 at 0.1", "insert 4 at 0.2", "move 3 from 0.2 to 0.0 name"]

    @Test(arguments: ["wal", "delete"], ["wal", "delete"]) func theDifferenceIsOneChangeSet(
        former: String, next: String
    ) throws {
        for isReadOnly in [false, true] {
            let world = try World(journalMode: former) { $0.isReadOnly = isReadOnly }
            try world.replace(next)
            #expect(world.waitUntilWoken())
            try world.store.dispatch()
            #expect(world.items.take().sorted() == Self.difference)
            #expect(try world.items.controller.values("name") == [["0", "a", "d"]])
            // The new file is followed as the former one was.
            try world.write("UPDATE items SET name = 'e' WHERE id = 1")
            #expect(world.waitUntilWoken())
            try world.store.dispatch()
            #expect(world.items.take() == ["move 1 from 0.1 to 0.2 name"])
            if isReadOnly { continue }
            try world.store.execute("DELETE FROM items WHERE id = 4")
            #expect(world.items.take() == ["delete 4 at 0.1"])
        }
    }

    /// Before: the log of the former file has commits that are not in the file. Change: the file is
    /// moved away, and another one to its path. Expected: the former file has them, and the new one
    /// has none of its pages.
    @Test func theLogOfTheFormerFileIsWrittenBackAndRemoved() throws {
        for isReadOnly in [false, true] {
            let away = TemporaryFile()
            let world = try World { $0.isReadOnly = isReadOnly }
            let other = try Connection.open(path: world.file.path, readOnly: false, create: false)
            defer { other.close() }
            try other.execute("INSERT INTO items VALUES (9, 'z')")
            try world.store.dispatch()
            #expect(world.items.take() == ["insert 9 at 0.3"])
            #expect(rename(world.file.path, away.path) == 0)
            try world.replace()
            try world.store.dispatch()
            #expect(world.items.take().sorted() == ["delete 2 at 0.1", "delete 9 at 0.3"] + Self.difference[1...])
            let former = try Connection.open(path: away.path, readOnly: false, create: false)
            defer { former.close() }
            #expect(try former.rows("SELECT max(id) FROM items") == [[9]])
            // Whoever opens the new file finds what is in it.
            let new = try Connection.open(path: world.file.path, readOnly: false, create: false)
            defer { new.close() }
            #expect(try new.rows("PRAGMA integrity_check") == [["ok"]])
            #expect(try new.rows("SELECT max(id) FROM items") == [[4]])
        }
    }

    /// Before: a reader of the former file reads an earlier state from its log. Expected: the log
    /// is not removed before it has ended.
    @Test func aLogThatIsReadStays() throws {
        let world = try World()
        let reader = try Connection.open(path: world.file.path, readOnly: false, create: false)
        defer { reader.close() }
        try reader.execute("BEGIN")
        _ = try reader.rows("SELECT * FROM items")
        try world.store.execute("INSERT INTO items VALUES (9, 'z')")
        try world.replace()
        expectFailure(.busy, naming: "-wal") { try world.store.dispatch() }
        #expect(world.waitUntilWoken())
        try reader.execute("COMMIT")
        try world.store.dispatch()
        #expect(try world.items.controller.values("id") == [[3, 1, 4]])
    }

    /// Before: a program has opened the new file, and with it the former log. Expected: that log is
    /// not removed under it.
    @Test func aLogThatTheNewFileUsesStays() throws {
        let world = try World()
        try world.store.execute("INSERT INTO items VALUES (9, 'z')")
        try world.replace("delete")
        let other = try Process.run(
            URL(fileURLWithPath: "/usr/bin/env"),
            arguments: [
                "python3", "-c",
                """
                import fcntl, os, struct, sys
                file = os.open(sys.argv[1], os.O_RDWR)
                fcntl.lockf(file, fcntl.LOCK_SH, 510, 0x40000002)
                open(sys.argv[1] + "-locked", "w").close()
                while os.path.exists(sys.argv[1] + "-locked"): pass
                """, world.file.path,
            ])
        let mark = world.file.path + "-locked"
        while !FileManager.default.fileExists(atPath: mark) { usleep(1000) }
        expectFailure(.busy, naming: "the new file can't be locked") { try world.store.dispatch() }
        try FileManager.default.removeItem(atPath: mark)
        other.waitUntilExit()
        try world.store.dispatch()
        #expect(try world.items.controller.values("id") == [[3, 1, 4]])
    }

    @Test func aFileThatIsMissingIsWaitedFor() throws {
        let world = try World()
        try FileManager.default.removeItem(atPath: world.file.path)
        #expect(world.waitUntilWoken())
        expectFailure(.io, naming: world.file.path) { try world.store.dispatch() }
        #expect(world.items.takeFailures() == 1)
        // It is not woken before there is something.
        var poll = pollfd(fd: world.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(Glibc.poll(&poll, 1, 0) == 0)
        try world.replace()
        #expect(world.waitUntilWoken())
        try world.store.dispatch()
        #expect(world.items.take().sorted() == Self.difference)
    }

    /// Expected: an error that names the reason, for each list once, until the file is one of the
    /// same application.
    @Test(arguments: [
        ("PRAGMA application_id = 7;", "application_id"), ("ALTER TABLE items ADD COLUMN more;", "items"),
        ("DROP TABLE items;", "items"),
    ]) func aFileOfAnotherApplicationIsRefused(script: String, reason: String) throws {
        let world = try World()
        try world.replace("wal", script)
        #expect(world.waitUntilWoken())
        for _ in 0..<2 {
            let error = #expect(throws: StoreError.self) { try world.store.dispatch() }
            #expect(error?.status == .io && error?.sqliteCode == StoreError.movedFile)
            #expect(error?.message.contains(reason) ?? false, "\(String(describing: error))")
        }
        #expect(world.items.takeFailures() == 1)
        #expect(try world.items.controller.numberOfObjects == 3)
        try world.replace()
        #expect(world.waitUntilWoken())
        try world.store.dispatch()
        #expect(world.items.take().sorted() == Self.difference)
    }

    /// Before: the file is being copied to the path. Expected: it is followed once it is complete.
    @Test func aFileThatIsNotCompleteIsWaitedFor() throws {
        let world = try World()
        try World.make(world.copy.path, "delete", Self.changes)
        let content = try Data(contentsOf: URL(fileURLWithPath: world.copy.path))
        try FileManager.default.removeItem(atPath: world.file.path)
        try content.prefix(4096).write(to: URL(fileURLWithPath: world.file.path))
        expectFailure(.io, naming: world.file.path) { try world.store.dispatch() }
        #expect(world.items.takeFailures() == 1)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: world.file.path))
        try handle.seek(toOffset: 4096)
        try handle.write(contentsOf: content.dropFirst(4096))
        try handle.close()
        #expect(world.waitUntilWoken())
        try world.store.dispatch()
        #expect(world.items.take().sorted() == Self.difference)
    }

    /// Before: a transaction of the store is open. Expected: the commit is refused, and the file is
    /// followed after that.
    @Test func aTransactionEndsBefore() throws {
        let world = try World()
        try world.store.begin()
        try world.store.execute("INSERT INTO items VALUES (9, 'z')")
        try world.replace()
        try world.store.dispatch()
        #expect(world.items.take() == [])
        expectFailure(.io) { try world.store.commit() }
        #expect(world.waitUntilWoken())
        try world.store.dispatch()
        #expect(world.items.take().sorted() == Self.difference)
        try world.store.execute("INSERT INTO items VALUES (9, 'z')")
        #expect(world.items.take() == ["insert 9 at 0.3"])
    }

    /// Before: the program has a statement whose parameters have values, and one that is half-way.
    /// Expected: the file is followed when that ends, and the other one reads the new file with the
    /// same values.
    @Test func statementsOfTheProgramContinue() throws {
        let world = try World()
        let named = try world.store.prepare("SELECT name FROM items WHERE id = ?1 AND name <> ?2")
        try named.bind(.integer(3), at: 1)
        try named.bind(.text("x"), at: 2)
        let halfway = try world.store.prepare("SELECT id FROM items")
        #expect(try world.store.step(halfway))
        try world.replace()
        expectFailure(.io) { try world.store.dispatch() }
        #expect(world.items.takeFailures() == 1)
        #expect(try world.store.step(halfway))
        #expect(halfway.integer(0) == 2)
        try world.store.end(halfway)
        #expect(world.waitUntilWoken())
        try world.store.dispatch()
        #expect(world.items.take().sorted() == Self.difference)
        #expect(try world.store.step(named))
        #expect(named.text(0) == "0")
        try world.store.end(named)
    }

    /// Before: functions and a collation of the program, which lists use. Expected: they are those
    /// of the new file as well.
    @Test func functionsAndCollationsContinue() throws {
        let world = try World()
        try world.store.addFunction("twice", argumentCount: 1, isDeterministic: true) {
            .integer(2 * ($0[0].integer ?? 0))
        }
        try world.store.addCollation("backwards") { $0 == $1 ? 0 : $0 < $1 ? 1 : -1 }
        let request = FetchRequest(
            entity: "items", predicate: "twice(id) > ?", parameters: [2],
            sorts: [Sort("name", collation: "backwards")])
        let watch = try Watch(world.store, request)
        _ = try watch.controller.values("name")
        try world.replace()
        try world.store.dispatch()
        #expect(watch.take().sorted() == ["delete 2 at 0.1", "insert 4 at 0.0", "update 3 from 0.0 to 0.1 name"])
        #expect(try watch.controller.values("id") == [[4, 3]])
        try world.store.execute("UPDATE items SET name = 'e' WHERE id = 3")
        #expect(watch.take() == ["move 3 from 0.1 to 0.0 name"])
    }

    @Test func settingsOfTheConnectionContinue() throws {
        let world = try World()
        try world.store.executeScript("PRAGMA synchronous = OFF; PRAGMA cache_size = 77; PRAGMA foreign_keys = OFF")
        try world.replace()
        try world.store.dispatch()
        for (pragma, value) in [("synchronous", 0), ("cache_size", 77), ("foreign_keys", 0), ("busy_timeout", 5000)] {
            var found: Value?
            try world.store.query("PRAGMA \(pragma)") { found = $0[0] }
            #expect(found == .integer(Int64(value)), "\(pragma)")
        }
    }

    @Test func pausedListsCatchUp() throws {
        let world = try World()
        try world.items.controller.setPaused(true)
        try world.replace()
        try world.store.dispatch()
        #expect(world.items.take() == [])
        try world.items.controller.resume()
        #expect(world.items.take().sorted() == Self.difference)
    }

    @Test func listsOfAllKindsShowTheNewFile() throws {
        let world = try World()
        let section = try Watch(world.store, "items", sort: ["id"], section: "name")
        var request = FetchRequest(entity: "items", sorts: [Sort("id", isDescending: true)])
        request.limit = 2
        let window = try Watch(world.store, request)
        var named = FetchRequest(entity: "items", sorts: [Sort("id")])
        named.cacheName = "cached"
        let cached = try FetchedResultsController(store: world.store, request: named)
        try cached.performFetch()
        try world.replace()
        try world.store.dispatch()
        #expect(try section.controller.values("id") == [[3], [1], [4]])
        #expect(try window.controller.values("id") == [[4, 3]])
        #expect(!section.recorder.events.contains("reload") && !window.recorder.events.contains("reload"))
        #expect(try cached.values("id") == [[1, 3, 4]])
        // The list is cached with the state of the new file.
        try world.store.close()
        var options = StoreOptions()
        options.cacheDirectory = world.file.cacheDirectory
        let next = try Store(path: world.file.path, options: options)
        let again = try FetchedResultsController(store: next, request: named)
        try again.performFetch()
        #expect(try again.values("id") == [[1, 3, 4]])
    }

    @Test func storesFollowOneAfterTheOther() throws {
        let world = try World()
        var options = StoreOptions()
        options.followsPath = true
        let second = try Store(path: world.file.path, options: options)
        let items = try Watch(second, "items", sort: ["name"])
        _ = try items.controller.values("name")
        try world.store.execute("INSERT INTO items VALUES (9, 'z')")
        try second.dispatch()
        for watch in [world.items, items] { #expect(watch.take() == ["insert 9 at 0.3"]) }
        try world.replace()
        for (store, watch) in [(world.store, world.items), (second, items)] {
            try store.dispatch()
            #expect(watch.take().sorted() == ["delete 2 at 0.1", "delete 9 at 0.3"] + Self.difference[1...])
        }
        try second.execute("DELETE FROM items WHERE id = 4")
        try world.store.dispatch()
        for watch in [world.items, items] { #expect(watch.take() == ["delete 4 at 0.2"]) }
    }

    /// Expected: an attached file is followed as the main one is, and the main one stays.
    @Test func attachedFilesAreFollowed() throws {
        let second = TemporaryFile()
        try World.make(second.path)
        let world = try World()
        try world.store.execute("ATTACH ? AS other", [.text(second.path)])
        let others = try Watch(world.store, "other.items", sort: ["name"])
        _ = try others.controller.values("name")
        try world.store.dispatch()
        try World.make(world.copy.path, "wal", Self.changes)
        #expect(rename(world.copy.path, second.path) == 0)
        #expect(world.waitUntilWoken())
        try world.store.dispatch()
        #expect(others.take().sorted() == Self.difference)
        #expect(world.items.take() == [])
        try world.replace()
        try world.store.dispatch()
        #expect(world.items.take().sorted() == Self.difference)
        #expect(others.take() == [])
        try world.store.execute("DELETE FROM other.items WHERE id = 4")
        #expect(others.take() == ["delete 4 at 0.2"])
    }

    /// Expected: what only the former connection has is not lost without an error.
    @Test func whatOnlyTheConnectionHasIsNotLost() throws {
        for sql in ["ATTACH ':memory:' AS scratch", "CREATE TEMP TABLE scratch (x)"] {
            let world = try World()
            try world.store.execute(sql)
            try world.replace()
            expectFailure(.io, naming: "in memory, and would be lost") { try world.store.dispatch() }
        }
        let world = try World()
        _ = try world.store.sqliteHandle
        try world.replace()
        expectFailure(.io, naming: "moved, replaced or removed") { try world.store.dispatch() }
    }

    /// Before: a history in a rollback mode, where rows are known from it alone. Expected: the new
    /// file, which has none, is followed by reading the lists, and so is one that has one.
    @Test func historiesAreThoseOfTheFile() throws {
        let world = try World(journalMode: "delete")
        try world.store.startHistory(of: "items")
        try world.store.dispatch()
        let copy = try Data(contentsOf: URL(fileURLWithPath: world.file.path))
        try world.replace("delete")
        try world.store.dispatch()
        #expect(world.items.take().sorted() == Self.difference)
        #expect(try world.store.delivery.history.tables().isEmpty)
        try copy.write(to: URL(fileURLWithPath: world.file.path), options: .atomic)
        try world.store.dispatch()
        #expect(try world.items.controller.values("id") == [[1, 2, 3]])
        try world.write("DELETE FROM items WHERE id = 2")
        try world.store.dispatch()
        #expect(world.items.take().last == "delete 2 at 0.1")
        #expect(world.store.delivery.known == .allButMain)
    }

    /// Before: a list is being fetched in the background. Expected: it shows the new file.
    @Test func fetchesInTheBackgroundBeginAgain() throws {
        let world = try World()
        let gate = Gate(world.store)
        let list = try FetchedResultsController(
            store: world.store, request: FetchRequest(entity: "items", sorts: [Sort("id")]))
        var results: [StoreError?] = []
        try list.performFetchAsynchronously { results.append($0) }
        try world.replace()
        gate.isOpen = true
        while results.isEmpty { try world.store.wait(milliseconds: 10_000) }
        #expect(results == [nil])
        #expect(try list.values("id") == [[1, 3, 4]])
    }

    /// A queued store has changes that no round has delivered: they are those of the former file.
    @Test func changesThatWaitAreOfTheFormerFile() throws {
        let world = try World { $0.queuesDelivery = true }
        try world.store.execute("INSERT INTO items VALUES (9, 'z')")
        try world.replace()
        try world.store.dispatch()
        #expect(world.items.take().sorted() == Self.difference)
    }
}

extension Watch {
    /// How often it has failed since the last call, without anything else.
    fileprivate func takeFailures() -> Int {
        #expect(recorder.events.allSatisfy { $0 == "failed" })
        defer { _ = take() }
        return recorder.events.count
    }
}
