import SQLiteKit
import TestSupport
import Testing

@testable import ListEngine

/// Key paths through many foreign keys, and through foreign keys of several columns.
@Suite struct KeyPaths {
    /// Tables t0, t1 … whose rows refer to the next table, with two rows each.
    private func makeChain(_ length: Int, _ options: String = "") throws -> Database {
        let database = try makeDatabase("")
        try database.execute("PRAGMA foreign_keys = OFF")
        for number in (0...length).reversed() {
            let up = number == length ? "up" : "up REFERENCES t\(number + 1)(id)"
            try database.execute("CREATE TABLE t\(number) (id INTEGER PRIMARY KEY NOT NULL, name, \(up)) \(options)")
            try database.execute("INSERT INTO t\(number) VALUES (1, 'a\(number)', 1), (2, 'b\(number)', 2)")
        }
        return database
    }

    private func path(_ length: Int) -> String {
        (Array(repeating: "up", count: length) + ["name"]).joined(separator: ".")
    }

    /// Before: lists that show, sort by, have sections of, and compare a value at the end of a
    /// path.
    /// Change: each table on the way, from the far end. Expected: records with the old values.
    @Test(arguments: [1, 2, 12, 13, 63, 64], ["", "WITHOUT ROWID"]) func anyDepthWorks(_ length: Int, options: String)
        throws
    {
        let database = try makeChain(length, options)
        let path = path(length)
        let shown = try Watch(database, "t0", columns: ["id", path])
        let sorted = try Watch(database, "t0", sort: [path])
        let sections = try Watch(database, "t0", section: path)
        let chosen = try Watch(database, "t0", where: "((\(path) = 'a\(length)'))")
        #expect(try shown.values(path) == [[.text("a\(length)"), .text("b\(length)")]])
        try database.execute("UPDATE t\(length) SET name = 'c' WHERE id = 1")
        #expect(shown.take() == ["update 1 from 0.0 to 0.0 \(path)"])
        #expect(try sorted.values("id") == [[2, 1]])
        #expect(try sections.sectionNames == ["b\(length)", "c"])
        #expect(try chosen.count == 0)
        for number in (0..<length).reversed() {
            try database.execute("UPDATE t\(number) SET up = 3 - up")
            #expect(shown.take() == ["update 1 from 0.0 to 0.0 \(path)", "update 2 from 0.1 to 0.1 \(path)"])
            let isTurned = (length - number) % 2 == 1
            #expect(try sorted.values("id") == [isTurned ? [1, 2] : [2, 1]])
            #expect(try sections.values("id") == [isTurned ? [1] : [2], isTurned ? [2] : [1]])
        }
        try database.execute("DELETE FROM t\(length)")
        #expect(try shown.values(path) == [[.null, .null]])
        #expect(try sections.sectionNames == [nil])
    }

    /// One foreign key more than the limit is refused, as is any number of them.
    @Test(arguments: [65, 640, 100_000]) func moreThanTheLimitIsRefused(_ length: Int) throws {
        let database = try makeDatabase("")
        try database.execute("CREATE TABLE t0 (id INTEGER PRIMARY KEY, name, up REFERENCES t0(id))")
        let path = path(length)
        for request in [
            FetchRequest(entity: "t0", sorts: [Sort(path)]), FetchRequest(entity: "t0", section: Sort(path)),
            FetchRequest(entity: "t0", predicate: "\(path) = 1"),
        ] {
            expectFailure(.range, naming: "64 foreign keys") {
                _ = try Watch(database, request)
            }
        }
    }

