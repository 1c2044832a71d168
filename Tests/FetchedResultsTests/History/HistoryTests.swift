@testable import FetchedResults
import SQLiteKit
import TestSupport
import Testing

/// The history of tables: the touched rows that it returns, its length, and the data that it
/// leaves.
@Suite struct Histories {
    static let schema = """
        CREATE TABLE items (id INTEGER PRIMARY KEY, name, size);
        CREATE TABLE words (word TEXT PRIMARY KEY, meaning);
        CREATE TABLE pairs (a, b TEXT COLLATE NOCASE, x, PRIMARY KEY (a, b)) WITHOUT ROWID;
        CREATE TABLE plain (x);
        CREATE TABLE keys (word TEXT PRIMARY KEY);
        CREATE TABLE made (id INTEGER PRIMARY KEY, a, b AS (a || '') UNIQUE);
        CREATE TABLE joined (id INTEGER PRIMARY KEY, a, b, c AS (a || b) UNIQUE);
        CREATE TABLE mails (id INTEGER PRIMARY KEY, address, deleted, folder AS (lower(deleted)));
        CREATE UNIQUE INDEX kept ON mails (address) WHERE mails.deleted = 0 AND folder <> "trash";
        CREATE TABLE new (id INTEGER PRIMARY KEY, name UNIQUE);
        CREATE TABLE old (name TEXT COLLATE NOCASE PRIMARY KEY) WITHOUT ROWID;
        CREATE TABLE codes (code TEXT PRIMARY KEY);
        CREATE TABLE uses (code INT UNIQUE REFERENCES codes ON UPDATE CASCADE ON DELETE CASCADE);
        INSERT INTO joined (id, a, b) VALUES (1, 'x', 'y'), (2, 'z', 'y');
        INSERT INTO mails VALUES (1, 'a', 1), (2, 'a', 1), (3, 'a', 0), (4, 'b', 0);
        INSERT INTO new VALUES (1, 'a'), (2, 'b');
        INSERT INTO old VALUES ('a'), ('b');
        INSERT INTO codes VALUES ('01'), ('02'), ('7');
        INSERT INTO uses VALUES (7);
        INSERT INTO keys VALUES ('a'), ('b');
        INSERT INTO made (id, a) VALUES (1, 'x'), (2, 'y');
        INSERT INTO items VALUES (1, 'one', 1), (2, 'two', 2);
        """

    private static func open() throws -> Store {
        let store = try Store(path: ":memory:")
        try store.executeScript(schema)
        return store
    }

    private static let touches: [(table: String, sql: String, identities: [[Value]])] = [
        ("items", "INSERT INTO items (name) VALUES ('new')", [[3]]),
        ("items", "UPDATE items SET name = 'x' WHERE id = 2", [[2]]),
        ("items", "UPDATE items SET id = 10 WHERE id = 2", [[10], [2]]),
        ("items", "DELETE FROM items", [[1], [2]]),
        ("items", "REPLACE INTO items VALUES (1, 'x', 0)", [[1]]),
        ("items", "UPDATE items SET name = 'x' WHERE id = 7", []),
        ("words", "INSERT INTO words VALUES ('a', 1), ('b', 2)", [["a"], ["b"]]),
        ("words", "INSERT INTO words (meaning) VALUES (1)", [[nil, 1]]),
        ("words", "INSERT INTO words (rowid, word) VALUES (1, 'a'); UPDATE words SET rowid = 5", [["a"]]),
        ("pairs", "INSERT INTO pairs VALUES (1, 'a', 0), (1, 'b', 0)", [[1, "a"], [1, "b"]]),
        ("plain", "INSERT INTO plain VALUES ('x')", [[1]]),
        // REPLACE deletes rows by their rowid, and by columns that no statement sets.
        ("keys", "REPLACE INTO keys (rowid, word) VALUES (1, 'c')", [["a"], ["c"]]),
        ("keys", "UPDATE OR REPLACE keys SET oid = 2 WHERE word = 'a'", [["b"], ["a"]]),
        ("made", "REPLACE INTO made (id, a) VALUES (3, 'y')", [[2], [3]]),
        ("made", "UPDATE OR REPLACE made SET a = 'y' WHERE id = 1", [[2], [1]]),
        ("made", "UPDATE OR REPLACE made SET a = 'x' WHERE id = 1", [[1]]),
        // A generated column is made of some that are set, and some that are not.
        ("joined", "UPDATE OR REPLACE joined SET a = 'z' WHERE id = 1", [[2], [1]]),
        // A partial index gets a row by a column of its condition alone.
        ("mails", "UPDATE OR REPLACE mails SET deleted = 0 WHERE id = 1", [[3], [1]]),
        ("mails", "REPLACE INTO mails (id, address, deleted) VALUES (5, 'a', 0)", [[3], [5]]),
        ("mails", "UPDATE mails SET deleted = 2 WHERE id = 2", [[3], [2]]),
        ("mails", "UPDATE mails SET id = 9 WHERE id = 4", [[4], [9]]),
        // Names that have a meaning in triggers.
        ("new", "INSERT INTO new VALUES (3, 'c')", [[3]]),
        ("new", "REPLACE INTO new VALUES (3, 'b')", [[2], [3]]),
        ("old", "REPLACE INTO old VALUES ('B')", [["b"], ["B"]]),
        // SQLite has compared the keys with numbers before an AFTER trigger would note them.
        ("pairs", "INSERT INTO pairs VALUES (1, 2, 3); UPDATE OR IGNORE pairs SET b = NULL", [[1, "2"]]),
        ("codes", "DELETE FROM codes WHERE code = '01'", [["01"]]),
        ("codes", "UPDATE codes SET code = '03' WHERE code = '02'", [["03"], ["02"]]),
    ]
    private static let tables = [
        "items", "words", "pairs", "plain", "keys", "made", "joined", "mails", "new", "old", "codes",
    ]

