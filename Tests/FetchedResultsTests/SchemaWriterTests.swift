import ChangeSets
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// Every kind of list follows every change of the schema, whoever makes it: after each it equals a
/// new list of the same request, or, where there can't be one, stays as it was and has reported the
/// error.
@Suite struct SchemaWriters {
    enum Writer: CaseIterable {
        /// The store itself, which delivers immediately.
        case store
        case queuedStore
        /// The program, on the connection that the store adopted.
        case program
        case otherConnection
    }

    /// The changes, one after another, each in one transaction.
    static let changes: [[String]] = [
        ["ALTER TABLE items ADD COLUMN extra DEFAULT 5", "ALTER TABLE items DROP COLUMN extra"],
        ["ALTER TABLE items DROP COLUMN note", "ALTER TABLE items ADD COLUMN note DEFAULT 'again'"],
        ["ALTER TABLE items RENAME COLUMN note TO remark", "ALTER TABLE items RENAME COLUMN remark TO note"],
        ["ALTER TABLE items RENAME COLUMN part TO portion", "ALTER TABLE items RENAME COLUMN portion TO part"],
        ["ALTER TABLE lists RENAME COLUMN name TO title", "ALTER TABLE lists RENAME COLUMN title TO name"],
        ["ALTER TABLE lists ADD COLUMN extra", "ALTER TABLE lists DROP COLUMN extra"],
        [
            "ALTER TABLE items RENAME TO things", "UPDATE things SET note = 'moved' WHERE id = 2",
            "ALTER TABLE things RENAME TO items",
        ],
        [
            """
            DROP TABLE items; CREATE TABLE items (part, id INTEGER PRIMARY KEY, list_id INT REFERENCES lists, other);
            INSERT INTO items VALUES ('x', 2, 1, 'new'), ('y', 9, 2, 'newer');
            """,
            "INSERT INTO items VALUES ('x', 5, NULL, 'newest')",
            """
            DROP TABLE items; CREATE TABLE items (id INTEGER PRIMARY KEY, part, note, list_id INT REFERENCES lists);
            INSERT INTO items VALUES (2, 'x', 'old', 1);
            """,
        ],
        ["CREATE INDEX by_note ON items(note)", "DROP INDEX by_note"],
        [
            """
            DROP TABLE items; CREATE TABLE items (id TEXT PRIMARY KEY, part, note, list_id INT REFERENCES lists);
            INSERT INTO items VALUES (2, 'x', 'text', 1), ('b', 'y', 'text', 2);
            """,
            "UPDATE items SET note = 'changed' WHERE id = '2'",
            """
            DROP TABLE items;
            CREATE TABLE items (id INT, part, note, list_id INT REFERENCES lists, PRIMARY KEY (part, id)) WITHOUT ROWID;
            INSERT INTO items VALUES (2, 'x', 'composite', 1), (2, 'y', 'composite', 2);
            """,
        ],
        [
            """
            DROP TABLE lists; CREATE TABLE lists (id INT, name TEXT PRIMARY KEY, rank);
            INSERT INTO lists VALUES (1, 'Work', 2), (2, 'Home', 1), (4, 'Attic', 3);
            """,
            "UPDATE lists SET rank = 0 WHERE id = 1",
            """
            DROP TABLE lists; CREATE TABLE lists (id INTEGER PRIMARY KEY, name, rank);
            INSERT INTO lists VALUES (1, 'Work', 2), (2, 'Home', 1);
            """,
        ],
        [
            "DROP VIEW shown; CREATE VIEW shown AS SELECT id, upper(note) AS note FROM items", "DROP VIEW shown",
            "CREATE VIEW shown AS SELECT * FROM items",
        ],
    ]

    @Test(arguments: Writer.allCases, changes) func listsFollow(writer: Writer, changes: [String]) throws {
        let world = try SchemaWorld(writer)
        defer { world.close() }
        for (index, change) in changes.enumerated() {
            // The first list is paused in the first change, and read again after the second.
            let isPaused = index == 0 && changes.count > 1
            if isPaused { try world.lists[0].pause() }
            try world.write(change)
            if index == 1 { try world.lists[0].resume() }
            for list in world.lists { for fault in list.faults() { Issue.record("after \(change): \(fault)") } }
        }
    }
}

/// A database in a file, lists of all kinds on it, and a writer.
private final class SchemaWorld {
    let store: Store
    private let file = TemporaryFile()
    /// The connection that the store has adopted, or another one.
    private let program: Connection?
    private(set) var lists: [SchemaList] = []