    private func makePairs() throws -> Database {
        try makeDatabase(
            """
            PRAGMA foreign_keys = OFF;
            CREATE TABLE areas (authority TEXT, code, name, PRIMARY KEY (authority, code));
            CREATE TABLE systems (
                id INTEGER PRIMARY KEY, name, owner TEXT, area_authority TEXT, area_code,
                base_authority TEXT, base_code,
                FOREIGN KEY (area_authority, area_code) REFERENCES areas (authority, code),
                FOREIGN KEY (base_authority, base_code) REFERENCES areas,
                FOREIGN KEY (owner, area_code) REFERENCES areas (authority, code));
            CREATE TABLE uses (id INTEGER PRIMARY KEY, system REFERENCES systems(id));
            INSERT INTO areas VALUES ('E', 1, 'e1'), ('E', 2, 'e2'), ('F', 1, 'f1'), ('F', 2, 'f2');
            INSERT INTO systems VALUES (1, 's1', 'E', 'E', 1, 'F', 2), (2, 's2', 'E', 'F', 1, 'E', NULL);
            INSERT INTO uses VALUES (1, 1), (2, 2), (3, NULL);
            """)
    }

    /// Before: lists that show, sort by, have sections of and compare values of rows to which two
    /// columns refer. Change: the parents' values and keys, and the keys that refer to them.
    @Test func foreignKeysOfTwoColumnsWork() throws {
        let database = try makePairs()
        let shown = try Watch(database, "systems", columns: ["id", "area_authority.name", "base_code.name"])
        let sorted = try Watch(database, "systems", sort: ["area_authority.name"])
        let chosen = try Watch(database, "uses", where: "system.base_authority.name = ?", ["f2"])
        let far = try Watch(
            database, "uses", section: "system.area_authority.name", columns: ["id", "system.base_code.name"])
        let lists = [shown, sorted, chosen, far]
        #expect(try shown.values("area_authority.name") == [["e1", "f1"]])
        #expect(try shown.values("base_code.name") == [["f2", .null]])
        #expect(try sorted.values("id") == [[1, 2]])
        #expect(try chosen.values("id") == [[1]])
        #expect(try far.sectionNames == [nil, "e1", "f1"])

        try database.execute("UPDATE areas SET name = 'z' WHERE authority = 'E' AND code = 1")
        #expect(try shown.delivery().oldValues == [[1, "e1", "f2"]])
        #expect(shown.take() == ["update 1 from 0.0 to 0.0 area_authority.name"])
        #expect(try sorted.values("id") == [[2, 1]])
        #expect(try far.sectionNames == [nil, "f1", "z"])

        // Only one of the two columns.
        try database.execute("UPDATE systems SET base_code = 2 WHERE id = 2")
        #expect(shown.take() == ["update 2 from 0.1 to 0.1 base_code.name"])
        #expect(try shown.values("base_code.name") == [["f2", "e2"]])
        try database.execute("UPDATE systems SET base_authority = 'F'")
        #expect(try chosen.values("id") == [[1, 2]])
        try database.execute("UPDATE areas SET code = 3 WHERE authority = 'F' AND code = 2")
        #expect(try chosen.values("id") == [[]])
        #expect(try far.values("system.base_code.name").joined().allSatisfy { $0 == .null })
        try database.execute("UPDATE systems SET base_code = 3 WHERE id = 1")
        #expect(try chosen.values("id") == [[1]])
        try database.execute("DELETE FROM areas WHERE authority = 'F'")
        #expect(try chosen.values("id") == [[]])
        for list in lists {
            let again = try Watch(database, list.request)
            #expect(try again.values("id") == list.values("id"))
        }
    }

    /// A column of several foreign keys does not say which is meant.
    @Test func aColumnOfSeveralForeignKeysIsRefused() throws {
        let database = try makePairs()
        for request in [
            FetchRequest(entity: "systems", sorts: [Sort("area_code.name")]),
            FetchRequest(entity: "systems", predicate: "area_code.name = 1"),
        ] {
            expectFailure(.schema, naming: "several foreign keys on area_code") {
                _ = try Watch(database, request)
            }
        }
    }

    /// The name of a table in place of the foreign key to it, at each depth.
    @Test func aTableInPlaceOfItsForeignKeyIsAnsweredWithThePath() throws {
        let database = try makeDatabase(
            """
            CREATE TABLE boards (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE lists (id INTEGER PRIMARY KEY, board_id REFERENCES boards);
            CREATE TABLE items (id INTEGER PRIMARY KEY, list_id REFERENCES lists);
            """)
        for (path, written) in [
            ("lists.id", "go through the foreign key: list_id.id"),
            ("lists.board_id.name", "go through the foreign key: list_id.board_id.name"),
            ("list_id.boards.name", "go through the foreign key: list_id.board_id.name"),
        ] {
            expectFailure(.schema, naming: written) { _ = try Watch(database, "items", sort: [path]) }
        }
    }
}

