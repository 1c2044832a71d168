import ChangeSets
import LogFollower
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// What rows that the program has not read show in `listWillChange`, and the old values of their
/// records. In WAL mode both are known.
@Suite struct OldStateTests {
    enum Change: CaseIterable {
        case rows, parent, schema, request

        func run(_ lists: ListsOfEachKind, _ store: Store) throws {
            switch self {
            case .rows: try lists.changeRows(store, "new", row: 9)
            case .parent: try store.execute("UPDATE kinds SET name = 'new' WHERE id = 1")
            case .schema:
                try store.executeScript(
                    """
                    BEGIN; ALTER TABLE items ADD COLUMN extra DEFAULT 5; ALTER TABLE keyed ADD COLUMN extra;
                    DELETE FROM items WHERE id = 2; DELETE FROM keyed WHERE a = 2; COMMIT
                    """)
            case .request: try lists.setPredicate("name <> 'b'")
            }
        }
    }

    /// Reads all rows of a list when it is about to change, and the old values of its records.
    private final class Reader: FetchedResultsObserver {
        let before: [[ListsOfEachKind.Row]]
        private(set) var faults: [String] = []
        private(set) var isCalled = false

        private let checksValues: Bool

        init(_ list: FetchedResultsController, checksValues: Bool) throws {
            self.checksValues = checksValues
            before = try ListsOfEachKind.rows(list)
        }

        func listWillChange(_ list: any LiveList) {
            isCalled = true
            do {
                let rows = try ListsOfEachKind.rows(list)
                if rows != before { faults.append("shows \(rows) in place of \(before)") }
            } catch {
                faults.append("\(error)")
            }
        }

        func list(_ list: any LiveList, didDeliver changes: ListChanges) {
            for change in changes.changeSet.objectChanges where checksValues {
                guard let old = change.oldPath, let values = before[old.section][old.row].values else { continue }
                if changes.oldValues(of: change) != values {
                    faults.append("\(change): \(String(describing: changes.oldValues(of: change))) for \(values)")
                }
                guard change.type == .delete, let object = try? changes.object(of: change) else { continue }
                if object.values != values {
                    faults.append("\(change): the object has \(String(describing: object.values))")
                }
            }
        }
    }

    /// Before: lists of each kind in a file, with few contents in memory. Change: of rows, of a row
    /// to which they refer, of the schema, by the store or by another connection, or another
    /// request.
    /// Expected: every row shows its old content until the lists switch; each record of a row that
    /// was there has its old values, and each deleted object its last ones. (Another schema or
    /// request has other columns, in which the old values of unread rows are not known.)
    @Test(arguments: Change.allCases, [false, true]) func everyRowIsKnown(change: Change, isForeign: Bool) throws {
        let lists = try ListsOfEachKind()
        let readers = try lists.lists.map { list in
            let reader = try Reader(list, checksValues: change == .rows || change == .parent)
            list.addObserver(reader)
            return reader
        }
        try change.run(lists, isForeign ? lists.other : lists.own)
        try lists.own.dispatch()
        for (index, reader) in readers.enumerated() {
            for fault in reader.faults { Issue.record("list \(index) \(fault)") }
        }
        let isCalled = readers.contains(where: \.isCalled)
        #expect(isCalled)
        for fault in try lists.faults() { Issue.record("\(fault)") }
    }

    /// Before: a list whose new rows the program has not read, in a callback. Change: another
    /// connection changes these rows, and a checkpoint waits for the store. Expected: the store
    /// keeps the state until the callback returns, so the rows show what was delivered.
    @Test func noStateIsGivenUpInARound() throws {
        let lists = try ListsOfEachKind()
        let views = lists.lists[5]
        let path = try #require(lists.own.delivery.foreign.main.path)
        var (values, isUnfinished) = ([Value](), false)
        let recorder = Recorder()
        recorder.didDeliver = { list in
            do {
                try lists.changeRows(lists.other, "later", row: 10)
                isUnfinished = lists.own.delivery.foreign.guardLog(of: path, wait: .restart)
                values = try ListsOfEachKind.rows(list).flatMap { $0.flatMap { $0.values ?? [] } }
            } catch {
                Issue.record("\(error)")
            }
        }
        views.addObserver(recorder)
        try lists.changeRows(lists.other, "new", row: 9)
        try lists.own.dispatch()
        recorder.didDeliver = { _ in }
        #expect(values == [1, "a", 2, "new", 9, "new"])
        #expect(isUnfinished)
        try lists.own.dispatch()
        for fault in try lists.faults() { Issue.record("\(fault)") }
    }

    /// Before: a list that follows the log of its file, with a small limit. Change: the log grows
    /// beyond the limit. Expected: after one round that reads the list as a whole, the next commit
    /// is followed.
    @Test func theStateIsHeldAgainAfterItWasGivenUp() throws {
        let file = TemporaryFile()
        var options = StoreOptions()
        options.snapshotLimit = 20_000
        let own = try Store(path: file.path, options: options)
        let other = try Store(path: file.path)
        try other.executeScript("PRAGMA wal_autocheckpoint = 0; CREATE TABLE items (id INTEGER PRIMARY KEY, name)")
        let watch = try Watch(own, "items")
        try own.dispatch()
        // An older reader keeps the log from being written back.
        let reader = try Store(path: file.path)
        try reader.execute("BEGIN")
        _ = try FetchedResultsController(store: reader, request: FetchRequest(entity: "items")).performFetch()
        for _ in 0..<3 {
            try other.execute("INSERT INTO items (name) VALUES (zeroblob(100000))")
            try own.dispatch()
            _ = watch.take()
            try other.execute("INSERT INTO items (name) VALUES ('small')")
            try own.dispatch()
            let followed = try own.foreignCounters.followed
            try other.execute("UPDATE items SET name = 'new' WHERE name = 'small'")
            try own.dispatch()
            let now = try own.foreignCounters.followed
            #expect(now == followed + 1)
        }
        try reader.execute("ROLLBACK")
    }
}
