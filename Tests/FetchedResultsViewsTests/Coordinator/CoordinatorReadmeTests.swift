import ChangeSets
import FetchedResults
import FetchedResultsViews
import SQLiteKit
import TestSupport
import Testing

/// The sentences on coordinators of FetchedResultsCoordinator's README, one by one.
@Suite struct CoordinatorReadme {
    private let store: Store
    private let list: FetchedResultsController

    init() throws { (store, list) = try Self.makeAnimals() }

    private static func makeAnimals(
        _ options: StoreOptions = StoreOptions()
    ) throws -> (store: Store, list: FetchedResultsController) {
        let store = try makeStore(
            """
            CREATE TABLE animals (id INTEGER PRIMARY KEY, kind, name);
            INSERT INTO animals VALUES (1, 'ape', 'Abu'), (2, 'ape', 'Bobo'), (3, 'bee', 'Maya');
            """, options)
        let list = try FetchedResultsController(
            store: store,
            request: FetchRequest(
                entity: "animals", sorts: [Sort("name")], section: Sort("kind")))
        return (store, list)
    }

    @Test(
        "It observes section and object changes from a fetched results controller and then applies the changes to a view."
    )
    func observesAndApplies() throws {
        let stage = Stage(list)
        try stage.load()
        _ = stage.take()
        try store.transaction {
            try store.execute("INSERT INTO animals VALUES (4, 'cat', 'Tom'), (5, 'ape', 'Aab')")
            try store.execute("DELETE FROM animals WHERE id = 3")
        }
        #expect(stage.take() == ["[", "sections -1", "sections +1", "rows +0.0", "]", "count 4"])
    }

    @Test("When you are ready call loadData and it will perform the fetch and tell the view to reload its data.")
    func loadDataFetchesAndReloads() throws {
        let stage = Stage(list)
        #expect(!list.isFetched)
        #expect(stage.take() == [])
        try stage.load()
        #expect(list.isFetched)
        #expect(stage.take() == ["reload", "count 3"])
    }

    @Test("This is used in place of performFetch, which should not be called directly when using the coordinator.")
    func performFetchDoesNotNotifyTheView() throws {
        let (store, list) = try Self.makeAnimals(
            {
                var options = StoreOptions()
                options.queuesDelivery = true
                return options
            }())
        let stage = Stage(list)
        try stage.load()
        _ = stage.take()
        try store.execute("DELETE FROM animals WHERE id = 1")
        try list.performFetch()
        #expect(try list.numberOfObjects == 2)
        #expect(stage.take() == [])
        // But it is not lost: the next delivery includes it.
        try store.execute("DELETE FROM animals WHERE id = 3")
        try store.dispatch()
        #expect(stage.take() == ["reload", "count 1"])
    }

    @Test("After calling loadData all changes observed by the FRC will be reflected in the view.")
    func allChangesAreReflected() throws {
        let view = SimulatedView(list, ViewOptions(), updatesCells: false)
        let coordinator = Coordinator(view: view, list: list)
        try coordinator.loadData()
        for sql in [
            "INSERT INTO animals VALUES (4, 'cat', 'Tom')", "UPDATE animals SET name = 'Zazu' WHERE id = 1",
            "UPDATE animals SET kind = 'cat' WHERE kind = 'ape'", "DELETE FROM animals WHERE id = 3",
            "DELETE FROM animals",
        ] {
            try store.execute(sql)
            #expect(view.faults == [], "\(sql)")
            #expect(try view.difference(from: list) == nil, "\(sql)")
        }
        withExtendedLifetime(coordinator) {}
    }

    // MARK: Reloading vs reconfiguring cells

    @Test("The initialisation parameter updateCell is optional defaulting to nil.")
    func updateCellIsOptional() throws {
        let view = LoggingView()
        let coordinator = Coordinator(view: view, list: list)
        try coordinator.loadData()
        try store.execute("UPDATE animals SET name = 'Ada' WHERE id = 1")
        #expect(view.take() == ["reload", "[", "reload 0.0>0.0", "]"])
    }

    @Test(
        "Providing updateCell has your cell configuration code called again rather than the view asked to reload that row."
    )
    func updateCellReplacesReloads() throws {
        let stage = Stage(list, updatesCells: true)
        try stage.load()
        _ = stage.take()
        try store.execute("UPDATE animals SET name = 'Ada' WHERE id = 1")
        #expect(stage.take() == ["cell 0.0 Ada"])
    }

