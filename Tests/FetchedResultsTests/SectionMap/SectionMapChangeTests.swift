import ChangeSets
import FetchedResults
import SQLiteKit
import TestSupport
import Testing

/// The reports when the rows of sections change.
@Suite struct SectionMapChangeTests {
    @Test func insertionAndDeletionOfSectionsIsReported() throws {
        let store = try makeTaskLists()
        let lists = try MapWatch(store)
        try store.execute("INSERT INTO lists VALUES (4, 'Garden', 1.5, NULL)")
        #expect(lists.take() == ["section insert 1 4"])
        try store.execute("DELETE FROM lists WHERE id = 3")
        #expect(lists.take() == ["section delete 2 3"])
        #expect(try lists.picture == ["Home: dishes, laundry", "Garden: ", "Work: report"])
    }

    @Test func deletingASectionDeletesItsItemsInTheSameBracket() throws {
        let store = try makeTaskLists()
        let lists = try MapWatch(store)
        try store.execute("DELETE FROM lists WHERE id = 2")
        #expect(lists.recorder.events.filter { $0 == "will" || $0 == "did" } == ["will", "did"])
        let delivery = try #require(lists.recorder.deliveries.last)
        #expect(try delivery.sectionObject(of: delivery.changeSet.sectionChanges[0])?["name"] == "Home")
        #expect(lists.take() == ["section delete 0 2", "delete 3 at 0.1", "delete 2 at 0.0"])
        #expect(try lists.picture == ["Errands: ", "Work: report"])
    }

    @Test func changesOfSectionOrderAreReportedAsMoves() throws {
        let store = try makeTaskLists()
        let lists = try MapWatch(store)
        try store.execute("UPDATE lists SET position = 0 WHERE id = 1")
        #expect(lists.take() == ["section move 2 to 0 1"])
        #expect(try lists.picture == ["Work: report", "Home: dishes, laundry", "Errands: "])
        // All three in the opposite order: one of them can stay.
        try store.execute("UPDATE lists SET position = -position")
        #expect(lists.recorder.deliveries.last?.changeSet.sectionMoves.count == 2)
        _ = lists.take()
        #expect(try lists.picture == ["Errands: ", "Home: dishes, laundry", "Work: report"])
        // Another value at the same place.
        try store.execute("UPDATE lists SET position = position * 10")
        #expect(lists.recorder.deliveries.last?.changeSet.sectionMoves.isEmpty ?? false)
    }

