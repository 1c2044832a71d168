import ChangeSets
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults
@testable import ListEngine

/// Rows can be read whatever the limits of the cache are, and the cache respects them.
@Suite struct CacheLimitTests {
    private static let rowCount = 60

    private func makeRows(length: Int = 1) throws -> Store {
        try makeStore(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, part INTEGER, name TEXT);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(Self.rowCount))
            INSERT INTO items SELECT i, i % 3, printf('%0\(length)d', i) FROM n
            """
        )
    }

    private func request(batchSize: Int, section: Bool) -> FetchRequest {
        var request = FetchRequest(entity: "items", section: section ? Sort("part") : nil)
        request.batchSize = batchSize
        return request
    }

    /// Reads rows in a random order, and expects each of them.
    private func readRandomly(_ items: FetchedResultsController, _ random: inout SeededRandom, count: Int) throws {
        for _ in 0..<count {
            let id = Int64.random(in: 1...Int64(Self.rowCount), using: &random)
            let path = try #require(try items.indexPath(ofIdentity: [.integer(id)]))
            #expect(try items.object(at: path)["name"]?.text.flatMap { Int64($0) } == id)
        }
    }

    @Test(arguments: [false, true]) func eachRowIsReadWithAnyBatchAndAnyLimit(inSections: Bool) throws {
        let store = try makeRows()
        var random = SeededRandom(seed: 1)
        for batchSize in 1...12 {
            for limit in batchSize...(2 * batchSize + 3) {
                let items = try Watch(store, request(batchSize: batchSize, section: inSections)).controller
                items.rowCacheSize = limit
                try readRandomly(items, &random, count: 60)
                #expect(items.engine.cache.ids.filter(items.engine.cache.contains).count <= limit)
            }
        }
    }

    @Test(arguments: [false, true]) func eachRowIsReadWithAnyLimitInBytes(inSections: Bool) throws {
        let store = try makeRows(length: 1_000)
        var random = SeededRandom(seed: 2)
        for batchSize in [1, 2, 5, 20] {
            for limit in [0, 1, 500, 1_200, 2_500, 5_000, 30_000] {
                let items = try Watch(store, request(batchSize: batchSize, section: inSections)).controller
                items.rowCacheBytes = limit
                try readRandomly(items, &random, count: 60)
                // A row alone may be larger than the limit.
                #expect(items.engine.cache.byteCount <= max(limit, 1_200))
            }
        }
    }

    @Test func theCacheOfLargeRowsStaysBelowItsLimitInBytes() throws {
        let store = try makeRows(length: 100_000)
        let items = try Watch(store, request(batchSize: 20, section: false)).controller
        items.rowCacheBytes = 1 << 20
        let before = items.counters.rowsRead
        for row in 0..<Self.rowCount { _ = try items.object(at: ListIndexPath(section: 0, row: row)) }
        #expect(items.engine.cache.byteCount <= 1 << 20)
        #expect(items.engine.cache.byteCount > 1 << 18)
        #expect(items.counters.rowsRead - before <= 2 * Self.rowCount)
        items.rowCacheBytes = 1 << 17
        #expect(items.engine.cache.byteCount <= 1 << 17)
    }

    @Test func aRowThatGrowsKeepsTheLimit() throws {
        let store = try makeRows()
        let items = try Watch(store, request(batchSize: 20, section: false)).controller
        items.rowCacheBytes = 50_000
        for row in 0..<Self.rowCount { _ = try items.object(at: ListIndexPath(section: 0, row: row)) }
        try store.execute("UPDATE items SET name = printf('%03000d', id)")
        #expect(items.engine.cache.byteCount <= 50_000)
        var random = SeededRandom(seed: 3)
        try readRandomly(items, &random, count: 30)
    }
}