    // MARK: Pausing

    @Test("The coordinator has a paused boolean property, which stops observing FRC changes when set to true.")
    func pausedStopsObserving() throws {
        let stage = Stage(list, updatesCells: true)
        let coordinator = try #require(stage.coordinator)
        try stage.load()
        _ = stage.take()
        #expect(!coordinator.isPaused)
        coordinator.isPaused = true
        try store.execute("UPDATE animals SET name = 'Ada' WHERE id = 1")
        try store.execute("DELETE FROM animals WHERE id = 3")
        #expect(stage.take() == [])
    }

    @Test("Pause the coordinator during the bulk load and then unpause it once the data is loaded and saved.")
    func aBulkLoad() throws {
        let stage = Stage(list)
        try stage.load()
        _ = stage.take()
        stage.pause()
        for number in 10..<1010 {
            try store.execute(
                "INSERT INTO animals VALUES (?, 'ant', ?)", [.integer(Int64(number)), .text("ant \(number)")])
        }
        #expect(stage.take() == [])
        stage.resume()
        #expect(stage.take() == ["reload", "count 1003"])
    }

    @Test("Set paused = false which will reload the data in the FRC and update the view.")
    func theEndOfAPauseReloadsTheData() throws {
        var options = StoreOptions()
        options.queuesDelivery = true
        let (store, list) = try Self.makeAnimals(options)
        let stage = Stage(list)
        try stage.load()
        stage.pause()
        try store.execute("DELETE FROM animals WHERE kind = 'ape'")
        #expect(try list.numberOfObjects == 3)
        stage.resume()
        #expect(try list.numberOfObjects == 1)
        #expect(stage.take() == ["reload", "count 3", "reload", "count 1"])
    }

    // MARK: FRC delegate

    @Test("If you set the FRC's delegate to another object the coordinator will no longer be notified: not so here.")
    func othersMayObserveTheListToo() throws {
        let stage = Stage(list)
        try stage.load()
        _ = stage.take()
        let recorder = Recorder()
        let id = list.addObserver(recorder)
        try store.execute("DELETE FROM animals WHERE id = 1")
        #expect(stage.take() == ["[", "rows -0.0", "]", "count 2"])
        #expect(recorder.take() == ["delete 1 at 0.0"])
        list.removeObserver(id)
        try store.execute("DELETE FROM animals WHERE id = 3")
        #expect(stage.take() == ["[", "sections -1", "]", "count 1"])
        #expect(recorder.take() == [])
    }

    @Test("When paused it will set the FRC's delegate to nil and when unpaused back: here a pause is its own alone.")
    func aPauseIsNotThatOfOthers() throws {
        let stage = Stage(list)
        try stage.load()
        let recorder = Recorder()
        list.addObserver(recorder)
        _ = stage.take()
        stage.pause()
        try store.execute("DELETE FROM animals WHERE id = 1")
        #expect(recorder.take() == ["delete 1 at 0.0"])
        stage.resume()
        #expect(stage.take() == ["reload", "count 2"])
        try store.execute("DELETE FROM animals WHERE id = 3")
        #expect(recorder.take() == ["section delete 1 bee", "delete 3 at 1.0"])
    }

    // MARK: Coordinating other views

    @Test("It takes any type conforming to the protocol; most of the work is apply, which gives a batch of changes.")
    func anyViewCanBeCoordinated() throws {
        /// A line of text.
        final class Headline: CoordinatedView {
            var text = ""
            func reload() { text = "loaded" }
            func apply(_ batch: ViewBatch) { text = "\(batch.rowInserts.count) more, \(batch.rowDeletes.count) less" }
        }
        let headline = Headline()
        let coordinator = Coordinator(view: headline, list: list)
        try coordinator.loadData()
        #expect(headline.text == "loaded")
        try store.transaction {
            try store.execute("INSERT INTO animals VALUES (4, 'bee', 'Willi'), (5, 'bee', 'Zoe')")
            try store.execute("DELETE FROM animals WHERE id = 1")
        }
        #expect(headline.text == "2 more, 1 less")
        withExtendedLifetime(coordinator) {}
    }
}

/// The sentences on data sources of FetchedResultsCoordinator's README, one by one.
@Suite struct DataSourceReadme {
    typealias Screen = DataSources.Screen
    typealias TextCell = DataSources.TextCell

