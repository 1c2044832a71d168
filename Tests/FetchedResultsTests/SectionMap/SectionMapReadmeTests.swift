import ChangeSets
import FetchedResults
import SQLiteKit
import TestSupport
import Testing

/// The README of TAFetchedResultsController, sentence by sentence.
@Suite struct SectionMapReadme {
    private let store: Store
    private let watch: MapWatch
    private var map: SectionMap { watch.map }

    init() throws {
        // The hierarchy of "How it works": section B has no items.
        store = try makeStore(
            """
            CREATE TABLE sections(id INTEGER PRIMARY KEY, name TEXT UNIQUE, timeStamp INTEGER, color);
            CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT, section REFERENCES sections ON DELETE CASCADE);
            INSERT INTO sections VALUES (1, 'A', 0, 'red'), (2, 'B', 1, 'green'), (3, 'C', 2, 'blue');
            INSERT INTO items VALUES (11, 'x', 1), (12, 'y', 1), (13, 'z', 3);
            """)
        watch = try MapWatch(Self.makeMap(store, "timeStamp"))
    }

    private static func makeMap(_ store: Store, _ order: String, isDescending: Bool = false) throws -> SectionMap {
        try SectionMap(
            store: store, items: FetchRequest(entity: "items", sorts: [Sort("name")]),
            sections: FetchRequest(
                entity: "sections", sorts: [Sort(order, isDescending: isDescending)]),
            itemKey: "section.name")
    }

    @Test("It allows for empty sections.")
    func emptySections() throws {
        #expect(try map.values("name") == [["x", "y"], [], ["z"]])
        try store.execute("DELETE FROM items WHERE id = 13")
        #expect(watch.take() == ["delete 13 at 2.0"])
        #expect(try map.sectionNames == ["A", "B", "C"])
    }

    @Test("There the ordering of the sections is based on the name that you wish to display: not so here.")
    func theOrderIsNotThatOfNames() throws {
        let map = try MapWatch(Self.makeMap(store, "timeStamp", isDescending: true)).map
        #expect(try map.sectionNames == ["C", "B", "A"])
    }

    @Test("Sort them any way you please: this will be the order they appear in the table.")
    func anyOrder() throws {
        #expect(try MapWatch(Self.makeMap(store, "color")).map.sectionNames == ["C", "B", "A"])
    }

    @Test("There is no easy way to recover the section object other than searching for it by name: here there is.")
    func theSectionObject() throws {
        #expect(try map.sectionObject(at: 1)?["name"] == "B")
        #expect(try map.sectionObject(at: 1)?["color"] == "green")
    }

    @Test("It manages two entities: the items and the sections.")
    func twoEntities() throws {
        #expect(try map.object(at: ListIndexPath(section: 0, row: 0)).entity == "items")
        #expect(try map.sectionObject(at: 0)?.entity == "sections")
    }

    @Test("When you delete a section the items will be deleted first and thus removed from the table.")
    func deletingASection() throws {
        try store.execute("DELETE FROM sections WHERE id = 1")
        #expect(watch.take() == ["section delete 0 A", "delete 12 at 0.1", "delete 11 at 0.0"])
    }

    @Test("Sections need to have a unique key by which they can be identified, which a key path names.")
    func uniqueKeys() throws {
        #expect(try (0..<3).map { try map.section(at: $0).value } == ["A", "B", "C"])
        try store.executeScript(
            "CREATE TABLE twins(id INTEGER PRIMARY KEY, name); INSERT INTO twins(name) VALUES ('A'), ('A')")
        let twins = try SectionMap(
            store: store, items: FetchRequest(entity: "items"), sections: FetchRequest(entity: "twins"),
            itemKey: "name",
            sectionKey: "name")
        expectFailure(.constraint) { try twins.performFetch() }
    }

    @Test("Always use allSections; the sections method is missing the empty sections.")
    func allSections() throws {
        #expect(try map.allSections.map(\.name) == ["A", "B", "C"])
        #expect(try map.sections.map(\.name) == ["A", "C"])
        try map.setEmptySections(.hidden)
        #expect(try map.allSections.map(\.name) == ["A", "B", "C"])
    }

    @Test("A section info has the number of objects.")
    func numbersOfObjects() throws {
        #expect(try map.allSections.map(\.numberOfObjects) == [2, 0, 1])
    }

    @Test("The key difference is that you have access to the object of the section.")
    func theManagedObject() throws {
        #expect(try (0..<3).map { try map.sectionObject(ofAll: $0)?["color"] } == ["red", "green", "blue"])
    }

    @Test("It calls your delegate upon the insertion and deletion of sections.")
    func insertionAndDeletion() throws {
        try store.execute("INSERT INTO sections VALUES (4, 'D', 1, 'grey')")
        #expect(watch.take() == ["section insert 2 D"])
        try store.execute("DELETE FROM sections WHERE id = 2")
        #expect(watch.take() == ["section delete 1 B"])
    }

    @Test("You will also be informed if a section is updated.")
    func updates() throws {
        try store.execute("UPDATE sections SET color = 'pink' WHERE id = 2")
        #expect(watch.take() == ["section update 1 to 1 B"])
    }

    @Test(
        "Core Data may report a section change when one of its items is modified in any way: here it is never reported."
    )
    func itemsAreNoSectionChanges() throws {
        try store.execute("UPDATE items SET name = 'xx' WHERE id = 11")
        #expect(watch.take() == ["update 11 from 0.0 to 0.0 name"])
        try store.execute("UPDATE items SET section = 3 WHERE id = 11")
        #expect(watch.take() == ["move 11 from 0.0 to 2.0 section"])
    }

    @Test("The delegate methods are those of NSFetchedResultsController.")
    func delegateMethods() throws {
        try store.transaction {
            try store.execute("INSERT INTO sections VALUES (4, 'D', 3, 'grey')")
            try store.execute("INSERT INTO items VALUES (14, 'w', 4)")
        }
        let events = watch.recorder.events
        #expect(events.count == 4 && events.first == "will" && events.last == "did")
        #expect(watch.take() == ["section insert 3 D", "insert 14 at 3.0"])
    }

    @Test("The indexes in the list of all the sections match, though some of these have no items.")
    func indexesOfAllSections() throws {
        #expect(try map.indexPath(ofIdentity: [13]) == ListIndexPath(section: 2, row: 0))
        try store.execute("INSERT INTO items VALUES (14, 'zz', 3)")
        #expect(watch.take() == ["insert 14 at 2.1"])
    }

    @Test("Section moves are not yet tracked there, and the behaviour is undefined: here they are exact.")
    func sectionMoves() throws {
        try store.execute("UPDATE sections SET timeStamp = 9 WHERE id = 1")
        #expect(watch.take() == ["section move 0 to 2 A"])
        #expect(try map.values("name") == [[], ["z"], ["x", "y"]])
    }
}