    @Test(arguments: Self.touches.indices) func touchedRowsAreNoted(index: Int) throws {
        let (table, sql, identities) = Self.touches[index]
        let store = try Self.open()
        for table in Self.tables { try store.startHistory(of: table) }
        let before = try store.historyGeneration
        try store.executeScript(sql)
        #expect(try store.touchedRows(of: table, since: before) == identities)
        #expect(try store.historyGeneration > before || identities.isEmpty)
        #expect(try store.touchedRows(of: table, since: store.historyGeneration) == [])
    }

    @Test func whatIsRolledBackWasNotTouched() throws {
        let store = try Self.open()
        try store.startHistory(of: "items")
        let before = try store.historyGeneration
        try store.begin()
        try store.execute("DELETE FROM items")
        #expect(try store.touchedRows(of: "items", since: before) == [[1], [2]])
        try store.rollback()
        #expect(try store.historyGeneration == before)
        #expect(try store.touchedRows(of: "items", since: before) == [])
    }

    /// A program calls it at each start.
    @Test func anExistingHistoryContinues() throws {
        let store = try Self.open()
        try store.startHistory(of: "items")
        let before = try store.historyGeneration
        try store.execute("UPDATE items SET size = 5")
        try store.startHistory(of: "ITEMS")
        try store.startHistory(of: "main.items")
        try store.startHistory(of: "words")
        #expect(try store.historyTables == ["items", "words"])
        #expect(try store.touchedRows(of: "items", since: before) == [[1], [2]])
        #expect(throws: StoreError.self) { try store.touchedRows(of: "words", since: before) }
    }

    @Test func aHistoryIsNoLongerThanItsLimit() throws {
        let store = try Self.open()
        try store.startHistory(of: "items")
        #expect(try store.historyLimit == 100_000)
        let before = try store.historyGeneration
        try store.setHistoryLimit(3)
        for id in 100..<102 { try store.insert(into: "items", [("id", .integer(Int64(id)))]) }
        #expect(try store.touchedRows(of: "items", since: before) == [[100], [101]])
        let later = try store.historyGeneration
        for id in 102..<110 { try store.insert(into: "items", [("id", .integer(Int64(id)))]) }
        for generation in [before, later] {
            let error = #expect(throws: StoreError.self) { try store.touchedRows(of: "items", since: generation) }
            #expect(error?.status == .gone)
        }
        var count: Int64 = 0
        try store.query("SELECT count(*) FROM fetchedresults_history") { count = $0[0].integer ?? -1 }
        #expect(count == 3)
        for limit in [0, -1, Int64.max] {
            let error = #expect(throws: StoreError.self) { try store.setHistoryLimit(limit) }
            #expect(error?.status == .range)
        }
    }

