import SQLiteKit
import TestSupport
import Testing

@testable import ListEngine

/// A change in a related row is detected wherever the list depends on it.
@Suite struct RelatedRows {
    private func makeItems() throws -> Database {
        try makeDatabase(
            """
            CREATE TABLE folders (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE lists (id INTEGER PRIMARY KEY, folder_id REFERENCES folders(id), name TEXT COLLATE NOCASE, position INTEGER);
            CREATE TABLE items (id INTEGER PRIMARY KEY, list_id REFERENCES lists(id) ON UPDATE CASCADE, name TEXT);
            INSERT INTO folders VALUES (1, 'f'), (2, 'g');
            INSERT INTO lists VALUES (1, 1, 'one', 1), (2, 1, 'two', 2), (3, 2, 'three', 3);
            INSERT INTO items VALUES (1, 1, 'a'), (2, 1, 'b'), (3, 2, 'c'), (4, 3, 'd'), (5, NULL, 'e');
            """)
    }

    @Test func itFeedsTheOrder() throws {
        let database = try makeItems()
        let items = try Watch(database, "items", sort: ["list_id.position"])
        #expect(try items.values("id") == [[5, 1, 2, 3, 4]])
        try database.execute("UPDATE lists SET position = 9 WHERE id = 2")
        #expect(items.take() == ["move 3 from 0.3 to 0.4"])
        try database.execute("UPDATE lists SET name = 'unused' WHERE id = 2")
        #expect(items.take() == [])
    }

