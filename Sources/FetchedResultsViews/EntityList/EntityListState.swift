internal import FetchedResults

/// The state of an entity list with rows of the type `Item`.
public final class EntityListState<Item> {
    /// The store that the list is read from; nil before `EntityList.setStore`.
    public private(set) var store: Store?
    /// The list that it shows; always the same object, so that data sources can be made of it at
    /// any time.
    public let items: ListItems<Item>
    /// The coordinator that updates the view; nil without a store.
    public private(set) var coordinator: Coordinator<Item>?
    /// The rows that wait for a change.
    private(set) var pending = PendingRows()
    private var view: EntityListView?

    fileprivate init(_ decoding: ItemDecoding<Item>) { items = ListItems(nil, decoding) }

    func setStore(_ store: Store?, of owner: some EntityList<Item>) throws {
        guard let store else {
            self.store = nil
            items.list = nil
            pending = PendingRows()
            coordinator = nil
            return owner.reloadView()
        }
        let list = try owner.makeList(in: store)
        if !list.isFetched { try list.performFetch() }
        let view = EntityListView(owner)
        let updateCell: Coordinator<Item>.CellUpdate? =
            owner.updatesCells ? { [weak owner] path, item in owner?.updateCell(at: path, with: item) } : nil
        let coordinator = Coordinator(
            view: view, list: list, options: owner.viewOptions, decoding: items.decoding, updateCell: updateCell)
        coordinator.countChanged = { [weak owner] count in owner?.countChanged(to: count) }
        coordinator.failed = { [weak owner] error in owner?.failed(error) }
        self.store = store
        items.list = list
        pending = PendingRows()
        self.view = view
        self.coordinator = coordinator
        try coordinator.loadData(fetching: false)
    }
}

extension EntityListState where Item == FetchedObject {
    /// The state of a list of objects, without a store.
    public convenience init() { self.init(.objects) }
}

extension EntityListState where Item: Decodable {
    /// The state of a list of decoded rows, without a store.
    public convenience init() { self.init(.decoded) }
}

/// The view of an entity list's coordinator, which passes each call on to the list's method for it.
private final class EntityListView: CoordinatedView {
    private weak var owner: (any EntityList)?

    init(_ owner: any EntityList) { self.owner = owner }

    func reload() { owner?.reloadView() }
    func canApply(_ batch: ViewBatch) -> Bool { owner?.listView?.canApply(batch) ?? true }
    func apply(_ batch: ViewBatch) { owner?.applyToView(batch) }
}
