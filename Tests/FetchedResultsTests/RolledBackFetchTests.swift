import FetchedResults
import SQLiteKit
import TestSupport
import Testing

/// Lists that are fetched in a transaction, which is then rolled back as a whole or in part: until
/// the next delivery each row shows what it showed, or is gone.
@Suite struct RolledBackFetchTests {
    private static let script = """
        CREATE TABLE kinds (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, kind REFERENCES kinds);
        CREATE VIEW shown AS SELECT id, name FROM items;
        INSERT INTO kinds VALUES (1, 'x'), (2, 'y');
        INSERT INTO items VALUES (1, 'a', 1), (2, 'b', 1), (3, 'c', 2), (4, 'd', 2);
        """

    private static let requests: [FetchRequest] = {
        var plain = FetchRequest(entity: "items")
        var path = plain
        path.columns = ["name", "kind.name"]
        var view = FetchRequest(entity: "shown")
        view.identity = ["id"]
        var select = FetchRequest(
            select: "SELECT items.id, items.name, kinds.name AS kind FROM items JOIN kinds ON kinds.id = items.kind",
            identity: ["id"])
        var sectioned = path
        sectioned.section = Sort("kind.name")
        return [plain, path, view, select, sectioned]
    }()

    /// How a transaction is rolled back.
    private struct Rollback: Sendable {
        let name: String
        let begin: @Sendable (Store) throws -> Void
        let rollBack: @Sendable (Store) throws -> Void
    }

    private static let rollbacks = [
        Rollback(name: "rollback", begin: { try $0.begin() }, rollBack: { try $0.rollback() }),
        Rollback(name: "ROLLBACK", begin: { try $0.execute("BEGIN") }, rollBack: { try $0.execute("ROLLBACK") }),
        Rollback(
            name: "OR ROLLBACK", begin: { try $0.begin() },
            rollBack: { store in
                #expect(throws: StoreError.self) { try store.execute("INSERT OR ROLLBACK INTO kinds VALUES (1, '')") }
            }),
        Rollback(
            name: "rollback of a savepoint",
            begin: {
                try $0.begin()
                try $0.begin()
            }, rollBack: { try $0.rollback() }),
        Rollback(
            name: "ROLLBACK TO", begin: { try $0.executeScript("BEGIN; SAVEPOINT here") },
            rollBack: { try $0.execute("ROLLBACK TO here") }),
    ]

    /// The values of all rows; nil for a row that is gone.
    private func values(_ list: FetchedResultsController) throws -> [[Value]?] {
        try (0..<list.numberOfObjects).map { index in
            do {
                return try list.object(at: list.indexPath(at: index)).values
            } catch let error as StoreError where error.status == .gone {
                return nil
            }
        }
    }

    private func makeStore(_ file: TemporaryFile?) throws -> Store {
        var options = StoreOptions()
        options.queuesDelivery = true
        let store = try Store(path: file?.path ?? ":memory:", options: options)
        try store.executeScript(Self.script)
        try store.dispatch()
        return store
    }

    /// A list that is read row by row, and has one row in its cache.
    private func makeList(_ store: Store, _ index: Int) throws -> FetchedResultsController {
        var request = Self.requests[index]
        request.batchSize = 1
        let list = try FetchedResultsController(store: store, request: request)
        list.rowCacheSize = 1
        try list.performFetch()
        return list
    }

    /// Before: a list that was fetched in a transaction that had changed all its rows, or all rows
    /// to which these refer. Change: a rollback. Expected: before the delivery, nothing else than
    /// before; after it, the database's state.
    @Test(arguments: requests.indices, ["items", "kinds"]) func rowsShowWhatTheyShowed(
        index: Int, table: String
    ) throws {
        for rollback in Self.rollbacks {
            for isFile in [false, true] {
                let file = isFile ? TemporaryFile() : nil
                defer { withExtendedLifetime(file) {} }
                let store = try makeStore(file)
                let before = try values(try makeList(store, index))
                try rollback.begin(store)
                try store.execute("UPDATE \(table) SET name = name || '!'")
                let list = try makeList(store, index)
                let shown = try values(list)
                try rollback.rollBack(store)
                for (now, then) in zip(try values(list), shown) {
                    #expect(now == nil || now == then, "\(rollback.name), file: \(isFile)")
                }
                if try store.isInTransaction { try store.rollback() }
                try store.dispatch()
                #expect(try values(list) == before, "\(rollback.name), file: \(isFile)")
            }
        }
    }

    /// Before: the same, of the table's own columns, while another list showed the table before.
    /// Expected: no row is gone.
    @Test func rowsOfATableThatWasWatchedBeforeStayReadable() throws {
        for rollback in Self.rollbacks {
            let store = try makeStore(nil)
            let watching = try makeList(store, 0)
            try rollback.begin(store)
            try store.execute("UPDATE items SET name = name || '!'")
            let list = try makeList(store, 0)
            let shown = try values(list)
            try rollback.rollBack(store)
            #expect(try values(list) == shown, "\(rollback.name)")
            #expect(try watching.numberOfObjects == 4)
        }
    }
}
