import OrderedTree
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults
@testable import ListEngine

/// Rows whose old and new sort keys have the same hash are moved to their places nevertheless.
@Suite struct CollidingKeysTests {
    /// How the rows of a table are identified: the end of its declaration.
    enum Identity: String, CaseIterable {
        case rowid = "id INTEGER PRIMARY KEY)"
        case text = "id TEXT PRIMARY KEY NOT NULL)"
        case nullable = "id TEXT PRIMARY KEY)"
        case spelled = "id TEXT COLLATE NOCASE PRIMARY KEY NOT NULL)"
        case programs = "id TEXT COLLATE REVERSED PRIMARY KEY NOT NULL)"
        case composite = "id TEXT NOT NULL, part INTEGER NOT NULL DEFAULT 5, PRIMARY KEY (part, id)) WITHOUT ROWID"

        func id(_ number: Int) -> String {
            switch self {
            case .rowid: "\(number)"
            case .nullable where number < 4: "NULL"
            default: "'k\(number)'"
            }
        }
    }

    /// The order of the rows.
    enum SortKind: String, CaseIterable {
        case name
        case folded
        case list = "list_id.name"
        case folder = "list_id.folder_id.name"

        var descriptor: Sort {
            self == .folded ? Sort("name", collation: "FOLDED") : Sort(rawValue)
        }
    }

    private func store(_ identity: Identity) throws -> Store {
        let store = try Store(path: ":memory:")
        try TextOrder.register(in: store)
        try store.executeScript(
            """
            CREATE TABLE folders (id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO folders VALUES (1, 'c'), (2, 'g'), (3, 'p'), (4, 't');
            CREATE TABLE lists (id INTEGER PRIMARY KEY, folder_id INTEGER REFERENCES folders(id), name TEXT);
            INSERT INTO lists VALUES (1, 1, 'c'), (2, 2, 'g'), (3, 3, 'p'), (4, 4, 't');
            CREATE TABLE items (note TEXT, name TEXT, list_id INTEGER REFERENCES lists(id), \(identity.rawValue);
            INSERT INTO items (note, id, name, list_id) VALUES
            ('1', \(identity.id(1)), 'c', 1), ('2', \(identity.id(2)), 'g', 2), ('3', \(identity.id(3)), 'p', 3),
            ('4', \(identity.id(4)), 't', 4), ('5', \(identity.id(5)), 't', 4)
            """)
        try store.dispatch()
        return store
    }

    private func notes(_ store: Store, _ sort: SortKind) throws -> [[Value]] {
        let key =
            switch sort {
            case .name: "name"
            case .folded: "name COLLATE FOLDED"
            case .list: "(SELECT name FROM lists WHERE lists.id = list_id)"
            case .folder:
                "(SELECT folders.name FROM lists, folders WHERE lists.id = list_id AND folders.id = folder_id)"
            }
        // The tests change no more than one of two rows that the identity keeps apart.
        let statement = try store.statement("SELECT note FROM items ORDER BY \(key), note")
        var notes: [Value] = []
        while try statement.step() { notes.append(statement.rowValues(from: 0, count: 1).value(0)) }
        return [notes]
    }

    private static let writes = [
        "UPDATE items SET name = 'z' WHERE note = '2'",
        "UPDATE items SET list_id = 4 WHERE note = '1'",
        "UPDATE lists SET name = 'a' WHERE id = 3",
        "UPDATE folders SET name = 'h' WHERE id = 4",
        "UPDATE items SET name = 'd', list_id = 2, note = '6' WHERE note = '5'",
        "UPDATE lists SET folder_id = 1 WHERE id = 3",
        "BEGIN; UPDATE lists SET folder_id = 3; UPDATE folders SET name = 'b' WHERE id = 3; UPDATE items SET list_id = 1; COMMIT",
        "UPDATE items SET name = 'Q' WHERE note = '3'",
        "UPDATE items SET name = 'q' WHERE note = '3'",
        "DELETE FROM items WHERE note = '4'",
    ]