    /// The newest entry stays, so that generations only grow.
    @Test func aHistoryCanBeDeletedUpToAGeneration() throws {
        let store = try Self.open()
        try store.startHistory(of: "items")
        let before = try store.historyGeneration
        try store.execute("UPDATE items SET size = 5 WHERE id = 1")
        let middle = try store.historyGeneration
        try store.execute("UPDATE items SET size = 5 WHERE id = 2")
        try store.deleteHistory(before: middle)
        #expect(try store.touchedRows(of: "items", since: middle) == [[2]])
        #expect(throws: StoreError.self) { try store.touchedRows(of: "items", since: before) }
        let last = try store.historyGeneration
        try store.deleteHistory(before: Int64.max)
        #expect(try store.historyGeneration == last)
        #expect(try store.touchedRows(of: "items", since: last) == [])
    }

    @Test func nothingStaysOfAHistoryThatEnded() throws {
        let store = try Self.open()
        func schema() throws -> [[Value]] {
            var rows: [[Value]] = []
            try store.query("SELECT type, name, sql FROM sqlite_schema ORDER BY name") { rows.append($0) }
            return rows
        }
        let before = try schema()
        for table in ["items", "pairs", "words"] { try store.startHistory(of: table) }
        try store.execute("UPDATE items SET size = 5")
        try store.stopHistory(of: "items")
        #expect(try store.historyTables == ["pairs", "words"])
        try store.stopHistory(of: "nothing")
        try store.stopHistory(of: "MAIN.words")
        try store.stopHistory(of: "Pairs")
        #expect(try store.historyTables == [])
        #expect(try schema() == before)
        let error = #expect(throws: StoreError.self) { try store.historyGeneration }
        #expect(error?.status == .misuse)
        try store.stopHistory(of: "items")
    }

    /// After these the triggers may miss changes.
    @Test(arguments: [
        "CREATE UNIQUE INDEX by_name ON items (name)", "ALTER TABLE items ADD COLUMN color", "VACUUM",
        "ALTER TABLE items RENAME COLUMN name TO title",
    ])
    func aChangeOfTheSchemaEndsTheHistory(sql: String) throws {
        let store = try Self.open()
        try store.startHistory(of: "items")
        try store.startHistory(of: "words")
        let before = try store.historyGeneration
        try store.execute(sql)
        #expect(try store.historyTables == [])
        #expect(throws: StoreError.self) { try store.touchedRows(of: "items", since: before) }
        try store.startHistory(of: "words")
        #expect(try store.historyTables == ["items", "words"])
        let after = try store.historyGeneration
        // The changes that the triggers missed may have left no trace.
        for table in ["items", "words"] {
            let error = #expect(throws: StoreError.self) { try store.touchedRows(of: table, since: before) }
            #expect(error?.status == .gone)
        }
        try store.execute("UPDATE items SET size = 5 WHERE id = 1")
        #expect(try store.touchedRows(of: "items", since: after) == [[1]])
    }

    /// The last entry is one of the table whose history ends.
    @Test func generationsGrowWhenATableLeavesTheHistory() throws {
        let store = try Self.open()
        for table in ["items", "words"] { try store.startHistory(of: table) }
        try store.execute("UPDATE items SET size = 5")
        let before = try store.historyGeneration
        try store.stopHistory(of: "items")
        #expect(try store.historyGeneration > before)
        try store.executeScript("CREATE TABLE more (x); UPDATE words SET meaning = 1")
        try store.startHistory(of: "words")
        #expect(try store.historyGeneration > before)
    }

    @Test func generationsStayValidWhenAnotherTableLeavesTheHistory() throws {
        let store = try Self.open()
        for table in ["items", "words", "pairs"] { try store.startHistory(of: table) }
        try store.execute("INSERT INTO words VALUES ('a', 1)")
        try store.execute("INSERT INTO pairs VALUES (1, 'a', 0)")
        let generation = try store.historyGeneration
        try store.execute("UPDATE items SET name = 'x' WHERE id = 2")
        try store.stopHistory(of: "pairs")
        try store.stopHistory(of: "words")
        #expect(try store.touchedRows(of: "items", since: generation) == [[2]])
        // None of their notes are left.
        var keys: [Value] = []
        try store.query("SELECT key1 FROM fetchedresults_history WHERE key1 IS NOT NULL") { keys += $0 }
        #expect(keys == [])
    }

