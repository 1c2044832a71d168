import FetchedResults
import TestSupport
import Testing

/// Closures as observers of all kinds of lists.
@Suite struct ObservationTests {
    private let store: Store

    init() throws { store = try itemStore() }

    private func list(_ store: Store? = nil) throws -> FetchedResultsController { try itemList(store ?? self.store) }

    @Test func closuresAreCalledUntilTheObservationIsReleased() throws {
        let list = try list()
        var titles: [String?] = []
        var observation: ListObservation? = list.observe { changes in
            titles += changes.changeSet.objectChanges.map { (try? changes.object(of: $0))?["name"]?.text }
        }
        #expect(observation?.isActive == true)
        try store.execute("INSERT INTO items VALUES (3, 'elm')")
        #expect(titles == ["elm"])
        observation = nil
        try store.execute("INSERT INTO items VALUES (4, 'fir')")
        #expect(titles == ["elm"])
    }

    @Test func cancelEndsItWithoutTheLastCall() throws {
        let list = try list()
        var calls = 0
        var ends = 0
        let observation = list.observe { _ in
            calls += 1
        } ended: {
            ends += 1
        }
        observation.cancel()
        observation.cancel()
        #expect(!observation.isActive)
        try store.execute("DELETE FROM items")
        try store.close()
        #expect((calls, ends) == (0, 0))
    }

    @Test func anObservationCancelledInACallbackIsNotCalledInTheSameDelivery() throws {
        let list = try list()
        var calls: [String] = []
        var second: ListObservation?
        let first = list.observe { _ in
            calls.append("first")
            second?.cancel()
        }
        second = list.observe { _ in calls.append("second") }
        try store.execute("DELETE FROM items")
        #expect(calls == ["first"])
        #expect(first.isActive && second?.isActive == false)
    }

    @Test func failuresComeToTheirClosure() throws {
        let list = try list()
        var failures: [StoreError] = []
        let observation = list.observe { _ in
        } failed: {
            failures.append($0)
        }
        try store.execute("DROP TABLE items")
        #expect(failures.map(\.status) == [.schema])
        #expect(observation.isActive)
    }

    @Test func theListMayBeReleasedBeforeTheObservation() throws {
        var list: FetchedResultsController? = try list()
        var ends = 0
        let observation = try #require(list).observe { _ in
        } ended: {
            ends += 1
        }
        list = nil
        #expect(ends == 1)
        #expect(!observation.isActive)
        observation.cancel()
        #expect(ends == 1)
    }

    @Test func closingTheStoreEndsObservationsInTheOrderOfTheirLists() throws {
        let lists = try (0..<3).map { _ in try list() }
        // One that was not fetched, too.
        let other = try FetchedResultsController(store: store, request: FetchRequest(entity: "items"))
        var ends: [Int] = []
        let observations = (lists + [other]).enumerated().map { index, list in
            list.observe { _ in
            } ended: {
                #expect(store.isClosed)
                ends.append(index)
            }
        }
        try store.close()
        #expect(ends == [0, 1, 2, 3])
        #expect(observations.allSatisfy { !$0.isActive })
        // It is over before it begins.
        let late = lists[0].observe { _ in
        } ended: {
            ends.append(4)
        }
        #expect(ends.last == 4)
        #expect(!late.isActive)
    }

    @Test func aCollectionEndsWithItsLastStore() throws {
        let otherStore = try itemStore()
        let inner = try FetchedResultsCollection([try list(otherStore)])
        let collection = try FetchedResultsCollection([try list(), inner])
        try collection.performFetch()
        var ends: [String] = []
        var deliveries = 0
        let observations = [
            collection.observe { _ in
                deliveries += 1
            } ended: {
                ends.append("outer")
            },
            inner.observe { _ in
            } ended: {
                ends.append("inner")
            },
        ]
        try store.close()
        #expect(ends == [])
        try otherStore.execute("DELETE FROM items")
        #expect(deliveries == 1)
        try otherStore.close()
        #expect(ends == ["inner", "outer"])
        #expect(observations.allSatisfy { !$0.isActive })
    }

    @Test func aCollectionWithoutListsIsNotOver() throws {
        let collection = try FetchedResultsCollection()
        let observation = collection.observe { _ in }
        #expect(observation.isActive)
    }

    @Test func snapshotsHaveWhatRecordsNeed() throws {
        let list = try FetchedResultsController(
            store: store, request: FetchRequest(entity: "items", sorts: [Sort("name")], section: Sort("name")))
        try list.performFetch()
        var snapshots: [ChangesSnapshot] = []
        let observation = list.observe { snapshots.append($0.snapshot()) }
        try store.execute("UPDATE items SET name = 'elm' WHERE id = 1")
        let snapshot = try #require(snapshots.first)
        #expect(snapshot.sections.map(\.name) == ["oak", "elm"])
        #expect(snapshot.sections.map(\.change) == snapshot.changeSet.sectionChanges)
        #expect(snapshot.objects.map(\.change) == Array(snapshot.changeSet.objectChanges))
        #expect(snapshot.objects.map(\.identity) == [[1]])
        #expect(snapshot.objects.map { $0.object?["name"] } == ["elm"])
        #expect(snapshot.objects.map(\.oldValues) == [[1, "oak"]])
        try store.execute("DELETE FROM items WHERE id = 1")
        #expect(snapshots.last?.objects.map { $0.object?["name"] } == ["elm"])
        #expect(observation.isActive)
    }
}

/// A store with the items oak and ant.
func itemStore() throws -> Store {
    try makeStore(
        "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO items VALUES (1, 'oak'), (2, 'ant')")
}

/// Them by name.
func itemList(_ store: Store) throws -> FetchedResultsController {
    let list = try FetchedResultsController(store: store, request: FetchRequest(entity: "items", sorts: [Sort("name")]))
    try list.performFetch()
    return list
}
