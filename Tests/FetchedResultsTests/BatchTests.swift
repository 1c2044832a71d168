import ChangeSets
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults
@testable import ListEngine

/// One statement reads a batch of rows, whatever identifies them.
@Suite struct Batches {
    /// A list of 200 rows or more, whose column `name` has other values in each row.
    struct Kind: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let schema: String
        var request: FetchRequest

        init(_ name: String, _ schema: String, _ request: FetchRequest) {
            (testDescription, self.schema, self.request) = (name, schema, request)
            self.request.batchSize = 20
        }

        static func view(_ name: String, _ schema: String, identity: [String]) -> Kind {
            var request = FetchRequest(entity: "shown", sorts: [Sort("name")])
            request.identity = identity
            return Kind(name, schema, request)
        }
    }

    private static let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200)"
    private static let items = FetchRequest(entity: "items", sorts: [Sort("name")])
    private static let keyed = """
        CREATE TABLE items (folder TEXT, number, name, PRIMARY KEY (folder, number)) WITHOUT ROWID;
        \(numbers) INSERT INTO items SELECT 'f' || (i % 7), i, 'n' || i FROM n;
        """

    static let kinds = [
        Kind(
            "text key",
            """
            CREATE TABLE items (id TEXT PRIMARY KEY NOT NULL, name);
            \(numbers) INSERT INTO items SELECT 'k' || i, 'n' || i FROM n
            """, items),
        Kind("WITHOUT ROWID", keyed, items),
        Kind(
            "NULL in a key",
            """
            CREATE TABLE items (folder TEXT, number, name, PRIMARY KEY (folder, number));
            \(numbers) INSERT INTO items SELECT iif(i % 3, i, NULL), iif(i % 5, i, NULL), 'n' || i FROM n
            """, items),
        Kind(
            "numbers and texts as keys",
            """
            CREATE TABLE items (id NUMERIC PRIMARY KEY NOT NULL, name);
            \(numbers) INSERT INTO items SELECT CASE i % 4 WHEN 0 THEN i WHEN 1 THEN i + 0.5 WHEN 2 THEN i || 'a'
                ELSE CAST(i AS BLOB) END, 'n' || i FROM n
            """, items),
        Kind(
            "text keys that look like numbers",
            """
            CREATE TABLE items (id TEXT PRIMARY KEY NOT NULL, name);
            \(numbers) INSERT INTO items SELECT iif(i % 2, i, '0' || i), 'n' || i FROM n
            """, items),
        Kind(
            "NOCASE",
            """
            CREATE TABLE items (id TEXT COLLATE NOCASE PRIMARY KEY NOT NULL, name);
            \(numbers) INSERT INTO items SELECT iif(i % 2, 'k', 'K') || i, 'n' || i FROM n
            """, items),
        Kind(
            "empty and binary keys",
            """
            CREATE TABLE items (id PRIMARY KEY NOT NULL, name) WITHOUT ROWID;
            \(numbers) INSERT INTO items SELECT CASE i WHEN 1 THEN '' WHEN 2 THEN x'' WHEN 3 THEN x'00ff'
                WHEN 4 THEN 'a' || char(0) || 'b' ELSE 'k' || i END, 'n' || i FROM n
            """, items),
        .view("view", keyed + "CREATE VIEW shown AS SELECT * FROM items", identity: ["folder", "number"]),
        .view(
            "view with NULL in identities",
            """
            CREATE TABLE items (folder, number, name);
            \(numbers) INSERT INTO items SELECT iif(i % 3, i, NULL), iif(i % 5, i, i / 5), 'n' || i FROM n
            WHERE i % 3 OR i % 5;
            INSERT INTO items VALUES (NULL, NULL, 'none');
            CREATE VIEW shown AS SELECT folder, number, name, rowid AS line FROM items
            """, identity: ["folder", "number", "line"]),
        .view(
            "compound view",
            keyed + """
                CREATE VIEW shown AS SELECT number, name FROM items WHERE number % 2
                UNION ALL SELECT -number, name FROM items WHERE NOT number % 2
                """, identity: ["number"]),
        .view(
            "groups",
            keyed + """
                CREATE INDEX by_number ON items(number);
                CREATE VIEW shown AS SELECT number, max(name) AS name FROM items GROUP BY number
                """, identity: ["number"]),
        Kind(
            "SELECT", keyed,
            FetchRequest(
                select: "SELECT name, folder, number FROM items WHERE number > ?1 ORDER BY name",
                parameters: [0], identity: ["folder", "number"])),
        Kind(
            "SELECT with a limit", keyed,
            FetchRequest(
                select: "SELECT name, folder, number FROM items ORDER BY name LIMIT ?",
                parameters: [200], identity: ["folder", "number"])),
        Kind(
            "rowids in their order",
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, name);
            \(numbers) INSERT INTO items SELECT i, printf('n%03d', i) FROM n
            """, FetchRequest(entity: "items", sorts: [Sort("id")])),
        Kind(
            "rowids in reverse, with others between them",
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, name);
            \(numbers) INSERT INTO items SELECT i + i / 30, printf('n%03d', 1000 - i) FROM n
            """, FetchRequest(entity: "items", sorts: [Sort("id", isDescending: true)])),
        Kind(
            "rowids in another order",
            "CREATE TABLE items (id INTEGER PRIMARY KEY, name);"
                + "\(numbers) INSERT INTO items SELECT i, 'n' || i FROM n", items),
    ]

    private func expectAll(_ list: FetchedResultsController, _ store: Store, _ kind: Kind) throws {
        let source = kind.request.select == nil ? kind.request.entity : "items"
        var names: [Value] = []
        try store.query("SELECT name FROM \(source) ORDER BY name") { names.append($0[0]) }
        #expect(try list.objects.map { try #require(try $0.get()["name"]) } == names)
    }

    @Test(arguments: kinds) func aBatchIsOneStatement(_ kind: Kind) throws {
        let store = try makeStore(kind.schema)
        let list = try Watch(store, kind.request).controller
        let before = list.counters
        try expectAll(list, store, kind)
        let after = list.counters
        // Where a NULL makes the rowid the identity, these rows take another statement.
        let batches = (try list.section(at: 0).numberOfObjects + 19) / 20
        let most = kind.testDescription == "NULL in a key" ? 2 * batches : batches
        #expect(after.statementsRun - before.statementsRun <= most)
        #expect(after.rowsRead - before.rowsRead <= 2 * 200)
    }

    @Test(arguments: kinds) func runningThroughAllRowsReadsTheSame(_ kind: Kind) throws {
        let store = try makeStore(kind.schema)
        let list = try Watch(store, kind.request).controller
        let reader = list.engine.compiled.content.reader
        guard reader.costs != nil else { return }
        reader.costs?.alwaysScans = true
        let before = list.counters
        try expectAll(list, store, kind)
        #expect(list.counters.statementsRun - before.statementsRun <= 2)
    }

    @Test func aChangeReadsTheCachedRowsOfAViewTogether() throws {
        let store = try makeStore(Self.kinds[7].schema)
        let watch = try Watch(store, Self.kinds[7].request)
        _ = try watch.controller.objects.map { try $0.get() }
        let before = watch.controller.counters.statementsRun
        try store.execute("UPDATE items SET name = name || 'x' WHERE number IN (3, 100)")
        #expect(watch.take().count == 2)
        #expect(watch.controller.counters.statementsRun - before <= 2)
    }

    /// A LIMIT hides from SQLite that few rows are wanted.
    @Test(arguments: [true, false]) func manyRowsBehindALimitAreReadTogether(inSections: Bool) throws {
        let count = 8_000
        let store = try makeStore(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, part, name);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(count))
            INSERT INTO items SELECT i, i / 10, 'n' || i FROM n
            """)
        let request = FetchRequest(
            select: "SELECT * FROM items ORDER BY id LIMIT \(count)", identity: ["id"],
            sectionColumn: inSections ? "part" : nil)
        let list = try Watch(store, request).controller
        let before = list.counters
        var wrong: [[Value]] = []
        for section in 0..<(try list.numberOfSections) {
            for row in 0..<(try list.section(at: section).numberOfObjects) {
                let object = try list.object(at: ListIndexPath(section: section, row: row))
                let name = "n\(object.identity.first?.integer ?? 0)"
                if object["name"] != .text(name) { wrong.append(object.identity) }
            }
        }
        #expect(wrong == [])
        // The cache has room for 1,000 rows, and half of them are read together.
        let statements = list.counters.statementsRun - before.statementsRun
        #expect(statements <= count / 500 + 2)
        #expect(list.counters.rowsRead - before.rowsRead <= statements * count)
    }

    /// Before: a paused list that was fetched in a transaction, which had changed a row before, and
    /// was rolled back. Change: the row next to that one is read. Expected: the batch does not have
    /// the row, which shows what was fetched.
    @Test func aBatchHasNoRowOfATransactionThatWasRolledBack() throws {
        let store = try makeStore(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, name); INSERT INTO items VALUES (1, 'a'), (2, 'b'), (3, 'c')")
        let list = try Watch(store, FetchRequest(entity: "items", sorts: [Sort("id")])).controller
        try list.setPaused(true)
        try store.begin()
        try store.execute("UPDATE items SET name = 'changed' WHERE id = 2")
        try list.performFetch()
        try store.rollback()
        #expect(try list.object(at: ListIndexPath(section: 0, row: 0))["name"] == .text("a"))
        #expect(try list.object(at: ListIndexPath(section: 0, row: 1))["name"] == .text("changed"))
        try list.resume()
        #expect(try list.object(at: ListIndexPath(section: 0, row: 1))["name"] == .text("b"))
    }

    /// What the first read of all rows takes is not paid for each batch.
    @Test func aSearchThatIsCheaperIsUsedAgain() throws {
        let store = try makeStore(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, folder, name);
            CREATE INDEX by_folder ON items(folder, name);
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT 50000)
            INSERT INTO items SELECT i, i % 500, 'n' || i FROM n;
            CREATE VIEW shown AS SELECT folder, count(*) AS count, max(name) AS name FROM items GROUP BY folder
            """)
        var request = FetchRequest(entity: "shown", sorts: [Sort("folder")])
        request.identity = ["folder"]
        request.columns = ["folder", "count"]
        let list = try Watch(store, request).controller
        list.rowCacheSize = 20
        let before = list.counters
        for row in 0..<500 {
            let object = try list.object(at: ListIndexPath(section: 0, row: row))
            #expect(object["count"] == .integer(100))
        }
        let after = list.counters
        #expect(after.rowsRead - before.rowsRead < 2 * 500 + 500)
    }
}