    /// The two methods of the README's configurator.
    private final class Configurator: CellConfigurator {
        var identifier: (FetchedObject) -> String = { _ in "animalCell" }

        func configure(_ cell: TextCell, with item: FetchedObject, at path: ListIndexPath) {
            cell.text = item.word("name")
        }
        func reuseIdentifier(for item: FetchedObject, at path: ListIndexPath) -> String { identifier(item) }
    }

    private final class Headers: SupplementaryConfigurator {
        func reuseIdentifier(forSupplementaryOfKind kind: String, at path: ListIndexPath) -> String { "\(kind)View" }
        func configure(_ view: TextCell, ofKind kind: String, at path: ListIndexPath) {
            view.text = "\(kind) of \(path.section)"
        }
    }

    private let store: Store
    private let list: FetchedResultsController
    private let configurator = Configurator()
    private let screen = Screen()

    init() throws {
        store = try makeStore(
            """
            CREATE TABLE animals (id INTEGER PRIMARY KEY, kind, name);
            INSERT INTO animals VALUES (1, 'ape', 'Abu'), (2, 'ape', 'Bobo'), (3, 'bee', 'Maya');
            """)
        list = try FetchedResultsController(
            store: store,
            request: FetchRequest(
                entity: "animals", sorts: [Sort("name")], section: Sort("kind")))
        try list.performFetch()
    }

    private func path(_ section: Int, _ row: Int) -> ListIndexPath { ListIndexPath(section: section, row: row) }
    private func table() -> TableDataSource<ListItems<FetchedObject>, Configurator> {
        TableDataSource(list: list, configurator: configurator)
    }

    @Test("Two simple generic data source objects query the FRC in the implementation of the data source protocols.")
    func dataSourcesQueryTheList() throws {
        let table = table()
        let headers = Headers()
        let grid = CollectionDataSource(list: list, configurator: configurator, supplements: headers)
        #expect(table.numberOfSections == 2 && grid.numberOfSections == 2)
        try store.execute("INSERT INTO animals VALUES (4, 'cat', 'Tom'), (5, 'bee', 'Zoe')")
        #expect((0..<3).map(table.numberOfRows(inSection:)) == [2, 2, 1])
        #expect((0..<3).map(grid.numberOfItems(inSection:)) == [2, 2, 1])
        withExtendedLifetime(headers) {}
    }

    // MARK: Table view

    @Test("Those two methods and hooking up an instance are enough to get a table view up and running.")
    func twoMethodsAreEnough() throws {
        let table = table()
        let texts = try (0..<table.numberOfSections).map { section in
            try (0..<table.numberOfRows(inSection: section)).map {
                try table.cell(at: path(section, $0), in: screen).text
            }
        }
        #expect(texts == [["Abu", "Bobo"], ["Maya"]])
    }

