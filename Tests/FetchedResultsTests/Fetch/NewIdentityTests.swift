import ChangeSets
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults
@testable import ListEngine

/// The identities of the rows that a list reads first, on a thread of its own if these are many.
@Suite struct NewIdentities {
    /// Ends of the table's declaration.
    private static let tables = [
        "key TEXT NOT NULL PRIMARY KEY)", "key TEXT PRIMARY KEY)", "key TEXT COLLATE NOCASE NOT NULL PRIMARY KEY)",
        "key TEXT NOT NULL, part INTEGER NOT NULL DEFAULT 7, PRIMARY KEY (part, key)) WITHOUT ROWID",
    ]
    private static let count = 100

    /// A list by an index, or by rows that are sorted when they were read.
    private func items(_ table: String, isIndexed: Bool) throws -> FetchedResultsController {
        let store = try makeStore("CREATE TABLE items (value INTEGER, \(table)")
        if isIndexed { try store.execute("CREATE INDEX by_value ON items (value)") }
        let isNullable = table == "key TEXT PRIMARY KEY)"
        for number in 1...Self.count {
            let key: Value = isNullable && number % 3 == 0 ? .null : .text("k\(number)")
            try store.execute("INSERT INTO items (value, key) VALUES (?, ?)", [.integer(Int64(number)), key])
        }
        return try FetchedResultsController(
            store: store, request: FetchRequest(entity: "items", sorts: [Sort("value")]),
            nodes: NodeSizes(leafCapacity: 4, fanout: 4, chunk: 1))
    }

    private func expectAllRows(_ items: FetchedResultsController) throws {
        #expect(try items.values("value") == [(1...Self.count).map { .integer(Int64($0)) }])
        for row in 0..<Self.count {
            let path = ListIndexPath(section: 0, row: row)
            let object = try items.object(at: path)
            #expect(try items.indexPath(ofIdentity: object.identity) == path)
        }
    }

    /// Before: a list that was not fetched. Change: a fetch. Expected: each row is found by its
    /// identity, and followed.
    @Test(arguments: tables, [true, false]) func rowsAreFoundByThem(table: String, isIndexed: Bool) throws {
        let items = try items(table, isIndexed: isIndexed)
        try items.performFetch()
        try expectAllRows(items)
        try items.store.execute("UPDATE items SET value = value + 1000 WHERE value <= 50")
        #expect(try items.values("value") == [(51...100).map { .integer($0) } + (1001...1050).map { .integer($0) }])
    }

    /// Before: a list whose first fetch was cancelled after some rows. Change: another fetch.
    /// Expected: the same.
    @Test(arguments: tables, [true, false]) func aCancelledFetchDoesNoHarm(table: String, isIndexed: Bool) throws {
        let items = try items(table, isIndexed: isIndexed)
        expectFailure(.cancelled) { try items.performFetch { $0 < 60 } }
        try items.performFetch()
        try expectAllRows(items)
        try items.store.execute("DELETE FROM items WHERE value > 10")
        #expect(try items.values("value") == [(1...10).map { .integer($0) }])
        #expect(items.engine.decoder.identities.count == 10)
    }

    /// Before: rows that are different only in the case of their keys, which the primary key keeps
    /// apart, but not the column. Change: a fetch. Expected: it fails, and one without these rows
    /// does not.
    @Test(arguments: [10, Self.count]) func theColumnsCollationCounts(count: Int) throws {
        let store = try makeStore(
            "CREATE TABLE items (value INTEGER, key TEXT COLLATE NOCASE, PRIMARY KEY (key COLLATE BINARY))")
        for number in 1...count {
            try store.execute(
                "INSERT INTO items VALUES (?, ?)",
                [.integer(Int64(number)), .text(number < 10 ? "k\(number)" : "K\(number)")])
        }
        try store.execute("INSERT INTO items VALUES (0, 'K4')")
        let items = try FetchedResultsController(
            store: store, request: FetchRequest(entity: "items", sorts: [Sort("value")]),
            nodes: NodeSizes(leafCapacity: 4, fanout: 4, chunk: 1))
        expectFailure(.constraint, naming: "4") { try items.performFetch() }
        expectFailure(.constraint, naming: "4") { try items.performFetch() }
        try store.execute("DELETE FROM items WHERE value = 4")
        try items.performFetch()
        #expect(try items.indexPath(ofIdentity: [.text("k4")]) == ListIndexPath(section: 0, row: 0))
    }
}
