import ChangeSets
@testable import FetchedResults
import Foundation
import Glibc
import SQLiteKit
import TestSupport
import Testing

/// Commits of other connections wake the program's loop and lead to exact changes.
@Suite struct ForeignCommits {
    private struct Pair {
        let file = TemporaryFile()
        let own: Store
        let other: Store

        init(journalMode: String? = nil) throws {
            var options = StoreOptions()
            options.journalMode = journalMode
            own = try Store(path: file.path, options: options)
            try own.executeScript(
                "CREATE TABLE items (id INTEGER PRIMARY KEY, name); INSERT INTO items VALUES (1, 'a'), (2, 'b'), (3, 'c')"
            )
            other = try Store(path: file.path, options: options)
        }
    }

    private func isReadable(_ store: Store, within milliseconds: Int32 = 0) throws -> Bool {
        var descriptor = pollfd(fd: try store.fileDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, milliseconds) == 1
    }

    @Test(arguments: ["wal", "delete", "truncate", "persist"]) func theyAreDeliveredAtDispatch(journalMode: String)
        throws
    {
        let pair = try Pair(journalMode: journalMode)
        let items = try Watch(pair.own, "items", sort: ["name"])
        _ = try items.controller.values("name")
        try pair.other.transaction {
            try pair.other.execute("UPDATE items SET name = 'z' WHERE id = 1")
            try pair.other.execute("DELETE FROM items WHERE id = 2")
            try pair.other.execute("INSERT INTO items VALUES (4, '0')")
        }
        #expect(items.recorder.events == [])
        try pair.own.dispatch()
        #expect(items.take() == ["delete 2 at 0.1", "insert 4 at 0.0", "move 1 from 0.0 to 0.2 name"])
        #expect(try items.controller.values("id") == [[4, 3, 1]])
    }

    /// A dispatch signals again what it leaves.
    @Test(arguments: ["wal", "delete"]) func aDispatchWithoutRoundsLeavesThem(journalMode: String) throws {
        let pair = try Pair(journalMode: journalMode)
        let items = try Watch(pair.own, "items")
        #expect(try pair.own.dispatch() == DispatchResult())
        #expect(try !isReadable(pair.own))
        try pair.other.execute("DELETE FROM items WHERE id = 1")
        #expect(try isReadable(pair.own, within: 10_000))
        for _ in 0..<3 {
            let none = try pair.own.dispatch(limit: 0)
            #expect(none.rounds == 0 && !none.isComplete)
            #expect(try isReadable(pair.own))
        }
        let one = try pair.own.dispatch(limit: 1)
        #expect(one.rounds == 1 && one.changedLists == 1)
        #expect(items.take() == ["delete 1 at 0.0"])
        #expect(try pair.own.dispatch().isComplete)
        #expect(try !isReadable(pair.own))
        #expect(throws: StoreError.self) { try pair.own.dispatch(limit: -1) }
    }

    /// The file can't be read then, but watched.
    @Test(arguments: ["delete", "truncate", "persist"])
    func aCommitWakesThatWasUnderWayWhenTheDescriptorWasMade(journalMode: String) throws {
        let pair = try Pair(journalMode: journalMode)
        let items = try Watch(pair.own, "items")
        pair.own.connection.setBusyTimeout(milliseconds: 0)
        try pair.other.begin(.exclusive)
        try pair.other.execute("DELETE FROM items WHERE id = 1")
        #expect(try pair.own.wakeUpSource == .notices)
        #expect(throws: StoreError.self) { try pair.own.dispatch() }
        try pair.other.commit()
        #expect(try isReadable(pair.own, within: 10_000))
        try pair.own.dispatch()
        #expect(items.take() == ["delete 1 at 0.0"])
    }

    @Test func waitingDispatches() throws {
        let pair = try Pair()
        let items = try Watch(pair.own, "items")
        try pair.own.wait(milliseconds: 0)
        for round in 0..<20 {
            try pair.other.execute("INSERT INTO items (name) VALUES (?)", [.integer(Int64(round))])
            let end = Date(timeIntervalSinceNow: 5)
            while items.recorder.deliveries.count <= round, Date() < end { try pair.own.wait(milliseconds: 100) }
            #expect(items.recorder.deliveries.count == round + 1)
        }
    }

