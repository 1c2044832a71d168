import ChangeSets
@testable import FetchedResults
import SQLiteKit
import TestSupport
import Testing

/// Steps that are undone and redone: every table is as before, or nothing changes.
@Suite struct UndoTests {
    /// All rows of all tables but SQLite's and the library's own, with their rowids.
    static func contents(_ store: Store) throws -> [String] {
        var found: [String] = []
        let tables = try store.rows(
            """
            SELECT name, wr, type FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual')
            AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'fetchedresults_%' ORDER BY name
            """)
        for table in tables {
            let name = quoted(table[0].text ?? "")
            let rowid = table[1] == 0 ? "rowid, " : ""
            let rows = try store.rows("SELECT \(rowid)* FROM \(name)").map { "\(name) \($0)" }
            found += rows.sorted()
        }
        return found
    }

    /// Carries out a step, undoes it and redoes it, and compares all tables.
    private func check(_ script: String, _ step: [String]) throws {
        let store = try makeStore(script)
        let before = try Self.contents(store)
        try store.step("it") { for sql in step { try store.execute(sql) } }
        let after = try Self.contents(store)
        #expect(before != after)
        try store.undo()
        #expect(try Self.contents(store) == before)
        try store.redo()
        #expect(try Self.contents(store) == after)
        try store.undo()
        #expect(try Self.contents(store) == before)
        #expect(try store.rows("PRAGMA foreign_key_check").isEmpty)
    }

    private func message(of status: StoreError.Status, _ body: () throws -> Void) -> String {
        do {
            try body()
        } catch let error as StoreError where error.status == status {
            return error.message
        } catch {
            return "\(error)"
        }
        return "no error"
    }

    private let notes = """
        CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT UNIQUE);
        INSERT INTO notes VALUES (1, 'one'), (2, 'two'), (3, 'three');
        """

    // MARK: What is restored

    @Test func insertedUpdatedAndDeletedRowsAreAsBefore() throws {
        try check(
            notes,
            [
                "INSERT INTO notes VALUES (4, 'four')", "UPDATE notes SET title = 'zwei' WHERE id = 2",
                "DELETE FROM notes WHERE id = 1", "INSERT INTO notes VALUES (1, 'uno')",
            ])
    }

    @Test func rowsThatExchangeUniqueValuesOrKeysAreAsBefore() throws {
        try check(
            notes,
            [
                "UPDATE notes SET title = 'x' WHERE id = 1", "UPDATE notes SET title = 'one' WHERE id = 2",
                "UPDATE notes SET title = 'two' WHERE id = 1",
            ])
        try check(notes, ["UPDATE notes SET id = -id", "UPDATE notes SET id = id + 4"])
    }

    @Test func rowsThatReplaceDeletesAreAsBefore() throws {
        try check(notes, ["REPLACE INTO notes VALUES (7, 'two'), (3, 'one')"])
        try check(notes, ["UPDATE OR REPLACE notes SET title = 'one' WHERE id = 3"])
    }

    @Test func valuesOfAllTypesAreExact() throws {
        try check(
            """
            CREATE TABLE v (a, b BLOB, c REAL, d NUMERIC, e TEXT, f INT);
            INSERT INTO v VALUES (NULL, x'00ff', 1, '1.50', CAST(x'ff41' AS TEXT), '12'), (1.0, 'a' || char(0), 2.5, 1, '', x'');
            """,
            ["UPDATE v SET a = 1, b = NULL, c = 2, d = 1.5, e = 'é', f = NULL", "DELETE FROM v"])
    }

    @Test func rowsWithoutDeclaredKeysKeepTheirRowids() throws {
        try check("CREATE TABLE t (a); INSERT INTO t (rowid, a) VALUES (5, 'a'), (9, 'b')", ["DELETE FROM t"])
        // All usual names of the rowid but one are columns.
        try check(
            "CREATE TABLE t (rowid, _rowid_); INSERT INTO t (oid) VALUES (5)", ["UPDATE t SET rowid = 1, oid = 7"])
    }