    init(_ writer: SchemaWriters.Writer) throws {
        var options = StoreOptions()
        options.enforcesForeignKeys = false
        options.queuesDelivery = writer == .queuedStore
        program =
            writer == .program || writer == .otherConnection
            ? try .open(path: file.path, readOnly: false, create: true) : nil
        if let handle = program?.handle, writer == .program {
            store = try Store(adopting: handle, queuesDelivery: false)
        } else {
            store = try Store(path: file.path, options: options)
        }
        try store.executeScript(
            """
            CREATE TABLE lists (id INTEGER PRIMARY KEY, name, rank);
            CREATE TABLE items (id INTEGER PRIMARY KEY, part, note, list_id INT REFERENCES lists);
            CREATE VIEW shown AS SELECT * FROM items;
            INSERT INTO lists VALUES (1, 'Work', 2), (2, 'Home', 1), (3, 'Shed', 3);
            INSERT INTO items VALUES (1, 'x', 'a', 1), (2, 'x', 'b', 2), (3, 'y', 'c', 1), (4, 'z', 'd', NULL), (5, 'y', 'e', 2);
            """)
        try store.dispatch()
        for make in makers { lists.append(try SchemaList(store, make)) }
        let inner = try FetchedResultsCollection([make(FetchRequest(entity: "items")), try make(byPart)])
        lists.append(try SchemaList(inner))
    }

    private var byPart: FetchRequest { FetchRequest(entity: "items", section: Sort("part")) }

    private func make(_ request: FetchRequest) throws -> FetchedResultsController {
        var request = request
        request.batchSize = 1
        return try FetchedResultsController(
            store: store, request: request, nodes: NodeSizes(leafCapacity: 4, fanout: 4))
    }

    private var makers: [() throws -> FetchedResultsController] {
        var columns = FetchRequest(entity: "items", sorts: [Sort("list_id.name")])
        columns.columns = ["note", "list_id.name"]
        var view = FetchRequest(entity: "shown")
        view.identity = ["id"]
        var window = FetchRequest(entity: "items", sorts: [Sort("id", isDescending: true)])
        window.limit = 3
        let requests = [
            FetchRequest(entity: "items"), byPart, columns, view, window,
            FetchRequest(
                entity: "items", predicate: "list_id.name > 'A' OR part = 'z'", section: Sort("list_id.name")),
            FetchRequest(select: "SELECT * FROM items WHERE part <> 'q' ORDER BY id DESC", identity: ["id"]),
            FetchRequest(
                select: "SELECT i.*, l.* FROM items AS i LEFT JOIN lists AS l ON l.id = i.list_id ORDER BY part, i.id",
                identity: ["id", "part"], sectionColumn: "part"),
        ]
        return requests.map { request in { [self] in try make(request) } } + [
            { [self] in
                var items = FetchRequest(entity: "items")
                items.batchSize = 1
                return try SectionMap(
                    store: store, items: items,
                    sections: FetchRequest(entity: "lists", sorts: [Sort("name")]),
                    itemKey: "list_id",
                    sectionKey: "id", indexTitle: "name", nodes: NodeSizes(leafCapacity: 4, fanout: 4))
            }
        ]
    }

    /// Runs a script in a transaction. Until it is delivered, the contents of lists are as before,
    /// or gone.
    func write(_ script: String) throws {
        let script = "BEGIN; \(script); COMMIT"
        if let program {
            try program.eachStatement(of: script) { try $0.run() }
        } else {
            try store.executeScript(script)
        }
        if program != nil || store.delivery.isQueued {
            for list in lists {
                for fault in list.faultsOfOldState() { Issue.record("before \(script) is delivered: \(fault)") }
            }
        }
        try store.dispatch()
    }

    func close() {
        try? store.close()
        program?.close()
        file.remove()
    }
}

/// A list of which all rows were read, with a mirror that replays its deliveries.
private final class SchemaList: FetchedResultsObserver {
    private typealias Row = (id: [Value], values: [String: Value])

    private let list: any LiveList
    /// Makes a list of the same request; nil for a collection.
    private let make: (() throws -> FetchedResultsController)?
    private var mirror: [[[Value]]] = []
    private var rows: [Row] = []
    private var columns: [String] = []
    private var recorded: [[Value]: ColumnSet] = [:]
    private var problems: [String] = []
    private var hasFailed = false
    private var isPaused = false

    init(_ store: Store, _ make: @escaping () throws -> FetchedResultsController) throws {
        let controller = try make()
        list = controller
        self.make = make
        try begin()
    }

    init(_ collection: FetchedResultsCollection) throws {
        list = collection
        make = nil
        try begin()
    }

    private func begin() throws {
        list.addObserver(self)
        try list.performFetch()
        // Of most contents only the hashes are cached.
        (list as? FetchedResultsController)?.rowCacheSize = 1
        mirror = try ids()
        rows = try read(list).flatMap(\.self)
        columns = try names(list)
    }

    func pause() throws {
        try (list as? FetchedResultsController)?.setPaused(true)
        isPaused = list is FetchedResultsController
    }

    func resume() throws {
        isPaused = false
        try (list as? FetchedResultsController)?.resume()
    }

    // MARK: Reading

    private func eachPath(_ list: any LiveList, _ body: (ListIndexPath) throws -> Void) throws {
        for section in 0..<(try list.numberOfSections) {
            for row in 0..<(try list.numberOfObjects(inSection: section)) {
                try body(ListIndexPath(section: section, row: row))
            }
        }
    }

