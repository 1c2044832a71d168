import FetchedResults
import SQLiteKit
import TestSupport
import Testing

/// The lists report every change of a row exactly, whatever makes it.
@Suite struct Capture {
    private func makeItems(_ more: String = "") throws -> Store {
        try makeStore(
            """
            CREATE TABLE lists (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE items (
                id INTEGER PRIMARY KEY, list_id REFERENCES lists(id) ON DELETE CASCADE ON UPDATE CASCADE, name TEXT UNIQUE);
            INSERT INTO lists VALUES (1, 'one'), (2, 'two');
            INSERT INTO items VALUES (1, 1, 'a'), (2, 1, 'b'), (3, 2, 'c');
            \(more)
            """)
    }

    @Test func triggers() throws {
        let store = try makeItems(
            "CREATE TRIGGER naming AFTER UPDATE ON lists BEGIN UPDATE items SET name = NEW.name || id WHERE list_id = NEW.id; END;"
        )
        let items = try Watch(store, "items", sort: ["name"])
        try store.execute("UPDATE lists SET name = 'z' WHERE id = 1")
        #expect(items.take() == ["move 1 from 0.0 to 0.1 name", "move 2 from 0.1 to 0.2 name"])
    }

    @Test func foreignKeyActions() throws {
        let store = try makeItems()
        let items = try Watch(store, "items")
        try store.execute("UPDATE lists SET id = 7 WHERE id = 2")
        #expect(items.take() == ["update 3 from 0.2 to 0.2 list_id"])
        try store.execute("DELETE FROM lists WHERE id = 1")
        #expect(items.take() == ["delete 2 at 0.1", "delete 1 at 0.0"])
    }

    @Test func replacing() throws {
        let store = try makeItems()
        let items = try Watch(store, "items")
        try store.execute("REPLACE INTO items VALUES (1, 1, 'c')")
        #expect(items.take() == ["delete 3 at 0.2", "update 1 from 0.0 to 0.0 name"])
        try store.execute("UPDATE OR REPLACE items SET name = 'c' WHERE id = 2")
        #expect(items.take() == ["delete 1 at 0.0", "update 2 from 0.1 to 0.0 name"])
        try store.execute("REPLACE INTO items VALUES (2, 1, 'c')")
        #expect(items.recorder.events == [])
    }

