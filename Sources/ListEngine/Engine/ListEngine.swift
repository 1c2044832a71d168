package import ChangeSets
package import OrderedTree
package import SQLiteKit

/// One list: the rows of a request in their order and their sections, with their contents, in one
/// state of a database, and the transition to the next state.
///
/// `prepare` returns the next state with its change set, computed from the rows that a round
/// touched or from a request that changed, or throws and leaves the state as it is. `commit` makes
/// that the shown one. In between the list shows the old one: touched rows were moved to their new
/// places in the list, and the first read undoes these edits, which costs only programs that read.
/// (A persistent tree would hold both states at all times, but it copies nodes for every change,
/// whether anyone reads or not.)
package final class ListEngine {
    package let connection: Connection
    let database: any DatabaseState
    /// Has the tables of a request watched.
    package let watch: (CompiledRequest) throws -> Watches
    package internal(set) var compiled: CompiledRequest
    private var identities: Identities
    package internal(set) var decoder: KeyDecoder {
        get { KeyDecoder(compiled: compiled, identities: identities) }
        set { (compiled, identities) = (newValue.compiled, newValue.identities) }
    }
    /// The identities of the rows that the list shows.
    var shownIdentities: Identities { superseded?.decoder.identities ?? identities }
    /// The list that was shown when it was last in order; nil before the first fetch.
    package internal(set) var list: List?
    package internal(set) var watches: Watches? {
        didSet {
            if oldValue !== watches { oldValue?.cancel() }
            if watches == nil { groups?.end() }
        }
    }
    package var counters = WorkCounters()
    /// What caused the changes that the list does not show yet, which the next prepared state has:
    /// while it is held back, or could not follow, what it missed.
    package var missedOrigin: ChangeOrigin = []
    /// Counts the states that were shown.
    package internal(set) var version = 0
    package let nodes: NodeSizes
    /// The source of the sections, unless they are the values of the request's section key path.
    package let mappedSections: MappedSections?
    /// The source of the rows, if these are groups of other rows. Connection and database are then
    /// its own.
    let groups: GroupedRows?
    /// The owner of the list's objects, which sets nil before it ends.
    package unowned var owner: AnyObject? {
        didSet { madeOwnerReference.take()?.end() }
    }
    /// The layout of the objects that the list makes.
    var layout: ObjectLayout { layout(of: compiled) }

    func layout(of compiled: CompiledRequest) -> ObjectLayout {
        compiled.madeLayout ?? compiled.layout(of: ownerReference)
    }

    /// Compiles the request. Nothing is fetched yet.
    package init(
        connection: Connection, database: any DatabaseState, request: FetchRequest, nodes: NodeSizes,
        sections: MappedSections?, indexTitle: ((String) -> String?)? = nil,
        watch: @escaping (CompiledRequest) throws -> Watches
    ) throws {
        let groups =
            request.groupBy.isEmpty ? nil : try GroupedRows(request, connection, database, nodes, watch: watch)
        self.groups = groups
        self.connection = groups?.memory ?? connection
        self.database = groups ?? database
        self.nodes = nodes
        self.watch = groups?.watchTable ?? watch
        mappedSections = sections
        compiled = try Self.compile(request, sections, groups, self.connection, self.database)
        identities = .of(compiled)
        noteRequest(request)
        if let indexTitle { self.indexTitle = indexTitle }
    }

    /// For a request that is compiled already, and for rows of which no list is made.
    init(
        connection: Connection, database: any DatabaseState, request: FetchRequest, compiled: CompiledRequest,
        nodes: NodeSizes, watch: @escaping (CompiledRequest) throws -> Watches
    ) {
        self.connection = connection
        self.database = database
        self.nodes = nodes
        self.watch = watch
        (groups, mappedSections) = (nil, nil)
        self.compiled = compiled
        identities = .of(compiled)
    }

    deinit { madeReference?.end() }

    // MARK: Requests

    /// A request compiled, in a section map with the order by sections.
    package func compile(_ request: FetchRequest) throws -> CompiledRequest {
        try Self.compile(request, mappedSections, groups, connection, database)
    }

    private static func compile(
        _ request: FetchRequest, _ sections: MappedSections?, _ groups: GroupedRows?, _ connection: Connection,
        _ database: any DatabaseState
    ) throws -> CompiledRequest {
        try database.checkOpen()
        var request = try sections?.itemsRequest(request) ?? request
        if let groups { request = groups.tableRequest(request) }
        try connection.readEncoding()
        // Read before, so that a change in between is detected.
        let versions = try database.readSchemaVersions()
        if let shared = database.compiledRequests.request(request, versions) { return shared }
        let name = groups == nil ? "predicate" : "having"
        let compiled = try RequestCompiler(connection: connection, predicateName: name).compile(request)
        compiled.plan.schemaVersions = versions
        database.compiledRequests.add(compiled)
        return compiled
    }

    /// Takes another request and its compiled form, for a list that is not fetched, or paused. The
    /// rows that the program received in other columns are reported when the list is read again.
    package func replaceRequest(_ request: FetchRequest, _ compiled: CompiledRequest) {
        noteRequest(request)
        if !compiled.content.hasColumns(of: self.compiled.content) {
            madeCache?.discardContents()
            readability.discardContents()
        }
        self.compiled = compiled
    }

    /// Takes another request, whose difference is then prepared. Until that is committed or
    /// dropped, the list shows rows as the old request does. That is the same in the columns of a
    /// table, which are known by their names.
    func supersede(_ request: FetchRequest, _ new: CompiledRequest) {
        noteRequest(request)
        let old = decoder
        compiled = new
        let showsAlike =
            new.content.hasColumns(of: old.compiled.content) && request.totals == old.compiled.request.totals
            && request.totalsOfAllRows == old.compiled.request.totalsOfAllRows && !old.compiled.showsRanks
        if new.isSelect || !showsAlike { superseded = (old, nil) }
    }

    /// Returns to the request before.
    func restore(_ request: FetchRequest, _ decoder: KeyDecoder) {
        noteRequest(request)
        superseded = nil
        self.decoder = decoder
    }

    /// Refuses a request for another entity.
    package func checkEntity(of request: FetchRequest) throws {
        if let groups { return try groups.check(request) }
        guard request.groupBy.isEmpty else {
            throw StoreError(.misuse, "the request is for groups, but the list shows rows")
        }
        let isSame: Bool
        let name: String
        if request.select != nil || compiled.isSelect {
            isSame = request.select != nil && compiled.isSelect
            name = request.select == nil ? request.entity : "SELECT"
        } else {
            let entity = try SchemaReader(connection: connection).entity(request.entity, identity: request.identity)
            isSame = entity.isSame(as: compiled.entity)
            name = entity.displayName
        }
        guard isSame else {
            throw StoreError(.misuse, "the request is for \(name), but the list is of \(compiled.entity.displayName)")
        }
    }

    /// Has the tables of the request watched as it is compiled now.
    package func watchTables() throws { watches = try watch(compiled) }

    // MARK: Sections

    /// The index title of a section.
    package func indexTitle(of section: List.Section) -> String? {
        switch section.title {
        case .name: section.value.count == 0 ? nil : section.value.text(0).flatMap(indexTitle)
        case .text(let text): text.flatMap(indexTitle)
        }
    }

    package func info(_ list: List, _ id: SectionID, at index: Int?) -> SectionInfo {
        let section = list.section(id)
        return SectionInfo(
            rowValues: section.value, indexTitle: indexTitle(of: section), count: list.rows.rowCount(in: id),
            index: index)
    }

    /// The cost of the list so far.
    package var currentCounters: Counters {
        Counters(
            groups.map { counters.ofGroups(adding: $0.counters) } ?? counters,
            nodesVisited: list?.rows.nodesVisited ?? 0,
            bytesHeld: list.map { $0.bytesHeld + decoder.identities.bytesHeld } ?? 0)
    }

    // MARK: Passing states

    /// The request, where it is not the one that was compiled: in a section map, and in a list of
    /// groups.
    private var givenRequest: FetchRequest?

    /// The request, as the program gave it.
    package var request: FetchRequest { givenRequest ?? compiled.request }

    func noteRequest(_ request: FetchRequest) {
        if mappedSections != nil || groups != nil { givenRequest = request }
    }

    /// Makes a section's index title from its name; nil for no title.
    package var indexTitle: (String) -> String? = { ListEngine.defaultIndexTitle($0) }

    /// The first letter, capitalised; nil for an empty name.
    package static func defaultIndexTitle(_ name: String) -> String? { name.first.map { String($0).uppercased() } }

    /// Whether the rows are another list's sections, which needs the touched rows.
    package var isOfSections = false

    /// The next state while a delivery holds it, which determines how the shown state is read; else
    /// nil.
    var prepared: PreparedState?

    /// nil before it is needed, as it takes as much memory as the rest of a short list.
    private var madeCache: ContentCache?

    /// The contents that the program received.
    package var cache: ContentCache {
        if let madeCache { return madeCache }
        let cache = ContentCache(limit: 1000, byteLimit: 8 << 20)
        madeCache = cache
        return cache
    }

    /// Discards all contents.
    func emptyCache() { madeCache?.removeAll() }

    /// The windows on the list; nil if there are none.
    package internal(set) var windows: WindowIndex?

    /// Which rows can be read from the database.
    package internal(set) var readability = Readability()

    /// Reads rows when other connections have committed changes that are not delivered yet.
    private(set) lazy var snapshotRows = SnapshotRows()

    /// How many rows, from the one that is read on, the program is about to read; 0 if that is not
    /// known.
    package var rowsAhead = 0

    /// The decoder, with the compiled request, that the list had before it got another request or
    /// another schema, as long as it is not known whether that is committed.
    ///
    /// - `renaming`: The ids under which the old rows are compared, if identities are of another
    ///   kind now: no old row is a new one.
    var superseded: (decoder: KeyDecoder, renaming: RowRenaming?)?

    private var madeReference: BackReference<ListEngine>?
    private var madeOwnerReference: BackReference<AnyObject>?
    private var madeContext: ChangesContext?

    /// The reference to the engine in all that its deliveries leave behind.
    var reference: BackReference<ListEngine> {
        if let madeReference { return madeReference }
        let reference = BackReference(self)
        madeReference = reference
        return reference
    }

    /// The reference to the owner in all objects.
    private var ownerReference: BackReference<AnyObject>? {
        guard let owner else { return nil }
        if let madeOwnerReference { return madeOwnerReference }
        let reference = BackReference(owner)
        madeOwnerReference = reference
        return reference
    }

    /// The facts that the next change set has in common with other ones.
    var changesContext: ChangesContext {
        if superseded == nil, let context = madeContext, context.layoutChange == nil,
            context.identities === identities, context.layout === compiled.madeLayout
        {
            return context
        }
        let context = ChangesContext(self)
        madeContext = context
        return context
    }

    // MARK: The shown state

    /// Whether a delivery holds the next state.
    package var isBetweenStates: Bool { prepared != nil }

    /// The list to read from, which is the old one as long as a delivery holds the next one. nil
    /// before the first fetch.
    package func shownList() throws -> List? {
        if let prepared { try prepared.restoreOld() }
        return list
    }

    /// Discards the list and stops watching.
    package func removeAll() {
        watches = nil
        prepared = nil
        superseded = nil
        list = nil
        mappedSections?.engine?.watches = nil
    }
}