/// Tables that declare no key: the rowid identifies a row, and can be named.
@Suite struct Rowids {
    private func makeNotes() throws -> Database {
        try makeDatabase(
            """
            CREATE TABLE notes (text, "oid" TEXT);
            INSERT INTO notes VALUES ('a', 'x'), ('b', 'y'), ('c', 'z');
            """)
    }

    /// Before: a list, newest first, that shows the rowid. Change: rows are inserted, updated,
    /// deleted, and get other rowids.
    @Test(arguments: ["rowid", "_rowid_", "ROWID"]) func theyAreShownAndSorted(name: String) throws {
        let database = try makeNotes()
        var request = FetchRequest(entity: "notes", sorts: [Sort(name, isDescending: true)])
        request.columns = [name, "text"]
        let newest = try Watch(database, request)
        let ascending = try Watch(database, "notes", sort: [name, "text"], columns: ["text", name])
        let second = try Watch(database, "notes", sort: ["text", name])
        let sections = try Watch(database, "notes", section: name)
        #expect(try newest.values(name) == [[3, 2, 1]])
        #expect(try newest.values("text") == [["c", "b", "a"]])
        #expect(try sections.sectionNames == ["1", "2", "3"])
        try database.execute("INSERT INTO notes VALUES ('d', 'u')")
        #expect(newest.take() == ["insert 4 at 0.0"])
        #expect(sections.take().contains("section insert 3 4"))
        try database.execute("UPDATE notes SET text = 'A' WHERE rowid = 1")
        #expect(try newest.delivery().oldValues == [[1, "a"]])
        #expect(newest.take() == ["update 1 from 0.3 to 0.3 text"])
        #expect(ascending.take().last == "update 1 from 0.0 to 0.0 text")
        try database.execute("UPDATE notes SET rowid = 9 WHERE rowid = 2")
        #expect(try newest.values(name) == [[9, 4, 3, 1]])
        #expect(try ascending.values(name) == [[1, 3, 4, 9]])
        #expect(try second.values("text") == [["A", "b", "c", "d"]])
        #expect(try sections.sectionNames == ["1", "3", "4", "9"])
        try database.execute("DELETE FROM notes WHERE rowid = 4")
        #expect(try newest.values(name) == [[9, 3, 1]])
        try database.execute("UPDATE notes SET text = text || 'x'")
        let numbers = (1...12).map { "(\($0))" }.joined(separator: ", ")
        try database.execute("INSERT INTO notes SELECT text, 'n' FROM notes, (VALUES \(numbers))")
        #expect(try newest.values(name) == [((9...45).reversed() + [3, 1]).map(Value.integer)])
        #expect(try second.count == 39)
    }

    /// A window and a pause follow as well.
    @Test func windowsOfTheNewestFollow() throws {
        let database = try makeNotes()
        var request = FetchRequest(entity: "notes", sorts: [Sort("rowid", isDescending: true)])
        request.limit = 2
        let window = try Watch(database, request)
        try database.execute("INSERT INTO notes VALUES ('d', 'u')")
        #expect(try window.values("text") == [["d", "c"]])
        try database.execute("DELETE FROM notes WHERE rowid = 3")
        #expect(try window.values("text") == [["d", "b"]])
    }

    /// A column hides the name; a rowid that identifies no row is refused.
    @Test func otherNamesAreRefused() throws {
        let database = try makeNotes()
        try database.execute("CREATE TABLE keyed (id TEXT PRIMARY KEY)")
        try database.execute("CREATE TABLE bare (id TEXT PRIMARY KEY) WITHOUT ROWID")
        #expect(try Watch(database, "notes", sort: ["oid"]).values("oid") == [["x", "y", "z"]])
        for entity in ["keyed", "bare"] {
            expectFailure(.schema, naming: "rowid") { _ = try Watch(database, entity, sort: ["rowid"]) }
        }
    }
}
