import ChangeSets
@testable import FetchedResults
import SQLiteKit
import TestSupport
import Testing

/// What a change set says of its cause.
@Suite struct Origins {
    /// A list of a store, and another connection to the same file.
    private struct World {
        let file = TemporaryFile()
        let store: Store
        let other: Store
        let items: Watch
        var list: FetchedResultsController { items.controller }

        init(queued: Bool = false, journalMode: String = "wal") throws {
            var options = StoreOptions()
            options.journalMode = journalMode
            other = try Store(path: file.path, options: options)
            try other.executeScript(
                """
                CREATE TABLE items (id INTEGER PRIMARY KEY, name, kind);
                CREATE TABLE unlisted (x);
                INSERT INTO items VALUES (1, 'a', 'k'), (2, 'b', 'k');
                """)
            options.queuesDelivery = queued
            store = try Store(path: file.path, options: options)
            items = try Watch(store, "items", sort: ["name"])
            // Updates of rows that the program has read are always reported.
            _ = try list.values("name")
        }

        func write() throws { try store.execute("UPDATE items SET name = name || '.' WHERE id = 1") }
        func writeElsewhere() throws { try other.execute("UPDATE items SET name = name || ':' WHERE id = 2") }
        func writeUnlisted() throws { try store.execute("INSERT INTO unlisted VALUES (1)") }

        var otherRequest: FetchRequest {
            var request = items.controller.request
            request.predicate = request.predicate == nil ? "id = 1" : nil
            return request
        }
    }

    private func origins(_ recorder: Recorder) -> [ChangeOrigin] {
        defer { _ = recorder.take() }
        return recorder.deliveries.map(\.changeSet.origin)
    }

    /// Steps, and the origins of what the list delivers.
    private typealias Row = (name: String, expected: [ChangeOrigin], steps: (World) throws -> Void)

    private func check(_ rows: [Row], queued: Bool = false, journalMode: String = "wal") throws {
        for row in rows {
            let world = try World(queued: queued, journalMode: journalMode)
            try row.steps(world)
            #expect(origins(world.items.recorder) == row.expected, "\(row.name)")
            // Nothing is left of it.
            try world.list.resume()
            try world.store.dispatch()
            _ = world.items.take()
            try world.write()
            try world.store.dispatch()
            #expect(origins(world.items.recorder) == [.store], "after \(row.name)")
        }
    }

    @Test(arguments: ["wal", "delete"]) func commits(journalMode: String) throws {
        let rows: [Row] = [
            ("a statement", [.store], { try $0.write() }),
            (
                "a transaction", [.store],
                { world in
                    try world.store.transaction {
                        try world.write()
                        try world.write()
                    }
                }
            ),
            (
                "another connection", [.foreign],
                {
                    try $0.writeElsewhere()
                    try $0.store.dispatch()
                }
            ),
            (
                "another connection, then the store", [[.store, .foreign]],
                {
                    try $0.writeElsewhere()
                    try $0.write()
                }
            ),
            (
                "the store, then another connection", [.store, .foreign],
                {
                    try $0.write()
                    try $0.writeElsewhere()
                    try $0.store.dispatch()
                }
            ),
            (
                "another connection, then a transaction", [[.store, .foreign]],
                { world in
                    try world.writeElsewhere()
                    try world.store.transaction { try world.write() }
                }
            ),
            (
                "DDL of the store that adds a column", [],
                { try $0.store.execute("CREATE INDEX by_name ON items (name)") }
            ),
            (
                "DDL of the store that changes rows", [.store],
                {
                    try $0.store.transaction { [store = $0.store] in
                        try store.execute("ALTER TABLE items ADD COLUMN more")
                        try store.execute("DELETE FROM items WHERE id = 2")
                    }
                }
            ),
            (
                "DDL of another connection", [.foreign],
                { world in
                    try world.other.transaction {
                        try world.other.execute("ALTER TABLE items ADD COLUMN more")
                        try world.other.execute("DELETE FROM items WHERE id = 1")
                    }
                    try world.store.dispatch()
                    // The list is as it was for the rest.
                    try world.store.execute("INSERT INTO items (id, name) VALUES (1, 'a')")
                    #expect(origins(world.items.recorder) == [.foreign, .store])
                    try world.writeElsewhere()
                    try world.store.dispatch()
                }
            ),
        ]
        try check(rows, journalMode: journalMode)
    }

