import ChangeSets
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// Lists whose requests differ only in their parameters' values.
@Suite struct ManyLists {
    private let store: Store

    init() throws {
        store = try Store(path: ":memory:")
        try store.executeScript(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, part, code TEXT COLLATE NOCASE, number INTEGER);
            CREATE INDEX by_part ON items (part, name);
            """)
        for id: Int64 in 0..<60 {
            try store.execute(
                "INSERT INTO items VALUES (?1, 'n' || ?1, ?1 % 20, char(97 + ?1 % 20), ?1 % 20)", [.integer(id)])
        }
    }

    private func list(_ predicate: String, _ values: Value..., columns: [String] = []) throws -> Watch {
        var request = FetchRequest(entity: "items", predicate: predicate, parameters: values, sorts: [Sort("name")])
        request.columns = columns
        return try Watch(store, request)
    }

    private func statements(_ watch: Watch) -> Int { watch.controller.counters.statementsRun }

    /// Before: 20 lists of three rows each. Change: one row gets another name. Expected: the list
    /// that contains it changes, the others run no statement.
    @Test func aRowConcernsTheListsOfItsValue() throws {
        let lists = try (0..<20).map { try list("part = ?1", .integer(Int64($0))) }
        let before = lists.map(statements)
        try store.execute("UPDATE items SET name = 'z' WHERE id = 27")
        #expect(!lists[7].take().isEmpty)
        for index in lists.indices where index != 7 { #expect(statements(lists[index]) == before[index]) }
        #expect(statements(lists[7]) > before[7])
        #expect(try lists[7].controller.values("name") == [["n47", "n7", "z"]])
    }

    /// A row that gets another value leaves one list and enters another.
    @Test func aRowConcernsTheListsOfItsOldAndItsNewValue() throws {
        let lists = try (0..<20).map { try list("part = ?", .integer(Int64($0))) }
        try store.execute("UPDATE items SET part = 3 WHERE id = 5")
        #expect(try lists[3].controller.values("name") == [["n23", "n3", "n43", "n5"]])
        #expect(try lists[5].controller.values("name") == [["n25", "n45"]])
        try store.execute("DELETE FROM items WHERE part = 3")
        #expect(try lists[3].controller.numberOfObjects == 0)
    }

    /// Before: 20 lists of two values each, so that each value is that of two lists. Change: in
    /// turn a row of each value gets another name. Expected: just those two lists change.
    @Test(arguments: ["part IN (?1, ?2) AND ?3 <> ?4", "part IN (?1, ?2) AND code IN (?3, ?4)"])
    func aRowConcernsTheListsOfEachOfTheirValues(_ predicate: String) throws {
        func code(_ part: Int) -> Value { .text(String(UnicodeScalar(UInt8(97 + part)))) }
        let parts = (0..<20).map { [$0, ($0 + 7) % 20] }
        let lists = try parts.map {
            try list(predicate, .integer(Int64($0[0])), .integer(Int64($0[1])), code($0[0]), code($0[1]))
        }
        for part in 0..<20 {
            let before = lists.map(statements)
            try store.execute("UPDATE items SET name = 'z' WHERE id = ?", [.integer(Int64(part + 20))])
            for index in lists.indices {
                #expect(lists[index].take().isEmpty != parts[index].contains(part))
                #expect((statements(lists[index]) == before[index]) != parts[index].contains(part))
            }
        }
    }

    /// Each list reads its own rows, whichever was read last, and takes other values.
    @Test func listsThatShareStatementsHaveTheirOwnValues() throws {
        let lists = try (0..<20).map { try list("part = ?1 AND id >= ?2", .integer(Int64($0)), .integer(20)) }
        for (part, list) in lists.enumerated() {
            #expect(try list.controller.values("name") == [["n\(part + 20)", "n\(part + 40)"].map(Value.text)])
        }
        try store.execute("UPDATE items SET part = (part + 1) % 20")
        for (part, list) in lists.enumerated() {
            let names = [(part + 19) % 20 + 20, (part + 19) % 20 + 40].map { Value.text("n\($0)") }
            #expect(try list.controller.values("name") == [names])
        }
        var request = lists[0].controller.request
        request.parameters = .positional([.integer(7), .integer(0)])
        try lists[0].controller.setRequest(request)
        #expect(try lists[0].controller.values("name") == [["n26", "n46", "n6"]])
        request.parameters = .positional([.integer(7)])
        expectFailure(.sql) { try lists[0].controller.setRequest(request) }
        try lists[1].controller.performFetch()
        #expect(try lists[1].controller.values("name") == [["n20", "n40"]])
    }

    /// Values that are equal in SQL, by the column's affinity and its collation, are found as
    /// equal.
    @Test func valuesAreComparedAsSQLiteDoes() throws {
        let lists = try [
            list("number = ?", .real(4)), list("number = ?", .text("4")), list("number = ?", .integer(4)),
            list("code = ?", .text("E")), list("code = ?", .blob([0x65])), list("part = ?", .text("4")),
            list("part = ?", .null), list("part IS ?", .null), list("code = ? COLLATE BINARY", .text("E")),
            list("part = ? OR id = 4", .integer(99)), list("id BETWEEN 4 AND part = ?", .integer(0)),
            list("part = ? AND (SELECT count(*) FROM items) > 3", .integer(4)),
            list("code IN (?, ?) AND number > ?", .text("E"), .null, .real(3.5)),
            list("number BETWEEN ? AND ?", .text("4"), .integer(5)),
            list("code >= ? AND code < ?", .text("E"), .text("f")), list("part > ?", .text("3")),
            list("part < ? OR code = ?", .integer(1), .text("e")),
            list("NOT part = ? AND code = ?", .integer(5), .text("e")),
            list("number >= ? AND number <= ?", .null, .null), list("part IN (?, ?)", .null, .null),
            list("code > ? COLLATE BINARY AND code IN (?)", .text("E"), .text("E")),
            list("(code, part) = (?, ?)", .text("e"), .integer(4)),
            list("part BETWEEN ? AND ? = ?", .integer(0), .null, .null),
        ]
        let selects = [
            "number = 4.0", "number = '4'", "number = 4", "code = 'E'", "code = x'65'", "part = '4'", "part = NULL",
            "part IS NULL", "code = 'E' COLLATE BINARY", "part = 99 OR id = 4", "id BETWEEN 4 AND part = 0",
            "part = 4 AND (SELECT count(*) FROM items) > 3", "code IN ('E', NULL) AND number > 3.5",
            "number BETWEEN '4' AND 5", "code >= 'E' AND code < 'f'", "part > '3'", "part < 1 OR code = 'e'",
            "NOT part = 5 AND code = 'e'", "number >= NULL AND number <= NULL", "part IN (NULL, NULL)",
            "code > 'E' COLLATE BINARY AND code IN ('E')", "(code, part) = ('e', 4)", "part BETWEEN 0 AND NULL = NULL",
        ]
        for statement in [
            "UPDATE items SET name = name || '!'", "UPDATE items SET number = 5, part = '4' WHERE id = 4",
            "UPDATE items SET number = 4, part = NULL, code = 'E' WHERE id = 9",
            "UPDATE items SET code = x'65' WHERE id = 24", "INSERT INTO items VALUES (99, 'x', 4.0, 'e', '4')",
            "DELETE FROM items WHERE id IN (4, 44, 99)",
        ] {
            try store.execute(statement)
            for (list, select) in zip(lists, selects) {
                let expected = try store.connection.rows("SELECT name FROM items WHERE \(select) ORDER BY name, id")
                #expect(try list.controller.values("name") == [expected.map { $0[0] }], "\(select) after \(statement)")
            }
        }
    }

    /// Before: ranges that begin at one value, of which every third includes it. Change: the row
    /// with that value. Expected: just those lists change.
    @Test func rangesThatBeginAtOneValueAreDistinguished() throws {
        let lists = try (0..<60).map { number in
            try Watch(
                store,
                FetchRequest(
                    entity: "items", predicate: number % 3 == 2 ? "id >= ?" : "id > ?", parameters: [.integer(30)]))
        }
        try store.execute("UPDATE items SET name = 'z' WHERE id = 30")
        for (number, list) in lists.enumerated() { #expect(list.take().isEmpty == (number % 3 != 2)) }
    }

    /// Before: lists of each form of predicate that requires values or ranges of columns. Change:
    /// each row in turn. Expected: the lists whose predicates the row satisfies, before or after,
    /// change, and no other one runs a statement.
    @Test(arguments: [
        ("part = ? AND code = ?", 2), ("code = ?2 AND number > -1 AND ?1 = part", 2), ("part IN (?)", 1),
        ("part IN (?1, ?1 )", 1), ("part >= ? AND part < ?3 AND ?2 = ?2", 3), ("(part BETWEEN ?1 AND ?1)", 1),
        ("? <= part AND (code IS ? AND part <= ?1)", 2), ("part IS ?", 1),
        ("part = ?1 AND name IN ('x', 'z') AND id BETWEEN ?4 AND ?5", 5),
    ])
    func aRowConcernsTheListsWhosePredicateItSatisfies(_ predicate: String, _ count: Int) throws {
        let last: Int64 = 18
        let lists = try (0...last).map { part in
            let code = Value.text(String(UnicodeScalar(UInt8(65 + part))))
            let values: [Value] = [.integer(part), code, .integer(part + 1), .integer(part), .integer(part + 40)]
            return try Watch(
                store,
                FetchRequest(
                    entity: "items", predicate: predicate, parameters: Array(values.prefix(count)),
                    sorts: [Sort("name")]
                ))
        }
        for part in 0...last {
            let before = lists.map(statements)
            try store.execute("UPDATE items SET name = 'z' WHERE id = ?1 + 20", [.integer(part)])
            #expect(!lists[Int(part)].take().isEmpty)
            for index in lists.indices where index != part { #expect(statements(lists[index]) == before[index]) }
        }
        let before = lists.map(statements)
        try store.execute("UPDATE items SET part = 3, code = 'd' WHERE id = 25")
        #expect(!lists[3].take().isEmpty && !lists[5].take().isEmpty)
        for index in lists.indices where index != 3 && index != 5 { #expect(statements(lists[index]) == before[index]) }
    }

    /// Ranges of all forms that contain a value are found, also after others were added and closed.
    @Test func rangesThatContainAValueAreFound() throws {
        var random = SeededRandom(seed: 7)
        var lists: [(watch: Watch, contains: (Int64) -> Bool)] = []
        for round in 0..<40 {
            for _ in 0..<8 {
                let (low, high) = (Int64(random.below(60)), Int64(random.below(60)))
                let predicate: String
                let contains: (Int64) -> Bool
                switch random.below(5) {
                case 0: (predicate, contains) = ("id > ?1 AND ?2 = ?2", { $0 > low })
                case 1: (predicate, contains) = ("? >= id AND ? IS NOT NULL", { low >= $0 })
                case 2: (predicate, contains) = ("id BETWEEN ? AND ?", { $0 >= low && $0 <= high })
                case 3: (predicate, contains) = ("id >= ?1 AND id < ?2 AND id > ?1", { $0 > low && $0 < high })
                default: (predicate, contains) = ("id < ?1 AND id <= ?1 AND ?2 = ?2", { $0 < low })
                }
                let values: [Value] = [random.chance(50) ? .integer(low) : .real(Double(low)), .integer(high)]
                let request = FetchRequest(entity: "items", predicate: predicate, parameters: values)
                lists.append((try Watch(store, request), contains))
            }
            for _ in 0..<3 { lists.remove(at: random.below(lists.count)) }
            let id = Int64(random.below(60))
            let before = lists.map { statements($0.watch) }
            try store.execute("UPDATE items SET number = number + 100 WHERE id = ?", [.integer(id)])
            for (list, before) in zip(lists, before) {
                #expect(list.contains(id) == (statements(list.watch) > before), "round \(round)")
            }
        }
    }

    /// A change of the schema compiles the requests again.
    @Test func listsThatShareStatementsFollowTheSchema() throws {
        let lists = try (0..<3).map { try list("part = ?1", .integer(Int64($0)), columns: ["name"]) }
        try store.executeScript(
            "ALTER TABLE items ADD COLUMN more DEFAULT 'm'; UPDATE items SET name = 'k' WHERE id = 1")
        #expect(try lists[1].controller.values("name") == [["k", "n21", "n41"]])
        let more = try list("part = ?1", .integer(1), columns: ["more"])
        #expect(try more.controller.values("more") == [["m", "m", "m"]])
    }
}
