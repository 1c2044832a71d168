import ChangeSets
import FetchedResults
import FetchedResultsViews
import SQLiteKit
import TestSupport
import Testing

/// A class of the program's own that shows an entity by naming it.
@Suite struct EntityLists {
    /// The least that a list has to implement.
    final class Tasks: EntityList {
        let entityName = "tasks"
        let sorts = [Sort("title")]
        let entityListState = EntityListState()
    }

    final class TextCell {
        var text = ""
    }

    /// A view with cells that also applies batches.
    final class Table: CoordinatedView, CellView {
        let log = LoggingView()
        var identifiers: [String] = []
        var visible: [ListIndexPath: TextCell] = [:]

        func reload() { log.reload() }
        func apply(_ batch: ViewBatch) { log.apply(batch) }

        func dequeueCell(_ identifier: String, at path: ListIndexPath) -> TextCell {
            identifiers.append(identifier)
            let cell = TextCell()
            visible[path] = cell
            return cell
        }

        func visibleCell(at path: ListIndexPath) -> TextCell? { visible[path] }
    }

    /// A list with a view, and one function to implement.
    final class TaskTable: EntityCellList {
        let entityName = "tasks"
        let sorts = [Sort("title")]
        let entityListState = EntityListState()
        weak var cellView: Table?
        var counts: [Int] = []

        func configure(_ cell: TextCell, with item: FetchedObject, at path: ListIndexPath) {
            cell.text = item.word("title")
        }
        func countChanged(to count: Int) { counts.append(count) }
    }

    private func makeTasks() throws -> Store {
        try makeStore(
            """
            CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT NOT NULL DEFAULT 'untitled', done INT);
            INSERT INTO tasks (title, done) VALUES ('Bake bread', 0), ('Buy milk', 1);
            """)
    }

    private func path(_ row: Int) -> ListIndexPath { ListIndexPath(section: 0, row: row) }

    @Test func theEntityAndTheOrderAreAllThatHasToBeNamed() throws {
        let tasks = Tasks()
        #expect(tasks.numberOfSections == 1)
        #expect(tasks.numberOfRows(inSection: 0) == 0)
        try tasks.setStore(try makeTasks())
        #expect(tasks.numberOfRows(inSection: 0) == 2)
        #expect(try tasks.item(at: path(0))["title"] == "Bake bread")
        #expect(tasks.makeFetchRequest().batchSize == 20)
        #expect(tasks.cellReuseIdentifier == "managedObjectCell")
    }

    @Test func settingTheStoreFetchesAndReloads() throws {
        let (table, tasks) = (Table(), TaskTable())
        tasks.cellView = table
        let store = try makeTasks()
        try tasks.setStore(store)
        #expect(table.log.take() == ["reload"])
        #expect(tasks.counts == [2])
        try store.execute("INSERT INTO tasks (title) VALUES ('Call home')")
        #expect(table.log.take() == ["[", "rows +0.2", "]"])
        #expect(tasks.counts == [2, 3])
        try tasks.setStore(nil)
        #expect(table.log.take() == ["reload"])
        #expect(tasks.numberOfRows(inSection: 0) == 0)
        try store.execute("DELETE FROM tasks")
        #expect(table.log.take() == [])
    }

    @Test func aStoreThatCannotBeFetchedFromChangesNothing() throws {
        let (table, tasks) = (Table(), TaskTable())
        tasks.cellView = table
        let store = try makeTasks()
        try tasks.setStore(store)
        _ = table.log.take()
        expectFailure(.schema) { try tasks.setStore(try makeStore("CREATE TABLE others (id INTEGER PRIMARY KEY)")) }
        #expect(tasks.store === store)
        #expect(tasks.numberOfRows(inSection: 0) == 2)
        try store.execute("DELETE FROM tasks WHERE id = 1")
        #expect(table.log.take() == ["[", "rows -0.0", "]"])
    }

