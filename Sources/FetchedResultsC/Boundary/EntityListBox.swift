internal import CFetchedResults
internal import ChangeSets
internal import FetchedResults
internal import SQLiteKit

/// An entity list whose defaults C callbacks replace.
final class EntityListBox: EntityList {
    /// What the program named.
    struct Entity {
        let callbacks: fr_entity
        let request: FetchRequest
        let reuseIdentifier: String?
    }

    let entityListState = EntityListState()
    private let entity: Entity
    private let view: ViewAdapter
    private let cells: CellsAdapter
    private let userData: UserData
    private var isEnded = false
    private var storeHandle: OpaquePointer?
    /// The list that the view shows.
    private weak var shownList: (any LiveList)?
    /// Handles that belong to the entity list and that the program may use.
    private(set) var listHandle: OpaquePointer?
    private(set) var coordinatorHandle: OpaquePointer?
    private(set) var dataSourceHandle: OpaquePointer?

    init(_ entity: Entity, _ view: ViewAdapter, _ callbacks: fr_cells, _ userData: UserData) throws {
        self.entity = entity
        self.view = view
        self.userData = userData
        cells = CellsAdapter(callbacks, userData, identifier: entity.reuseIdentifier ?? defaultReuseIdentifier)
        view.list = { [weak self] in self?.list }
        dataSourceHandle = try newHandle(DataSourceBox(AnyItems(entityListState.items), cells), .dataSource)
        let box = CoordinatorBox(view) { [weak self] in (self?.coordinator, self?.listBox) }
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
        fr_controller_free(listHandle)
    }

    private var listBox: ControllerBox? { HandleTable.find(listHandle, .controller) as? ControllerBox }

    // MARK: What it shows

    var entityName: String { entity.request.entity }
    var sortDescriptors: [SortDescriptor] { entity.request.sortDescriptors }
    var viewOptions: ViewOptions { view.options }
    var listView: (any CoordinatedView)? { view }
    func makeFetchRequest() -> FetchRequest { entity.request }

    func makeList(in store: Store) throws -> any LiveList {
        let request = RequestBox(makeFetchRequest())
        let requestHandle = try newHandle(request, .request)
        defer { HandleTable.release(requestHandle, .request) }
        if let prepare = entity.callbacks.prepare_request {
            try passing(prepare(requestHandle, userData.pointer), "prepare_request")
        }
        guard let make = entity.callbacks.make_list else {
            let list = try FetchedResultsController(store: store, request: request.request)
            replaceList(try newListHandle(list))
            return list
        }
        var made: OpaquePointer?
        try passing(make(&made, storeHandle, requestHandle, userData.pointer), "make_list")
        let box = try controller(made)
        replaceList(made)
        return box.list
    }

    /// The handle before the one in use, until that is known to stay.
    private var previousHandle: OpaquePointer?

    private func replaceList(_ handle: OpaquePointer?) {
        previousHandle = listHandle
        listHandle = handle
    }

    /// Takes a store by its handle; NULL for none.
    func setStore(_ handle: OpaquePointer?) throws {
        guard let handle else {
            storeHandle = nil
            let old = listHandle
            listHandle = nil
            try setStore(nil as Store?)
            return fr_controller_free(old)
        }
        let store = try FetchedResultsC.store(handle)
        let previousStore = storeHandle
        let before = listHandle
        storeHandle = handle
        do {
            try setStore(store)
        } catch {
            if listHandle != before, listBox?.list !== entityListState.items.list {
                fr_controller_free(listHandle)
                listHandle = previousHandle
                storeHandle = previousStore
            } else if listHandle == before {
                storeHandle = previousStore
            }
            throw error
        }
        if previousHandle != listHandle { fr_controller_free(previousHandle) }
        previousHandle = nil
        if isEnded { fr_controller_free(listHandle) }
    }

    func reloadView() {
        // Another list is shown from now on.
        if shownList !== list {
            shownList = list
            view.endBatch()
        }
        view.reload()
    }

    // MARK: Cells

    var updatesCells: Bool { view.hasCellUpdates || cells.showsVisibleCells && !view.hasRowReloads }

    func updateCell(at path: IndexPath, with object: FetchedObject) {
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
        try passing(add(&made, storeHandle, columns, given, count, userData.pointer), "add_item")
        guard let made, (try? object(made)) != nil else {
            throw StoreError(.misuse, "add_item of the entity made no object")
        }
        return made
    }

    func deleteItem(at path: IndexPath) throws {
        let store = try openStore
        let item = try entityListState.items.item(at: path)
        guard let delete = entity.callbacks.delete_item else {
            return try store.delete(from: item.entity, identity: item.identity)
        }
        let handle = try newObjectHandle(item)
        defer { HandleTable.release(handle, .object) }
        try passing(delete(storeHandle, handle, userData.pointer), "delete_item")
    }

    private var openStore: Store {
        get throws {
            guard let store else { throw StoreError(.misuse, "the list of \(entityName) has no store yet") }
            return store
        }
    }

    /// Passes the failure of a callback on, with the error that it left if there is one.
    private func passing(_ result: fr_status, _ name: String) throws {
        guard result != 0 else { return }
        if LastError.current?.status != result {
            let status = String(cString: fr_status_name(result))
            LastError.set(StoreError(.error, "\(name) of the entity returned \(status)"), status: result)
        }
        throw PassedStatus(status: result)
    }
}
