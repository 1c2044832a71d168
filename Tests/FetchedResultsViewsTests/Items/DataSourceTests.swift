import ChangeSets
import FetchedResults
import FetchedResultsViews
import SQLiteKit
import TestSupport
import Testing

/// What data sources return to tables, collection views and pickers.
@Suite struct DataSources {
    final class TextCell {
        let identifier: String
        var text = ""

        init(_ identifier: String) { self.identifier = identifier }
    }

    /// A view that supplies cells, shows the first two rows of each section, and supports
    /// selection.
    final class Screen: CellView, SupplementaryView, SelectingView {
        var shown: [ListIndexPath: TextCell] = [:]
        var selectedPaths: [ListIndexPath] = []

        func dequeueCell(_ identifier: String, at path: ListIndexPath) -> TextCell {
            let cell = TextCell(identifier)
            if path.row < 2 { shown[path] = cell }
            return cell
        }

        func visibleCell(at path: ListIndexPath) -> TextCell? { shown[path] }

        func dequeueSupplementary(ofKind kind: String, _ identifier: String, at path: ListIndexPath) -> TextCell {
            TextCell("\(kind)/\(identifier)")
        }

        func select(_ paths: [ListIndexPath]) { selectedPaths = paths }
    }

    final class Owner: CellConfigurator, SupplementaryConfigurator {
        var configured = 0

        func configure(_ cell: TextCell, with item: FetchedObject, at path: ListIndexPath) {
            configured += 1
            cell.text = item.word("name")
        }

        func reuseIdentifier(for item: FetchedObject, at path: ListIndexPath) -> String {
            item["name"] == "z" ? "last" : defaultReuseIdentifier
        }

        func configure(_ view: TextCell, ofKind kind: String, at path: ListIndexPath) {
            view.text = "\(kind) \(path.section)"
        }
    }

    private let store: Store
    private let list: FetchedResultsController
    private let owner = Owner()
    private let screen = Screen()

