public import FetchedResults

/// A program's own class that shows the rows of one entity. It names the entity and the order, and has everything else
/// by
/// default: the request, the list, fetching, keeping a view up to date in batches, adding and deleting. Each default is
/// replaced by implementing it.
public protocol EntityList: AnyObject {
    /// The table or view; also where `addItem` inserts.
    var entityName: String { get }
    /// The order of the rows.
    var sorts: [Sort] { get }
    /// What the defaults keep; it takes one line: `let entityListState = EntityListState()`.
    var entityListState: EntityListState { get }

    /// How many rows are read at once: 20.
    var batchSize: Int { get }
    /// "managedObjectCell".
    var cellReuseIdentifier: String { get }
    /// The view that is kept up to date: none.
    var listView: (any CoordinatedView)? { get }
    /// How it gets moves, and what it gets after a pause: as the options are by themselves.
    var viewOptions: ViewOptions { get }
    /// All rows of the entity in the order of the sort descriptors.
    func makeFetchRequest() -> FetchRequest
    /// A controller of the request.
    func makeList(in store: Store) throws -> any LiveList
    /// Whether changed rows have their cells updated rather than reloaded: no.
    var updatesCells: Bool { get }
    /// Has the cell of a changed row draw it again, if `updatesCells`. By default it does nothing.
    func updateCell(at path: ListIndexPath, with object: FetchedObject)
    /// Has the view reload.
    func reloadView()
    /// Has the view apply a batch.
    func applyToView(_ batch: ViewBatch)
    /// Told how many objects there are now: nothing is done about it.
    func countChanged(to count: Int)
    /// Told that the list was left without a right state, or could not be read: nothing is done about it.
    func failed(_ error: StoreError)
    /// The values of a new item: none, so that it has the entity's own defaults.
    var newItemValues: [(column: String, value: Value)] { get }
    /// Inserts a row into the entity and returns it.
    func addItem() throws -> FetchedObject
    /// Deletes the row at a path.
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
    public func updateCell(at path: ListIndexPath, with object: FetchedObject) {}
    public func reloadView() { listView?.reload() }
    public func applyToView(_ batch: ViewBatch) { listView?.apply(batch) }
    public func countChanged(to count: Int) {}
    public func failed(_ error: StoreError) {}

    public var newItemValues: [(column: String, value: Value)] { [] }

    @discardableResult
    public func addItem() throws -> FetchedObject { try openStore.insert(into: entityName, newItemValues) }

    public func deleteItem(at path: ListIndexPath) throws {
        let store = try openStore
        let object = try entityListState.items.item(at: path)
        try store.delete(from: object.entity, identity: object.identity)
    }

    private var openStore: Store {
        get throws {
            guard let store else { throw StoreError(.misuse, "the list of \(entityName) has no store yet") }
            return store
        }
    }
}

/// What an entity list is asked.
extension EntityList {
    /// The store that the list is read from; nil before `setStore`.
    public var store: Store? { entityListState.store }
    /// What it shows; nil without a store.
    public var list: (any LiveList)? { entityListState.items.list }
    /// What keeps its view up to date, to be paused and loaded again; nil without a store.
    public var coordinator: Coordinator? { entityListState.coordinator }

    /// Takes a store, fetches from it, and has the view reload; nil to show nothing. Throws what fetching throws, and
    /// then changes nothing.
    public func setStore(_ store: Store?) throws { try entityListState.setStore(store, of: self) }

    /// 1 without a store.
    public var numberOfSections: Int { entityListState.items.numberOfSections }
    /// The number of rows in a section; 0 for a section that does not exist.
    public func numberOfRows(inSection section: Int) -> Int { entityListState.items.numberOfRows(inSection: section) }
    /// The object at a path. Throws `range` for a path that does not exist, and what reading the object throws.
    public func item(at path: ListIndexPath) throws -> FetchedObject { try entityListState.items.item(at: path) }
}
