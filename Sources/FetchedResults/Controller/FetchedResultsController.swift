internal import ChangeSets
public import ListEngine
public import SQLiteKit

/// A live fetch request: the ordered, sectioned list of its rows, and its changes.
///
/// It combines an engine, which holds the list and prepares its next state, the state that
/// determines what the engine does, and observers. Its rows change only in a delivery.
public class FetchedResultsController: FollowingList {
    /// The store from which the list is read.
    public let store: Store
    package let announcer: Announcer
    let engine: ListEngine
    private(set) var state = ListState.notFetched([])
    /// The fetch in the background, if one is under way.
    var fetch: AsynchronousFetch?
    var indexTitles: IndexTitles<Int>?
    /// The files that were last written or read under the cache names of the list and, in a section
    /// map, of its sections' rows; nil if there is none of the request.
    var cachedFiles: (list: CachedFile?, sections: CachedFile?)

    /// Creates a controller; nothing is fetched yet. Throws the errors that
    /// `StoreError.Status.schema` and `.sql` describe.
    public convenience init(store: Store, request: FetchRequest) throws {
        try self.init(store: store, request: request, nodes: NodeSizes.standard)
    }

    package convenience init(store: Store, request: FetchRequest, nodes: NodeSizes) throws {
        try self.init(store: store, request: request, nodes: nodes, announcer: Announcer(store.delivery), sections: nil)
    }

    init(store: Store, request: FetchRequest, nodes: NodeSizes, announcer: Announcer, sections: MappedSections?)
        throws
    {
        self.store = store
        self.announcer = announcer
        engine = try ListEngine(
            connection: store.connection, database: store.delivery, request: request, nodes: nodes, sections: sections,
            watch: announcer.watch)
        engine.owner = announcer
        announcer.list = self
    }

    deinit {
        // Watches that are not cancelled yet must not find the list.
        announcer.list = nil
        engine.owner = nil
        engine.removeAll()
    }

    /// The request. A controller that was fetched takes another one by `setRequest`.
    public var request: FetchRequest { engine.request }

    /// Makes the section index title from a section's name; nil for no title. The first letter,
    /// capitalised, by default.
    public var indexTitle: (String) -> String? {
        get { engine.indexTitle }
        set {
            engine.indexTitle = newValue
            indexTitles = nil
            for place in announcer.places { place.container?.discardIndexTitles() }
        }
    }

    /// The first letter, capitalised; nil for an empty name.
    public static func defaultIndexTitle(_ name: String) -> String? { ListEngine.defaultIndexTitle(name) }

    /// The greatest number of rows whose contents are cached for reading.
    public var rowCacheSize: Int {
        get { engine.cache.limit }
        set { engine.cache.limit = max(newValue, engine.compiled.request.batchSize) }
    }

    /// The greatest memory of these contents in bytes. One row alone may have more.
    public var rowCacheBytes: Int {
        get { engine.cache.byteLimit }
        set { engine.cache.byteLimit = max(newValue, 0) }
    }

    /// The work that the controller has done so far.
    public var counters: Counters { engine.currentCounters }

    /// How SQLite reads the list, which commits cost more than the rows that they touch, and which
    /// indexes would help. Reads no rows.
    ///
    /// Throws `closed`, and `sql` if the schema has changed such that the list can't be read.
    public func explain() throws -> ListExplanation {
        try store.checkOpen()
        return try store.connection.reading { try engine.explanation() }
    }

    /// Applies an event to the state, and returns the action to take.
    @discardableResult
    func apply(_ event: ListEvent) -> ListAction {
        let (action, next) = state.after(event)
        state = next
        noteWhetherEager()
        return action
    }

    /// Watches the tables on which the request depends now.
    func watchTables() throws {
        try engine.watchTables()
        noteWhetherEager()
    }

    /// Notes whether the store has to include the list in every round, according to its state.
    private func noteWhetherEager() {
        guard let watches = engine.followedWatches, state.followsEveryRound || store.delivery.subscriptions.hasEager
        else {
            return
        }
        store.delivery.subscriptions.setEager(watches, state.followsEveryRound)
    }
}

/// The properties and the condition of a list.
extension FetchedResultsController {
    /// The key path whose values determine the objects' sections; nil for a flat list. In a section
    /// map it leads from an item to the key of its section.
    public var sectionKeyPath: String? { engine.compiled.request.section?.keyPath }

    /// Why the list shows an earlier state than it should: the error of reading it after a commit,
    /// or after a pause, of which its observers were notified. nil if it is in order, or while it
    /// is held back: paused, disabled, or resumed and not delivered yet.
    public var deliveryFailure: StoreError? { if case .behind(let error) = state { error } else { nil } }
}

/// Observers, and the interface for objects that follow the list.
extension FetchedResultsController {
    @discardableResult
    public func addObserver(_ observer: any FetchedResultsObserver) -> UInt64 { announcer.observers.add(observer) }

    @discardableResult
    public func removeObserver(_ id: UInt64) -> Bool { announcer.observers.remove(id) }

    public func hasObserver(_ id: UInt64) -> Bool { announcer.observers[id] != nil }

    public var version: Int { announcer.version }

    public var fetchCount: Int { announcer.fetchCount }

    public func afterDelivery(_ body: @escaping () -> Void) throws {
        try announcer.queue.runOrWait(body)
        store.delivery.deliverIfDue()
    }

    public func refresh(for observer: UInt64?) throws {
        if isFetched, isFollowed(besides: observer) { try store.delivery.deliverAll() } else { try performFetch() }
    }

    public func reportFailure(_ error: any Error) { announcer.notifyFailure(self, StoreError(any: error)) }
}
