import FetchedResults
import SQLiteKit
import TestSupport
import Testing

/// The index titles of sections, and the sections that they lead to.
@Suite struct IndexTitles {
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

    @Test func aFlatListHasNone() throws {
        let store = try makeStore("CREATE TABLE items (id INTEGER PRIMARY KEY)")
        #expect(try Watch(store, "items").controller.sectionIndexTitles == [])
    }
}
