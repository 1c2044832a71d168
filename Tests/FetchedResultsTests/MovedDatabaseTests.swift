import CSQLite
import ChangeSets
import Foundation
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// A database file that is no longer at its path: writes to it would be lost.
@Suite struct MovedDatabases {
    enum Loss: String, CaseIterable {
        case movedAway, removed, replaced
    }

    private final class World {
        let file = TemporaryFile()
        let away = TemporaryFile()
        let store: Store
        let items: Watch
        /// The program's own connection; nil if the store has opened the file.
        private var adopted: OpaquePointer?

        init(journalMode: String, adopts: Bool = false) throws {
            var options = StoreOptions()
            options.journalMode = journalMode
            if adopts {
                #expect(sqlite3_open(file.path, &adopted) == SQLITE_OK)
                store = try Store(adopting: try #require(adopted), queuesDelivery: false)
                try store.query("PRAGMA journal_mode = \(journalMode)") { _ in }
            } else {
                store = try Store(path: file.path, options: options)
            }
            try store.executeScript("CREATE TABLE items (id INTEGER PRIMARY KEY); INSERT INTO items VALUES (1)")
            items = try Watch(store, "items")
        }

        deinit {
            guard let adopted else { return }
            // Nothing is in progress that could hold it open.
            try? store.close()
            sqlite3_close(adopted)
        }

        func lose(_ loss: Loss) throws {
            switch loss {
            case .movedAway: try FileManager.default.moveItem(atPath: file.path, toPath: away.path)
            case .removed: try FileManager.default.removeItem(atPath: file.path)
            case .replaced:
                let other = try Store(path: away.path)
                try other.executeScript("PRAGMA journal_mode = DELETE; CREATE TABLE items (id INTEGER PRIMARY KEY)")
                try other.close()
                #expect(rename(away.path, file.path) == 0)
            }
        }
    }

    @Test(arguments: Loss.allCases, ["wal", "delete"]) func nothingIsWrittenAndEveryCallSaysWhy(
        loss: Loss, journalMode: String
    ) throws {
        for adopts in [false, true] { try checkCalls(loss, World(journalMode: journalMode, adopts: adopts)) }
    }

    private func checkCalls(_ loss: Loss, _ world: World) throws {
        try world.lose(loss)
        let store = world.store
        let calls: [(String, () throws -> Void)] = [
            ("execute", { try store.execute("INSERT INTO items VALUES (2)") }),
            ("transaction", { try store.transaction { try store.execute("INSERT INTO items VALUES (3)") } }),
            ("insert", { try store.insert(into: "items", [("id", 4)]) }),
            ("returning", { try store.query("INSERT INTO items VALUES (5) RETURNING id") { _ in } }),
            ("schema", { try store.execute("CREATE TABLE others (x)") }),
            ("dispatch", { try store.dispatch() }),
            ("wait", { try store.wait(milliseconds: 0) }),
            ("fetch", { try world.items.controller.performFetch() }),
        ]
        for (name, call) in calls {
            let error = #expect(throws: StoreError.self, "\(name)") { try call() }
            #expect(error?.status == .io, "\(name): \(String(describing: error))")
            #expect(error?.message.contains(world.file.path) ?? false, "\(name): \(String(describing: error))")
            #expect(error?.sqliteCode == 1032, "\(name)")
            #expect(try !store.isInTransaction, "\(name)")
        }
        // By the first call that looks for commits of others.
        #expect(world.items.recorder.events == ["failed"])
        #expect(world.items.recorder.errors.map(\.sqliteCode) == [1032])
        #expect(try world.items.controller.numberOfObjects == 1)
        var count: Int64?
        try store.query("SELECT count(*) FROM items") { if case .integer(let number) = $0[0] { count = number } }
        #expect(count == 1)
    }

