internal import CFetchedResults
internal import ChangeSets
internal import FetchedResults
internal import FetchedResultsViews
internal import SQLiteKit

/// An entity list whose defaults C callbacks replace.
final class EntityListBox: EntityList {
    /// What the program named.
    struct Entity {
        let callbacks: fr_entity
        let request: FetchRequest
        let reuseIdentifier: String?
    }

    /// A store that the list takes, by the program's handle, and the list that was made for it.
    private final class Taken {
        let store: OpaquePointer
        var handle: OpaquePointer?
        var list: (any LiveList)?

        init(_ store: OpaquePointer) { self.store = store }
    }

    let entityListState = EntityListState()
    private let entity: Entity
    private let view: ViewAdapter
    private let cells: CellsAdapter
    private let userData: UserData
    private var isEnded = false
    /// Whose list is being made.
    private var taking: Taken?
    /// Those whose lists were made.
    private var taken: [Taken] = []
    /// Whose list the view shows.
    private var shown: Taken?
    /// Handles that belong to the entity list and that the program may use.
    private(set) var coordinatorHandle: OpaquePointer?
    private(set) var dataSourceHandle: OpaquePointer?

    init(_ entity: Entity, _ view: ViewAdapter, _ callbacks: fr_cells, _ userData: UserData) throws {
        self.entity = entity
        self.view = view
        self.userData = userData
        cells = CellsAdapter(callbacks, userData, identifier: entity.reuseIdentifier ?? defaultReuseIdentifier)
        view.list = { [weak self] in self?.list }
        dataSourceHandle = try newHandle(DataSourceBox(AnyItems(entityListState.items), cells), .dataSource)
        let box = CoordinatorBox(view) { [weak self] in (self?.coordinator, self?.boxInUse) }
        coordinatorHandle = try newHandle(box, .coordinator)
        view.handle = coordinatorHandle
    }

    deinit { end() }

    /// Ends all callbacks, and takes back what the list lent.
    func end() {
        guard !isEnded else { return }
        isEnded = true
        view.end()
        cells.end()
        coordinator?.end()
        fr_coordinator_free(coordinatorHandle)
        fr_data_source_free(dataSourceHandle)
        for one in taken { fr_list_free(one.handle) }
        taken = []
    }

    /// The store in use: that of the list that is shown.
    private var inUse: Taken? { list.flatMap { list in taken.last { $0.list === list } } }
    var listHandle: OpaquePointer? { inUse?.handle }
    private var storeHandle: OpaquePointer? { inUse?.store }
    private var boxInUse: ListBox? { HandleTable.find(listHandle, .list) as? ListBox }

    // MARK: What it shows

    var entityName: String { entity.request.entity }
    var sorts: [Sort] { entity.request.sorts }
    var viewOptions: ViewOptions { view.options }
    var listView: (any CoordinatedView)? { view }
    func makeFetchRequest() -> FetchRequest { entity.request }

    func makeList(in store: Store) throws -> any LiveList {
        // A callback may have another store taken meanwhile.
        guard let taking else { throw StoreError(.misuse, "the entity list takes no store") }
        let request = RequestBox(makeFetchRequest())
        let requestHandle = try newHandle(request, .request)
        defer { HandleTable.release(requestHandle, .request) }
        if let prepare = entity.callbacks.prepare_request {
            try passing("prepare_request of the entity") { prepare(requestHandle, userData.pointer) }
        }
        let list: any LiveList
        if let make = entity.callbacks.make_list {
            var made: OpaquePointer?
            try passing("make_list of the entity") { make(&made, taking.store, requestHandle, userData.pointer) }
            list = try listBox(made).list
            taking.handle = made
        } else {
            list = try FetchedResultsController(store: store, request: request.request)
            taking.handle = try newListHandle(list)
        }
        taking.list = list
        taken.append(taking)
        return list
    }

    /// Takes a store by its handle; NULL for none.
    func setStore(_ handle: OpaquePointer?) throws {
        let store = try handle.map { try FetchedResultsC.store($0) }
        let (before, after) = (inUse, handle.map(Taken.init))
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
        if isEnded || one.handle != listHandle { fr_list_free(one.handle) }
        one.list = nil
    }

    func reloadView() {
        // Another list is shown from now on.
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
        cells.makeUpdateVisibleCell(cells)(path, object)
    }

    func countChanged(to count: Int) { view.countChanged(count) }
    func failed(_ error: StoreError) { view.failed(error) }

    // MARK: Items

    func addItem(
        _ columns: UnsafePointer<UnsafePointer<CChar>?>?, _ given: UnsafePointer<fr_value>?, _ count: Int
    ) throws -> OpaquePointer {
        let store = try openStore
        let values = Array(zip(try strings(columns, count, "columns"), try values(given, count, "values")))
        guard let add = entity.callbacks.add_item else {
            return try newObjectHandle(try store.insert(into: entityName, values))
        }
        var made: OpaquePointer?
        try passing("add_item of the entity") { add(&made, storeHandle, columns, given, count, userData.pointer) }
        guard let made, (try? object(made)) != nil else {
            throw StoreError(.misuse, "add_item of the entity made no object")
        }
        return made
    }

    func deleteItem(at path: ListIndexPath) throws {
        let store = try openStore
        let item = try entityListState.items.item(at: path)
        guard let delete = entity.callbacks.delete_item else {
            return try store.delete(from: item.entity, identity: item.identity)
        }
        let handle = try newObjectHandle(item)
        defer { HandleTable.release(handle, .object) }
        try passing("delete_item of the entity") { delete(storeHandle, handle, userData.pointer) }
    }

    private var openStore: Store {
        get throws {
            guard let store else { throw StoreError(.misuse, "the list of \(entityName) has no store yet") }
            return store
        }
    }
}
