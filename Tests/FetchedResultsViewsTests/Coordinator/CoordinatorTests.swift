import ChangeSets
import FetchedResults
import FetchedResultsViews
import SQLiteKit
import TestSupport
import Testing

/// What a coordinator delivers to its view, and when.
@Suite struct Coordinators {
    private func makeItems() throws -> Store {
        try makeStore(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, kind, name);
            INSERT INTO items VALUES (1, 'a', 'x'), (2, 'a', 'y'), (3, 'b', 'z'), (4, 'c', 'w'), (5, 'd', 'q');
            """)
    }

    private func makeList(_ store: Store, section: Bool = true) throws -> FetchedResultsController {
        try FetchedResultsController(
            store: store,
            request: FetchRequest(
                entity: "items", sorts: [Sort("name")],
                section: section ? Sort("kind") : nil))
    }

    // MARK: Loading

    @Test func loadingFetchesBeginsToListenAndReloads() throws {
        let store = try makeItems()
        let stage = Stage(try makeList(store))
        let list = try #require(stage.coordinator?.list)
        var countAtReload = -1
        stage.view.didReload = { countAtReload = (try? list.numberOfObjects) ?? -1 }
        try stage.load()
        #expect(stage.take() == ["reload", "count 5"])
        #expect(countAtReload == 5)
        try store.execute("DELETE FROM items WHERE id = 1")
        #expect(stage.take() == ["[", "rows -0.0", "]", "count 4"])
    }

    @Test func beforeItIsLoadedNothingReachesTheView() throws {
        let store = try makeItems()
        let list = try makeList(store)
        try list.performFetch()
        let stage = Stage(list, ViewOptions(resume: .difference), updatesCells: true)
        try store.execute("UPDATE items SET name = name || '!'")
        stage.pause()
        try store.execute("DELETE FROM items WHERE id = 1")
        stage.resume()
        #expect(stage.take() == [])
        #expect(stage.coordinator?.isLoaded == false)
    }

    @Test func aListThatOthersFollowIsUpdatedByNotifyingAll() throws {
        let file = TemporaryFile()
        let store = try Store(path: file.path)
        try store.executeScript(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, kind, name); INSERT INTO items VALUES (1, 'a', 'x'), (2, 'a', 'y')"
        )
        let other = try Store(path: file.path)
        let list = try makeList(store, section: false)
        let stage = Stage(list)
        let recorder = Recorder()
        list.addObserver(recorder)
        try stage.load()
        #expect(stage.take() == ["reload", "count 2"])

        // It loads again, after a change of which no observer was notified.
        try other.execute("INSERT INTO items VALUES (3, 'a', 'z')")
        try stage.load()
        #expect(recorder.take() == ["insert 3 at 0.2"])
        #expect(stage.take() == ["reload", "count 3"])
        #expect(try list.numberOfObjects == 3)

        // At the end of a pause.
        stage.pause()
        try other.execute("DELETE FROM items WHERE id = 1")
        stage.resume()
        #expect(recorder.take() == ["delete 1 at 0.0"])
        #expect(stage.take().contains("reload"))
        #expect(try list.numberOfObjects == 2)
    }

    @Test func aCollectionThatTheProgramFetchedIsReloadedAtTheNextDelivery() throws {
        let file = TemporaryFile()
        let store = try Store(path: file.path)
        try store.executeScript(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, kind, name); INSERT INTO items VALUES (1, 'a', 'x'), (2, 'a', 'y')"
        )
        let other = try Store(path: file.path)
        let collection = try FetchedResultsCollection([makeList(store, section: false)])
        let stage = Stage(collection)
        try stage.load()
        #expect(stage.take() == ["reload", "count 2"])
        // The fetch shows a row that the view does not have.
        try other.execute("INSERT INTO items VALUES (3, 'a', 'a')")
        try collection.performFetch()
        #expect(stage.take() == [])
        try store.execute("DELETE FROM items WHERE id = 2")
        #expect(stage.take() == ["reload"])
    }

    @Test func aFetchThatFailsIsThrownAndNothingReachesTheView() throws {
        let store = try makeItems()
        let stage = Stage(try makeList(store))
        try store.execute("DROP TABLE items")
        expectFailure(.schema) { try stage.load() }
        #expect(stage.take() == [])
        #expect(stage.coordinator?.isLoaded == false)
        try store.executeScript("CREATE TABLE items (id INTEGER PRIMARY KEY, kind, name)")
        try stage.load()
        #expect(stage.take() == ["reload", "count 0"])
    }

    @Test func aClosedStoreIsReportedWhenLoading() throws {
        let store = try makeItems()
        let stage = Stage(try makeList(store))
        try stage.load()
        try store.close()
        expectFailure(.closed) { try stage.load() }
        expectFailure(.closed) { try stage.coordinator?.loadData(fetching: false) }
        stage.pause()
        stage.resume()
        #expect(stage.take() == ["reload", "count 5"])
    }

    @Test func loadingAgainReadsAndReloadsAgain() throws {
        let store = try makeItems()
        let stage = Stage(try makeList(store))
        try stage.load()
        try stage.load()
        #expect(stage.take() == ["reload", "count 5", "reload"])
        try store.execute("DELETE FROM items WHERE id = 1")
        #expect(stage.take() == ["[", "rows -0.0", "]", "count 4"])
    }

    @Test func aListThatWasFetchedCanBeTakenAsItIs() throws {
        let store = try makeItems()
        let list = try makeList(store)
        try list.performFetch()
        let before = list.counters
        let stage = Stage(list)
        try stage.coordinator?.loadData(fetching: false)
        #expect(list.counters.rowsRead == before.rowsRead)
        #expect(stage.take() == ["reload", "count 5"])
    }

    // MARK: Batches

    @Test func theGroupsOfABatchAreDeliveredInOrderWithoutEmptyOnes() throws {
        let store = try makeItems()
        let stage = Stage(try makeList(store))
        try stage.load()
        _ = stage.take()
        try store.transaction {
            try store.execute("DELETE FROM items WHERE id IN (1, 4)")
            try store.execute("INSERT INTO items VALUES (6, '0', 'm'), (7, 'd', 'r'), (9, 'b', 'zz')")
            try store.execute("UPDATE items SET name = 'Q' WHERE id = 5")
            try store.execute("UPDATE items SET kind = 'b' WHERE id = 2")
        }
        #expect(
            stage.take() == [
                "[", "sections -2 0", "sections +0", "rows +1.0 1.2 2.1", "reload 3.0>2.0", "]", "count 6",
            ])
        try store.execute("UPDATE items SET kind = 'd' WHERE id = 3")
        #expect(stage.take() == ["[", "rows 1.1>2.2", "]"])
    }

    @Test func theGroupsOfAMapAreDeliveredInOrderToo() throws {
        let store = try makeStore(
            """
            CREATE TABLE lists (id INTEGER PRIMARY KEY, position INT, title);
            CREATE TABLE items (id INTEGER PRIMARY KEY, list_id REFERENCES lists(id), name);
            INSERT INTO lists VALUES (1, 1, 'one'), (2, 2, 'two'), (3, 3, 'three'), (4, 4, 'four');
            INSERT INTO items VALUES (1, 1, 'a'), (2, 1, 'b'), (3, 2, 'c'), (4, 3, 'd'), (5, 3, 'e'), (6, 2, 'f');
            """)
        let map = try SectionMap(
            store: store, items: FetchRequest(entity: "items", sorts: [Sort("name")]),
            sections: FetchRequest(entity: "lists", sorts: [Sort("position")]), itemKey: "list_id")
        let stage = Stage(map)
        let whole = Stage(map, ViewOptions(sectionMoves: .deletesAndInserts), updatesCells: true)
        try stage.load()
        try whole.load()
        #expect(stage.take() == ["reload", "count 6"])
        #expect(whole.take() == ["reload", "count 6"])
        try store.transaction {
            try store.execute("DELETE FROM lists WHERE id = 4")
            try store.execute("INSERT INTO lists VALUES (9, 9, 'nine')")
            try store.execute("UPDATE lists SET position = 0, title = 'THREE' WHERE id = 3")
            try store.execute("UPDATE lists SET title = 'ONE' WHERE id = 1")
            try store.execute("DELETE FROM items WHERE id = 1")
            try store.execute("INSERT INTO items VALUES (7, 9, 'g'), (8, 2, 'h')")
            try store.execute("UPDATE items SET list_id = 2 WHERE id = 4")
            try store.execute("UPDATE items SET name = 'E' WHERE id = 5")
            try store.execute("UPDATE items SET name = 'B' WHERE id = 2")
        }
        #expect(
            stage.take() == [
                "[", "sections -3", "sections +3", "sections 2>0", "rows -0.0", "rows +2.3", "rows 2.0>2.1",
                "reload 2.1>0.0 0.1>1.0", "headers 2>0 0>1", "]", "count 7",
            ])
        #expect(
            whole.take() == [
                "[", "sections -3 2", "sections +0 3", "rows -0.0", "rows +2.1 2.3", "headers 0>1", "]",
                "cell 1.0 B", "count 7",
            ])
    }

    @Test func cellsAreUpdatedAfterTheBatchWithTheNewPathAndOnceEach() throws {
        let store = try makeItems()
        let stage = Stage(try makeList(store), updatesCells: true)
        try stage.load()
        _ = stage.take()
        try store.transaction {
            try store.execute("INSERT INTO items VALUES (6, '0', 'm'), (7, 'a', 'A')")
            try store.execute("UPDATE items SET name = 'Z' WHERE id = 3")
            try store.execute("UPDATE items SET kind = 'd' WHERE id = 2")
        }
        #expect(
            stage.take() == [
                "[", "sections +0", "rows +1.0", "rows 0.1>4.1", "]", "cell 2.0 Z", "cell 4.1 y", "count 7",
            ])
    }

    @Test func aBatchOfNothingIsNotAppliedThoughCellsAreUpdated() throws {
        let store = try makeItems()
        let stage = Stage(try makeList(store), updatesCells: true)
        try stage.load()
        _ = stage.take()
        try store.execute("UPDATE items SET name = 'Z' WHERE id = 3")
        #expect(stage.take() == ["cell 1.0 Z"])
    }

    @Test func aReloadOfTheListIsAReloadOfTheView() throws {
        let store = try makeItems()
        let list = try makeList(store)
        let stage = Stage(list)
        try stage.load()
        try list.setPaused(true)
        try store.execute("DELETE FROM items WHERE id = 1")
        #expect(stage.take() == ["reload", "count 5"])
        try list.resume(reload: true)
        #expect(stage.take() == ["reload", "count 4"])
        try store.execute("DELETE FROM items WHERE id = 2")
        #expect(stage.take() == ["[", "sections -0", "]", "count 3"])
    }

    @Test func aViewThatDoesNotSupportBatchesReloads() throws {
        final class Plain: CoordinatedView {
            var reloads = 0
            func reload() { reloads += 1 }
        }
        let store = try makeItems()
        let view = Plain()
        let coordinator = Coordinator(view: view, list: try makeList(store))
        try coordinator.loadData()
        try store.execute("DELETE FROM items WHERE id = 1")
        #expect(view.reloads == 2)
        withExtendedLifetime(coordinator) {}
    }

    @Test func aBatchThatTheViewCannotApplyIsAReload() throws {
        final class Flat: CoordinatedView {
            var log: [String] = []
            func reload() { log.append("reload") }
            func canApply(_ batch: ViewBatch) -> Bool { batch.sectionInserts.isEmpty && batch.sectionDeletes.isEmpty }
            func apply(_ batch: ViewBatch) { log.append("batch") }
        }
        let store = try makeItems()
        let view = Flat()
        let coordinator = Coordinator(view: view, list: try makeList(store)) { path, _ in
            view.log.append("cell \(path)")
        }
        try coordinator.loadData()
        try store.execute("UPDATE items SET kind = 'b' WHERE id = 1")
        try store.execute("UPDATE items SET kind = 'q' WHERE id = 1")
        #expect(view.log == ["reload", "batch", "cell (1, 0)", "reload"])
    }

    @Test func movesCanBeDeliveredAsDeletesAndInserts() throws {
        let store = try makeItems()
        let stage = Stage(try makeList(store), ViewOptions(rowMoves: .deletesAndInserts), updatesCells: true)
        try stage.load()
        _ = stage.take()
        try store.execute("UPDATE items SET kind = 'c' WHERE id = 2")
        #expect(stage.take() == ["[", "rows -0.1", "rows +2.1", "]"])
    }

    // MARK: Count

    @Test func theCountIsReportedFromTheLoadOnWheneverItDiffers() throws {
        let store = try makeItems()
        let stage = Stage(try makeList(store))
        try stage.load()
        try store.execute("INSERT INTO items VALUES (6, 'a', 'x')")
        try store.transaction {
            try store.execute("DELETE FROM items WHERE id = 6")
            try store.execute("INSERT INTO items VALUES (7, 'q', 'x')")
        }
        try store.execute("UPDATE items SET name = 'k' WHERE id = 7")
        stage.pause()
        try store.execute("DELETE FROM items WHERE id < 3")
        stage.resume()
        #expect(stage.take().filter { $0.hasPrefix("count") } == ["count 5", "count 6", "count 4"])
    }

    @Test func theCountOfAnEmptyListIsReportedToo() throws {
        let store = try makeItems()
        try store.execute("DELETE FROM items")
        let stage = Stage(try makeList(store))
        try stage.load()
        #expect(stage.take() == ["reload", "count 0"])
    }

    // MARK: Side by side

    @Test func coordinatorsAndObserversOfOneListDoNotDisturbEachOther() throws {
        let store = try makeItems()
        let list = try makeList(store)
        let recorder = Recorder()
        list.addObserver(recorder)
        let stages = [Stage(list), Stage(list, updatesCells: true), Stage(list, ViewOptions(resume: .difference))]
        for stage in stages { try stage.load() }
        #expect(stages.map { $0.take() } == Array(repeating: ["reload", "count 5"], count: 3))
        stages[2].pause()
        try store.execute("UPDATE items SET name = 'Z' WHERE id = 3")
        #expect(stages.map { $0.take() } == [["[", "reload 1.0>1.0", "]"], ["cell 1.0 Z"], []])
        stages[0].release()
        try store.execute("DELETE FROM items WHERE id = 3")
        stages[2].resume()
        #expect(
            stages.map { $0.take() } == [
                [], ["[", "sections -1", "]", "count 4"], ["[", "sections -1", "]", "count 4"],
            ])
        #expect(recorder.take() == ["update 3 from 1.0 to 1.0 name", "section delete 1 b", "delete 3 at 1.0"])
    }

    @Test func aListThatOthersFollowIsNotFetchedBehindTheirBacksNorBeforeDispatch() throws {
        var options = StoreOptions()
        options.queuesDelivery = true
        let store = try makeStore("CREATE TABLE items (id INTEGER PRIMARY KEY, kind, name)", options)
        let list = try makeList(store)
        let first = Stage(list)
        try first.load()
        try store.execute("INSERT INTO items VALUES (1, 'a', 'x')")
        let second = Stage(list)
        try second.load()
        second.pause()
        second.resume()
        #expect(second.take() == ["reload", "count 0", "reload"])
        try store.dispatch()
        #expect(first.take() == ["reload", "count 0", "[", "sections +0", "]", "count 1"])
        #expect(second.take() == ["[", "sections +0", "]", "count 1"])
    }

    @Test func aReleasedCoordinatorDeliversNothingMore() throws {
        let store = try makeItems()
        let list = try makeList(store)
        let stage = Stage(list)
        try stage.load()
        #expect(list.hasObserver(1))
        stage.release()
        try store.execute("DELETE FROM items")
        #expect(stage.take() == ["reload", "count 5"])
        #expect(!list.hasObserver(1))
    }

    @Test func theViewIsNotRetained() throws {
        let store = try makeItems()
        let list = try makeList(store)
        var view: LoggingView? = LoggingView()
        let coordinator = Coordinator(view: try #require(view), list: list)
        try coordinator.loadData()
        weak let last = view
        view = nil
        #expect(last == nil)
        try store.execute("DELETE FROM items")
        withExtendedLifetime(coordinator) {}
    }

    @Test func aCollectionIsFollowedLikeAnyList() throws {
        let store = try makeItems()
        let flat = try makeList(store, section: false)
        let collection = try FetchedResultsCollection([flat, try makeList(store)])
        let stage = Stage(collection)
        try stage.load()
        try store.execute("UPDATE items SET kind = 'b' WHERE id = 2")
        try collection.remove(flat)
        #expect(
            stage.take() == [
                "reload", "count 10", "[", "rows 1.1>2.0", "reload 0.3>0.3", "]", "[", "sections -0", "]", "count 5",
            ])
        try collection.append(flat)
        #expect(stage.take() == ["[", "sections +4", "]", "count 10"])
        // One of its lists is fetched by itself: the collection reports a reload.
        try flat.performFetch()
        #expect(stage.take() == ["reload"])
    }
}

extension Coordinators {
    @Test func aListThatWasFetchedByItselfIsReloadedAtTheNextDelivery() throws {
        let store = try makeItems()
        let list = try makeList(store)
        let stage = Stage(list, updatesCells: true)
        try stage.load()
        _ = stage.take()
        try store.begin()
        try store.execute("DELETE FROM items WHERE id = 1")
        try list.performFetch()
        try store.commit()
        #expect(stage.take() == [])
        try store.execute("UPDATE items SET name = 'Z' WHERE id = 3")
        #expect(stage.take() == ["reload", "count 4"])
    }
}
