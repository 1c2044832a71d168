import ChangeSets
import Glibc
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// In WAL mode every row is read as its list shows it, whatever other connections have committed
/// since the last delivery.
@Suite struct StableRows {
    private static let script =
        """
        CREATE TABLE kinds (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, kind REFERENCES kinds);
        CREATE TABLE pairs (a, b, name TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
        CREATE TABLE keyed (key TEXT PRIMARY KEY, name TEXT);
        CREATE VIEW shown AS SELECT id, name FROM items;
        INSERT INTO kinds VALUES (1, 'x'), (2, 'y'), (3, 'z');
        """

    /// The databases of a store, by their names, each in a file of its own.
    enum Place: CaseIterable {
        case main
        case attached
        case both

        var names: [String] {
            switch self {
            case .main: ["main"]
            case .attached: ["aux"]
            case .both: ["main", "aux", "odd `name"]
            }
        }
    }

    private struct Pair {
        private let mainFile = TemporaryFile()
        private let files: [(name: String, file: TemporaryFile)]
        let own: Store
        /// A writer for each file.
        private let writers: [Store]

        var other: Store { writers[0] }

        init(_ place: Place = .main, queued: Bool = false) throws {
            var options = StoreOptions()
            options.queuesDelivery = queued
            own = try Store(path: mainFile.path, options: options)
            files = place.names.map { [mainFile] in ($0, $0 == "main" ? mainFile : TemporaryFile()) }
            writers = try files.map { try Store(path: $1.path) }
            for ((name, file), writer) in zip(files, writers) {
                try Self.fill(writer)
                if name != "main" { try own.execute("ATTACH ?1 AS \(quoted(name))", [.text(file.path)]) }
            }
            try own.executeScript(
                """
                CREATE TEMP TABLE hidden (id INTEGER PRIMARY KEY);
                INSERT INTO hidden VALUES (3), (11);
                CREATE TEMP VIEW visible AS SELECT \(joint.columns) FROM \(joint.tables);
                """)
            try own.dispatch()
        }

        private static func fill(_ store: Store) throws {
            try store.executeScript(StableRows.script)
            for insert in [
                "items SELECT n, 'i' || n, 1 + n % 3", "pairs SELECT n / 5, n % 5, 'p' || n",
                "keyed SELECT 'k' || n, 'n' || n",
            ] {
                try store.execute(
                    """
                    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT 20)
                    INSERT INTO \(insert) FROM numbers
                    """)
            }
        }

        func writeOwn(_ random: inout SeededRandom) throws {
            try StableRows.write(own, quoted(random.pick(files.map(\.name))), &random)
        }

        func writeOther(_ random: inout SeededRandom) throws {
            try StableRows.write(random.pick(writers), "main", &random)
        }

        /// Makes each writer wait until the log of its file can be restarted.
        func restartLogs(_ mode: String) throws {
            for writer in writers {
                let deadline = ContinuousClock.now + .seconds(30)
                var isDone = false
                repeat {
                    // It does not wait while the store itself writes back the log.
                    isDone = try writer.connection.rows("PRAGMA wal_checkpoint(\(mode))")[0][0] == 0
                    if !isDone { usleep(1000) }
                } while !isDone && ContinuousClock.now < deadline
                #expect(isDone, "\(mode)")
            }
        }

        /// Lists that follow row by row, each with the SELECT that shows the same names in the same
        /// order.
        func lists() throws -> [(list: FetchedResultsController, select: String)] {
            let lists = try unfetchedLists()
            for (list, _) in lists { try list.performFetch() }
            return lists
        }

        func unfetchedLists() throws -> [(list: FetchedResultsController, select: String)] {
            try files.flatMap { try StableRows.lists(own, $0.name) } + jointLists()
        }

        /// A SELECT that reads the first and the last file, which may be the same.
        private var joint: (columns: String, tables: String) {
            let (first, last) = (quoted(files[0].name), quoted(files[files.count - 1].name))
            return ("i.id, i.name || '/' || k.name AS name", "\(first).items i JOIN \(last).kinds k ON k.id = i.kind")
        }

