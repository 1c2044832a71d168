import FetchedResults
import TestSupport
import Testing

/// Functions that are called when a round is over.
@Suite struct AfterRounds {
    private let store: Store
    private let list: FetchedResultsController

    init() throws {
        store = try makeStore("CREATE TABLE items (id INTEGER PRIMARY KEY, name); INSERT INTO items VALUES (1, 'a');")
        list = try FetchedResultsController(store: store, request: FetchRequest(entity: "items"))
        try list.performFetch()
    }

    /// Runs a function once when the list has changed.
    private final class Acting: FetchedResultsObserver {
        var act: (() -> Void)?
        var failures: [String] = []

        func listDidChange(_ controller: any LiveList) {
            let act = act
            self.act = nil
            act?()
        }

        func list(_ controller: any LiveList, didFail error: StoreError) { failures.append(error.message) }
    }

    @Test func areCalledAfterTheRoundWithTheFailureBeforeThem() throws {
        let observer = Acting()
        list.addObserver(observer)
        var reported: [String] = []
        observer.act = { [store, list] in
            do {
                try list.setRequest(FetchRequest(entity: "items", predicate: "abs(-9223372036854775807 - id) > 0"))
                try store.callAfterRound { reported.append("\($0?.message ?? "fine"), \(observer.failures.count)") }
                try store.callAfterRound { _ in reported.append("second") }
                #expect(try store.isDelivering)
            } catch { Issue.record(error) }
        }
        try store.execute("INSERT INTO items VALUES (2, 'b')")
        #expect(reported == ["integer overflow, 0", "second"])
        #expect(observer.failures == ["integer overflow"])
        #expect(try !store.isDelivering)
        #expect(try list.numberOfObjects == 2)
    }

    @Test func areCalledWithTheNextRoundOutsideOfOne() throws {
        var calls = 0
        try store.callAfterRound { _ in calls += 1 }
        try store.begin()
        try store.execute("INSERT INTO items VALUES (2, 'b')")
        try store.dispatch()
        #expect(calls == 0)
        try store.rollback()
        #expect(calls == 1)
        try store.dispatch()
        #expect(calls == 1)
    }

    /// Nothing is delivered for the list.
    @Test func areCalledAtTheEndOfACallThatCouldDeliver() throws {
        let calls: [() throws -> Void] = [
            { [store] in try store.dispatch() }, { [store] in try store.execute("CREATE TABLE other (id)") },
            { [list] in
                try list.setPaused(true)
                try list.resume()
            },
        ]
        for call in calls {
            var isCalled = false
            try store.callAfterRound { _ in isCalled = true }
            #expect(!isCalled)
            try call()
            #expect(isCalled)
        }
    }

    @Test func waitForWhatAQueuedStoreHasToDeliver() throws {
        var options = StoreOptions()
        options.queuesDelivery = true
        let queued = try makeStore("CREATE TABLE items (id INTEGER PRIMARY KEY)", options)
        let items = try Watch(queued, "items")
        var delivered: [String]?
        try queued.callAfterRound { _ in delivered = items.take() }
        try queued.execute("INSERT INTO items VALUES (1)")
        #expect(delivered == nil)
        try queued.dispatch()
        #expect(delivered == ["insert 1 at 0.0"])
    }

    /// What a callback requests before the function, and what the function itself requests.
    @Test(arguments: [false, true]) func areCalledBetweenRequests(isInside: Bool) throws {
        let observer = Acting()
        var events: [String] = []
        list.addObserver(observer)
        func write(_ id: Int) throws { try store.execute("INSERT INTO items VALUES (\(id), 'b')") }
        func note(_ event: String) throws { events.append("\(event) \(try list.numberOfObjects)") }
        observer.act = { [store] in
            do {
                if !isInside { try write(3) }
                try store.callAfterRound { _ in
                    do {
                        try note("called")
                        if isInside {
                            try write(3)
                            try store.callAfterRound { _ in try? note("called again") }
                        }
                        try note("ended")
                    } catch { Issue.record(error) }
                }
            } catch { Issue.record(error) }
        }
        try write(2)
        #expect(events == (isInside ? ["called 2", "ended 2", "called again 3"] : ["called 3", "ended 3"]))
    }

    /// Not the failure of an earlier request.
    @Test func receiveTheFailureOfTheLastRequestBeforeThem() throws {
        let other = try Watch(store, "items").controller
        let observer = Acting()
        var reported: [String] = []
        list.addObserver(observer)
        observer.act = { [store, list] in
            func callAfter(_ name: String) throws {
                try store.callAfterRound { reported.append("\(name): \($0?.status == .error ? "failed" : "fine")") }
            }
            do {
                try list.setRequest(FetchRequest(entity: "items", predicate: "abs(-9223372036854775806 - id) > 0"))
                try callAfter("first")
                try callAfter("second")
                try other.setRequest(FetchRequest(entity: "items", predicate: "id > 1"))
                try callAfter("third")
                try store.execute("DELETE FROM items WHERE id = 1")
                try callAfter("fourth")
            } catch { Issue.record(error) }
        }
        try store.execute("INSERT INTO items VALUES (2, 'b')")
        #expect(reported == ["first: failed", "second: failed", "third: fine", "fourth: fine"])
        #expect(try other.values("id") == [[2]])
    }

    /// Stores whose lists one collection shows have their rounds together.
    @Test func areCalledWithTheRoundOfAnotherStoreOfACollection() throws {
        let second = try makeStore("CREATE TABLE items (id INTEGER PRIMARY KEY)")
        let items = try FetchedResultsController(store: second, request: FetchRequest(entity: "items"))
        let collection = try FetchedResultsCollection([list, items])
        try collection.performFetch()
        var calls = 0
        for isClosed in [false, true] {
            try store.callAfterRound { _ in calls += 1 }
            if isClosed { try store.close() }
            try second.execute("INSERT INTO items DEFAULT VALUES")
            #expect(calls == 1)
        }
        withExtendedLifetime(collection) {}
    }

    @Test func registeredInsideThemselvesAreCalledOnceARound() throws {
        var calls = 0
        func again(_: StoreError?) {
            calls += 1
            try? store.callAfterRound(again)
        }
        let observer = Acting()
        list.addObserver(observer)
        observer.act = { [store] in for _ in 0..<2 { try? store.callAfterRound(again) } }
        try store.execute("INSERT INTO items VALUES (2, 'b')")
        #expect(calls == 2)
        try store.dispatch()
        #expect(calls == 4)
        try store.close()
        #expect(calls == 4)
    }
}