    @Test func changesAreDeliveredInOneBatchWithRightIndexes() throws {
        let (table, tasks) = (Table(), TaskTable())
        tasks.cellView = table
        let store = try makeTasks()
        try store.execute("INSERT INTO tasks (title) VALUES ('Call home'), ('Dig')")
        try tasks.setStore(store)
        _ = table.log.take()
        try store.transaction {
            try store.execute("DELETE FROM tasks WHERE id = 1")
            try store.execute("INSERT INTO tasks (title) VALUES ('Answer mail'), ('Cook')")
            try store.execute("UPDATE tasks SET title = 'Zip' WHERE id = 2")
        }
        #expect(table.log.take() == ["[", "rows -0.0", "rows +0.0 0.2", "rows 0.1>0.4", "]"])
    }

    @Test func theDataSourceIsThere() throws {
        let (table, tasks) = (Table(), TaskTable())
        #expect(try tasks.cell(at: path(0)) == nil)
        tasks.cellView = table
        let store = try makeTasks()
        try tasks.setStore(store)
        #expect(try tasks.cell(at: path(1))?.text == "Buy milk")
        #expect(table.identifiers == ["managedObjectCell"])
        // A visible cell is configured again.
        try store.execute("UPDATE tasks SET title = 'Buy more milk' WHERE id = 2")
        #expect(table.visible[path(1)]?.text == "Buy more milk")
        let source = tasks.makeTableDataSource()
        source.defaultSectionTitle = "Tasks"
        #expect(source.numberOfRows(inSection: 0) == 2)
        #expect(try source.cell(at: path(0), in: table).text == "Bake bread")
    }

    @Test func addItemInsertsAnObjectOfTheEntityAndReturnsIt() throws {
        let tasks = Tasks()
        expectFailure(.misuse) { try tasks.addItem() }
        try tasks.setStore(try makeTasks())
        let task = try #require(try tasks.addItem())
        #expect(task["title"] == "untitled")
        #expect(task.identity == [3])
        #expect(tasks.numberOfRows(inSection: 0) == 3)
    }

    @Test func deleteItemDeletesTheObjectAtAPath() throws {
        let tasks = Tasks()
        expectFailure(.misuse) { try tasks.deleteItem(at: path(0)) }
        try tasks.setStore(try makeTasks())
        try tasks.deleteItem(at: path(0))
        #expect(tasks.numberOfRows(inSection: 0) == 1)
        expectFailure(.range) { try tasks.deleteItem(at: path(1)) }
    }

    /// Before: a list whose deletions and additions are sent elsewhere. Change: answers, as they
    /// arrive with the list, and a refusal. Expected: a row waits until then.
    @Test func editsThatAreSentElsewhereArePending() throws {
        final class Remote: EntityList {
            let entityName = "tasks"
            let sorts = [Sort("title")]
            let entityListState = EntityListState()
            let updatesCells = true
            var sent: [[Value]] = []
            /// Whether rows waited when their cells were updated.
            var updated: [Bool] = []

            func updateCell(at path: ListIndexPath, with item: FetchedObject) { updated.append(isPending(item)) }

            func addItem() throws -> FetchedObject? {
                sent.append([])
                return nil
            }

            func deleteItem(at path: ListIndexPath) throws {
                let task = try item(at: path)
                try setPending(true, task)
                sent.append(task.identity)
            }

            /// The titles, with a question mark behind the title of a row that waits.
            func shown() throws -> [String] {
                try (0..<numberOfRows(inSection: 0)).map { row in
                    let task = try item(at: ListIndexPath(section: 0, row: row))
                    return task.word("title") + (isPending(task) ? "?" : "")
                }
            }
        }
        let remote = Remote()
        let store = try makeTasks()
        expectFailure(.range) { try remote.deleteItem(at: path(0)) }
        try remote.setStore(store)
        #expect(try remote.addItem() == nil)
        try remote.deleteItem(at: path(0))
        try remote.deleteItem(at: path(1))
        #expect(remote.sent == [[], [1], [2]])
        #expect(try remote.shown() == ["Bake bread?", "Buy milk?"])
        // Refused, and deleted. A row that returns does not wait.
        let bread = try remote.item(at: path(0))
        try remote.setPending(false, bread)
        try store.execute("DELETE FROM tasks WHERE id = 2")
        #expect(try remote.shown() == ["Bake bread"])
        try store.execute("INSERT INTO tasks (id, title) VALUES (2, 'Buy milk')")
        #expect(try remote.shown() == ["Bake bread", "Buy milk"])
        // Another value, seen by the cells of the change itself; then the first one again.
        try remote.setPending(true, bread)
        try store.execute("UPDATE tasks SET title = 'Bake a cake' WHERE id = 1")
        #expect(remote.updated == [false])
        try store.execute("UPDATE tasks SET title = 'Bake bread' WHERE id = 1")
        #expect(try remote.shown() == ["Bake bread", "Buy milk"])
        // A change of another row does not end it; a row that has left is not marked.
        try remote.setPending(true, bread)
        try store.execute("UPDATE tasks SET title = 'Buy tea' WHERE id = 2")
        #expect(try remote.shown() == ["Bake bread?", "Buy tea"])
        try remote.setStore(store)
        #expect(try remote.shown() == ["Bake bread", "Buy tea"])
        try store.execute("DELETE FROM tasks WHERE id = 1")
        try remote.setPending(true, bread)
        #expect(!remote.isPending(bread))
        try remote.setStore(nil)
        expectFailure(.misuse) { try remote.setPending(true, bread) }
        try remote.setPending(false, bread)
    }

