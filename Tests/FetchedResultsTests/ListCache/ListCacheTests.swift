import ChangeSets
import Foundation
import OrderedTree
import SQLiteKit
import Testing

@testable import FetchedResults

/// A database file whose lists are kept, opened again and again as by one start of a program after the other.
struct Starts {
    let file = TemporaryFile()
    var options = StoreOptions()

    static let script = """
        CREATE TABLE lists (id INTEGER PRIMARY KEY, title TEXT, position INTEGER);
        CREATE TABLE items (id INTEGER PRIMARY KEY, list_id INTEGER REFERENCES lists(id), name TEXT COLLATE NOCASE, done);
        INSERT INTO lists VALUES (1, 'Home', 2), (2, 'Work', 1), (3, 'Empty', 3);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
            INSERT INTO items SELECT i, 1 + i % 2, 'item ' || (i * 7 % 50), i % 3 = 0 FROM n;
        CREATE TABLE other (id INTEGER PRIMARY KEY, x);
        """

    init(_ script: String = Starts.script, journalMode: String? = nil) throws {
        options.cacheDirectory = file.cacheDirectory
        options.journalMode = journalMode
        try start { try $0.executeScript(script) }
    }

    /// Opens the store, does something, and closes it.
    func start<Result>(_ body: (Store) throws -> Result) throws -> Result {
        let store = try Store(path: file.path, options: options)
        defer { store.close() }
        return try body(store)
    }

    static var request: FetchRequest {
        var request = FetchRequest(
            entity: "items", predicate: "done = ?", parameters: [0],
            sortDescriptors: [SortDescriptor("name"), SortDescriptor("list_id.title")], section: SortDescriptor("list_id"))
        request.cacheName = "open items"
        return request
    }

    static let smallNodes = NodeSizes(leafCapacity: 4, fanout: 4)

    /// Fetches in a start of its own: what the list shows, and whether it was taken as it was kept.
    func fetch(
        _ request: FetchRequest = Starts.request, then: (Store, FetchedResultsController) throws -> Void = { _, _ in }
    ) throws -> (rows: [[Value]], isFromCache: Bool) {
        try start { store in
            let controller = try FetchedResultsController(store: store, request: request, nodes: Self.smallNodes)
            try controller.performFetch()
            let isFromCache = controller.counters.cachedFetches == 1
            #expect(controller.counters.rereads[.fetch, default: 0] == (isFromCache ? 0 : 1))
            #expect(controller.list?.rows.checkInvariants() == [])
            let rows = try controller.values("id")
            try then(store, controller)
            return (rows, isFromCache)
        }
    }

    /// The files of all lists that are kept.
    var files: [String] {
        let names = FileManager.default.enumerator(atPath: file.cacheDirectory)?.allObjects.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".list") }.sorted().map { file.cacheDirectory + "/" + $0 }
    }
}

@Suite struct KeptLists {
    @Test func aListIsTakenAsItWasKeptByTheStartBefore() throws {
        let starts = try Starts()
        let first = try starts.fetch()
        #expect(!first.isFromCache && first.rows.count == 2)
        let second = try starts.fetch { _, controller in
            // Nothing was read but what is looked at.
            #expect(controller.counters.rowsRead <= controller.request.batchSize * 2 + 20)
        }
        #expect(second.isFromCache)
        #expect(second.rows == first.rows)
    }

    @Test(arguments: ["wal", "delete", "truncate", "persist"])
    func changesAfterTheFetchAreKeptWhenTheStoreCloses(journalMode: String) throws {
        let starts = try Starts(journalMode: journalMode)
        let changed = try starts.start { store in
            let controller = try FetchedResultsController(store: store, request: Starts.request, nodes: Starts.smallNodes)
            try controller.performFetch()
            try store.execute("UPDATE items SET name = 'a first', list_id = 2 WHERE id = 10")
            try store.execute("DELETE FROM items WHERE id = 11")
            return try controller.values("id")
        }
        let next = try starts.fetch()
        #expect(next.isFromCache)
        #expect(next.rows == changed)
    }

