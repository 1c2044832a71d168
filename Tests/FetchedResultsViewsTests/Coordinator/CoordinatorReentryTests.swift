import ChangeSets
import FetchedResults
import FetchedResultsViews
import SQLiteKit
import TestSupport
import Testing

/// A view may do everything inside its callbacks.
@Suite struct CoordinatorReentry {
    private let store: Store
    private let list: FetchedResultsController

    init() throws {
        store = try makeStore(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, kind, name);
            INSERT INTO items VALUES (1, 'a', 'x'), (2, 'a', 'y'), (3, 'b', 'z');
            """)
        list = try FetchedResultsController(
            store: store,
            request: FetchRequest(
                entity: "items", sorts: [Sort("name")], section: Sort("kind")))
    }

    private func loaded(_ options: ViewOptions = ViewOptions(), updatesCells: Bool = true) throws -> Stage {
        let stage = Stage(list, options, updatesCells: updatesCells)
        try stage.load()
        _ = stage.take()
        return stage
    }

    /// A body that runs only the first time.
    private func once(_ body: @escaping () throws -> Void) -> () -> Void {
        var isDone = false
        return {
            guard !isDone else { return }
            isDone = true
            do { try body() } catch { Issue.record("\(error)") }
        }
    }

    private let resumes: [ViewOptions] = [ViewOptions(), ViewOptions(resume: .difference)]

    @Test func aWriteInABatchIsDeliveredAsABatchOfItsOwn() throws {
        let stage = try loaded()
        stage.view.didEnd = once { try self.store.execute("DELETE FROM items WHERE id = 3") }
        try store.execute("INSERT INTO items VALUES (4, 'a', 'w')")
        #expect(stage.take() == ["[", "rows +0.0", "]", "count 4", "[", "sections -1", "]", "count 3"])
    }

    @Test func aWriteInACellUpdateIsDeliveredAsABatchOfItsOwn() throws {
        let stage = try loaded()
        stage.didUpdateCell = once { try self.store.execute("UPDATE items SET name = 'xx' WHERE id = 1") }
        try store.execute("UPDATE items SET name = name || '!'")
        #expect(
            stage.take() == [
                "cell 0.0 x!", "cell 0.1 y!", "cell 1.0 z!", "cell 0.0 xx",
            ])
    }

    /// The row is read with a value of the other table, and memory holds no earlier state of it.
    /// The next delivery has no change of this row.
    @Test func aCellWhoseRowCannotBeReadAfterAWriteIsUpdatedAfterTheRound() throws {
        let store = try makeStore(
            """
            CREATE TABLE kinds (id INTEGER PRIMARY KEY, name);
            CREATE TABLE items (id INTEGER PRIMARY KEY, kind INTEGER REFERENCES kinds, name);
            INSERT INTO kinds VALUES (1, 'tree');
            INSERT INTO items VALUES (1, 1, 'x'), (2, 1, 'y'), (3, 1, 'z');
            """)
        var request = FetchRequest(entity: "items", sorts: [Sort("name")])
        request.columns = ["name", "kind.name"]
        request.batchSize = 1
        let stage = Stage(try FetchedResultsController(store: store, request: request), updatesCells: true)
        try stage.load()
        #expect(stage.take() == ["reload", "count 3"])
        stage.didUpdateCell = once {
            try store.transaction {
                try store.execute("UPDATE items SET name = 'q' WHERE id = 2")
                try store.execute("UPDATE items SET name = 'y!' WHERE id = 2")
            }
        }
        try store.execute("UPDATE items SET name = name || '!'")
        #expect(stage.take() == ["cell 0.0 x!", "cell 0.2 z!", "cell 0.1 y!"])
    }

    @Test func aWriteInAReloadIsDeliveredAsABatchOfItsOwn() throws {
        let stage = Stage(list)
        stage.view.didReload = once { try self.store.execute("DELETE FROM items WHERE id = 1") }
        try stage.load()
        #expect(stage.take() == ["reload", "count 3", "[", "rows -0.0", "]", "count 2"])
    }

    @Test func aPauseInABatchBeginsAfterIt() throws {
        for options in resumes {
            let stage = try loaded(options)
            stage.view.didEnd = once { stage.pause() }
            try store.execute("UPDATE items SET kind = 'b' WHERE id = 1")
            #expect(stage.take() == ["[", "rows 0.0>1.0", "]", "cell 1.0 x"])
            try store.execute("UPDATE items SET kind = 'a' WHERE id = 1")
            #expect(stage.take() == [])
            stage.resume()
            #expect(
                stage.take() == (options.resume == .reload ? ["reload"] : ["[", "rows 1.0>0.0", "]", "cell 0.0 x"]))
        }
    }

    @Test func aPauseAndItsEndInABatchTakeEffectAfterTheRound() throws {
        for options in resumes {
            let stage = try loaded(options)
            stage.view.didEnd = once {
                stage.pause()
                try self.store.execute("DELETE FROM items WHERE id = 2")
                stage.resume()
            }
            try store.execute("INSERT INTO items VALUES (2, 'a', 'y') ON CONFLICT DO UPDATE SET kind = 'b'")
            let whole = options.resume == .reload
            #expect(stage.take().prefix(3) == ["[", "rows 0.1>1.0", "]"])
            #expect(try list.numberOfObjects == 2)
            try store.execute("INSERT INTO items VALUES (2, 'a', 'y')")
            #expect(stage.take() == ["[", "rows +0.1", "]", "count 3"], "\(whole)")
        }
    }

    @Test func loadingInABatchReloadsAfterTheRound() throws {
        for options in resumes {
            let stage = try loaded(options)
            stage.view.didEnd = once {
                try self.store.execute("UPDATE items SET name = 'zz' WHERE id = 3")
                try stage.load()
            }
            try store.execute("UPDATE items SET kind = 'b' WHERE id = 1")
            #expect(stage.take() == ["[", "rows 0.0>1.0", "]", "reload"])
            try store.execute("UPDATE items SET kind = 'a' WHERE id = 1")
            #expect(stage.take() == ["[", "rows 1.0>0.0", "]", "cell 0.0 x"])
        }
    }

    @Test func fetchingInABatchReloadsAfterTheRound() throws {
        let stage = try loaded()
        stage.view.didEnd = once {
            try self.store.execute("DELETE FROM items WHERE id = 1")
            try self.list.performFetch()
        }
        try store.execute("UPDATE items SET kind = 'b' WHERE id = 1")
        #expect(stage.take() == ["[", "rows 0.0>1.0", "]", "count 2", "reload"])
    }

    @Test func lettingGoInABatchEndsItThere() throws {
        let stage = try loaded()
        stage.view.didEnd = once { stage.release() }
        try store.execute("UPDATE items SET kind = 'b' WHERE id = 1")
        #expect(stage.take() == ["[", "rows 0.0>1.0", "]"])
        try store.execute("DELETE FROM items")
        #expect(stage.take() == [])
    }

    @Test func lettingGoInACellUpdateEndsItThere() throws {
        let stage = try loaded()
        stage.didUpdateCell = once { stage.release() }
        try store.execute("UPDATE items SET name = name || '!'")
        #expect(stage.take() == ["cell 0.0 x!"])
    }

    @Test func endingItInAReloadEndsItThere() throws {
        let stage = Stage(list)
        stage.view.didReload = once { stage.coordinator?.end() }
        try stage.load()
        #expect(stage.take() == ["reload"])
        try stage.load()
        try store.execute("DELETE FROM items")
        #expect(stage.take() == [])
    }

    @Test func lettingGoInTheCountNoticeIsFine() throws {
        let stage = Stage(list)
        stage.coordinator?.countChanged = { _ in stage.release() }
        try stage.load()
        try store.execute("DELETE FROM items")
        #expect(stage.take() == ["reload"])
    }

    @Test func closingTheStoreInABatchEndsItThere() throws {
        let stage = try loaded()
        stage.view.didEnd = once { try? self.store.close() }
        try? store.execute("UPDATE items SET kind = 'b' WHERE id = 1")
        #expect(stage.take() == ["[", "rows 0.0>1.0", "]"])
    }

    @Test func aListIsLoadedInAnObserversCallbacks() throws {
        // Before the list switches, and after.
        for isEarly in [true, false] {
            try store.execute("INSERT OR REPLACE INTO items VALUES (3, 'b', 'z')")
            let list = try FetchedResultsController(store: store, request: self.list.request)
            try list.performFetch()
            let recorder = Recorder()
            list.addObserver(recorder)
            let stage = Stage(list)
            let act = once {
                try self.store.execute("INSERT INTO items VALUES (9, 'z', 'z')")
                try stage.load()
                #expect(stage.take() == [])
            }
            if isEarly { recorder.willChange = { _ in act() } } else { recorder.didChange = { _ in act() } }
            try store.execute("DELETE FROM items WHERE id = 3")
            #expect(stage.take() == ["reload", "count 3"])
            try store.execute("DELETE FROM items WHERE id = 9")
            #expect(stage.take() == ["[", "sections -1", "]", "count 2"])
        }
    }

    @Test func aPauseEndsInAnObserversCallbacks() throws {
        for options in resumes {
            for isEarly in [true, false] {
                try store.execute("INSERT OR REPLACE INTO items VALUES (3, 'b', 'z')")
                let list = try FetchedResultsController(store: store, request: self.list.request)
                try list.performFetch()
                let (before, after) = (Recorder(), Recorder())
                list.addObserver(before)
                let stage = Stage(list, options)
                try stage.load()
                list.addObserver(after)
                stage.pause()
                try store.execute("UPDATE items SET kind = 'c' WHERE id = 3")
                _ = stage.take()
                let act = once { stage.resume() }
                if isEarly { before.willChange = { _ in act() } } else { after.didChange = { _ in act() } }
                try store.execute("UPDATE items SET kind = 'd' WHERE id = 3")
                let batch = ["[", "sections -1", "sections +1", "]"]
                #expect(stage.take() == (options.resume == .reload ? ["reload"] : batch))
            }
        }
    }

    @Test func aCellWhoseRowCannotBeReadYetIsUpdatedAfterTheRound() throws {
        try store.executeScript(
            """
            CREATE TABLE lists (id INTEGER PRIMARY KEY, position INT);
            CREATE TABLE tasks (id INTEGER PRIMARY KEY, list_id REFERENCES lists(id), name);
            INSERT INTO lists VALUES (1, 1);
            INSERT INTO tasks VALUES (1, 1, 'x'), (2, 1, 'y'), (3, 1, 'z');
            """)
        let recorder = Recorder()
        let first = try FetchedResultsController(store: store, request: FetchRequest(entity: "tasks"))
        try first.performFetch()
        first.addObserver(recorder)
        let tasks = try FetchedResultsController(
            store: store, request: FetchRequest(entity: "tasks", sorts: [Sort("list_id.position")]))
        let stage = Stage(tasks, updatesCells: true)
        try stage.load()
        _ = stage.take()
        // The list that is delivered first writes to a table by which the other is sorted: the
        // task's row in the state that is being delivered can't be read any more.
        recorder.willChange = { _ in stage.view.note("will") }
        let act = once { try self.store.execute("INSERT INTO lists VALUES (2, 2)") }
        recorder.didChange = { _ in act() }
        try store.execute("UPDATE tasks SET name = 'Y' WHERE id = 2")
        #expect(stage.take() == ["will", "cell 0.1 Y"])
    }
}
