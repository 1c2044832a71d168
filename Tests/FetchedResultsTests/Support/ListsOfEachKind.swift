import ChangeSets
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// A store with a list of each kind, and another connection to its file.
final class ListsOfEachKind {
    private static let script = """
        CREATE TABLE kinds (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, kind REFERENCES kinds);
        CREATE TABLE keyed (a, b, name TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
        CREATE TABLE texts (key TEXT PRIMARY KEY, name TEXT);
        CREATE VIEW shown AS SELECT id, name FROM items;
        INSERT INTO kinds VALUES (1, 'x'), (2, 'y');
        INSERT INTO items VALUES (1, 'a', 1), (2, 'b', 1), (3, 'c', 2);
        INSERT INTO keyed VALUES (1, 1, 'a'), (2, 2, 'b'), (3, 3, 'c');
        INSERT INTO texts VALUES ('1', 'a'), ('2', 'b'), ('3', 'c');
        """

    private let file = TemporaryFile()
    let own: Store
    let other: Store
    private(set) var lists: [FetchedResultsController] = []
    private var replays: [Replay] = []

    init(queued: Bool = false) throws {
        var options = StoreOptions()
        options.queuesDelivery = queued
        options.busyTimeout = 0
        own = try Store(path: file.path, options: options)
        other = try Store(path: file.path, options: options)
        try other.executeScript(Self.script)
        try own.dispatch()
        for request in Self.requests() { add(try FetchedResultsController(store: own, request: request)) }
        add(try map())
        try fetch()
        for list in lists { try replays.append(Replay(list)) }
    }

    /// Of the rows' contents, only what a read needs stays in memory.
    private func add(_ list: FetchedResultsController) {
        list.rowCacheSize = 1
        lists.append(list)
    }

    /// Those of the lists, but for the map.
    static func requests(where predicate: String? = nil) -> [FetchRequest] {
        var rows = FetchRequest(entity: "items", predicate: predicate, sorts: [Sort("name")])
        var path = rows
        path.predicate = nil
        path.columns = ["name", "kind.name"]
        path.section = Sort("kind.name")
        var window = rows
        window.limit = 2
        let keyed = FetchRequest(entity: "keyed", predicate: predicate, sorts: [Sort("name")])
        let texts = FetchRequest(entity: "texts", predicate: predicate, sorts: [Sort("name")])
        var view = FetchRequest(entity: "shown", predicate: predicate, sorts: [Sort("name")])
        view.identity = ["id"]
        let select = FetchRequest(
            select: "SELECT id, name FROM items WHERE \(predicate ?? "1") ORDER BY name, id", identity: ["id"])
        rows.batchSize = 1
        return [rows, path, window, keyed, texts, view, select]
    }

    private func map() throws -> SectionMap {
        try SectionMap(
            store: own, items: FetchRequest(entity: "items", sorts: [Sort("name")]),
            sections: FetchRequest(entity: "kinds", sorts: [Sort("name")]), itemKey: "kind")
    }

    /// Fetches all lists again.
    func fetch() throws {
        for list in lists { try list.performFetch() }
        for replay in replays { try replay.restart() }
    }

    /// Gives all lists but the map another predicate.
    func setPredicate(_ predicate: String?) throws {
        for (list, request) in zip(lists, Self.requests(where: predicate)) { try list.setRequest(request) }
    }

    /// Updates, inserts and deletes rows of each table with one transaction; with nil takes that
    /// back.
    func changeRows(_ store: Store, _ name: String?, row: Int64) throws {
        try store.execute("SAVEPOINT change")
        // Nothing is left of it if another connection is in the way.
        defer { try? store.execute("RELEASE change") }
        let key = Value.integer(row)
        for (table, column) in [("items", "id"), ("keyed", "a"), ("texts", "key")] {
            try store.execute("UPDATE \(table) SET name = ? WHERE \(column) = 2", [.text(name ?? "b")])
            if let name {
                let values = table == "texts" ? "?1, ?2" : table == "keyed" ? "?1, ?1, ?2" : "?1, ?2, 2"
                try store.execute("INSERT INTO \(table) VALUES (\(values))", [key, .text(name)])
                try store.execute("DELETE FROM \(table) WHERE \(column) = 3")
            } else {
                let values = table == "texts" ? "3, 'c'" : table == "keyed" ? "3, 3, 'c'" : "3, 'c', 2"
                try store.execute("DELETE FROM \(table) WHERE \(column) = ?", [key])
                try store.execute("INSERT OR IGNORE INTO \(table) VALUES (\(values))")
            }
        }
    }

    /// How the lists, and their change sets replayed, differ from newly fetched lists.
    func faults() throws -> [String] {
        var faults: [String] = []
        for (index, list) in lists.enumerated() {
            let fresh =
                list === lists.last
                ? try map() : try FetchedResultsController(store: own, request: list.request)
            try fresh.performFetch()
            let (shown, expected) = (try Self.rows(list), try Self.rows(fresh))
            if shown != expected { faults.append("list \(index) shows \(shown), the database has \(expected)") }
            if replays[index].identities != expected.map({ $0.map(\.identity) }) {
                faults.append("the changes of list \(index) lead to \(replays[index].identities)")
            }
        }
        return faults
    }

    struct Row: Equatable, CustomStringConvertible {
        let identity: [Value]
        let values: [Value]?

        var description: String { "\(values ?? [])" }
    }

    static func rows(_ list: any LiveList) throws -> [[Row]] {
        try (0..<list.numberOfSections).map { section in
            try (0..<list.numberOfObjects(inSection: section)).map { row in
                let object = try list.object(at: ListIndexPath(section: section, row: row))
                return Row(identity: object.identity, values: object.values)
            }
        }
    }

    /// Replays the change sets of a list on the identities of its rows.
    private final class Replay: FetchedResultsObserver {
        private unowned let list: FetchedResultsController
        private var sections: [ReplayedSection<Int, [Value]>] = []

        init(_ list: FetchedResultsController) throws {
            self.list = list
            try restart()
            list.addObserver(self)
        }

        var identities: [[[Value]]] { sections.map(\.rows) }

        func restart() throws {
            sections = try rows(list).map { ReplayedSection(0, $0.map(\.identity)) }
        }

        func list(_ list: any LiveList, didDeliver changes: ListChanges) {
            do {
                if changes.changeSet.isReload { return try restart() }
                sections = try changes.changeSet.applied(to: sections, section: { _, _ in 0 }) { change, old in
                    old ?? changes.identity(of: change)
                }
            } catch {
                Issue.record("\(error) in \(changes.changeSet)")
            }
        }
    }
}