    init() throws {
        store = try makeStore(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, kind, name);
            INSERT INTO items VALUES (1, 'apes', 'x'), (2, 'apes', 'y'), (3, 'bees', 'z'), (4, NULL, 'w');
            """)
        list = try FetchedResultsController(
            store: store,
            request: FetchRequest(
                entity: "items", sorts: [Sort("name")], section: Sort("kind")))
    }

    private func path(_ section: Int, _ row: Int) -> ListIndexPath { ListIndexPath(section: section, row: row) }
    private func table() -> TableDataSource<ListItems<FetchedObject>, Owner> {
        TableDataSource(list: list, configurator: owner)
    }

    // MARK: Tables

    @Test func aListThatIsNotFetchedHasOneSectionWithoutRows() throws {
        let table = table()
        table.systemHeaders = true
        table.tableIndex = true
        #expect(table.numberOfSections == 1)
        #expect(table.numberOfRows(inSection: 0) == 0)
        #expect(table.title(forHeaderOfSection: 0) == nil)
        #expect(table.sectionIndexTitles == [])
        expectFailure(.range) { _ = try table.cell(at: path(0, 0), in: screen) }
    }

    @Test func aClosedStoreHasOneSectionWithoutRows() throws {
        try list.performFetch()
        let table = table()
        try store.close()
        #expect(table.numberOfSections == 1)
        #expect(table.numberOfRows(inSection: 0) == 0)
        #expect(table.items.numberOfItems == 0)
        expectFailure(.range) { _ = try table.cell(at: path(0, 0), in: screen) }
    }

    @Test func sectionsAndRowsAreThoseOfTheList() throws {
        try list.performFetch()
        let table = table()
        #expect(table.numberOfSections == 3)
        #expect((0..<3).map(table.numberOfRows(inSection:)) == [1, 2, 1])
        #expect(table.numberOfRows(inSection: 3) == 0)
        #expect(table.numberOfRows(inSection: -1) == 0)
    }

    @Test func aCellIsTakenFromTheViewByTheObjectsIdentifierAndConfigured() throws {
        try list.performFetch()
        let table = table()
        let cell = try table.cell(at: path(1, 1), in: screen)
        #expect(cell.identifier == "managedObjectCell")
        #expect(cell.text == "y")
        #expect(try table.cell(at: path(2, 0), in: screen).identifier == "last")
        expectFailure(.range) { _ = try table.cell(at: path(2, 1), in: screen) }
    }

    @Test func theIdentifierNeedNotBeNamed() throws {
        final class Plain: CellConfigurator {
            func configure(_ cell: TextCell, with item: FetchedObject, at path: ListIndexPath) {}
        }
        try list.performFetch()
        let plain = Plain()
        let table = TableDataSource(list: list, configurator: plain)
        #expect(try table.cell(at: path(0, 0), in: screen).identifier == "managedObjectCell")
    }

    @Test func headersAreTheSectionsNamesIfWanted() throws {
        try list.performFetch()
        let table = table()
        #expect((0..<3).map(table.title(forHeaderOfSection:)) == [nil, nil, nil])
        table.systemHeaders = true
        #expect((0..<4).map(table.title(forHeaderOfSection:)) == [nil, "apes", "bees", nil])
        table.defaultSectionTitle = "Others"
        #expect((0..<3).map(table.title(forHeaderOfSection:)) == ["Others", "apes", "bees"])
        table.systemHeaders = false
        #expect((0..<3).map(table.title(forHeaderOfSection:)) == ["Others", "Others", "Others"])
    }

    @Test func headersHaveTotalsByAFormat() throws {
        var request = FetchRequest(entity: "items")
        request.section = Sort("kind")
        request.totals = [Total("last", .max, of: "name"), Total("name", .count)]
        let list = try FetchedResultsController(store: store, request: request)
        try list.performFetch()
        let table = TableDataSource(list: list, configurator: owner)
        table.sectionTitleFormat = "{count} of {name}: {last}{{{none}}}{"
        #expect(table.title(forHeaderOfSection: 1) == "2 of 2: y{{none}}{")
        #expect(table.title(forHeaderOfSection: 3) == nil)
        let batches = Batches()
        list.addObserver(batches)
        try store.execute("UPDATE items SET name = 'zz' WHERE id = 1")
        #expect(table.title(forHeaderOfSection: 1) == "2 of 2: zz{{none}}{")
        #expect(batches.updated == [1])
    }

    /// Notes the sections whose headers are drawn again.
    private final class Batches: FetchedResultsObserver {
        var updated: [Int] = []

        func list(_ list: any LiveList, didDeliver changes: ListChanges) {
            updated += ViewBatch(changes.changeSet).sectionUpdates.map(\.new)
        }
    }

    @Test func theIndexHasTheCapitalizedFirstLettersIfWanted() throws {
        try list.performFetch()
        let table = table()
        #expect(table.sectionIndexTitles == nil)
        table.tableIndex = true
        #expect(table.sectionIndexTitles == ["A", "B"])
        #expect(table.section(forIndexTitle: "B", at: 1) == 2)
        #expect(table.section(forIndexTitle: "B", at: 0) == nil)
        #expect(table.section(forIndexTitle: "Q", at: 0) == nil)
        list.indexTitle = { String($0.prefix(2)) }
        #expect(table.sectionIndexTitles == ["ap", "be"])
    }

    @Test func theSelectedObjectsAreThoseAtTheSelectedPaths() throws {
        try list.performFetch()
        let table = table()
        screen.selectedPaths = [path(1, 1), path(9, 9), path(0, 0)]
        #expect(table.items.selectedItems(in: screen).map { $0["id"] } == [2, 4])
    }

    @Test func objectsAreSelectedByTheirPathsAndUnknownOnesAreReturned() throws {
        try list.performFetch()
        let table = table()
        let objects = try [path(2, 0), path(1, 0)].map(list.object)
        let gone = try #require(try store.object("items", identity: [2]))
        try store.execute("DELETE FROM items WHERE id = 2")
        let unknown = table.items.select(objects + [gone], in: screen)
        #expect(screen.selectedPaths == [path(2, 0), path(1, 0)])
        #expect(unknown.map { $0["id"] } == [2])
        #expect(table.items.selection(of: objects).paths == screen.selectedPaths)
    }

    // MARK: Collection views

    @Test func aCollectionViewHasSupplementaryViewsAsWell() throws {
        try list.performFetch()
        let source = CollectionDataSource(list: list, configurator: owner, supplements: owner)
        #expect(source.numberOfSections == 3)
        #expect((0..<4).map(source.numberOfItems(inSection:)) == [1, 2, 1, 0])
        #expect(try source.cell(at: path(2, 0), in: screen).text == "z")
        let header = source.supplementary(ofKind: "header", at: path(1, 0), in: screen)
        #expect(header.identifier == "header/header")
        #expect(header.text == "header 1")
    }

    // MARK: Updating cells

    @Test func aVisibleCellIsConfiguredAgainAndNoOther() throws {
        let updateCell = owner.makeUpdateVisibleCell(screen)
        final class Silent: CoordinatedView {}
        let view = Silent()
        let coordinator = Coordinator(view: view, list: list, updateCell: updateCell)
        try coordinator.loadData()
        let table = table()
        let cell = try table.cell(at: path(1, 0), in: screen)
        screen.shown[path(2, 0)] = nil
        let before = owner.configured
        try store.execute("UPDATE items SET name = upper(name)")
        #expect(cell.text == "X")
        #expect(owner.configured == before + 1)
    }

    @Test func updatingCellsRetainsNeitherTheViewNorTheConfigurator() throws {
        var (owner, screen): (Owner?, Screen?) = (Owner(), Screen())
        weak let (lastOwner, lastScreen) = (owner, screen)
        try list.performFetch()
        let updateCell = try #require(owner).makeUpdateVisibleCell(try #require(screen))
        (owner, screen) = (nil, nil)
        #expect(lastOwner == nil && lastScreen == nil)
        updateCell(path(0, 0), try list.object(at: path(0, 0)))
    }

    // MARK: Arrays and pickers

    @Test func anArrayIsOneSectionWithTheSameInterface() throws {
        final class Words: CellConfigurator {
            func configure(_ cell: TextCell, with item: String, at path: ListIndexPath) { cell.text = item }
        }
        let words = Words()
        let table = TableDataSource(ArrayItems(["one", "two", "three"]), configurator: words)
        table.systemHeaders = true
        table.defaultSectionTitle = "Words"
        #expect(table.numberOfSections == 1)
        #expect((-1..<2).map(table.numberOfRows(inSection:)) == [0, 3, 0])
        #expect(try table.cell(at: path(0, 1), in: screen).text == "two")
        #expect(table.title(forHeaderOfSection: 0) == "Words")
        #expect(table.items.selection(of: ["three", "four"]).paths == [path(0, 2)])
        #expect(table.items.selection(of: ["three", "four"]).unknown == ["four"])
        expectFailure(.range) { _ = try table.cell(at: path(0, 3), in: screen) }
        expectFailure(.range) { _ = try table.cell(at: path(1, 0), in: screen) }
    }

    @Test func anArrayOfObjectsFindsThemByTheirIdentity() throws {
        try list.performFetch()
        let objects = try [path(2, 0), path(1, 0)].map(list.object)
        let items = ArrayItems(objects)
        #expect(items.indexPath(of: try #require(try store.object("items", identity: [1]))) == path(0, 1))
        #expect(items.indexPath(of: try #require(try store.object("items", identity: [2]))) == nil)
    }

    @Test func aPickerHasOneRowForEachObjectOfAllSections() throws {
        try list.performFetch()
        let picker = PickerDataSource(list: list) { $0.word("id") }
        #expect(picker.numberOfRows == 4)
        #expect(try (0..<4).map(picker.title(forRow:)) == ["4", "1", "2", "3"])
        #expect(try picker.rows.row(of: list.object(at: path(2, 0))) == 3)
        #expect(try picker.rows.row(of: nil) == nil)
        expectFailure(.range) { _ = try picker.title(forRow: 4) }
        expectFailure(.range) { _ = try picker.title(forRow: -1) }
    }

    @Test func theFirstRowOfAPickerCanBeBlank() throws {
        try list.performFetch()
        let picker = PickerDataSource(list: list, hasBlankRow: true) { $0.word("id") }
        #expect(picker.numberOfRows == 5)
        #expect(try picker.title(forRow: 0) == "")
        #expect(try picker.rows.item(atRow: 0) == nil)
        #expect(try picker.title(forRow: 4) == "3")
        #expect(try picker.rows.row(of: list.object(at: path(1, 0))) == 2)
        #expect(try picker.rows.row(of: nil) == 0)
        let words = PickerItems(ArrayItems(["one", "two"]), hasBlankRow: true)
        #expect(words.numberOfRows(inSection: 0) == 3)
        #expect(try words.item(at: path(0, 2)) == "two")
        expectFailure(.range) { _ = try words.item(at: path(1, 0)) }
    }

    @Test func anySourceNumbersItsItemsOverAllSections() throws {
        final class Pairs: ItemSource {
            var numberOfSections: Int { 3 }
            func numberOfRows(inSection section: Int) -> Int { [2, 0, 1][section] }
            func item(at path: ListIndexPath) -> Int { path.section * 10 + path.row }
            func indexPath(of item: Int) -> ListIndexPath? { nil }
        }
        let pairs = Pairs()
        #expect(pairs.numberOfItems == 3)
        #expect((-1..<4).map { pairs.indexPath(at: $0) } == [nil, path(0, 0), path(0, 1), path(2, 0), nil])
        #expect(pairs.index(of: path(2, 0)) == 2)
        #expect(pairs.index(of: path(1, 0)) == nil)
    }
}
