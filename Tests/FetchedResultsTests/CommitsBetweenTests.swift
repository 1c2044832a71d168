import CSQLite
import ChangeSets
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// In WAL mode every row is read as its list shows it, also if another connection commits right
/// after a commit of the store, before the store has taken its snapshot again.
@Suite struct CommitsBetween {
    private static let script =
        """
        CREATE TABLE kinds (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, kind REFERENCES kinds);
        CREATE VIEW shown AS SELECT DISTINCT id, name FROM items;
        CREATE VIEW plain AS SELECT id, name FROM items;
        INSERT INTO kinds VALUES (1, 'x'), (2, 'y'), (3, 'z');
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20)
        INSERT INTO items SELECT i, 'i' || i, 1 + i % 3 FROM n;
        """

    /// A store, its lists, and another connection to its file.
    private final class World {
        let file = TemporaryFile()
        let own: Store
        let other: Store

        init(queued: Bool = false) throws {
            var options = StoreOptions()
            options.queuesDelivery = queued
            own = try Store(path: file.path, options: options)
            other = try Store(path: file.path)
            try other.executeScript(CommitsBetween.script)
            try own.dispatch()
        }

        /// A list of the items, of which only what a read needs stays in memory.
        func list(_ form: Form) throws -> FetchedResultsController {
            let list = try FetchedResultsController(store: own, request: form.request)
            list.rowCacheSize = 1
            try list.performFetch()
            return list
        }
    }

    /// How a list follows the commits of the store.
    enum Form: CaseIterable {
        case rows, view, rowView, select, window, path, sections

        /// Whether it is read from scratch at each of them.
        fileprivate var isReadAgain: Bool { self == .view || self == .select }

        fileprivate var request: FetchRequest {
            var request = FetchRequest(entity: "items", sorts: [Sort("id")])
            switch self {
            case .rows: break
            case .view:
                request = FetchRequest(entity: "shown", sorts: [Sort("id")])
                request.identity = ["id"]
            case .rowView:
                request = FetchRequest(entity: "plain", sorts: [Sort("id")])
                request.identity = ["id"]
            case .select:
                request = FetchRequest(select: "SELECT id, name FROM items ORDER BY id", identity: ["id"])
            case .window: request.limit = 100
            case .path: request.columns = ["id", "name", "kind.name"]
            case .sections: request = FetchRequest(entity: "items", sorts: [Sort("id")], section: Sort("kind.name"))
            }
            return request
        }

        /// Another request with the same rows.
        fileprivate var otherRequest: FetchRequest {
            if self == .select {
                return FetchRequest(select: "SELECT id, name FROM items WHERE id < 50 ORDER BY id", identity: ["id"])
            }
            var request = request
            request.predicate = "id < 50"
            return request
        }
    }

    /// The names of the rows with these numbers; nil for those that are not in the list.
    private func names(_ list: FetchedResultsController, _ ids: [Int64]) throws -> [Value?] {
        try ids.map { id in
            guard let path = try list.indexPath(ofIdentity: [.integer(id)]) else { return nil }
            return try list.object(at: path)["name"]
        }
    }

    /// The changes of the store: an update, an insert and a delete.
    private func changeOwn(_ store: Store, _ step: String) throws {
        try store.transaction {
            try store.execute("UPDATE items SET name = 'own' || ?1 WHERE id BETWEEN 2 AND 6", [.text(step)])
            try store.execute(
                "INSERT OR REPLACE INTO items VALUES (30, 'new' || ?1, 1), (31, 'new' || ?1, 1)", [.text(step)])
            try store.execute("DELETE FROM items WHERE id = 7")
        }
    }

    /// The changes of the others, to rows that the store has changed, and to some that it has not.
    private func changeOther(_ store: Store, _ step: String) throws {
        try store.transaction {
            try store.execute("UPDATE items SET name = 'other' || ?1 WHERE id IN (1, 3, 30)", [.text(step)])
            try store.execute("DELETE FROM items WHERE id IN (4, 9, 31)")
            try store.execute("INSERT OR REPLACE INTO items VALUES (7, 'again', 1), (40, 'new', 2)")
            try store.execute("UPDATE kinds SET name = name || '!'")
        }
    }

