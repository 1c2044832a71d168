import ChangeSets
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// In WAL mode every row is read as its list shows it, whatever others have committed since the last delivery.
@Suite struct StableRows {
    private static let script =
        """
        CREATE TABLE kinds (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, kind REFERENCES kinds);
        CREATE TABLE pairs (a, b, name TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
        CREATE TABLE keyed (key TEXT PRIMARY KEY, name TEXT);
        CREATE VIEW shown AS SELECT id, name FROM items;
        INSERT INTO kinds VALUES (1, 'x'), (2, 'y'), (3, 'z');
        """

    private struct Pair {
        let file = TemporaryFile()
        let own: Store
        let other: Store

        init() throws {
            own = try Store(path: file.path)
            try own.executeScript(StableRows.script)
            for number: Int64 in 1...20 {
                let number = Value.integer(number)
                try own.execute("INSERT INTO items VALUES (?1, 'i' || ?1, 1 + ?1 % 3)", [number])
                try own.execute("INSERT INTO pairs VALUES (?1 / 5, ?1 % 5, 'p' || ?1)", [number])
                try own.execute("INSERT INTO keyed VALUES ('k' || ?1, 'n' || ?1)", [number])
            }
            other = try Store(path: file.path)
        }
    }

    /// Lists that follow row by row, each with the SELECT that shows the same names in the same order.
    private static func lists(_ store: Store) throws -> [(list: FetchedResultsController, select: String)] {
        var path = FetchRequest(entity: "items", sorts: [Sort("name")])
        path.columns = ["kind.name"]
        let sectioned = FetchRequest(entity: "items", sorts: [Sort("id")], section: Sort("kind.name"))
        return try [
            (FetchRequest(entity: "items"), "SELECT name FROM items ORDER BY id"),
            (sectioned, "SELECT i.name FROM items i JOIN kinds k ON k.id = i.kind ORDER BY k.name, i.id"),
            (path, "SELECT k.name FROM items i JOIN kinds k ON k.id = i.kind ORDER BY i.name, i.id"),
            (FetchRequest(entity: "pairs", sorts: [Sort("name")]), "SELECT name FROM pairs ORDER BY name, a, b"),
            (FetchRequest(entity: "keyed"), "SELECT name FROM keyed ORDER BY key"),
        ].map { request, select in
            let list = try FetchedResultsController(store: store, request: request)
            // Nothing but what a read needs stays in memory.
            list.rowCacheSize = 1
            try list.performFetch()
            return (list, select)
        }
    }

    private static func write(_ store: Store, _ random: inout SeededRandom) throws {
        let number = Value.integer(Int64(random.below(25)))
        let statement = random.pick([
            "UPDATE items SET name = 'r' || (id + length(name)) % 7 || id WHERE id = ?1",
            "UPDATE items SET kind = 1 + (kind + 1) % 3 WHERE id = ?1",
            "INSERT OR REPLACE INTO items VALUES (?1, 'new', 2)",
            "DELETE FROM items WHERE id = ?1",
            "UPDATE kinds SET name = name || '!' WHERE id = 1 + ?1 % 3",
            "UPDATE pairs SET name = 'r' || name WHERE a = ?1 % 5",
            "UPDATE keyed SET name = name || 'r' WHERE key = 'k' || ?1",
        ])
        try store.execute(statement, [number])
    }

    /// Before: own commits, of which the snapshot may show none. Change: others commit. Expected: all rows as before.
    @Test(arguments: RandomTests.seeds(1..<4)) func rowsThatTheStoreItselfHasChangedAreAsShown(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let pair = try Pair()
        let lists = try Self.lists(pair.own)
        for step in 0..<60 {
            try pair.own.dispatch()
            for _ in 0..<random.below(4) { try Self.write(pair.own, &random) }
            let shown = try lists.map { try pair.own.connection.rows($0.select).map { $0[0] } }
            for _ in 0...random.below(3) { try Self.write(pair.other, &random) }
            for ((list, select), names) in zip(lists, shown) {
                let column = select.hasPrefix("SELECT k.") ? "kind.name" : "name"
                let read = try list.values(column).flatMap(\.self)
                #expect(read == names, "step \(step), \(select), \(RandomTests.replay(seed, "StableRows"))")
            }
        }
    }

    /// Lists that are read as a whole when the store itself writes.
    @Test func rowsOfListsThatWereReadAgainAreAsShown() throws {
        let pair = try Pair()
        var view = FetchRequest(entity: "shown")
        view.identity = ["id"]
        let select = FetchRequest(select: "SELECT id, name FROM items ORDER BY id", identity: ["id"])
        let lists = try [view, select].map { try FetchedResultsController(store: pair.own, request: $0) }
        for list in lists {
            list.rowCacheSize = 1
            try list.performFetch()
        }
        for step in 0..<3 {
            try pair.own.execute("UPDATE items SET name = 'own' || ?1 WHERE id = 2", [.integer(Int64(step))])
            try pair.other.execute("UPDATE items SET name = 'other' || ?1 WHERE id < 4", [.integer(Int64(step))])
            for list in lists {
                let names = try list.values("name").flatMap(\.self).prefix(4)
                let (first, third) = step == 0 ? ("i1", "i3") : ("other\(step - 1)", "other\(step - 1)")
                #expect(names == [.text(first), .text("own\(step)"), .text(third), "i4"])
            }
            try pair.own.dispatch()
        }
    }

    /// Before: a list that was fetched when others had committed, and another that shows the state before. Change:
    /// others commit again. Expected: each shows the rows of its own state.
    @Test(arguments: RandomTests.seeds(1..<3)) func rowsOfAListThatWasFetchedBeforeTheDeliveryAreAsShown(
        seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        let pair = try Pair()
        let others = try Self.lists(pair.own)
        for step in 0..<30 {
            let shown = try others.map { try pair.own.connection.rows($0.select).map { $0[0] } }
            for _ in 0...random.below(2) { try Self.write(pair.other, &random) }
            let fetched = try Self.lists(pair.own)
            let ahead = try fetched.map { try pair.own.connection.rows($0.select).map { $0[0] } }
            for _ in 0...random.below(2) { try Self.write(pair.other, &random) }
            for ((list, select), names) in zip(others + fetched, shown + ahead) {
                let column = select.hasPrefix("SELECT k.") ? "kind.name" : "name"
                let read = try list.values(column).flatMap(\.self)
                #expect(read == names, "step \(step), \(select), \(RandomTests.replay(seed, "StableRows"))")
            }
            try pair.own.dispatch()
        }
    }

    /// A list that was fetched ahead does not keep others from beginning the log from its start.
    @Test func aStateThatWasFetchedAheadIsReleasedWithTheDelivery() throws {
        let pair = try Pair()
        let lists = try Self.lists(pair.own)
        try pair.other.execute("UPDATE items SET name = 'a'")
        try lists[0].list.performFetch()
        try pair.own.dispatch()
        try pair.other.execute("UPDATE items SET name = 'b'")
        try pair.own.dispatch()
        let result = try pair.other.connection.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(result[0][0] == 0)
    }
}