    @Test func itFeedsTheSections() throws {
        let database = try makeItems()
        let items = try Watch(database, "items", section: "list_id.folder_id.name")
        #expect(try items.sectionNames == [nil, "f", "g"])
        try database.execute("UPDATE folders SET name = 'z' WHERE id = 1")
        #expect(
            items.take() == [
                "section delete 1 f", "section insert 2 z", "move 1 from 1.0 to 2.0", "move 2 from 1.1 to 2.1",
                "move 3 from 1.2 to 2.2",
            ])
        try database.execute("UPDATE lists SET folder_id = 1 WHERE id = 3")
        #expect(items.take() == ["section delete 1 g", "move 4 from 1.0 to 1.3"])
    }

    @Test func itFeedsThePredicate() throws {
        let database = try makeItems()
        let items = try Watch(database, "items", where: "list_id.position > ? AND list_id.folder_id.name <> 'q'", [1])
        #expect(try items.values("id") == [[3, 4]])
        try database.execute("UPDATE lists SET position = 5 WHERE id = 1")
        #expect(items.take() == ["insert 1 at 0.0", "insert 2 at 0.1"])
        try database.execute("UPDATE folders SET name = 'q' WHERE id = 1")
        #expect(items.take() == ["delete 3 at 0.2", "delete 2 at 0.1", "delete 1 at 0.0"])
    }

    @Test func itFeedsTheContent() throws {
        let database = try makeItems()
        let items = try Watch(database, "items", columns: ["name", "list_id.name", "list_id.folder_id.name"])
        try database.execute("UPDATE lists SET name = 'uno' WHERE id = 1")
        let changes = try items.delivery()
        #expect(changes.oldValues == [["a", "one", "f"], ["b", "one", "f"]])
        #expect(items.take() == ["update 1 from 0.0 to 0.0 list_id.name", "update 2 from 0.1 to 0.1 list_id.name"])
        try database.transaction {
            try database.execute("UPDATE folders SET name = 'h' WHERE id = 2")
            try database.execute("UPDATE lists SET folder_id = 2 WHERE id = 1")
            try database.execute("UPDATE items SET list_id = 2 WHERE id = 1")
        }
        #expect(
            items.take() == [
                "update 1 from 0.0 to 0.0 list_id.name", "update 2 from 0.1 to 0.1 list_id.folder_id.name",
                "update 4 from 0.3 to 0.3 list_id.folder_id.name",
            ])
    }

    @Test func aParentThatIsInsertedDeletedOrChangesItsKey() throws {
        let database = try makeDatabase(
            """
            PRAGMA foreign_keys = OFF;
            CREATE TABLE lists (id TEXT PRIMARY KEY, name); CREATE TABLE items (id INTEGER PRIMARY KEY, list_id REFERENCES lists);
            INSERT INTO lists VALUES ('a', 'A'); INSERT INTO items VALUES (1, 'a'), (2, 'b');
            """)
        let items = try Watch(database, "items", columns: ["list_id.name"])
        try database.execute("INSERT INTO lists VALUES ('b', 'B')")
        #expect(items.take() == ["update 2 from 0.1 to 0.1 list_id.name"])
        try database.execute("DELETE FROM lists WHERE id = 'a'")
        #expect(items.take() == ["update 1 from 0.0 to 0.0 list_id.name"])
        try database.execute("UPDATE lists SET id = 'a'")
        #expect(items.take() == ["update 1 from 0.0 to 0.0 list_id.name", "update 2 from 0.1 to 0.1 list_id.name"])
        #expect(try items.values("list_id.name") == [["B", .null]])
    }

    @Test func keysAreEqualAsTheParentsCollationSays() throws {
        let database = try makeDatabase(
            """
            CREATE TABLE lists (id TEXT COLLATE NOCASE PRIMARY KEY, name);
            CREATE TABLE items (id INTEGER PRIMARY KEY, list_id REFERENCES lists(id));
            INSERT INTO lists VALUES ('b', 'x'); INSERT INTO items VALUES (1, 'B'), (2, 'b');
            """)
        let items = try Watch(database, "items", sort: ["list_id.name"], columns: ["list_id.name"])
        #expect(try items.values("list_id.name") == [["x", "x"]])
        try database.execute("UPDATE lists SET name = 'y'")
        #expect(items.take() == ["update 1 from 0.0 to 0.0 list_id.name", "update 2 from 0.1 to 0.1 list_id.name"])
    }

    @Test func oldValuesOfKeyPathsFollowTheParentsCollationAsWell() throws {
        let database = try makeDatabase("")
        try database.addFolded()
        try database.execute(
            """
            CREATE TABLE folders (id INTEGER PRIMARY KEY, rank);
            CREATE TABLE lists (id TEXT COLLATE FOLDED PRIMARY KEY, folder_id REFERENCES folders(id), name);
            CREATE TABLE items (id INTEGER PRIMARY KEY, list_id TEXT REFERENCES lists(id));
            INSERT INTO folders VALUES (7, 2); INSERT INTO lists VALUES ('b', 7, 'x'); INSERT INTO items VALUES (1, 'B');
            """)
        let items = try Watch(database, "items", columns: ["list_id.name", "list_id.folder_id.rank"])
        #expect(try items.values("list_id.folder_id.rank") == [[2]])
        try database.execute("UPDATE lists SET folder_id = NULL")
        #expect(items.take() == ["update 1 from 0.0 to 0.0 list_id.folder_id.rank"])
    }

    @Test(arguments: [("INTEGER PRIMARY KEY", "TEXT", "'1'"), ("TEXT PRIMARY KEY", "INTEGER", "1")])
    func oldValuesOfKeyPathsFollowTheParentsAffinityAsWell(parent: String, child: String, key: String) throws {
        let database = try makeDatabase(
            """
            CREATE TABLE lists (id \(parent), name, rank);
            CREATE TABLE items (id INTEGER PRIMARY KEY, list_id \(child) REFERENCES lists(id));
            INSERT INTO lists VALUES (1, 'x', 2); INSERT INTO items VALUES (1, \(key));
            """)
        let items = try Watch(database, "items", columns: ["list_id.name", "list_id.rank"])
        try database.execute("UPDATE lists SET name = 'y'")
        #expect(items.take() == ["update 1 from 0.0 to 0.0 list_id.name"])
    }

    @Test func keysAreEqualAsTheParentsAffinitySays() throws {
        let database = try makeDatabase(
            """
            CREATE TABLE lists (id INTEGER PRIMARY KEY, name);
            CREATE TABLE items (id INTEGER PRIMARY KEY, list_id TEXT REFERENCES lists(id));
            INSERT INTO lists VALUES (1, 'x'); INSERT INTO items VALUES (1, '1'), (2, '01');
            """)
        let items = try Watch(database, "items", columns: ["list_id.name"])
        #expect(try items.values("list_id.name") == [["x", "x"]])
        try database.execute("UPDATE lists SET name = 'y'")
        #expect(items.take() == ["update 1 from 0.0 to 0.0 list_id.name", "update 2 from 0.1 to 0.1 list_id.name"])
    }

    @Test func textsThatUnicodeCallsEquivalentAreOtherKeys() throws {
        let (composed, decomposed) = ("\u{e9}", "e\u{301}")
        let database = try makeDatabase(
            """
            PRAGMA foreign_keys = OFF;
            CREATE TABLE lists (id TEXT PRIMARY KEY, name);
            CREATE TABLE items (id INTEGER PRIMARY KEY, list_id REFERENCES lists);
            """)
        try database.execute("INSERT INTO lists VALUES (?, 'x')", [.text(composed)])
        try database.execute("INSERT INTO items VALUES (1, ?), (2, ?)", [.text(composed), .text(decomposed)])
        let items = try Watch(database, "items", columns: ["list_id.name"])
        #expect(try items.values("list_id.name") == [["x", .null]])
        try database.execute("UPDATE lists SET id = ?", [.text(decomposed)])
        #expect(items.take() == ["update 1 from 0.0 to 0.0 list_id.name", "update 2 from 0.1 to 0.1 list_id.name"])
    }

    @Test func subqueriesWatchTheirTables() throws {
        let database = try makeItems()
        try database.execute("CREATE TABLE marks (item)")
        let items = try Watch(database, "items", where: "id IN (SELECT item FROM marks)")
        try database.execute("INSERT INTO marks VALUES (2), (4)")
        #expect(items.take() == ["insert 2 at 0.0", "insert 4 at 0.1"])
        try database.execute("UPDATE items SET name = 'z' WHERE id = 4")
        #expect(items.take() == ["update 4 from 0.1 to 0.1 name"])
        try database.execute("DELETE FROM marks")
        #expect(items.take() == ["delete 4 at 0.1", "delete 2 at 0.0"])
    }

    @Test func viewsWatchTheirTables() throws {
        let database = try makeItems()
        try database.execute(
            "CREATE VIEW shown AS SELECT t.id, t.name, l.name AS list FROM items AS t JOIN lists AS l ON l.id = t.list_id"
        )
        var request = FetchRequest(entity: "shown", sorts: [Sort("list")])
        request.identity = ["id"]
        let shown = try Watch(database, request)
        #expect(try shown.values("id") == [[1, 2, 4, 3]])
        try database.execute("UPDATE lists SET name = 'zero' WHERE id = 1")
        #expect(shown.take().map { $0.prefix(6) } == ["move 1", "move 2"])
    }

    @Test(arguments: [
        ("list_id.name = 'ONE'", [1, 2]), ("list_id.name COLLATE BINARY = 'ONE'", []),
        ("list_id.name = 'ONE' COLLATE BINARY", []), ("list_id.name || '' = ('ONE') COLLATE binary", []),
        ("list_id.name IN ('ONE', 'x' COLLATE BINARY)", [1, 2]),
        ("list_id.name = 'ONE' AND name <> 'A' COLLATE BINARY", [1, 2]),
        ("(list_id.name = 'ONE') AND name = 'B' COLLATE NOCASE", [2]),
        ("CASE WHEN list_id.name = 'TWO' THEN name COLLATE BINARY = 'c' END", [3]),
        ("max(list_id.name = 'ONE', name = 'E' COLLATE NOCASE)", [1, 2]),
    ])
    func predicatesOfKeyPathsCompareAsTheColumnDoes(predicate: String, ids: [Value]) throws {
        let items = try Watch(try makeItems(), "items", where: predicate)
        #expect(try items.values("id") == [ids])
    }
}
