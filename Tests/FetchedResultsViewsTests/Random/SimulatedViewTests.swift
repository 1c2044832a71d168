import ChangeSets
import FetchedResults
import TestSupport
import Testing

@testable import FetchedResultsViews

/// The strict view of the random tests: it refuses what a UITableView refuses.
@Suite struct SimulatedViews {
    private func path(_ section: Int, _ row: Int) -> ListIndexPath { ListIndexPath(section: section, row: row) }

    /// The verdict on a batch of a view that shows two rows and one more section of one row, and
    /// whose list did not change.
    private func faults(_ change: (inout ViewBatch) -> Void) throws -> [String] {
        let store = try makeStore(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, kind, name);
            INSERT INTO items VALUES (1, 'a', 'x'), (2, 'a', 'y'), (3, 'b', 'z');
            """)
        let list = try FetchedResultsController(
            store: store, request: FetchRequest(entity: "items", section: Sort("kind")))
        try list.performFetch()
        let view = SimulatedView(list, ViewOptions(), updatesCells: false)
        view.reload()
        #expect(view.faults == [])
        var batch = ViewBatch(
            ChangeSet(objectChanges: [.update(1, from: path(0, 0), to: path(0, 0), changedColumns: [2])]))
        change(&batch)
        view.apply(batch)
        return view.faults
    }

    private func refuses(
        _ word: String, _ change: (inout ViewBatch) -> Void, at location: SourceLocation = #_sourceLocation
    )
        throws
    {
        let faults = try faults(change)
        #expect(faults.contains { $0.contains(word) }, "\(faults)", sourceLocation: location)
    }

    @Test func aBatchThatIsRightIsTaken() throws {
        #expect(try faults { _ in } == [])
    }

    @Test func wrongCountsAreRefused() throws {
        try refuses("rows after the batch") { $0.rowDeletes = [path(0, 1)] }
        try refuses("rows after the batch") {
            $0.sectionDeletes = [1]
            $0.rowReloads = []
        }
    }

    @Test func duplicatePathsAreRefused() throws {
        try refuses("an old row twice") { $0.rowMoves = [RowPlaces(old: path(0, 0), new: path(0, 1))] }
        try refuses("a new row twice") {
            $0.rowInserts = [path(0, 0)]
            $0.rowDeletes = [path(0, 1)]
        }
        try refuses("old section twice") {
            $0.sectionDeletes = [1]
            $0.sectionMoves = [SectionPlaces(old: 1, new: 0)]
        }
        try refuses("new section twice") { $0.sectionInserts = [1, 1] }
    }

    @Test func rowsOfInsertedOrDeletedSectionsAreRefused() throws {
        try refuses("of a deleted section") {
            $0.sectionDeletes = [1]
            $0.rowDeletes = [path(1, 0)]
        }
        try refuses("of a deleted section") {
            $0.sectionDeletes = [1]
            $0.rowMoves = [RowPlaces(old: path(1, 0), new: path(0, 2))]
        }
        try refuses("of an inserted section") {
            $0.sectionInserts = [1]
            $0.rowMoves = [RowPlaces(old: path(0, 1), new: path(1, 0))]
        }
    }

    @Test func placesThatAreNotThereAreRefused() throws {
        try refuses("no old row") { $0.rowDeletes = [path(0, 2)] }
        try refuses("no old section") { $0.sectionDeletes = [2] }
        try refuses("no new row") { $0.rowInserts = [path(0, 2)] }
        try refuses("no new section") { $0.sectionInserts = [2] }
    }

    @Test func aReloadOfAnotherRowIsRefused() throws {
        try refuses("another row") { $0.rowReloads = [RowPlaces(old: path(0, 0), new: path(0, 1))] }
    }

    @Test func groupsOutOfOrderAreRefused() throws {
        try refuses("out of order") { $0.rowDeletes = [path(0, 0), path(0, 1)] }
        try refuses("out of order") { $0.rowInserts = [path(1, 0), path(0, 1)] }
    }
}
