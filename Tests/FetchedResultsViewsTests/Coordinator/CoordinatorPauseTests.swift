import ChangeSets
import FetchedResults
import FetchedResultsViews
import SQLiteKit
import TestSupport
import Testing

/// Pauses of a coordinator: what it does not deliver, and what it delivers when they end.
@Suite struct CoordinatorPauses {
    private func makeItems(_ options: StoreOptions = StoreOptions()) throws -> Store {
        try makeStore(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, kind, name);
            INSERT INTO items VALUES (1, 'a', 'x'), (2, 'a', 'y'), (3, 'b', 'z'), (4, 'c', 'w'), (5, 'd', 'q');
            """, options)
    }

    private func makeList(_ store: Store) throws -> FetchedResultsController {
        try FetchedResultsController(
            store: store,
            request: FetchRequest(
                entity: "items", sorts: [Sort("name")], section: Sort("kind")))
    }

    private let difference = ViewOptions(resume: .difference)

    @Test func whilePausedNothingReachesTheViewAndTheEndReloads() throws {
        let store = try makeItems()
        let list = try makeList(store)
        let stage = Stage(list, updatesCells: true)
        try stage.load()
        stage.pause()
        #expect(stage.coordinator?.isPaused == true)
        for id in 10..<20 { try store.execute("INSERT INTO items VALUES (?, 'a', 'n')", [.integer(Int64(id))]) }
        #expect(stage.take() == ["reload", "count 5"])
        #expect(try list.numberOfObjects == 15)
        stage.resume()
        #expect(stage.take() == ["reload", "count 15"])
        try store.execute("DELETE FROM items WHERE id = 1")
        #expect(stage.take() == ["[", "rows -0.10", "]", "count 14"])
    }

    @Test func theEndOfAPauseFetchesAgain() throws {
        var options = StoreOptions()
        options.queuesDelivery = true
        let store = try makeItems(options)
        let stage = Stage(try makeList(store))
        try stage.load()
        stage.pause()
        try store.execute("DELETE FROM items WHERE id = 1")
        stage.resume()
        #expect(stage.take() == ["reload", "count 5", "reload", "count 4"])
        try store.dispatch()
        #expect(stage.take() == [])
    }

    @Test func theEndOfAPauseReloadsEvenIfNothingChanged() throws {
        let store = try makeItems()
        let stage = Stage(try makeList(store))
        try stage.load()
        stage.pause()
        stage.resume()
        stage.resume()
        #expect(stage.take() == ["reload", "count 5", "reload"])
    }

    @Test func theDifferenceIsDeliveredAsOneBatch() throws {
        let store = try makeItems()
        let stage = Stage(try makeList(store), difference, updatesCells: true)
        try stage.load()
        _ = stage.take()
        stage.pause()
        try store.execute("UPDATE items SET name = 'Z' WHERE id = 3")
        try store.execute("INSERT INTO items VALUES (6, 'a', 'm')")
        try store.execute("DELETE FROM items WHERE id = 4")
        try store.execute("UPDATE items SET kind = 'd' WHERE id = 6")
        try store.execute("UPDATE items SET kind = 'd' WHERE id = 1")
        try store.execute("UPDATE items SET name = 'ZZ' WHERE id = 3")
        #expect(stage.take() == [])
        stage.resume()
        #expect(
            stage.take() == [
                "[", "sections -2", "rows +2.0", "rows 0.0>2.2", "]", "cell 1.0 ZZ", "cell 2.2 x",
            ])
        try store.execute("DELETE FROM items WHERE id = 1")
        #expect(stage.take() == ["[", "rows -2.2", "]", "count 4"])
    }

    @Test func whatCameAndWentAgainIsNoDifference() throws {
        let store = try makeItems()
        let stage = Stage(try makeList(store), difference)
        try stage.load()
        _ = stage.take()
        stage.pause()
        try store.execute("INSERT INTO items VALUES (6, '0', 'm')")
        try store.execute("DELETE FROM items WHERE id = 6")
        stage.resume()
        #expect(stage.take() == [])
    }

    @Test func aMoveThereAndBackIsNoMove() throws {
        let store = try makeItems()
        let stage = Stage(try makeList(store), difference)
        try stage.load()
        _ = stage.take()
        stage.pause()
        try store.execute("UPDATE items SET kind = 'b' WHERE id = 1")
        try store.execute("UPDATE items SET kind = 'a' WHERE id = 1")
        stage.resume()
        #expect(stage.take() == ["[", "reload 0.0>0.0", "]"])
    }

    @Test func aDifferenceWithAReloadInItIsAReload() throws {
        let store = try makeItems()
        let list = try makeList(store)
        let stage = Stage(list, difference)
        try stage.load()
        _ = stage.take()
        stage.pause()
        try list.setPaused(true)
        try list.resume(reload: true)
        try store.execute("DELETE FROM items WHERE id = 1")
        stage.resume()
        #expect(stage.take() == ["reload", "count 4"])
    }

    @Test func aListFetchedByItselfDuringAPauseIsReloaded() throws {
        let store = try makeItems()
        let list = try makeList(store)
        let stage = Stage(list, difference)
        try stage.load()
        _ = stage.take()
        stage.pause()
        try list.performFetch()
        stage.resume()
        #expect(stage.take() == ["reload"])
    }

    @Test func loadingWhilePausedShowsTheListAndStaysPaused() throws {
        for options in [ViewOptions(), difference] {
            let store = try makeItems()
            let stage = Stage(try makeList(store), options)
            stage.pause()
            try stage.load()
            #expect(stage.take() == ["reload", "count 5"])
            try store.execute("DELETE FROM items WHERE id = 1")
            #expect(stage.take() == [])
            try stage.load()
            #expect(stage.take() == ["reload", "count 4"])
            try store.execute("DELETE FROM items WHERE id = 3")
            stage.resume()
            let batch = ["[", "sections -1", "]", "count 3"]
            #expect(stage.take() == (options.resume == .reload ? ["reload", "count 3"] : batch))
        }
    }

    @Test func pausingBeforeTheFirstLoadHoldsAfterIt() throws {
        let store = try makeItems()
        let stage = Stage(try makeList(store))
        stage.pause()
        stage.resume()
        #expect(stage.take() == [])
        try stage.load()
        try store.execute("DELETE FROM items WHERE id = 1")
        #expect(stage.take() == ["reload", "count 5", "[", "rows -0.0", "]", "count 4"])
    }

    @Test func aFetchThatFailsAtTheEndOfAPauseIsReportedAndTheViewShowsTheList() throws {
        let store = try makeItems()
        let stage = Stage(try makeList(store))
        stage.coordinator?.failed = { [view = stage.view] error in view.note("\(error.status)") }
        try stage.load()
        stage.pause()
        try store.execute("DELETE FROM items WHERE id = 1")
        try store.execute("ALTER TABLE items RENAME TO others")
        #expect(stage.take() == ["reload", "count 5", "schema"])
        stage.resume()
        #expect(stage.take() == ["schema", "reload", "count 4"])
        try store.execute("DELETE FROM others WHERE id = 3")
        try store.execute("ALTER TABLE others RENAME TO items")
        #expect(stage.take() == ["[", "sections -1", "]", "count 3"])
    }

    @Test func aPauseOfTenThousandTransactionsCostsWhatDiffers() throws {
        let store = try makeItems()
        let list = try makeList(store)
        let stage = Stage(list, difference)
        try stage.load()
        stage.pause()
        for number in 0..<10_000 {
            try store.execute("UPDATE items SET name = \(number) WHERE id = ?", [.integer(Int64(number % 5 + 1))])
        }
        stage.resume()
        #expect(
            stage.take() == [
                "reload", "count 5", "[", "reload 0.0>0.0 0.1>0.1 1.0>1.0 2.0>2.0 3.0>3.0", "]",
            ])
    }
}