    @Test func tablesWithoutRowidsAreRestored() throws {
        let words = """
            CREATE TABLE w (n, k TEXT COLLATE NOCASE, m REAL, PRIMARY KEY (k, n)) WITHOUT ROWID;
            INSERT INTO w VALUES (1, 'a', 1), (2, 'b', 2);
            """
        try check(words, ["UPDATE w SET k = 'A' WHERE n = 1", "DELETE FROM w WHERE n = 2"])
        try check(words, ["UPDATE w SET n = 1.0 WHERE n = 1"])
        try check(
            words, ["UPDATE w SET n = 3 - n", "UPDATE w SET k = char(ascii) FROM (SELECT 120 AS ascii) WHERE n = 1"])
        try check(words, ["REPLACE INTO w VALUES (1, 'A', 7)"])
    }

    @Test func generatedColumnsAreRestored() throws {
        try check(
            """
            CREATE TABLE g (v AS (a || '!'), a, s AS (a || '?') STORED, r REAL, id INTEGER PRIMARY KEY);
            INSERT INTO g (a, r) VALUES ('x', 1), ('y', 2);
            """, ["UPDATE g SET a = a || a", "DELETE FROM g WHERE id = 2", "INSERT INTO g (a, r) VALUES (1, 3)"])
    }

    @Test func rowsThatTriggersAndForeignKeysChangedAreAsBefore() throws {
        let script = """
            CREATE TABLE lists (id INTEGER PRIMARY KEY, title, count INT DEFAULT 0);
            CREATE TABLE tasks (
                id INTEGER PRIMARY KEY, title, list INT REFERENCES lists ON DELETE CASCADE ON UPDATE CASCADE,
                parent INT REFERENCES tasks ON DELETE SET NULL);
            CREATE TABLE log (what);
            CREATE TRIGGER added AFTER INSERT ON tasks BEGIN
                UPDATE lists SET count = count + 1 WHERE id = NEW.list;
                INSERT INTO log VALUES ('added ' || NEW.title);
            END;
            CREATE TRIGGER removed AFTER DELETE ON tasks BEGIN
                UPDATE lists SET count = count - 1 WHERE id = OLD.list;
                INSERT INTO log VALUES ('removed ' || OLD.title);
            END;
            INSERT INTO lists (id, title) VALUES (1, 'a'), (2, 'b');
            INSERT INTO tasks VALUES (1, 'x', 1, NULL), (2, 'y', 1, 1), (3, 'z', 2, 2);
            """
        try check(script, ["DELETE FROM lists WHERE id = 1"])
        try check(script, ["UPDATE lists SET id = 7 WHERE id = 1", "INSERT INTO tasks VALUES (9, 'w', 7, 3)"])
        try check(script, ["UPDATE lists SET title = 'c'"])
        try check(script, ["INSERT INTO lists (id) VALUES (3)", "UPDATE tasks SET list = 3 WHERE id = 1"])
    }

    @Test func onlyRowsThatDifferAtTheEndAreRestored() throws {
        let store = try makeStore(notes)
        try store.step("nothing") {
            try store.execute("UPDATE notes SET title = title || '!'")
            try store.execute("UPDATE notes SET title = rtrim(title, '!')")
        }
        #expect(try store.undoName == nil)
        try store.step("outer") {
            try store.execute("UPDATE notes SET title = 'x' WHERE id = 1")
            try store.begin()
            try store.execute("DELETE FROM notes")
            try store.execute("INSERT INTO notes VALUES (8, 'eight')")
            try store.rollback()
            #expect(throws: StoreError.self) { try store.execute("UPDATE notes SET title = 'same'") }
        }
        // A row that only the savepoint touched may have changed since.
        try store.execute("UPDATE notes SET title = 'deux' WHERE id = 2")
        try store.undo()
        #expect(try store.rows("SELECT title FROM notes") == [["one"], ["deux"], ["three"]])
    }

    @Test func attachedAndTemporaryTablesAreRestored() throws {
        try check(
            "ATTACH ':memory:' AS more; CREATE TABLE more.t (a); CREATE TEMP TABLE u (a); CREATE TABLE v (a)",
            ["INSERT INTO v VALUES (0)", "INSERT INTO more.t VALUES (1)", "INSERT INTO u VALUES (2)"])
        let store = try makeStore("ATTACH ':memory:' AS more; CREATE TABLE more.t (a); CREATE TEMP TABLE t (a)")
        try store.step("both") {
            try store.execute("INSERT INTO more.t VALUES (1)")
            try store.execute("INSERT INTO temp.t VALUES (2)")
        }
        try store.undo()
        #expect(try store.rows("SELECT * FROM more.t").isEmpty)
        #expect(try store.rows("SELECT * FROM temp.t").isEmpty)
    }

