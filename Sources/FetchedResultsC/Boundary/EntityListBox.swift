internal import CFetchedResults
internal import ChangeSets
internal import FetchedResults
internal import FetchedResultsViews
internal import SQLiteKit

/// An entity list whose defaults C callbacks replace.
@safe final class EntityListBox: EntityList {
    /// A store of the list, by the program's handle, and the list that was made for it.
    @safe private final class Taken {
        @safe let store: OpaquePointer
        @safe var handle: OpaquePointer?
        var list: (any LiveList)?

        @safe init(_ store: OpaquePointer) { self.store = unsafe store }
    }

    let entityListState = EntityListState()
    private let callbacks: fr_entity
    private let request: FetchRequest
    private let view: ViewAdapter
    private let cells: CellsAdapter
    private let userData: UserData
    private var isEnded = false
    /// The store whose list is being made.
    private var taking: Taken?
    /// The stores whose lists were made.
    private var taken: [Taken] = []
    /// The store whose list the view shows.
    private var shown: Taken?
    /// Handles that belong to the entity list and that the program may use.
    @safe private(set) var coordinatorHandle: OpaquePointer?
    @safe private(set) var dataSourceHandle: OpaquePointer?

    init(
        _ callbacks: fr_entity, _ request: FetchRequest, _ view: ViewAdapter, _ cells: CellsAdapter,
        _ userData: UserData
    ) throws {
        unsafe self.callbacks = callbacks
        self.request = request
        self.view = view
        self.cells = cells
        self.userData = userData
        view.list = { [weak self] in self?.list }
        dataSourceHandle = try newHandle(DataSourceBox(AnyItems(entityListState.items), cells), .dataSource)
        let box = CoordinatorBox(view) { [weak self] in (self?.coordinator, self?.boxInUse) }
        coordinatorHandle = try newHandle(box, .coordinator)
        view.handle = coordinatorHandle
    }

    deinit { end() }

    /// Ends all callbacks, and frees the handles that the list lent.
    func end() {
        guard !isEnded else { return }
        isEnded = true
        view.end()
        cells.end()
        coordinator?.end()
        unsafe fr_coordinator_free(coordinatorHandle)
        unsafe fr_data_source_free(dataSourceHandle)
        // The store reports a list that can't be cached when it closes.
        for one in taken { _ = unsafe fr_list_free(one.handle) }
        taken = []
    }

    /// The store in use: the one of the list that is shown.
    private var inUse: Taken? { list.flatMap { list in taken.last { $0.list === list } } }
    @safe var listHandle: OpaquePointer? { inUse?.handle }
    @safe private var storeHandle: OpaquePointer? { inUse?.store }
    private var boxInUse: ListBox? { HandleTable.find(listHandle, .list) as? ListBox }

    // MARK: Contents

    var entityName: String { request.entity }
    var sorts: [Sort] { request.sorts }
    var viewOptions: ViewOptions { view.options }
    var listView: (any CoordinatedView)? { view }
    func makeFetchRequest() -> FetchRequest { request }

    func makeList(in store: Store) throws -> any LiveList {
        // A callback may set another store meanwhile.
        guard let taking else { throw StoreError(.misuse, "no store of the entity list is being set") }
        let request = RequestBox(makeFetchRequest())
        let requestHandle = try newHandle(request, .request)
        defer { HandleTable.release(requestHandle, .request) }
        if let prepare = unsafe callbacks.prepare_request {
            try passing("prepare_request of the entity") { unsafe prepare(requestHandle, userData.pointer) }
        }
        let list: any LiveList
        if let make = unsafe callbacks.make_list {
            var made: OpaquePointer?
            try passing("make_list of the entity") { unsafe make(&made, taking.store, requestHandle, userData.pointer) }
            list = try listBox(made).list
            taking.handle = unsafe made
        } else {
            list = try FetchedResultsController(store: store, request: request.request)
            taking.handle = try newListHandle(list)
        }
        taking.list = list
        taken.append(taking)
        return list
    }

    /// Sets the store by its handle; NULL for none.
    @safe func setStore(_ handle: OpaquePointer?) throws {
        let store = unsafe try handle.map { try FetchedResultsC.store($0) }
        let (before, after) = unsafe (inUse, handle.map(Taken.init))
        taking = after
        defer {
            taking = nil
            release(before)
            release(after)
        }
        try setStore(store)
    }

    /// Frees the list of a store, unless it is shown.
    private func release(_ one: Taken?) {
        guard let one, isEnded || one !== inUse else { return }
        taken.removeAll { $0 === one }
        // As above.
        if unsafe isEnded || one.handle != listHandle { _ = unsafe fr_list_free(one.handle) }
        one.list = nil
    }

    func reloadView() {
        // Replaces the list that is shown.
        if shown !== inUse {
            shown = inUse
            view.endBatch()
        }
        view.reload()
    }

    // MARK: Cells

    var updatesCells: Bool { view.hasCellUpdates || cells.showsVisibleCells && !view.hasRowReloads }

    func updateCell(at path: ListIndexPath, with object: FetchedObject) {
        if view.hasCellUpdates { return view.updateCell(path, object) }
        unsafe cells.makeUpdateVisibleCell(cells)(path, object)
    }

    func countChanged(to count: Int) { view.countChanged(count) }
    func failed(_ error: StoreError) { view.failed(error) }

    // MARK: Items

    func addItem(
        _ columns: UnsafePointer<UnsafePointer<CChar>?>?, _ given: UnsafePointer<fr_value>?, _ count: Int
    ) throws -> OpaquePointer? {
        let store = try openStore
        let values = unsafe Array(zip(try strings(columns, count, "columns"), try values(given, count, "values")))
        guard let add = unsafe callbacks.add_item else {
            return try newObjectHandle(try store.insert(into: entityName, values))
        }
        var made: OpaquePointer?
        try passing("add_item of the entity") {
            unsafe add(&made, storeHandle, columns, given, count, userData.pointer)
        }
        // None if the program sent the row elsewhere.
        guard unsafe made == nil || (try? object(made)) != nil else {
            throw StoreError(.misuse, "add_item of the entity returned what is no object")
        }
        return unsafe made
    }

    func deleteItem(at path: ListIndexPath) throws {
        let store = try openStore
        let item = try entityListState.items.item(at: path)
        guard let delete = unsafe callbacks.delete_item else {
            return try store.delete(from: item.entity, identity: item.identity)
        }
        let handle = try newObjectHandle(item)
        defer { HandleTable.release(handle, .object) }
        try passing("delete_item of the entity") { unsafe delete(storeHandle, handle, userData.pointer) }
    }

    private var openStore: Store {
        get throws {
            guard let store else { throw StoreError(.misuse, "the list of \(entityName) has no store yet") }
            return store
        }
    }
}
