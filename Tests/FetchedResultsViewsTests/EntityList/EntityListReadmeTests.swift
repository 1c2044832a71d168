import ChangeSets
import FetchedResults
import FetchedResultsViews
import SQLiteKit
import TestSupport
import Testing

/// The sentences of TMSCoreDataEntityViewProtocols' README, one by one.
@Suite struct EntityListReadme {
    typealias Screen = DataSources.Screen
    typealias TextCell = DataSources.TextCell

    /// The base: the least that a list has to implement.
    private class People: EntityList {
        var asked = 0
        var entityName: String {
            asked += 1
            return "people"
        }
        var sorts: [Sort] { [Sort("name")] }
        let entityListState = EntityListState()
    }

    /// A list with a table or a collection view, and the one function that these need.
    private class PeopleView: EntityCellList {
        var entityName: String { "people" }
        var sorts: [Sort] { [Sort("name")] }
        let entityListState = EntityListState()
        weak var cellView: Screen?

        func configure(_ cell: TextCell, with item: FetchedObject, at path: ListIndexPath) {
            cell.text = item.word("name")
        }
    }

    private let store: Store

    init() throws {
        store = try makeStore(
            """
            CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'nobody', age INT);
            INSERT INTO people (name, age) VALUES ('Bea', 30), ('Ann', 20), ('Cid', 40);
            """)
    }

    private func path(_ row: Int) -> ListIndexPath { ListIndexPath(section: 0, row: row) }
    private func names(_ list: some EntityList<FetchedObject>) throws -> [String] {
        try (0..<list.numberOfRows(inSection: 0)).map { try list.item(at: path($0)).word("name") }
    }

    // MARK: The protocols

    @Test("It is the base protocol that creates the fetch request and begins execution of it.")
    func theBaseFetches() throws {
        let people = People()
        #expect(people.makeFetchRequest().entity == "people")
        try people.setStore(store)
        #expect(try names(people) == ["Ann", "Bea", "Cid"])
    }

    @Test("The base protocol can be extended to supply entities in other situations where an FRC is used.")
    func theBaseSuppliesAPicker() throws {
        let people = People()
        let picker = PickerDataSource(people.entityListState.items, hasBlankRow: true) { $0.word("name") }
        #expect(picker.numberOfRows == 1)
        try people.setStore(store)
        #expect(try (0..<picker.numberOfRows).map(picker.title(forRow:)) == ["", "Ann", "Bea", "Cid"])
    }

    @Test(
        "It adds the necessary code to supply a table view with the entities retrieved by the fetched results controller."
    )
    func aTableIsSupplied() throws {
        let (people, screen) = (PeopleView(), Screen())
        people.cellView = screen
        try people.setStore(store)
        let table = people.makeTableDataSource()
        #expect(table.numberOfSections == 1 && table.numberOfRows(inSection: 0) == 3)
        #expect(try (0..<3).map { try table.cell(at: path($0), in: screen).text } == ["Ann", "Bea", "Cid"])
    }

    @Test("It adds the necessary code to supply the entities from the fetched results controller to a collection view.")
    func aCollectionViewIsSupplied() throws {
        final class Headers: SupplementaryConfigurator {
            func configure(_ view: TextCell, ofKind kind: String, at path: ListIndexPath) { view.text = kind }
        }
        let (people, screen, headers) = (PeopleView(), Screen(), Headers())
        people.cellView = screen
        try people.setStore(store)
        let plain = people.makeCollectionDataSource()
        #expect(plain.numberOfSections == 1 && plain.numberOfItems(inSection: 0) == 3)
        #expect(try plain.cell(at: path(1), in: screen).text == "Bea")
        let grid = people.makeCollectionDataSource(supplements: headers)
        #expect(grid.numberOfItems(inSection: 0) == 3)
        #expect(try grid.cell(at: path(2), in: screen).text == "Cid")
        #expect(grid.supplementary(ofKind: "header", at: path(0), in: screen).text == "header")
    }

    // MARK: All views

    @Test("The class that conforms can be the view controller that has the view in it, or a helper class.")
    func theViewItselfMayConform() throws {
        /// One class that has the view and supplies it.
        final class Window: EntityCellList, CellView, CoordinatedView {
            let entityName = "people"
            let sorts = [Sort("name")]
            let entityListState = EntityListState()
            var cellView: Window? { self }
            var reloads = 0
            var batches = 0

            func reload() { reloads += 1 }
            func apply(_ batch: ViewBatch) { batches += 1 }
            func dequeueCell(_ identifier: String, at path: ListIndexPath) -> TextCell { TextCell(identifier) }
            func visibleCell(at path: ListIndexPath) -> TextCell? { nil }
            func configure(_ cell: TextCell, with item: FetchedObject, at path: ListIndexPath) {
                cell.text = item.word("name")
            }
        }
        var window: Window? = Window()
        try window?.setStore(store)
        #expect(try window?.cell(at: path(1))?.text == "Bea")
        try store.execute("DELETE FROM people WHERE name = 'Ann'")
        #expect(window?.reloads == 1 && window?.batches == 1)
        // It is its own view, which does not retain it.
        weak let last = window
        window = nil
        #expect(last == nil)
    }

