import ChangeSets
import FetchedResults
import SQLiteKit
import TestSupport
import Testing

/// The old contents of the sections of records.
@Suite struct OldSectionTests {
    /// Notes the old contents of each record that is delivered on its own.
    private final class OldValues: FetchedResultsObserver {
        var sections: [[Value]?] = []
        var names: [String?] = []
        var objects: [[Value]?] = []

        func list(
            _ controller: any LiveList, didChange section: SectionInfo, _ change: SectionChange, in changes: ListChanges
        ) {
            sections.append(changes.oldValues(of: change))
            names.append(changes.oldSectionName(of: change))
        }

        func list(
            _ controller: any LiveList, didChange object: FetchedObject?, _ change: ObjectChange,
            in changes: ListChanges
        ) {
            objects.append(changes.oldValues(of: change))
        }
    }

    @Test func sectionRowsHaveOldValuesInBothForms() throws {
        let store = try makeStore(
            """
            CREATE TABLE lists(id INTEGER PRIMARY KEY, title, position);
            CREATE TABLE tasks(id INTEGER PRIMARY KEY, list_id REFERENCES lists);
            INSERT INTO lists VALUES (1, 'a', 1), (2, 'b', 2); INSERT INTO tasks VALUES (1, 1), (2, 2);
            """)
        let map = try SectionMap(
            store: store, items: FetchRequest(entity: "tasks"),
            sections: FetchRequest(entity: "lists", sorts: [Sort("position")]), itemKey: "list_id")
        try map.performFetch()
        let old = OldValues()
        let recorder = Recorder()
        map.addObserver(old)
        map.addObserver(recorder)
        try store.execute("UPDATE lists SET title = 'c', position = 0 WHERE id = 2")
        try store.execute("DELETE FROM tasks WHERE id = 1")
        #expect(old.sections == [[2, "b", 2]])
        #expect(old.names == ["2"])
        #expect(old.objects == [[1, 1]])
        let change = try #require(recorder.deliveries[0].changeSet.sectionChanges.first)
        #expect(recorder.deliveries[0].oldValues(of: change) == [2, "b", 2])
    }

    @Test func sectionsOfValuesHaveTheirValue() throws {
        let store = try makeStore("CREATE TABLE t(id INTEGER PRIMARY KEY, s); INSERT INTO t VALUES (1, 10), (2, 20)")
        let list = try FetchedResultsController(
            store: store, request: FetchRequest(entity: "t", section: Sort("s")))
        try list.performFetch()
        let old = OldValues()
        list.addObserver(old)
        try store.execute("UPDATE t SET s = 30 WHERE id = 1")
        #expect(old.sections == [[10], nil])
        #expect(old.names == ["10", nil])
        #expect(old.objects == [[1, 10]])
    }
}