    private static let ids: [Int64] = [1, 2, 3, 4, 5, 7, 8, 9, 30, 31, 40]

    private func expectDelivered(_ list: FetchedResultsController, _ step: String) throws {
        let own = Value.text("own" + step)
        let new = Value.text("new" + step)
        let read = try names(list, Self.ids)
        #expect(read == ["i1", own, own, own, own, nil, "i8", "i9", new, new, nil])
    }

    private func expectLatest(_ list: FetchedResultsController, _ step: String) throws {
        let own = Value.text("own" + step)
        let other = Value.text("other" + step)
        let read = try names(list, Self.ids)
        #expect(read == [other, own, other, nil, own, "again", "i8", nil, other, nil, "new"])
    }

    /// The old values of the changes of others are those that the store has committed.
    private func expectOldValues(_ changes: ListChanges) throws {
        let old = changes.changeSet.objectChanges.filter { $0.type != .insert }.map { change -> [Value] in
            guard let values = changes.oldValues(of: change) else { return ["unknown"] }
            return Array(values.prefix(2))
        }
        let expected: [[Value]] = [
            [1, "i1"], [3, "own"], [4, "own"], [9, "i9"], [30, "new"], [31, "new"],
        ]
        for row in expected { #expect(old.contains(row), "\(row) in \(old)") }
    }

    /// Before: a list that shows what the store has committed. Change: another connection commits.
    /// Expected: the rows as the store has committed them, with these as the old values of the
    /// delivery.
    @Test(arguments: Form.allCases) func rightAfterAnOwnCommit(form: Form) throws {
        let world = try World()
        let list = try world.list(form)
        let recorder = Recorder()
        list.addObserver(recorder)
        try changeOwn(world.own, "")
        try changeOther(world.other, "")
        try expectDelivered(list, "")
        try world.own.dispatch()
        try expectLatest(list, "")
        if !form.isReadAgain { try expectOldValues(try #require(recorder.deliveries.last)) }
    }

    /// Change: another connection commits while observers are notified of an own commit.
    @Test(arguments: Form.allCases) func inACallback(form: Form) throws {
        let world = try World()
        let list = try world.list(form)
        let others = try Form.allCases.map { try world.list($0) }
        var callbacks = 0
        let observation = list.observe { _ in
            callbacks += 1
            guard callbacks == 1 else { return }
            do {
                try self.changeOther(world.other, "")
                for list in [list] + others { try self.expectDelivered(list, "") }
            } catch {
                Issue.record(error)
            }
        }
        try changeOwn(world.own, "")
        for list in [list] + others { try expectDelivered(list, "") }
        try world.own.dispatch()
        for list in [list] + others { try expectLatest(list, "") }
        #expect(callbacks == 2)
        withExtendedLifetime(observation) {}
    }

    /// Change: another connection commits as soon as the file is unlocked after an own commit.
    @Test(arguments: Form.allCases) func beforeTheStoreLooks(form: Form) throws {
        let world = try World()
        let list = try world.list(form)
        let recorder = Recorder()
        list.addObserver(recorder)
        let hook = WALHook(world.own) { try self.changeOther(world.other, "") }
        try changeOwn(world.own, "")
        hook.end()
        if form.isReadAgain {
            // A list that is read after the commit shows all commits.
            try expectLatest(list, "")
        } else {
            try expectDelivered(list, "")
        }
        try world.own.dispatch()
        try expectLatest(list, "")
        #expect(try world.own.foreignCounters.unknown == [:])
        if !form.isReadAgain { try expectOldValues(try #require(recorder.deliveries.last)) }
    }

    /// Change: another connection commits while the store reads what it has committed itself.
    @Test func inTheMiddleOfARound() throws {
        let world = try World()
        var meddles = false
        try world.own.addFunction("meddle", argumentCount: 1) { [other = world.other] arguments in
            if meddles {
                meddles = false
                try self.changeOther(other, "")
            }
            return arguments[0]
        }
        var request = Form.rows.request
        request.predicate = "meddle(id) > 0"
        let first = try FetchedResultsController(store: world.own, request: request)
        try first.performFetch()
        let lists = try Form.allCases.map { try world.list($0) }
        meddles = true
        try world.own.execute("UPDATE items SET name = 'own' WHERE id BETWEEN 2 AND 6")
        #expect(!meddles)
        for list in lists { #expect(try names(list, [1, 3, 4, 5, 7, 40]) == ["i1", "own", "own", "own", "i7", nil]) }
        try world.own.dispatch()
        for list in lists {
            #expect(try names(list, [1, 3, 4, 5, 7, 40]) == ["other", "other", nil, "own", "again", "new"])
        }
    }

    /// Change: the store changes so many rows that the list is read from scratch; then another
    /// connection commits in a callback.
    @Test func ofManyRows() throws {
        let world = try World()
        try world.other.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n LIMIT 2000)
            INSERT INTO items SELECT i, 'i', 1 FROM n
            """
        )
        let list = try world.list(.rows)
        try world.own.execute("UPDATE items SET name = 'before' WHERE id = 200")
        var names: [Value?] = []
        let observation = list.observe { _ in
            guard names.isEmpty else { return }
            do {
                try world.other.execute("UPDATE items SET name = 'other' WHERE id > 300")
                names = try self.names(list, [99, 200, 300, 400])
            } catch {
                Issue.record(error)
            }
        }
        try world.own.transaction { try world.own.execute("UPDATE items SET name = 'own' WHERE id >= 100") }
        #expect(list.counters.rereads[.many] == 1)
        #expect(names == [nil, "own", "own", "own"])
        try world.own.dispatch()
        #expect(try self.names(list, [99, 200, 300, 400]) == [nil, "own", "own", "other"])
        withExtendedLifetime(observation) {}
    }

    /// Change: another connection commits when the observers are notified that the list will
    /// change.
    @Test func beforeTheListChanges() throws {
        let world = try World()
        let list = try world.list(.rows)
        let observer = WillChange {
            try self.changeOther(world.other, "")
            #expect(try self.names(list, [1, 3, 4, 7, 8]) == ["i1", "i3", "i4", "i7", "i8"])
        }
        list.addObserver(observer)
        try changeOwn(world.own, "")
        #expect(observer.body == nil)
        try expectDelivered(list, "")
        try world.own.dispatch()
        try expectLatest(list, "")
    }

    /// Before: the store has changed rows. Change: the list gets another request, or continues
    /// after a pause; then another connection commits.
    @Test(arguments: Form.allCases) func afterAnotherRequest(form: Form) throws {
        let world = try World()
        let list = try world.list(form)
        try changeOwn(world.own, "")
        try list.setRequest(form.otherRequest)
        try changeOther(world.other, "")
        try expectDelivered(list, "")
        try world.own.dispatch()
        try expectLatest(list, "")
    }

    @Test(arguments: Form.allCases, [false, true]) func afterAPause(form: Form, reload: Bool) throws {
        let world = try World()
        let list = try world.list(form)
        try list.setPaused(true)
        try changeOwn(world.own, "")
        try list.resume(reload: reload)
        try changeOther(world.other, "")
        try expectDelivered(list, "")
        try world.own.dispatch()
        try expectLatest(list, "")
    }

    /// Before: another connection has committed. Change: the list gets another request, and shows
    /// that state; then there is another commit. Expected: the rows in the state of the request.
    @Test(arguments: Form.allCases) func beforeAnotherRequest(form: Form) throws {
        let world = try World()
        let list = try world.list(form)
        let sibling = try world.list(form)
        try changeOwn(world.own, "")
        try changeOther(world.other, "")
        try list.setRequest(form.otherRequest)
        try expectLatest(list, "")
        try changeOther(world.other, "2")
        try expectLatest(list, "")
        try expectDelivered(sibling, "")
        try world.own.dispatch()
        for list in [list, sibling] {
            #expect(try names(list, [1, 2, 3, 4]) == ["other2", "own", "other2", nil])
        }
    }

    /// Before: own writes that are not delivered. Change: another connection commits. Expected: the
    /// rows as they were delivered.
    @Test(arguments: Form.allCases) func whenOwnWritesWait(form: Form) throws {
        let world = try World(queued: true)
        let list = try world.list(form)
        let delivered: [Value?] = ["i1", "i2", "i3", "i4", "i5", "i7", "i8", "i9", nil, nil, nil]
        try changeOwn(world.own, "")
        #expect(try names(list, Self.ids) == delivered)
        try changeOther(world.other, "")
        #expect(try names(list, Self.ids) == delivered)
        try world.own.dispatch()
        try expectLatest(list, "")
        try world.own.transaction {
            try world.own.execute("UPDATE items SET name = 'more'")
            try world.own.execute("UPDATE kinds SET name = 'more'")
            try expectLatest(list, "")
        }
    }

    /// Before: own changes of the schema that are not delivered. Change: another connection
    /// commits.
    /// Expected: the rows as they were delivered.
    @Test(arguments: Form.allCases) func whenOwnChangesOfTheSchemaWait(form: Form) throws {
        let world = try World(queued: true)
        let list = try world.list(form)
        let delivered: [Value?] = ["i1", "i2", "i3", "i4", "i5", "i7", "i8", "i9", nil, nil, nil]
        try world.own.execute("ALTER TABLE items ADD COLUMN more DEFAULT 1")
        try world.own.execute("CREATE TABLE others (id)")
        #expect(try names(list, Self.ids) == delivered)
        try world.own.execute("UPDATE items SET name = 'own', more = 2 WHERE id = 2")
        try changeOther(world.other, "", columns: ", 1")
        #expect(try names(list, Self.ids) == delivered)
        try world.own.dispatch()
        #expect(try names(list, [1, 4, 7, 40]) == ["other", nil, "again", "new"])
    }

    /// Change: another connection changes the schema. Expected: the rows as they were delivered.
    @Test(arguments: Form.allCases) func ofTheSchema(form: Form) throws {
        let world = try World()
        let list = try world.list(form)
        try changeOwn(world.own, "")
        try world.other.execute("ALTER TABLE items ADD COLUMN more DEFAULT 1")
        try changeOther(world.other, "", columns: ", 1")
        try expectDelivered(list, "")
        try world.own.dispatch()
        try expectLatest(list, "")
    }

    private func changeOther(_ store: Store, _ step: String, columns: String) throws {
        try store.transaction {
            try store.execute("UPDATE items SET name = 'other' || ?1 WHERE id IN (1, 3, 30)", [.text(step)])
            try store.execute("DELETE FROM items WHERE id IN (4, 9, 31)")
            try store.execute("INSERT OR REPLACE INTO items VALUES (7, 'again', 1\(columns)), (40, 'new', 2\(columns))")
        }
    }
}

/// Runs a function once, after the next commit of a store, when the file is unlocked already
/// (https://www.sqlite.org/c3ref/wal_hook.html).
private final class WALHook {
    private let store: Store
    private var body: (() throws -> Void)?

    init(_ store: Store, _ body: @escaping () throws -> Void) {
        self.store = store
        self.body = body
        sqlite3_wal_hook(
            store.connection.handle,
            { context, _, _, _ in
                Unmanaged<WALHook>.fromOpaque(context!).takeUnretainedValue().run()
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func run() {
        let body = body
        self.body = nil
        do { try body?() } catch { Issue.record(error) }
    }

    func end() { sqlite3_wal_hook(store.connection.handle, nil, nil) }
}

/// Runs a function once, when its list is about to change.
private final class WillChange: FetchedResultsObserver {
    private(set) var body: (() throws -> Void)?

    init(_ body: @escaping () throws -> Void) { self.body = body }

    func listWillChange(_ list: any LiveList) {
        let body = body
        self.body = nil
        do { try body?() } catch { Issue.record(error) }
    }
}
