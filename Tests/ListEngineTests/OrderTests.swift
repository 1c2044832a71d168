import ChangeSets
import SQLiteKit
import TestSupport
import Testing

@testable import ListEngine

@Suite struct Order {
    private func makeValues(_ values: [Value], declaration: String = "") throws -> Database {
        let database = try makeDatabase("CREATE TABLE items (id INTEGER PRIMARY KEY, v \(declaration))")
        for value in values { try database.execute("INSERT INTO items (v) VALUES (?)", [value]) }
        return database
    }

    private func sorted(_ database: Database, _ descriptor: Sort) throws -> [Value] {
        try Watch(database, FetchRequest(entity: "items", sorts: [descriptor])).values("v")[0]
    }

    /// Inserts the values one by one into an existing list.
    private func sortedOneByOne(_ values: [Value], _ descriptor: Sort, declaration: String = "") throws
        -> [Value]
    {
        let database = try makeValues([], declaration: declaration)
        try register(database)
        let items = try Watch(database, FetchRequest(entity: "items", sorts: [descriptor]))
        for value in values { try database.execute("INSERT INTO items (v) VALUES (?)", [value]) }
        return try items.values("v")[0]
    }

    private func register(_ database: Database) throws {
        try unsafe database.connection.addCollation("BY_LENGTH") { a, b in Int32(a.count - b.count) }
    }