    @Test func whatIsFreedBeforeTheStoreClosesIsKeptAsWell() throws {
        let starts = try Starts()
        try starts.start { store in
            do {
                let controller = try FetchedResultsController(store: store, request: Starts.request, nodes: Starts.smallNodes)
                try controller.performFetch()
                try store.execute("DELETE FROM items WHERE id = 11")
                controller.invalidate()
            }
        }
        #expect(try starts.fetch().isFromCache)
    }

    @Test func aListThatWasTakenFollowsChangesLikeAnyOther() throws {
        let starts = try Starts()
        _ = try starts.fetch()
        let taken = try starts.fetch { store, controller in
            let recorder = Recorder()
            controller.addObserver(recorder)
            for id in 1...50 {
                try store.execute("UPDATE items SET name = 'n' || ?, list_id = ? WHERE id = ?", [.integer(Int64(id * 13 % 50)), .integer(Int64(1 + id % 3)), .integer(Int64(id))])
                #expect(controller.list?.rows.checkInvariants() == [])
            }
            var request = controller.request
            request.cacheName = nil
            let reread = try FetchedResultsController(store: store, request: request)
            try reread.performFetch()
            #expect(try controller.values("id") == reread.values("id"))
            #expect(recorder.events.contains { $0.hasPrefix("move") })
            #expect(controller.counters.rereads.isEmpty)
        }
        #expect(taken.isFromCache)
    }

    // MARK: What makes a kept list stale

    @Test func aCommitOfAnyoneAfterwardsMakesItStale() throws {
        let starts = try Starts()
        _ = try starts.fetch()
        try starts.start { try $0.execute("INSERT INTO other VALUES (1, 1)") }
        let next = try starts.fetch()
        #expect(!next.isFromCache)
        #expect(try starts.fetch().isFromCache)
    }

    @Test func aCommitOfAnotherProgramMeanwhileMakesItStale() throws {
        let starts = try Starts()
        _ = try starts.fetch()
        let other = try Store(path: starts.file.path)
        defer { other.close() }
        #expect(try starts.fetch().isFromCache)
        try other.execute("UPDATE items SET name = 'Z' WHERE id = 1")
        #expect(try !starts.fetch().isFromCache)
        // Its log stays, as long as the other program has the database open.
        #expect(try starts.fetch().isFromCache)
    }

    @Test func anotherRequestOfTheSameNameIsReadAndTakesThePlace() throws {
        let starts = try Starts()
        _ = try starts.fetch()
        var requests: [FetchRequest] = []
        func add(_ change: (inout FetchRequest) -> Void) {
            var request = Starts.request
            change(&request)
            requests.append(request)
        }
        add { $0.predicate = "done = ? AND 1" }
        add { $0.parameters = .positional([1]) }
        add { $0.parameters = .positional([0.0]) }
        add { $0.parameters = .positional(["0"]) }
        add { $0.sortDescriptors = [SortDescriptor("name", isDescending: true)] }
        add { $0.sortDescriptors = [SortDescriptor("name", nulls: .last)] }
        add { $0.sortDescriptors = [SortDescriptor("name", collation: "BINARY")] }
        add { $0.section = nil }
        add { $0.section = SortDescriptor("list_id.title") }
        add { $0.section = SortDescriptor("list_id", isDescending: true) }
        add { $0.limit = 3 }
        add { ($0.limit, $0.offset) = (3, 1) }
        add { ($0.predicate, $0.parameters) = ("done = :done", .named([("done", 0)])) }
        add { ($0.predicate, $0.parameters) = ("done = :done", .named([("done", 1)])) }
        for request in requests {
            let first = try starts.fetch(request)
            #expect(!first.isFromCache, "\(request)")
            let second = try starts.fetch(request)
            #expect(second.isFromCache, "\(request)")
            #expect(second.rows == first.rows)
        }
    }

    @Test func anotherSchemaMakesItStale() throws {
        let starts = try Starts()
        _ = try starts.fetch()
        try starts.start { try $0.execute("ALTER TABLE items ADD COLUMN note") }
        #expect(try !starts.fetch().isFromCache)
    }

    @Test func anotherDatabaseInItsPlaceMakesItStale() throws {
        let starts = try Starts()
        _ = try starts.fetch()
        let copy = starts.file.path + "-copy"
        try FileManager.default.copyItem(atPath: starts.file.path, toPath: copy)
        try FileManager.default.removeItem(atPath: starts.file.path)
        try FileManager.default.moveItem(atPath: copy, toPath: starts.file.path)
        #expect(try !starts.fetch().isFromCache)
    }

