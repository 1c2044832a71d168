import ChangeSets
import FetchedResults
import SQLiteKit
import TestSupport
import Testing

/// Lists as Swift collections.
@Suite struct ListsAsCollections {
    private let store: Store

    init() throws {
        store = try makeStore(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, kind TEXT);
            INSERT INTO items VALUES (1, 'oak', 'tree'), (2, 'ant', 'insect'), (3, 'elm', 'tree');
            """)
    }

    private func list(section: String? = "kind") throws -> FetchedResultsController {
        let list = try FetchedResultsController(
            store: store,
            request: FetchRequest(
                entity: "items", sorts: [Sort("name")], section: section.map { Sort($0) })
        )
        try list.performFetch()
        return list
    }

    private func names(_ objects: some Collection<Result<FetchedObject, StoreError>>) throws -> [Value?] {
        try objects.map { try $0.get()["name"] }
    }

    @Test func allObjectsStandOneSectionAfterAnother() throws {
        let list = try list()
        #expect(try names(list.objects) == [.text("ant"), .text("elm"), .text("oak")])
        #expect(try names(list.objects.reversed().prefix(1)) == [.text("oak")])
        #expect(try names(list.objects[1...]) == [.text("elm"), .text("oak")])
        #expect(list.objects.count == 3)
        #expect(try list.objects.last?.get().identity == [.integer(1)])
    }

    @Test func identitiesAreKnownWithoutTheirRows() throws {
        let list = try list()
        let before = try list.identities()
        #expect(before == [[.integer(2)], [.integer(3)], [.integer(1)]])
        try list.setPaused(true)
        try store.execute("UPDATE items SET name = 'x'")
        let statements = list.counters.statementsRun
        #expect(try list.identities(1..<3) == Array(before[1...]) && list.identities() == before)
        #expect(try list.identity(at: ListIndexPath(section: 1, row: 1)) == [.integer(1)])
        #expect(list.counters.statementsRun == statements)
        #expect(throws: StoreError.self) { try list.identities(2..<4) }
        let collection = try FetchedResultsCollection([list])
        try collection.performFetch()
        // The fetch has shown the rows that were renamed.
        #expect(try collection.identities() == [[.integer(2)], [.integer(1)], [.integer(3)]])
    }

    @Test func sectionsHaveTheirObjects() throws {
        let list = try list()
        #expect(try list.shownSections.map { try $0.info.name } == ["insect", "tree"])
        #expect(try names(list.shownSections[1].objects) == [.text("elm"), .text("oak")])
        #expect(list.shownSections.map(\.objects.count) == [1, 2])
        #expect(try list.shownSections[0].object == nil)
    }

    @Test func theyShowTheListAsItIsNow() throws {
        let list = try list()
        let objects = list.objects
        try store.execute("DELETE FROM items WHERE id = 2")
        #expect(try names(objects) == [.text("elm"), .text("oak")])
        #expect(list.shownSections.count == 1)
    }

    @Test func whatCanNotBeReadIsAFailure() throws {
        let list = try list()
        for position in [-1, 3, Int.max, Int.min] {
            #expect(throws: StoreError.self) { _ = try list.objects[position].get() }
            #expect(throws: StoreError.self) { _ = try list.shownSections[0].objects[position].get() }
        }
        #expect(throws: StoreError.self) { _ = try list.shownSections[2].info }
        #expect(list.shownSections[Int.max].objects.isEmpty)
        try store.close()
        #expect(list.objects.isEmpty)
        #expect(list.shownSections.isEmpty)
        #expect(throws: StoreError.self) { _ = try list.objects[0].get() }
    }

    @Test func mapsAndCollectionsHaveThemAsWell() throws {
        let collection = try FetchedResultsCollection([try list(), try list(section: nil)])
        try collection.performFetch()
        #expect(collection.objects.count == 6)
        #expect(collection.shownSections.count == 3)
        let any: any LiveList = collection
        #expect(any.objects.count == 6)
    }
}

/// The settings from which lists were created.
@Suite struct SettingsOfLists {
    @Test func areReadFromTheList() throws {
        let store = try makeStore(
            """
            CREATE TABLE kinds (id INTEGER PRIMARY KEY, name);
            CREATE TABLE items (id INTEGER PRIMARY KEY, kind REFERENCES kinds, name);
            """)
        let sections = FetchRequest(entity: "kinds", sorts: [Sort("name")])
        let rows = try SectionMap(
            store: store, items: FetchRequest(entity: "items"), sections: sections, itemKey: "kind")
        #expect(rows.sectionRequest?.entity == "kinds")
        #expect(rows.sectionKeys == nil)
        #expect(rows.sectionKeyPath == "kind")
        let keys = try SectionMap(
            store: store, items: FetchRequest(entity: "items"), sectionKeys: [.integer(2), .text("x")], itemKey: "kind")
        #expect(keys.sectionKeys == [.integer(2), .text("x")])
        #expect(keys.sectionRequest == nil)
        let flat = try FetchedResultsController(store: store, request: FetchRequest(entity: "items"))
        #expect(flat.sectionKeyPath == nil)
    }

    @Test func aListThatIsBehindHasTheReason() throws {
        let store = try makeStore("CREATE TABLE items (id INTEGER PRIMARY KEY, rank); INSERT INTO items VALUES (1, 1);")
        let list = try FetchedResultsController(
            store: store, request: FetchRequest(entity: "items", predicate: "abs(-9223372036854775807 + rank) > 0"))
        try list.performFetch()
        #expect(list.deliveryFailure == nil)
        try store.execute("UPDATE items SET rank = -1")
        #expect(list.deliveryFailure?.message == "integer overflow")
        try list.setPaused(true)
        #expect(list.deliveryFailure == nil)
        try list.resume()
        #expect(list.deliveryFailure?.message == "integer overflow")
        try store.execute("UPDATE items SET rank = 1")
        #expect(list.deliveryFailure == nil)
    }
}
