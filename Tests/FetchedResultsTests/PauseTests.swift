import ChangeSets
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// Lists that hold their changes back, and catch up.
@Suite struct Pauses {
    private let script =
        """
        CREATE TABLE kinds (id INTEGER PRIMARY KEY);
        CREATE TABLE items (id INTEGER PRIMARY KEY, kind REFERENCES kinds);
        INSERT INTO kinds VALUES (1), (2);
        INSERT INTO items VALUES (1, 1), (2, 2);
        """

    private func makeMap(_ store: Store) throws -> (SectionMap, Recorder) {
        let map = try SectionMap(
            store: store, items: FetchRequest(entity: "items"), sections: FetchRequest(entity: "kinds"), itemKey: "kind"
        )
        let recorder = Recorder()
        map.addObserver(recorder)
        try map.performFetch()
        return (map, recorder)
    }

    private enum Step: CaseIterable {
        case pause, resume, disable, enable, write
    }

    /// Each order of four steps: nothing is delivered as long as the map is paused or disabled, and
    /// all missed changes are delivered when it is neither, as a reload if it was disabled
    /// meanwhile.
    @Test func pausedAndDisabledEachHoldChangesBack() throws {
        let store = try makeStore(script)
        let (map, recorder) = try makeMap(store)
        var next: Int64 = 10
        for number in 0..<625 {
            var (isPaused, isDisabled, hasMissed, wantsReload) = (false, false, false, false)
            var rest = number
            for _ in 0..<4 {
                let step = Step.allCases[rest % 5]
                rest /= 5
                let wasHeld = isPaused || isDisabled
                switch step {
                case .pause:
                    try map.setPaused(true)
                    isPaused = true
                case .resume:
                    try map.resume()
                    isPaused = false
                case .disable:
                    try map.setDisabled(true)
                    isDisabled = true
                case .enable:
                    try map.setDisabled(false)
                    wantsReload = wantsReload || isDisabled
                    isDisabled = false
                case .write:
                    try store.execute("INSERT INTO items VALUES (?, 2)", [.integer(next)])
                    next += 1
                    hasMissed = true
                }
                #expect(map.isPaused == isPaused && map.isDisabled == isDisabled)
                let changes = recorder.deliveries.map(\.changeSet)
                _ = recorder.take()
                if isPaused || isDisabled || !(wasHeld || step == .write) {
                    #expect(changes.isEmpty, "\(number), \(step)")
                    continue
                }
                #expect(changes.count == (hasMissed || wantsReload ? 1 : 0), "\(number), \(step)")
                #expect(changes.allSatisfy { $0.isReload == wantsReload }, "\(number), \(step)")
                (hasMissed, wantsReload) = (false, false)
            }
            try map.setPaused(true)
            try map.setDisabled(true)
            try map.setDisabled(false)
            try map.resume()
            if number % 25 == 0 { try store.execute("DELETE FROM items WHERE id > 2") }
            _ = recorder.take()
        }
    }

    @Test func aReloadIsACallbackOfItsOwn() throws {
        let store = try makeStore(script)
        let items = try Watch(store, "items")
        let collection = try FetchedResultsCollection([items.controller])
        let recorder = Recorder()
        collection.addObserver(recorder)
        try collection.performFetch()
        try items.controller.setPaused(true)
        try items.controller.resume(reload: true)
        #expect(items.recorder.events == ["will", "reload", "did"])
        #expect(recorder.events == ["will", "reload", "did"])
    }

    @Test func aListMayBePausedBeforeItsFetch() throws {
        let store = try makeStore(script)
        let items = try FetchedResultsController(store: store, request: FetchRequest(entity: "items"))
        try items.setPaused(true)
        try items.resume(reload: true)
        #expect(!items.isFetched)
        try items.setPaused(true)
        try items.performFetch()
        try store.execute("DELETE FROM items WHERE id = 1")
        #expect(try items.numberOfObjects == 2)
        try items.resume()
        #expect(try items.numberOfObjects == 1)
    }

    /// In a store that queues its deliveries, a list that is due is delivered with what waits, at
    /// `dispatch`.
    @Test(arguments: [false, true]) func aListThatIsDueWaitsForDispatchIfSomethingElseDoes(isForeign: Bool) throws {
        let file = TemporaryFile()
        var options = StoreOptions()
        options.queuesDelivery = true
        let store = try Store(path: file.path, options: options)
        try store.executeScript(script)
        try store.dispatch()
        let writer = isForeign ? try Store(path: file.path) : store
        let (due, other) = (try Watch(store, "items"), try Watch(store, "items"))
        try due.controller.setPaused(true)
        try writer.execute("DELETE FROM items WHERE id = 1")
        try due.controller.resume()
        for items in [due, other] {
            #expect(items.recorder.events == [])
            #expect(try items.controller.numberOfObjects == 2)
        }
        try store.dispatch()
        for items in [due, other] {
            #expect(items.take() == ["delete 1 at 0.0"])
            #expect(try items.controller.numberOfObjects == 1)
        }
    }

