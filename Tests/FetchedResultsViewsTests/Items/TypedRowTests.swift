import ChangeSets
import FetchedResults
import FetchedResultsViews
import SQLiteKit
import TestSupport
import Testing

/// Coordinators, data sources and entity lists whose rows are a type of the program.
@Suite struct TypedRows {
    struct Animal: Decodable, Equatable, Identifiable {
        let id: Int
        let name: String
        let legs: Int
    }

    final class TextCell: ObjectCell {
        let identifier: String
        var object: Animal?

        init(_ identifier: String) { self.identifier = identifier }
    }

    /// A view that supplies cells, shows them all, and records its batches.
    final class Screen: CellView, SupplementaryView, SelectingView, CoordinatedView {
        var shown: [ListIndexPath: TextCell] = [:]
        var selectedPaths: [ListIndexPath] = []
        var log: [String] = []

        func dequeueCell(_ identifier: String, at path: ListIndexPath) -> TextCell {
            let cell = TextCell(identifier)
            shown[path] = cell
            return cell
        }
        func visibleCell(at path: ListIndexPath) -> TextCell? { shown[path] }
        func dequeueSupplementary(ofKind kind: String, _ identifier: String, at path: ListIndexPath) -> String { kind }
        func select(_ paths: [ListIndexPath]) { selectedPaths = paths }
        func reload() { log.append("reload") }
        func apply(_ batch: ViewBatch) { log.append("batch") }
        func take() -> [String] {
            defer { log = [] }
            return log
        }
    }

    /// Its cells configure themselves with animals.
    final class Owner: CellConfigurator, SupplementaryConfigurator {
        typealias Item = Animal
        typealias Cell = TextCell

        func reuseIdentifier(for animal: Animal, at path: ListIndexPath) -> String {
            animal.legs == 2 ? "biped" : defaultReuseIdentifier
        }
        func configure(_ view: String, ofKind kind: String, at path: ListIndexPath) {}
    }

    final class Zoo: EntityCellList {
        let entityName = "animals"
        let sorts = [Sort("name")]
        let entityListState = EntityListState<Animal>()
        weak var cellView: Screen?
        var failures: [StoreError.Status] = []

        func configure(_ cell: TextCell, with animal: Animal, at path: ListIndexPath) { cell.object = animal }
        func failed(_ error: StoreError) { failures.append(error.status) }
    }

    private let store: Store
    private let list: FetchedResultsController
    private let owner = Owner()
    private let screen = Screen()
    private static let (ape, cat, owl) = (
        Animal(id: 3, name: "ape", legs: 2), Animal(id: 2, name: "cat", legs: 4), Animal(id: 1, name: "owl", legs: 2)
    )

    init() throws {
        store = try makeStore(
            """
            CREATE TABLE animals (id INTEGER PRIMARY KEY, name TEXT DEFAULT 'newt', legs INT DEFAULT 4);
            INSERT INTO animals (name, legs) VALUES ('owl', 2), ('cat', 4), ('ape', 2);
            """)
        list = try FetchedResultsController(
            store: store, request: FetchRequest(entity: "animals", sorts: [Sort("name")]))
    }

    private func path(_ row: Int) -> ListIndexPath { ListIndexPath(section: 0, row: row) }

    // MARK: Coordinators

    /// Before: a coordinator whose function takes animals. Change: one row keeps its place, one
    /// moves. Expected: the function gets both as animals of the new state.
    @Test func aCoordinatorUpdatesCellsWithDecodedRows() throws {
        var updated: [String] = []
        let coordinator = Coordinator<Animal>(view: screen, list: list) { path, animal in
            updated.append("\(path) \(animal.name) \(animal.legs)")
        }
        try coordinator.loadData()
        try store.execute("UPDATE animals SET legs = 3 WHERE id = 2")
        try store.execute("UPDATE animals SET name = 'zebra', legs = 4 WHERE id = 3")
        #expect(updated == ["(0, 1) cat 3", "(0, 2) zebra 4"])
        #expect(screen.take() == ["reload", "batch"])
    }