    @Test func tablesThatAreRenamedOrDroppedLeaveTheHistory() throws {
        let store = try Self.open()
        for table in ["items", "words", "plain"] { try store.startHistory(of: table) }
        try store.execute("ALTER TABLE items RENAME TO things")
        try store.execute("DROP TABLE words")
        try store.startHistory(of: "things")
        #expect(try store.historyTables == ["plain", "things"])
        let before = try store.historyGeneration
        try store.execute("UPDATE things SET size = 5 WHERE id = 1")
        #expect(try store.touchedRows(of: "things", since: before) == [[1]])
        for table in ["plain", "things"] { try store.stopHistory(of: table) }
        var count: Int64 = -1
        try store.query("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'fetchedresults%'") {
            count = $0[0].integer ?? -1
        }
        #expect(count == 0)
    }

    /// An older copy of the file that is changed in another way has generations of its own.
    @Test func generationsOfAnotherHistoryAreGone() throws {
        let store = try Self.open()
        try store.startHistory(of: "items")
        let before = try store.historyGeneration
        try store.begin()
        for _ in 0..<5 { try store.execute("UPDATE items SET size = size + 1 WHERE id = 1") }
        let lost = try store.historyGeneration
        try store.rollback()
        for _ in 0..<10 { try store.execute("UPDATE items SET size = size + 1 WHERE id = 2") }
        #expect(try store.historyGeneration > lost)
        #expect(throws: StoreError.self) { try store.touchedRows(of: "items", since: lost) }
        #expect(try store.touchedRows(of: "items", since: before) == [[2]])
    }

    @Test func whatHasNoHistoryIsRefused() throws {
        let store = try Self.open()
        try store.executeScript(
            """
            CREATE VIEW names AS SELECT name FROM items;
            CREATE TABLE texts (id INTEGER PRIMARY KEY, text);
            CREATE UNIQUE INDEX by_expression ON texts (lower(text));
            CREATE TEMP TABLE passing (id INTEGER PRIMARY KEY);
            """)
        let refused: [(String, StoreError.Status)] = [
            ("names", .schema), ("texts", .schema), ("passing", .misuse), ("nothing", .schema),
        ]
        for (table, status) in refused {
            let error = #expect(throws: StoreError.self) { try store.startHistory(of: table) }
            #expect(error?.status == status, "\(table)")
        }
        // Nothing of the attempts stays.
        var count: Int64 = -1
        try store.query("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'fetchedresults%'") {
            count = $0[0].integer ?? -1
        }
        #expect(count == 0)
        for call in [{ _ = try store.historyGeneration }, { _ = try store.historyLimit }] as [() throws -> Void] {
            let error = #expect(throws: StoreError.self) { try call() }
            #expect(error?.status == .misuse)
        }
    }

    /// REPLACE puts the default in place of NULL when no trigger can see it any more. What is noted
    /// later is known again.
    @Test(arguments: [
        "INSERT OR REPLACE INTO places (id, name) VALUES (2, NULL)",
        "UPDATE OR REPLACE places SET name = NULL WHERE id = 3",
    ])
    func itIsUnknownWhatADefaultInPlaceOfNullReplaces(sql: String) throws {
        let store = try makeStore(
            """
            CREATE TABLE places (id INTEGER PRIMARY KEY, name NOT NULL DEFAULT 'here' UNIQUE);
            CREATE TABLE others (id INTEGER PRIMARY KEY);
            INSERT INTO places VALUES (1, 'here'), (3, 'there');
            """)
        for table in ["places", "others"] { try store.startHistory(of: table) }
        let before = try store.historyGeneration
        try store.execute(sql)
        expectFailure(.gone, naming: "places") { _ = try store.touchedRows(of: "places", since: before) }
        #expect(try store.touchedRows(of: "others", since: before) == [])
        let after = try store.historyGeneration
        try store.execute("UPDATE places SET name = 'elsewhere' WHERE id = (SELECT max(id) FROM places)")
        #expect(try store.touchedRows(of: "places", since: after).count == 1)
        try store.stopHistory(of: "places")
        var count: Int64 = -1
        try store.query("SELECT count(*) FROM fetchedresults_history WHERE table_id < 0") {
            count = $0[0].integer ?? -1
        }
        #expect(count == 0)
    }