    @Test func aListThatDependsOnMoreThanTheDataIsNotKept() throws {
        let starts = try Starts()
        for predicate in [
            "name < date('now')", "random() IS NOT NULL", "name <> CURRENT_TIMESTAMP", "changes() >= 0",
            "id IN (SELECT id FROM temp.chosen)",
        ] {
            var request = FetchRequest(entity: "items", predicate: predicate)
            request.cacheName = "x"
            for _ in 1...2 {
                try starts.start { store in
                    try store.execute("CREATE TEMP TABLE chosen (id)")
                    let controller = try FetchedResultsController(store: store, request: request)
                    try controller.performFetch()
                    #expect(controller.counters.cachedFetches == 0, "\(predicate)")
                }
            }
            #expect(starts.files == [], "\(predicate)")
        }
    }

    @Test func insideATransactionThatWritesTheListIsRead() throws {
        let starts = try Starts()
        _ = try starts.fetch()
        try starts.start { store in
            try store.begin()
            try store.execute("DELETE FROM items WHERE id > 5")
            let controller = try FetchedResultsController(store: store, request: Starts.request, nodes: Starts.smallNodes)
            try controller.performFetch()
            #expect(try controller.numberOfObjects == 4)
            try store.rollback()
            #expect(try controller.numberOfObjects == 34)
        }
    }

    @Test func aDamagedFileIsReadAnewAndReplaced() throws {
        let starts = try Starts()
        let rows = try starts.fetch().rows
        let path = try #require(starts.files.first)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        var damaged = [Data(), whole.prefix(64), whole.prefix(128), whole.dropLast(8), whole + Data(count: 8), Data(count: whole.count)]
        for offset in stride(from: 0, to: whole.count, by: 37) {
            var copy = whole
            copy[offset] ^= 0x41
            damaged.append(copy)
        }
        for data in damaged {
            try data.write(to: URL(fileURLWithPath: path))
            let next = try starts.fetch()
            // The last bytes of the header say nothing.
            #expect(next.rows == rows)
            #expect(!next.isFromCache || data.count == whole.count)
            #expect(try starts.fetch().isFromCache)
        }
    }

    // MARK: Kinds of lists

