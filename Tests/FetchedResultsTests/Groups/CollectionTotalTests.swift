import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// Totals of collections, over all their lists. The differential tests compare random ones with the
/// rows.
@Suite struct CollectionTotalTests {
    private let store: Store

    init() throws {
        store = try makeStore(
            """
            CREATE TABLE mails (id INTEGER PRIMARY KEY, folder TEXT, size);
            CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT COLLATE NOCASE, size);
            INSERT INTO mails VALUES (1, 'in', 10), (2, 'out', 20);
            INSERT INTO notes VALUES (1, 'plan', 5);
            """)
    }

    private func list(
        _ entity: String, _ totals: [Total], section: String? = nil
    ) throws -> FetchedResultsController {
        var request = FetchRequest(entity: entity, section: section.map { Sort($0) })
        request.totals = totals
        return try FetchedResultsController(store: store, request: request)
    }

    private let size = [Total("rows", .count), Total("size", .sum, of: "size"), Total("most", .max, of: "size")]

    private func recorded(_ lists: [any LiveList]) throws -> (FetchedResultsCollection, Recorder) {
        let collection = try FetchedResultsCollection(lists)
        let recorder = Recorder()
        collection.addObserver(recorder)
        try collection.performFetch()
        return (collection, recorder)
    }

    /// Before: a list with sections and a flat one. Change: a row of each. Expected: the totals of
    /// both, the totals of the section, and the flat list's as the totals of its section.
    @Test func summarizeAllLists() throws {
        let (mails, notes) = (try list("mails", size, section: "folder"), try list("notes", size))
        let (collection, recorder) = try recorded([mails, notes])
        #expect(try collection.totals().values == [3, 35, 20])
        #expect(
            try (0..<3).map { try collection.totals(ofSection: $0).values } == [[1, 10, 10], [1, 20, 20], [1, 5, 5]])
        try store.transaction {
            try store.execute("UPDATE mails SET size = 11 WHERE id = 1")
            try store.execute("UPDATE notes SET size = 50")
        }
        let changes = try #require(recorder.deliveries.last)
        #expect(changes.totals.map(\.name) == ["size", "most", "size", "most", "size", "most"])
        #expect(changes.totals.map(\.newSection) == [nil, nil, 0, 0, 2, 2])
        #expect(changes.totals.map(\.oldValue) == [35, 20, 10, 10, 5, 5])
        #expect(changes.totals.map(\.newValue) == [81, 50, 11, 11, 50, 50])
        #expect(changes.changeSet.sectionUpdates.map(\.newIndex) == [0, 2])
        #expect(try collection.totals().values == [3, 81, 50])
    }

    /// Before: two lists whose sums are inexact as values. Expected: the sum of all numbers.
    @Test func addSumsExactly() throws {
        try store.execute("UPDATE mails SET size = 1e16 WHERE id = 1")
        try store.execute("UPDATE mails SET size = 1.0 WHERE id = 2")
        try store.execute("UPDATE notes SET size = 1.0")
        let totals = [Total("size", .sum, of: "size"), Total("mean", .average, of: "size")]
        let (collection, _) = try recorded([try list("mails", totals), try list("notes", totals)])
        #expect(try collection.totals().values == [.real(10_000_000_000_000_002), .real(10_000_000_000_000_002 / 3)])
    }

    /// Before: a sum of each list in 64 bits. Expected: the nearest floating point number.
    @Test func exceed64BitsAsFloatingPointNumbers() throws {
        try store.execute("UPDATE mails SET size = 9223372036854775807 WHERE id = 1")
        try store.execute("DELETE FROM mails WHERE id = 2")
        let totals = [Total("size", .sum, of: "size")]
        let (collection, recorder) = try recorded([try list("mails", totals), try list("notes", totals)])
        #expect(try collection.totals().values == [.real(9223372036854775808)])
        try store.execute("DELETE FROM notes")
        #expect(recorder.deliveries.last?.totals.map(\.newValue).first == .integer(.max))
    }

    /// Before: totals under one name with two functions, and extremes in two collations. Expected:
    /// the totals that both have.
    @Test func areThoseThatAllListsHave() throws {
        let mails = try list(
            "mails", [Total("rows", .count), Total("a", .sum, of: "size"), Total("last", .max, of: "folder")])
        let notes = try list(
            "notes", [Total("last", .max, of: "title"), Total("rows", .count), Total("a", .average, of: "size")])
        let (collection, recorder) = try recorded([mails, notes])
        #expect(try collection.totals().columns == ["rows"])
        try collection.remove(notes)
        #expect(try collection.totals().columns == ["rows", "a", "last"])
        #expect(recorder.deliveries.last?.totals.map(\.name) == ["rows"])
        try collection.append(try list("notes", []))
        #expect(try collection.totals().columns == [])
    }

    /// Change: a list gets a request that shows the same rows and has other totals.
    @Test func followARequestThatChangesNoRow() throws {
        let mails = try list("mails", size)
        let (collection, recorder) = try recorded([mails])
        var other = mails.request
        other.totals = [Total("mean", .average, of: "size")]
        try mails.setRequest(other)
        #expect(recorder.deliveries.isEmpty)
        #expect(try collection.totals()["mean"] == .real(15))
        #expect(try collection.totals().columns == ["mean"])
    }

    /// Before: a section map that hides an item. Change: the least item that it shows leaves.
    @Test func ofAMapLeaveOutHiddenItems() throws {
        let request = try list("mails", size).request
        let map = try SectionMap(
            store: store, items: request, sectionKeys: ["in"], itemKey: "folder", emptySections: .shown,
            itemsWithoutSection: .hidden)
        let (collection, _) = try recorded([map])
        try store.execute("DELETE FROM mails WHERE folder = 'in'")
        #expect(try map.totals().values == [0, nil, nil])
        #expect(try collection.totals().values == [0, nil, nil])
    }

    /// Before: a list that shows no row, with totals of all rows. Change: such a list is inserted.
    /// Expected: a delivery of the totals.
    @Test func ofAListWithoutRowsAreDelivered() throws {
        var request = FetchRequest(entity: "mails", sorts: [Sort("id")], section: Sort("folder"))
        (request.totals, request.totalsOfAllRows, request.limit) = (size, true, 0)
        func empty() throws -> FetchedResultsController { try FetchedResultsController(store: store, request: request) }
        let (collection, recorder) = try recorded([try empty()])
        #expect(try collection.totals().values == [2, 30, 20])
        try collection.append(try empty())
        #expect(try collection.totals().values == [4, 60, 20])
        #expect(recorder.deliveries.last?.totals.map(\.newValue) == [4, 60])
        try store.execute("DELETE FROM mails WHERE id = 2")
        #expect(recorder.deliveries.last?.totals.map(\.newValue) == [2, 20, 10])
        #expect(recorder.deliveries.count == 2)
    }

    /// Before: placeholders, one in the place of an empty list. Expected: they have no rows; the
    /// section in place of a list has its totals.
    @Test func ofPlaceholdersAreNone() throws {
        let notes = try list("notes", size, section: "title")
        let collection = try FetchedResultsCollection()
        try collection.append(Placeholder(name: "first"))
        try collection.append(notes, emptySection: Placeholder(name: "none"))
        try collection.performFetch()
        #expect(try collection.totals().values == [1, 5, 5])
        #expect(try collection.totals(ofSection: 0).columns == [])
        try store.execute("DELETE FROM notes")
        #expect(try collection.totals().values == [0, nil, nil])
        #expect(try collection.totals(ofSection: 1).values == [0, nil, nil])
        #expect(throws: StoreError.self) { try collection.totals(ofSection: 2) }
    }

    /// Before: a collection in a collection. Change: children leave. Expected: the outer one
    /// follows the inner one.
    @Test func followNestedCollections() throws {
        let notes = try list("notes", size)
        let inner = try FetchedResultsCollection([notes])
        let (outer, recorder) = try recorded([try list("mails", size), inner])
        #expect(try outer.totals().values == [3, 35, 20])
        try inner.remove(notes)
        #expect(try outer.totals().values == [2, 30, 20])
        #expect(recorder.deliveries.last?.totals.map(\.newValue) == [2, 30])
    }

    /// The window shows one row of a section of two; its totals are the totals of the list.
    @Test func ofAWindowOnAListAreOfAllRows() throws {
        try store.execute("INSERT INTO mails VALUES (3, 'out', 7)")
        let mails = try list("mails", size, section: "folder")
        try mails.performFetch()
        let window = try mails.window(at: .end, before: 0, after: 0)
        #expect(try window.totals().values == [3, 37, 20])
        #expect(try window.totals(ofSection: 0).values == [2, 27, 20])
        #expect(throws: StoreError.self) { try window.totals(ofSection: 1) }
    }
}