    @Test func aListThatStillCanNotBeReadReportsThatAgain() throws {
        let store = try makeStore(script)
        let items = try Watch(store, "items")
        let (map, recorder) = try makeMap(store)
        try store.execute("PRAGMA foreign_keys = OFF")
        try store.execute("ALTER TABLE items RENAME TO away")
        #expect(items.recorder.errors.count == 1)
        #expect(recorder.errors.count == 1)
        for reload in [false, true] {
            try items.controller.setPaused(true)
            try items.controller.resume(reload: reload)
            #expect(items.recorder.errors.count == (reload ? 3 : 2))
        }
        try map.setDisabled(true)
        try map.setDisabled(false)
        #expect(recorder.errors.count == 2)
        try store.execute("INSERT INTO away VALUES (3, 1)")
        #expect(items.recorder.errors.count == 3)
        try store.execute("ALTER TABLE away RENAME TO items")
        #expect(items.take() == ["insert 3 at 0.2"])
        #expect(try map.values("id") == [[1, 3], [2]])
    }

    @Test func aRequestTakenInATransactionThatIsRolledBackShowsTheColumnsThatAreThere() throws {
        let store = try makeStore(script)
        let items = try Watch(store, "items")
        let (map, _) = try makeMap(store)
        try items.controller.setPaused(true)
        try map.setPaused(true)
        try store.begin()
        try store.executeScript("ALTER TABLE items ADD COLUMN more; ALTER TABLE kinds ADD COLUMN more")
        let descending = [Sort("id", isDescending: true)]
        try items.controller.setRequest(FetchRequest(entity: "items", sorts: descending))
        try map.setRequest(FetchRequest(entity: "items", sorts: descending))
        try map.setSectionRequest(FetchRequest(entity: "kinds", sorts: descending))
        try store.rollback()
        try items.controller.resume()
        try map.resume()
        #expect(try items.controller.object(at: ListIndexPath(section: 0, row: 0)).columns == ["id", "kind"])
        #expect(try items.controller.values("id") == [[2, 1]])
        #expect(try map.object(at: ListIndexPath(section: 0, row: 0)).columns == ["id", "kind"])
        #expect(try map.sectionObject(at: 0)?.columns == ["id"])
        #expect(try map.values("id") == [[2], [1]])
        // A program that has the connection may have changed the schema, so rows are checked.
        _ = try store.sqliteHandle
        try store.executeScript("INSERT INTO items VALUES (3, 1)")
        #expect(try items.controller.values("id") == [[3, 2, 1]])
        #expect(try map.values("id") == [[2], [3, 1]])
    }

    @Test func aConnectionServesOneStore() throws {
        let store = try makeStore(script)
        let handle = try store.sqliteHandle
        expectFailure(.misuse, naming: "another store") { _ = try Store(adopting: handle, queuesDelivery: false) }
        try store.execute("INSERT INTO items VALUES (5, 1)")
        try store.close()
    }

    /// A list that was fetched inside a transaction, and paused and resumed there, shows nothing of
    /// it after a rollback.
    @Test(arguments: [false, true]) func aRollbackAfterAPauseIsFollowed(commits: Bool) throws {
        let store = try makeStore(script)
        let items = try FetchedResultsController(store: store, request: FetchRequest(entity: "items"))
        try store.begin()
        try store.execute("INSERT INTO items VALUES (3, 1)")
        try items.performFetch()
        #expect(try items.numberOfObjects == 3)
        try items.setPaused(true)
        try items.resume()
        if commits { try store.commit() } else { try store.rollback() }
        #expect(try items.numberOfObjects == (commits ? 3 : 2))
    }

    /// The changes of a row that was never read are not known during a pause, also if another
    /// request is set meanwhile.
    @Test func aRowThatWasMissedIsNotSaidToBeTheSame() throws {
        let store = try makeStore(script)
        try store.execute("INSERT INTO items VALUES (3, 2)")
        let order = Sort("kind")
        let items = try FetchedResultsController(
            store: store, request: FetchRequest(entity: "items", sorts: [order]))
        let recorder = Recorder()
        items.addObserver(recorder)
        try items.performFetch()
        try items.setPaused(true)
        try store.executeScript("INSERT INTO kinds VALUES (3); UPDATE items SET kind = 3 WHERE id = 1")
        try items.setRequest(FetchRequest(entity: "items", predicate: "id > 0", sorts: [order]))
        try items.resume()
        let move = try #require(recorder.deliveries.last?.changeSet.objectChanges.first { $0.id == 1 })
        #expect(move.changedColumns.columns == nil)
    }

    /// Sections follow the tables that another section request depends on, also if it was set
    /// during a pause.
    @Test(arguments: [false, true]) func aSectionRequestThatIsSetIsWatched(isPaused: Bool) throws {
        let store = try makeStore(
            """
            CREATE TABLE owners (id INTEGER PRIMARY KEY, rank);
            CREATE TABLE kinds (id INTEGER PRIMARY KEY, owner REFERENCES owners);
            CREATE TABLE items (id INTEGER PRIMARY KEY, kind REFERENCES kinds);
            INSERT INTO owners VALUES (1, 1), (2, 2);
            INSERT INTO kinds VALUES (1, 1), (2, 2);
            """)
        let (map, _) = try makeMap(store)
        if isPaused { try map.setPaused(true) }
        try map.setSectionRequest(FetchRequest(entity: "kinds", sorts: [Sort("owner.rank")]))
        try map.resume()
        #expect(try map.allSections.map(\.value) == [1, 2])
        try store.execute("UPDATE owners SET rank = 3 WHERE id = 1")
        #expect(try map.allSections.map(\.value) == [2, 1])
    }
}