    @Test func theDescriptorIsQuietWhenNothingHappens() throws {
        let pair = try Pair()
        let items = try Watch(pair.own, "items")
        // The first check may detect the side effects of opening.
        if try isReadable(pair.own, within: 100) { try pair.own.dispatch() }
        #expect(try !isReadable(pair.own, within: 200))
        try pair.own.execute("INSERT INTO items VALUES (9, 'own')")
        if try isReadable(pair.own, within: 100) { try pair.own.dispatch() }
        #expect(try !isReadable(pair.own, within: 200))
        #expect(items.take() == ["insert 9 at 0.3"])
    }

    static let journalModes = ["wal", "delete", "truncate", "persist"]

    @Test(arguments: journalModes) func aForeignCommitMakesTheDescriptorReadable(journalMode: String) throws {
        let pair = try Pair(journalMode: journalMode)
        let items = try Watch(pair.own, "items")
        #expect(try !isReadable(pair.own))
        #expect(try pair.own.wakeUpSource == .notices)
        for round in 0..<20 {
            try pair.other.execute("INSERT INTO items (name) VALUES (?)", [.integer(Int64(round))])
            #expect(try isReadable(pair.own, within: 10_000), "round \(round)")
            #expect(try isReadable(pair.own), "it stays readable")
            try pair.own.dispatch()
            #expect(items.take() == ["insert \(round + 4) at 0.\(round + 3)"])
            #expect(try !isReadable(pair.own))
        }
    }

    @Test(arguments: journalModes) func ownCommitsDoNotMakeTheDescriptorReadable(journalMode: String) throws {
        let pair = try Pair(journalMode: journalMode)
        let items = try Watch(pair.own, "items")
        #expect(try !isReadable(pair.own))
        for id in 10..<60 {
            try pair.own.execute("INSERT INTO items VALUES (?, 'own')", [.integer(Int64(id))])
            try pair.own.transaction { try pair.own.execute("UPDATE items SET name = name || '!' WHERE id = 1") }
        }
        #expect(try !isReadable(pair.own, within: 300))
        #expect(items.recorder.deliveries.count == 100)
    }

    /// A transaction of the own connection prevents a dispatch from delivering, which happens when
    /// it has ended.
    @Test func aForeignCommitDuringAnOwnTransactionIsDueAtItsEnd() throws {
        let pair = try Pair()
        let items = try Watch(pair.own, "items")
        #expect(try !isReadable(pair.own))
        try pair.own.begin(.deferred)
        try pair.other.execute("INSERT INTO items VALUES (9, 'other')")
        #expect(try isReadable(pair.own, within: 10_000))
        try pair.own.dispatch()
        #expect(try !isReadable(pair.own, within: 100), "a transaction is open")
        #expect(items.recorder.events == [])
        try pair.own.rollback()
        #expect(try isReadable(pair.own, within: 10_000))
        try pair.own.dispatch()
        #expect(items.take() == ["insert 9 at 0.3"])
    }

    @Test(arguments: ["wal", "delete"]) func aForeignCommitDuringAStatementIsDueAtItsEnd(journalMode: String) throws {
        let pair = try Pair(journalMode: journalMode)
        let items = try Watch(pair.own, "items")
        #expect(try !isReadable(pair.own))
        let statement = try pair.own.prepare("SELECT id FROM items ORDER BY id")
        #expect(try pair.own.step(statement))
        // In a rollback mode no connection can commit as long as another reads.
        if journalMode == "wal" { try pair.other.execute("DELETE FROM items WHERE id = 1") }
        try pair.own.dispatch()
        #expect(items.take() == [])
        try pair.own.end(statement)
        if journalMode == "delete" { try pair.other.execute("DELETE FROM items WHERE id = 1") }
        #expect(try isReadable(pair.own, within: 10_000))
        try pair.own.dispatch()
        #expect(items.take() == ["delete 1 at 0.0"])
        #expect(try !isReadable(pair.own))
    }

