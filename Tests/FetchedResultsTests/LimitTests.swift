import Foundation
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// Numbers in the sources at which another way begins, or a short cut ends. Lists are right on both
/// sides of each.
@Suite struct Limits {
    struct Limit: CustomTestStringConvertible {
        let file: String
        /// The line that has the number.
        let line: String
        let value: Int

        var testDescription: String { "\(file): \(line)" }
        /// On both sides; ten times the limit only where a debug build has the time for it. Lists
        /// of very many rows are on its near side in other tests.
        var counts: [Int] {
            (value < 100_000 ? [value] : []) + [value + 1] + (value <= Self.mostTenfold ? [value * 10] : [])
        }

        /// `make fuzz-lists` has more time.
        private static let mostTenfold = RandomTests.isLong ? 1_024 : 32
    }

    static func limit(_ value: Int, _ file: String, _ line: String) -> Limit {
        Limit(file: file, line: line, value: value)
    }

    static let ofParameters = [
        limit(1_024, "FetchedResults/Delivery/ValueIndex.swift", "private static let greatestCount = 1024"),
        // SQLite's own number of parameters.
        limit(32_765, "ListEngine/Request/RequestCompiler.swift", "(1...32_766).contains(request.batchSize)"),
    ]
    static let ofTouchedRows = [
        limit(8, "SQLiteKit/Capture/TouchedRows.swift", "static var unindexedLimit: Int { 8 }"),
        limit(8, "ListEngine/Rows/RowNumbers.swift", "private static let unindexedLimit = 8"),
        limit(31, "ListEngine/Rows/List.swift", "manyRows: Int = 32"),
        limit(256, "ListEngine/Engine/TouchedRowReading.swift", "private static var batchCount: Int { 256 }"),
        limit(1_000, "ListEngine/Request/CompiledRequest.swift", "request.isWindow ? 100 : 1000"),
        limit(1_000, "ListEngine/Engine/ListEngine.swift", "ContentCache(limit: 1000, byteLimit: 8 << 20)"),
        limit(10_000, "ListEngine/Contents/Readability.swift", "private static let limit = 10_000"),
    ]
    static let ofWindows = [
        limit(100, "ListEngine/Request/CompiledRequest.swift", "request.isWindow ? 100 : 1000")
    ]
    static let ofBytes = [
        limit(8, "OrderedTree/Keys/IDKey.swift", "static let count = 8"),
        limit(16, "SQLiteKit/Keys/SectionKey.swift", "guard bytes.count <= 16 else {"),
        limit(24, "OrderedTree/Keys/ShortBytes.swift", "private static let inlineCount = 24"),
        limit(144, "OrderedTree/Keys/Excerpts.swift", "private static let greatestSize = 144"),
        limit(256, "SQLiteKit/Keys/KeyEncoder.swift", "private static let usualCapacity = 256"),
        limit(256, "OrderedTree/Keys/KeyArena.swift", "private static let leastSize = 256"),
        limit(8_000, "OrderedTree/Keys/Mark.swift", "static let greatestDistance = 8_000"),
        limit(65_536, "OrderedTree/Keys/KeyArena.swift", "private static let greatestSize = 64 << 10"),
        limit(65_536, "SQLiteKit/Keys/KeySorter.swift", "private var capacity = 1 << 16"),
    ]
    static let ofLists = [
        limit(1, "FetchedResults/Delivery/ValueIndex.swift", "private static let usualLimit = 1"),
        limit(8, "FetchedResults/Delivery/ShowingLists.swift", "private static let most = 8"),
        limit(
            16, "FetchedResults/Delivery/IntervalIndex.swift",
            "private var greatestAddedCount: Int { 16 + Int(Double(sorted.count).squareRoot()) }"),
        limit(16, "FetchedResults/Delivery/SerialList.swift", "if entries.count > 16, count * 2 < entries.count"),
        limit(64, "ListEngine/Request/CompiledRequests.swift", "private var limit = 64"),
        limit(100, "FetchedResults/Store/Store.swift", "if statements.count >= 100 { statements = [:] }"),
    ]
    static let ofColumns = [
        limit(32, "ListEngine/Schema/Entity.swift", "columns.count > 32"),
        limit(64, "ChangeSets/ColumnSet.swift", "if column < 64 {"),
        limit(125, "SQLiteKit/Functions/SQLFunction.swift", "static let argumentCounts = -1...127"),
    ]
    static let ofBatches = [
        limit(64, "ListEngine/Request/RowReader.swift", "private static let searchLimit = 64"),
        limit(500, "ListEngine/Request/RowReader.swift", "500 / identityCount"),
    ]
    static let all =
        ofParameters + ofTouchedRows + ofWindows + ofBytes + ofLists + ofColumns + ofBatches