    /// Without its history the list is read again.
    @Test func aListInARollbackModeFollowsRowByRow() throws {
        let file = TemporaryFile()
        var options = StoreOptions()
        options.journalMode = "delete"
        let store = try Store(path: file.path, options: options)
        try store.executeScript(Self.schema)
        try store.startHistory(of: "items")
        let items = try Watch(store, "items", sort: ["name"])
        let other = try Store(path: file.path, options: options)
        try other.executeScript("UPDATE items SET name = 'z' WHERE id = 1; INSERT INTO items VALUES (3, 'up', 3)")
        try store.dispatch()
        #expect(try items.controller.values("id") == [[2, 3, 1]])
        #expect(items.controller.counters.rereads == [.fetch: 1])
        try store.stopHistory(of: "items")
        let before = items.controller.counters.rereads.values.reduce(0, +)
        try other.execute("DELETE FROM items WHERE id = 2")
        try store.dispatch()
        #expect(try items.controller.values("id") == [[3, 1]])
        #expect(items.controller.counters.rereads.values.reduce(0, +) == before + 1)
    }

    @Test func aListInARollbackModeIsReadAfterWhatIsUnknown() throws {
        let file = TemporaryFile()
        var options = StoreOptions()
        options.journalMode = "delete"
        let store = try Store(path: file.path, options: options)
        try store.executeScript(
            """
            CREATE TABLE places (id INTEGER PRIMARY KEY, name NOT NULL DEFAULT 'here' UNIQUE);
            INSERT INTO places VALUES (1, 'here'), (3, 'there');
            """)
        try store.startHistory(of: "places")
        let places = try Watch(store, "places")
        #expect(try places.controller.values("name") == [["here", "there"]])
        let other = try Store(path: file.path, options: options)
        try other.execute("UPDATE OR REPLACE places SET name = NULL WHERE id = 3")
        try store.dispatch()
        #expect(try places.controller.values("id") == [[3]])
        #expect(places.take() == ["delete 1 at 0.0", "update 3 from 0.1 to 0.0 name"])
    }

    /// In a trigger the table has another name, and not all programs read a string in double
    /// quotes.
    @Test(
        arguments: [
            ("CREATE UNIQUE INDEX i ON t (a)", nil, []),
            ("CREATE UNIQUE INDEX i ON t (a) WHERE b=0", "b=0", ["b"]),
            ("CREATE INDEX \"where\" ON t (a) WHERE main.t.b > .5 -- why", " b > .5", ["b"]),
            (
                "CREATE INDEX i ON t (a) WHERE [t] . \"A\"||\"it's\" IS NOT \"lower\"(\"t\".b)",
                " \"A\"||'it''s' IS NOT \"lower\"( b)", ["a", "b"]
            ),
            ("CREATE INDEX i ON t (a) WHERE a /* 'b' */ = 'b' COLLATE \"B\"", "a = 'b' COLLATE \"B\"", ["a"]),
        ] as [(String, String?, [String])])
    func theConditionOfAPartialIndexIsFound(sql: String, condition: String?, names: [String]) {
        let found = IndexCondition(index: sql, columns: ["a", "b"])
        #expect(found?.sql == condition)
        #expect(found?.names ?? [] == names)
    }

    /// Otherwise each insert would read the whole table.
    @Test func thePartialIndexFindsTheRowsThatAreReplaced() throws {
        let store = try Self.open()
        try store.startHistory(of: "mails")
        var root: Value = nil
        try store.query("SELECT rootpage FROM sqlite_schema WHERE name = 'kept'") { root = $0[0] }
        var opened: [Value] = []
        try store.query("EXPLAIN INSERT INTO mails (id) VALUES (7)") { row in
            if row[1] == "OpenRead" { opened.append(row[3]) }
        }
        #expect(opened.contains(root), "\(opened)")
    }