    /// A program is woken when a long lock ends.
    @Test func aForeignCommitUnderAnExclusiveLockIsDueWhenThatEnds() throws {
        let pair = try Pair(journalMode: "delete")
        let items = try Watch(pair.own, "items")
        #expect(try !isReadable(pair.own))
        try pair.other.query("PRAGMA locking_mode = EXCLUSIVE") { _ in }
        try pair.other.execute("DELETE FROM items WHERE id = 1")
        try pair.other.query("PRAGMA locking_mode = NORMAL") { _ in }
        // The next read releases the lock.
        try pair.other.query("SELECT 1 FROM items") { _ in }
        #expect(try isReadable(pair.own, within: 10_000))
        try pair.own.dispatch()
        #expect(items.take() == ["delete 1 at 0.0"])
    }

    @Test func attachedFilesAreWatchedAsWell() throws {
        let pair = try Pair()
        let attached = TemporaryFile()
        let writer = try Store(path: attached.path)
        defer { try? writer.close() }
        try writer.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY)")
        #expect(try !isReadable(pair.own))
        try pair.own.execute("ATTACH '\(attached.path)' AS aux")
        let notes = try Watch(pair.own, "aux.notes")
        if try isReadable(pair.own, within: 100) { try pair.own.dispatch() }
        try writer.execute("INSERT INTO notes VALUES (1)")
        #expect(try isReadable(pair.own, within: 10_000))
        try pair.own.dispatch()
        #expect(notes.take() == ["insert 1 at 0.0"])
    }

    @Test func theJournalModeCanBeChanged() throws {
        let pair = try Pair()
        let items = try Watch(pair.own, "items")
        try pair.other.close()
        #expect(try !isReadable(pair.own))
        try pair.own.execute("PRAGMA journal_mode = DELETE")
        let other = try Store(
            path: pair.file.path,
            options: {
                var options = StoreOptions(); options.journalMode = "delete"; return options
            }())
        defer { try? other.close() }
        try other.execute("DELETE FROM items WHERE id = 1")
        #expect(try isReadable(pair.own, within: 10_000))
        try pair.own.dispatch()
        #expect(items.take() == ["delete 1 at 0.0"])
    }

    @Test func othersCanChangeTheJournalMode() throws {
        let pair = try Pair(journalMode: "delete")
        let items = try Watch(pair.own, "items")
        #expect(try !isReadable(pair.own))
        try pair.other.query("PRAGMA journal_mode = WAL") { _ in }
        for round in 0..<3 {
            try pair.other.execute("INSERT INTO items (name) VALUES (?)", [.integer(Int64(round))])
            #expect(try isReadable(pair.own, within: 10_000), "round \(round)")
            try pair.own.dispatch()
            #expect(items.take() == ["insert \(round + 4) at 0.\(round + 3)"])
        }
        #expect(try pair.own.foreignCounters.followed > 0)
    }

    /// A program that does not dispatch does not prevent other connections from restarting the log,
    /// also if it has fetched a list in a state that is not delivered.
    @Test(arguments: [1, 1 << 17, 1 << 20], [false, true]) func theLogCanBeTruncatedThoughNobodyDispatches(
        snapshotLimit: Int, isFetchedAhead: Bool
    ) throws {
        let file = TemporaryFile()
        var options = StoreOptions()
        options.snapshotLimit = snapshotLimit
        let own = try Store(path: file.path, options: options)
        try own.executeScript(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, name); INSERT INTO items VALUES (1, 'a'), (2, 'b')")
        let list = try Watch(own, "items")
        _ = try list.controller.values("name")
        let other = try Store(path: file.path)
        let ahead = try FetchedResultsController(store: own, request: list.controller.request)
        for number in 0..<100 {
            try other.execute("UPDATE items SET name = ? WHERE id = 1", [.integer(Int64(number))])
            if isFetchedAhead, number == 5 { try ahead.performFetch() }
        }
        // It waits, as its connection is configured to, until the state is released.
        try other.query("PRAGMA wal_checkpoint(TRUNCATE)") { _ in }
        let size = try FileManager.default.attributesOfItem(atPath: file.path + "-wal")[.size] as? Int64
        #expect(size == 0)
        try own.dispatch()
        #expect(list.take().count == 1)
        #expect(try list.controller.values("name") == [[99, "b"]])
        // And the next commit is followed again.
        try other.execute("DELETE FROM items WHERE id = 2")
        #expect(try list.controller.object(at: ListIndexPath(section: 0, row: 1))["name"] == "b")
        try own.dispatch()
        #expect(list.take() == ["delete 2 at 0.1"])
        try other.close()
        try own.close()
    }

    @Test func theLogIsBegunFromItsStartWhileAListFollows() throws {
        let pair = try Pair()
        let items = try Watch(pair.own, "items")
        for number in 0..<3000 {
            let writer = number % 3 == 0 ? pair.own : pair.other
            try writer.execute("UPDATE items SET name = ? WHERE id = 1", [.integer(Int64(number))])
            if number % 5 == 0 { try pair.own.dispatch() }
        }
        let size = try FileManager.default.attributesOfItem(atPath: pair.file.path + "-wal")[.size] as? Int64 ?? 0
        // As much as without a list: SQLite writes the log back after 1,000 pages.
        #expect(size < 1100 * 4120)
        try pair.own.dispatch()
        #expect(try items.controller.values("name") == [[2999, "b", "c"]])
    }

    @Test func databasesInMemoryHaveNothingToWakeThem() throws {
        #expect(try Store(path: ":memory:").wakeUpSource == .none)
    }

    @Test func queuedOwnCommitsMakeTheDescriptorReadable() throws {
        var options = StoreOptions()
        options.queuesDelivery = true
        let store = try makeStore("CREATE TABLE items (id INTEGER PRIMARY KEY)", options)
        let items = try Watch(store, "items")
        #expect(try !isReadable(store))
        try store.begin()
        try store.execute("INSERT INTO items VALUES (1)")
        #expect(try !isReadable(store))
        try store.commit()
        #expect(try isReadable(store) && isReadable(store))
        try store.dispatch()
        #expect(try !isReadable(store))
        #expect(items.take() == ["insert 1 at 0.0"])
        try store.transaction { try store.execute("INSERT INTO items VALUES (2)") }
        try store.wait(milliseconds: 1000)
        #expect(items.take() == ["insert 2 at 0.1"])
    }

    @Test func aForeignCommitDoesNotHideOwnChanges() throws {
        let pair = try Pair()
        let items = try Watch(pair.own, "items", sort: ["name"])
        try pair.other.execute("UPDATE items SET name = 'y' WHERE id = 1")
        try pair.own.execute("UPDATE items SET name = 'x' WHERE id = 2")
        try pair.own.dispatch()
        #expect(try items.controller.values("name") == [["c", "x", "y"]])
        #expect(items.recorder.deliveries.flatMap(\.changeSet.objectChanges).map(\.type).allSatisfy { $0 == .move })
    }

    /// No list shows a state of a row in between, when other connections had changed it and this
    /// one had not.
    @Test(arguments: [1, 1000]) func oldValuesAreThoseOfTheShownState(cacheSize: Int) throws {
        let pair = try Pair()
        let items = try Watch(pair.own, "items", columns: ["name"])
        items.controller.rowCacheSize = cacheSize
        try pair.other.execute("UPDATE items SET name = 'between'")
        try pair.own.transaction {
            try pair.own.execute("UPDATE items SET name = 'a' WHERE id = 1")
            try pair.own.execute("UPDATE items SET name = 'new' WHERE id = 2")
            try pair.own.execute("DELETE FROM items WHERE id = 3")
        }
        let delivery = try items.delivery()
        #expect(items.take() == ["delete 3 at 0.2", "update 2 from 0.1 to 0.1 name"])
        #expect(delivery.changeSet.objectChanges.map { delivery.oldValues(of: $0) } == [["c"], ["b"]])
    }

    @Test func aForeignCommitThatLeavesTheListAsItIsDeliversNothing() throws {
        let pair = try Pair()
        let items = try Watch(pair.own, "items", columns: ["id"])
        try pair.other.execute("CREATE TABLE others (x)")
        try pair.other.execute("INSERT INTO others VALUES (1)")
        try pair.other.execute("UPDATE items SET name = 'other'")
        _ = try isReadable(pair.own, within: 500)
        try pair.own.dispatch()
        #expect(items.recorder.events == [])
    }

    /// A rollback journal does not show which rows changed, so that a row counts as updated if it
    /// differs from the content that the program has read.
    @Test(arguments: ["wal", "delete"]) func updatesAreReported(journalMode: String) throws {
        let pair = try Pair(journalMode: journalMode)
        var request = FetchRequest(entity: "items")
        request.batchSize = 1
        let items = try Watch(pair.own, request)
        let object = try items.controller.object(at: ListIndexPath(section: 0, row: 1))
        try pair.other.execute("UPDATE items SET name = name || '!'")
        try pair.own.dispatch()
        let updates = (0..<3).map { "update \($0 + 1) from 0.\($0) to 0.\($0) name" }
        #expect(items.take() == (journalMode == "wal" ? updates : [updates[1]]))
        #expect(object["name"] == "b")
        #expect(try items.controller.values("name") == [["a!", "b!", "c!"]])
    }

    /// In a rollback mode nothing retains the old rows.
    @Test(arguments: ["wal", "delete"]) func aRowReadBeforeTheDeliveryIsTheOldOne(journalMode: String) throws {
        let pair = try Pair(journalMode: journalMode)
        let items = try Watch(pair.own, "items").controller
        try pair.other.execute("UPDATE items SET name = 'new' WHERE id = 1")
        try pair.other.execute("DELETE FROM items WHERE id = 3")
        for row in 0..<3 {
            let path = ListIndexPath(section: 0, row: row)
            guard journalMode == "wal" else {
                expectFailure(.gone) { _ = try items.object(at: path) }
                continue
            }
            let object = try items.object(at: path)
            #expect(object.identity == [.integer(Int64(row + 1))])
            #expect(object["name"] == ["a", "b", "c"][row])
        }
        #expect(try items.numberOfObjects == 3)
    }

    /// Rows of every kind of list, while a queued change of the own connection waits as well.
    @Test func rowsOfAllListsAreThoseOfTheDeliveredState() throws {
        var options = StoreOptions()
        options.queuesDelivery = true
        let file = TemporaryFile()
        let own = try Store(path: file.path, options: options)
        defer { try? own.close() }
        try own.executeScript(
            """
            CREATE TABLE kinds (id INTEGER PRIMARY KEY, name);
            CREATE TABLE items (id INTEGER PRIMARY KEY, name, kind REFERENCES kinds);
            CREATE TABLE pairs (a, b, name, PRIMARY KEY (a, b)) WITHOUT ROWID;
            CREATE TABLE keyed (key TEXT PRIMARY KEY, name);
            CREATE VIEW shown AS SELECT id, name FROM items;
            INSERT INTO kinds VALUES (1, 'x'), (2, 'y');
            INSERT INTO items VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', 1);
            INSERT INTO pairs VALUES (1, 1, 'a'), (1, 2, 'b'), (2, 1, 'c');
            INSERT INTO keyed VALUES ('k1', 'a'), ('k2', 'b'), ('k3', 'c');
            """)
        try own.dispatch()
        var path = FetchRequest(entity: "items")
        path.columns = ["name", "kind.name"]
        var view = FetchRequest(entity: "shown")
        view.identity = ["id"]
        let select = FetchRequest(
            select: "SELECT * FROM items WHERE id > ?1", parameters: [.integer(0)], identity: ["id"])
        let requests = [FetchRequest(entity: "items"), path, view, select]
        let lists = try (requests + [FetchRequest(entity: "pairs"), FetchRequest(entity: "keyed")]).map {
            try Watch(own, $0)
        }
        let other = try Store(path: file.path)
        defer { try? other.close() }
        for round in 0..<2 {
            if round == 1 { try own.execute("UPDATE items SET name = 'own' WHERE id = 2") }
            for table in ["items", "pairs", "keyed", "kinds"] {
                try other.execute("UPDATE \(table) SET name = name || '!'")
                try other.execute("DELETE FROM \(table) WHERE name = 'c!'")
            }
            for list in lists where try list.controller.numberOfObjects > 0 {
                let names = try list.controller.values("name").flatMap { $0 }
                #expect(names == (round == 0 ? ["a", "b", "c"] : ["a!", "b!"]))
            }
            #expect(try lists[1].controller.values("kind.name") == (round == 0 ? [["x", "y", "x"]] : [["x!", "y!"]]))
            try own.dispatch()
        }
    }

    @Test func aListFetchedAfterAForeignCommitShowsItsRowsBeforeTheDelivery() throws {
        let pair = try Pair()
        let items = try Watch(pair.own, "items")
        let others = try Watch(pair.own, "items")
        try pair.other.execute("INSERT INTO items VALUES (4, 'd')")
        try items.controller.performFetch()
        #expect(try items.controller.values("name") == [["a", "b", "c", "d"]])
        // The other list still shows the state before.
        #expect(try others.controller.numberOfObjects == 3)
        #expect(try others.controller.values("name") == [["a", "b", "c"]])
        try pair.own.dispatch()
        #expect(items.take() == [])
        #expect(others.take() == ["insert 4 at 0.3"])
        #expect(try others.controller.values("name") == [["a", "b", "c", "d"]])
        try pair.other.execute("UPDATE items SET name = 'e' WHERE id = 4")
        try items.controller.performFetch()
        try pair.own.execute("UPDATE items SET name = 'f' WHERE id = 4")
        #expect(try items.controller.values("name") == [["a", "b", "c", "f"]])
    }

    @Test func aCommitWhoseChangesCannotBeReadIsNoFailureAndIsDeliveredLater() throws {
        let file = TemporaryFile()
        var options = StoreOptions()
        options.journalMode = "delete"
        options.busyTimeout = 0
        let own = try Store(path: file.path, options: options)
        try own.executeScript("CREATE TABLE items (id INTEGER PRIMARY KEY, name); INSERT INTO items VALUES (1, 'a')")
        let other = try Store(path: file.path, options: options)
        let items = try Watch(own, "items")
        items.recorder.didDeliver = { _ in
            // The write is delivered after this round, when no connection can read.
            try? own.execute("INSERT INTO items VALUES (3, 'late')")
            try? other.begin(.exclusive)
        }
        try own.transaction { try own.execute("INSERT INTO items VALUES (2, 'b')") }
        items.recorder.didDeliver = { _ in }
        #expect(items.take() == ["insert 2 at 0.1"])
        #expect(try other.isInTransaction)
        expectFailure(.busy) { try own.dispatch() }
        try other.rollback()
        try own.dispatch()
        #expect(items.take() == ["insert 3 at 0.2"])
    }

    @Test func anotherRequestHoldsAlsoIfWhatWaitsCannotBeDelivered() throws {
        let file = TemporaryFile()
        var options = StoreOptions()
        options.journalMode = "delete"
        options.busyTimeout = 0
        let own = try Store(path: file.path, options: options)
        try own.executeScript(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, name); INSERT INTO items VALUES (1, 'a'), (2, 'b')")
        let other = try Store(path: file.path, options: options)
        let items = try Watch(own, "items")
        items.recorder.didDeliver = { _ in
            try? own.execute("INSERT INTO items VALUES (3, 'late')")
            try? other.begin(.exclusive)
        }
        try items.controller.setRequest(FetchRequest(entity: "items", predicate: "id > 1"))
        items.recorder.didDeliver = { _ in }
        #expect(items.controller.request.predicate == "id > 1")
        #expect(items.take() == ["delete 1 at 0.0"])
        try other.rollback()
        try own.execute("INSERT INTO items VALUES (4, 'next')")
        #expect(items.take() == ["insert 3 at 0.1", "insert 4 at 0.2"])
    }

    @Test func aForeignSchemaChangeIsFollowed() throws {
        let pair = try Pair()
        let items = try Watch(pair.own, "items")
        try pair.other.execute("DROP TABLE items")
        try pair.own.dispatch()
        #expect(items.recorder.events == ["failed"])
        try pair.other.executeScript(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, name); INSERT INTO items VALUES (2, 'b')")
        try pair.own.dispatch()
        #expect(items.take() == ["delete 3 at 0.2", "delete 1 at 0.0"])
    }
}
