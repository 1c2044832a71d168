import FetchedResults
import SQLiteKit
import TestSupport
import Testing

/// Changes that no hook reports: the lists are compared, and still report exactly what changed.
@Suite struct SchemaChanges {
    private let script =
        "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO items VALUES (1, 'a'), (2, 'b'), (3, 'c');"

    @Test func schemaChangesThatLeaveTheRowsAreNothing() throws {
        let store = try makeStore(script)
        let items = try Watch(store, "items", sort: ["name"])
        for sql in [
            "CREATE INDEX naming ON items(name)", "VACUUM", "ANALYZE", "REINDEX",
            "CREATE TABLE others AS SELECT * FROM items",
            "DROP TABLE others", "PRAGMA user_version = 7", "CREATE VIEW v AS SELECT 1", "DROP INDEX naming",
            "ATTACH ':memory:' AS other", "DETACH other", "CREATE TEMP TABLE t (x)",
        ] {
            try store.execute(sql)
            #expect(items.recorder.events == [], "\(sql)")
        }
        try store.execute("UPDATE items SET name = 'z' WHERE id = 1")
        #expect(items.take() == ["move 1 from 0.0 to 0.2 name"])
    }

    @Test func anAddedColumnChangesTheRowsThatTheProgramWasGiven() throws {
        let store = try makeStore(script)
        let items = try Watch(store, "items")
        _ = try items.controller.object(at: ListIndexPath(section: 0, row: 1))
        items.controller.rowCacheSize = 20
        try store.execute("ALTER TABLE items ADD COLUMN rank DEFAULT 7")
        #expect(try items.delivery().oldValues == [nil, nil, nil], "what the new column held before is not known")
        #expect(
            items.take() == [
                "update 1 from 0.0 to 0.0 rank", "update 2 from 0.1 to 0.1 rank", "update 3 from 0.2 to 0.2 rank",
            ])
        #expect(try items.controller.values("rank") == [[7, 7, 7]])
        try store.execute("UPDATE items SET rank = 8 WHERE id = 1")
        #expect(try items.delivery().oldValues == [[1, "a", 7]])
        #expect(items.take() == ["update 1 from 0.0 to 0.0 rank"])
    }

    @Test func aDroppedColumnChangesTheRowsThatTheProgramWasGiven() throws {
        let store = try makeStore(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, rank, name); INSERT INTO items VALUES (1, 7, 'a'), (2, 8, 'b')"
        )
        let items = try Watch(store, "items")
        _ = try items.controller.values("name")
        try store.transaction {
            try store.execute("ALTER TABLE items DROP COLUMN rank")
            try store.execute("UPDATE items SET name = 'z' WHERE id = 2")
        }
        #expect(try items.delivery().oldValues == [[1, "a"], [2, "b"]])
        #expect(items.take() == ["update 1 from 0.0 to 0.0 something", "update 2 from 0.1 to 0.1 name"])
        #expect(try items.controller.values("name") == [["a", "z"]])
        #expect(try items.controller.object(at: ListIndexPath(section: 0, row: 0)).columns == ["id", "name"])
    }

    @Test func aRowThatIsDeletedTogetherWithAColumnHasTheColumnsThatItHad() throws {
        let store = try makeStore(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, rank, name); INSERT INTO items VALUES (1, 7, 'a'), (2, 8, 'b')"
        )
        let items = try Watch(store, "items")
        _ = try items.controller.values("name")
        try store.transaction {
            try store.execute("ALTER TABLE items DROP COLUMN rank")
            try store.execute("DELETE FROM items WHERE id = 1")
        }
        let changes = try items.delivery()
        let deleted = try #require(changes.changeSet.deletes.first)
        let values = (0..<3).map { column in
            changes.source.oldValue(of: deleted, column: column).map { $0.content.value($0.column) }
        }
        #expect(values == [1, 7, "a"])
    }

    @Test func aRenamedColumnIsOneThatWentAndOneThatCame() throws {
        let store = try makeStore(script)
        let items = try Watch(store, "items", sort: ["id"])
        let shown = try items.controller.object(at: ListIndexPath(section: 0, row: 0))
        try store.transaction {
            try store.execute("ALTER TABLE items RENAME COLUMN name TO title")
            try store.execute("DELETE FROM items WHERE id = 2")
        }
        let delivery = try items.delivery()
        #expect(
            items.take() == ["delete 2 at 0.1", "update 1 from 0.0 to 0.0 title", "update 3 from 0.2 to 0.1 title"])
        let deleted = try delivery.object(of: delivery.changeSet.objectChanges[0])
        #expect(deleted["name"] == "b" && deleted["title"] == nil, "a deleted object shows the columns that it had")
        #expect(delivery.oldValues == [[2, "b"], nil, nil])
        #expect(shown["name"] == "a" && shown["title"] == nil)
        #expect(try items.controller.values("title") == [["a", "c"]])
    }

    @Test func columnsInAnotherOrderAreNoChange() throws {
        let store = try makeStore(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, a, b, c); INSERT INTO items VALUES (1, 1, 2, 3), (2, 4, 5, 6)")
        let items = try Watch(store, "items")
        items.controller.rowCacheSize = 1
        _ = try items.controller.values("a")
        for columns in ["c, a, id INTEGER PRIMARY KEY, b", "id INTEGER PRIMARY KEY, b, c, a"] {
            try store.transaction {
                try store.executeScript(
                    """
                    CREATE TABLE new_items (\(columns)); INSERT INTO new_items (id, a, b, c) SELECT id, a, b, c FROM items;
                    DROP TABLE items; ALTER TABLE new_items RENAME TO items;
                    """)
            }
            #expect(items.recorder.events == [])
            #expect(try [items.controller.values("a"), items.controller.values("c")] == [[[1, 4]], [[3, 6]]])
        }
        try store.execute("UPDATE items SET c = 7 WHERE id = 2")
        #expect(items.take() == ["update 2 from 0.1 to 0.1 c"])
    }

    @Test func aTableThatIsReplacedIsCompared() throws {
        let store = try makeStore(script)
        let items = try Watch(store, "items")
        _ = try items.controller.values("name")
        try store.transaction {
            try store.executeScript(
                """
                CREATE TABLE new_items (id INTEGER PRIMARY KEY, name TEXT);
                INSERT INTO new_items SELECT id, CASE id WHEN 2 THEN 'changed' ELSE name END FROM items WHERE id > 1;
                DROP TABLE items; ALTER TABLE new_items RENAME TO items;
                """)
        }
        #expect(items.recorder.events.filter { $0 == "will" }.count == 1)
        let records = items.take()
        #expect(records.first == "delete 1 at 0.0")
        #expect(records.count == 2 && records.last?.hasPrefix("update 2 from 0.1 to 0.0") == true)
    }

    @Test func aDroppedTableIsReportedOnceAndTheListRecovers() throws {
        let store = try makeStore(script + "CREATE TABLE others (id INTEGER PRIMARY KEY);")
        let items = try Watch(store, "items", sort: ["name"])
        let others = try Watch(store, "others")
        try store.execute("DROP TABLE items")
        #expect(items.recorder.events == ["failed"])
        #expect(items.recorder.errors.map { $0.message.contains("items") } == [true])
        #expect(try items.controller.numberOfObjects == 3)
        try store.execute("INSERT INTO others VALUES (1)")
        try store.execute("CREATE TABLE more (x)")
        #expect(items.recorder.events == ["failed"])
        #expect(others.take() == ["insert 1 at 0.0"])

        try store.executeScript("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
        try store.execute("INSERT INTO items VALUES (3, 'c'), (4, 'aa')")
        #expect(items.recorder.errors.count == 1)
        #expect(try items.controller.values("name") == [["aa", "c"]])
        _ = items.take()
        try store.execute("INSERT INTO items VALUES (5, 'b')")
        #expect(items.take() == ["insert 5 at 0.1"])
        try store.execute("DROP TABLE items")
        #expect(items.recorder.errors.count == 2)
    }

    @Test func recoveryInOneTransactionIsOneBracketOfTheDifference() throws {
        let store = try makeStore(script)
        let items = try Watch(store, "items", sort: ["name"])
        try store.execute("ALTER TABLE items RENAME TO kept")
        #expect(items.recorder.events == ["failed"])
        try store.execute("UPDATE kept SET name = 'z' WHERE id = 1")
        try store.execute("ALTER TABLE kept RENAME TO items")
        #expect(items.take() == ["move 1 from 0.0 to 0.2 something"])
    }

    @Test func aColumnThatIsDroppedIsReported() throws {
        let store = try makeStore(script)
        let sorted = try Watch(store, "items", sort: ["name"])
        let plain = try Watch(store, "items", columns: ["id"])
        try store.execute("ALTER TABLE items DROP COLUMN name")
        #expect(sorted.recorder.errors.map { $0.message.contains("name") } == [true])
        #expect(plain.recorder.events == [])
        try store.execute("ALTER TABLE items ADD COLUMN name DEFAULT 'new'")
        #expect(sorted.recorder.errors.count == 1)
        #expect(try sorted.controller.values("name") == [["new", "new", "new"]])
    }

    @Test func theKindOfKeyChanges() throws {
        let store = try makeStore(script)
        let items = try Watch(store, "items")
        try store.transaction {
            try store.executeScript(
                """
                DROP TABLE items;
                CREATE TABLE items (id TEXT PRIMARY KEY NOT NULL, name TEXT) WITHOUT ROWID;
                INSERT INTO items VALUES ('x', 'a'), ('y', 'b');
                """)
        }
        #expect(try items.controller.values("id") == [["x", "y"]])
        #expect(try items.controller.indexPath(ofIdentity: ["y"]) == ListIndexPath(section: 0, row: 1))
        #expect(items.recorder.errors.isEmpty)
        _ = items.take()
        try store.execute("UPDATE items SET name = 'c' WHERE id = 'x'")
        #expect(items.take() == ["update x from 0.0 to 0.0 name"])
        try store.transaction {
            try store.executeScript(
                "DROP TABLE items; CREATE TABLE items (id INTEGER PRIMARY KEY, name); INSERT INTO items VALUES (1, 'a'), (2, 'b')"
            )
        }
        #expect(try items.controller.values("id") == [[1, 2]])
        #expect(try items.controller.indexPath(ofIdentity: [2]) == ListIndexPath(section: 0, row: 1))
    }

    @Test func vacuumMayRenumberRowsWithoutAKey() throws {
        let store = try makeStore(
            "CREATE TABLE notes (text); INSERT INTO notes VALUES ('a'), ('b'), ('c'); DELETE FROM notes WHERE text = 'b';"
        )
        let notes = try Watch(store, "notes")
        #expect(try notes.controller.values("text") == [["a", "c"]])
        try store.execute("VACUUM")
        #expect(try notes.controller.values("text") == [["a", "c"]])
        try store.execute("UPDATE notes SET text = 'd' WHERE text = 'c'")
        #expect(try notes.controller.values("text") == [["a", "d"]])
    }

    @Test func aTemporaryTableHidesTheListsOwn() throws {
        let store = try makeStore(script)
        let items = try Watch(store, "main.items")
        try store.execute("CREATE TEMP TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
        try store.execute("INSERT INTO items VALUES (9, 'temporary')")
        #expect(items.recorder.events == [])
        try store.execute("INSERT INTO main.items VALUES (4, 'd')")
        #expect(items.take() == ["insert 4 at 0.3"])
    }
}