    @Test(arguments: Identity.allCases, SortKind.allCases)
    func everyRowIsPutInItsPlace(identity: Identity, sort: SortKind) throws {
        let store = try self.store(identity)
        let request = FetchRequest(entity: "items", sorts: [sort.descriptor, Sort("note")])
        let items = try FetchedResultsController(
            store: store, request: request, nodes: NodeSizes(leafCapacity: 4, fanout: 4, keyHashMask: 0))
        try items.performFetch()
        for write in Self.writes {
            try store.executeScript(write)
            #expect(try items.values("note") == notes(store, sort), "after \(write)")
            #expect(try #require(items.engine.list).rows.checkInvariants() == [], "after \(write)")
        }
        #expect(items.counters.rereads.filter { $0.key != .fetch } == [:])
    }

    @Test func aRowWhoseKeyStaysIsNoMoveForOthers() throws {
        for identity in Identity.allCases {
            for sort in SortKind.allCases {
                let store = try self.store(identity)
                let request = FetchRequest(entity: "items", sorts: [sort.descriptor, Sort("note")])
                let items = try FetchedResultsController(
                    store: store, request: request, nodes: NodeSizes(leafCapacity: 4, fanout: 4, keyHashMask: 0))
                let recorder = Recorder()
                items.addObserver(recorder)
                try items.performFetch()
                // Row 2 passes 3, whose key is the same as before.
                try store.executeScript(
                    """
                    BEGIN; UPDATE items SET name = 'q', list_id = 3 WHERE note = '2'; UPDATE lists SET name = 'p' WHERE id = 3;
                    UPDATE items SET name = name; UPDATE folders SET name = name; UPDATE items SET note = '35' WHERE note = '2'; COMMIT
                    """)
                let moves = recorder.deliveries.flatMap(\.changeSet.moves)
                #expect(moves.map(\.oldPath) == [ListIndexPath(section: 0, row: 1)], "\(identity) \(sort)")
            }
        }
    }

    /// Two names, before and after "m", whose keys have the same 32-bit hash.
    private func collidingNames(identity: (inout KeyEncoder) -> Void) -> (String, String) {
        var encoder = KeyEncoder()
        func hash(_ name: String) -> UInt32 {
            encoder.removeAll()
            encoder.append(RowValues([.text(name)]), 0, KeyComponent())
            identity(&encoder)
            return KeyHash.hash32(encoder.bytes)
        }
        var (low, high): ([UInt32: Int], [UInt32: Int]) = ([:], [:])
        for number in 0... {
            let (first, last) = (hash("a\(number)"), hash("z\(number)"))
            low[first] = number
            high[last] = number
            if let other = high[first] { return ("a\(number)", "z\(other)") }
            if let other = low[last] { return ("a\(other)", "z\(number)") }
        }
        return ("", "")
    }

    @Test func twoNamesWithTheSameHashAreTwoPlaces() throws {
        let names = collidingNames { $0.append(RowValues([.text("key")]), 0, KeyComponent()) }
        let store = try makeStore("CREATE TABLE items (id TEXT PRIMARY KEY NOT NULL, name TEXT)")
        try store.execute("INSERT INTO items VALUES ('key', ?), ('other', 'm')", [.text(names.0)])
        let items = try Watch(store, "items", sort: ["name"])
        try store.execute("UPDATE items SET name = ? WHERE id = 'key'", [.text(names.1)])
        #expect(try items.controller.values("name") == [["m", .text(names.1)]])
        #expect(items.take() == ["move key from 0.0 to 0.1 name"])
    }

    @Test func twoNamesOfAParentWithTheSameHashAreTwoPlaces() throws {
        let names = collidingNames { $0.append(rowid: 1) }
        let store = try makeStore(
            """
            CREATE TABLE lists (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE items (id INTEGER PRIMARY KEY, list_id INTEGER REFERENCES lists(id))
            """)
        try store.execute("INSERT INTO lists VALUES (1, ?), (2, 'm')", [.text(names.0)])
        try store.execute("INSERT INTO items VALUES (1, 1), (2, 2)")
        let items = try Watch(store, "items", sort: ["list_id.name"])
        try store.execute("UPDATE lists SET name = ? WHERE id = 1", [.text(names.1)])
        #expect(try items.controller.values("id") == [[2, 1]])
    }
}
