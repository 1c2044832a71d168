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
        #expect(calls == 0)
        try store.rollback()
        #expect(calls == 1)
        try store.dispatch()
        #expect(calls == 1)
    }

    @Test func registeredInsideThemselvesAreCalledOnceARound() throws {
        var calls = 0
        func again(_: StoreError?) {
            calls += 1
            try? store.callAfterRound(again)
        }
        let observer = Acting()
        list.addObserver(observer)
        observer.act = { [store] in try? store.callAfterRound(again) }
        try store.execute("INSERT INTO items VALUES (2, 'b')")
        #expect(calls == 1)
        try store.dispatch()
        #expect(calls == 2)
        try store.close()
        #expect(calls == 2)
    }
}
