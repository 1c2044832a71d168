import OrderedTree
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// First lists of attached files: their logs are opened by the fetch, which then begins again.
@Suite struct AttachedFetching {
    private static let script =
        """
        CREATE TABLE items (id INTEGER PRIMARY KEY, name);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 50)
        INSERT INTO items SELECT i, 'name ' || (i * 7 % 50) FROM n;
        """

    /// A store with an attached file, and another connection to that file.
    private final class World {
        let mainFile = TemporaryFile()
        let attachedFile = TemporaryFile()
        let own: Store
        let other: Store
        let gate: Gate

        init() throws {
            own = try Store(path: mainFile.path)
            other = try Store(path: attachedFile.path)
            for store in [own, other] { try store.executeScript(AttachedFetching.script) }
            try own.execute("ATTACH ?1 AS aux", [.text(attachedFile.path)])
            try own.dispatch()
            gate = Gate(own)
        }

        func list(_ entity: String) throws -> FetchedResultsController {
            let request = FetchRequest(entity: entity, sorts: [Sort("name")])
            let list = try FetchedResultsController(store: own, request: request)
            list.rowCacheSize = 1
            return list
        }
    }

    private func names(_ list: any LiveList) throws -> [Value] { try list.values("name").flatMap(\.self) }

    /// Before: a collection of first lists, of an attached file and of another store. Change:
    /// another connection commits while it is fetched. Expected: the rows as they were fetched.
    @Test(arguments: [false, true]) func rowsAreAsFetchedInACollectionOfTwoStores(isInBackground: Bool) throws {
        let world = try World()
        let second = try World()
        let lists = try [world.list("aux.items"), second.list("items")]
        let collection = try FetchedResultsCollection(lists)
        let fetched = try world.own.connection.rows("SELECT name FROM aux.items ORDER BY name, id").map { $0[0] }
        world.gate.isOpen = true
        second.gate.isOpen = true
        var hasCommitted = false
        func commit(_ rows: Int) -> Bool {
            // While the store reads the list of the attached file.
            guard !hasCommitted, world.own.connection.isReading else { return true }
            hasCommitted = true
            do { try world.other.execute("UPDATE items SET name = 'new'") } catch { Issue.record(error) }
            return true
        }
        if isInBackground {
            var isOver = false
            try collection.performFetchAsynchronously(progress: commit) { error in
                #expect(error == nil)
                isOver = true
            }
            for _ in 0..<600 where !isOver {
                try world.own.wait(milliseconds: 10)
                try second.own.wait(milliseconds: 10)
            }
            #expect(isOver)
        } else {
            try collection.performFetch(progress: commit)
        }
        #expect(hasCommitted)
        #expect(try names(lists[0]) == fetched)
        try world.own.dispatch()
        #expect(try names(lists[0]) == Array(repeating: "new", count: 50))
    }

    /// Before: a collection of a list that a thread reads, and of the first one of an attached
    /// file.
    /// Change: the store writes meanwhile. Expected: both lists show that.
    @Test func writesMeanwhileAreInTheList() throws {
        let world = try World()
        try world.own.executeScript("CREATE TABLE names (name PRIMARY KEY, title); INSERT INTO names VALUES ('a', 'A')")
        let lists = try ["items", "aux.items"].map { try world.list($0) }
        let map = try SectionMap(
            store: world.own, items: FetchRequest(entity: "items"), sections: FetchRequest(entity: "names"),
            itemKey: "name", sectionKey: "name", indexTitle: "title")
        let collection = try FetchedResultsCollection([map] + lists)
        var isOver = false
        try collection.performFetchAsynchronously { error in
            #expect(error == nil)
            isOver = true
        }
        try world.own.execute("UPDATE items SET name = 'name 3' WHERE id % 3 = 0")
        try world.own.execute("DELETE FROM items WHERE id % 7 = 0")
        try world.own.execute("INSERT INTO items VALUES (60, 'name 1'), (61, 'a')")
        try world.own.execute("UPDATE aux.items SET name = 'name 3' WHERE id % 3 = 0")
        world.gate.isOpen = true
        for _ in 0..<60 where !isOver { try world.own.wait(milliseconds: 1000) }
        for (list, entity) in zip(lists, ["items", "aux.items"]) {
            let rows = try world.own.connection.rows("SELECT id FROM \(entity) ORDER BY name, id").map { $0[0] }
            #expect(try list.values("id").flatMap(\.self) == rows)
            #expect(list.engine.list?.rows.checkInvariants() ?? [] == [])
        }
        #expect(try map.numberOfAllSections == 2)
        let recorder = Recorder()
        map.addObserver(recorder)
        try world.own.execute("INSERT INTO names VALUES ('b', 'B')")
        #expect(try map.numberOfAllSections == 3)
        #expect(!recorder.events.isEmpty)
        try world.own.execute("DELETE FROM items WHERE id > 10")
        let rows = try world.own.connection.rows("SELECT id FROM items ORDER BY name, id").map { $0[0] }
        #expect(try lists[0].values("id").flatMap(\.self) == rows)
    }
}