    /// Triggers on tables that a virtual table writes crash SQLite, and do not note all writes.
    @Test func tablesThatSQLiteOrVirtualTablesWriteAreRefused() throws {
        let file = TemporaryFile()
        let writer = try Connection.open(path: file.path, readOnly: false, create: true)
        for sql in [
            "CREATE VIRTUAL TABLE search USING fts5 (body)", "CREATE TABLE search_words (word)",
            "CREATE VIRTUAL TABLE areas USING rtree (id, least, greatest)",
            "CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT)", "INSERT INTO counted VALUES (1)",
            "CREATE TABLE vectors_chunks (x)", "CREATE TABLE vectorsets (x)", "PRAGMA writable_schema = ON",
            "INSERT INTO sqlite_schema VALUES ('table', 'Vectors', 'Vectors', 0, "
                + "'CREATE VIRTUAL TABLE Vectors USING vec0 (x)')",
        ] { try writer.execute(sql) }
        writer.close()
        let store = try Store(path: file.path)
        let refused: [(table: String, word: String)] = [
            ("search", "not a table"), ("search_data", "search"), ("main.SEARCH_docsize", "search"),
            ("search_config", "search"), ("areas_node", "areas"), ("sqlite_sequence", "SQLite"),
            // The module is not loaded, and so does not say that this table is its own.
            ("vectors_chunks", "Vectors"),
        ]
        for (table, word) in refused {
            expectFailure(.schema, naming: word) { try store.startHistory(of: table) }
        }
        for table in ["search_words", "vectorsets", "counted"] { try store.startHistory(of: table) }
        try store.executeScript("INSERT INTO search VALUES ('a'); INSERT INTO areas VALUES (1, 1, 2)")
        #expect(try store.historyTables == ["search_words", "vectorsets", "counted"])
    }

    /// No trigger sees the values that the row then gets.
    @Test(arguments: [
        ("t", "CREATE TRIGGER x BEFORE UPDATE ON t BEGIN UPDATE t SET b = 5 WHERE id = NEW.id; END", true),
        ("t", "CREATE TRIGGER x UPDATE OF a ON t BEGIN SELECT 1; UPDATE OR FAIL `T` SET b = 5; END", true),
        ("t", "CREATE TRIGGER x UPDATE OF a ON t BEGIN REPLACE INTO t VALUES (1, 2, 3); END", true),
        ("t", "CREATE TRIGGER x AFTER UPDATE ON t BEGIN UPDATE t SET b = 5; END", false),
        ("t", "CREATE TRIGGER x BEFORE INSERT ON t BEGIN UPDATE t SET b = 5; END", false),
        ("t", "CREATE TRIGGER x BEFORE UPDATE ON t BEGIN INSERT INTO log SELECT 'UPDATE t' FROM t; END", false),
        ("s", "CREATE TRIGGER x BEFORE UPDATE ON s BEGIN UPDATE s SET b = 5 WHERE id = NEW.id; END", false),
    ])
    func aTriggerThatChangesTheUpdatedRowIsRefused(table: String, trigger: String, isRefused: Bool) throws {
        let store = try makeStore(
            """
            CREATE TABLE log (text); CREATE TABLE s (id INTEGER PRIMARY KEY, a UNIQUE, b UNIQUE);
            CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, UNIQUE (a, b));
            """)
        try store.startHistory(of: "log")
        try store.execute(trigger)
        if isRefused {
            expectFailure(.schema, naming: "x is a BEFORE UPDATE trigger") { try store.startHistory(of: table) }
        } else {
            try store.startHistory(of: table)
        }
        // A history that a change of the schema makes impossible ends, and does not stop the
        // others.
        try store.execute("DROP TRIGGER x")
        for table in [table, "log"] { try store.startHistory(of: table) }
        try store.execute(trigger)
        try store.startHistory(of: "log")
        #expect(try store.historyTables == (isRefused ? ["log"] : [table, "log"].sorted()))
    }

    /// Its tables are ordinary ones, whose triggers would note each other's rows.
    @Test func aHistoryOfTheHistoryIsRefused() throws {
        let store = try Self.open()
        try store.startHistory(of: "items")
        for table in ["fetchedresults_history", "main.FetchedResults_History", "fetchedresults_history_settings"] {
            let error = #expect(throws: StoreError.self) { try store.startHistory(of: table) }
            #expect(error?.status == .misuse, "\(table)")
        }
        #expect(try store.historyTables == ["items"])
        try store.execute("INSERT INTO items (id) VALUES (99)")
    }
}