    @Test func everyKindOfIdentityIsKept() throws {
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
            var request = FetchRequest(entity: entity, sortDescriptors: [SortDescriptor("v", isDescending: true)])
            request.identity = entity == "e" ? ["key"] : []
            request.cacheName = entity
            func fetch() throws -> (values: [[Value]], isFromCache: Bool) {
                try starts.start { store in
                    let controller = try FetchedResultsController(store: store, request: request, nodes: Starts.smallNodes)
                    try controller.performFetch()
                    let path = IndexPath(section: 0, row: 2)
                    let object = try controller.object(at: path)
                    #expect(try controller.indexPath(of: object) == path)
                    #expect(try controller.indexPath(ofIdentity: object.identity) == path)
                    return (try controller.values("v"), controller.counters.cachedFetches == 1)
                }
            }
            let first = try fetch()
            let second = try fetch()
            #expect(!first.isFromCache && second.isFromCache, "\(entity)")
            #expect(first.values == second.values, "\(entity)")
        }
    }

    @Test func aWholeSelectIsKept() throws {
        let starts = try Starts()
        var request = FetchRequest(
            select: "SELECT id, title, (SELECT count(*) FROM items WHERE list_id = lists.id) AS n FROM lists WHERE id < ? ORDER BY title",
            parameters: [9], identity: ["id"], sectionColumn: "title")
        request.cacheName = "counts"
        let first = try starts.fetch(request)
        let second = try starts.fetch(request)
        #expect(!first.isFromCache && second.isFromCache)
        #expect(first.rows == second.rows)
    }

    @Test func sectionsOfEveryTypeAreKept() throws {
        let starts = try Starts(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, s);
            INSERT INTO items (s) VALUES (NULL), (1), (2.5), ('text'), (x'ff00'), (CAST(x'ff41' AS TEXT)), (''), (NULL), (1.0);
            """)
        var request = FetchRequest(entity: "items", section: SortDescriptor("s"))
        request.cacheName = "typed"
        func values() throws -> [[Cell]] {
            try starts.start { store in
                let controller = try FetchedResultsController(store: store, request: request)
                try controller.performFetch()
                return try (0..<controller.numberOfSections).map { try controller.section(at: $0).record.cells }
            }
        }
        let first = try values()
        #expect(first.count == 7)
        #expect(try values() == first)
        #expect(starts.files.count == 1)
    }

    @Test func anEmptyListIsKept() throws {
        let starts = try Starts()
        for section in [nil, SortDescriptor("list_id")] {
            var request = FetchRequest(entity: "items", predicate: "0", section: section)
            request.cacheName = "nothing"
            #expect(try !starts.fetch(request).isFromCache)
            let next = try starts.fetch(request)
            #expect(next.isFromCache)
            #expect(next.rows == (section == nil ? [[]] : []))
        }
    }

    @Test func sectionMapsAreKept() throws {
        let starts = try Starts()
        func fetch(_ change: (Store, SectionMap) throws -> Void = { _, _ in }) throws -> (shown: [String], isFromCache: Bool) {
            try starts.start { store in
                var items = FetchRequest(entity: "items", sortDescriptors: [SortDescriptor("name")])
                items.cacheName = "tasks"
                let map = try SectionMap(
                    store: store, items: items, sections: FetchRequest(entity: "lists", sortDescriptors: [SortDescriptor("position")]),
                    itemKey: "list_id", indexTitle: "title", nodes: Starts.smallNodes)
                try map.performFetch()
                let isFromCache = map.counters.cachedFetches == 1
                try change(store, map)
                let shown = try (0..<map.numberOfSections).map { index in
                    let title = try map.sectionObject(at: index)?.content?.text(1) ?? "none"
                    return "\(title) \(try map.section(at: index).indexTitle ?? "-") \(try map.numberOfObjects(inSection: index))"
                }
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
            #expect(map.list?.rows.checkInvariants() == [])
        }
        #expect(changed == (["Empty E 0", "Work W 24", "Home H 25", "none - 1"], true))
        #expect(try fetch() == (changed.shown, true))
    }

    @Test func mapsOfKeysAreKeptForTheSameKeys() throws {
        let starts = try Starts()
        func fetch(_ keys: [Value], _ emptySections: EmptySections = .kept) throws -> Bool {
            try starts.start { store in
                var items = FetchRequest(entity: "items")
                items.cacheName = "by key"
                let map = try SectionMap(
                    store: store, items: items, sectionKeys: keys, itemKey: "list_id", emptySections: emptySections)
                try map.performFetch()
                return map.counters.cachedFetches == 1
            }
        }
        #expect(try !fetch([1, 2]))
        #expect(try fetch([1, 2]))
        #expect(try !fetch([2, 1]))
        #expect(try !fetch([2, 1, 9]))
        #expect(try !fetch([2, 1, 9], .hidden))
        #expect(try fetch([2, 1, 9], .hidden))
    }

    @Test func theListsOfACollectionAreKeptUnderTheirNames() throws {
        let starts = try Starts()
        func fetch() throws -> [Int] {
            try starts.start { store in
                var lists = FetchRequest(entity: "lists")
                lists.cacheName = "lists"
                let collection = try FetchedResultsCollection(store: store, requests: [lists, FetchRequest(entity: "other"), Starts.request])
                #expect(collection.cacheNames == ["lists", nil, "open items"])
                try collection.performFetch()
                return try (0..<collection.numberOfChildren).map {
                    (try collection.list(at: $0) as? FetchedResultsController)?.counters.cachedFetches ?? -1
                }
            }
        }
        #expect(try fetch() == [0, 0, 0])
        #expect(try fetch() == [1, 0, 1])
    }

    @Test func aFetchInTheBackgroundTakesAKeptListAsWell() throws {
        let starts = try Starts()
        for isFromCache in [false, true] {
            try starts.start { store in
                let controller = try FetchedResultsController(store: store, request: Starts.request, nodes: Starts.smallNodes)
                var isDone = false
                try controller.performFetchAsynchronously { #expect($0 == nil); isDone = true }
                while !isDone { try store.wait(milliseconds: 1000) }
                #expect(controller.counters.cachedFetches == (isFromCache ? 1 : 0))
                #expect(try controller.numberOfObjects == 34)
            }
        }
    }

    @Test func anAdoptedConnectionKeepsListsWhereThereIsNoLog() throws {
        let starts = try Starts(journalMode: "delete")
        for isFromCache in [false, true] {
            let owner = try Store(path: starts.file.path, options: starts.options)
            let store = try Store(
                adopting: owner.share(), queuesDelivery: false, cacheDirectory: starts.file.cacheDirectory)
            let controller = try FetchedResultsController(store: store, request: Starts.request, nodes: Starts.smallNodes)
            try controller.performFetch()
            #expect(controller.counters.cachedFetches == (isFromCache ? 1 : 0))
            try store.execute("INSERT INTO items VALUES (NULL, 1, 'new', 0)")
            store.close()
            owner.close()
        }
    }

    // MARK: Where nothing can be kept

    @Test func whileAnotherConnectionWritesNothingIsKeptAndNobodyWaits() throws {
        let starts = try Starts()
        let other = try Store(path: starts.file.path)
        defer { other.close() }
        try other.begin()
        let first = try starts.fetch { store, _ in
            var timeout: [Value] = []
            try store.query("PRAGMA busy_timeout") { timeout = $0 }
            #expect(timeout == [5000])
        }
        #expect(!first.isFromCache)
        #expect(starts.files == [])
        try other.rollback()
        #expect(try !starts.fetch().isFromCache)
        #expect(try starts.fetch().isFromCache)
    }

    @Test func aReadOnlyStoreTakesListsAndKeepsNone() throws {
        let starts = try Starts()
        var reading = starts
        reading.options.isReadOnly = true
        #expect(try !reading.fetch().isFromCache)
        #expect(starts.files == [])
        _ = try starts.fetch()
        #expect(try reading.fetch().isFromCache)
    }

    @Test func aDatabaseInMemoryKeepsNothing() throws {
        let store = try makeStore(Starts.script)
        let controller = try FetchedResultsController(store: store, request: Starts.request, nodes: Starts.smallNodes)
        try controller.performFetch()
        try controller.performFetch()
        #expect(controller.counters.cachedFetches == 0)
        try store.deleteCache(named: "open items")
        try store.deleteAllCaches()
    }

    @Test func aControllerThatGoesInsideAWriteLeavesTheWriteAlone() throws {
        let starts = try Starts()
        try starts.start { store in
            var controller: FetchedResultsController? = try FetchedResultsController(store: store, request: Starts.request)
            try controller?.performFetch()
            try store.addCollation("LETS_GO") { a, b in
                controller = nil
                return a < b ? -1 : a == b ? 0 : 1
            }
            try store.execute("INSERT INTO other (x) SELECT name FROM items ORDER BY name COLLATE LETS_GO")
            #expect(controller == nil)
            #expect(try !store.isInTransaction)
            var count: [Value] = []
            try store.query("SELECT count(*) FROM other") { count = $0 }
            #expect(count == [50])
        }
        #expect(try !starts.fetch().isFromCache)
    }

    @Test func aDirectoryThatCannotBeDoesNoHarm() throws {
        var starts = try Starts()
        for directory in ["/proc/nowhere", starts.file.path, ""] {
            starts.options.cacheDirectory = directory
            for _ in 1...2 { #expect(try !starts.fetch().isFromCache) }
        }
    }

    // MARK: Deleting

    @Test func listsAreDeletedByNameOrAllTogether() throws {
        let starts = try Starts()
        let names = ["open items", "a/b", "..", "ä%", String(repeating: "long", count: 100), "open items 2"]
        for name in names {
            var request = Starts.request
            request.cacheName = name
            _ = try starts.fetch(request)
            #expect(try starts.fetch(request).isFromCache, "\(name)")
        }
        #expect(starts.files.count == names.count)
        try starts.start { try $0.deleteCache(named: "open items") }
        #expect(try !starts.fetch().isFromCache)
        try starts.start { try $0.deleteCache(named: "unknown") }
        #expect(starts.files.count == names.count)
        try starts.start { try $0.deleteAllCaches() }
        #expect(starts.files == [])
        try starts.start { try $0.deleteAllCaches() }
    }
}
