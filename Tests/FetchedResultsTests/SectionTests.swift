import ChangeSets
import FetchedResults
import SQLiteKit
import TestSupport
import Testing

@Suite struct Sections {
    private func makeItems() throws -> Store {
        try makeStore(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, kind TEXT COLLATE NOCASE, name TEXT);
            INSERT INTO items VALUES (1, 'Beta', 'x'), (2, 'alpha', 'y'), (3, 'beta', 'a'), (4, NULL, 'z');
            """)
    }

    @Test func aFlatListHasOneSectionAlsoWhenEmpty() throws {
        let store = try makeStore("CREATE TABLE items (id INTEGER PRIMARY KEY)")
        let items = try Watch(store, "items").controller
        #expect(try items.numberOfSections == 1)
        let section = try items.section(at: 0)
        #expect(section.name == nil && section.indexTitle == nil && section.numberOfObjects == 0)
        #expect(try items.sectionIndexTitles == [])
        #expect(try Watch(store, "items", section: "id").controller.numberOfSections == 0)
    }

    @Test func sectionsStandByTheirOwnKeyBeforeTheSort() throws {
        let store = try makeItems()
        let items = try Watch(store, "items", sort: ["name"], section: "kind").controller
        #expect(try items.sectionNames == [nil, "alpha", "beta"])
        #expect(try items.values("id") == [[4], [2], [3, 1]])
        var request = FetchRequest(
            entity: "items", sorts: [Sort("name")],
            section: Sort("kind", isDescending: true, nulls: .first))
        #expect(try Watch(store, request).controller.values("id") == [[4], [3, 1], [2]])
        request.section = Sort("kind", collation: "BINARY")
        #expect(try Watch(store, request).controller.sectionNames == [nil, "Beta", "alpha", "beta"])
    }

    @Test func aChangeOfSpellingIsNoRecord() throws {
        let store = try makeItems()
        let items = try Watch(store, "items", section: "kind", columns: ["name"])
        #expect(try items.controller.sectionNames == [nil, "alpha", "Beta"])
        try store.execute("UPDATE items SET kind = 'BETA' WHERE id = 1")
        #expect(items.recorder.events == [])
        #expect(try items.controller.sectionNames == [nil, "alpha", "Beta"])
        try store.execute("DELETE FROM items WHERE kind = 'beta'")
        try store.execute("INSERT INTO items VALUES (9, 'bETA', 'n')")
        #expect(try items.controller.sectionNames == [nil, "alpha", "bETA"])
    }

    @Test func sectionsAreInsertedAndRemovedWithTheirRows() throws {
        let store = try makeItems()
        let items = try Watch(store, "items", section: "kind")
        try store.execute("UPDATE items SET kind = 'gamma' WHERE id = 2")
        #expect(items.take() == ["section delete 1 alpha", "section insert 2 gamma", "move 2 from 1.0 to 2.0 kind"])
        try store.execute("UPDATE items SET kind = 'gamma'")
        #expect(
            items.take() == [
                "section delete 1 Beta", "section delete 0 -", "move 1 from 1.0 to 0.0 kind",
                "move 3 from 1.1 to 0.2 kind",
                "move 4 from 0.0 to 0.3 kind",
            ])
        #expect(try items.controller.section(at: 0).numberOfObjects == 4)
    }

    @Test func aSectionWhoseRowsAreAllExchangedStays() throws {
        let store = try makeItems()
        let items = try Watch(store, "items", section: "kind")
        try store.transaction {
            try store.execute("DELETE FROM items WHERE kind = 'alpha'")
            try store.execute("INSERT INTO items VALUES (8, 'ALPHA', 'n')")
        }
        #expect(items.take() == ["delete 2 at 1.0", "insert 8 at 1.0"])
        #expect(try items.controller.sectionNames == [nil, "alpha", "Beta"])
    }

    @Test func namesAreTheValuesAsSQLiteWritesThem() throws {
        let store = try makeStore("CREATE TABLE items (id INTEGER PRIMARY KEY, v)")
        let values: [Value] = [
            nil, -7, 0.5, 1.0, 2.5e15, 9007199254740992.0, 1e100, .real(.infinity), "text", .blob([0x61, 0x62]),
        ]
        for value in values { try store.execute("INSERT INTO items (v) VALUES (?)", [value]) }
        var names: [String?] = []
        try store.query("SELECT CAST(v AS TEXT) FROM items ORDER BY v") { names.append($0[0].text) }
        let items = try Watch(store, "items", section: "v").controller
        #expect(try items.sectionNames == names)
        #expect(try (0..<values.count).map { try items.section(at: $0).value } == values)
    }

    @Test func indexTitlesAreDistinctAndLeadToTheFirstSectionOfTheirTitle() throws {
        let store = try makeStore("CREATE TABLE items (id INTEGER PRIMARY KEY, name)")
        for name in ["apple", "Avocado", "", "\u{e9}clair", "banana", "1st", "azure"] {
            try store.execute("INSERT INTO items (name) VALUES (?)", [.text(name)])
        }
        let items = try Watch(
            store, FetchRequest(entity: "items", section: Sort("name", collation: "NOCASE")))
        let controller = items.controller
        #expect(try controller.sectionNames == ["", "1st", "apple", "Avocado", "azure", "banana", "\u{e9}clair"])
        #expect(try controller.sectionIndexTitles == ["1", "A", "B", "\u{c9}"])
        #expect(
            try (0..<4).map { try controller.section(forIndexTitle: controller.sectionIndexTitles[$0], at: $0) } == [
                1, 2, 5, 6,
            ])
        #expect(try controller.section(forIndexTitle: "Q", at: 0) == nil)
        expectFailure(.range) { _ = try controller.section(forIndexTitle: "A", at: 3) }
        expectFailure(.range) { _ = try controller.section(forIndexTitle: "A", at: -1) }
        #expect(try controller.section(at: 6).indexTitle == "\u{c9}")

        try store.execute("DELETE FROM items WHERE name = 'apple'")
        try store.execute("INSERT INTO items (name) VALUES ('cherry')")
        #expect(try controller.sectionIndexTitles == ["1", "A", "B", "C", "\u{c9}"])
        controller.indexTitle = { $0.count > 5 ? String($0.count) : nil }
        #expect(try controller.sectionIndexTitles == ["7", "6"])
    }
}