    @Test func theItemsOfAMovedSectionAreNotReported() throws {
        let store = try makeTaskLists()
        let lists = try MapWatch(store)
        try store.transaction {
            try store.execute("UPDATE lists SET position = 9 WHERE id = 2")
            try store.execute("UPDATE tasks SET note = 'soon' WHERE id = 3")
            try store.execute("UPDATE tasks SET list_id = 3 WHERE id = 1")
        }
        #expect(
            lists.take() == [
                "section move 0 to 2 2", "move 1 from 2.0 to 0.0 list_id", "update 3 from 0.1 to 2.1 note",
            ])
        #expect(try lists.picture == ["Errands: report", "Work: ", "Home: dishes, laundry"])
    }

    @Test func anUpdateOfASectionIsReported() throws {
        let store = try makeTaskLists()
        let lists = try MapWatch(store)
        try store.execute("UPDATE lists SET name = 'House' WHERE id = 2")
        let delivery = try #require(lists.recorder.deliveries.last)
        #expect(delivery.changeSet.sectionChanges == [.update(from: 0, to: 0, changedColumns: [1])])
        #expect(try delivery.sectionObject(of: delivery.changeSet.sectionChanges[0])?["name"] == "House")
    }

    @Test func aSectionIsNotUpdatedWhenItsItemsChange() throws {
        let store = try makeTaskLists()
        let lists = try MapWatch(store)
        try store.execute("UPDATE tasks SET name = 'ironing' WHERE id = 3")
        try store.execute("INSERT INTO tasks VALUES (4, 2, 'rest', '')")
        try store.execute("DELETE FROM tasks WHERE list_id = 1")
        #expect(lists.take() == ["update 3 from 0.1 to 0.1 name", "insert 4 at 0.2", "delete 1 at 2.0"])
    }

    @Test func onlyColumnsOfTheSectionRequestUpdateASection() throws {
        let store = try makeTaskLists()
        let lists = try MapWatch(store, columns: ["name"])
        try store.execute("UPDATE lists SET color = 'green'")
        #expect(lists.take() == [])
        #expect(try lists.map.sectionObject(at: 0)?.columns == ["name", "id"])
    }

    @Test func aRowThatStartsOrStopsMatchingThePredicateIsAnInsertOrADelete() throws {
        let store = try makeTaskLists()
        let lists = try MapWatch(store, where: "color IS NOT 'hidden'")
        try store.execute("UPDATE lists SET color = 'hidden' WHERE id = 2")
        #expect(
            lists.take() == [
                "section delete 0 2", "section insert 2 -", "move 2 from 0.0 to 2.0", "move 3 from 0.1 to 2.1",
            ])
        try store.execute("UPDATE lists SET color = 'blue' WHERE id = 2")
        #expect(
            lists.take() == [
                "section delete 2 -", "section insert 0 2", "move 2 from 2.0 to 0.0", "move 3 from 2.1 to 0.1",
            ])
    }

    @Test func aChangedKeyIsAnUpdateAndItsItemsAreMatchedAgain() throws {
        let store = try makeStore(
            """
            CREATE TABLE kinds(id INTEGER PRIMARY KEY, code TEXT COLLATE NOCASE, name TEXT);
            CREATE TABLE things(id INTEGER PRIMARY KEY, kind TEXT, name TEXT);
            INSERT INTO kinds VALUES (1, 'a', 'first'), (2, 'b', 'second');
            INSERT INTO things VALUES (1, 'A', 'x'), (2, 'b', 'y'), (3, 'c', 'z');
            """)
        let things = try MapWatch(
            SectionMap(
                store: store, items: FetchRequest(entity: "things"), sections: FetchRequest(entity: "kinds"),
                itemKey: "kind", sectionKey: "code"))
        #expect(try things.picture == ["first: x", "second: y", "-: z"])
        try store.execute("UPDATE kinds SET code = 'C' WHERE id = 1")
        #expect(
            things.take() == ["section update 0 to 0 C", "move 3 from 2.0 to 0.0", "move 1 from 0.0 to 2.0"])
        // Two keys exchange their places.
        try store.transaction {
            try store.execute("UPDATE kinds SET code = 'x' WHERE id = 1")
            try store.execute("UPDATE kinds SET code = 'c' WHERE id = 2")
            try store.execute("UPDATE kinds SET code = 'b' WHERE id = 1")
        }
        #expect(try things.picture == ["first: y", "second: z", "-: x"])
    }

    @Test func twoSectionsWithOneKeyAreAnErrorFromWhichTheMapRecovers() throws {
        let store = try makeStore(
            """
            CREATE TABLE kinds(id INTEGER PRIMARY KEY, code);
            CREATE TABLE things(id INTEGER PRIMARY KEY, kind);
            INSERT INTO kinds VALUES (1, 'a'), (2, 'b');
            INSERT INTO things VALUES (1, 'a'), (2, 'b');
            """)
        let things = try MapWatch(
            SectionMap(
                store: store, items: FetchRequest(entity: "things"), sections: FetchRequest(entity: "kinds"),
                itemKey: "kind", sectionKey: "code"))
        try store.execute("UPDATE kinds SET code = 'a' WHERE id = 2")
        try store.execute("INSERT INTO things VALUES (3, 'a')")
        #expect(things.recorder.errors.map(\.status) == [.constraint])
        #expect(things.recorder.errors.first?.message.contains("a") ?? false)
        #expect(things.recorder.deliveries.isEmpty)
        #expect(try things.map.values("id") == [[1], [2]])
        try store.execute("UPDATE kinds SET code = 'c' WHERE id = 2")
        #expect(
            things.take() == [
                "section insert 2 -", "section update 1 to 1 c", "insert 3 at 0.1", "move 2 from 1.0 to 2.0",
            ])
        // NULL is no key.
        try store.execute("UPDATE kinds SET code = NULL")
        _ = things.take()
        #expect(try things.map.values("id") == [[], [], [1, 2, 3]])
        #expect(things.recorder.errors.count == 1)
    }

    /// A map of `kinds` a and b, without an order, of which a commit has made two a's; one thing
    /// was added meanwhile.
    private func failingMap() throws -> (store: Store, things: MapWatch) {
        let store = try makeStore(
            """
            CREATE TABLE kinds(id INTEGER PRIMARY KEY, code, name DEFAULT 'kind');
            CREATE TABLE things(id INTEGER PRIMARY KEY, kind, name);
            INSERT INTO kinds(id, code) VALUES (1, 'a'), (2, 'b'), (3, 'z');
            INSERT INTO things VALUES (1, 'a', 'x'), (2, 'b', 'y');
            """)
        let things = try MapWatch(
            SectionMap(
                store: store, items: FetchRequest(entity: "things"), sections: FetchRequest(entity: "kinds"),
                itemKey: "kind", sectionKey: "code"))
        try store.execute("UPDATE kinds SET code = 'a' WHERE id = 2")
        try store.execute("INSERT INTO things VALUES (3, 'a', 'new')")
        try store.execute("UPDATE things SET name = 'changed' WHERE id = 2")
        #expect(things.recorder.errors.map(\.status) == [.constraint])
        return (store, things)
    }

    @Test func afterAFailureOtherOptionsAreRefusedAsLongAsItsCauseIsThere() throws {
        let (store, things) = try failingMap()
        expectFailure(.constraint) { try things.map.setEmptySections(.hidden) }
        expectFailure(.constraint) { try things.map.setItemsWithoutSection(.alwaysShown) }
        expectFailure(.constraint) { try things.map.setRequest(FetchRequest(entity: "things", predicate: "id > 1")) }
        #expect(things.map.emptySections == .shown)
        #expect(things.map.itemsWithoutSection == .shown)
        #expect(things.map.request.predicate == nil)
        #expect(things.recorder.deliveries.isEmpty)
        #expect(try (0..<things.map.numberOfSections).map(things.map.numberOfObjects) == [1, 1, 0])
        try store.execute("UPDATE kinds SET code = 'b' WHERE id = 2")
        #expect(things.take() == ["insert 3 at 0.1"])
        try things.map.setEmptySections(.hidden)
        #expect(things.take() == ["section delete 2 z"])
    }

    @Test func afterAFailureOtherSectionsCanBeTheCure() throws {
        let (_, things) = try failingMap()
        try things.map.setSectionRequest(FetchRequest(entity: "kinds", predicate: "id <> 2"))
        #expect(
            things.take() == [
                "section delete 1 b", "section insert 2 -", "insert 3 at 0.1", "move 2 from 1.0 to 2.0 something",
            ])
        #expect(try things.map.values("id") == [[1, 3], [], [2]])
    }

    @Test func afterAFailureRowsThatChangedUnreadAreGoneRatherThanNewer() throws {
        let (store, things) = try failingMap()
        #expect(try things.map.object(at: ListIndexPath(section: 0, row: 0))["name"] == "x")
        expectFailure(.gone) { _ = try things.map.object(at: ListIndexPath(section: 1, row: 0)) }
        try store.execute("DELETE FROM kinds WHERE id = 2")
        #expect(try things.picture == ["kind: x, new", "kind: ", "-: changed"])
    }

    @Test func aChangedRequestForTheSectionsIsOneDifference() throws {
        let store = try makeTaskLists()
        let lists = try MapWatch(store)
        try lists.map.setSectionRequest(
            FetchRequest(
                entity: "lists", predicate: "id <> 3", sorts: [Sort("name", isDescending: true)]))
        #expect(lists.take() == ["section delete 1 3", "section move 2 to 0 1"])
        #expect(try lists.picture == ["Work: report", "Home: dishes, laundry"])
        expectFailure(.schema, naming: "nothing") {
            try lists.map.setSectionRequest(FetchRequest(entity: "lists", sorts: [Sort("nothing")]))
        }
        expectFailure(.misuse, naming: "tasks") { try lists.map.setSectionRequest(FetchRequest(entity: "tasks")) }
        expectFailure(.misuse) { try lists.map.setSectionKeys([1]) }
        try store.execute("INSERT INTO lists VALUES (9, 'Zoo', 0, NULL)")
        #expect(lists.take().last == "section insert 0 9")
    }

    @Test func whileItIsDisabledNothingIsDeliveredAndThenAReload() throws {
        let store = try makeTaskLists()
        let lists = try MapWatch(store)
        try lists.map.setDisabled(true)
        #expect(lists.map.isDisabled)
        try store.execute("DELETE FROM lists WHERE id = 2")
        #expect(lists.recorder.events.isEmpty)
        #expect(try lists.map.numberOfSections == 3)
        try lists.map.setDisabled(false)
        #expect(lists.recorder.deliveries.map(\.changeSet.isReload) == [true])
        #expect(try lists.picture == ["Errands: ", "Work: report"])
        _ = lists.take()
        // Also if nothing happened.
        try lists.map.setDisabled(true)
        try lists.map.setDisabled(false)
        #expect(lists.recorder.deliveries.map(\.changeSet.isReload) == [true])
        _ = lists.take()
        try store.execute("DELETE FROM lists WHERE id = 3")
        #expect(lists.take() == ["section delete 0 3"])
    }
}
