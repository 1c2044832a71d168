import ChangeSets
import FetchedResults
import FetchedResultsViews
import SQLiteKit
import TestSupport
import Testing

/// A view acts in each of its methods, one after another.
@Suite struct CoordinatorMoments {
    /// A map whose transaction has entries in every group, and its observers.
    private struct World {
        let store: Store
        let map: SectionMap
        let stage: Stage

        init(_ options: ViewOptions = ViewOptions(), updatesCells: Bool) throws {
            store = try makeStore(
                """
                CREATE TABLE lists (id INTEGER PRIMARY KEY, position INT, title);
                CREATE TABLE items (id INTEGER PRIMARY KEY, list_id REFERENCES lists(id), name);
                INSERT INTO lists VALUES (1, 1, 'one'), (2, 2, 'two'), (3, 3, 'three'), (4, 4, 'four');
                INSERT INTO items VALUES (1, 1, 'a'), (2, 1, 'b'), (3, 2, 'c'), (4, 3, 'd'), (5, 3, 'e'), (6, 2, 'f');
                """)
            map = try SectionMap(
                store: store, items: FetchRequest(entity: "items", sorts: [Sort("name")]),
                sections: FetchRequest(entity: "lists", sorts: [Sort("position")]),
                itemKey: "list_id")
            stage = Stage(map, options, updatesCells: updatesCells)
            try stage.load()
            _ = stage.take()
        }

        func change() throws {
            try store.transaction {
                try store.execute("DELETE FROM lists WHERE id = 4")
                try store.execute("INSERT INTO lists VALUES (9, 9, 'nine')")
                try store.execute("UPDATE lists SET position = 0, title = 'THREE' WHERE id = 3")
                try store.execute("DELETE FROM items WHERE id = 1")
                try store.execute("INSERT INTO items VALUES (7, 9, 'g'), (8, 2, 'h')")
                try store.execute("UPDATE items SET list_id = 2 WHERE id = 4")
                try store.execute("UPDATE items SET name = 'E' WHERE id = 5")
            }
        }

        /// Acts after the entry with a number was delivered, and returns all entries that were
        /// delivered.
        func reported(_ moment: Int, _ act: @escaping () throws -> Void) -> [String] {
            var isDone = false
            stage.view.didNote = { number in
                guard number == moment, !isDone else { return }
                isDone = true
                do { try act() } catch { Issue.record("\(error)") }
            }
            // The commit fails if the store is closed before it returns.
            try? change()
            #expect(isDone)
            stage.view.didNote = { _ in }
            return stage.take()
        }
    }

    private static let batch = [
        "[", "sections -3", "sections +3", "sections 2>0", "rows -0.0", "rows +2.3", "rows 2.0>2.1", "reload 2.1>0.0",
        "headers 2>0", "]", "count 7",
    ]
    private static let cells = batch[..<7] + ["headers 2>0", "]", "cell 0.0 E", "cell 2.1 d", "count 7"]

    private func entries(_ updatesCells: Bool) -> [String] { updatesCells ? Array(Self.cells) : Self.batch }

    /// Calls the body for each moment of each kind of view.
    private func forEachMoment(_ body: (_ updatesCells: Bool, _ moment: Int, _ all: [String]) throws -> Void) rethrows {
        for updatesCells in [false, true] {
            let all = entries(updatesCells)
            for moment in all.indices { try body(updatesCells, moment, all) }
        }
    }

    @Test func theBatchHasEntriesInEveryGroup() throws {
        for updatesCells in [false, true] {
            let world = try World(updatesCells: updatesCells)
            try world.change()
            #expect(world.stage.take() == entries(updatesCells))
        }
    }

    @Test func onlyTheRestOfTheBatchIsDeliveredAfterTheEnd() throws {
        let ends: [(World) -> Void] = [
            { $0.stage.release() }, { $0.stage.coordinator?.end() }, { try? $0.store.close() },
            {
                try? $0.store.close()
                $0.stage.release()
            },
        ]
        for end in ends {
            try forEachMoment { updatesCells, moment, all in
                let world = try World(updatesCells: updatesCells)
                let last = max(moment, all.firstIndex(of: "]") ?? 0)
                #expect(world.reported(moment) { end(world) } == Array(all[...last]), "at \(all[moment])")
                try? world.store.execute("DELETE FROM items")
                #expect(world.stage.take() == [])
            }
        }
    }

    @Test func aWriteIsDeliveredAsABatchOfItsOwn() throws {
        try forEachMoment { updatesCells, moment, all in
            let world = try World(updatesCells: updatesCells)
            let reported = world.reported(moment) {
                try world.store.execute("INSERT INTO lists VALUES (10, 10, 'ten')")
            }
            #expect(reported == all + ["[", "sections +4", "]"], "at \(all[moment])")
        }
    }

    @Test func aPauseBeginsAfterTheBatch() throws {
        try forEachMoment { updatesCells, moment, all in
            for resume in [ViewOptions.Resume.reload, .difference] {
                let world = try World(ViewOptions(resume: resume), updatesCells: updatesCells)
                #expect(world.reported(moment) { world.stage.pause() } == all, "at \(all[moment])")
                try world.store.execute("INSERT INTO lists VALUES (10, 10, 'ten')")
                #expect(world.stage.take() == [])
                world.stage.resume()
                #expect(world.stage.take() == (resume == .reload ? ["reload"] : ["[", "sections +4", "]"]))
            }
        }
    }

    @Test func loadingReloadsAfterTheRound() throws {
        try forEachMoment { updatesCells, moment, all in
            let world = try World(updatesCells: updatesCells)
            let reported = world.reported(moment) { try world.stage.load() }
            // The reload covers cells that are still to be updated.
            #expect(reported.last == "reload" && reported.count { $0 == "reload" } == 1, "at \(all[moment])")
            #expect(reported.prefix(moment + 1) == all.prefix(moment + 1))
        }
    }

    @Test func aReleasedListLivesAsLongAsItsCoordinator() throws {
        let store = try makeStore("CREATE TABLE items (id INTEGER PRIMARY KEY, name)")
        var list: FetchedResultsController? = try FetchedResultsController(
            store: store, request: FetchRequest(entity: "items"))
        let stage = Stage(try #require(list))
        weak let last = list
        stage.view.didEnd = { list = nil }
        try stage.load()
        try store.execute("INSERT INTO items VALUES (1, 'x')")
        try store.execute("INSERT INTO items VALUES (2, 'y')")
        #expect(
            stage.take() == ["reload", "count 0", "[", "rows +0.0", "]", "count 1", "[", "rows +0.1", "]", "count 2"])
        stage.release()
        #expect(last == nil)
    }
}
