import ChangeSets
import FetchedResults
import SQLiteKit
import TestSupport
import Testing

/// Sections that are rows: their number, their order, and their descriptions.
@Suite struct SectionMapTests {
    @Test func sectionsCanBeEmpty() throws {
        let lists = try MapWatch(makeTaskLists())
        #expect(try lists.picture == ["Home: dishes, laundry", "Errands: ", "Work: report"])
        #expect(try lists.map.numberOfObjects == 3)
    }

    @Test func sectionsAreOrderedByTheirOwnRequestWhateverTheyAreCalled() throws {
        let store = try makeTaskLists()
        let lists = try MapWatch(store)
        try store.execute("UPDATE lists SET name = 'Zoo' WHERE id = 2")
        #expect(try lists.picture == ["Zoo: dishes, laundry", "Errands: ", "Work: report"])
    }

    @Test func theSectionsObjectIsAtHand() throws {
        let lists = try MapWatch(makeTaskLists())
        #expect(try lists.map.sectionObject(at: 2)?["color"] == "red")
        #expect(try lists.map.sectionObject(at: 2)?.entity == "lists")
        #expect(try lists.map.section(at: 2).name == "1")
        #expect(try lists.map.section(at: 2).value == 1)
        #expect(try lists.map.section(at: 2).index == 2)
        expectFailure(.range, naming: "3") { _ = try lists.map.sectionObject(at: 3) }
    }

    @Test func aTextCanBeTheKeyWhichLeadsThroughTheRelationship() throws {
        let store = try makeTaskLists()
        let map = try SectionMap(
            store: store, items: FetchRequest(entity: "tasks", sorts: [Sort("name")]),
            sections: FetchRequest(entity: "lists", sorts: [Sort("name")]), itemKey: "list_id.name")
        let lists = try MapWatch(map)
        #expect(try map.sectionNames == ["Errands", "Home", "Work"])
        try store.execute("UPDATE lists SET name = 'Alps' WHERE id = 2")
        #expect(lists.take() == ["section move 1 to 0 Alps"])
        #expect(try map.sectionNames == ["Alps", "Errands", "Work"])
        #expect(try map.values("name") == [["dishes", "laundry"], [], ["report"]])
    }

    @Test func allSectionsAreThoseWithAndWithoutItemsAndSectionsThoseWith() throws {
        for emptySections in [EmptySections.shown, .hidden] {
            let lists = try MapWatch(makeTaskLists(), emptySections: emptySections)
            #expect(try lists.map.allSections.map(\.name) == ["2", "3", "1"])
            #expect(try lists.map.allSections.map(\.numberOfObjects) == [2, 0, 1])
            #expect(try lists.map.sections.map(\.name) == ["2", "1"])
            #expect(try lists.map.allSections.map(\.index) == (emptySections == .shown ? [0, 1, 2] : [0, nil, 1]))
            #expect(try lists.map.sectionObject(ofAll: 1)?["name"] == "Errands")
        }
    }

    @Test func emptySectionsCanBeHidden() throws {
        let store = try makeTaskLists()
        let lists = try MapWatch(store, emptySections: .hidden)
        #expect(try lists.picture == ["Home: dishes, laundry", "Work: report"])
        try store.execute("INSERT INTO tasks VALUES (4, 3, 'milk', '')")
        #expect(lists.take() == ["section insert 1 3", "insert 4 at 1.0"])
        try store.execute("DELETE FROM tasks WHERE id = 1")
        #expect(lists.take() == ["section delete 2 1", "delete 1 at 2.0"])
        #expect(try lists.map.sectionObject(ofAll: 2)?["name"] == "Work")
        try lists.map.setEmptySections(.shown)
        #expect(lists.take() == ["section insert 2 1"])
        try lists.map.setEmptySections(.hidden)
        #expect(lists.take() == ["section delete 2 1"])
        #expect(try lists.picture == ["Home: dishes, laundry", "Errands: milk"])
    }

