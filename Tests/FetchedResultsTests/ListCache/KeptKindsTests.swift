import ChangeSets
import Foundation
import OrderedTree
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// Each kind of list is cached, with these contents.
@Suite struct KeptKinds {
    @Test func everyKindOfIdentityIsCached() throws {
        let starts = try Starts(
            """
            CREATE TABLE a (k TEXT PRIMARY KEY COLLATE NOCASE, v);
            CREATE TABLE b (k, l, v, PRIMARY KEY (k, l)) WITHOUT ROWID;
            CREATE TABLE c (k UNIQUE, v, PRIMARY KEY (k, v));
            CREATE TABLE d (v);
            CREATE VIEW e AS SELECT k AS key, v FROM a WHERE v > 3;
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
                INSERT INTO a SELECT 'Key' || i, i * 7 % 30 FROM n;
            INSERT INTO b SELECT v % 4, x'00' || k, v FROM a;
            INSERT INTO c SELECT CASE WHEN v % 5 THEN k END, v FROM a;
            INSERT INTO d SELECT v FROM a;
            """)
        for entity in ["a", "b", "c", "d", "e"] {
            var request = FetchRequest(entity: entity, sorts: [Sort("v", isDescending: true)])
            request.identity = entity == "e" ? ["key"] : []
            request.cacheName = entity
            func fetch() throws -> (values: [[Value]], isFromCache: Bool) {
                try starts.start { store in
                    let controller = try FetchedResultsController(
                        store: store, request: request, nodes: Starts.smallNodes)
                    try controller.performFetch()
                    let path = ListIndexPath(section: 0, row: 2)
                    let object = try controller.object(at: path)
                    #expect(try controller.indexPath(of: object) == path)
                    #expect(try controller.indexPath(ofIdentity: object.identity) == path)
                    return (try controller.values("v"), controller.engine.counters.cachedFetches == 1)
                }
            }
            let first = try fetch()
            let second = try fetch()
            #expect(!first.isFromCache && second.isFromCache, "\(entity)")
            #expect(first.values == second.values, "\(entity)")
        }
    }

    /// The rows that an offset leaves out are not cached, and are determined at the first change.
    @Test(arguments: [0, 2]) func aWindowThatWasTakenFollowsItsEdges(offset: Int) throws {
        let starts = try Starts(
            """
            CREATE TABLE numbers (id INTEGER PRIMARY KEY, n);
            CREATE INDEX by_n ON numbers(n);
            WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i WHERE i < 30)
                INSERT INTO numbers SELECT i, i * 10 FROM i;
            """)
        var request = FetchRequest(entity: "numbers", sorts: [Sort("n")])
        (request.limit, request.offset, request.cacheName) = (3, offset, "window")
        _ = try starts.fetch(request)
        let taken = try starts.fetch(request) { store, controller in
            let first = Int64(offset)
            try store.execute("DELETE FROM numbers WHERE id = 1")
            #expect(try controller.values("id") == [[.integer(first + 2), .integer(first + 3), .integer(first + 4)]])
            #expect(controller.counters.rereads[.window] == (offset == 0 ? nil : 1))
            try store.execute("UPDATE numbers SET n = 999 WHERE id = 2")
            #expect(try controller.values("id") == [[.integer(first + 3), .integer(first + 4), .integer(first + 5)]])
            #expect(controller.counters.rereads[.window] == (offset == 0 ? nil : 1))
        }
        #expect(taken.isFromCache)
    }

    @Test func aWholeSelectIsCached() throws {
        let starts = try Starts()
        var request = FetchRequest(
            select:
                "SELECT id, title, (SELECT count(*) FROM items WHERE list_id = lists.id) AS n FROM lists WHERE id < ? ORDER BY title",
            parameters: [9], identity: ["id"], sectionColumn: "title")
        request.cacheName = "counts"
        let first = try starts.fetch(request)
        let second = try starts.fetch(request)
        #expect(!first.isFromCache && second.isFromCache)
        #expect(first.rows == second.rows)
    }

