import ChangeSets
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// A collection whose children are read in the background shows all of them together, in their
/// present state.
@Suite struct CollectionFetching {
    /// A collection of a controller, a section map and, inside another collection, a list of a
    /// second store.
    private final class World {
        let files = (TemporaryFile(), TemporaryFile())
        let first: Store
        let second: Store
        let collection: FetchedResultsCollection
        let recorder = Recorder()
        private(set) var results: [StoreError?] = []
        private(set) var rows = 0
        var continues = true

        init() throws {
            first = try Self.makeStore(files.0)
            second = try Self.makeStore(files.1)
            collection = try Self.makeCollection(first, second)
            collection.addObserver(recorder)
        }

        private static func makeStore(_ file: TemporaryFile) throws -> Store {
            let store = try Store(path: file.path)
            try store.executeScript(
                """
                CREATE TABLE lists (id INTEGER PRIMARY KEY, title);
                CREATE TABLE items (id INTEGER PRIMARY KEY, name, list_id REFERENCES lists(id));
                INSERT INTO lists VALUES (1, 'a'), (2, 'b');
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 500)
                INSERT INTO items SELECT i, 'item ' || (i * 7 % 100), 1 + i % 2 FROM n;
                """)
            return store
        }

        static func makeCollection(_ first: Store, _ second: Store) throws -> FetchedResultsCollection {
            let items = FetchRequest(entity: "items", sorts: [Sort("name")])
            let sections = FetchRequest(entity: "lists", sorts: [Sort("title")])
            let inner = try FetchedResultsCollection([try FetchedResultsController(store: second, request: items)])
            return try FetchedResultsCollection([
                try FetchedResultsController(store: first, request: items),
                try SectionMap(store: first, items: items, sections: sections, itemKey: "list_id"), inner,
            ])
        }

        func begin() throws {
            try collection.performFetchAsynchronously { [unowned self] in
                rows = $0
                return continues
            } completion: { [unowned self] in
                results.append($0)
            }
        }

        func end() throws -> StoreError? {
            for _ in 0..<600 where results.isEmpty {
                try first.wait(milliseconds: 50)
                try second.wait(milliseconds: 50)
            }
            return try #require(results.first)
        }

        func isFresh() throws -> Bool {
            let fresh = try Self.makeCollection(first, second)
            try fresh.performFetch()
            return try collection.values("name") == fresh.values("name") && collection.numberOfObjects > 0
        }

        func close() throws {
            try first.close()
            try second.close()
        }
    }

    @Test func allChildrenAreShownTogether() throws {
        let world = try World()
        try world.begin()
        #expect(!world.collection.isFetched)
        #expect(world.collection.controllers.allSatisfy { !$0.isFetched })
        #expect(try world.end() == nil)
        #expect(try world.isFresh())
        #expect(world.recorder.events == [])
        try world.first.execute("DELETE FROM items WHERE id < 10")
        try world.second.execute("UPDATE items SET name = 'first' WHERE id = 20")
        #expect(try world.isFresh())
        #expect(world.recorder.deliveries.count == 2)
        try world.close()
    }

    @Test(arguments: [false, true]) func commitsMeanwhileAreInIt(changesSections: Bool) throws {
        let world = try World()
        let gates = [Gate(world.first), Gate(world.second)]
        try world.begin()
        try world.first.execute("DELETE FROM items WHERE id % 7 = 0")
        try world.second.execute("UPDATE items SET name = 'x' || id WHERE id % 5 = 0")
        if changesSections { try world.first.execute("INSERT INTO lists VALUES (3, '0')") }
        for gate in gates { gate.isOpen = true }
        #expect(try world.end() == nil)
        #expect(try world.isFresh())
        try world.close()
    }

    @Test func aSecondFetchShowsWhatIsThere() throws {
        let world = try World()
        try world.collection.performFetch()
        try world.begin()
        #expect(throws: StoreError.self) { try world.begin() }
        try world.first.execute("DELETE FROM items WHERE id > 100")
        #expect(try world.isFresh())
        #expect(try world.end() == nil)
        #expect(try world.isFresh())
        try world.close()
    }

    @Test(arguments: ["collection", "child", "progress"]) func itCanBeCancelled(by what: String) throws {
        let world = try World()
        let gate = Gate(world.first)
        try world.begin()
        switch what {
        case "collection": #expect(world.collection.cancelFetch())
        case "child": #expect(world.collection.controllers[0].cancelFetch())
        default: world.continues = false
        }
        gate.isOpen = true
        #expect(try world.end()?.status == .cancelled)
        #expect(!world.collection.isFetched)
        #expect(!world.collection.cancelFetch())
        #expect(world.collection.controllers.allSatisfy { $0.fetch == nil })
        try world.close()
    }

    @Test func childrenThatAreInsertedMeanwhileAreReadAsWell() throws {
        let world = try World()
        try world.begin()
        let lists = try FetchedResultsController(store: world.first, request: FetchRequest(entity: "lists"))
        try world.collection.append(lists)
        try world.collection.remove(at: 0)
        #expect(try world.end() == nil)
        #expect(lists.isFetched)
        #expect(try world.collection.numberOfObjects == 500 + 500 + 2)
        try world.close()
    }

    @Test func aFailureOfOneChildLeavesAllAsTheyWere() throws {
        let world = try World()
        let gate = Gate(world.first)
        try world.begin()
        try world.second.execute("DROP TABLE items")
        gate.isOpen = true
        #expect(try world.end() != nil)
        #expect(world.collection.controllers.allSatisfy { !$0.isFetched })
        try world.close()
    }

    @Test func closedStoresLeaveNothingBehind() throws {
        weak var collection: FetchedResultsCollection?
        do {
            let world = try World()
            collection = world.collection
            try world.begin()
            try world.close()
            #expect(world.results.isEmpty)
        }
        #expect(collection == nil)
    }

    @Test func anEmptyCollectionIsFetchedImmediately() throws {
        let collection = try FetchedResultsCollection()
        var results: [StoreError?] = []
        try collection.performFetchAsynchronously { results.append($0) }
        #expect(results == [nil])
        #expect(collection.isFetched)
    }
}
