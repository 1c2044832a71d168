import ChangeSets
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// Databases that hold their texts in UTF-16 order them by the bytes of that.
@Suite struct UTF16Tests {
    static let encodings = ["UTF-8", "UTF-16le", "UTF-16be"]
    private static let texts = [
        "a", "b", "A", "ab", "a ", "", "\u{e9}", "\u{ff}", "\u{100}", "\u{141}", "\u{200}\u{1}", "\u{7ff}", "\u{d7ff}",
        "\u{e000}", "\u{e000}a", "\u{fffd}", "\u{10000}", "\u{1f600}", "\u{10ffff}",
    ]

    private func makeStore(_ encoding: String, hasFile: Bool, _ script: String) throws -> (Store, TemporaryFile?) {
        let file = hasFile ? TemporaryFile() : nil
        try file?.create(encoding: encoding)
        let store = try Store(path: file?.path ?? ":memory:")
        try store.executeScript("PRAGMA encoding = '\(encoding)'; \(script)")
        let statement = try store.connection.prepare("PRAGMA encoding")
        #expect(try statement.step() && statement.text(0) == encoding)
        for (index, text) in Self.texts.enumerated() {
            try store.execute(
                "INSERT INTO items VALUES (?, ?, ?)",
                [.text(text), .text("\(index % 3)\(text)"), .integer(Int64(index % 2))])
        }
        try store.dispatch()
        return (store, file)
    }

    private func select(_ store: Store, _ sql: String) throws -> [Value] {
        let statement = try store.connection.prepare(sql)
        var values: [Value] = []
        while try statement.step() { values.append(statement.rowValues(from: 0, count: 1).value(0)) }
        return values
    }

    @Test(arguments: encodings, [false, true])
    func listsAreInSQLitesOrder(encoding: String, hasFile: Bool) throws {
        for key in ["name TEXT PRIMARY KEY", "name TEXT PRIMARY KEY NOT NULL", "name TEXT COLLATE RTRIM"] {
            for index in ["", "CREATE INDEX by_title ON items(title); CREATE INDEX by_name ON items(name)"] {
                let (store, file) = try makeStore(
                    encoding, hasFile: hasFile, "CREATE TABLE items (\(key), title TEXT, part); \(index)")
                defer { try? store.close() }
                for column in ["name", "title"] {
                    let items = try Watch(store, "items", sort: [column]).controller
                    let descending = try FetchedResultsController(
                        store: store,
                        request: FetchRequest(
                            entity: "items", sorts: [Sort(column, isDescending: true)]))
                    try descending.performFetch()
                    for write in [
                        "UPDATE items SET title = title || '\u{1f600}'", "DELETE FROM items WHERE name = '\u{e000}'",
                    ] {
                        #expect(
                            try items.values(column) == [
                                select(store, "SELECT \(column) FROM items ORDER BY \(column), rowid")
                            ])
                        #expect(
                            try descending.values(column) == [
                                select(store, "SELECT \(column) FROM items ORDER BY \(column) DESC, rowid")
                            ])
                        try store.execute(write)
                        try store.execute(
                            "INSERT OR IGNORE INTO items VALUES ('\u{10000}\u{e000}', '\u{e000}\u{1f600}', 0)")
                    }
                }
                _ = file
            }
        }
    }

    @Test(arguments: encodings) func rowsAndSectionsAreFound(encoding: String) throws {
        let (store, _) = try makeStore(
            encoding, hasFile: false, "CREATE TABLE items (name TEXT PRIMARY KEY NOT NULL, title TEXT, part)")
        let items = try Watch(store, "items", section: "name").controller
        #expect(try items.sectionNames == select(store, "SELECT name FROM items ORDER BY name").map(\.text))
        for (index, name) in try items.sectionNames.enumerated() {
            #expect(try items.indexPath(ofIdentity: [.text(name ?? "")]) == ListIndexPath(section: index, row: 0))
        }
        try store.execute("UPDATE items SET name = name || 'x'")
        #expect(try items.sectionNames == select(store, "SELECT name FROM items ORDER BY name").map(\.text))
    }

    @Test(arguments: encodings) func itemsOfAMapFindTheirSections(encoding: String) throws {
        let (store, _) = try makeStore(
            encoding, hasFile: false,
            """
            CREATE TABLE groups (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO groups VALUES (1, '\u{1f600}'), (2, '\u{e000}'), (3, 'a');
            CREATE TABLE items (name TEXT PRIMARY KEY NOT NULL, title TEXT, part)
            """)
        let request = FetchRequest(entity: "items")
        let map = try SectionMap(
            store: store, items: request, sections: FetchRequest(entity: "groups"), itemKey: "name", sectionKey: "name")
        let keys = try SectionMap(
            store: store, items: request, sectionKeys: ["\u{1f600}", "\u{e000}", "a"], itemKey: "name")
        for list in [map, keys] {
            try list.performFetch()
            #expect(try list.values("name").prefix(3) == [["\u{1f600}"], ["\u{e000}"], ["a"]])
        }
        try store.execute("UPDATE items SET name = '\u{e000}zz' WHERE name = 'a'")
        #expect(try map.values("name").prefix(3) == [["\u{1f600}"], ["\u{e000}"], []])
    }

    /// Also texts that are no valid UTF-16: the unit after a surrogate is taken for its other half.
    @Test(arguments: encodings) func foreignCommitsAreFollowedRowByRow(encoding: String) throws {
        let file = TemporaryFile()
        try file.create(encoding: encoding)
        let store = try Store(path: file.path)
        try store.executeScript(
            """
            CREATE TABLE pairs (key TEXT PRIMARY KEY, title TEXT) WITHOUT ROWID;
            INSERT INTO pairs VALUES ('\u{1f600}', 'a'), ('b', CAST(x'D800DC00610000D8' AS TEXT)), ('c', '\u{10000}');
            """)
        let pairs = try Watch(store, "pairs")
        let before = try pairs.controller.values("key")
        let other = try Store(path: file.path)
        try other.execute("UPDATE pairs SET title = title || '!' WHERE key <> 'c'")
        try other.execute("DELETE FROM pairs WHERE key = 'c'")
        try store.dispatch()
        #expect(try pairs.controller.values("key")[0] == before[0].filter { $0 != "c" })
        #expect(pairs.take().count == 3)
        #expect(try store.foreignCounters.followed == 1)
        #expect(try store.foreignCounters.unknown.isEmpty)
    }
}