    @Test func sectionsOfEveryTypeAreCached() throws {
        let starts = try Starts(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, s);
            INSERT INTO items (s) VALUES (NULL), (1), (2.5), ('text'), (x'ff00'), (CAST(x'ff41' AS TEXT)), (''), (NULL), (1.0);
            """)
        var request = FetchRequest(entity: "items", section: Sort("s"))
        request.cacheName = "typed"
        func values() throws -> [[Cell]] {
            try starts.start { store in
                let controller = try FetchedResultsController(store: store, request: request)
                try controller.performFetch()
                return try (0..<controller.numberOfSections).map { try controller.section(at: $0).rowValues.cells }
            }
        }
        let first = try values()
        #expect(first.count == 7)
        #expect(try values() == first)
        #expect(starts.files.count == 1)
    }

    @Test func anEmptyListIsCached() throws {
        let starts = try Starts()
        for section in [nil, Sort("list_id")] {
            var request = FetchRequest(entity: "items", predicate: "0", section: section)
            request.cacheName = "nothing"
            #expect(try !starts.fetch(request).isFromCache)
            let next = try starts.fetch(request)
            #expect(next.isFromCache)
            #expect(next.rows == (section == nil ? [[]] : []))
        }
    }

    @Test func sectionMapsAreCached() throws {
        let starts = try Starts()
        func fetch(_ change: (Store, SectionMap) throws -> Void = { _, _ in }) throws -> (
            shown: [String], isFromCache: Bool
        ) {
            try starts.start { store in
                var items = FetchRequest(entity: "items", sorts: [Sort("name")])
                items.cacheName = "tasks"
                let map = try SectionMap(
                    store: store, items: items,
                    sections: FetchRequest(entity: "lists", sorts: [Sort("position")]),
                    itemKey: "list_id", indexTitle: "title", nodes: Starts.smallNodes)
                try map.performFetch()
                let isFromCache = map.engine.counters.cachedFetches == 1
                try change(store, map)
                let shown = try (0..<map.numberOfSections).map { index in
                    let title = try map.sectionObject(at: index)?.content?.text(1) ?? "none"
                    return
                        "\(title) \(try map.section(at: index).indexTitle ?? "-") \(try map.numberOfObjects(inSection: index))"
                }
                try map.close()
                return (shown, isFromCache)
            }
        }
        #expect(try fetch() == (["Work W 25", "Home H 25", "Empty E 0"], false))
        let changed = try fetch { store, map in
            let recorder = Recorder()
            map.addObserver(recorder)
            try store.execute("UPDATE lists SET position = 0 WHERE id = 3")
            try store.execute("UPDATE items SET list_id = NULL WHERE id = 1")
            #expect(recorder.events.contains { $0.hasPrefix("section move") })
            #expect(map.engine.list?.rows.checkInvariants() == [])
        }
        #expect(changed == (["Empty E 0", "Work W 24", "Home H 25", "none - 1"], true))
        #expect(try fetch() == (changed.shown, true))
    }

    @Test func mapsOfKeysAreCachedForTheSameKeys() throws {
        let starts = try Starts()
        func fetch(_ keys: [Value], _ emptySections: EmptySections = .shown) throws -> Bool {
            try starts.start { store in
                var items = FetchRequest(entity: "items")
                items.cacheName = "by key"
                let map = try SectionMap(
                    store: store, items: items, sectionKeys: keys, itemKey: "list_id", emptySections: emptySections)
                try map.performFetch()
                return map.engine.counters.cachedFetches == 1
            }
        }
        #expect(try !fetch([1, 2]))
        #expect(try fetch([1, 2]))
        #expect(try !fetch([2, 1]))
        #expect(try !fetch([2, 1, 9]))
        #expect(try !fetch([2, 1, 9], .hidden))
        #expect(try fetch([2, 1, 9], .hidden))
    }

    @Test func theListsOfACollectionAreCachedUnderTheirNames() throws {
        let starts = try Starts()
        func fetch() throws -> [Int] {
            try starts.start { store in
                var lists = FetchRequest(entity: "lists")
                lists.cacheName = "lists"
                let collection = try FetchedResultsCollection(
                    store: store, requests: [lists, FetchRequest(entity: "other"), Starts.request])
                #expect(collection.cacheNames == ["lists", nil, "open items"])
                try collection.performFetch()
                return try (0..<collection.numberOfChildren).map {
                    (try collection.list(at: $0) as? FetchedResultsController)?.engine.counters.cachedFetches ?? -1
                }
            }
        }
        #expect(try fetch() == [0, 0, 0])
        #expect(try fetch() == [1, 0, 1])
    }

    @Test func aFetchInTheBackgroundTakesACachedListAsWell() throws {
        let starts = try Starts()
        for isFromCache in [false, true] {
            try starts.start { store in
                let controller = try FetchedResultsController(
                    store: store, request: Starts.request, nodes: Starts.smallNodes)
                var isDone = false
                try controller.performFetchAsynchronously {
                    #expect($0 == nil); isDone = true
                }
                while !isDone { try store.wait(milliseconds: 1000) }
                #expect(controller.engine.counters.cachedFetches == (isFromCache ? 1 : 0))
                #expect(controller.cachedFiles.list != nil)
                #expect(try controller.numberOfObjects == 34)
            }
        }
    }

    @Test func anAdoptedConnectionCachesListsWhereThereIsNoLog() throws {
        let starts = try Starts(journalMode: "delete")
        for isFromCache in [false, true] {
            let owner = try Connection.open(path: starts.file.path, readOnly: false, create: true)
            defer { owner.close() }
            try owner.execute("PRAGMA journal_mode = DELETE")
            let store = try Store(
                adopting: #require(owner.handle), queuesDelivery: false, cacheDirectory: starts.file.cacheDirectory)
            let controller = try FetchedResultsController(
                store: store, request: Starts.request, nodes: Starts.smallNodes)
            try controller.performFetch()
            #expect(controller.engine.counters.cachedFetches == (isFromCache ? 1 : 0))
            try store.execute("INSERT INTO items VALUES (NULL, 1, 'new', 0)")
            try store.close()
        }
    }
}