    /// Who changes a number changes it here.
    @Test(arguments: all + LimitsOfFiles.all) func theSourcesHaveTheNumber(_ limit: Limit) throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources")
        let text = try String(contentsOf: sources.appendingPathComponent(limit.file), encoding: .utf8)
        #expect(text.contains(limit.line))
    }

    private func makeItems(_ count: Int, _ suffix: String = "") throws -> Store {
        try makeStore(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY NOT NULL, a INTEGER, b TEXT, name TEXT)\(suffix);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            INSERT INTO items SELECT i, i, '' || i, 'n' || (i * 7 % \(count)) FROM n;
            """)
    }

    /// What a list must show is what a SELECT yields.
    func expect(
        _ watch: Watch, _ store: Store, _ condition: String, _ values: [Value] = [], order: String = "name",
        at location: SourceLocation = #_sourceLocation
    ) throws {
        try expect(watch.controller, store, condition, values, order: order, at: location)
    }

    func expect(
        _ list: FetchedResultsController, _ store: Store, _ condition: String, _ values: [Value] = [],
        order: String = "name", at location: SourceLocation = #_sourceLocation
    ) throws {
        let wanted = try store.connection.rows("SELECT id, name FROM items \(condition) ORDER BY \(order), id", values)
        let found = try zip(list.values("id").joined(), list.values("name").joined()).map {
            [$0, $1]
        }
        #expect(found == wanted, sourceLocation: location)
    }

    /// The forms in which a column is compared with `count` parameters. There are fewer if a
    /// statement takes long.
    private static func forms(_ count: Int) -> [(predicate: String, values: [Value])] {
        let marks = Array(repeating: "?", count: count).joined(separator: ", ")
        let numbers = (1...count).map { Value.integer(Int64($0)) }
        let side = (1...count).lazy.map { $0 * $0 }.first { $0 >= count }.map { Int(Double($0).squareRoot()) } ?? 1
        func part(_ column: String, _ count: Int) -> String {
            "\(column) IN (\(Array(repeating: "?", count: count).joined(separator: ", ")))"
        }
        let texts = (1...count).map { Value.text("\($0)") }
        if count > 2_000 { return [("a IN (\(marks))", numbers), ("b IN (\(marks))", texts)] }
        return [
            ("id IN (\(marks))", numbers), ("a IN (\(marks))", numbers), ("a NOT IN (\(marks))", numbers),
            ("b IN (\(marks))", texts), ("+a IN (\(marks))", numbers), ("a > 0 AND a IN (\(marks))", numbers),
            ("name > 'n' AND \(part("a", count))", numbers),
            // A product of about as many combinations.
            (
                "\(part("a", side)) AND \(part("b", side))",
                (1...side).map { .integer(Int64($0)) } + (1...side).map { .text("\($0)") }
            ),
        ]
    }

    /// Before: lists of each form, some opened with it, some given it by another request. Change:
    /// each row gets another value, and back; a list is given the form of another one. Expected:
    /// what a SELECT yields.
    @Test(arguments: ofParameters.flatMap(\.counts).filter { $0 <= 32_766 } + [1, 2])
    func ofTheParametersThatAColumnIsComparedWith(_ count: Int) throws {
        let store = try makeItems(4)
        let forms = Self.forms(count)
        let opened = try forms.map { try Watch(store, "items", where: $0.predicate, $0.values, sort: ["name"]) }
        let changed = try Watch(store, "items", where: "a = ?", [1], sort: ["name"])
        func expectAll() throws {
            for (watch, form) in zip(opened, forms) { try expect(watch, store, "WHERE \(form.predicate)", form.values) }
        }
        try expectAll()
        for statement in ["a = a + \(count)", "name = name || 'x'", "a = a - \(count)", "b = b || 'x'"] {
            try store.execute("UPDATE items SET \(statement)")
            try expectAll()
        }
        for form in forms {
            var request = changed.controller.request
            (request.predicate, request.parameters) = (form.predicate, .positional(form.values))
            try changed.controller.setRequest(request)
            try expect(changed, store, "WHERE \(form.predicate)", form.values)
            try store.execute("UPDATE items SET a = 5 - a, name = name || 'y'")
            try expect(changed, store, "WHERE \(form.predicate)", form.values)
        }
    }

    /// Before: a third more rows than change. Change: rows move, leave, enter and disappear.
    @Test(arguments: Set(ofTouchedRows.flatMap(\.counts)).sorted(), ["", " WITHOUT ROWID"])
    func ofTheRowsThatOneTransactionTouches(_ count: Int, suffix: String) throws {
        // The greatest limit is one of contents, which do not depend on the kind of the table.
        if count > 3_000, !suffix.isEmpty { return }
        let store = try makeItems(count * 4 / 3 + 2, suffix)
        let list = try Watch(store, "items", sort: ["name"], section: "b", nodes: .standard)
        let chosen = try Watch(store, "items", where: "a % 5 <> 0", sort: ["name"], nodes: .standard)
        let paused = try Watch(store, "items", sort: ["name"], nodes: .standard)
        let statements = [
            "UPDATE items SET name = 'm' || id, a = a + 1, b = b % 10 WHERE id <= \(count)",
            "DELETE FROM items WHERE id <= \(count)",
            "INSERT INTO items SELECT id + 100000, a, b, name FROM items ORDER BY id LIMIT \(count)",
            "UPDATE items SET name = name || 'x' WHERE id <= \(count)",
        ]
        // Many rows take long.
        for statement in statements.prefix(count > 3_000 ? 2 : 4) {
            try paused.controller.setPaused(true)
            try store.execute(statement)
            try paused.controller.resume()
            try expect(list, store, "", order: "b, name")
            try expect(chosen, store, "WHERE a % 5 <> 0")
            try expect(paused, store, "")
        }
    }

    /// Before: windows of all sizes near the limit. Change: as many rows move into and out of them.
    @Test(arguments: ofWindows.flatMap(\.counts)) func ofTheRowsOfAWindow(_ count: Int) throws {
        let store = try makeItems(count * 3)
        var windows: [(watch: Watch, limit: Int, offset: Int)] = []
        for (limit, offset) in [(count, 0), (count, count), (count - 1, 1), (count * 2, count / 2)] {
            var request = FetchRequest(entity: "items", sorts: [Sort("name")])
            (request.limit, request.offset) = (limit, offset)
            windows.append((try Watch(store, request), limit, offset))
        }
        for part in [1, count, count + 1, count * 2] {
            try store.execute("UPDATE items SET name = 'm' || id || name WHERE id <= \(part)")
            try store.execute("DELETE FROM items WHERE id % 5 = \(part % 5)")
            try store.execute("INSERT OR IGNORE INTO items SELECT id + 1, a, b, name || 'z' FROM items LIMIT \(part)")
            for window in windows {
                try expect(window.watch, store, "", order: "name, id LIMIT \(window.limit) OFFSET \(window.offset) --")
            }
        }
    }

    /// Before: rows whose sort and section keys begin with the same bytes. Change: others are
    /// inserted between them, keys get other ends, rows disappear.
    @Test(arguments: Set(ofBytes.flatMap(\.counts)).sorted() + [410_000])
    func ofTheBytesThatKeysBeginWith(_ count: Int) throws {
        let store = try makeStore("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, blob)")
        let start = String(repeating: "x", count: count)
        func insert(_ ends: [String]) throws {
            for end in ends {
                for name in [start + end, String(start.dropLast()) + end] {
                    try store.execute(
                        "INSERT INTO items (name, blob) VALUES (?, ?)", [.text(name), .blob(Array(name.utf8))])
                }
            }
        }
        try insert(["c", "a", "", "aa", "a"])
        let texts = try Watch(store, "items", sort: ["name"])
        let blobs = try Watch(store, "items", sort: ["blob"])
        let sections = try Watch(store, "items", section: "name")
        func expectAll() throws {
            for list in [texts, sections] { try expect(list, store, "") }
            try expect(blobs, store, "", order: "blob")
        }
        try expectAll()
        try insert(["b", "ab", "d"])
        try expectAll()
        try store.execute("UPDATE items SET name = name || 'e', blob = CAST(blob || 'e' AS BLOB) WHERE id % 3 = 0")
        try expectAll()
        try store.execute("DELETE FROM items WHERE id % 2 = 0")
        try expectAll()
        for list in [texts, blobs, sections] { try list.controller.performFetch() }
        try expectAll()
    }

    /// Before: as many lists with values of their own, and as many with a predicate of their own.
    /// Change: a row goes from one to the next; half of the lists end.
    @Test(arguments: Set(ofLists.flatMap(\.counts)).sorted()) func ofTheListsOfATable(_ count: Int) throws {
        let store = try makeItems(20)
        let numbers = Array(0..<count)
        var lists = try numbers.map { number in
            let value = Value.integer(Int64(number % 20))
            let (predicate, values): (String, [Value]) =
                switch number % 4 {
                case 0: ("a = ?", [value])
                case 1: ("a > ?", [value])
                case 2: ("a < \(number)", [])
                default: ("a IS NOT NULL", [])
                }
            let watch = try Watch(store, "items", where: predicate, values, sort: ["name"])
            return (watch: watch, condition: "WHERE \(predicate)", values: values)
        }
        for round in 0..<4 {
            try store.execute("UPDATE items SET a = (a + 1) % 20, name = name || \(round) WHERE id % 3 = \(round % 3)")
            for (watch, condition, values) in lists { try expect(watch, store, condition, values) }
            if round == 1 { lists.removeLast(lists.count / 2) }
        }
    }

    /// Before: a table of as many columns, a list of all, sorted by as many. Change: the first and
    /// the last column of some rows.
    @Test(arguments: Set(ofColumns.flatMap(\.counts)).sorted().map { min($0, 1_990) })
    func ofTheColumnsOfATable(_ count: Int) throws {
        let names = (0..<count).map { "c\($0)" }
        let store = try makeStore("CREATE TABLE items (id INTEGER PRIMARY KEY, name, \(names.joined(separator: ", ")))")
        for id: Int64 in 1...6 {
            try store.execute("INSERT INTO items (id, name) VALUES (?1, 'n' || (7 - ?1))", [.integer(id)])
        }
        let list = try Watch(store, "items", sort: Array(names.prefix(count)))
        let named = try Watch(store, "items", sort: ["name"], columns: ["id", "name"] + names)
        try store.execute("UPDATE items SET c0 = id % 2, \(names[count - 1]) = 7 - id, name = name || 'x'")
        try expect(list, store, "", order: names.count == 1 ? "c0" : "c0, \(names[count - 1])")
        try expect(named, store, "")
        #expect(try named.delivery().changeSet.objectChanges.allSatisfy { $0.changedColumns.columns?.count == 3 })
    }

    /// Before: a view and a SELECT whose rows are read together. Change: all of them get other
    /// names.
    @Test(arguments: Set(ofBatches.flatMap(\.counts)).sorted().flatMap { [($0, 1), ($0, 2)] })
    func ofTheRowsThatAreReadTogether(_ batchSize: Int, identityCount: Int) throws {
        let store = try makeItems(200)
        try store.execute("CREATE VIEW shown AS SELECT id, a, name FROM items WHERE a > 0")
        let identity = Array(["id", "a"].prefix(identityCount))
        var ofView = FetchRequest(entity: "shown", sorts: [Sort("name")])
        ofView.identity = identity
        var ofSelect = FetchRequest(select: "SELECT id, a, name FROM items ORDER BY name, id", identity: identity)
        (ofView.batchSize, ofSelect.batchSize) = (batchSize, batchSize)
        let lists = try [Watch(store, ofView), Watch(store, ofSelect)]
        for list in lists { try expect(list, store, "") }
        try store.execute("UPDATE items SET name = 'm' || name")
        for list in lists { try expect(list, store, "") }
    }
}
