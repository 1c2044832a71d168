import ChangeSets
import FetchedResults
import Foundation
import SQLiteKit
import TestSupport
import Testing

/// A fetch in the background is visible only in its result, at dispatch.
@Suite struct AsynchronousFetching {
    private func makeItems(_ file: TemporaryFile?, count: Int = 5000) throws -> Store {
        let store = try Store(path: file?.path ?? ":memory:")
        try store.executeScript(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, name);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(count))
            INSERT INTO items SELECT i, 'item ' || i % 97 FROM n;
            """)
        return store
    }

    private func dispatch(
        _ store: Store, _ note: (DispatchResult) -> Void = { _ in }, until isDone: () -> Bool
    ) throws {
        let end = Date(timeIntervalSinceNow: 10)
        while !isDone(), Date() < end { note(try store.wait(milliseconds: 50)) }
    }

    @Test(arguments: [true, false]) func itsResultIsDeliveredAtDispatch(hasFile: Bool) throws {
        let file = hasFile ? TemporaryFile() : nil
        let store = try makeItems(file)
        let controller = try FetchedResultsController(
            store: store, request: FetchRequest(entity: "items", sorts: [Sort("name")]))
        let recorder = Recorder()
        controller.addObserver(recorder)
        var (results, progress): ([StoreError?], [Int]) = ([], [])
        try controller.performFetchAsynchronously(
            progress: {
                progress.append($0); return true
            }, completion: { results.append($0) })
        #expect(!controller.isFetched)
        expectFailure(.notFetched) { _ = try controller.numberOfObjects }
        expectFailure(.misuse) { try controller.performFetchAsynchronously { _ in } }
        try dispatch(store) { !results.isEmpty }
        #expect(results == [nil])
        #expect(try controller.numberOfObjects == 5000)
        #expect(progress == progress.sorted())
        #expect(recorder.events == [])
        try store.execute("DELETE FROM items WHERE id = 1")
        #expect(recorder.events.count == 3)
        withExtendedLifetime(file) {}
    }

    /// Before: a list that was fetched in the background, and whose completion writes: by a
    /// statement, or in a transaction. Expected: the dispatch counts the round that this makes.
    @Test(arguments: [false, true]) func whatTheCompletionWritesIsARoundOfTheDispatch(isInTransaction: Bool) throws {
        let store = try makeItems(nil)
        let controller = try FetchedResultsController(store: store, request: FetchRequest(entity: "items"))
        try controller.performFetchAsynchronously { _ in
            if isInTransaction { try? store.begin() }
            try? store.execute("DELETE FROM items WHERE id = 1")
            if isInTransaction { try? store.commit() }
        }
        var (rounds, changedLists) = (0, 0)
        try dispatch(store, { (rounds, changedLists) = (rounds + $0.rounds, changedLists + $0.changedLists) }) {
            rounds > 0
        }
        #expect(rounds == 1 && changedLists == 1)
        #expect(try controller.numberOfObjects == 4999)
    }

    @Test func whatIsWrittenMeanwhileIsInTheList() throws {
        let file = TemporaryFile()
        let store = try makeItems(file)
        let controller = try FetchedResultsController(store: store, request: FetchRequest(entity: "items"))
        var isDone = false
        try controller.performFetchAsynchronously { _ in isDone = true }
        for id in 1..<20 as Range<Int64> { try store.execute("DELETE FROM items WHERE id = ?", [.integer(id * 7)]) }
        try store.execute("INSERT INTO items VALUES (100000, 'late')")
        try dispatch(store) { isDone }
        #expect(try controller.numberOfObjects == 5000 - 19 + 1)
        #expect(try controller.indexPath(ofIdentity: [100000]) == ListIndexPath(section: 0, row: 4981))
        #expect(try controller.indexPath(ofIdentity: [7]) == nil)
    }

    @Test func itCanBeCancelled() throws {
        let file = TemporaryFile()
        let store = try makeItems(file)
        let controller = try FetchedResultsController(store: store, request: FetchRequest(entity: "items"))
        #expect(!controller.cancelFetch())
        var results: [StoreError.Status?] = []
        try controller.performFetchAsynchronously { results.append($0?.status) }
        #expect(controller.cancelFetch())
        try dispatch(store) { !results.isEmpty }
        #expect(results == [.cancelled])
        #expect(!controller.isFetched)
        try controller.performFetchAsynchronously(progress: { _ in false }, completion: { results.append($0?.status) })
        try dispatch(store) { results.count == 2 }
        #expect(results == [.cancelled, .cancelled])
        try controller.performFetch()
        #expect(try controller.numberOfObjects == 5000)
    }

    @Test func aStoreThatClosesEndsIt() throws {
        let file = TemporaryFile()
        let store = try makeItems(file)
        let controller = try FetchedResultsController(store: store, request: FetchRequest(entity: "items"))
        var results: [StoreError?] = []
        try controller.performFetchAsynchronously { results.append($0) }
        try store.close()
        #expect(results.count <= 1)
        expectFailure(.closed) { _ = try controller.numberOfObjects }
    }
}