    @Test func valuesStandAsSQLiteComparesThem() throws {
        let ascending: [Value] = [
            nil, .real(-.infinity), .integer(.min), -1.5, -1, 0, 0.5, 1, .integer(1 << 53), .integer(1 << 53 + 1),
            .integer(.max - 1), .integer(.max), .real(0x1p63), .real(.infinity), "", "\0", "A", "a", "a\0", "a\0b",
            "ab",
            "\u{e9}", "\u{1f600}",
            .blob([]), .blob([0]), .blob([0, 0]), .blob([1]), .blob([0xff]),
        ]
        for seed in 1..<4 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let shuffled = ascending.shuffled(using: &random)
            #expect(try sorted(makeValues(shuffled), Sort("v")) == ascending)
            #expect(try sortedOneByOne(shuffled, Sort("v")) == ascending)
            #expect(try sorted(makeValues(shuffled), Sort("v", isDescending: true)) == ascending.reversed())
            #expect(try sortedOneByOne(shuffled, Sort("v", isDescending: true)) == ascending.reversed())
        }
    }

    @Test func equalValuesStandByIdentity() throws {
        let database = try makeValues([1, 1.0, 1, "x", "x"])
        for isDescending in [false, true] {
            let items = try Watch(
                database, FetchRequest(entity: "items", sorts: [Sort("v", isDescending: isDescending)])
            )
            #expect(try items.values("id") == [isDescending ? [4, 5, 1, 2, 3] : [1, 2, 3, 4, 5]])
        }
    }

    /// Before: a list by rowid, with a criterion after it. Change: values of that, and inserted
    /// rows.
    /// Expected: it decides nothing, so no row moves.
    @Test func criteriaAfterTheRowidDecideNothing() throws {
        let database = try makeValues([3, 1, 2])
        let items = try Watch(database, FetchRequest(entity: "items", sorts: [Sort("id"), Sort("v")]))
        #expect(try items.values("v") == [[3, 1, 2]])
        try database.execute("UPDATE items SET v = 9 - v")
        #expect(try items.delivery().changeSet.objectChanges.map(\.type) == [.update, .update, .update])
        try database.execute("INSERT INTO items VALUES (-5, 4), (9, 0)")
        #expect(try items.values("id") == [[-5, 1, 2, 3, 9]])
        let reversed = try Watch(database, FetchRequest(entity: "items", sorts: [Sort("id", isDescending: true)]))
        try database.execute("INSERT INTO items VALUES (5, 5)")
        #expect(try reversed.values("id") == [[9, 5, 3, 2, 1, -5]])
    }

    @Test func extremeIdentitiesBreakTiesOfEmptyTexts() throws {
        let database = try makeValues([])
        let rows: [(Int64, Value)] = [(.max, ""), (1, "\0"), (.min, "\0"), (.min + 1, ""), (5, ""), (.max - 1, "\0")]
        for isDescending in [false, true] {
            try database.execute("DELETE FROM items")
            let descriptor = Sort("v", isDescending: isDescending)
            let items = try Watch(database, FetchRequest(entity: "items", sorts: [descriptor]))
            for (id, value) in rows { try database.execute("INSERT INTO items VALUES (?, ?)", [.integer(id), value]) }
            let (empty, nul): ([Value], [Value]) = (
                [.integer(.min + 1), 5, .integer(.max)], [.integer(.min), 1, .integer(.max - 1)]
            )
            #expect(try items.values("id") == [isDescending ? nul + empty : empty + nul])
            try items.fetch()
            #expect(try items.values("id") == [isDescending ? nul + empty : empty + nul])
        }
    }

    @Test func nullsSortWhereTheRequestSays() throws {
        let values: [Value] = [2, nil, 1]
        for (isDescending, nulls, expected) in [
            (false, nil, [nil, 1, 2]), (true, nil, [2, 1, nil]), (false, .first, [nil, 1, 2]),
            (false, .last, [1, 2, nil]),
            (true, .first, [nil, 2, 1]), (true, .last, [2, 1, nil]),
        ] as [(Bool, Sort.Nulls?, [Value])] {
            let descriptor = Sort("v", isDescending: isDescending, nulls: nulls)
            #expect(try sorted(makeValues(values), descriptor) == expected)
            #expect(try sortedOneByOne(values, descriptor) == expected)
        }
    }

    @Test func collationsAreTheColumnsOwnOrTheRequestedOne() throws {
        let values: [Value] = ["b", "A", "a ", "B", "a"]
        for (declaration, collation, expected) in [
            ("", nil, ["A", "B", "a", "a ", "b"]), ("COLLATE NOCASE", nil, ["A", "a", "a ", "b", "B"]),
            ("COLLATE NOCASE", "BINARY", ["A", "B", "a", "a ", "b"]), ("", "nocase", ["A", "a", "a ", "b", "B"]),
            ("COLLATE RTRIM", nil, ["A", "B", "a ", "a", "b"]), ("", "BY_LENGTH", ["b", "A", "B", "a", "a "]),
            ("", "C.utf8", ["A", "B", "a", "a ", "b"]),
        ] as [(String, String?, [Value])] {
            let descriptor = Sort("v", collation: collation)
            let database = try makeValues(values, declaration: declaration)
            try register(database)
            #expect(try sorted(database, descriptor) == expected, "\(declaration) \(collation ?? "")")
            #expect(
                try sortedOneByOne(values, descriptor, declaration: declaration) == expected,
                "\(declaration) \(collation ?? "")")
        }
    }

    @Test func keysOfTheProgramsCollationBreakTies() throws {
        let database = try makeDatabase("")
        try database.addFolded()
        try database.execute("CREATE TABLE items (k TEXT COLLATE FOLDED PRIMARY KEY NOT NULL, v)")
        for key in ["c", "B", "a"] { try database.execute("INSERT INTO items VALUES (?, 1)", [.text(key)]) }
        for sort in [[], ["v"]] {
            let items = try Watch(database, "items", sort: sort)
            #expect(try items.values("k") == [["a", "B", "c"]])
        }
    }

    @Test func rowsWithoutAnyKeyStandByRowid() throws {
        let database = try makeDatabase(
            "CREATE TABLE notes (text); INSERT INTO notes (rowid, text) VALUES (7, 'b'), (3, 'a')")
        let notes = try Watch(database, "notes")
        #expect(try notes.values("text") == [["a", "b"]])
        #expect(try notes.object(at: ListIndexPath(section: 0, row: 1)).identity == [7])
    }

    @Test func identitiesOfKeysThatHoldNullEndInTheRowid() throws {
        let database = try makeDatabase(
            """
            CREATE TABLE pairs (a TEXT, b, c, PRIMARY KEY (a, b));
            INSERT INTO pairs VALUES ('x', 1, 0), (NULL, 1, 0), (NULL, 1, 0), ('x', NULL, 0);
            """
        )
        let pairs = try Watch(database, "pairs", sort: ["c"])
        let identities = try (0..<4).map {
            try pairs.object(at: ListIndexPath(section: 0, row: $0)).identity
        }
        #expect(Set(identities) == [[nil, nil, 2], [nil, nil, 3], [nil, nil, 4], ["x", 1]])
        try database.execute("UPDATE pairs SET b = 2 WHERE rowid = 3")
        let row = identities.firstIndex(of: [nil, nil, 3]) ?? -1
        #expect(try pairs.delivery().changeSet.objectChanges.map(\.type) == [.update])
        #expect(try pairs.indexPath(ofIdentity: [nil, nil, 3])?.section == 0 && row >= 0)
        _ = pairs.take()
        try database.execute("UPDATE pairs SET a = 'y' WHERE rowid = 3")
        #expect(try pairs.delivery().changeSet.objectChanges.map(\.type) == [.delete, .insert])
        #expect(try pairs.indexPath(ofIdentity: [nil, nil, 3]) == nil)
        #expect(try pairs.indexPath(ofIdentity: ["y", 2]) != nil)
    }
}
