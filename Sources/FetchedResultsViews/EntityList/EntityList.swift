public import FetchedResults

/// A program's own class that shows the rows of one entity. It names the entity and the order, and
/// has everything else by default: the request, the list, fetching, updating a view in batches,
/// adding and deleting. An implementation of its own replaces each default.
public protocol EntityList<Item>: AnyObject {
    /// What a row shows: `FetchedObject`, or a `Decodable` type of the program. `entityListState`
    /// determines it.
    associatedtype Item

    /// The table or view; also where `addItem` inserts.
    var entityName: String { get }
    /// The order of the rows.
    var sorts: [Sort] { get }
    /// The state of the defaults; it takes one line: `let entityListState = EntityListState()`, or,
    /// with rows that are decoded as `Animal`, `let entityListState = EntityListState<Animal>()`.
    var entityListState: EntityListState<Item> { get }

    /// How many rows are read together. By default 20.
    var batchSize: Int { get }
    /// The identifier of cells. By default "managedObjectCell".
    var cellReuseIdentifier: String { get }
    /// The view that the list updates. By default none.
    var listView: (any CoordinatedView)? { get }
    /// How the view gets moves, and what it gets after a pause. By default `ViewOptions()`.
    var viewOptions: ViewOptions { get }
    /// The request of the list. By default all rows of the entity in the order of the sort
    /// descriptors.
    func makeFetchRequest() -> FetchRequest
    /// The list of a store. By default a controller of the request.
    func makeList(in store: Store) throws -> any LiveList
    /// Whether changed rows have their cells updated rather than reloaded. By default no.
    var updatesCells: Bool { get }
    /// Makes the cell of a changed row draw it again, if `updatesCells`. By default it does
    /// nothing.
    func updateCell(at path: ListIndexPath, with item: Item)
    /// Reloads the view.
    func reloadView()
    /// Makes the view apply a batch.
    func applyToView(_ batch: ViewBatch)
    /// Called with the new number of objects. By default it does nothing.
    func countChanged(to count: Int)
    /// Called when the list has no correct state any more or could not be read. By default it does
    /// nothing.
    func failed(_ error: StoreError)
    /// The values of a new item. By default none, so that it has the entity's own defaults.
    var newItemValues: [(column: String, value: Value)] { get }
    /// Inserts a row into the entity and returns it, with all columns of the entity. An
    /// implementation of the program that sends the row elsewhere, for example to a server, returns
    /// nil.
    @discardableResult
    func addItem() throws -> FetchedObject?
    /// Deletes the row at a path. An implementation of the program that sends the deletion
    /// elsewhere marks the row with `setPending`.
    func deleteItem(at path: ListIndexPath) throws
}

extension EntityList {
    public var batchSize: Int { 20 }
    public var cellReuseIdentifier: String { defaultReuseIdentifier }
    public var listView: (any CoordinatedView)? { nil }
    public var viewOptions: ViewOptions { ViewOptions() }

    public func makeFetchRequest() -> FetchRequest {
        var request = FetchRequest(entity: entityName, sorts: sorts)
        request.batchSize = batchSize
        return request
    }

    public func makeList(in store: Store) throws -> any LiveList {
        try FetchedResultsController(store: store, request: makeFetchRequest())
    }

    public var updatesCells: Bool { false }
    public func updateCell(at path: ListIndexPath, with item: Item) {}
    public func reloadView() { listView?.reload() }
    public func applyToView(_ batch: ViewBatch) { listView?.apply(batch) }
    public func countChanged(to count: Int) {}
    public func failed(_ error: StoreError) {}

    public var newItemValues: [(column: String, value: Value)] { [] }

    @discardableResult
    public func addItem() throws -> FetchedObject? { try openStore.insert(into: entityName, newItemValues) }

    public func deleteItem(at path: ListIndexPath) throws {
        let store = try openStore
        let object = try entityListState.items.object(at: path)
        try store.delete(from: object.entity, identity: object.identity)
    }

    private var openStore: Store {
        get throws {
            guard let store else { throw StoreError(.misuse, "the list of \(entityName) has no store yet") }
            return store
        }
    }
}

/// The interface that the program calls.
extension EntityList {
    /// The store that the list is read from; nil before `setStore`.
    public var store: Store? { entityListState.store }
    /// The list that it shows; nil without a store.
    public var list: (any LiveList)? { entityListState.items.list }
    /// The coordinator that updates its view, to pause it or load it again; nil without a store.
    public var coordinator: Coordinator<Item>? { entityListState.coordinator }

    /// Sets the store, fetches from it, and reloads the view; nil to show nothing. Throws what
    /// fetching throws, and then changes nothing.
    public func setStore(_ store: Store?) throws { try entityListState.setStore(store, of: self) }

    /// Marks a row for which the program has sent an edit elsewhere, or ends that, because the edit
    /// was refused. The mark also ends when the row has other values, leaves the list, or another
    /// store is set. A row that the list does not have is not marked.
    ///
    /// The view is not notified: draw the row's cell again. Throws `misuse` without a store.
    public func setPending(_ isPending: Bool, _ object: FetchedObject) throws {
        let pending = entityListState.pending
        guard isPending else { return pending.remove(object) }
        _ = try openStore
        if let list { try pending.insert(object, in: list) }
    }

    /// Whether a row is marked. `object` is the row as the list shows it, as for a cell.
    public func isPending(_ object: FetchedObject) -> Bool { entityListState.pending.contains(object) }

    /// 1 without a store.
    public var numberOfSections: Int { entityListState.items.numberOfSections }
    /// The number of rows in a section; 0 for a section that does not exist.
    public func numberOfRows(inSection section: Int) -> Int { entityListState.items.numberOfRows(inSection: section) }
    /// The row at a path. Throws `range` for a path that does not exist, and what reading and
    /// decoding the row throw.
    public func item(at path: ListIndexPath) throws -> Item { try entityListState.items.item(at: path) }
}
