import Foundation
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

@Suite struct Opening {
    @Test func aMissingFileIsCreatedUnlessTheOptionsForbidIt() throws {
        let file = TemporaryFile()
        var options = StoreOptions()
        options.createsFile = false
        expectFailure(.io, naming: file.path) { _ = try Store(path: file.path, options: options) }
        options = StoreOptions()
        options.isReadOnly = true
        expectFailure(.io, naming: file.path) { _ = try Store(path: file.path, options: options) }
        #expect(!FileManager.default.fileExists(atPath: file.path))

        let store = try Store(path: file.path)
        try store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY)")
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    @Test func aFileInAMissingDirectoryOrADirectoryIsNoDatabase() {
        expectFailure(.io) { _ = try Store(path: "/nowhere/at/all.db") }
        expectFailure(.io) { _ = try Store(path: FileManager.default.temporaryDirectory.path) }
    }

    @Test func aFileThatIsNoDatabaseIsReported() throws {
        let file = TemporaryFile()
        try Data(repeating: 0x58, count: 4096).write(to: URL(fileURLWithPath: file.path))
        expectFailure(.corrupt) { _ = try Store(path: file.path) }
    }

    @Test func filesUseTheWriteAheadLogByDefault() throws {
        let file = TemporaryFile()
        #expect(try pragma("journal_mode", Store(path: file.path)) == "wal")
        var options = StoreOptions()
        options.journalMode = "DELETE"
        #expect(try pragma("journal_mode", Store(path: TemporaryFile().path, options: options)) == "delete")
        options.journalMode = "delete; DROP TABLE items"
        expectFailure(.sql, naming: "delete; DROP TABLE items") { _ = try Store(path: ":memory:", options: options) }
    }

    @Test func foreignKeysAreEnforcedUnlessTurnedOff() throws {
        let script =
            "CREATE TABLE lists (id INTEGER PRIMARY KEY); CREATE TABLE items (id INTEGER PRIMARY KEY, list_id REFERENCES lists)"
        let store = try makeStore(script)
        expectFailure(.constraint) { try store.execute("INSERT INTO items VALUES (1, 9)") }
        var options = StoreOptions()
        options.enforcesForeignKeys = false
        try makeStore(script, options).execute("INSERT INTO items VALUES (1, 9)")
    }

    @Test func aStoreOpenedForReadingRefusesToWrite() throws {
        let file = TemporaryFile()
        try Store(path: file.path).execute("CREATE TABLE items (id INTEGER PRIMARY KEY)")
        var options = StoreOptions()
        options.isReadOnly = true
        let store = try Store(path: file.path, options: options)
        expectFailure(.readOnly) { try store.execute("INSERT INTO items VALUES (1)") }
        #expect(try Watch(store, "items").controller.numberOfObjects == 0)
    }

    @Test func aLockedDatabaseIsBusyAndTheListRecovers() throws {
        let file = TemporaryFile()
        var options = StoreOptions()
        options.busyTimeout = 0
        let store = try Store(path: file.path, options: options)
        let other = try Store(path: file.path, options: options)
        try store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY)")
        let items = try Watch(store, "items")
        try other.begin(.immediate)
        expectFailure(.busy) { try store.execute("INSERT INTO items VALUES (1)") }
        #expect(items.take() == [])
        try other.rollback()
        try store.execute("INSERT INTO items VALUES (1)")
        #expect(items.take() == ["insert 1 at 0.0"])
    }

    @Test func aClosedStoreAnswersThatItIsClosed() throws {
        let store = try makeStore(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, name); INSERT INTO items VALUES (1, 'a')")
        let items = try Watch(store, "items")
        let object = try items.controller.object(at: ListIndexPath(section: 0, row: 0))
        try store.begin()
        try store.execute("INSERT INTO items VALUES (2, 'b')")
        try store.close()
        try store.close()
        #expect(store.isClosed)
        #expect(object["name"] == "a")
        let controller = items.controller
        let calls: [() throws -> Void] = [
            { try store.execute("SELECT 1") }, { try store.executeScript("") },
            { try store.query("SELECT 1") { _ in } },
            { try store.begin() }, { try store.commit() }, { try store.rollback() }, { try store.dispatch() },
            { try store.insert(into: "items", []) }, { _ = try store.changes }, { _ = try store.isInTransaction },
            { _ = try store.object("items", identity: [1]) }, { try controller.performFetch() },
            { try controller.setRequest(FetchRequest(entity: "items")) }, { _ = try controller.numberOfObjects },
            { _ = try controller.object(at: ListIndexPath(section: 0, row: 0)) },
            { _ = try controller.indexPath(of: object) },
            { _ = try controller.sectionIndexTitles },
            { _ = try FetchedResultsController(store: store, request: FetchRequest(entity: "items")) },
        ]
        for (number, call) in calls.enumerated() {
            let error = #expect(throws: StoreError.self, "call \(number)") { try call() }
            #expect(error?.status == .closed, "call \(number)")
        }
        #expect(items.take() == [])
    }

    private func pragma(_ name: String, _ store: Store) throws -> String? {
        var result: String?
        try store.query("PRAGMA \(name)") { result = $0[0].text }
        return result
    }
}