    private func row(_ object: FetchedObject) -> Row {
        (object.identity, Dictionary(zip(object.columns, object.values ?? [])) { first, _ in first })
    }

    private func read(_ list: any LiveList) throws -> [[Row]] {
        var sections = try (0..<list.numberOfSections).map { _ in [Row]() }
        try eachPath(list) { sections[$0.section].append(row(try list.object(at: $0))) }
        return sections
    }

    private func names(_ list: any LiveList) throws -> [String] {
        try list.numberOfObjects == 0 ? [] : list.object(at: list.indexPath(at: 0)).columns
    }

    private func ids() throws -> [[[Value]]] { try read(list).map { $0.map(\.id) } }

    // MARK: Checking

    /// The faults of the contents as long as a change is not delivered.
    func faultsOfOldState() -> [String] {
        do {
            var faults: [String] = []
            var index = 0
            try eachPath(list) { path in
                defer { index += 1 }
                guard rows.indices.contains(index) else { return faults.append("\(path) is new") }
                do {
                    let found = row(try list.object(at: path))
                    if found != rows[index] { faults.append("\(path) shows \(found), not \(rows[index])") }
                } catch let error as StoreError where error.status == .gone {}
            }
            return faults + take()
        } catch {
            return ["\(error)"]
        }
    }

    /// The faults of the present contents and of the deliveries.
    func faults() -> [String] {
        if isPaused { return faultsOfOldState() }
        do {
            let new: [[Row]]
            do {
                let fresh = try make?()
                try fresh?.performFetch()
                new = try read(fresh ?? list)
                if let fresh, try names(list) != names(fresh) { problems.append("columns are \(try names(list))") }
                if let fresh, try fresh.sectionIndexTitles != list.sectionIndexTitles {
                    problems.append("index titles differ")
                }
                try fresh?.close()
            } catch {
                if !hasFailed { problems.append("\(error) is not reported") }
                return faultsOfOldState()
            }
            let shown = try read(list)
            if !shown.elementsEqual(new, by: { $0.elementsEqual($1, by: ==) }) {
                problems.append("it shows \(shown), not \(new)")
            }
            if mirror != shown.map({ $0.map(\.id) }) { problems.append("replay led to \(mirror), not \(shown)") }
            if make != nil { noteMissingRecords(shown.flatMap(\.self)) }
            rows = shown.flatMap(\.self)
            hasFailed = false
            recorded = [:]
            return take()
        } catch {
            return take() + ["\(error)"]
        }
    }

    /// All rows were read, so that each change of one has to be reported.
    private func noteMissingRecords(_ new: [Row]) {
        for old in rows {
            guard let now = new.first(where: { $0.id == old.id }), now.values != old.values else { continue }
            if recorded[now.id]?.isEmpty ?? true { problems.append("\(old) became \(now) without a record of it") }
        }
        for (id, changed) in recorded where !changed.isEmpty {
            let old = rows.first { $0.id == id }
            if let old, old.values == new.first(where: { $0.id == id })?.values {
                problems.append("\(old) did not change")
            }
        }
    }

    private func take() -> [String] {
        defer { problems = [] }
        return problems.map { "\($0) of \(list)" }
    }

    // MARK: Callbacks

    func listWillChange(_ controller: any LiveList) {
        for fault in faultsOfOldState() { problems.append("while it will change: \(fault)") }
    }

    func list(_ controller: any LiveList, didFail error: StoreError) { hasFailed = true }

    func list(_ controller: any LiveList, didDeliver changes: ListChanges) {
        do {
            let new = try ids()
            let set = changes.changeSet
            problems += violations(of: set, oldCounts: mirror.map(\.count), newCounts: new.map(\.count)).filter {
                make != nil || !$0.hasSuffix("has two records")
            }
            for change in set.objectChanges {
                noteValues(changes, change)
                if change.newPath != nil, change.oldPath != nil {
                    recorded[changes.identity(of: change)] = change.changedColumns
                }
            }
            mirror = try set.applied(to: mirror.map { ReplayedSection(0, $0) }, section: { _, _ in 0 }) { change, _ in
                change.newPath.map { new[$0.section][$0.row] } ?? []
            }.map(\.rows)
        } catch {
            problems.append("in a delivery: \(error)")
        }
    }

    /// Old values belong to the columns with which they are reported.
    private func noteValues(_ changes: ListChanges, _ change: ObjectChange) {
        let id = changes.identity(of: change)
        guard let values = changes.oldValues(of: change), let old = rows.first(where: { $0.id == id }), make != nil
        else { return }
        let columns = changes.source.columns(of: change)
        let reported = Dictionary(zip(columns, values)) { first, _ in first }
        if columns.count != values.count || reported.contains(where: { old.values[$0] != $1 }) {
            problems.append("\(change) reports the old values \(reported), not \(old)")
        }
        if change.type == .delete, let object = try? changes.object(of: change), row(object).values != old.values {
            problems.append("\(change) shows \(object), not \(old)")
        }
    }
}
