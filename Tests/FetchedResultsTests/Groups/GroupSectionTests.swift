import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// Section maps whose sections are groups.
@Suite struct GroupSectionTests {
    /// Items, and the groups of items by their lists, of which those with few items are hidden.
    private static func map(_ store: Store, least: Int, key: String) throws -> SectionMap {
        var groups = FetchRequest(entity: "items")
        groups.groupBy = [key]
        groups.totals = [Total("items", .count), Total("sum", .sum, of: "rank"), Total("last", .max, of: "name")]
        (groups.having, groups.havingParameters) = ("items > ?", .positional([.integer(Int64(least))]))
        groups.sorts = [Sort("sum", isDescending: true), Sort(key)]
        return try SectionMap(
            store: store, items: FetchRequest(entity: "items", sorts: [Sort("rank")]), sections: groups, itemKey: key,
            sectionKey: key, indexTitle: "last", emptySections: .shown, itemsWithoutSection: .shown)
    }

    private static func picture(_ map: SectionMap) throws -> [[String]] {
        try (0..<map.numberOfSections).map { section in
            let header = try map.sectionObject(at: section)?.values ?? []
            return try ["\(header) \(map.section(at: section).indexTitle ?? "-")"]
                + (0..<map.numberOfObjects(inSection: section)).map { row in
                    "\(try map.object(at: ListIndexPath(section: section, row: row)).identity)"
                }
        }
    }

    /// Before: maps by a column and by a key path. Change: random writes of the store and of
    /// another one, and pauses. Expected: a map that was fetched now shows the same.
    @Test(arguments: 0..<12) func followRandomWrites(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let file = TemporaryFile()
        let store = try Store(path: file.path)
        defer { try? store.close() }
        try store.executeScript(
            """
            PRAGMA journal_mode = \(seed % 2 == 0 ? "WAL" : "DELETE");
            CREATE TABLE lists (id INTEGER PRIMARY KEY, title TEXT COLLATE NOCASE);
            CREATE TABLE items (
                id INTEGER PRIMARY KEY, name TEXT, rank, list INTEGER REFERENCES lists, kind TEXT COLLATE NOCASE);
            INSERT INTO lists VALUES (1, 'a'), (2, 'b'), (3, 'A');
            """)
        let other = try Store(path: file.path)
        defer { try? other.close() }
        let key = seed % 3 == 0 ? "list.title" : seed % 3 == 1 ? "list" : "kind"
        let least = Int(seed % 2)
        let map = try Self.map(store, least: least, key: key)
        try map.performFetch()
        func value() -> String { random.pick(["NULL", "1", "2", "0.5", "3", "'x'", "'A'", "'a'"]) }
        for _ in 0..<80 {
            let writer = random.chance(40) ? other : store
            let id = 1 + random.below(12)
            let list = random.pick(["NULL", "1", "2", "3"])
            switch random.below(8) {
            case 0...2:
                try writer.execute(
                    "INSERT OR REPLACE INTO items VALUES (\(id), \(value()), \(value()), \(list), \(value()))")
            case 3: try writer.execute("UPDATE items SET list = \(list), kind = \(value()) WHERE id % 3 = \(id % 3)")
            case 4: try writer.execute("UPDATE items SET rank = \(value()), name = \(value()) WHERE id = \(id)")
            case 5: try writer.execute("DELETE FROM items WHERE id = \(id)")
            case 6: try writer.execute("UPDATE lists SET title = \(value()) WHERE id = \(1 + id % 3)")
            default: try map.setPaused(!map.isPaused)
            }
            try store.dispatch()
            if map.isPaused { continue }
            let fetched = try Self.map(store, least: least, key: key)
            try fetched.performFetch()
            // Sections of equal rank are in the order of their keys, which may be spelled
            // otherwise.
            let (found, expected) = (try Self.picture(map), try Self.picture(fetched))
            #expect(found.map { $0.map { $0.lowercased() } } == expected.map { $0.map { $0.lowercased() } })
        }
    }

    /// Before: headers with a total. Change: a value that only the total has. Expected: the section
    /// is updated, in the column of the total.
    @Test func reportWhichTotalChanged() throws {
        let store = try makeStore(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, rank, list INTEGER);
            INSERT INTO items VALUES (1, 'a', 1, 1), (2, 'b', 2, 1), (3, 'c', 3, 2);
            """)
        let map = try Self.map(store, least: 0, key: "list")
        let recorder = Recorder()
        map.addObserver(recorder)
        try map.performFetch()
        try store.execute("UPDATE items SET rank = 2.5 WHERE id = 2")
        let changes = try #require(recorder.deliveries.last)
        let update = try #require(changes.changeSet.sectionUpdates.first ?? changes.changeSet.sectionMoves.first)
        #expect(try changes.sectionObject(of: update)?["sum"] == .real(3.5))
        #expect(changes.oldValues(of: update)?[2] == 3)
    }
}
