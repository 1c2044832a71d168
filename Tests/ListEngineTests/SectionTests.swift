import ChangeSets
import SQLiteKit
import TestSupport
import Testing

@testable import ListEngine

@Suite struct Sections {
    private func makeItems() throws -> Database {
        try makeDatabase(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, kind TEXT COLLATE NOCASE, name TEXT);
            INSERT INTO items VALUES (1, 'Beta', 'x'), (2, 'alpha', 'y'), (3, 'beta', 'a'), (4, NULL, 'z');
            """)
    }

    @Test func aFlatListHasOneSectionAlsoWhenEmpty() throws {
        let database = try makeDatabase("CREATE TABLE items (id INTEGER PRIMARY KEY)")
        let items = try Watch(database, "items")
        #expect(try items.sectionCount == 1)
        let section = try items.section(at: 0)
        #expect(section.name == nil && section.indexTitle == nil && section.numberOfObjects == 0)
        #expect(try Watch(database, "items", section: "id").sectionCount == 0)
    }

    @Test func sectionsStandByTheirOwnKeyBeforeTheSort() throws {
        let database = try makeItems()
        let items = try Watch(database, "items", sort: ["name"], section: "kind")
        #expect(try items.sectionNames == [nil, "alpha", "beta"])
        #expect(try items.values("id") == [[4], [2], [3, 1]])
        var request = FetchRequest(
            entity: "items", sorts: [Sort("name")],
            section: Sort("kind", isDescending: true, nulls: .first))
        #expect(try Watch(database, request).values("id") == [[4], [3, 1], [2]])
        request.section = Sort("kind", collation: "BINARY")
        #expect(try Watch(database, request).sectionNames == [nil, "Beta", "alpha", "beta"])
    }

    @Test func aChangeOfSpellingIsNoRecord() throws {
        let database = try makeItems()
        let items = try Watch(database, "items", section: "kind", columns: ["name"])
        #expect(try items.sectionNames == [nil, "alpha", "Beta"])
        try database.execute("UPDATE items SET kind = 'BETA' WHERE id = 1")
        #expect(items.take() == [])
        #expect(try items.sectionNames == [nil, "alpha", "Beta"])
        try database.execute("DELETE FROM items WHERE kind = 'beta'")
        try database.execute("INSERT INTO items VALUES (9, 'bETA', 'n')")
        #expect(try items.sectionNames == [nil, "alpha", "bETA"])
    }

    @Test func sectionsAreInsertedAndRemovedWithTheirRows() throws {
        let database = try makeItems()
        let items = try Watch(database, "items", section: "kind")
        try database.execute("UPDATE items SET kind = 'gamma' WHERE id = 2")
        #expect(items.take() == ["section delete 1 alpha", "section insert 2 gamma", "move 2 from 1.0 to 2.0 kind"])
        try database.execute("UPDATE items SET kind = 'gamma'")
        #expect(
            items.take() == [
                "section delete 1 Beta", "section delete 0 -", "move 1 from 1.0 to 0.0 kind",
                "move 3 from 1.1 to 0.2 kind",
                "move 4 from 0.0 to 0.3 kind",
            ])
        #expect(try items.section(at: 0).numberOfObjects == 4)
    }

    @Test func aSectionWhoseRowsAreAllExchangedStays() throws {
        let database = try makeItems()
        let items = try Watch(database, "items", section: "kind")
        try database.transaction {
            try database.execute("DELETE FROM items WHERE kind = 'alpha'")
            try database.execute("INSERT INTO items VALUES (8, 'ALPHA', 'n')")
        }
        #expect(items.take() == ["delete 2 at 1.0", "insert 8 at 1.0"])
        #expect(try items.sectionNames == [nil, "alpha", "Beta"])
    }

    @Test func namesAreTheValuesAsSQLiteWritesThem() throws {
        let database = try makeDatabase("CREATE TABLE items (id INTEGER PRIMARY KEY, v)")
        let values: [Value] = [
            nil, -7, 0.5, 1.0, 2.5e15, 9007199254740992.0, 1e100, .real(.infinity), "text", .blob([0x61, 0x62]),
        ]
        for value in values { try database.execute("INSERT INTO items (v) VALUES (?)", [value]) }
        let names = try database.connection.rows("SELECT CAST(v AS TEXT) FROM items ORDER BY v").map { $0[0].text }
        let items = try Watch(database, "items", section: "v")
        #expect(try items.sectionNames == names)
        #expect(try (0..<values.count).map { try items.section(at: $0).value } == values)
    }
}
