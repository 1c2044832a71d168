import ChangeSets
import Foundation
import OrderedTree
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// A database file whose lists are cached, opened repeatedly, as by successive starts of a program.
struct Starts {
    let file = TemporaryFile()
    var options = StoreOptions()

    static let script = """
        CREATE TABLE lists (id INTEGER PRIMARY KEY, title TEXT, position INTEGER);
        CREATE TABLE items (id INTEGER PRIMARY KEY, list_id INTEGER REFERENCES lists(id), name TEXT COLLATE NOCASE, done);
        INSERT INTO lists VALUES (1, 'Home', 2), (2, 'Work', 1), (3, 'Empty', 3);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
            INSERT INTO items SELECT i, 1 + i % 2, 'item ' || (i * 7 % 50), i % 3 = 0 FROM n;
        CREATE TABLE other (id INTEGER PRIMARY KEY, x);
        """

    init(_ script: String = Starts.script, journalMode: String? = nil) throws {
        options.cacheDirectory = file.cacheDirectory
        options.journalMode = journalMode
        try start { try $0.executeScript(script) }
    }

    /// Opens the store, runs a function, and closes it.
    func start<Result>(_ body: (Store) throws -> Result) throws -> Result {
        let store = try Store(path: file.path, options: options)
        defer { try? store.close() }
        return try body(store)
    }

    static var request: FetchRequest {
        var request = FetchRequest(
            entity: "items", predicate: "done = ?", parameters: [0],
            sorts: [Sort("name"), Sort("list_id.title")],
            section: Sort("list_id"))
        request.cacheName = "open items"
        return request
    }

    static let smallNodes = NodeSizes(leafCapacity: 4, fanout: 4)

    /// Fetches in a start of its own: the contents of the list, and whether it was taken from the
    /// cache.
    func fetch(
        _ request: FetchRequest = Starts.request, then: (Store, FetchedResultsController) throws -> Void = { _, _ in }
    ) throws -> (rows: [[Value]], isFromCache: Bool) {
        // The list lives until the store closes, which caches it.
        var shown: FetchedResultsController?
        defer { withExtendedLifetime(shown) {} }
        return try start { store in
            let controller = try FetchedResultsController(store: store, request: request, nodes: Self.smallNodes)
            shown = controller
            try controller.performFetch()
            let isFromCache = controller.engine.counters.cachedFetches == 1
            #expect(controller.engine.counters.rereads[.fetch, default: 0] == (isFromCache ? 0 : 1))
            #expect(controller.engine.list?.rows.checkInvariants() == [])
            let rows = try controller.values("id")
            try then(store, controller)
            return (rows, isFromCache)
        }
    }

    /// Caches a list under two names.
    func makeLists() throws {
        for name in ["open items", "more items"] {
            var request = Self.request
            request.cacheName = name
            _ = try fetch(request)
        }
    }

    /// The files of all cached lists.
    var files: [String] {
        let names =
            FileManager.default.enumerator(atPath: file.cacheDirectory)?.allObjects.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".list") }.sorted().map { file.cacheDirectory + "/" + $0 }
    }
}