    @Test(arguments: Loss.allCases, ["wal", "delete"]) func theProgramIsWoken(loss: Loss, journalMode: String) throws {
        let world = try World(journalMode: journalMode)
        var poll = pollfd(fd: try world.store.fileDescriptor, events: Int16(POLLIN), revents: 0)
        try world.store.dispatch()
        try world.lose(loss)
        #expect(Glibc.poll(&poll, 1, 10_000) == 1)
        expectFailure(.io, naming: world.file.path) { try world.store.dispatch() }
        #expect(world.items.recorder.events == ["failed"])
    }

    /// Before: another connection that still has the lost file commits. Change: the store's own
    /// write is refused. Expected: nothing is delivered from that file, until it is at its path
    /// again.
    @Test func aRefusedWriteDeliversNothingOfOthers() throws {
        let world = try World(journalMode: "wal")
        let other = try Connection.open(path: world.file.path, readOnly: false, create: false)
        defer { other.close() }
        try other.execute("INSERT INTO items VALUES (2)")
        try world.store.dispatch()
        #expect(world.items.take() == ["insert 2 at 0.1"])
        try world.lose(.movedAway)
        try other.execute("INSERT INTO items VALUES (3)")
        for call in [{ try world.store.execute("INSERT INTO items VALUES (4)") }, { try world.store.dispatch() }] {
            expectFailure(.io) { try call() }
            #expect(world.items.take() == [])
        }
        #expect(rename(world.away.path, world.file.path) == 0)
        try world.store.dispatch()
        #expect(world.items.take() == ["insert 3 at 0.2"])
    }

    @Test func aFileThatExistsAgainIsWrittenAgain() throws {
        let world = try World(journalMode: "delete")
        try world.lose(.movedAway)
        expectFailure(.io) { try world.store.execute("INSERT INTO items VALUES (2)") }
        #expect(rename(world.away.path, world.file.path) == 0)
        try world.store.execute("INSERT INTO items VALUES (3)")
        #expect(world.items.take() == ["insert 3 at 0.1"])
    }

    @Test func anAttachedFileThatIsGoneIsNamed() throws {
        let world = try World(journalMode: "wal")
        try world.store.execute("ATTACH ? AS aux", [.text(world.away.path)])
        try world.store.execute("CREATE TABLE aux.notes (id INTEGER PRIMARY KEY)")
        try FileManager.default.removeItem(atPath: world.away.path)
        expectFailure(.io, naming: world.away.path) { try world.store.execute("INSERT INTO aux.notes VALUES (1)") }
        expectFailure(.io, naming: world.away.path) { try world.store.dispatch() }
    }
}

/// Files that are attached are followed like the main one.
@Suite struct AttachedFiles {
    @Test func commitsOfOthersToThemAreDelivered() throws {
        for attachesFirst in [false, true] {
            let (file, second) = (TemporaryFile(), TemporaryFile())
            let other = try Store(path: second.path)
            try other.executeScript(
                "CREATE TABLE notes (id INTEGER PRIMARY KEY, text); INSERT INTO notes VALUES (1, 'a'), (2, 'b')")
            let store = try Store(path: file.path)
            try store.execute("ATTACH ? AS other", [.text(second.path)])
            if attachesFirst { try store.dispatch() }
            let notes = try Watch(store, "other.notes", sort: ["text"])
            _ = try notes.controller.values("text")
            try other.execute("UPDATE notes SET text = 'c' WHERE id = 1")
            try store.dispatch()
            #expect(notes.take() == ["move 1 from 0.0 to 0.1 text"])
            try other.execute("DELETE FROM notes WHERE id = 2")
            try store.transaction { try store.execute("INSERT INTO other.notes VALUES (3, 'd')") }
            #expect(try notes.controller.values("id") == [[1, 3]])
            try store.execute("CREATE TABLE main.own (id INTEGER PRIMARY KEY)")
            try notes.controller.close()
            try store.execute("DETACH other")
            try store.execute("INSERT INTO own VALUES (1)")
            try store.dispatch()
        }
    }
}