    @Test func numbersThatAutoincrementHasUsedStayUsed() throws {
        let store = try makeStore("CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a)")
        try store.step("add") { try store.execute("INSERT INTO t (a) VALUES ('x')") }
        try store.undo()
        try store.execute("INSERT INTO t (a) VALUES ('y')")
        #expect(try store.rows("SELECT id FROM t") == [[2]])
    }

    // MARK: Full-text indexes

    /// What an index finds, and whether it is consistent.
    private func found(_ store: Store, _ words: [String]) throws -> [[Value]] {
        try store.execute("INSERT INTO found (found) VALUES ('integrity-check')")
        return try words.map { word in
            try store.rows("SELECT rowid FROM found(?) ORDER BY rowid", [.text(word)]).map { $0[0] }
        }
    }

    @Test(arguments: [
        """
        CREATE TABLE notes (id INTEGER PRIMARY KEY, title, body);
        CREATE VIRTUAL TABLE found USING fts5(title, body, content='notes', content_rowid='id');
        CREATE TRIGGER n1 AFTER INSERT ON notes BEGIN
            INSERT INTO found (rowid, title, body) VALUES (new.id, new.title, new.body); END;
        CREATE TRIGGER n2 AFTER DELETE ON notes BEGIN
            INSERT INTO found (found, rowid, title, body) VALUES ('delete', old.id, old.title, old.body); END;
        CREATE TRIGGER n3 AFTER UPDATE ON notes BEGIN
            INSERT INTO found (found, rowid, title, body) VALUES ('delete', old.id, old.title, old.body);
            INSERT INTO found (rowid, title, body) VALUES (new.id, new.title, new.body); END;
        """,
        "CREATE VIRTUAL TABLE found USING fts5(title, body); CREATE VIEW notes AS SELECT rowid AS id, title, body FROM found; "
            + "CREATE TRIGGER n1 INSTEAD OF INSERT ON notes BEGIN INSERT INTO found (rowid, title, body) VALUES (new.id, new.title, new.body); END; "
            + "CREATE TRIGGER n2 INSTEAD OF DELETE ON notes BEGIN DELETE FROM found WHERE rowid = old.id; END; "
            + "CREATE TRIGGER n3 INSTEAD OF UPDATE ON notes BEGIN UPDATE found SET title = new.title, body = new.body WHERE rowid = old.id; END;",
    ])
    func fullTextIndexesFindWhatTheyFoundBefore(script: String) throws {
        let file = TemporaryFile()
        let store = try Store(path: file.path)
        let other = try Store(path: file.path)
        try store.executeScript(script)
        try store.executeScript(
            "INSERT INTO notes (id, title, body) VALUES (1, 'milk', 'white'), (2, 'bread', 'brown'), (3, 'tea', 'green')"
        )
        let words = ["milk", "bread", "soup", "tea", "cake", "white"]
        let before = try found(store, words)
        try store.step("edit") {
            try store.execute("UPDATE notes SET title = 'soup' WHERE id = 1")
            try store.execute("DELETE FROM notes WHERE id = 2")
            try store.execute("INSERT INTO notes (id, title, body) VALUES (9, 'cake', 'white')")
        }
        let after = try found(store, words)
        try store.undo()
        #expect(try found(store, words) == before)
        try store.redo()
        #expect(try found(store, words) == after)
        // Another program adds another text.
        try other.executeScript("INSERT INTO notes (id, title, body) VALUES (5, 'jam', 'red')")
        try store.undo()
        #expect(try found(store, words + ["jam"]) == before + [[5]])
        try other.executeScript("UPDATE notes SET body = 'red' WHERE id = 1")
        #expect(message(of: .gone) { try store.redo() }.contains(" 1"))
    }

