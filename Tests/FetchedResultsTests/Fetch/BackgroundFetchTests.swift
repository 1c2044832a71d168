import ChangeSets
import Foundation
import SQLiteKit
import Testing

@testable import FetchedResults

/// A fetch in the background shows what its siblings show, whatever happens while the thread reads.
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

    private static var byName: FetchRequest { FetchRequest(entity: "items", sortDescriptors: [SortDescriptor("name")]) }

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
        fetch.controller.setPaused()
        try store.execute("DELETE FROM items WHERE id <= 10")
        if resumesBefore { try fetch.controller.resume() }
        try fetch.complete()
        #expect(try Self.ids(fetch.controller) == Self.ids(store))
        try store.execute("DELETE FROM items WHERE id <= 20")
        try fetch.controller.resume()
        #expect(try Self.ids(fetch.controller) == Self.ids(store))
    }

    @Test func anotherFileUnderTheSameNameIsNotRead() throws {
        let file = TemporaryFile()
        let other = TemporaryFile()
        let store = try Self.makeStore(file, count: 50)
        let elsewhere = try Self.makeStore(other, count: 7)
        try elsewhere.close()
        try FileManager.default.moveItem(atPath: file.path, toPath: file.path + "-moved")
        try FileManager.default.moveItem(atPath: other.path, toPath: file.path)
        defer { try? FileManager.default.removeItem(atPath: file.path + "-moved") }
        let controller = try FetchedResultsController(store: store, request: Self.byName)
        var result: StoreError??
        try controller.performFetchAsynchronously { result = .some($0) }
        // A store may refuse to deliver from a file that was moved; then nothing shows.
        for _ in 0..<100 where result == nil { _ = try? store.wait(milliseconds: 10) }
        if controller.isFetched { #expect(try controller.numberOfObjects == 50) }
    }
}
