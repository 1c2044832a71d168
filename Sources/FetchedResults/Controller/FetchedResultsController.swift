internal import ChangeSets
internal import SQLiteKit

/// A live fetch request: the ordered, sectioned list of its rows, and its changes.
///
/// What it shows changes only in a delivery. A delivery has three phases, which all lists of a store go through together
/// (`Store.deliver` leads them):
/// 1. `prepare` finds out what changed, in one read transaction for all lists. Few touched rows are put into their new
///    places in the list at once, with a note of how to take that back; a list that was read anew stands aside.
/// 2. `willChange` tells observers. Should one of them read the list, the edits are taken back first, so that it sees the
///    old state; that costs only those who look. (Keeping both states at all times was rejected: a persistent tree copies
///    nodes for every change, whether anyone looks or not.)
/// 3. `commit` makes the new state the shown one, and `didChange` tells the records.
public class FetchedResultsController: LiveList {
    public let store: Store
    public let announcer: Announcer
    public private(set) var request: FetchRequest

    var compiled: CompiledRequest {
        didSet {
            guard oldValue !== compiled else { return }
            oldValue.content.layout.list = nil
            compiled.content.layout.list = self
        }
    }
    var decoder: RowDecoder
    /// What the list showed when it was last in order; nil before the first fetch.
    var list: List?
    var pending: PendingUpdate?
    var cache = ContentCache(limit: 1000, byteLimit: 8 << 20)
    var subscription: Subscription? {
        didSet { if oldValue !== subscription { oldValue?.cancel() } }
    }
    /// What made the last delivery fail.
    var failure: StoreError?
    /// Whether the list was fetched when changes were not delivered yet, as inside a transaction.
    var wasFetchedInTransaction = false
    /// What tells the contents of such a list.
    var earlierContents: EarlierContents?
    /// What told foreign commits apart when the list was fetched; nil once a round has told of foreign commits since.
    var fetchedDataVersion: Connection.DataVersion?
    var counters = Counters()
    var indexTitles: IndexTitles?
    /// The fetch in the background, if one is under way.
    var fetch: AsynchronousFetch?
    let nodes: NodeSizes
    /// Where sections come from in a section map; nil where they are the values of the request's section key path.
    let sectionRows: SectionRows?
    /// The section map whose sections this controller follows, if it does; it takes part in that map's rounds.
    private(set) weak var owner: FetchedResultsController?
    /// Whether there is such a map: what changes is then told by it.
    private(set) var isOwned = false

    func setOwner(_ owner: FetchedResultsController) {
        self.owner = owner
        isOwned = true
    }

    var pause = Pause()
    /// Rows that may show something else than the list's state.
    var missed = MissedRows()
    /// The file that was last written or read under the cache name; nil if there is none of the request.
    var cachedFile: CachedFile?
    /// What the list was compiled as before the round that is prepared, if that changes the schema.
    var superseded: Superseded?

    /// Makes a controller; nothing is fetched yet. Throws what `StoreError.Status.schema` and `.sql` stand for.
    public convenience init(store: Store, request: FetchRequest) throws {
        try self.init(store: store, request: request, nodes: NodeSizes.standard)
    }

    package convenience init(store: Store, request: FetchRequest, nodes: NodeSizes) throws {
        try self.init(store: store, request: request, nodes: nodes, sectionRows: nil)
    }

    init(store: Store, request: FetchRequest, nodes: NodeSizes, sectionRows: SectionRows?) throws {
        self.store = store
        announcer = Announcer(store: store)
        self.request = request
        self.nodes = nodes
        self.sectionRows = sectionRows
        compiled = try store.compile(try sectionRows?.itemsRequest(request) ?? request)
        decoder = RowDecoder(compiled: compiled, identities: Identities(compiled))
        compiled.content.layout.list = self
    }

    deinit {
        cacheList()
        compiled.content.layout.list = nil
        subscription?.cancel()
        sectionRows?.controller?.subscription?.cancel()
    }

    /// Makes the section index title of a section's name; nil for no title. The first letter, capitalised, by default.
    public var indexTitle: (String) -> String? = FetchedResultsController.defaultIndexTitle {
        didSet {
            indexTitles = nil
            for parent in announcer.parents { parent.collection?.forgetIndexTitles() }
        }
    }

    /// The index title of a section.
    func indexTitle(of section: List.Section) -> String? {
        switch section.title {
        case .name: section.value.count == 0 ? nil : section.value.text(0).flatMap(indexTitle)
        case .text(let text): text.flatMap(indexTitle)
        }
    }

    /// The first letter, capitalised; nil for an empty name.
    public static func defaultIndexTitle(_ name: String) -> String? { name.first.map { String($0).uppercased() } }

    /// The greatest number of rows whose contents are kept for reading.
    public var cacheLimit: Int {
        get { cache.limit }
        set { cache.limit = max(newValue, compiled.request.batchSize) }
    }

    /// The greatest memory of these contents in bytes. One row alone may have more.
    public var cacheByteLimit: Int {
        get { cache.byteLimit }
        set { cache.byteLimit = max(newValue, 0) }
    }

    /// Takes another request and what was compiled of it.
    func replaceRequest(_ request: FetchRequest, _ compiled: CompiledRequest) {
        self.request = request
        cachedFile = nil
        if compiled.content.layout.columns != self.compiled.content.layout.columns { cache.removeAll() }
        use(compiled)
        restartFetch()
    }

    /// A request compiled, in a map with the order by sections.
    func compile(_ request: FetchRequest) throws -> CompiledRequest {
        try store.compile(try sectionRows?.itemsRequest(request) ?? request)
    }

    func use(_ compiled: CompiledRequest) {
        self.compiled = compiled
        decoder = RowDecoder(compiled: compiled, identities: decoder.identities)
    }
}