    @Test func eachDefaultCanBeReplaced() throws {
        final class Done: EntityList {
            let entityName = "tasks"
            let sorts: [Sort] = []
            let entityListState = EntityListState()
            let batchSize = 7
            let cellReuseIdentifier = "taskCell"
            var viewOptions: ViewOptions { ViewOptions(rowMoves: .deletesAndInserts) }
            var log: [String] = []
            var newItemValues: [(column: String, value: Value)] { [("title", "New"), ("done", 1)] }

            func makeFetchRequest() -> FetchRequest {
                var request = FetchRequest(entity: entityName, predicate: "done", section: Sort("title"))
                request.batchSize = batchSize
                return request
            }

            func makeList(in store: Store) throws -> any LiveList {
                try FetchedResultsCollection([FetchedResultsController(store: store, request: makeFetchRequest())])
            }

            func reloadView() { log.append("reload") }
            func applyToView(_ batch: ViewBatch) { log.append("\(batch.sectionInserts) \(batch.rowDeletes)") }
            func deleteItem(at path: ListIndexPath) throws { log.append("refused") }
        }
        let done = Done()
        try done.setStore(try makeTasks())
        #expect(done.list is FetchedResultsCollection)
        #expect(try done.addItem()?["title"] == "New")
        try done.deleteItem(at: path(0))
        try done.setStore(nil)
        #expect(done.log == ["reload", "[1] []", "refused", "reload"])
    }

    @Test func cellsThatConfigureThemselvesNeedNothing() throws {
        /// Shows the columns that it was made with.
        final class Shown: ColumnCell {
            var drawn: [[String]] = []
            override func show() { drawn.append(texts) }
        }
        final class Grid: CellView {
            func dequeueCell(_ identifier: String, at path: ListIndexPath) -> Shown {
                Shown(columns: ["done", "title", "none"])
            }
            func visibleCell(at path: ListIndexPath) -> Shown? { nil }
        }
        final class TaskGrid: EntityCellList {
            let entityName = "tasks"
            let sorts = [Sort("title")]
            let entityListState = EntityListState()
            let cellView: Grid? = Grid()

            typealias Cell = Shown
            typealias Item = FetchedObject
        }
        let grid = TaskGrid()
        try grid.setStore(try makeTasks())
        let cell = try #require(try grid.cell(at: path(1)))
        #expect(cell.drawn == [["1", "Buy milk", ""]])
        #expect(cell.values == [1, "Buy milk", nil])
        cell.object = nil
        #expect(cell.texts == ["", "", ""])
    }

    @Test func itsCoordinatorCanBePaused() throws {
        let (table, tasks) = (Table(), TaskTable())
        tasks.cellView = table
        let store = try makeTasks()
        try tasks.setStore(store)
        _ = table.log.take()
        tasks.coordinator?.isPaused = true
        try store.execute("DELETE FROM tasks")
        #expect(table.log.take() == [])
        tasks.coordinator?.isPaused = false
        #expect(table.log.take() == ["reload"])
    }
}
