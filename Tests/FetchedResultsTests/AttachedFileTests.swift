import ChangeSets
import Foundation
import Glibc
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// Commits of other connections to attached files in WAL mode are followed row by row, as those to
/// the main one.
@Suite struct AttachedFileCommits {
    private static let script =
        "CREATE TABLE items (id INTEGER PRIMARY KEY, name); INSERT INTO items VALUES (1, 'a'), (2, 'b'), (3, 'c')"

    /// A store with an attached file, and connections that write to its main file and to the
    /// attached one.
    private struct World {
        let mainFile = TemporaryFile()
        let attachedFile = TemporaryFile()
        let own: Store
        let main: Store
        let attached: Store

        init(journalMode: String? = nil, options: StoreOptions = StoreOptions()) throws {
            own = try Store(path: mainFile.path, options: options)
            try own.executeScript(AttachedFileCommits.script)
            main = try Store(path: mainFile.path)
            var options = StoreOptions()
            options.journalMode = journalMode
            attached = try Store(path: attachedFile.path, options: options)
            try attached.executeScript(AttachedFileCommits.script)
            try own.execute("ATTACH ?1 AS aux", [.text(attachedFile.path)])
        }

        func expectAllFollowed(_ count: Int) throws {
            let counters = try own.foreignCounters
            #expect(counters.followed == count)
            #expect(counters.unknown == [:])
        }
    }

    private func rereads(_ watch: Watch) throws -> [RereadReason: Int] { watch.controller.counters.rereads }

    private func isReadable(_ store: Store, within milliseconds: Int32 = 0) throws -> Bool {
        var descriptor = pollfd(fd: try store.fileDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, milliseconds) == 1
    }

    @Test func commitsOfOthersAreFollowed() throws {
        let world = try World()
        let items = try Watch(world.own, "aux.items", sort: ["name"])
        try world.attached.transaction {
            try world.attached.execute("UPDATE items SET name = 'z' WHERE id = 1")
            try world.attached.execute("DELETE FROM items WHERE id = 2")
            try world.attached.execute("INSERT INTO items VALUES (4, '0')")
        }
        try world.own.dispatch()
        let delivery = try items.delivery()
        #expect(items.take() == ["delete 2 at 0.1", "insert 4 at 0.0", "move 1 from 0.0 to 0.2 name"])
        // Nothing was read before.
        let old = delivery.changeSet.objectChanges.filter { $0.type != .insert }.map { delivery.oldValues(of: $0) }
        #expect(old == [[2, "b"], [1, "a"]])
        #expect(try rereads(items) == [.fetch: 1])
        try world.expectAllFollowed(1)
    }

    @Test func rowsStayReadableUntilTheDispatch() throws {
        let world = try World()
        let lists = try ["items", "aux.items"].map { try Watch(world.own, $0) }
        try world.attached.execute("UPDATE items SET name = 'new' WHERE id = 1")
        try world.attached.execute("DELETE FROM items WHERE id = 3")
        try world.own.execute("UPDATE aux.items SET name = 'own' WHERE id = 2")
        for list in lists { list.controller.rowCacheSize = 1 }
        try world.attached.execute("DELETE FROM items")
        try world.main.execute("DELETE FROM items")
        #expect(try lists[0].controller.values("name") == [["a", "b", "c"]])
        #expect(try lists[1].controller.values("name") == [["new", "own"]])
        try world.own.dispatch()
        #expect(try lists.map { try $0.controller.values("name") } == [[[]], [[]]])
        #expect(try world.own.foreignCounters.unknown == [:])
    }

