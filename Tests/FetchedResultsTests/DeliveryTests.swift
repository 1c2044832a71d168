import ChangeSets
@testable import FetchedResults
import SQLiteKit
import TestSupport
import Testing

/// The rules of a delivery: its order, its three phases, and the actions that a callback may take.
@Suite struct Deliveries {
    private func makeItems() throws -> Store {
        try makeStore(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, kind, name);
            INSERT INTO items VALUES (1, 'a', 'x'), (2, 'a', 'y'), (3, 'b', 'z'), (4, 'c', 'w'), (5, 'd', 'q');
            """)
    }

    @Test func recordsAreDeliveredInTheirOrderBetweenWillAndDid() throws {
        let store = try makeItems()
        let items = try Watch(store, "items", sort: ["name"], section: "kind")
        try store.transaction {
            try store.execute("DELETE FROM items WHERE kind IN ('c', 'd')")
            try store.execute("UPDATE items SET kind = '0', name = 'n' WHERE id = 3")
            try store.execute("UPDATE items SET name = 'xx' WHERE id = 1")
            try store.execute("INSERT INTO items VALUES (7, 'a', 'b'), (8, '1', 'b')")
        }
        #expect(
            items.recorder.events == [
                "will", "section delete 3", "section delete 2", "section delete 1", "section insert 0",
                "section insert 1",
                "delete 5 at (3, 0)", "delete 4 at (2, 0)", "insert 8 at (1, 0)", "insert 7 at (2, 0)",
                "move 3 from (1, 0) to (0, 0) [1, 2]", "update 1 from (0, 0) to (2, 1) [2]", "did",
            ])
    }

    @Test func everyWillChangeComesBeforeAnythingIsSwitched() throws {
        let store = try makeItems()
        let first = try Watch(store, "items", sort: ["name"])
        let second = try Watch(store, "items", section: "kind")
        let third = try Watch(store, "items", where: "id < 3")
        var log: [String] = []
        func look(_ what: String) {
            let counts = [first, second, third].map { (try? $0.controller.numberOfObjects) ?? -1 }
            log.append("\(what) \(counts)")
        }
        for (name, watch) in [("1", first), ("2", second), ("3", third)] {
            watch.recorder.willChange = { _ in look("will \(name)") }
            watch.recorder.didChange = { _ in look("did \(name)") }
        }
        try store.execute("DELETE FROM items WHERE id IN (1, 5)")
        #expect(
            log == [
                "will 1 [5, 5, 2]", "will 2 [5, 5, 2]", "will 3 [5, 5, 2]", "did 1 [3, 3, 1]", "did 2 [3, 3, 1]",
                "did 3 [3, 3, 1]",
            ])
    }

    @Test func aListThatIsAboutToChangeShowsItsOldState() throws {
        let store = try makeItems()
        let items = try Watch(store, "items", sort: ["name"], section: "kind")
        let other = try Watch(store, "items", sort: ["name"], section: "kind")
        _ = try items.controller.values("name")
        var checks = 0
        items.recorder.willChange = { controller in
            checks += 1
            #expect((try? controller.sectionNames) == ["a", "b", "c", "d"])
            #expect((try? controller.sectionIndexTitles) == ["A", "B", "C", "D"])
            #expect((try? controller.values("name")) == [["x", "y"], ["z"], ["w"], ["q"]])
            #expect((try? other.controller.indexPath(ofIdentity: [5])) == ListIndexPath(section: 3, row: 0))
            #expect((try? other.controller.indexPath(ofIdentity: [9])) == .some(nil))
        }
        try store.transaction {
            try store.execute("UPDATE items SET kind = 'c', name = 'zz' WHERE id <> 2")
            try store.execute("DELETE FROM items WHERE id = 2")
            try store.execute("INSERT INTO items VALUES (9, 'c', 'a')")
        }
        #expect(checks == 1)
        #expect(try items.controller.values("id") == [[9, 1, 3, 4, 5]])
        #expect(try other.controller.values("id") == [[9, 1, 3, 4, 5]])
        #expect(try items.controller.sectionIndexTitles == ["C"])
    }

    @Test func aWriteInACallbackIsDeliveredInARoundOfItsOwn() throws {
        let store = try makeItems()
        let first = try Watch(store, "items")
        let second = try Watch(store, "items")
        var log: [String] = []
        var isWritten = false
        for (name, watch) in [("1", first), ("2", second)] {
            watch.recorder.willChange = { _ in log.append("will \(name)") }
            watch.recorder.didChange = { controller in
                log.append("did \(name) \((try? controller.numberOfObjects) ?? -1)")
                guard !isWritten else { return }
                isWritten = true
                #expect(throws: Never.self) {
                    try store.execute("DELETE FROM items WHERE id = 2")
                    try store.transaction { try store.execute("DELETE FROM items WHERE id = 3") }
                    try store.dispatch()
                }
                // The list stays as it was until its round.
                log.append("after writing \((try? controller.numberOfObjects) ?? -1)")
            }
        }
        try store.execute("DELETE FROM items WHERE id = 1")
        #expect(
            log == [
                "will 1", "will 2", "did 1 4", "after writing 4", "did 2 4", "will 1", "will 2", "did 1 2", "did 2 2",
            ])
        #expect(second.take() == ["delete 1 at 0.0", "delete 3 at 0.1", "delete 2 at 0.0"])
    }

    @Test func aWriteWhileTheListsAreAboutToChange() throws {
        let store = try makeItems()
        let items = try Watch(store, "items", sort: ["name"])
        var isWritten = false
        items.recorder.willChange = { _ in
            guard !isWritten else { return }
            isWritten = true
            #expect(throws: Never.self) { try store.execute("UPDATE items SET name = 'a' WHERE id = 2") }
        }
        try store.execute("UPDATE items SET name = 'b' WHERE id = 2")
        #expect(items.recorder.deliveries.count == 2)
        #expect(try items.controller.values("id") == [[2, 5, 4, 1, 3]])
        #expect(try items.controller.values("name") == [["a", "q", "w", "x", "z"]])
    }

    @Test func observersMayBeAddedAndRemovedInACallback() throws {
        let store = try makeItems()
        let items = try Watch(store, "items")
        let (leaving, late) = (Recorder(), Recorder())
        let leavingID = items.controller.addObserver(leaving)
        var lateID: UInt64 = 0
        items.recorder.willChange = { controller in
            #expect(controller.removeObserver(leavingID))
            lateID = controller.addObserver(late)
        }
        try store.execute("DELETE FROM items WHERE id = 1")
        #expect(leaving.events == [])
        #expect(!items.controller.removeObserver(leavingID))
        items.recorder.willChange = { _ in }
        try store.execute("DELETE FROM items WHERE id = 2")
        #expect(late.deliveries.last?.summary == ["delete 2 at 0.0"])
        #expect(items.controller.removeObserver(lateID))
        #expect(items.take() == ["delete 1 at 0.0", "delete 2 at 0.0"])
    }

    @Test func anObserverThatLeavesBetweenTwoRecordsIsNotifiedNoMore() throws {
        let store = try makeItems()
        let items = try Watch(store, "items")
        let leaving = Recorder()
        let leavingID = items.controller.addObserver(leaving)
        leaving.didDeliver = { $0.removeObserver(leavingID) }
        try store.execute("DELETE FROM items WHERE id = 1")
        #expect(leaving.events == ["will", "delete 1 at (0, 0)"])
    }

    @Test func aControllerMayBeReleasedInACallback() throws {
        let store = try makeItems()
        var doomed: Watch? = try Watch(store, "items")
        let survivor = try Watch(store, "items")
        weak let controller = doomed?.controller
        doomed?.recorder.willChange = { _ in doomed = nil }
        try store.execute("DELETE FROM items WHERE id = 1")
        #expect(controller == nil)
        #expect(survivor.take() == ["delete 1 at 0.0"])
        try store.execute("DELETE FROM items WHERE id = 2")
        #expect(survivor.take() == ["delete 2 at 0.0"])
    }

    @Test func aListThatEndedIsNotFoundByAWatchThatIsLeft() throws {
        let store = try makeItems()
        var items: FetchedResultsController? = try FetchedResultsController(
            store: store, request: FetchRequest(entity: "items"))
        try items?.performFetch()
        let announcer = try #require(items?.announcer)
        #expect(announcer.list === items)
        items = nil
        #expect(announcer.list == nil)
    }

    @Test func aStoreMayBeClosedInACallback() throws {
        for phase in 0..<3 {
            let store = try makeItems()
            let first = try Watch(store, "items", section: "kind")
            let second = try Watch(store, "items")
            let close: (any LiveList) -> Void = { _ in try? store.close() }
            if phase == 0 { first.recorder.willChange = close }
            if phase == 1 { first.recorder.didDeliver = close }
            if phase == 2 { first.recorder.didChange = close }
            try? store.execute("DELETE FROM items WHERE id = 1")
            #expect(store.isClosed)
            #expect(!second.recorder.events.contains("did"))
            expectFailure(.closed) { _ = try first.controller.numberOfObjects }
            expectFailure(.closed) { try store.execute("SELECT 1") }
        }
    }

    /// Before: a list by a column, and a row whose other column has the same value. Change: a
    /// request in the order of that. Expected: the one row that has to moves, though its key is the
    /// same.
    @Test(arguments: [nil, "kind"]) func afterAnotherRequestAnyRowCanMove(section: String?) throws {
        let store = try makeStore(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, kind, a, b);
            INSERT INTO items VALUES (1, 'x', 1, 4), (2, 'x', 2, 5), (3, 'x', 3, 3);
            """)
        let items = try Watch(store, "items", sort: ["a"], section: section)
        var request = items.controller.request
        request.sorts = [Sort("b")]
        try items.controller.setRequest(request)
        #expect(items.recorder.deliveries.last?.changeSet.moves.map(\.id) == [3])
        #expect(try items.controller.values("id") == [[3, 1, 2]])
    }

    @Test func aRequestMayBeChangedAndAListFetchedInACallback() throws {
        let store = try makeItems()
        let items = try Watch(store, "items")
        let other = try Watch(store, "items")
        var isDone = false
        items.recorder.didChange = { _ in
            guard !isDone else { return }
            isDone = true
            let controller = items.controller
            #expect(throws: Never.self) {
                var request = controller.request
                request.predicate = "id > 3"
                try controller.setRequest(request)
                try other.controller.performFetch()
            }
        }
        try store.execute("DELETE FROM items WHERE id = 1")
        #expect(items.take() == ["delete 1 at 0.0", "delete 3 at 0.1", "delete 2 at 0.0"])
        #expect(try items.controller.values("id") == [[4, 5]])
        #expect(try other.controller.values("id") == [[2, 3, 4, 5]])
        try store.execute("DELETE FROM items WHERE id = 4")
        #expect(try other.controller.values("id") == [[2, 3, 5]])
    }

    @Test func nothingIsDeliveredWhenNothingIsShownOtherwise() throws {
        let store = try makeItems()
        let items = try Watch(store, "items", where: "kind = 'a'", columns: ["name"])
        try store.execute("UPDATE items SET name = 'other' WHERE kind = 'b'")
        try store.execute("INSERT INTO items VALUES (9, 'z', '')")
        try store.execute("UPDATE items SET kind = 'A' WHERE id = 9")
        try store.execute("DELETE FROM items WHERE id = 9")
        #expect(items.recorder.events == [])
        #expect(items.controller.counters.deliveries == 0)
    }

    @Test func everyObserverIsNotifiedOfTheSame() throws {
        let store = try makeItems()
        let items = try Watch(store, "items")
        let second = Recorder()
        items.controller.addObserver(second)
        try store.execute("DELETE FROM items WHERE id = 1")
        func sources(_ recorder: Recorder) -> [ObjectIdentifier] {
            recorder.deliveries.map { ObjectIdentifier($0.source) }
        }
        #expect(sources(items.recorder) == sources(second) && second.deliveries.count == 1)
        #expect(items.recorder.events == second.events)
    }
}