    @Test func indexTitlesMayComeFromAKeyPathOfTheSections() throws {
        let store = try makeStore(
            """
            CREATE TABLE folders (id INTEGER PRIMARY KEY, name);
            CREATE TABLE lists (id INTEGER PRIMARY KEY, position, folder_id REFERENCES folders);
            CREATE TABLE tasks (id INTEGER PRIMARY KEY, list_id REFERENCES lists);
            INSERT INTO folders VALUES (1, 'Work'), (2, 'Home');
            INSERT INTO lists VALUES (1, 1, 2), (2, 2, 1), (3, 3, 2); INSERT INTO tasks VALUES (1, 1), (2, 2);
            """)
        let sections = FetchRequest(entity: "lists", sorts: [Sort("position")])
        let map = try MapWatch(
            SectionMap(
                store: store, items: FetchRequest(entity: "tasks"), sections: sections, itemKey: "list_id",
                indexTitle: "folder_id.name"))
        #expect(try map.map.sectionIndexTitles == ["H", "W"])
        #expect(try map.map.sectionObject(at: 0)?.columns == ["id", "position", "folder_id", "folder_id.name"])
        try store.execute("UPDATE folders SET name = 'Garden' WHERE id = 2")
        #expect(try map.map.sectionIndexTitles == ["G", "W"])
        #expect(map.take() == ["section update 0 to 0 1", "section update 2 to 2 3"])
        try store.execute("ALTER TABLE lists ADD COLUMN color DEFAULT 'red'")
        #expect(
            try map.map.sectionObject(at: 1)?.columns == ["id", "position", "folder_id", "color", "folder_id.name"])
        #expect(try map.map.sectionIndexTitles == ["G", "W"])
    }

    @Test func itemsWithoutASectionComeLast() throws {
        let store = try makeTaskLists()
        try store.executeScript(
            "PRAGMA foreign_keys = OFF; INSERT INTO tasks VALUES (4, NULL, 'b', ''), (5, 77, 'a', '')")
        let lists = try MapWatch(store)
        #expect(try lists.picture == ["Home: dishes, laundry", "Errands: ", "Work: report", "-: a, b"])
        #expect(try lists.map.section(at: 3).name == nil)
        #expect(try lists.map.section(at: 3).value == .null)
        #expect(try lists.map.sectionObject(at: 3) == nil)
        // A section with the key is inserted.
        try store.execute("INSERT INTO lists VALUES (77, 'Later', 9, NULL)")
        #expect(lists.take() == ["section insert 3 77", "move 5 from 3.0 to 3.0"])
        try store.execute("UPDATE tasks SET list_id = 1 WHERE id = 4")
        #expect(lists.take() == ["section delete 4 -", "move 4 from 4.0 to 2.0 list_id"])
        // And is removed again, without its items.
        try store.execute("DELETE FROM lists WHERE id = 77")
        #expect(lists.take() == ["section delete 3 77", "section insert 3 -", "move 5 from 3.0 to 3.0"])
    }

    @Test func itemsWithoutASectionCanBeHiddenOrAlwaysHaveOne() throws {
        let store = try makeTaskLists()
        try store.executeScript("PRAGMA foreign_keys = OFF; INSERT INTO tasks VALUES (5, 77, 'a', '')")
        let hiding = try MapWatch(store, itemsWithoutSection: .hidden)
        let showing = try MapWatch(store, itemsWithoutSection: .alwaysShown)
        #expect(try hiding.picture == ["Home: dishes, laundry", "Errands: ", "Work: report"])
        #expect(try hiding.map.numberOfObjects == 3)
        try store.execute("INSERT INTO lists VALUES (77, 'Later', 0, NULL)")
        #expect(hiding.take() == ["section insert 0 77", "insert 5 at 0.0"])
        #expect(showing.take() == ["section insert 0 77", "move 5 from 3.0 to 0.0"])
        #expect(try showing.picture == ["Later: a", "Home: dishes, laundry", "Errands: ", "Work: report", "-: "])
        try store.execute("UPDATE tasks SET list_id = 78 WHERE id = 5")
        #expect(hiding.take() == ["delete 5 at 0.0"])
        try hiding.map.setItemsWithoutSection(.shown)
        #expect(hiding.take() == ["section insert 4 -", "insert 5 at 4.0"])
        try showing.map.setItemsWithoutSection(.hidden)
        _ = showing.take()
        #expect(try showing.picture == ["Later: ", "Home: dishes, laundry", "Errands: ", "Work: report"])
    }

    @Test func twoSectionsMayShareATitle() throws {
        let store = try makeTaskLists()
        let lists = try MapWatch(store, title: "name")
        try store.execute("UPDATE lists SET name = 'Home' WHERE id = 3")
        #expect(lists.take() == ["section update 1 to 1 3"])
        #expect(try lists.picture == ["Home: dishes, laundry", "Home: ", "Work: report"])
        #expect(try lists.map.sectionIndexTitles == ["H", "W"])
        #expect(try lists.map.section(forIndexTitle: "H", at: 0) == 0)
        #expect(try lists.map.section(forIndexTitle: "W", at: 1) == 2)
    }

    @Test func indexTitlesAreTheDistinctFirstCharactersOfAColumn() throws {
        let store = try makeTaskLists()
        try store.executeScript(
            """
            INSERT INTO lists VALUES (4, 'e\u{301}cole', 4, NULL), (5, '', 5, NULL), (6, NULL, 6, NULL), (7, '\u{e9}t\u{e9}', 7, NULL),
                (8, 'wiki', 8, NULL)
            """)
        let lists = try MapWatch(store, title: "name")
        #expect(try lists.map.sectionIndexTitles == ["H", "E", "W", "\u{c9}"])
        #expect(try lists.map.section(forIndexTitle: "\u{c9}", at: 3) == 3)
        #expect(try lists.map.section(forIndexTitle: "Q", at: 0) == nil)
        expectFailure(.range, naming: "E") { _ = try lists.map.section(forIndexTitle: "E", at: 0) }
        try store.execute("UPDATE lists SET name = 'Yard' WHERE id = 2")
        #expect(try lists.map.sectionIndexTitles == ["Y", "E", "W", "\u{c9}"])
    }

    @Test func aMapCanBeReadWhileItIsAboutToChange() throws {
        let store = try makeTaskLists()
        let lists = try MapWatch(store)
        var pictures: [[String]] = []
        lists.recorder.willChange = { _ in pictures.append((try? lists.picture) ?? ["gone"]) }
        lists.recorder.didDeliver = { _ in pictures.append((try? lists.picture) ?? ["gone"]) }
        try store.transaction {
            try store.execute("UPDATE lists SET position = 0, name = 'Job' WHERE id = 1")
            try store.execute("DELETE FROM lists WHERE id = 2")
            try store.execute("INSERT INTO lists VALUES (9, 'New', 9, NULL)")
        }
        #expect(
            pictures == [
                ["Home: dishes, laundry", "Errands: ", "Work: report"], ["Job: report", "Errands: ", "New: "],
            ])
    }
}