    /// The type of a function determines the type of a coordinator; without one its rows are
    /// objects.
    @Test func theTypeOfRowsIsInferred() throws {
        let update = { (_: ListIndexPath, _: Animal) in }
        let typed: Coordinator<Animal> = Coordinator(view: screen, list: list, updateCell: update)
        let untyped: Coordinator<FetchedObject> = Coordinator(view: screen, list: list)
        #expect(type(of: Coordinator(view: screen, list: list, updateCell: update)) == type(of: typed))
        #expect(type(of: Coordinator(view: screen, list: list)) == type(of: untyped))
    }

    /// Before: two coordinators of a list, one of animals. Change: a row gets a value that an
    /// animal can't have, with another row that can be decoded; later the value is right again.
    /// Expected: the failure reaches only the coordinator that can't decode, whose view reloads;
    /// the next change is a batch.
    @Test func aRowThatCannotBeDecodedIsReportedAndTheViewReloads() throws {
        var updated: [String] = []
        let coordinator = Coordinator<Animal>(view: screen, list: list) { updated.append("\($0) \($1.name)") }
        var failures: [StoreError] = []
        coordinator.failed = { failures.append($0) }
        let objects = Screen()
        var updatedObjects = 0
        let other = Coordinator(view: objects, list: list) { _, _ in updatedObjects += 1 }
        other.failed = { Issue.record("\($0)") }
        try coordinator.loadData()
        try other.loadData()
        _ = (screen.take(), objects.take())
        try store.executeScript(
            "BEGIN; UPDATE animals SET legs = 'many' WHERE id = 2; UPDATE animals SET legs = 5 WHERE id <> 2; COMMIT")
        #expect(failures.map(\.status) == [.type])
        #expect(failures.first?.message.contains("a row of animals can't be decoded as Animal") == true)
        #expect(updated == ["(0, 0) ape"])
        #expect(screen.take() == ["reload"])
        #expect(updatedObjects == 3 && objects.take() == [])
        try store.execute("UPDATE animals SET legs = 4, name = 'zebra' WHERE id = 2")
        #expect(failures.count == 1)
        #expect(updated == ["(0, 0) ape", "(0, 2) zebra"])
        #expect(screen.take() == ["batch"])
    }

    // MARK: Data sources

    @Test func aTableHasDecodedRows() throws {
        let table = TableDataSource(list: list, configurator: owner)
        #expect(table.numberOfRows(inSection: 0) == 0)
        expectFailure(.range) { _ = try table.cell(at: path(0), in: screen) }
        try list.performFetch()
        let cells = try (0..<3).map { try table.cell(at: path($0), in: screen) }
        #expect(cells.map(\.object) == [Self.ape, Self.cat, Self.owl])
        #expect(cells.map(\.identifier) == ["biped", "managedObjectCell", "biped"])
        #expect(try table.items.item(at: path(1)) == Self.cat)
        #expect(try table.items.object(at: path(1))["legs"] == 4)
        expectFailure(.range) { _ = try table.cell(at: path(3), in: screen) }
    }

    @Test func aRowThatCannotBeDecodedIsAnErrorOfItsCell() throws {
        let table = TableDataSource(list: list, configurator: owner)
        try store.execute("UPDATE animals SET legs = NULL WHERE id = 2")
        try list.performFetch()
        #expect(throws: DecodingError.self) { try table.cell(at: path(1), in: screen) }
        #expect(try table.cell(at: path(2), in: screen).object == Self.owl)
        #expect(table.items.items(at: [path(0), path(1), path(2)]) == [Self.ape, Self.owl])
    }

    @Test func aCollectionViewHasDecodedRows() throws {
        try list.performFetch()
        let grid = CollectionDataSource(list: list, configurator: owner, supplements: owner)
        #expect(try grid.cell(at: path(0), in: screen).object == Self.ape)
        #expect(grid.supplementary(ofKind: "header", at: path(0), in: screen) == "header")
        let plain = CollectionDataSource(ListItems(list), configurator: owner)
        #expect(try plain.cell(at: path(2), in: screen).object == Self.owl)
    }

    @Test func aPickerHasDecodedRows() throws {
        try list.performFetch()
        let picker = PickerDataSource(list: list, hasBlankRow: true) { (animal: Animal) in animal.name }
        #expect(try (0..<4).map { try picker.title(forRow: $0) } == ["", "ape", "cat", "owl"])
        #expect(try picker.rows.row(of: Self.owl) == 3)
    }

    // MARK: Finding rows

