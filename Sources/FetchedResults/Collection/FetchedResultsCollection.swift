internal import ChangeSets
public import ListEngine
internal import OrderedTree
internal import SQLiteKit

/// Several lists shown as one: controllers, section maps and other collections, of one store or
/// several, and placeholders.
///
/// The sections of all children are numbered one after another, as if there were no children.
/// Children can be inserted and removed at any time; a fetched collection delivers this as one
/// bracket of exact changes. A commit that changes several children is one bracket as well.
/// Children retain their own observers. The same list can be in several collections, but only once
/// in each.
public final class FetchedResultsCollection: ContainerList {
    package let announcer = Announcer()
    /// The children in the program's order.
    let children = CollectionChildren()
    /// The shown children, weighted by their sections and objects.
    let tree = PositionTree()
    private var childrenByHandle: [CollectionChild?] = []
    /// The totals of all children.
    var totals = CollectionTotals()
    /// Whether the collection was fetched, so that it can be read and delivers changes.
    public private(set) var isFetched = false
    /// The fetch in the background, if one is under way.
    var fetch: CollectionFetch?
    /// The children's index titles, until one of them changes.
    /// The index titles of the children, each with its child and its number among that one's.
    var indexTitles: IndexTitles<(child: CollectionChild, index: Int)>?
    /// Whether a list without sections is shown as one empty section, if it was not inserted with a
    /// placeholder of its own. A flat list always is one section.
    public internal(set) var showsEmptyLists: Bool

    /// Creates a collection of lists, in their order.
    public init(_ lists: [any LiveList] = [], showsEmptyLists: Bool = false) throws {
        self.showsEmptyLists = showsEmptyLists
        for list in lists { try append(list) }
    }

    /// Creates a collection of controllers of requests, in their order.
    public convenience init(store: Store, requests: [FetchRequest], showsEmptyLists: Bool = false) throws {
        let lists = try requests.map { try FetchedResultsController(store: store, request: $0) }
        try self.init(lists, showsEmptyLists: showsEmptyLists)
    }

    deinit {
        madeReference?.end()
        for child in children { child.leave() }
    }

    private var madeReference: BackReference<FetchedResultsCollection>?
    /// The reference to the collection in all its children.
    var reference: BackReference<FetchedResultsCollection> {
        if let madeReference { return madeReference }
        let new = BackReference(self)
        madeReference = new
        return new
    }

    /// The queue in which its deliveries wait for the deliveries of its children's stores.
    var queue: DeliveryQueue { announcer.queue }

    // MARK: Fetching

    /// Fetches all children, or, if one of them fails, none. Makes no change callbacks; other
    /// collections that show one of the fetched lists reload.
    public func performFetch(progress: @escaping (Int) -> Bool) throws {
        var count = 0
        var last = 0
        let fetched = try reading(storesToRead()) {
            try prepareFetch { controller in
                try controller.prepareFetch { rows in
                    // Each child counts from its own beginning.
                    if rows < last { count += last }
                    last = rows
                    return progress(count + rows)
                }
            }
        }
        try show(fetched)
    }

    /// Shows the fetched lists.
    func show(_ fetched: Fetched) throws {
        let lists = fetched.lists.map { $0.0 as any NotifyingList } + fetched.collections
        try Delivery.show(fetched: lists) {
            for (controller, list) in fetched.lists { controller.show(list) }
            for collection in fetched.collections { collection.showAll() }
        }
        for (controller, list) in fetched.lists where list.origin == .database { controller.cacheList() }
    }

