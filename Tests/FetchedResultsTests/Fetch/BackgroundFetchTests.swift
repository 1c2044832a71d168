import ChangeSets
import Foundation
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// A fetch in the background shows the same state as the other lists, whatever happens while the
/// thread reads.
@Suite struct BackgroundFetching {
    /// A store whose rows have keys that agree in their first bytes.
    private static func makeStore(_ file: TemporaryFile, queued: Bool = false, count: Int = 3000) throws -> Store {
        var options = StoreOptions()
        options.queuesDelivery = queued
        let store = try Store(path: file.path, options: options)
        try store.executeScript(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, done);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(count))
            INSERT INTO items SELECT i, printf('item number %06d', i * 7919 % 10007), 0 FROM n;
            """)
        try store.dispatch()
        return store
    }

    private static var byName: FetchRequest { FetchRequest(entity: "items", sorts: [Sort("name")]) }

    private static func ids(_ list: any LiveList) throws -> [[Value]] { try list.values("id") }

    private static func ids(_ store: Store, where condition: String = "true") throws -> [[Value]] {
        var ids: [Value] = []
        try store.query("SELECT id FROM items WHERE \(condition) ORDER BY name, id") { ids.append($0[0]) }
        return [ids]
    }

    @Test(arguments: [false, true]) func commitsMeanwhileAreInTheList(queued: Bool) throws {
        let file = TemporaryFile()
        let store = try Self.makeStore(file, queued: queued)
        let sibling = try Watch(store, Self.byName)
        let fetch = try BackgroundWatch(store, Self.byName)
        for round in 0..<4 {
            try store.execute(
                "UPDATE items SET name = printf('item number %06d', (id * 31 + ?) % 10007) WHERE id % 40 = ?",
                [.integer(Int64(round)), .integer(Int64(round % 2))])
            try store.execute("DELETE FROM items WHERE id % 500 = ?", [.integer(Int64(round))])
        }
        try fetch.complete()
        #expect(try Self.ids(fetch.controller) == Self.ids(store))
        #expect(try Self.ids(fetch.controller) == Self.ids(sibling.controller))
        try store.execute("DELETE FROM items WHERE id % 3 = 0")
        try store.dispatch()
        #expect(try Self.ids(fetch.controller) == Self.ids(store))
    }

    @Test func anotherRequestSetMeanwhileIsTheOneThatShows() throws {
        let file = TemporaryFile()
        let store = try Self.makeStore(file)
        for isFetched in [false, true] {
            let fetch = try BackgroundWatch(store, Self.byName, isFetched: isFetched)
            try store.execute("UPDATE items SET done = 1 WHERE id < 20")
            var other = Self.byName
            other.predicate = "done"
            try fetch.controller.setRequest(other)
            try fetch.complete()
            #expect(try Self.ids(fetch.controller) == Self.ids(store, where: "done"))
            try store.execute("UPDATE items SET done = 0 WHERE id = 3")
            #expect(try Self.ids(fetch.controller) == Self.ids(store, where: "done"))
        }
    }

    @Test(arguments: [false, true]) func aPauseMeanwhileLosesNothing(resumesBefore: Bool) throws {
        let file = TemporaryFile()
        let store = try Self.makeStore(file)
        let fetch = try BackgroundWatch(store, Self.byName, isFetched: true)
        try fetch.controller.setPaused(true)
        try store.execute("DELETE FROM items WHERE id <= 10")
        if resumesBefore { try fetch.controller.resume() }
        try fetch.complete()
        #expect(try Self.ids(fetch.controller) == Self.ids(store))
        try store.execute("DELETE FROM items WHERE id <= 20")
        try fetch.controller.resume()
        #expect(try Self.ids(fetch.controller) == Self.ids(store))
    }

    @Test func aKeyThatChangesTwiceInOneDeliveryLeavesNoRowBehind() throws {
        let file = TemporaryFile()
        let store = try Self.makeStore(file, queued: true, count: 10)
        try store.executeScript("CREATE TABLE words (word TEXT PRIMARY KEY); INSERT INTO words VALUES ('a')")
        try store.dispatch()
        try store.execute("UPDATE words SET word = 'b'")
        let fetch = try BackgroundWatch(store, FetchRequest(entity: "words"))
        try store.execute("UPDATE words SET word = 'c'")
        try fetch.complete()
        #expect(try fetch.controller.values("word") == [["c"]])
    }

    @Test func aSectionIsSpelledAsItsFirstRow() throws {
        let file = TemporaryFile()
        let store = try Self.makeStore(file, count: 0)
        try store.executeScript(
            """
            CREATE TABLE words (id INTEGER PRIMARY KEY, word COLLATE NOCASE);
            INSERT INTO words VALUES (1, 'Tea'), (2, 'tea'), (3, 'Milk'), (4, 'water');
            """)
        let request = FetchRequest(entity: "words", sorts: [], section: Sort("word"))
        let fetch = try BackgroundWatch(store, request)
        try store.execute("DELETE FROM words WHERE id = 1")
        try store.execute("UPDATE words SET word = 'milk' WHERE id = 3")
        try store.execute("UPDATE words SET word = 'MILK' WHERE id = 4")
        try fetch.complete()
        #expect(try fetch.controller.sectionNames == ["milk", "tea"])
        #expect(try fetch.controller.values("id") == [[3, 4], [2]])
    }

    @Test func whatCannotBeBroughtForwardIsReadAgain() throws {
        let file = TemporaryFile()
        let store = try Self.makeStore(file)
        let other = try Store(path: file.path)
        var window = Self.byName
        window.limit = 5
        var subquery = Self.byName
        subquery.predicate = "name IN (SELECT max(name) FROM items)"
        let changes: [() throws -> Void] = [
            { try other.execute("DELETE FROM items WHERE id % 7 = 0") },
            { try store.execute("UPDATE items SET name = 'item ' || (id * 17 % 3001)") },
            { try store.execute("ALTER TABLE items ADD COLUMN more DEFAULT 1") },
            { try store.execute("DELETE FROM items WHERE name < 'item 2'") },
        ]
        for change in changes {
            let watches = try [Self.byName, window, subquery].map { try BackgroundWatch(store, $0) }
            for watch in watches { #expect(watch.isInBackground) }
            try change()
            for watch in watches { try watch.complete() }
            let ids = try Self.ids(store)[0]
            let shown = try watches.map { try Self.ids($0.controller)[0] }
            #expect(shown == [ids, Array(ids.prefix(5)), ids.suffix(1)])
        }
    }

    /// The write touches no row of the list.
    @Test func aWriteToTheTableOfASubqueryMeanwhileIsInTheList() throws {
        let file = TemporaryFile()
        let store = try Self.makeStore(file, count: 3)
        try store.executeScript("CREATE TABLE chosen (id); INSERT INTO chosen VALUES (1)")
        var request = Self.byName
        request.predicate = "id IN (SELECT id FROM chosen)"
        let fetch = try BackgroundWatch(store, request)
        #expect(fetch.isInBackground)
        try store.execute("UPDATE chosen SET id = 2")
        try fetch.complete()
        #expect(try Self.ids(fetch.controller) == [[2]])
    }

    @Test func aListThatCannotBeReadStaysAndReportsWhy() throws {
        let file = TemporaryFile()
        let store = try Self.makeStore(file, count: 3)
        let fetch = try BackgroundWatch(store, Self.byName, isFetched: true)
        try store.execute("DROP TABLE items")
        let failure = try fetch.end()
        #expect(failure?.status == .schema)
        #expect(try fetch.controller.numberOfObjects == 3)
    }

    @Test func aTransactionThatIsOpenIsWaitedFor() throws {
        let file = TemporaryFile()
        let store = try Self.makeStore(file, count: 10)
        try store.begin()
        try store.execute("DELETE FROM items WHERE id < 5")
        let fetch = try BackgroundWatch(store, Self.byName)
        #expect(!fetch.isInBackground)
        try store.dispatch()
        #expect(fetch.results.isEmpty)
        try store.rollback()
        try store.dispatch()
        #expect(fetch.isInBackground)
        try store.begin()
        try store.execute("DELETE FROM items WHERE id < 3")
        try store.dispatch()
        #expect(fetch.results.isEmpty)
        try store.commit()
        try fetch.complete()
        #expect(try Self.ids(fetch.controller) == Self.ids(store))
        #expect(fetch.recorder.events == [])
    }

    @Test func aFetchThatWasCancelledIsReportedOnce() throws {
        let file = TemporaryFile()
        let store = try Self.makeStore(file)
        let fetch = try BackgroundWatch(store, Self.byName)
        #expect(fetch.controller.cancelFetch())
        try fetch.controller.setRequest(Self.byName)
        let failure = try fetch.end()
        #expect(failure?.status == .cancelled)
        try fetch.begin()
        try fetch.complete()
        try fetch.begin()
        try fetch.controller.close()
        try store.dispatch()
        #expect(fetch.results.isEmpty)
    }

    // MARK: Lists that only the store's own connection reads

    @Test func commitsInARollbackModeDoNotWaitForTheFetch() throws {
        let file = TemporaryFile()
        var options = StoreOptions()
        options.journalMode = "delete"
        options.busyTimeout = 0
        let store = try Store(path: file.path, options: options)
        try store.executeScript("CREATE TABLE items (id INTEGER PRIMARY KEY, name); INSERT INTO items VALUES (1, 'a')")
        let fetch = try BackgroundWatch(store, Self.byName)
        try store.execute("INSERT INTO items VALUES (2, 'b')")
        try fetch.complete()
        #expect(try Self.ids(fetch.controller) == [[1, 2]])
    }

    @Test func settingsOfTheConnectionHold() throws {
        let file = TemporaryFile()
        let store = try Self.makeStore(file, count: 0)
        try store.executeScript(
            """
            INSERT INTO items VALUES (1, 'ant', 0), (2, 'Ant', 0);
            CREATE TABLE chosen (id); INSERT INTO chosen VALUES (1);
            """)
        var like = Self.byName
        like.predicate = "name LIKE 'a%'"
        var chosen = Self.byName
        chosen.predicate = "id IN (SELECT id FROM chosen)"
        for request in [like, chosen] {
            let fetch = try BackgroundWatch(store, request)
            #expect(fetch.isInBackground)
            try fetch.complete()
        }
        try store.execute("PRAGMA case_sensitive_like = ON")
        let fetch = try BackgroundWatch(store, like)
        try fetch.complete()
        #expect(try Self.ids(fetch.controller) == [[1]])
        try store.executeScript("CREATE TEMP TABLE chosen (id); INSERT INTO temp.chosen VALUES (2)")
        let shadowed = try BackgroundWatch(store, chosen)
        try shadowed.complete()
        #expect(try Self.ids(shadowed.controller) == [[2]])
    }

    @Test func aStatementUnderWayHoldsItsState() throws {
        let file = TemporaryFile()
        let store = try Self.makeStore(file, count: 10)
        let other = try Store(path: file.path)
        let sibling = try Watch(store, Self.byName)
        let statement = try store.prepare("SELECT id FROM items")
        let hasRow = try store.step(statement)
        #expect(hasRow)
        try other.execute("DELETE FROM items WHERE id < 5")
        let fetch = try BackgroundWatch(store, Self.byName)
        try fetch.complete()
        #expect(try Self.ids(fetch.controller) == Self.ids(sibling.controller))
        statement.reset()
        try store.dispatch()
        #expect(try Self.ids(fetch.controller) == Self.ids(store))
    }

    @Test(arguments: [false, true]) func anotherFileUnderTheSameNameIsNotRead(movesLog: Bool) throws {
        let file = TemporaryFile()
        let other = TemporaryFile()
        let moved = TemporaryFile()
        let store = try Self.makeStore(file, count: 50)
        try Self.makeStore(other, count: 7).close()
        for suffix in movesLog ? ["", "-wal", "-shm"] : [""] {
            try FileManager.default.moveItem(atPath: file.path + suffix, toPath: moved.path + suffix)
        }
        try FileManager.default.moveItem(atPath: other.path, toPath: file.path)
        let controller = try FetchedResultsController(store: store, request: Self.byName)
        var result: StoreError??
        try controller.performFetchAsynchronously { result = .some($0) }
        if case .reading? = controller.fetch?.state { Issue.record("a thread reads a file that was moved") }
        // The store may refuse to deliver from a file that is not the one of its path; then no list
        // shows anything.
        for _ in 0..<100 where result == nil { _ = try? store.wait(milliseconds: 10) }
        if controller.isFetched { #expect(try controller.numberOfObjects == 50) }
        withExtendedLifetime(moved) {}
    }
}
