import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// Totals of lists of rows. The differential tests compare random ones with the rows.
@Suite struct Totals {
    private let store: Store

    init() throws {
        store = try makeStore(
            """
            CREATE TABLE mails (id INTEGER PRIMARY KEY, folder TEXT, seen INTEGER, size);
            INSERT INTO mails VALUES (1, 'in', 0, 10), (2, 'in', 1, 20), (3, 'out', 1, 5);
            """)
    }

    private func request() -> FetchRequest {
        var request = FetchRequest(entity: "mails", section: Sort("folder"))
        request.totals = [
            Total("unread", .count, of: "seen = 0"), Total("size", .sum, of: "size"), Total("most", .max, of: "size"),
        ]
        return request
    }

    private func totals(_ list: FetchedResultsController) throws -> [[Value]?] {
        try [list.totals().values] + (0..<list.numberOfSections).map { try list.totals(ofSection: $0).values }
    }

    /// Before: two sections. Change: a value that no row of the list shows in its order. Expected:
    /// the section is updated; its record, and the change set, name the totals.
    @Test func changeWithTheirRows() throws {
        let mails = try Watch(store, request())
        #expect(try totals(mails.controller) == [[1, 35, 20], [1, 30, 20], [0, 5, 5]])
        try store.execute("UPDATE mails SET size = 25 WHERE id = 1")
        let changes = try #require(mails.recorder.deliveries.last)
        #expect(changes.totals.map(\.name) == ["size", "most", "size", "most"])
        #expect(changes.totals.map(\.oldSection) == [nil, nil, 0, 0])
        #expect(changes.totals.map(\.newSection) == [nil, nil, 0, 0])
        #expect(changes.totals.map(\.oldValue) == [35, 20, 30, 20])
        #expect(changes.totals.map(\.newValue) == [50, 25, 45, 25])
        // Behind the section's own column.
        #expect(changes.changeSet.sectionUpdates.map(\.changedColumns) == [[2, 3]])
        #expect(mails.take() == ["section update 0 to 0 in", "update 1 from 0.0 to 0.0 size"])
    }

    /// Before: the list shows one column. Change: another one, which a total summarizes. Expected:
    /// a delivery without records of rows.
    @Test func changeWithoutRows() throws {
        var request = request()
        (request.columns, request.section) = (["folder"], nil)
        let mails = try Watch(store, request)
        try store.execute("UPDATE mails SET seen = 1 WHERE id = 1")
        #expect(mails.recorder.events == ["will", "did"])
        #expect(mails.recorder.deliveries.last?.totals.map(\.newValue) == [0])
        #expect(mails.recorder.deliveries.last?.changeSet.isEmpty == true)
    }

    /// Before: the greatest of a section. Change: it leaves, and sections enter and leave.
    /// Expected: one search for each place that lost it.
    @Test func searchForExtremesThatLeave() throws {
        let mails = try Watch(store, request())
        let before = mails.controller.counters.statementsRun
        try store.execute("UPDATE mails SET folder = 'sent', size = 1 WHERE id = 2")
        #expect(try totals(mails.controller) == [[1, 16, 10], [1, 10, 10], [0, 5, 5], [0, 1, 1]])
        // The row, and the searches in the list and in the section.
        #expect(mails.controller.counters.statementsRun == before + 3)
        try store.execute("DELETE FROM mails WHERE folder = 'in'")
        #expect(try totals(mails.controller) == [[0, 6, 5], [0, 5, 5], [0, 1, 1]])
    }

    @Test func ofAWindowAreThoseOfItsRows() throws {
        var request = request()
        (request.section, request.sorts, request.limit) = (nil, [Sort("size", isDescending: true)], 2)
        let mails = try Watch(store, request)
        #expect(try totals(mails.controller) == [[1, 30, 20], [1, 30, 20]])
        try store.execute("INSERT INTO mails VALUES (4, 'in', 0, 15)")
        #expect(try totals(mails.controller) == [[1, 35, 20], [1, 35, 20]])
    }

    /// Before: a window of two rows in one of two sections. Changes: rows that it does not show.
    /// Expected: the totals of all rows, and of all rows of the section; only touched rows are
    /// read.
    @Test func ofAWindowCanBeThoseOfAllRows() throws {
        try store.execute("CREATE INDEX place ON mails (folder, size DESC)")
        var request = request()
        (request.predicate, request.parameters) = ("size > ?", .positional([1]))
        (request.sorts, request.limit) = ([Sort("size", isDescending: true)], 2)
        request.totalsOfAllRows = true
        let mails = try Watch(store, request)
        try store.execute("INSERT INTO mails VALUES (4, 'in', 0, 7)")
        #expect(mails.recorder.deliveries.last?.totals.map(\.newValue) == [2, 42, 2, 37])
        #expect(mails.recorder.deliveries.last?.changeSet.sectionUpdates.map(\.newIndex) == [0])
        #expect(try totals(mails.controller) == [[2, 42, 20], [2, 37, 20]])
        let before = mails.controller.counters
        try store.execute("UPDATE mails SET size = 30 WHERE id = 3")
        #expect(try totals(mails.controller) == [[2, 67, 30], [2, 37, 20]])
        try store.execute("UPDATE mails SET size = 1 WHERE id = 4")
        #expect(try totals(mails.controller) == [[1, 60, 30], [1, 30, 20]])
        try store.execute("DELETE FROM mails WHERE id = 3")
        #expect(try totals(mails.controller) == [[1, 30, 20], [1, 30, 20]])
        #expect(mails.controller.counters.rowsRead == before.rowsRead + 3)
        #expect(mails.controller.counters.rereads == before.rereads)
    }