        /// Lists that read several databases, some of them temporary ones.
        private func jointLists() throws -> [(list: FetchedResultsController, select: String)] {
            let (columns, tables) = joint
            let names = "SELECT i.name || '/' || k.name FROM \(tables) ORDER BY i.id"
            let select = FetchRequest(select: "SELECT \(columns) FROM \(tables) ORDER BY i.id", identity: ["id"])
            var view = FetchRequest(entity: "visible", sorts: [Sort("id")])
            view.identity = ["id"]
            let (first, last) = (files[0].name, files[files.count - 1].name)
            let kinds = "kind IN (SELECT id FROM \(quoted(last)).kinds WHERE length(name) % 2)"
            let visible = "id NOT IN (SELECT id FROM temp.hidden)"
            let entity = first == "main" ? "items" : "\(first).items"
            let items = "SELECT name FROM \(quoted(first)).items"
            return try [
                (select, names), (view, names),
                (FetchRequest(entity: entity, predicate: kinds), "\(items) WHERE \(kinds) ORDER BY id"),
                (FetchRequest(entity: entity, predicate: visible), "\(items) WHERE \(visible) ORDER BY id"),
            ].map { (try StableRows.list(own, $0), $1) }
        }
    }

    private static func lists(
        _ store: Store, _ name: String
    ) throws -> [(list: FetchedResultsController, select: String)] {
        func entity(_ table: String) -> String { name == "main" ? table : "\(name).\(table)" }
        let (name, items) = (quoted(name), entity("items"))
        var path = FetchRequest(entity: items, sorts: [Sort("name")])
        path.columns = ["kind.name"]
        let sectioned = FetchRequest(entity: items, sorts: [Sort("id")], section: Sort("kind.name"))
        let joined = "\(name).items i JOIN \(name).kinds k ON k.id = i.kind"
        return try [
            (FetchRequest(entity: items), "SELECT name FROM \(name).items ORDER BY id"),
            (sectioned, "SELECT i.name FROM \(joined) ORDER BY k.name, i.id"),
            (path, "SELECT k.name FROM \(joined) ORDER BY i.name, i.id"),
            (
                FetchRequest(entity: entity("pairs"), sorts: [Sort("name")]),
                "SELECT name FROM \(name).pairs ORDER BY name, a, b"
            ),
            (FetchRequest(entity: entity("keyed")), "SELECT name FROM \(name).keyed ORDER BY key"),
        ].map { (try list(store, $0), $1) }
    }

    private static func list(_ store: Store, _ request: FetchRequest) throws -> FetchedResultsController {
        let list = try FetchedResultsController(store: store, request: request)
        // Only what a read needs stays in memory.
        list.rowCacheSize = 1
        return list
    }

    private static func write(_ store: Store, _ name: String, _ random: inout SeededRandom) throws {
        let number = Value.integer(Int64(random.below(25)))
        let statement = random.pick([
            "UPDATE \(name).items SET name = 'r' || (id + length(name)) % 7 || id WHERE id = ?1",
            "UPDATE \(name).items SET kind = 1 + (kind + 1) % 3 WHERE id = ?1",
            "INSERT OR REPLACE INTO \(name).items VALUES (?1, 'new', 2)",
            "DELETE FROM \(name).items WHERE id = ?1",
            "UPDATE \(name).kinds SET name = name || '!' WHERE id = 1 + ?1 % 3",
            "UPDATE \(name).pairs SET name = 'r' || name WHERE a = ?1 % 5",
            "UPDATE \(name).keyed SET name = name || 'r' WHERE key = 'k' || ?1",
        ])
        try store.execute(statement, [number])
    }