    @Test(
        "The view does not keep its data source; you will need to hold another strong reference: nor is anything kept here."
    )
    func nothingIsRetained() throws {
        var owner: Configurator? = Configurator()
        let table = TableDataSource(list: list, configurator: try #require(owner))
        weak let last = owner
        owner = nil
        #expect(last == nil)
        // Without it, cells are not configured.
        let cell = try table.cell(at: path(0, 0), in: screen)
        #expect(cell.identifier == "managedObjectCell" && cell.text == "")
    }

    @Test("It can just return a hardcoded identifier if the table only has one prototype cell.")
    func oneIdentifier() throws {
        let table = table()
        let identifiers = try [path(0, 0), path(1, 0)].map { try table.cell(at: $0, in: screen).identifier }
        #expect(identifiers == ["animalCell", "animalCell"])
    }

    @Test(
        "If the table has multiple prototype cells it should return the identifier that applies to the row for the object."
    )
    func severalIdentifiers() throws {
        configurator.identifier = { $0.word("kind") + "Cell" }
        let table = table()
        let identifiers = try [path(0, 0), path(1, 0)].map { try table.cell(at: $0, in: screen).identifier }
        #expect(identifiers == ["apeCell", "beeCell"])
    }

    @Test(
        "It will use the identifier returned to dequeue cells, and call configureCell to configure it with the object's data."
    )
    func cellsAreDequeuedAndConfigured() throws {
        let cell = try table().cell(at: path(0, 1), in: screen)
        #expect(cell === screen.shown[path(0, 1)])
        #expect(cell.identifier == "animalCell")
        #expect(cell.text == "Bobo")
    }

    @Test("systemHeaders: Bool = false, tableIndex: Bool = false, defaultSectionTitle: String?")
    func defaults() {
        let table = table()
        #expect(!table.systemHeaders && !table.tableIndex && table.defaultSectionTitle == nil)
        #expect(table.title(forHeaderOfSection: 0) == nil)
        #expect(table.sectionIndexTitles == nil)
    }

    @Test("When systemHeaders is set the section name will be set as the title of each section header.")
    func systemHeaders() {
        let table = table()
        table.systemHeaders = true
        #expect((0..<2).map(table.title(forHeaderOfSection:)) == ["ape", "bee"])
    }

    @Test(
        "When tableIndex is set the table view will display the section index, of the capitalized first letters of the names."
    )
    func tableIndex() {
        let table = table()
        table.tableIndex = true
        #expect(table.sectionIndexTitles == ["A", "B"])
        #expect(table.section(forIndexTitle: "B", at: 1) == 1)
    }

    @Test("See the documentation of the controller for how to customize the section indexes.")
    func theIndexCanBeCustomized() {
        let table = table()
        table.tableIndex = true
        list.indexTitle = { $0.uppercased() }
        #expect(table.sectionIndexTitles == ["APE", "BEE"])
        #expect(table.section(forIndexTitle: "BEE", at: 1) == 1)
    }

    @Test("When defaultSectionTitle is set this will be used for the table view's section header.")
    func defaultSectionTitle() {
        let table = table()
        table.defaultSectionTitle = "Animals"
        #expect((0..<2).map(table.title(forHeaderOfSection:)) == ["Animals", "Animals"])
    }

    // MARK: Collection view

    @Test("The collection data source has two configurators, one for cells and one for supplementary views.")
    func twoConfigurators() throws {
        let headers = Headers()
        let grid = CollectionDataSource(list: list, configurator: configurator, supplements: headers)
        let cell = try grid.cell(at: path(1, 0), in: screen)
        #expect(cell.identifier == "animalCell" && cell.text == "Maya")
        #expect(grid.supplementary(ofKind: "header", at: path(1, 0), in: screen).text == "header of 1")
    }

    @Test("The cell configurator is just like the table's: a hardcoded identifier or different values.")
    func collectionCellsAreConfiguredLikeTheTables() throws {
        let headers = Headers()
        let grid = CollectionDataSource(list: list, configurator: configurator, supplements: headers)
        #expect(try grid.cell(at: path(0, 0), in: screen).identifier == "animalCell")
        configurator.identifier = { $0.word("kind") + "Cell" }
        #expect(try grid.cell(at: path(0, 0), in: screen).identifier == "apeCell")
    }

    @Test("configureView is provided a dequeued view based on the reuse identifier returned for the kind.")
    func supplementaryViewsAreDequeuedByTheirIdentifier() {
        let headers = Headers()
        let grid = CollectionDataSource(list: list, configurator: configurator, supplements: headers)
        let footer = grid.supplementary(ofKind: "footer", at: path(0, 0), in: screen)
        #expect(footer.identifier == "footer/footerView")
        #expect(footer.text == "footer of 0")
    }

    // MARK: Update cell

    @Test("The result of makeUpdateVisibleCell, passed as updateCell, reconfigures a cell rather than reloading it.")
    func makeUpdateVisibleCell() throws {
        let view = LoggingView()
        let coordinator = Coordinator(view: view, list: list, updateCell: configurator.makeUpdateVisibleCell(screen))
        try coordinator.loadData()
        let cell = try table().cell(at: path(0, 0), in: screen)
        try store.execute("UPDATE animals SET name = 'Ada' WHERE id = 1")
        #expect(cell.text == "Ada")
        #expect(view.take() == ["reload"])
        withExtendedLifetime(coordinator) {}
    }

    @Test("A cell that is out of sight is left alone.")
    func cellsOutOfSightAreLeftAlone() throws {
        let coordinator = Coordinator(
            view: LoggingView(), list: list, updateCell: configurator.makeUpdateVisibleCell(screen))
        try coordinator.loadData()
        let cell = try table().cell(at: path(0, 0), in: screen)
        screen.shown = [:]
        try store.execute("UPDATE animals SET name = 'Ada' WHERE id = 1")
        #expect(cell.text == "Abu")
        withExtendedLifetime(coordinator) {}
    }
}