    @Test func deletingWithoutWhere() throws {
        let store = try makeItems()
        let items = try Watch(store, "items", section: "list_id")
        try store.execute("DELETE FROM items")
        #expect(
            items.take() == [
                "section delete 1 2", "section delete 0 1", "delete 3 at 1.0", "delete 2 at 0.1", "delete 1 at 0.0",
            ])
        #expect(try items.controller.numberOfSections == 0)
    }

    @Test func tablesWithoutRowid() throws {
        let store = try makeStore(
            """
            CREATE TABLE words (word TEXT COLLATE NOCASE, lang INTEGER, rank, PRIMARY KEY (lang, word)) WITHOUT ROWID;
            INSERT INTO words VALUES ('a', 1, 0), ('b', 1, 0), ('a', 2, 0);
            """)
        let words = try Watch(store, "words")
        #expect(try words.controller.values("word") == [["a", "b", "a"]])
        try store.execute("UPDATE words SET rank = 1 WHERE word = 'A'")
        #expect(words.take() == ["update 1/a from 0.0 to 0.0 rank", "update 2/a from 0.2 to 0.2 rank"])
        try store.execute("UPDATE words SET lang = 3 WHERE word = 'b'")
        #expect(words.take() == ["delete 1/b at 0.1", "insert 3/b at 0.2"])
        try store.execute("UPDATE words SET word = 'B' WHERE lang = 3")
        #expect(words.recorder.deliveries.map { $0.changeSet.objectChanges.map(\.type) } == [[.update]])
    }

    @Test func attachedAndTemporaryTables() throws {
        let file = TemporaryFile()
        let store = try makeItems(
            "CREATE TEMP TABLE drafts (id INTEGER PRIMARY KEY, name); CREATE TEMP TABLE items2 (id INTEGER PRIMARY KEY);"
        )
        try store.execute("ATTACH ? AS other", [.text(file.path)])
        try store.execute("CREATE TABLE other.items (id INTEGER PRIMARY KEY, name)")
        let lists = try [
            Watch(store, "drafts"), Watch(store, "temp.items2"), Watch(store, "other.items"),
            Watch(store, "main.items"),
        ]
        #expect(try lists.map { try $0.controller.numberOfObjects } == [0, 0, 0, 3])
        try store.transaction {
            try store.execute("INSERT INTO drafts VALUES (1, 'a')")
            try store.execute("INSERT INTO items2 VALUES (2)")
            try store.execute("INSERT INTO other.items VALUES (3, 'a')")
        }
        #expect(lists.map { $0.take() } == [["insert 1 at 0.0"], ["insert 2 at 0.0"], ["insert 3 at 0.0"], []])
        try store.execute("DELETE FROM other.items")
        #expect(lists.map { $0.take() } == [[], [], ["delete 3 at 0.0"], []])
    }

    @Test func changesThatAreRolledBackAreNotReported() throws {
        let store = try makeItems()
        let items = try Watch(store, "items")
        try store.transaction {
            try? store.transaction {
                try store.execute("UPDATE items SET name = name || '!'")
                throw StoreError(.error, "no")
            }
            // The second row breaks the constraint, so the statement rolls the first one back.
            expectFailure(.constraint) { try store.execute("INSERT INTO items VALUES (8, 1, 'x'), (9, 1, 'a')") }
            try store.execute("UPDATE items SET name = 'q' WHERE id = 1")
            try store.execute("UPDATE items SET name = 'a' WHERE id = 1")
        }
        expectFailure(.constraint) { try store.execute("UPDATE items SET name = 'same'") }
        try store.begin()
        try store.execute("DELETE FROM items")
        try store.rollback()
        #expect(items.recorder.events == [])
        #expect(try items.controller.values("name") == [["a", "b", "c"]])
    }

    @Test func sameValuesAreNothing() throws {
        let store = try makeItems()
        let items = try Watch(store, "items", sort: ["name"])
        try store.execute("UPDATE items SET name = name, list_id = list_id")
        try store.execute("UPDATE items SET id = id")
        #expect(items.recorder.events == [])
    }

    @Test func aKeyThatChangesIsAnotherObject() throws {
        let store = try makeItems()
        let items = try Watch(store, "items")
        try store.transaction {
            try store.execute("UPDATE items SET id = -1 WHERE id = 1")
            try store.execute("UPDATE items SET id = 1 WHERE id = 2")
            try store.execute("UPDATE items SET id = 2 WHERE id = -1")
        }
        // Two objects that exchanged everything but their identity.
        #expect(items.take() == ["update 1 from 0.0 to 0.0 name", "update 2 from 0.1 to 0.1 name"])
        try store.execute("UPDATE items SET id = 9 WHERE id = 1")
        #expect(items.take() == ["delete 1 at 0.0", "insert 9 at 0.2"])
    }

    @Test func insertOrRollbackEndsTheTransaction() throws {
        let store = try makeItems()
        let items = try Watch(store, "items")
        try store.begin()
        try store.execute("DELETE FROM items WHERE id = 3")
        expectFailure(.constraint) { try store.execute("INSERT OR ROLLBACK INTO items VALUES (1, 1, 'x')") }
        #expect(try !store.isInTransaction)
        try store.execute("INSERT INTO items VALUES (4, 1, 'd')")
        #expect(items.take() == ["insert 4 at 0.3"])
    }

    @Test func aCommitThatFailsLeavesTheTransactionOpen() throws {
        let store = try makeItems(
            "CREATE TABLE notes (id INTEGER PRIMARY KEY, item REFERENCES items(id) DEFERRABLE INITIALLY DEFERRED);")
        let notes = try Watch(store, "notes")
        try store.begin()
        try store.execute("INSERT INTO notes VALUES (1, 99)")
        expectFailure(.constraint) { try store.commit() }
        #expect(notes.recorder.events == [])
        #expect(try store.isInTransaction)
        try store.execute("UPDATE notes SET item = 1")
        try store.commit()
        #expect(notes.take() == ["insert 1 at 0.0"])
    }

    @Test func queuedDeliveryWaitsForDispatch() throws {
        var options = StoreOptions()
        options.queuesDelivery = true
        let store = try makeStore(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, name); INSERT INTO items VALUES (1, 'a'), (2, 'b')", options)
        let items = try Watch(store, "items")
        try store.execute("UPDATE items SET name = 'z' WHERE id = 1")
        try store.execute("DELETE FROM items WHERE id = 2")
        #expect(items.recorder.events == [])
        #expect(try items.controller.values("name") == [["a", "b"]])
        try store.dispatch()
        #expect(items.take() == ["delete 2 at 0.1", "update 1 from 0.0 to 0.0 name"])
        try store.dispatch()
        #expect(items.recorder.events == [])
    }
}