    /// Before: own commits, of which the snapshot may show none. Change: other connections commit.
    /// Expected: all rows as before, and after the delivery as in the database, without lists that
    /// were read as a whole.
    @Test(arguments: RandomTests.seeds(1..<3), Place.allCases)
    func rowsThatTheStoreItselfHasChangedAreAsShown(seed: UInt64, place: Place) throws {
        var random = SeededRandom(seed: seed)
        let pair = try Pair(place)
        let lists = try pair.lists()
        for step in 0..<30 {
            try pair.own.dispatch()
            for (list, select) in lists where random.chance(20) {
                let names = try pair.own.connection.rows(select).map { $0[0] }
                let read = try list.values(Self.column(select)).flatMap(\.self)
                #expect(read == names, "step \(step), \(select), \(RandomTests.replay(seed, "StableRows"))")
            }
            if random.chance(50) {
                for _ in 0..<random.below(4) { try pair.writeOwn(&random) }
            } else {
                try pair.own.transaction(random.pick([.deferred, .immediate])) {
                    for _ in 0..<random.below(4) { try pair.writeOwn(&random) }
                }
            }
            let shown = try lists.map { try pair.own.connection.rows($0.select).map { $0[0] } }
            for _ in 0...random.below(3) { try pair.writeOther(&random) }
            for ((list, select), names) in zip(lists, shown) {
                let read = try list.values(Self.column(select)).flatMap(\.self)
                #expect(read == names, "step \(step), \(select), \(RandomTests.replay(seed, "StableRows"))")
            }
        }
        #expect(try pair.own.foreignCounters.unknown == [:])
        for (list, _) in lists { #expect(list.counters.rereads[.foreign] == nil) }
    }

    /// Before: a commit of another connection, which is delivered. Change: while observers are
    /// notified, the other connection commits again. Expected: the rows as they were delivered.
    @Test(arguments: Place.allCases) func rowsAreAsDeliveredIfOthersCommitDuringTheDelivery(place: Place) throws {
        let pair = try Pair(place)
        let lists = try pair.lists()
        let recorder = Recorder()
        var delivered: [Result<[[Value]], any Error>] = []
        recorder.didChange = { _ in
            delivered.append(
                Result {
                    let names = try lists.map { try pair.own.connection.rows($0.select).map { $0[0] } }
                    try pair.other.execute("UPDATE items SET name = name || '?'")
                    return names
                })
        }
        lists[0].list.addObserver(recorder)
        try pair.other.execute("UPDATE items SET name = 'other' || id WHERE id < 5")
        try pair.own.dispatch()
        #expect(delivered.count == 1)
        for ((list, select), names) in zip(lists, try #require(delivered.first).get()) {
            #expect(try list.values(Self.column(select)).flatMap(\.self) == names, "\(select)")
        }
    }

    /// Before: the held state of several databases is the one that the lists show. Change: a commit
    /// of the store, or one of another connection that is delivered. Expected: what the lists then
    /// show differs from the held state, until that is taken again.
    @Test func theHeldStateOfSeveralDatabasesIsTheShownOneOnceItIsTaken() throws {
        let pair = try Pair()
        let lists = try pair.lists()
        let main = pair.own.delivery.foreign.main
        let joint = try #require(JointState([main], pair.own.connection))
        defer { joint.close() }
        /// nil if no state is held.
        func isBehind() -> Bool? {
            var isBehind: Bool?
            joint.withLaterContents { isBehind = $1 }
            return isBehind
        }
        #expect(joint.hold())
        #expect(isBehind() == false)
        try pair.own.execute("UPDATE items SET name = 'own'")
        #expect(isBehind() == true)
        #expect(joint.hold())
        #expect(isBehind() == false)
        try pair.other.execute("UPDATE items SET name = 'other'")
        try pair.own.dispatch()
        #expect(isBehind() == true)
        // A round takes the states that it has begun to read.
        #expect(joint.prepare([main.heldPosition]))
        joint.takePrepared()
        #expect(isBehind() == false)
        withExtendedLifetime(lists) {}
    }

    private static func column(_ select: String) -> String { select.hasPrefix("SELECT k.") ? "kind.name" : "name" }

    /// Lists that are read as a whole when the store itself writes.
    @Test func rowsOfListsThatWereReadAgainAreAsShown() throws {
        let pair = try Pair()
        var view = FetchRequest(entity: "shown")
        view.identity = ["id"]
        let select = FetchRequest(select: "SELECT id, name FROM items ORDER BY id", identity: ["id"])
        let lists = try [view, select].map { try FetchedResultsController(store: pair.own, request: $0) }
        for list in lists {
            list.rowCacheSize = 1
            try list.performFetch()
        }
        for step in 0..<3 {
            try pair.own.execute("UPDATE items SET name = 'own' || ?1 WHERE id = 2", [.integer(Int64(step))])
            try pair.other.execute("UPDATE items SET name = 'other' || ?1 WHERE id < 4", [.integer(Int64(step))])
            for list in lists {
                let names = try list.values("name").flatMap(\.self).prefix(4)
                let (first, third) = step == 0 ? ("i1", "i3") : ("other\(step - 1)", "other\(step - 1)")
                #expect(names == [.text(first), .text("own\(step)"), .text(third), "i4"])
            }
            try pair.own.dispatch()
        }
    }

    /// No hook reports which rows of a virtual table the store has changed.
    @Test func rowsOfVirtualTablesThatTheStoreHasChangedAreAsShown() throws {
        let pair = try Pair()
        try pair.own.executeScript(
            "CREATE VIRTUAL TABLE texts USING fts5 (body); INSERT INTO texts VALUES ('a'), ('b'), ('c')")
        let select = FetchRequest(select: "SELECT rowid AS id, body FROM texts ORDER BY rowid", identity: ["id"])
        let list = try FetchedResultsController(store: pair.own, request: select)
        list.rowCacheSize = 1
        try list.performFetch()
        for step in ["1", "2"] {
            try pair.own.execute("UPDATE texts SET body = 'own' || ?1 WHERE rowid = 2", [.text(step)])
            try pair.other.execute("DELETE FROM items WHERE id = 1 + ?1", [.text(step)])
            try pair.other.execute("UPDATE texts SET body = 'other' WHERE rowid = 1")
            #expect(try list.values("body") == [[step == "1" ? "a" : "other", .text("own" + step), "c"]])
            try pair.own.dispatch()
        }
    }

    /// Before: a list that was fetched when other connections had committed, and another that shows
    /// the state before.
    /// Change: they commit again. Expected: each shows the rows of its own state.
    @Test(arguments: RandomTests.seeds(1..<3), Place.allCases)
    func rowsOfAListThatWasFetchedBeforeTheDeliveryAreAsShown(seed: UInt64, place: Place) throws {
        var random = SeededRandom(seed: seed)
        let pair = try Pair(place)
        let others = try pair.lists()
        for step in 0..<12 {
            let shown = try others.map { try pair.own.connection.rows($0.select).map { $0[0] } }
            for _ in 0...random.below(2) { try pair.writeOther(&random) }
            let fetched = try pair.lists()
            let ahead = try fetched.map { try pair.own.connection.rows($0.select).map { $0[0] } }
            for _ in 0...random.below(2) { try pair.writeOther(&random) }
            for ((list, select), names) in zip(others + fetched, shown + ahead) {
                let read = try list.values(Self.column(select)).flatMap(\.self)
                #expect(read == names, "step \(step), \(select), \(RandomTests.replay(seed, "StableRows"))")
            }
            try pair.own.dispatch()
        }
    }

    /// Before: own writes that wait in the queue. Change: lists are fetched, in a transaction or
    /// not; the store writes again, and other connections commit. Expected: the rows as they were
    /// fetched.
    @Test(arguments: RandomTests.seeds(1..<3), Place.allCases)
    func rowsOfAListThatWasFetchedWhileOwnWritesWaitAreAsShown(seed: UInt64, place: Place) throws {
        var random = SeededRandom(seed: seed)
        let pair = try Pair(place, queued: true)
        let others = try pair.lists()
        for step in 0..<12 {
            let shown = try others.map { try pair.own.connection.rows($0.select).map { $0[0] } }
            for _ in 0...random.below(2) { try pair.writeOwn(&random) }
            var fetched: [(list: FetchedResultsController, select: String)] = []
            var ahead: [[Value]] = []
            func fetch() throws {
                fetched = try pair.lists()
                ahead = try fetched.map { try pair.own.connection.rows($0.select).map { $0[0] } }
            }
            if random.chance(50) {
                try fetch()
                for _ in 0..<random.below(3) { try pair.writeOwn(&random) }
            } else {
                try pair.own.transaction {
                    for _ in 0..<random.below(2) { try pair.writeOwn(&random) }
                    try fetch()
                    for _ in 0..<random.below(3) { try pair.writeOwn(&random) }
                }
            }
            for _ in 0..<random.below(3) { try pair.writeOther(&random) }
            for ((list, select), names) in zip(others + fetched, shown + ahead) {
                let read = try list.values(Self.column(select)).flatMap(\.self)
                #expect(read == names, "step \(step), \(select), \(RandomTests.replay(seed, "StableRows"))")
            }
            try pair.own.dispatch()
            for (list, select) in others + fetched {
                let names = try pair.own.connection.rows(select).map { $0[0] }
                #expect(try list.values(Self.column(select)).flatMap(\.self) == names)
            }
        }
    }

    /// Before: an own write of a row that waits, and a list that is fetched and not read. Change:
    /// the row is written again. Expected: the update.
    @Test func aRowThatIsWrittenBeforeAndAfterAFetchIsReported() throws {
        let pair = try Pair(queued: true)
        let others = try pair.lists()
        try pair.own.execute("UPDATE items SET name = 'first' WHERE id = 3")
        let list = try #require(try pair.lists().first).list
        let recorder = Recorder()
        list.addObserver(recorder)
        try pair.own.execute("UPDATE items SET name = 'second' WHERE id = 3")
        try pair.own.dispatch()
        #expect(recorder.deliveries.last?.changeSet.objectChanges.map(\.id) == [3])
        withExtendedLifetime(others) {}
    }

    /// Before: a store without lists, to whose databases other connections may have committed.
    /// Change: they commit while its first list is fetched. Expected: each row as it was fetched.
    @Test(arguments: RandomTests.seeds(1..<2), Place.allCases)
    func rowsOfTheFirstListAreAsFetched(seed: UInt64, place: Place) throws {
        var random = SeededRandom(seed: seed)
        for index in try Pair(place).unfetchedLists().indices {
            let pair = try Pair(place)
            for _ in 0..<random.below(2) { try pair.writeOther(&random) }
            let (list, select) = try pair.unfetchedLists()[index]
            let names = try pair.own.connection.rows(select).map { $0[0] }
            try list.performFetch { _ in
                for _ in 0..<3 { try! pair.writeOther(&random) }
                return true
            }
            let read = try list.values(Self.column(select)).flatMap(\.self)
            #expect(read == names, "\(select), \(RandomTests.replay(seed, "StableRows"))")
        }
    }

    /// The same in the background.
    @Test(arguments: RandomTests.seeds(1..<2), Place.allCases)
    func rowsOfTheFirstListThatIsFetchedInTheBackgroundAreAsFetched(seed: UInt64, place: Place) throws {
        var random = SeededRandom(seed: seed)
        for index in try Pair(place).unfetchedLists().indices {
            let pair = try Pair(place)
            for _ in 0..<random.below(2) { try pair.writeOther(&random) }
            let (list, select) = try pair.unfetchedLists()[index]
            var isOver = false
            try list.performFetchAsynchronously { _ in
                for _ in 0..<3 { try! pair.writeOther(&random) }
                return true
            } completion: { error in
                isOver = true
                #expect(error == nil)
            }
            // One of the states that a dispatch finds.
            var states: [[Value]] = []
            while !isOver {
                states.append(try pair.own.connection.rows(select).map { $0[0] })
                try pair.own.wait(milliseconds: 1000)
            }
            for _ in 0..<3 { try pair.writeOther(&random) }
            let read = try list.values(Self.column(select)).flatMap(\.self)
            #expect(states.contains(read), "\(select), \(RandomTests.replay(seed, "StableRows"))")
            let recorder = Recorder()
            list.addObserver(recorder)
            try pair.own.dispatch()
            let latest = try pair.own.connection.rows(select).map { $0[0] }
            #expect(try list.values(Self.column(select)).flatMap(\.self) == latest)
            #expect(latest == read || !recorder.events.isEmpty)
        }
    }

    /// Before: a list that was fetched when other connections had committed to tables that it does
    /// not read, which is delivered. Change: the store changes rows of the list, then other
    /// connections commit. Expected: the rows as they were delivered.
    @Test(arguments: Place.allCases) func aListThatADeliveryDoesNotConcernShowsTheDeliveredState(place: Place) throws {
        let pair = try Pair(place)
        let lists = try pair.lists()
        try pair.other.execute("UPDATE kinds SET name = name || '!'")
        let list = try #require(try pair.lists().first { $0.select.contains("keyed") }).list
        try pair.own.dispatch()
        // The fetched state is not held any more.
        #expect(try pair.other.connection.rows("PRAGMA wal_checkpoint(TRUNCATE)")[0][0] == 0)
        let table = try #require(lists.first { $0.select.contains("keyed") }).select.split(separator: " ")[3]
        try pair.own.execute("UPDATE \(table) SET name = 'own' WHERE key > 'k5'")
        try pair.other.execute("UPDATE kinds SET name = name || '!'")
        #expect(try list.values("name").flatMap(\.self).suffix(4) == ["own", "own", "own", "own"])
    }

    /// A checkpoint that waits for the store holds the write lock, as a commit under way does.
    ///
    /// Before: a program that waits for commits, and has dispatched some of them. Change: other
    /// connections restart the logs. Expected: that succeeds, and all rows are as before if
    /// everything was dispatched.
    @Test(arguments: RandomTests.seeds(1..<2), Place.allCases)
    func logsCanBeRestartedAfterManyCommits(seed: UInt64, place: Place) throws {
        var random = SeededRandom(seed: seed)
        let pair = try Pair(place, queued: random.chance(30))
        let lists = try pair.lists()
        var fetched = lists
        for round in 0..<3 {
            for _ in 0...random.below(random.pick([1, 20, 600])) {
                if random.chance(20) { try pair.writeOwn(&random) } else { try pair.writeOther(&random) }
                if random.chance(50) { try pair.own.wait(milliseconds: 0) }
                if random.chance(2) { fetched = try pair.lists() }
            }
            let isDispatched = random.chance(50)
            if isDispatched { try pair.own.dispatch() }
            // Otherwise the state that the lists show may have to be released.
            let dispatched = isDispatched ? lists : []
            let shown = try dispatched.map { try $0.list.values(Self.column($0.select)).flatMap(\.self) }
            try pair.restartLogs(random.pick(["RESTART", "TRUNCATE"]))
            for ((list, select), names) in zip(dispatched, shown) {
                let read = try list.values(Self.column(select)).flatMap(\.self)
                #expect(read == names, "round \(round), \(select), \(RandomTests.replay(seed, "StableRows"))")
            }
        }
        withExtendedLifetime(fetched) {}
    }

    /// A list that was fetched ahead does not prevent other connections from restarting the log,
    /// whether the delivery concerns it or not, also if it is paused.
    @Test(arguments: ["items", "kinds"], [false, true])
    func aStateThatAListWasFetchedInIsReleasedWithTheDelivery(written: String, isPaused: Bool) throws {
        let pair = try Pair()
        let lists = try pair.lists()
        try pair.other.execute("UPDATE \(written) SET name = 'a'")
        try lists[0].list.performFetch()
        try lists[0].list.setPaused(isPaused)
        try pair.own.dispatch()
        try pair.other.execute("UPDATE \(written) SET name = 'b'")
        try pair.own.dispatch()
        let result = try pair.other.connection.rows("PRAGMA wal_checkpoint(PASSIVE)")
        #expect(result[0][1] == result[0][2], "frames of the log, and those in the file")
    }

    /// Before: a list in a state in which row 1 has another name for a while. Change: its round
    /// fails. Expected: the row can't be read, as its state is gone, and the log is free.
    @Test func aListThatWasFetchedAheadShowsNoOtherStateWhenItsRoundFails() throws {
        struct Refusal: Error {}
        final class Switch: @unchecked Sendable { var isOn = false }
        let (pair, refuses) = (try Pair(), Switch())
        try pair.own.addFunction("accepted", argumentCount: 1, isDeterministic: true) { _ in
            if refuses.isOn { throw Refusal() }
            return 1
        }
        var request = FetchRequest(entity: "items", sorts: [Sort("id")])
        request.predicate = "accepted(name)"
        let list = try Self.list(pair.own, request)
        try list.performFetch()
        try pair.other.execute("UPDATE items SET name = 'a' WHERE id = 1")
        try list.performFetch()
        try pair.other.execute("UPDATE items SET name = iif(id = 1, 'i1', 'b') WHERE id < 3")
        refuses.isOn = true
        try pair.own.dispatch()
        let first = ListIndexPath(section: 0, row: 0)
        expectFailure(.gone) { _ = try list.object(at: first) }
        let result = try pair.other.connection.rows("PRAGMA wal_checkpoint(PASSIVE)")
        #expect(result[0][1] == result[0][2], "frames of the log, and those in the file")
        refuses.isOn = false
        try pair.own.dispatch()
        #expect(try list.values("name")[0].prefix(3) == ["i1", "b", "i3"])
    }
}