    @Test func rowsAreSelectedByTheirKeys() throws {
        try list.performFetch()
        let items = ListItems<Animal>(list)
        // The key alone counts: the row may have changed since it was decoded.
        let changed = Animal(id: 3, name: "gorilla", legs: 2)
        let unknown = Animal(id: 9, name: "gnu", legs: 4)
        #expect(items.select([Self.owl, unknown, changed], in: screen) == [unknown])
        #expect(screen.selectedPaths == [path(2), path(0)])
        #expect(items.selectedItems(in: screen) == [Self.owl, Self.ape])
    }

    /// Keys of each kind: the id of a row is a number of any type, a text, a value, or several.
    @Test func keysOfEachKindAreFound() throws {
        struct Row<ID: Decodable & Hashable>: Decodable, Identifiable { let id: ID }
        struct Composite: Decodable, Identifiable {
            let a: Int
            let b: String
            var id: [Value] { [.integer(Int64(a)), .text(b)] }
        }
        struct Blob: Decodable, Identifiable {
            let bytes: [UInt8]
            var id: Value { .blob(bytes) }
            enum CodingKeys: String, CodingKey { case bytes = "id" }
        }
        let store = try makeStore(
            """
            CREATE TABLE texts (id TEXT PRIMARY KEY) WITHOUT ROWID;
            CREATE TABLE blobs (id BLOB PRIMARY KEY) WITHOUT ROWID;
            CREATE TABLE pairs (a INT, b TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
            CREATE TABLE numbers (id INTEGER PRIMARY KEY);
            INSERT INTO texts VALUES ('x'), ('y');
            INSERT INTO blobs VALUES (x'01'), (x'02');
            INSERT INTO pairs VALUES (1, 'x'), (1, 'y');
            INSERT INTO numbers VALUES (0), (1);
            """)
        func second<Item: Decodable>(_ type: Item.Type, of entity: String) throws -> ListIndexPath? {
            let list = try FetchedResultsController(store: store, request: FetchRequest(entity: entity))
            try list.performFetch()
            let items = ListItems<Item>(list)
            return try items.indexPath(of: items.item(at: path(1)))
        }
        #expect(try second(Row<Int>.self, of: "numbers") == path(1))
        #expect(try second(Row<UInt8>.self, of: "numbers") == path(1))
        #expect(try second(Row<String>.self, of: "texts") == path(1))
        #expect(try second(Blob.self, of: "blobs") == path(1))
        #expect(try second(Composite.self, of: "pairs") == path(1))
        struct Nameless: Decodable { let id: Int }
        expectFailure(.misuse) { _ = try second(Nameless.self, of: "numbers") }
        expectFailure(.misuse) { _ = try second(Row<Bool>.self, of: "numbers") }
    }

    // MARK: Entity lists

    @Test func anEntityListHasDecodedRows() throws {
        let zoo = Zoo()
        zoo.cellView = screen
        try zoo.setStore(store)
        #expect(try zoo.item(at: path(0)) == Self.ape)
        #expect(try (0..<3).map { try zoo.cell(at: path($0))?.object?.name } == ["ape", "cat", "owl"])
        try store.execute("UPDATE animals SET legs = 3 WHERE id = 2")
        #expect(screen.shown[path(1)]?.object?.legs == 3)
        #expect(try zoo.makeTableDataSource().cell(at: path(2), in: screen).object == Self.owl)
        #expect(try zoo.makeCollectionDataSource().cell(at: path(2), in: screen).object == Self.owl)
        #expect(try zoo.addItem()?.decode(Animal.self) == Animal(id: 4, name: "newt", legs: 4))
        try zoo.deleteItem(at: path(0))
        #expect(try (0..<3).map { try zoo.item(at: path($0)).name } == ["cat", "newt", "owl"])
    }

    /// Before: an entity list of animals. Change: a row that can't be decoded. Expected: the list
    /// is notified, and the row can be deleted.
    @Test func aRowThatCannotBeDecodedCanBeDeleted() throws {
        let zoo = Zoo()
        zoo.cellView = screen
        try zoo.setStore(store)
        try store.execute("UPDATE animals SET legs = 'many' WHERE id = 2")
        #expect(zoo.failures == [.type])
        #expect(throws: DecodingError.self) { try zoo.item(at: path(1)) }
        try zoo.deleteItem(at: path(1))
        #expect(zoo.numberOfRows(inSection: 0) == 2)
    }
}
