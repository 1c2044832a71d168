import FetchedResults
import TestSupport
import Testing

/// The interface for an observer that keeps something in step with a list: all of it is public.
@Suite struct Following {
    private let file = TemporaryFile()
    private let store: Store
    private let list: FetchedResultsController

    init() throws {
        store = try Store(path: file.path)
        try store.executeScript(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, name); INSERT INTO items VALUES (1, 'a'), (2, 'b')")
        list = try FetchedResultsController(store: store, request: FetchRequest(entity: "items"))
    }

    /// Commits by a connection of its own, of which no one is notified.
    private func commitElsewhere(_ statement: String) throws {
        let other = try Store(path: file.path)
        try other.execute(statement)
        try other.close()
    }

    // MARK: Observers

    @Test func anObserverIsThereUntilItIsRemoved() throws {
        let id = list.addObserver(Recorder())
        #expect(list.hasObserver(id))
        #expect(!list.hasObserver(id + 1))
        list.removeObserver(id)
        #expect(!list.hasObserver(id))
    }

    // MARK: Versions

    @Test func aDeliveryIsOneVersionAndNoFetch() throws {
        try list.performFetch()
        let (version, fetchCount) = (list.version, list.fetchCount)
        let recorder = Recorder()
        var versions: [Int] = []
        recorder.willChange = { versions.append($0.version - version) }
        recorder.didChange = { versions.append($0.version - version) }
        list.addObserver(recorder)
        try store.execute("DELETE FROM items WHERE id = 1")
        #expect(versions == [0, 1])
        #expect(list.fetchCount == fetchCount)
    }

    @Test func aFetchIsCounted() throws {
        let (version, fetchCount) = (list.version, list.fetchCount)
        try list.performFetch()
        #expect(list.version > version)
        #expect(list.fetchCount == fetchCount + 1)
        try list.performFetch()
        #expect(list.fetchCount == fetchCount + 2)
    }

    @Test func aFetchInTheBackgroundIsCountedWhenItsListIsShown() throws {
        try list.performFetch()
        let fetchCount = list.fetchCount
        var isFetched = false
        try list.performFetchAsynchronously { _ in isFetched = true }
        #expect(list.fetchCount == fetchCount)
        while !isFetched { try store.wait(milliseconds: 1000) }
        #expect(list.fetchCount == fetchCount + 1)
    }

    @Test func aFetchThatFailsIsNotCounted() throws {
        try list.performFetch()
        let fetchCount = list.fetchCount
        expectFailure(.cancelled) { try list.performFetch { _ in false } }
        #expect(list.fetchCount == fetchCount)
    }

    @Test func aFetchInsideACallbackIsAVersionOfItsOwn() throws {
        try list.performFetch()
        let (version, fetchCount) = (list.version, list.fetchCount)
        let recorder = Recorder()
        recorder.willChange = { try? $0.performFetch() }
        list.addObserver(recorder)
        try store.execute("DELETE FROM items WHERE id = 1")
        #expect(list.fetchCount == fetchCount + 1)
        #expect(list.version >= version + 1)
    }

    @Test func aCollectionCountsItsOwnFetches() throws {
        let collection = try FetchedResultsCollection([list])
        try collection.performFetch()
        let fetchCount = collection.fetchCount
        // Its observers are notified to reload.
        try list.performFetch()
        #expect(collection.fetchCount == fetchCount)
        try collection.performFetch()
        #expect(collection.fetchCount == fetchCount + 1)
    }

    @Test func otherIdentitiesCountAsAFetch() throws {
        try list.performFetch()
        let fetchCount = list.fetchCount
        try store.executeScript(
            "BEGIN; DROP TABLE items; CREATE TABLE items (id TEXT PRIMARY KEY, name) WITHOUT ROWID;"
                + "INSERT INTO items VALUES ('x', 'c'); COMMIT")
        #expect(try list.values("name") == [["c"]])
        #expect(list.fetchCount == fetchCount + 1)
    }

    // MARK: After a delivery

    @Test func afterADeliveryIsNowWhenThereIsNone() throws {
        var isCalled = false
        try list.afterDelivery { isCalled = true }
        #expect(isCalled)
    }

    @Test func afterADeliveryIsAfterAllObserversWereNotified() throws {
        try list.performFetch()
        let collection = try FetchedResultsCollection([list])
        try collection.performFetch()
        var moments: [String] = []
        let (first, second) = (Recorder(), Recorder())
        first.willChange = { list in
            try? list.afterDelivery { moments.append("after") }
            try? collection.afterDelivery { moments.append("after the collection's") }
        }
        second.didChange = { _ in moments.append("did") }
        list.addObserver(first)
        list.addObserver(second)
        try store.execute("DELETE FROM items WHERE id = 1")
        #expect(moments == ["did", "after", "after the collection's"])
    }

    @Test func whatIsWrittenAfterADeliveryIsDelivered() throws {
        let watch = try Watch(store, "items")
        try watch.controller.afterDelivery { _ = try? store.execute("DELETE FROM items WHERE id = 1") }
        #expect(watch.take() == ["delete 1 at 0.0"])
    }

    // MARK: Refreshing

    @Test func aListOfOneObserverIsFetchedWithoutCallbacks() throws {
        let recorder = Recorder()
        let id = list.addObserver(recorder)
        try list.refresh(for: id)
        #expect(list.isFetched)
        try commitElsewhere("DELETE FROM items WHERE id = 1")
        let fetchCount = list.fetchCount
        try list.refresh(for: id)
        #expect(try list.numberOfObjects == 1)
        #expect(list.fetchCount == fetchCount + 1)
        #expect(recorder.events == [])
    }

    @Test func aListThatOthersFollowIsDeliveredTo() throws {
        let other = Recorder()
        let id = list.addObserver(Recorder())
        list.addObserver(other)
        try list.performFetch()
        try commitElsewhere("DELETE FROM items WHERE id = 1")
        let fetchCount = list.fetchCount
        try list.refresh(for: id)
        #expect(try list.numberOfObjects == 1)
        #expect(list.fetchCount == fetchCount)
        #expect(other.take() == ["delete 1 at 0.0"])
    }

    @Test func aListThatACollectionShowsIsDeliveredTo() throws {
        let collection = try FetchedResultsCollection([list])
        try collection.performFetch()
        let recorder = Recorder()
        collection.addObserver(recorder)
        try commitElsewhere("DELETE FROM items WHERE id = 1")
        try list.refresh()
        #expect(recorder.take() == ["delete 1 at 0.0"])
    }

    // MARK: Failures

    @Test func aFailureIsReportedToAllWhoFollow() throws {
        let collection = try FetchedResultsCollection([list])
        let (ofList, ofCollection) = (Recorder(), Recorder())
        list.addObserver(ofList)
        collection.addObserver(ofCollection)
        list.reportFailure(StoreError(.io, "the disk is gone"))
        #expect(ofList.errors.map(\.status) == [.io])
        #expect(ofCollection.errors.map(\.message) == ["the disk is gone"])
    }
}