    /// All stores of the children.
    var stores: [Store] {
        var seen: Set<ObjectIdentifier> = []
        return controllers.map(\.store).filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    /// All controllers in it, also in collections in it, in their order.
    var controllers: [FetchedResultsController] {
        children.flatMap { child -> [FetchedResultsController] in
            if let collection = child.list as? FetchedResultsCollection { return collection.controllers }
            return [child.list as? FetchedResultsController].compactMap(\.self)
        }
    }

    /// As deep as there are stores: see `storeLimit`.
    private func reading<Result>(_ stores: [Store], _ body: () throws -> Result) throws -> Result {
        guard let store = stores.first else { return try body() }
        try store.checkOpen()
        return try store.readingForFetch { try reading(Array(stores.dropFirst()), body) }
    }

    /// Lists that were fetched and are not shown yet, and the collections that show them, inner
    /// ones first.
    typealias Fetched = (
        lists: [(FetchedResultsController, FetchedState)], collections: [FetchedResultsCollection]
    )

    /// Fetches all children by a function, or, if one of them fails, none.
    func prepareFetch(_ fetch: (FetchedResultsController) throws -> FetchedState) throws -> Fetched {
        var fetched: Fetched = ([], [])
        do {
            for child in children {
                if let collection = child.list as? FetchedResultsCollection {
                    let inner = try collection.prepareFetch(fetch)
                    fetched.lists += inner.lists
                    fetched.collections += inner.collections
                } else if let controller = child.list as? FetchedResultsController {
                    fetched.lists.append((controller, try fetch(controller)))
                }
            }
            fetched.collections.append(self)
            return fetched
        } catch {
            for (_, list) in fetched.lists { list.cancel() }
            throw error
        }
    }

    /// Shows all children as they are now.
    private func showAll() {
        let staying = Set(children.map { ObjectIdentifier($0) })
        totals = CollectionTotals()
        for child in childrenByHandle.compactMap(\.self) where !staying.contains(ObjectIdentifier(child)) {
            child.leave()
        }
        childrenByHandle = []
        while tree.count > 0 { tree.remove(tree.handle(at: tree.count - 1)) }
        for (index, child) in children.enumerated() { show(child, at: index) }
        _ = totals.takeChanges(children)
        isFetched = true
        announcer.fetchCount += 1
        indexTitles = nil
        announcer.version += 1
    }

    // MARK: Shown children

    func show(_ child: CollectionChild, at index: Int) {
        child.handle = tree.insert(at: index, weights: update(child))
        while childrenByHandle.count <= Int(child.handle) { childrenByHandle.append(nil) }
        childrenByHandle[Int(child.handle)] = child
    }

    func hide(_ child: CollectionChild) {
        guard child.isShown else { return }
        totals.exchange(child.totals, nil)
        tree.remove(child.handle)
        childrenByHandle[Int(child.handle)] = nil
        child.leave()
    }

    func child(_ handle: Int32) -> CollectionChild? { childrenByHandle[Int(handle)] }

    /// The number of a child's first section.
    func firstSection(of child: CollectionChild) -> Int { tree.weightsBefore(child.handle).first }

    /// The numbers of a child's sections.
    func sections(of child: CollectionChild) -> Range<Int> {
        let first = firstSection(of: child)
        return first..<first + tree.weights(of: child.handle).first
    }

    var shownLists: [any NotifyingList] { children.compactMap(\.list) }

    func discardIndexTitles() {
        indexTitles = nil
        for place in announcer.places { place.container?.discardIndexTitles() }
    }
}

/// Observers, and the interface for objects that follow the list.
extension FetchedResultsCollection {
    @discardableResult
    public func addObserver(_ observer: any FetchedResultsObserver) -> UInt64 { announcer.observers.add(observer) }

    @discardableResult
    public func removeObserver(_ id: UInt64) -> Bool { announcer.observers.remove(id) }

    public func hasObserver(_ id: UInt64) -> Bool { announcer.observers[id] != nil }

    public var version: Int { announcer.version }

    public var fetchCount: Int { announcer.fetchCount }

    public func afterDelivery(_ body: @escaping () -> Void) throws { try queue.runOrWait(body) }

    public func refresh(for observer: UInt64?) throws {
        guard isFetched, isFollowed(besides: observer) else { return try performFetch() }
        for store in stores { try store.delivery.deliverAll() }
    }

    public func reportFailure(_ error: any Error) { announcer.notifyFailure(self, StoreError(any: error)) }

    /// Ends the collection's observers. Its lists stay open, and are cached if they have cache
    /// names: also lists that were closed, which only the collection shows.
    ///
    /// Throws `io` if one of them can't be cached. The `close` of its store reports that as well,
    /// unless the list is cached later.
    public func close() throws(StoreError) {
        announcer.observers.removeAll()
        let failures = controllers.compactMap { $0.cacheList() }
        if let failure = failures.first { throw failure }
    }
}