    /// Before: one row of each section is shown at most. Change: the window moves on to another
    /// section. Expected: the totals of all rows of that.
    @Test func ofASectionThatEntersAWindowAreRead() throws {
        try store.execute("CREATE INDEX place ON mails (folder, id)")
        var request = request()
        (request.sorts, request.limit, request.totalsOfAllRows) = ([Sort("id")], 2, true)
        let mails = try Watch(store, request)
        try store.execute("INSERT INTO mails VALUES (5, 'out', 0, 8)")
        #expect(try totals(mails.controller) == [[2, 43, 20], [1, 30, 20]])
        try store.execute("DELETE FROM mails WHERE id = 1")
        #expect(try totals(mails.controller) == [[1, 33, 20], [0, 20, 20], [1, 13, 8]])
        var other = request
        other.totalsOfAllRows = false
        try mails.controller.setRequest(other)
        #expect(mails.recorder.deliveries.last?.totals.map(\.newValue) == [0, 25, 0, 5, 5])
        #expect(try totals(mails.controller) == [[0, 25, 20], [0, 20, 20], [0, 5, 5]])
    }

    /// Before: a section map with an empty section, and an item without one. Expected: totals of no
    /// rows, and those of the items without section.
    @Test func ofASectionMap() throws {
        var items = request()
        items.section = nil
        let map = try SectionMap(
            store: store, items: items, sectionKeys: ["in", "drafts"], itemKey: "folder", emptySections: .shown,
            itemsWithoutSection: .shown)
        try map.performFetch()
        #expect(try totals(map) == [[1, 35, 20], [1, 30, 20], [0, nil, nil], [0, 5, 5]])
        try store.execute("UPDATE mails SET folder = 'drafts' WHERE id = 3")
        #expect(try totals(map) == [[1, 35, 20], [1, 30, 20], [0, 5, 5]])
    }

    @Test func otherTotalsAreAnotherRequest() throws {
        let mails = try Watch(store, request())
        var other = request()
        other.totals = [Total("rows", .count)]
        other.predicate = "seen"
        try mails.controller.setRequest(other)
        #expect(try totals(mails.controller) == [[2], [1], [1]])
        #expect(try mails.controller.totals()["rows"] == 2)
    }

    /// Before: a paused list. Change: a request with more totals. Expected: the totals of the rows
    /// that it shows, until it is resumed.
    @Test func ofAPausedListStay() throws {
        let mails = try Watch(store, request())
        try mails.controller.setPaused(true)
        var other = request()
        other.totals = [Total("rows", .count), Total("mean", .average, of: "size"), Total("first", .min, of: "folder")]
        try mails.controller.setRequest(other)
        try store.execute("DELETE FROM mails WHERE id = 1")
        #expect(try mails.controller.totals()["size"] == 35)
        #expect(try totals(mails.controller) == [[1, 35, 20], [1, 30, 20], [0, 5, 5]])
        try mails.controller.setPaused(false)
        #expect(try mails.controller.totals()["mean"] == 12.5)
    }

    /// Before: a collection of a list with totals. Change: a total. Expected: the section of the
    /// collection is updated.
    @Test func updateTheSectionsOfACollection() throws {
        let mails = try FetchedResultsController(store: store, request: request())
        let collection = try FetchedResultsCollection([mails])
        let recorder = Recorder()
        collection.addObserver(recorder)
        try collection.performFetch()
        try store.execute("UPDATE mails SET seen = 1 WHERE id = 1")
        #expect(recorder.deliveries.last?.totals.map(\.newSection) == [nil, 0])
        #expect(recorder.take() == ["section update 0 to 0 in", "update 1 from 0.0 to 0.0 seen"])
    }

    @Test func refuseWhatIsNoTotal() throws {
        var request = request()
        request.totals.append(Total("SIZE", .count))
        #expect(throws: StoreError.self) { try FetchedResultsController(store: store, request: request) }
        request.totals = [Total("x", .sum, of: "random()")]
        #expect(throws: StoreError.self) { try FetchedResultsController(store: store, request: request) }
        (request.totals, request.having) = ([], "size > 1")
        #expect(throws: StoreError.self) { try FetchedResultsController(store: store, request: request) }
        var select = FetchRequest(select: "SELECT id FROM mails", identity: ["id"])
        select.totals = [Total("rows", .count)]
        #expect(throws: StoreError.self) { try FetchedResultsController(store: store, request: select) }
    }
}