    @Test(arguments: [
        "rtree(id, low, high)", "fts4(title)", "fts5(title, columnsize=0)",
    ])
    func stepsThatWriteToOtherVirtualTablesSaySo(module: String) throws {
        let store = try makeStore("CREATE VIRTUAL TABLE v USING \(module); CREATE TABLE t (a)")
        let columns = module.hasPrefix("rtree") ? "(id, low, high) VALUES (1, 2, 3)" : "(title) VALUES ('a')"
        try store.step("write") { try store.execute("INSERT INTO v \(columns)") }
        #expect(try store.undoName == "write")
        #expect(
            message(of: .schema) { try store.undo() }.hasPrefix(
                "\"write\" can't be undone: it writes to the virtual table v"))
        #expect(try store.rows("SELECT count(*) FROM v") == [[1]])
    }

    @Test func indexesThatHaveNoTextsAreRefused() throws {
        let store = try makeStore("CREATE VIRTUAL TABLE v USING fts5(title, content='')")
        try store.step("write") { try store.execute("INSERT INTO v (rowid, title) VALUES (1, 'a')") }
        #expect(throws: StoreError.self) { try store.undo() }
        #expect(try store.rows("SELECT rowid FROM v('a')") == [[1]])
    }

    // MARK: Conflicts

    /// A file with notes, two stores of it, and a step of one: rows 1 (changed), 2 (deleted) and 4
    /// (inserted).
    private func conflicting() throws -> (file: TemporaryFile, store: Store, other: Store) {
        let file = TemporaryFile()
        let store = try Store(path: file.path)
        try store.executeScript(notes)
        try store.step("edit") {
            try store.execute("UPDATE notes SET title = 'uno' WHERE id = 1")
            try store.execute("DELETE FROM notes WHERE id = 2")
            try store.execute("INSERT INTO notes VALUES (4, 'four')")
        }
        return (file, store, try Store(path: file.path))
    }

    @Test(arguments: [
        ("UPDATE notes SET title = 'eins' WHERE id = 1", "notes 1"),
        ("DELETE FROM notes WHERE id = 1", "notes 1"),
        ("INSERT INTO notes VALUES (2, 'deux')", "notes 2"),
        ("INSERT INTO notes VALUES (2, 'two')", "notes 2"),
        ("DELETE FROM notes WHERE id <> 3", "notes 1, notes 4"),
        ("UPDATE notes SET title = title || '!'", "notes 1, notes 4"),
    ])
    func rowsThatChangedSinceAreNamedAndNothingIsUndone(sql: String, names: String) throws {
        let (file, store, other) = try conflicting()
        try other.execute(sql)
        let contents = try Self.contents(store)
        #expect(message(of: .gone) { try store.undo() } == "\"edit\" can't be undone: \(names) changed since")
        #expect(try Self.contents(store) == contents)
        #expect(try store.undoName == "edit")
        #expect(try store.redoName == nil)
        withExtendedLifetime(file) {}
    }

    @Test func writesOfOthersAreNeverUndone() throws {
        let (file, store, other) = try conflicting()
        try other.execute("UPDATE notes SET title = 'drei' WHERE id = 3")
        try other.execute("INSERT INTO notes VALUES (5, 'five')")
        try store.undo()
        #expect(
            try store.rows("SELECT * FROM notes") == [[1, "one"], [2, "two"], [3, "drei"], [5, "five"]])
        try store.redo()
        #expect(try store.rows("SELECT * FROM notes") == [[1, "uno"], [3, "drei"], [4, "four"], [5, "five"]])
        withExtendedLifetime(file) {}
    }

    @Test func rowsInTheWayAreConflicts() throws {
        let (file, store, other) = try conflicting()
        try other.execute("INSERT INTO notes VALUES (5, 'two')")
        #expect(
            message(of: .constraint) { try store.undo() }
                == "\"edit\" can't be undone: notes 2 can't exist again: UNIQUE constraint failed: notes.title")
        #expect(try store.rows("SELECT count(*) FROM notes") == [[4]])
        withExtendedLifetime(file) {}
    }

    @Test func noConstraintReplacesTheRowsOfOthers() throws {
        let store = try makeStore(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE ON CONFLICT REPLACE); INSERT INTO t VALUES (1, 'x')")
        try store.step("delete") { try store.execute("DELETE FROM t") }
        try store.execute("INSERT INTO t VALUES (2, 'x')")
        #expect(message(of: .constraint) { try store.undo() }.contains("t 1 can't exist again"))
        #expect(try store.rows("SELECT * FROM t") == [[2, "x"]])
    }

    /// Before: a row that a step has added, and another one that refers to a row as the parent's
    /// column compares. Expected: the step can't be undone exactly if it refers to the added row.
    @Test(arguments: [
        ("TEXT", "TEXT COLLATE NOCASE", "'A'", "'a'", "'A'", false),
        ("TEXT COLLATE NOCASE", "TEXT", "'A'", "'b'", "'B'", true),
        ("INTEGER", "", "1", "2", "'2'", true),
        ("INTEGER", "TEXT", "1", "2", "'02'", true),
        ("TEXT", "INTEGER", "'2'", "'02'", "2", false),
    ])
    func referencesCompareAsTheParent(
        parent: String, child: String, other: String, added: String, reference: String, isRefused: Bool
    ) throws {
        let store = try makeStore(
            """
            CREATE TABLE lists (id \(parent) PRIMARY KEY);
            CREATE TABLE tasks (id INTEGER PRIMARY KEY, list \(child) REFERENCES lists);
            INSERT INTO lists VALUES (\(other));
            """)
        try store.step("add") { try store.execute("INSERT INTO lists VALUES (\(added))") }
        try store.execute("INSERT INTO tasks (list) VALUES (\(reference))")
        if isRefused {
            #expect(message(of: .constraint) { try store.undo() }.contains("a row of tasks refers to lists"))
        } else {
            try store.undo()
            #expect(try store.rows("PRAGMA foreign_key_check").isEmpty)
        }
    }

    @Test func referencesOfOthersAreConflicts() throws {
        let script = """
            CREATE TABLE lists (id INTEGER PRIMARY KEY, title);
            CREATE TABLE tasks (id INTEGER PRIMARY KEY, list REFERENCES lists ON DELETE CASCADE);
            INSERT INTO lists VALUES (1, 'a');
            INSERT INTO tasks VALUES (1, 1);
            """
        let store = try makeStore(script)
        try store.step("add") { try store.execute("INSERT INTO lists VALUES (2, 'b')") }
        try store.execute("INSERT INTO tasks VALUES (2, 2)")
        #expect(
            message(of: .constraint) { try store.undo() } == "\"add\" can't be undone: a row of tasks refers to lists 2"
        )
        #expect(try store.rows("SELECT count(*) FROM tasks") == [[2]])
        try store.discardSteps()
        try store.step("delete") { try store.execute("DELETE FROM tasks WHERE id = 1") }
        try store.execute("DELETE FROM lists WHERE id = 1")
        #expect(
            message(of: .constraint) { try store.undo() }
                == "\"delete\" can't be undone: tasks 1 refers to a row of lists that does not exist any more")
        try store.execute("PRAGMA foreign_keys = OFF")
        try store.undo()
        #expect(try store.rows("SELECT * FROM tasks") == [[1, 1], [2, 2]])
    }

    @Test func temporaryTriggersThatWriteAreRefused() throws {
        let store = try makeStore(notes + "CREATE TEMP TABLE log (x)")
        try store.step("edit") { try store.execute("UPDATE notes SET title = 'uno' WHERE id = 1") }
        try store.execute("CREATE TEMP TRIGGER t AFTER INSERT ON main.notes BEGIN INSERT INTO log VALUES (1); END")
        #expect(message(of: .misuse) { try store.undo() }.contains("a trigger of the temporary database"))
        #expect(try store.rows("SELECT title FROM notes WHERE id = 1") == [["uno"]])
        try store.execute("DROP TRIGGER t")
        try store.undo()
        #expect(try store.rows("SELECT title FROM notes WHERE id = 1") == [["one"]])
    }

    @Test func settingsOfTheConnectionAreRestored() throws {
        let store = try makeStore(
            notes + "CREATE TRIGGER t AFTER INSERT ON notes BEGIN UPDATE notes SET title = 'x' WHERE id = 3; END")
        try store.step("edit") { try store.execute("DELETE FROM notes WHERE id = 1") }
        try store.undo()
        #expect(try store.rows("PRAGMA foreign_keys") == [[1]])
        try store.execute("INSERT INTO notes VALUES (9, 'nine')")
        #expect(try store.rows("SELECT title FROM notes WHERE id = 3") == [["x"]])
    }

    // MARK: Steps that can't be undone

    @Test func stepsAcrossAChangedSchemaAreRefused() throws {
        let store = try makeStore(notes)
        try store.step("edit") { try store.execute("DELETE FROM notes WHERE id = 1") }
        try store.execute("ALTER TABLE notes ADD COLUMN more")
        #expect(
            message(of: .schema) { try store.undo() }
                == "\"edit\" can't be undone: the schema of main has changed since")
        try store.step("alter") {
            try store.execute("UPDATE notes SET more = 1")
            try store.execute("ALTER TABLE notes DROP COLUMN more")
        }
        #expect(message(of: .schema) { try store.undo() } == "\"alter\" can't be undone: it changes the schema")
    }

    @Test func stepsBeforeVacuumAreRefused() throws {
        let store = try makeStore("CREATE TABLE t (a); INSERT INTO t (rowid, a) VALUES (5, 'x'), (9, 'y')")
        try store.step("edit") { try store.execute("DELETE FROM t WHERE a = 'x'") }
        try store.execute("VACUUM")
        #expect(message(of: .schema) { try store.undo() }.hasSuffix("the schema of main has changed since"))
    }

    @Test func columnsThatWereAddedToATemporaryTableAreAChangeOfItsSchema() throws {
        let store = try makeStore("CREATE TEMP TABLE t (a); INSERT INTO t VALUES (1)")
        try store.step("edit") { try store.execute("DELETE FROM t") }
        try store.execute("ALTER TABLE t ADD COLUMN b")
        #expect(message(of: .schema) { try store.undo() }.hasSuffix("the schema of temp has changed since"))
    }

    @Test func aStepAfterOneThatWasRolledBackIsRecorded() throws {
        let store = try makeStore(notes)
        try store.beginStep("first")
        try store.execute("DELETE FROM notes")
        try store.execute("ROLLBACK")
        try store.execute("BEGIN")
        #expect(message(of: .misuse) { try store.beginStep("second") }.contains("a transaction of its own"))
        try store.execute("COMMIT")
        try store.step("third") { try store.execute("DELETE FROM notes WHERE id = 1") }
        #expect(try store.undoName == "third")
    }

    @Test func stepsThatAreTooLargeSaySo() throws {
        let store = try makeStore(notes)
        try store.setUndoLimit(steps: 10, bytes: 10000)
        try store.step("small") { try store.execute("UPDATE notes SET title = 'a' WHERE id = 1") }
        try store.step("large") { try store.execute("UPDATE notes SET title = hex(zeroblob(10000)) WHERE id = 2") }
        #expect(try store.undoName == "large")
        #expect(
            message(of: .range) { try store.undo() }
                == "\"large\" can't be undone: it changes more rows than fit into 10000 bytes")
        try store.step("many") {
            try store.execute(
                "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n LIMIT 1000) INSERT INTO notes SELECT i, i FROM n"
            )
        }
        #expect(message(of: .range) { try store.undo() }.hasPrefix("\"many\" can't be undone: it changes more rows"))
        try store.discardSteps(2)
        try store.undo()
        #expect(try store.rows("SELECT title FROM notes WHERE id = 1") == [["one"]])
    }

    @Test func aStepThatAStatementCommitsSaysSo() throws {
        let store = try makeStore(notes)
        try store.beginStep("edit")
        try store.execute("DELETE FROM notes WHERE id = 1")
        try store.execute("COMMIT")
        try store.execute("DELETE FROM notes WHERE id = 2")
        #expect(try store.undoName == "edit")
        #expect(message(of: .misuse) { try store.undo() }.contains("a statement has committed it"))
        try store.transaction { try store.execute("DELETE FROM notes WHERE id = 3") }
        #expect(message(of: .misuse) { try store.undo() }.contains("a statement has committed it"))
    }

    // MARK: Steps

    @Test func stepsAreUndoneAndRedoneInOrder() throws {
        let store = try makeStore(notes)
        var states = [try Self.contents(store)]
        for number in 1...3 {
            try store.step("step \(number)") { try store.execute("UPDATE notes SET title = title || \(number)") }
            states.append(try Self.contents(store))
        }
        for number in [3, 2, 1] {
            #expect(try store.undoName == "step \(number)")
            try store.undo()
            #expect(try Self.contents(store) == states[number - 1])
            #expect(try store.redoName == "step \(number)")
        }
        #expect(message(of: .notFound) { try store.undo() } == "there is nothing to be undone")
        for number in 1...3 {
            try store.redo()
            #expect(try Self.contents(store) == states[number])
        }
        #expect(message(of: .notFound) { try store.redo() } == "there is nothing to be redone")
        try store.undo()
        try store.step("other") { try store.execute("DELETE FROM notes WHERE id = 1") }
        #expect(try store.redoName == nil)
        #expect(try store.undoName == "other")
    }

    @Test func oneUndoReversesStepsThatWereJoined() throws {
        let store = try makeStore(notes)
        for text in ["a", "ab", "abc"] {
            try store.step("Type", joinsLast: true) {
                try store.execute("UPDATE notes SET title = ? WHERE id = 1", [.text(text)])
            }
        }
        try store.step("Delete", joinsLast: true) { try store.execute("DELETE FROM notes WHERE id = 1") }
        try store.undo()
        #expect(try store.undoName == "Type")
        try store.undo()
        #expect(try store.rows("SELECT title FROM notes WHERE id = 1") == [["one"]])
        #expect(try store.undoName == nil)
        try store.redo()
        #expect(try store.rows("SELECT title FROM notes WHERE id = 1") == [["abc"]])
        // After an undo, a step of the same name is another one.
        try store.step("Type", joinsLast: true) { try store.execute("UPDATE notes SET title = 'x' WHERE id = 1") }
        try store.undo()
        try store.undo()
        #expect(try store.rows("SELECT title FROM notes WHERE id = 1") == [["one"]])
    }

    @Test func anotherWriteBetweenJoinedStepsIsAConflict() throws {
        let store = try makeStore(notes)
        try store.step("Type") { try store.execute("UPDATE notes SET title = 'a' WHERE id = 1") }
        try store.execute("UPDATE notes SET title = 'theirs' WHERE id = 1")
        try store.step("Type", joinsLast: true) { try store.execute("UPDATE notes SET title = 'b' WHERE id = 1") }
        #expect(message(of: .gone) { try store.undo() } == "\"Type\" can't be undone: notes 1 changed since")
        #expect(try store.rows("SELECT title FROM notes WHERE id = 1") == [["b"]])
    }

    @Test func stepsInsideAStepArePartOfIt() throws {
        let store = try makeStore(notes)
        try store.step("outer") {
            try store.execute("DELETE FROM notes WHERE id = 1")
            try store.step("inner") { try store.execute("DELETE FROM notes WHERE id = 2") }
            let stop = message(of: .error) {
                try store.step("failing") {
                    try store.execute("DELETE FROM notes WHERE id = 3")
                    throw StoreError(.error, "stop")
                }
            }
            #expect(stop == "stop")
            #expect(message(of: .misuse) { try store.undo() } == "nothing can be undone inside a transaction")
        }
        #expect(try store.rows("SELECT id FROM notes") == [[3]])
        try store.undo()
        #expect(try store.rows("SELECT count(*) FROM notes") == [[3]])
        #expect(try store.undoName == nil)
        try store.transaction {
            #expect(message(of: .misuse) { try store.beginStep("late") }.contains("a transaction of its own"))
        }
    }

    @Test func rolledBackStepsAndOtherTransactionsAreNotRecorded() throws {
        let store = try makeStore(notes)
        #expect(throws: StoreError.self) {
            try store.step("failing") {
                try store.execute("DELETE FROM notes")
                throw StoreError(.error, "stop")
            }
        }
        #expect(throws: StoreError.self) {
            try store.step("rolled back") { try store.execute("INSERT OR ROLLBACK INTO notes VALUES (1, 'x')") }
        }
        try store.transaction { try store.execute("DELETE FROM notes WHERE id = 2") }
        #expect(try store.undoName == nil)
        #expect(store.delivery.capture.recorder == nil)
    }

    @Test func aCommitThatFailsLeavesTheStepOpen() throws {
        let store = try makeStore(
            "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p REFERENCES p DEFERRABLE INITIALLY DEFERRED)")
        try store.beginStep("edit")
        try store.execute("INSERT INTO c VALUES (1)")
        #expect(throws: StoreError.self) { try store.commit() }
        #expect(try store.undoName == nil)
        try store.execute("INSERT INTO p VALUES (1)")
        try store.commit()
        #expect(try store.undoName == "edit")
        try store.undo()
        #expect(try Self.contents(store) == [])
    }

    @Test func theOldestStepsAreDiscarded() throws {
        let store = try makeStore(notes)
        try store.setUndoLimit(steps: 2, bytes: 1 << 20)
        for number in 1...3 {
            try store.step("\(number)") { try store.execute("UPDATE notes SET title = title || '.'") }
        }
        try store.undo()
        try store.undo()
        #expect(try store.undoName == nil)
        try store.redo()
        try store.setUndoLimit(steps: 0, bytes: 0)
        #expect(try store.undoName == nil)
        #expect(try store.redoName == nil)
        #expect(
            message(of: .range) { try store.setUndoLimit(steps: -1, bytes: 0) }
                == "the limits of undo can't be negative")
        #expect(message(of: .range) { try store.discardSteps(-1) } == "-1 steps can't be discarded")
    }

    // MARK: Lists

    @Test(arguments: [false, true]) func listsFollowUndoAndRedo(queued: Bool) throws {
        var options = StoreOptions()
        options.queuesDelivery = queued
        let store = try makeStore(notes, options)
        let list = try Watch(store, "notes", sort: ["title"])
        var names: [String?] = []
        let observation = list.controller.observe { [unowned store] _ in names.append(try? store.undoName) }
        try store.step("edit") {
            try store.execute("UPDATE notes SET title = 'z' WHERE id = 1")
            try store.execute("DELETE FROM notes WHERE id = 2")
        }
        try store.dispatch()
        #expect(try list.controller.values("id") == [[3, 1]])
        try store.undo()
        try store.dispatch()
        #expect(try list.controller.values("id") == [[1, 3, 2]])
        try store.redo()
        try store.dispatch()
        #expect(try list.controller.values("id") == [[3, 1]])
        #expect(names == ["edit", nil, "edit"])
        withExtendedLifetime(observation) {}
    }

    @Test func aRowThatIsRestoredIsUpdatedAndNotInsertedAgain() throws {
        let store = try makeStore(notes)
        let list = try Watch(store, "notes", sort: ["id"])
        _ = try list.controller.values("title")
        try store.step("edit") { try store.execute("UPDATE notes SET title = 'z' WHERE id = 1") }
        let done = list.take()
        try store.undo()
        #expect(list.take() == done)
    }

    @Test func historiesNoteWhatIsUndone() throws {
        let store = try makeStore(
            notes
                + "CREATE TABLE w (k PRIMARY KEY, n) WITHOUT ROWID; CREATE TABLE u (k TEXT PRIMARY KEY); INSERT INTO u VALUES ('x')"
        )
        for table in ["notes", "w", "u"] { try store.startHistory(of: table) }
        try store.step("edit") {
            try store.execute("UPDATE notes SET title = 'z' WHERE id = 1")
            try store.execute("INSERT INTO w VALUES ('a', 1)")
            try store.execute("UPDATE u SET k = 'y'")
        }
        let generation = try store.historyGeneration
        try store.undo()
        #expect(try store.touchedRows(of: "notes", since: generation) == [[1]])
        #expect(try store.touchedRows(of: "w", since: generation) == [["a"]])
        #expect(try store.touchedRows(of: "u", since: generation) == [["x"], ["y"]])
    }

    @Test func aStepInACallbackIsUndone() throws {
        let store = try makeStore(notes + "CREATE TABLE log (x)")
        let list = try Watch(store, "notes", sort: ["id"])
        var isFirst = true
        let observation = list.controller.observe { [unowned store] _ in
            guard isFirst else { return }
            isFirst = false
            try? store.step("inner") { try store.execute("INSERT INTO log VALUES (1)") }
        }
        try store.step("outer") { try store.execute("DELETE FROM notes WHERE id = 1") }
        #expect(try store.undoName == "inner")
        try store.undo()
        try store.undo()
        #expect(try store.rows("SELECT count(*) FROM log") == [[0]])
        #expect(try store.rows("SELECT count(*) FROM notes") == [[3]])
        withExtendedLifetime(observation) {}
    }

    @Test func aReadOnlyOrClosedStoreSaysSo() throws {
        let store = try makeStore(notes)
        try store.close()
        #expect(message(of: .closed) { try store.undo() } == "the store is closed")
        #expect(message(of: .closed) { _ = try store.undoName } == "the store is closed")
        #expect(message(of: .closed) { try store.step("x") {} } == "the store is closed")
    }
}

extension Store {
    fileprivate func rows(_ sql: String, _ parameters: [Value] = []) throws -> [[Value]] {
        try connection.rows(sql, parameters)
    }
}