    @Test("To affect updates of a view the conforming class will need a connection to it.")
    func withoutAViewNothingIsReported() throws {
        let people = PeopleView()
        try people.setStore(store)
        try store.execute("UPDATE people SET name = 'Zoe' WHERE id = 1")
        #expect(try names(people) == ["Ann", "Cid", "Zoe"])
        #expect(try people.cell(at: path(0)) == nil)
        let screen = Screen()
        people.cellView = screen
        let cell = try people.cell(at: path(0))
        try store.execute("UPDATE people SET name = 'Amy' WHERE name = 'Ann'")
        #expect(cell?.text == "Amy")
    }

    @Test(
        "entityName is called when determining what to fetch and when determining what kind to add when addItem() is called."
    )
    func theEntityIsFetchedAndAdded() throws {
        let people = People()
        try people.setStore(store)
        #expect(people.asked > 0)
        people.asked = 0
        let added = try #require(try people.addItem())
        #expect(people.asked == 1)
        #expect(added.entity == "people")
        #expect(added["name"] == "nobody")
        #expect(try names(people) == ["Ann", "Bea", "Cid", "nobody"])
    }

    @Test("It needs to implement sorts() and return an array of sort descriptors for sorting the results.")
    func theResultsAreSorted() throws {
        final class Oldest: People {
            override var sorts: [Sort] { [Sort("age", isDescending: true)] }
        }
        let oldest = Oldest()
        try oldest.setStore(store)
        #expect(try names(oldest) == ["Cid", "Bea", "Ann"])
    }

    @Test("By default the FRC will have a batch size of 20; to change this simply implement fetchRequestBatchSize().")
    func theBatchSize() throws {
        final class Few: EntityList {
            let entityName = "people"
            let sorts = [Sort("name")]
            let entityListState = EntityListState()
            let batchSize = 2
        }
        for id in 10..<60 { try store.execute("INSERT INTO people (id) VALUES (?)", [.integer(Int64(id))]) }
        /// The number of rows that are read when one is accessed.
        func rowsRead(_ list: some EntityList<FetchedObject>) throws -> Int {
            try list.setStore(store)
            guard let controller = list.list as? FetchedResultsController else { return 0 }
            let before = controller.counters.rowsRead
            _ = try list.item(at: path(0))
            return Int(controller.counters.rowsRead - before)
        }
        #expect(try rowsRead(People()) == 20)
        #expect(try rowsRead(Few()) == 2)
    }

    @Test(
        "The default reuse identifier is managedObjectCell; for a different one simply implement cellReuseIdentifier()."
    )
    func theReuseIdentifier() throws {
        final class Named: EntityCellList {
            let entityName = "people"
            let sorts = [Sort("name")]
            let entityListState = EntityListState()
            let cellReuseIdentifier = "personCell"
            weak var cellView: Screen?
            func configure(_ cell: TextCell, with item: FetchedObject, at path: ListIndexPath) {}
        }
        let (people, named, screen) = (PeopleView(), Named(), Screen())
        (people.cellView, named.cellView) = (screen, screen)
        try people.setStore(store)
        try named.setStore(store)
        #expect(try people.cell(at: path(0))?.identifier == "managedObjectCell")
        #expect(try named.cell(at: path(0))?.identifier == "personCell")
    }

    // MARK: Table and collection views

    @Test(
        "All that you need to implement in addition is configureCell, to set up the cell for the entity to be displayed."
    )
    func cellsAreConfigured() throws {
        let (people, screen) = (PeopleView(), Screen())
        people.cellView = screen
        try people.setStore(store)
        #expect(try people.cell(at: path(1))?.text == "Bea")
    }

    @Test("A cell that configures itself when passed an entity is simply assigned the entity.")
    func cellsThatConfigureThemselves() throws {
        final class PersonCell: ObjectCell {
            var object: FetchedObject?
        }
        final class Grid: CellView {
            func dequeueCell(_ identifier: String, at path: ListIndexPath) -> PersonCell { PersonCell() }
            func visibleCell(at path: ListIndexPath) -> PersonCell? { nil }
        }
        final class PeopleGrid: EntityCellList {
            let entityName = "people"
            let sorts = [Sort("name")]
            let entityListState = EntityListState()
            let cellView: Grid? = Grid()

            typealias Cell = PersonCell
            typealias Item = FetchedObject
        }
        let grid = PeopleGrid()
        try grid.setStore(store)
        #expect(try grid.cell(at: path(2))?.object?["name"] == "Cid")
    }

