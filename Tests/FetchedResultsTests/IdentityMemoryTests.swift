import ChangeSets
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults
@testable import ListEngine

/// The memory of a list for rows whose identity is not a rowid, and its release with the rows.
@Suite struct IdentityMemoryTests {
    /// Ends of the table's declaration.
    private static let tables = [
        "key TEXT NOT NULL PRIMARY KEY)", "key TEXT PRIMARY KEY)", "key TEXT COLLATE NOCASE NOT NULL PRIMARY KEY)",
        "key TEXT NOT NULL, part INTEGER NOT NULL DEFAULT 7, PRIMARY KEY (part, key)) WITHOUT ROWID",
    ]

    private func store(_ table: String) throws -> Store {
        try makeStore("CREATE TABLE items (value INTEGER, \(table)")
    }

    private func insert(_ store: Store, _ numbers: Range<Int>) throws {
        try store.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n LIMIT ?)
            INSERT INTO items (value, key) SELECT i, printf('%036d', i) FROM n
            """, [.integer(Int64(numbers.lowerBound)), .integer(Int64(numbers.count))])
    }

    private func fetch(_ store: Store, sort: String = "value") throws -> FetchedResultsController {
        let items = try FetchedResultsController(
            store: store, request: FetchRequest(entity: "items", sorts: [Sort(sort)]))
        try items.performFetch()
        return items
    }

    @Test(arguments: tables) func aRowTakesLittleMemoryBesideItsKey(table: String) throws {
        let store = try self.store(table)
        let count = 5_000
        try insert(store, 0..<count)
        let items = try fetch(store)
        #expect(items.counters.bytesHeld / count - 36 <= 60)
        #expect(items.counters.bytesHeld / count > 36)
        for start in stride(from: count, to: 2 * count, by: 250) { try insert(store, start..<(start + 250)) }
        #expect(items.counters.bytesHeld / (2 * count) - 36 <= 60)
        try store.execute("DELETE FROM items WHERE value >= 100")
        #expect(items.counters.bytesHeld < 60_000)
    }

    @Test(arguments: tables) func rowsThatAreInsertedAndRemovedLeaveNothing(table: String) throws {
        let store = try self.store(table)
        try insert(store, 0..<300)
        let items = try fetch(store)
        var greatest = 0
        for round in 1...16 {
            // One by one, many at a time, and all together.
            try insert(store, (300 * round)..<(300 * round + 300))
            switch round % 3 {
            case 0:
                for id in 0..<20 {
                    try store.execute("DELETE FROM items WHERE value = ?", [.integer(Int64(300 * round - 300 + id))])
                }
            case 1: try store.execute("DELETE FROM items WHERE value < ?", [.integer(Int64(300 * round - 100))])
            default: break
            }
            try store.execute("DELETE FROM items WHERE value < ?", [.integer(Int64(300 * round))])
            #expect(try items.numberOfObjects == 300)
            #expect(items.engine.decoder.identities.count == 300)
            if round == 8 { greatest = items.counters.bytesHeld }
        }
        #expect(items.counters.bytesHeld <= greatest * 5 / 4)
        try store.execute("DELETE FROM items")
        #expect(items.engine.decoder.identities.count == 0)
    }

    @Test func rowsThatAreTouchedOutsideOfTheListLeaveNothing() throws {
        let store = try self.store(Self.tables[0])
        try insert(store, 0..<100)
        let items = try Watch(store, "items", where: "value < 50 AND value < (SELECT max(value) FROM items)").controller
        for round in 0..<10 {
            try store.execute(
                "UPDATE items SET key = key || 'x', value = value + ? WHERE value >= 50", [.integer(Int64(round))])
            try store.execute("UPDATE items SET value = -value WHERE value < 5")
        }
        #expect(items.engine.decoder.identities.count == (try items.numberOfObjects))
    }

    @Test(arguments: tables) func objectsAndChangeSetsOutliveTheirRows(table: String) throws {
        let store = try self.store(table)
        try insert(store, 0..<4)
        let items = try Watch(store, "items", sort: ["value"])
        func key(_ number: Int) -> Value { .text(String(repeating: "0", count: 35) + "\(number)") }
        let object = try items.controller.object(at: ListIndexPath(section: 0, row: 1))
        try store.execute("UPDATE items SET value = 9 WHERE value = 1")
        let update = try items.delivery()
        try insert(store, 5..<6)
        let insertion = try items.delivery()
        try store.execute("DELETE FROM items")
        let deletion = try items.delivery()
        try insert(store, 7..<9)
        try store.execute("DELETE FROM items")
        try insert(store, 6..<10)
        #expect(object.identity.contains(key(1)))
        #expect(update.identity(of: update.changeSet.objectChanges[0]).contains(key(1)))
        #expect(insertion.identity(of: insertion.changeSet.inserts[0]).contains(key(5)))
        let deleted = try deletion.changeSet.deletes.map { try deletion.object(of: $0) }
        #expect(deleted.map { $0["key"] } == [key(1), key(5), key(3), key(2), key(0)])
        #expect(deleted.allSatisfy { $0.identity.contains($0["key"]!) })
        #expect(try items.controller.indexPath(of: object) == nil)
        #expect(Set(insertion.changeSet.objectChanges.map(\.id)).isDisjoint(with: try currentIDs(items.controller)))
    }

    private func currentIDs(_ controller: FetchedResultsController) throws -> [Int64] {
        try (0..<controller.numberOfObjects).map {
            try #require(controller.engine.list).checkedRow(ListIndexPath(section: 0, row: $0))
        }
    }

    @Test func anIDIsNeverUsedTwice() throws {
        let store = try self.store(Self.tables[0])
        let items = try fetch(store)
        var random = SeededRandom(seed: 5)
        var ids: [Value: Int64] = [:]
        var seen: Set<Int64> = []
        var next = 0
        for _ in 0..<60 {
            let count = random.below(400)
            try insert(store, next..<(next + count))
            next += count
            try store.execute(
                "DELETE FROM items WHERE abs(value * 7919 % 100) < ?", [.integer(Int64(random.below(100)))])
            var now: [Value: Int64] = [:]
            for (index, id) in try currentIDs(items).enumerated() {
                let key = try #require(try items.object(at: ListIndexPath(section: 0, row: index))["key"])
                if ids[key] != id { #expect(seen.insert(id).inserted, "\(id)") }
                now[key] = id
            }
            ids = now
            #expect(items.engine.decoder.identities.count == now.count)
        }
    }

    @Test func recordsOfAllValuesArePackedAndUnpacked() {
        let others: [Value] = [
            .null, -128, 127, 128, -129, .integer(1 << 40), .text(String(repeating: "x", count: 300)),
        ]
        let values = [Values.keys, Values.numbers, Values.blobs, others].flatMap(\.self)
        for first in values {
            for second in values {
                let record = RowValues([first, second])
                var bytes: [UInt8] = []
                record.pack(into: &bytes)
                bytes.withUnsafeBytes { bytes in
                    #expect(RowValues.packedCount(at: bytes.baseAddress!) == bytes.count)
                    let unpacked = RowValues(packed: bytes.baseAddress!)
                    #expect([UInt8](unpacked.image) == [UInt8](record.image))
                    // Their images are valid as long as they are.
                    withExtendedLifetime((unpacked, record)) {}
                }
            }
        }
    }
}