    /// Rows of lists that were fetched when other connections had committed to both files.
    @Test func rowsOfAListThatWasFetchedBeforeTheDeliveryAreAsShown() throws {
        let world = try World()
        let names = ["items", "aux.items"]
        let shown = try names.map { try Watch(world.own, $0) }
        for writer in [world.main, world.attached] { try writer.execute("UPDATE items SET name = name || '1'") }
        let ahead = try names.map { try Watch(world.own, $0) }
        for writer in [world.main, world.attached] { try writer.execute("UPDATE items SET name = name || '2'") }
        for list in shown { #expect(try list.controller.values("name") == [["a", "b", "c"]]) }
        for list in ahead { #expect(try list.controller.values("name") == [["a1", "b1", "c1"]]) }
        try world.own.dispatch()
        for list in shown + ahead { #expect(try list.controller.values("name") == [["a12", "b12", "c12"]]) }
        for list in shown { #expect(list.take().count == 3) }
    }

    @Test func rowsOfAListThatReadsTwoFilesStayReadable() throws {
        let world = try World()
        let items = try Watch(world.own, "aux.items", where: "id IN (SELECT id FROM main.items)")
        try world.attached.execute("UPDATE items SET name = 'new' WHERE id = 1")
        #expect(try items.controller.values("name") == [["a", "b", "c"]])
        try world.own.dispatch()
        #expect(items.take() == ["update 1 from 0.0 to 0.0 name"])
        #expect(try items.controller.values("name") == [["new", "b", "c"]])
    }

    /// Other connections can restart the log, also if the program does not dispatch.
    @Test func theLogOfAnAttachedFileCanBeTruncated() throws {
        let world = try World()
        let items = try Watch(world.own, "aux.items")
        for number in 0..<3 {
            try world.attached.execute("UPDATE items SET name = ?1 WHERE id = 1", [.integer(Int64(number))])
            try world.own.dispatch()
            if number > 0 { try world.own.execute("UPDATE aux.items SET name = 'own' WHERE id = 2") }
            try world.own.dispatch()
            let result = try world.attached.connection.rows("PRAGMA wal_checkpoint(TRUNCATE)")
            #expect(result[0][0] == 0)
        }
        try world.attached.execute("UPDATE items SET name = 'last' WHERE id = 1")
        // It waits until the watcher's thread has released the state.
        try world.attached.query("PRAGMA wal_checkpoint(TRUNCATE)") { _ in }
        let log = try FileManager.default.attributesOfItem(atPath: world.attachedFile.path + "-wal")
        #expect(log[.size] as? Int64 == 0)
        try world.own.dispatch()
        #expect(try items.controller.values("name") == [["last", "own", "c"]])
    }

    @Test func theLogOfAnAttachedFileStaysShort() throws {
        let world = try World()
        let items = try Watch(world.own, "aux.items")
        for number in 0..<1500 {
            let (writer, table) = number % 3 == 0 ? (world.own, "aux.items") : (world.attached, "items")
            try writer.execute("UPDATE \(table) SET name = ?1 WHERE id = 1", [.integer(Int64(number))])
            if number % 5 == 0 { try world.own.dispatch() }
        }
        let log = try FileManager.default.attributesOfItem(atPath: world.attachedFile.path + "-wal")
        #expect(log[.size] as? Int64 ?? 0 < 1100 * 4120)
        try world.own.dispatch()
        #expect(try items.controller.values("name") == [[1499, "b", "c"]])
        #expect(try world.own.foreignCounters.unknown == [:])
    }

    /// Transactions of the store that write to one file only, while other connections commit to the
    /// other one.
    @Test(arguments: [Store.TransactionMode.deferred, .immediate])
    func ownTransactionsAreNoRaces(mode: Store.TransactionMode) throws {
        let world = try World()
        try world.own.execute("CREATE TEMP TABLE scratch (x)")
        let lists = try ["items", "aux.items"].map { try Watch(world.own, $0) }
        for (index, table) in ["main.items", "aux.items", "scratch"].enumerated() {
            try world.own.transaction(mode) {
                if index < 2 {
                    try world.own.execute("UPDATE \(table) SET name = 'own' WHERE id = 3")
                } else {
                    try world.own.execute("INSERT INTO scratch VALUES (1)")
                }
                // No lock blocks other connections from the file that is not written.
                if mode == .deferred, index == 0 { try world.attached.execute("DELETE FROM items WHERE id = 1") }
                if mode == .deferred, index == 1 { try world.main.execute("DELETE FROM items WHERE id = 1") }
            }
            try world.own.transaction(mode) {
                for name in ["main", "aux"] {
                    try world.own.execute("UPDATE \(name).items SET name = name || \(index)")
                }
            }
            try world.own.dispatch()
        }
        for (list, name) in zip(lists, ["main", "aux"]) {
            let expected = try world.own.connection.rows("SELECT name FROM \(name).items ORDER BY id").map { $0[0] }
            #expect(try list.controller.values("name") == [expected])
            #expect(try rereads(list) == [.fetch: 1])
        }
        try world.expectAllFollowed(mode == .deferred ? 2 : 0)
    }

    /// The program is woken for a commit to one file that is made together with an own one to the
    /// other.
    @Test func anOwnCommitDoesNotHideOneToTheOtherFile() throws {
        let world = try World()
        let items = try Watch(world.own, "aux.items")
        _ = try isReadable(world.own, within: 100)
        try world.own.dispatch()
        for _ in 0..<5 {
            try world.own.transaction(.deferred) {
                try world.own.execute("UPDATE main.items SET name = name || '!'")
                try world.attached.execute("INSERT INTO items (name) VALUES ('new')")
            }
            #expect(try isReadable(world.own, within: 10_000))
            try world.own.dispatch()
            #expect(items.take().count == 1)
        }
    }

    @Test func aFileOfWhichNoListWatchesATableIsNotFollowed() throws {
        let world = try World()
        let items = try Watch(world.own, "items")
        try world.attached.execute("DELETE FROM items WHERE id = 1")
        try world.own.dispatch()
        try world.expectAllFollowed(0)
        // Nothing is read for it.
        #expect(try rereads(items) == [.fetch: 1])
        let attached = try Watch(world.own, "aux.items")
        try world.attached.execute("DELETE FROM items WHERE id = 2")
        try world.main.execute("DELETE FROM items WHERE id = 3")
        try world.own.dispatch()
        #expect(attached.take() == ["delete 2 at 0.0"])
        #expect(items.take() == ["delete 3 at 0.2"])
        try world.expectAllFollowed(2)
    }

    @Test func detachingEndsFollowing() throws {
        let world = try World()
        let items = try Watch(world.own, "items")
        do {
            let attached = try Watch(world.own, "aux.items")
            try world.attached.execute("DELETE FROM items WHERE id = 1")
            try world.own.dispatch()
            #expect(attached.take() == ["delete 1 at 0.0"])
        }
        try world.own.execute("DETACH aux")
        // No connection has the file open any more.
        try world.attached.execute("PRAGMA journal_mode = DELETE")
        try world.attached.execute("PRAGMA journal_mode = WAL")
        try world.main.execute("DELETE FROM items WHERE id = 1")
        try world.own.dispatch()
        #expect(items.take() == ["delete 1 at 0.0"])
        try world.own.execute("ATTACH ?1 AS again", [.text(world.attachedFile.path)])
        let again = try Watch(world.own, "again.items")
        try world.attached.execute("DELETE FROM items WHERE id = 2")
        try world.own.dispatch()
        #expect(again.take() == ["delete 2 at 0.0"])
        try world.expectAllFollowed(3)
    }

    /// Before: a program attaches another file under the same name, without the store.
    @Test func anotherFileOfTheSameNameIsNotTakenForTheFirst() throws {
        let world = try World()
        let items = try Watch(world.own, "aux.items")
        let second = TemporaryFile()
        let writer = try Store(path: second.path)
        defer { try? writer.close() }
        try writer.executeScript(Self.script)
        try world.attached.execute("DELETE FROM items WHERE id = 1")
        try world.own.connection.execute("DETACH aux")
        try world.own.connection.execute("ATTACH '\(second.path)' AS aux")
        _ = try world.own.sqliteHandle
        try world.own.dispatch()
        try writer.execute("UPDATE items SET name = 'second' WHERE id = 1")
        try world.own.dispatch()
        #expect(try items.controller.values("name") == [["second", "b", "c"]])
    }

    @Test func aStoreInMemoryFollowsThem() throws {
        let world = try World()
        let store = try makeStore("CREATE TABLE own (id INTEGER PRIMARY KEY)")
        defer { try? store.close() }
        try store.execute("ATTACH ?1 AS aux", [.text(world.attachedFile.path)])
        let items = try Watch(store, "aux.items")
        items.controller.rowCacheSize = 1
        try world.attached.execute("UPDATE items SET name = name || '!' WHERE id < 3")
        #expect(try items.controller.values("name") == [["a", "b", "c"]])
        try store.dispatch()
        #expect(items.take() == ["update 1 from 0.0 to 0.0 name", "update 2 from 0.1 to 0.1 name"])
        #expect(try store.foreignCounters.followed == 1)
    }

    @Test(arguments: [":memory:", "delete"]) func otherDatabasesAreReadAsAWhole(mode: String) throws {
        let world = try World(journalMode: mode == "delete" ? mode : nil)
        if mode != "delete" {
            try world.own.execute("ATTACH ':memory:' AS mem")
            try world.own.execute("CREATE TABLE mem.items (id INTEGER PRIMARY KEY, name)")
            let items = try Watch(world.own, "mem.items")
            try world.own.execute("INSERT INTO mem.items VALUES (1, 'a')")
            try world.main.execute("DELETE FROM items WHERE id = 1")
            try world.own.dispatch()
            #expect(items.take() == ["insert 1 at 0.0"])
            #expect(try rereads(items) == [.fetch: 1])
            return try world.expectAllFollowed(1)
        }
        let items = try Watch(world.own, "aux.items")
        try world.attached.execute("DELETE FROM items WHERE id = 1")
        try world.own.dispatch()
        #expect(items.take() == ["delete 1 at 0.0"])
        #expect(try rereads(items) == [.fetch: 1, .foreign: 1])
        try world.expectAllFollowed(0)
    }

    /// A change of the schema is no change of rows.
    @Test func aForeignSchemaChangeIsFollowed() throws {
        let world = try World()
        let items = try Watch(world.own, "aux.items")
        try world.attached.execute("ALTER TABLE items ADD COLUMN more DEFAULT 1")
        try world.attached.execute("DELETE FROM items WHERE id = 1")
        try world.own.dispatch()
        #expect(items.take().first == "delete 1 at 0.0")
        try world.attached.execute("UPDATE items SET more = 2 WHERE id = 2")
        #expect(try items.controller.values("more") == [[1, 1]])
        try world.own.dispatch()
        #expect(items.take() == ["update 2 from 0.0 to 0.0 more"])
    }

    @Test(arguments: ["UTF-16le", "UTF-16be"]) func filesInUTF16AreFollowed(encoding: String) throws {
        let files = [TemporaryFile(), TemporaryFile()]
        // They are deleted with their objects.
        defer { withExtendedLifetime(files) {} }
        for file in files { try file.create(encoding: encoding) }
        let own = try Store(path: files[0].path)
        defer { try? own.close() }
        let other = try Store(path: files[1].path)
        defer { try? other.close() }
        try other.executeScript(
            "CREATE TABLE words (word TEXT PRIMARY KEY, n) WITHOUT ROWID; INSERT INTO words VALUES ('é', 1), ('ö', 2)")
        try own.execute("ATTACH ?1 AS aux", [.text(files[1].path)])
        let words = try Watch(own, "aux.words")
        try other.execute("UPDATE words SET n = 3 WHERE word = 'ö'")
        try other.execute("INSERT INTO words VALUES ('ü', 4)")
        #expect(try words.controller.values("n") == [[1, 2]])
        try own.dispatch()
        #expect(try words.controller.values("n") == [[1, 3, 4]])
        #expect(try own.foreignCounters.followed == 1)
        #expect(try own.foreignCounters.unknown == [:])
    }
}