    @Test(
        "Everything else is taken care of unless you want to override the default behavior in any of the existing functions."
    )
    func everyFunctionCanBeOverridden() throws {
        final class Own: EntityCellList {
            var log: [String] = []
            let entityName = "people"
            let sorts = [Sort("name")]
            let entityListState = EntityListState()
            let batchSize = 3
            let cellReuseIdentifier = "own"
            let cellView: Screen? = Screen()
            let listView: (any CoordinatedView)? = LoggingView()
            let viewOptions = ViewOptions(resume: .difference)
            let updatesCells = true
            let newItemValues: [(column: String, value: Value)] = [("name", "Zoe")]

            func makeFetchRequest() -> FetchRequest {
                log.append("request")
                return FetchRequest(
                    entity: entityName, predicate: "age > 20 OR age IS NULL", sorts: sorts)
            }
            func makeList(in store: Store) throws -> any LiveList {
                log.append("list")
                return try FetchedResultsController(store: store, request: makeFetchRequest())
            }
            func configure(_ cell: TextCell, with item: FetchedObject, at path: ListIndexPath) {
                log.append("configure")
            }
            func reuseIdentifier(for item: FetchedObject, at path: ListIndexPath) -> String {
                "\(cellReuseIdentifier)!"
            }
            func updateCell(at path: ListIndexPath, with object: FetchedObject) {
                log.append("update \(object.word("name"))")
            }
            func reloadView() { log.append("reload") }
            func applyToView(_ batch: ViewBatch) { log.append("apply \(batch.rowInserts.count)") }
            func countChanged(to count: Int) { log.append("count \(count)") }
            func failed(_ error: StoreError) { log.append("failed \(error.status)") }
            func deleteItem(at path: ListIndexPath) throws { log.append("delete") }
        }
        let own = Own()
        try own.setStore(store)
        #expect(try own.cell(at: path(0))?.identifier == "own!")
        #expect(try own.addItem()?["name"] == "Zoe")
        try store.execute("UPDATE people SET age = 31 WHERE name = 'Bea'")
        try own.deleteItem(at: path(0))
        try store.execute("ALTER TABLE people RENAME TO persons")
        #expect(
            own.log == [
                "list", "request", "reload", "count 2", "configure", "apply 1", "count 3", "update Bea", "delete",
                "failed schema",
            ])
    }

    // MARK: Moving forward

    @Test("Build up an array of changes with the correct indexes so they can all be done in one batch.")
    func changesAreDeliveredInOneBatch() throws {
        final class Strict: EntityList {
            let entityName = "people"
            let sorts = [Sort("name")]
            let entityListState = EntityListState()
            var view: SimulatedView?
            var listView: (any CoordinatedView)? { view }
            var batches = 0

            func applyToView(_ batch: ViewBatch) {
                batches += 1
                view?.apply(batch)
            }
        }
        let people = Strict()
        try people.setStore(store)
        let view = SimulatedView(try #require(people.list), ViewOptions(), updatesCells: false)
        people.view = view
        view.reload()
        // Deletes are applied first, which shifts the places of the others.
        try store.transaction {
            try store.execute("DELETE FROM people WHERE name = 'Ann'")
            try store.execute("INSERT INTO people (name) VALUES ('Abe'), ('Bob'), ('Zoe')")
            try store.execute("UPDATE people SET name = 'Yan' WHERE name = 'Bea'")
            try store.execute("UPDATE people SET age = 41 WHERE name = 'Cid'")
        }
        #expect(people.batches == 1)
        #expect(view.faults == [])
        #expect(view.sections.map { $0.cells.map { $0.content?[1] } } == [["Abe", "Bob", "Cid", "Yan", "Zoe"]])
    }

    @Test(
        "Default cells take an entity as a property and configure themselves, with the attributes and the order wanted."
    )
    func defaultCells() throws {
        let people = People()
        try people.setStore(store)
        let cells = [
            ColumnCell(columns: ["age", "name"]), ColumnCell(columns: ["name"]), ColumnCell(columns: ["id", "none"]),
        ]
        for cell in cells { cell.object = try people.item(at: path(0)) }
        #expect(cells.map(\.texts) == [["20", "Ann"], ["Ann"], ["2", ""]])
        #expect(cells[0].values == [20, "Ann"])
    }

    @Test("The display details of the attributes that are desired will vary greatly between apps.")
    func defaultCellsDrawAsTheyLike() throws {
        final class Shouting: ColumnCell {
            var line = ""
            override func show() { line = texts.joined(separator: ", ").uppercased() }
        }
        let people = People()
        try people.setStore(store)
        let cell = Shouting(columns: ["name", "age"])
        cell.object = try people.item(at: path(1))
        #expect(cell.line == "BEA, 30")
        cell.object = try people.item(at: path(2))
        #expect(cell.line == "CID, 40")
    }
}