    @Test func rollbacks() throws {
        struct Stop: Error {}
        let rows: [Row] = [
            (
                "a transaction that nobody reads", [],
                { world in
                    #expect(throws: Stop.self) {
                        try world.store.transaction {
                            try world.write()
                            throw Stop()
                        }
                    }
                }
            ),
            (
                "a transaction in which the list was fetched", [.store],
                { world in
                    #expect(throws: Stop.self) {
                        try world.store.transaction {
                            try world.write()
                            try world.list.performFetch()
                            throw Stop()
                        }
                    }
                }
            ),
        ]
        try check(rows)
    }

    @Test func requests() throws {
        let rows: [Row] = [
            ("another request", [.request], { try $0.list.setRequest($0.otherRequest) }),
            (
                "another request, then back", [.request, .request],
                {
                    try $0.list.setRequest($0.otherRequest)
                    try $0.list.setRequest($0.otherRequest)
                }
            ),
            (
                "a request after a commit that was not delivered", [[.request, .foreign]],
                {
                    try $0.writeElsewhere()
                    try $0.writeElsewhere()
                    var request = $0.list.request
                    request.sorts = [Sort("name", isDescending: true)]
                    try $0.list.setRequest(request)
                }
            ),
            (
                "a request in a transaction", [[.request, .store]],
                { world in
                    try world.store.transaction {
                        try world.write()
                        try world.list.setRequest(world.otherRequest)
                    }
                }
            ),
            (
                "a request in a callback", [.store, .request],
                { world in
                    let request = world.otherRequest
                    world.items.recorder.didChange = { [recorder = world.items.recorder] list in
                        recorder.didChange = { _ in }
                        #expect(throws: Never.self) {
                            try (list as? FetchedResultsController)?.setRequest(request)
                        }
                    }
                    try world.write()
                }
            ),
            ("a fetch", [], { try $0.list.performFetch() }),
            (
                "a fetch after a request that was set before", [],
                {
                    try $0.list.setPaused(true)
                    try $0.list.setRequest($0.otherRequest)
                    try $0.list.performFetch()
                    try $0.list.resume()
                }
            ),
            (
                "a fetch in a callback", [.store, [.store, .fetch]],
                { world in
                    var count = 0
                    let second = Recorder()
                    world.items.recorder.didDeliver = { list in
                        count += 1
                        if count == 1 { #expect(throws: Never.self) { try list.performFetch() } }
                    }
                    world.list.addObserver(second)
                    try world.write()
                    #expect(origins(second) == [[.store, .fetch]])
                    try world.list.performFetch()
                    world.items.recorder.didDeliver = { _ in }
                    world.items.recorder.willChange = { [recorder = world.items.recorder] list in
                        recorder.willChange = { _ in }
                        #expect(throws: Never.self) { try list.performFetch() }
                    }
                    try world.write()
                }
            ),
        ]
        try check(rows)
    }

    @Test func pauses() throws {
        func pausing(_ steps: @escaping (World) throws -> Void) -> (World) throws -> Void {
            return { world in
                try world.list.setPaused(true)
                try steps(world)
                try world.store.dispatch()
                #expect(origins(world.items.recorder) == [])
                try world.list.resume()
            }
        }
        let rows: [Row] = [
            ("nothing", [], pausing { _ in }),
            ("the store", [[.resume, .store]], pausing { try $0.write() }),
            ("another connection", [[.resume, .foreign]], pausing { try $0.writeElsewhere() }),
            (
                "both", [[.resume, .store, .foreign]],
                pausing {
                    try $0.write()
                    try $0.writeElsewhere()
                }
            ),
            ("another table", [], pausing { try $0.writeUnlisted() }),
            ("a request", [[.resume, .request]], pausing { try $0.list.setRequest($0.otherRequest) }),
            (
                "another connection, delivered by the resumption", [[.resume, .foreign]],
                { world in
                    try world.list.setPaused(true)
                    try world.writeElsewhere()
                    try world.list.resume()
                }
            ),
            (
                "a reload", [.resume],
                { world in
                    try world.list.setPaused(true)
                    try world.list.resume(reload: true)
                }
            ),
        ]
        try check(rows)
    }

    @Test func queues() throws {
        let rows: [Row] = [
            (
                "the store", [.store],
                {
                    try $0.write()
                    try $0.store.dispatch()
                }
            ),
            (
                "both", [[.store, .foreign]],
                {
                    try $0.write()
                    try $0.writeElsewhere()
                    try $0.store.dispatch()
                }
            ),
            (
                "a request after a commit that was not delivered", [[.request, .store]],
                {
                    try $0.write()
                    try $0.list.setRequest($0.otherRequest)
                }
            ),
        ]
        try check(rows, queued: true)
    }

    /// A list that could not be read says what it missed once it can.
    @Test func recoveries() throws {
        let store = try makeStore(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, name); INSERT INTO items VALUES (1, 'a')")
        let items = try Watch(store, "items", sort: ["name"])
        try store.execute("DROP TABLE items")
        #expect(items.recorder.errors.count == 1)
        try store.executeScript(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, name); INSERT INTO items VALUES (2, 'b')")
        let origin = try items.delivery().changeSet.origin
        #expect(origin == .store)
    }

    @Test func sectionMaps() throws {
        let store = try makeStore(
            """
            CREATE TABLE kinds (id INTEGER PRIMARY KEY, name);
            CREATE TABLE items (id INTEGER PRIMARY KEY, kind REFERENCES kinds);
            INSERT INTO kinds VALUES (1, 'x'), (2, 'y');
            INSERT INTO items VALUES (1, 1), (2, 2);
            """)
        let map = try SectionMap(
            store: store, items: FetchRequest(entity: "items"), sections: FetchRequest(entity: "kinds"), itemKey: "kind"
        )
        let recorder = Recorder()
        map.addObserver(recorder)
        try map.performFetch()
        try store.execute("INSERT INTO kinds VALUES (3, 'z')")
        try store.execute("UPDATE items SET kind = 3 WHERE id = 1")
        #expect(origins(recorder) == [.store, .store])
        try map.setEmptySections(.hidden)
        try map.setSectionRequest(FetchRequest(entity: "kinds", sorts: [Sort("name", isDescending: true)]))
        #expect(origins(recorder) == [.request, .request])
        // Sets what is set already, which the next delivery does not say.
        try map.setEmptySections(.hidden)
        try store.execute("UPDATE items SET kind = 1 WHERE id = 1")
        #expect(origins(recorder) == [.store])
        try map.setDisabled(true)
        try store.execute("DELETE FROM items")
        try map.setEmptySections(.shown)
        try map.setDisabled(false)
        #expect(origins(recorder) == [[.resume, .request, .store]])
    }

    @Test func collections() throws {
        let world = try World()
        let second = try FetchedResultsController(store: world.store, request: FetchRequest(entity: "unlisted"))
        try second.performFetch()
        let collection = try FetchedResultsCollection([world.list, second])
        let recorder = Recorder()
        collection.addObserver(recorder)
        try collection.performFetch()

        try world.write()
        try world.writeElsewhere()
        try world.store.dispatch()
        try world.list.setRequest(world.otherRequest)
        #expect(origins(recorder) == [.store, .foreign, .request])

        // One list catches up while another follows: the collection has the origins of both.
        try world.list.setPaused(true)
        try world.write()
        try world.store.transaction {
            try world.writeUnlisted()
            try world.list.resume()
        }
        #expect(origins(world.items.recorder).last == [.resume, .store])
        #expect(origins(recorder) == [[.resume, .store]])

        try world.list.performFetch()
        #expect(origins(recorder) == [.fetch])
        try collection.setShowsEmptyLists(true)
        try world.store.execute("DELETE FROM unlisted")
        try collection.remove(at: 0)
        #expect(origins(recorder).suffix(2) == [.store, .request])
    }

    @Test func compositionsHaveTheOriginOfBoth() {
        let path = ListIndexPath(section: 0, row: 0)
        let first = ChangeSet(objectChanges: [.insert(1, at: path)], origin: .store)
        let second = ChangeSet(objectChanges: [.update(1, from: path, to: path, changedColumns: [0])], origin: .foreign)
        #expect(first.followed(by: second).origin == [.store, .foreign])
        #expect(first.followed(by: .reload(from: .resume)).origin == [.store, .resume])
        #expect(first.followed(by: ChangeSet()).origin == .store)
        #expect(first.shifted(old: 1, new: 1).origin == .store)
        #expect(first.replacingRowMoves().origin == .store)
        #expect(first == ChangeSet(objectChanges: [.insert(1, at: path)]))
        #expect("\(second.origin.union(.store))" == "store | foreign")
    }
}
