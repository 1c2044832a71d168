import ChangeSets
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// Every read belongs to the state that the list shows, or the row is gone.
@Suite struct ShownState {
    private static let script =
        """
        PRAGMA synchronous = OFF;
        CREATE TABLE kinds (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, kind REFERENCES kinds);
        CREATE VIEW shown AS SELECT id, name FROM items;
        INSERT INTO kinds VALUES (1, 'x'), (2, 'y');
        INSERT INTO items VALUES (1, 'a', 1), (2, 'b', 1), (3, 'c', 2), (4, 'd', 2);
        """

    private struct Pair {
        let file = TemporaryFile()
        let own: Store
        let other: Store

        init(isQueued: Bool = false) throws {
            var options = StoreOptions()
            options.queuesDelivery = isQueued
            own = try Store(path: file.path, options: options)
            try own.executeScript(ShownState.script)
            try own.dispatch()
            other = try Store(path: file.path)
        }
    }

    /// The names that a list shows, with nil for rows that are gone.
    private func names(_ list: any LiveList) throws -> [Value?] {
        try (0..<list.numberOfObjects).map { index in
            do {
                return try list.object(at: list.indexPath(at: index))["name"]
            } catch let error as StoreError where error.status == .gone {
                return nil
            }
        }
    }

    /// Expects each name to be as in `state`, or gone.
    private func expect(_ list: any LiveList, shows state: [Value], _ comment: Comment? = nil) throws {
        let names = try names(list)
        #expect(names.count == state.count, comment)
        for (name, shown) in zip(names, state) { #expect(name == nil || name == shown, comment) }
    }

    private static let requests: [FetchRequest] = {
        var plain = FetchRequest(entity: "items")
        plain.batchSize = 1
        var sectioned = FetchRequest(entity: "items", section: Sort("kind.name"))
        sectioned.batchSize = 1
        var window = plain
        window.limit = 3
        var path = plain
        path.columns = ["name", "kind.name"]
        var view = FetchRequest(entity: "shown")
        view.identity = ["id"]
        view.batchSize = 1
        var select = FetchRequest(select: "SELECT * FROM items", identity: ["id"])
        select.batchSize = 1
        return [plain, sectioned, window, path, view, select]
    }()

    @Test(arguments: requests.indices) func inWillChangeRowsAreThoseOfTheOldState(index: Int) throws {
        for isForeign in [false, true] {
            let pair = try Pair()
            let list = try Watch(pair.own, Self.requests[index])
            let sibling = try Watch(pair.own, Self.requests[index])
            let count = try list.controller.numberOfObjects
            let old = Array(["a", "b", "c", "d"].prefix(count)) as [Value]
            for watch in [list, sibling] {
                watch.recorder.willChange = { [self] _ in
                    try? expect(list.controller, shows: old, "\(index), foreign: \(isForeign)")
                    try? expect(sibling.controller, shows: old, "\(index), foreign: \(isForeign)")
                }
            }
            let writer = isForeign ? pair.other : pair.own
            try writer.executeScript(
                "BEGIN; UPDATE items SET name = name || '!' WHERE id > 1; INSERT INTO items VALUES (0, '0', 1); COMMIT")
            try pair.own.dispatch()
            #expect(try names(list.controller).contains("0"))
        }
    }

    @Test(arguments: requests.indices) func aCommitDuringACallbackIsNotReadAsPartOfTheRound(index: Int) throws {
        let pair = try Pair()
        let list = try Watch(pair.own, Self.requests[index])
        let count = try list.controller.numberOfObjects
        // Every row was read, and hardly any is in the cache.
        #expect(try names(list.controller).count == count)
        list.controller.rowCacheSize = 1
        let state = Array(["z", "b", "c", "d"].prefix(count)) as [Value]
        list.recorder.didChange = { [self] _ in
            list.recorder.didChange = { _ in }
            try? pair.other.execute("UPDATE items SET name = 'foreign' WHERE id = 2")
            try? expect(list.controller, shows: state, "\(index)")
        }
        try pair.own.execute("UPDATE items SET name = 'z' WHERE id = 1")
        // The round has ended; the foreign commit has not been delivered.
        try expect(list.controller, shows: state, "\(index)")
        _ = list.take()
        try pair.own.transaction { try pair.own.execute("UPDATE items SET name = 'own' WHERE id = 3") }
        #expect(try names(list.controller) == (Array(["z", "foreign", "own", "d"].prefix(count)) as [Value]))
    }

    @Test(arguments: requests.indices) func ownTransactionsNeverShowOwnRowsWithoutTheOthers(index: Int) throws {
        let pair = try Pair()
        let list = try Watch(pair.own, Self.requests[index])
        try pair.other.execute("UPDATE items SET name = 'foreign' WHERE id = 2")
        try pair.own.transaction { try pair.own.execute("UPDATE items SET name = 'own' WHERE id = 3") }
        let count = try list.controller.numberOfObjects
        #expect(try names(list.controller) == (Array(["a", "foreign", "own", "d"].prefix(count)) as [Value]))
    }

    @Test(arguments: requests.indices) func inAQueuedStoreRowsAreThoseOfTheLastDispatch(index: Int) throws {
        let pair = try Pair(isQueued: true)
        let list = try Watch(pair.own, Self.requests[index])
        let count = try list.controller.numberOfObjects
        let state = Array(["a", "b", "c", "d"].prefix(count)) as [Value]
        try pair.other.execute("UPDATE items SET name = 'foreign' WHERE id = 2")
        try pair.own.execute("UPDATE items SET name = name || '!' WHERE id = 2")
        try expect(list.controller, shows: state)
        try pair.own.execute("UPDATE kinds SET name = name || '!'")
        try expect(list.controller, shows: state)
        try pair.own.dispatch()
        #expect(try names(list.controller) == (Array(["a", "foreign!", "c", "d"].prefix(count)) as [Value]))
    }

    @Test func aListFetchedWhileARelatedRowsChangeWaitsShowsThatState() throws {
        let pair = try Pair(isQueued: true)
        var request = FetchRequest(entity: "items")
        request.columns = ["name", "kind.name"]
        request.batchSize = 1
        try Watch(pair.own, request).controller.close()
        let first = try Watch(pair.own, request)
        try pair.own.execute("UPDATE kinds SET name = 'waits' WHERE id = 1")
        let list = try Watch(pair.own, request).controller
        try pair.own.execute("UPDATE kinds SET name = 'later' WHERE id = 1")
        for row in 0..<2 {
            do {
                #expect(try list.object(at: ListIndexPath(section: 0, row: row))["kind.name"] == "waits")
            } catch let error as StoreError {
                #expect(error.status == .gone)
            }
        }
        try pair.own.dispatch()
        for list in [list, first.controller] {
            #expect(try list.object(at: ListIndexPath(section: 0, row: 0))["kind.name"] == "later")
        }
    }

    @Test(arguments: requests.indices) func aPausedListShowsTheStateInWhichItWasPaused(index: Int) throws {
        for batch in [1, 20] {
            let pair = try Pair()
            var request = Self.requests[index]
            request.batchSize = batch
            let list = try Watch(pair.own, request)
            let count = try list.controller.numberOfObjects
            try list.controller.setPaused(true)
            try pair.own.execute("UPDATE items SET name = name || '!' WHERE id = 2")
            try expect(list.controller, shows: Array(["a", "b", "c", "d"].prefix(count)))
            try list.controller.resume()
            #expect(try names(list.controller) == (Array(["a", "b!", "c", "d"].prefix(count)) as [Value]))
        }
    }

    @Test func aPausedMapShowsTheStateInWhichItWasPaused() throws {
        let pair = try Pair()
        let map = try SectionMap(
            store: pair.own, items: FetchRequest(entity: "items"), sections: FetchRequest(entity: "kinds"),
            itemKey: "kind")
        try map.performFetch()
        try map.setPaused(true)
        try pair.own.execute("UPDATE items SET name = name || '!' WHERE id = 2")
        try pair.own.execute("UPDATE kinds SET name = name || '!'")
        try expect(map, shows: ["a", "b", "c", "d"])
        try expectFirstSection(of: map)
        try map.resume()
        #expect(try names(map) == ["a", "b!", "c", "d"])
    }

    /// Expects the first section's row to have the name that it began with, or to be gone.
    private func expectFirstSection(of map: SectionMap) throws {
        do {
            #expect(try map.sectionObject(at: 0)?["name"] == "x")
        } catch let error as StoreError {
            #expect(error.status == .gone)
        }
    }

    @Test func aMapThatFailsShowsTheStateInWhichItFailed() throws {
        let pair = try Pair()
        let map = try SectionMap(
            store: pair.own, items: FetchRequest(entity: "items"), sections: FetchRequest(entity: "kinds"),
            itemKey: "kind.name")
        try map.performFetch()
        try pair.own.execute("UPDATE kinds SET name = 'y' WHERE id = 1")
        try expectFirstSection(of: map)
        try pair.own.execute("UPDATE kinds SET name = 'y' WHERE id = 2")
        try expectFirstSection(of: map)
        try pair.own.execute("UPDATE kinds SET name = 'z' WHERE id = 2")
        #expect(try map.sectionObject(at: 0)?["name"] == "y")
    }

    @Test func theOldRowOfASectionIsTheOneBeforeAForeignCommit() throws {
        let pair = try Pair()
        let map = try SectionMap(
            store: pair.own, items: FetchRequest(entity: "items"), sections: FetchRequest(entity: "kinds"),
            itemKey: "kind",
            emptySections: .hidden)
        try map.performFetch()
        let recorder = Recorder()
        map.addObserver(recorder)
        try pair.other.executeScript(
            "BEGIN; DELETE FROM items WHERE kind = 1; UPDATE kinds SET name = 'new' WHERE id = 1; COMMIT")
        try pair.own.dispatch()
        let delivery = try #require(recorder.deliveries.last)
        let change = try #require(delivery.changeSet.sectionChanges.first)
        #expect(try delivery.sectionObject(of: change)?["name"] == "new")
        #expect(delivery.oldValues(of: change) == [1, "x"])
    }

    /// Of the rows of views and whole SELECTs only those are known that the program has read.
    @Test(arguments: requests.indices) func aForeignMoveOfARowThatNobodyReadNamesItsColumns(index: Int) throws {
        let pair = try Pair()
        var request = Self.requests[index]
        if request.select != nil {
            request = FetchRequest(select: "SELECT * FROM items ORDER BY name", identity: ["id"])
        }
        if request.select == nil { request.sorts = [Sort("name")] }
        let list = try Watch(pair.own, request)
        try pair.other.execute("UPDATE items SET name = 'bb' WHERE id = 1")
        try pair.own.dispatch()
        let isTable = request.select == nil && request.entity == "items"
        let moves = try list.delivery().changeSet.objectChanges.filter { $0.type == .move }
        #expect(moves.count == 1)
        #expect(moves.first?.changedColumns.isUnknown == !isTable)
        if isTable { #expect(list.take() == ["move 1 from 0.0 to 0.1 name"]) }
    }

    @Test func anOwnChangeOfARowThatNobodyReadIsReportedBesideAForeignCommit() throws {
        for isQueued in [false, true] {
            let pair = try Pair(isQueued: isQueued)
            let list = try Watch(pair.own, "items")
            try pair.other.execute("UPDATE items SET name = 'foreign' WHERE id = 1")
            try pair.own.execute("UPDATE items SET name = 'own' WHERE id = 3")
            try pair.own.execute("UPDATE items SET name = name WHERE id = 4")
            try pair.own.dispatch()
            #expect(list.take() == ["update 1 from 0.0 to 0.0 name", "update 3 from 0.2 to 0.2 name"])
            #expect(try names(list.controller) == ["foreign", "b", "own", "d"])
        }
    }

    @Test func listsThatAreResumedShowTheStateOfTheirSiblings() throws {
        for isQueued in [false, true] {
            for reload in [false, true] {
                let pair = try Pair(isQueued: isQueued)
                let list = try Watch(pair.own, "items")
                let sibling = try Watch(pair.own, "items")
                try list.controller.setPaused(true)
                try pair.own.execute("DELETE FROM items WHERE id = 1")
                try pair.own.dispatch()
                try pair.own.execute("DELETE FROM items WHERE id = 2")
                try pair.other.execute("DELETE FROM items WHERE id = 3")
                try list.controller.resume(reload: reload)
                if !isQueued { #expect(try names(list.controller) == ["d"]) }
                if isQueued { #expect(try list.controller.numberOfObjects == 4) }
                try pair.own.dispatch()
                #expect(try names(list.controller) == ["d"])
                #expect(try names(sibling.controller) == ["d"])
                #expect(list.recorder.deliveries.count == 1)
                #expect(try list.delivery().changeSet.isReload == reload)
            }
        }
    }

    @Test func aQueuedStoreWithNothingWaitingResumesImmediately() throws {
        let pair = try Pair(isQueued: true)
        let list = try Watch(pair.own, "items")
        try list.controller.setPaused(true)
        try pair.own.execute("DELETE FROM items WHERE id = 1")
        try pair.own.dispatch()
        try list.controller.resume()
        #expect(list.take() == ["delete 1 at 0.0"])
    }

    @Test func aListResumedInATransactionCatchesUpWhenThatEnds() throws {
        for ends in ["COMMIT", "ROLLBACK"] {
            let pair = try Pair()
            let list = try Watch(pair.own, "items")
            try list.controller.setPaused(true)
            try pair.own.execute("DELETE FROM items WHERE id = 1")
            try pair.own.begin()
            try list.controller.resume()
            #expect(list.recorder.events == [])
            try ends == "COMMIT" ? pair.own.commit() : pair.own.rollback()
            #expect(list.take() == ["delete 1 at 0.0"])
        }
    }
}
