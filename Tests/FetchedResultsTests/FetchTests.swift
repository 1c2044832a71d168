import ChangeSets
import FetchedResults
import SQLiteKit
import TestSupport
import Testing

@Suite struct Fetching {
    private func makeItems() throws -> Store {
        try makeStore(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, name);
            INSERT INTO items VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd'), (5, 'e')
            """
        )
    }

    @Test func beforeTheFirstFetchReadsSayThatNothingWasFetched() throws {
        let store = try makeItems()
        let controller = try FetchedResultsController(store: store, request: FetchRequest(entity: "items"))
        let recorder = Recorder()
        controller.addObserver(recorder)
        let reads: [() throws -> Void] = [
            { _ = try controller.numberOfObjects }, { _ = try controller.numberOfSections },
            { _ = try controller.section(at: 0) },
            { _ = try controller.numberOfObjects(inSection: 0) },
            { _ = try controller.object(at: ListIndexPath(section: 0, row: 0)) },
            { _ = try controller.indexPath(ofIdentity: [1]) }, { _ = try controller.indexPath(at: 0) },
            { _ = try controller.index(of: ListIndexPath(section: 0, row: 0)) },
            { _ = try controller.sectionIndexTitles },
            { _ = try controller.section(forIndexTitle: "A", at: 0) },
        ]
        for read in reads { expectFailure(.notFetched) { try read() } }
        try store.execute("DELETE FROM items WHERE id = 1")
        #expect(recorder.events == [])
        #expect(!controller.isFetched)
        try controller.performFetch()
        #expect(controller.isFetched)
        #expect(recorder.events == [])
        #expect(try controller.numberOfObjects == 4)
    }

    @Test func fetchingAgainMakesNoCallbacksAndChangesContinueFromThere() throws {
        let store = try makeItems()
        let items = try Watch(store, "items", sort: ["name"])
        try items.controller.performFetch()
        try store.execute("UPDATE items SET name = 'z' WHERE id = 1")
        #expect(items.take() == ["move 1 from 0.0 to 0.4 name"])
        try items.controller.performFetch()
        #expect(items.recorder.events == [])
    }

    @Test func aRequestThatIsSetBeforeTheFetchIsTheOneFetched() throws {
        let store = try makeItems()
        let controller = try FetchedResultsController(store: store, request: FetchRequest(entity: "items"))
        try controller.setRequest(FetchRequest(entity: "items", predicate: "id > ?", parameters: [3]))
        try controller.performFetch()
        #expect(try controller.values("id") == [[4, 5]])
    }

    @Test func anotherRequestDeliversTheDifferenceAsOneChangeSet() throws {
        let store = try makeItems()
        let items = try Watch(store, "items", where: "id > ?", [2])
        var request = items.controller.request
        request.parameters = .positional([3])
        try items.controller.setRequest(request)
        #expect(items.recorder.events == ["will", "delete 3 at (0, 0)", "did"])
        _ = items.take()
        request.predicate = nil
        request.parameters = .positional([])
        request.sorts = [Sort("name", isDescending: true)]
        try items.controller.setRequest(request)
        #expect(items.take() == ["insert 3 at 0.2", "insert 2 at 0.3", "insert 1 at 0.4", "move 5 from 0.1 to 0.0"])
        request.section = Sort("name")
        try items.controller.setRequest(request)
        #expect(try items.controller.numberOfSections == 5)
        #expect(items.take().filter { $0.hasPrefix("section") }.first == "section delete 0 -")
        try items.controller.setRequest(request)
        #expect(items.recorder.events == [])
    }

    @Test func aRequestThatCannotBeLeavesTheListAsItWas() throws {
        let store = try makeItems()
        let items = try Watch(store, "items")
        var request = items.controller.request
        request.predicate = "colour = 1"
        expectFailure(.sql, naming: "colour") { try items.controller.setRequest(request) }
        #expect(items.controller.request.predicate == nil)
        try store.execute("DELETE FROM items WHERE id = 1")
        #expect(items.take() == ["delete 1 at 0.0"])
    }

    @Test func aWindowIsLive() throws {
        let store = try makeItems()
        var request = FetchRequest(entity: "items", sorts: [Sort("name")])
        request.offset = 1
        request.limit = 2
        let items = try Watch(store, request)
        #expect(try items.controller.values("id") == [[2, 3]])
        try store.execute("DELETE FROM items WHERE id = 1")
        #expect(items.take() == ["delete 2 at 0.0", "insert 4 at 0.1"])
        try store.execute("UPDATE items SET name = 'z' WHERE id = 4")
        #expect(items.take() == ["delete 4 at 0.1", "insert 5 at 0.1"])
        try store.execute("INSERT INTO items VALUES (9, 'zz')")
        #expect(items.recorder.events == [])
        request.limit = 3
        try items.controller.setRequest(request)
        #expect(items.take() == ["insert 4 at 0.2"])
    }

    @Test func objectsAreFoundByIdentity() throws {
        let store = try makeItems()
        let items = try Watch(store, "items", sort: ["name"]).controller
        let object = try items.object(at: ListIndexPath(section: 0, row: 2))
        #expect(try items.indexPath(of: object) == ListIndexPath(section: 0, row: 2))
        try store.execute("UPDATE items SET name = '0' WHERE id = 3")
        #expect(try items.indexPath(of: object) == ListIndexPath(section: 0, row: 0))
        #expect(object["name"] == "c")
        try store.execute("DELETE FROM items WHERE id = 3")
        #expect(try items.indexPath(of: object) == nil)
        for identity in [[7], ["3"], [3.5], [nil], [.blob([3])]] as [[Value]] {
            #expect(try items.indexPath(ofIdentity: identity) == nil)
        }
        expectFailure(.range) { _ = try items.indexPath(ofIdentity: []) }
        expectFailure(.range) { _ = try items.indexPath(ofIdentity: [1, 2]) }
        try store.execute("CREATE TABLE others (id INTEGER PRIMARY KEY)")
        let other = try store.insert(into: "others", [])
        expectFailure(.type, naming: "others", "items") { _ = try items.indexPath(of: other) }
    }

    @Test func rowsAreReadInBatchesIntoABoundedCache() throws {
        let store = try makeStore(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200) INSERT INTO items SELECT i FROM n
            """
        )
        var request = FetchRequest(entity: "items")
        request.batchSize = 10
        let items = try Watch(store, request).controller
        func rowsRead(_ body: () throws -> Void) rethrows -> Int {
            let before = items.counters.rowsRead
            try body()
            return items.counters.rowsRead - before
        }
        #expect(try rowsRead { _ = try items.object(at: ListIndexPath(section: 0, row: 13)) } == 10)
        #expect(
            try rowsRead { for row in 10..<20 { _ = try items.object(at: ListIndexPath(section: 0, row: row)) } } == 0)
        #expect(try rowsRead { _ = try items.object(at: ListIndexPath(section: 0, row: 20)) } == 10)
        items.rowCacheSize = 20
        for row in 0..<200 { _ = try items.object(at: ListIndexPath(section: 0, row: row)) }
        #expect(try rowsRead { _ = try items.object(at: ListIndexPath(section: 0, row: 5)) } == 10)
    }

    @Test func severalStoresDoNotDisturbEachOther() throws {
        let (a, b) = (try makeItems(), try makeItems())
        let (ofA, ofB) = (try Watch(a, "items"), try Watch(b, "items"))
        try a.execute("DELETE FROM items")
        #expect(try ofA.controller.numberOfObjects == 0)
        #expect(ofB.recorder.events == [])
    }
}
