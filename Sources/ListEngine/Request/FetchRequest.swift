public import SQLiteKit

/// Which rows a list shows, in which order, in which sections.
public struct FetchRequest: Sendable {
    /// The values of a predicate's parameters.
    public enum Parameters: Equatable, Sendable {
        /// The values of `?` and `?1`, in order.
        case positional([Value])
        /// The values of `:name`, `@name` and `$name`, each with its name. A name without prefix
        /// stands for `:name`.
        case named([(name: String, value: Value)])

        /// Whether both give the same values to parameters of the same names or places.
        public static func == (a: Parameters, b: Parameters) -> Bool {
            switch (a, b) {
            case (.positional(let a), .positional(let b)): a == b
            case (.named(let a), .named(let b)): a.elementsEqual(b) { $0.name == $1.name && $0.value == $1.value }
            default: false
            }
        }
    }

    /// A table or view, optionally with its database: "items", "temp.items".
    public var entity: String {
        get { form.entity }
        set { form.entity = newValue }
    }
    /// The columns that identify a row of a view; empty for tables, and for an FTS5 table, whose
    /// rowid identifies a document.
    public var identity: [String] {
        get { form.identity }
        set { form.identity = newValue }
    }
    /// A SQL expression over the entity's columns and key paths; nil for all rows.
    public var predicate: String? {
        get { form.predicate }
        set { form.predicate = newValue }
    }
    /// The values of the parameters in `predicate` or `select`.
    public var parameters: Parameters = .positional([])
    /// Sort criteria, the most significant first; the identity, ascending, breaks remaining ties.
    public var sorts: [Sort] {
        get { form.sorts }
        set { form.sorts = newValue }
    }
    /// The criterion that makes up sections, and their order; nil for a flat list.
    public var section: Sort? {
        get { form.section }
        set { form.section = newValue }
    }
    /// The keys by which rows are grouped: columns, key paths or SQL expressions; empty to show the
    /// rows themselves.
    ///
    /// The list then shows a row for each group. Its columns are the keys, under the texts given
    /// here, and `totals`, under their names. `sorts`, `section`, `columns` and `having` refer to
    /// these; `predicate` to the rows that are grouped. Without `sorts` the groups are in the order
    /// of their keys. Without `totals` they are the distinct values of the keys.
    public var groupBy: [String] {
        get { form.groupBy }
        set { form.groupBy = newValue }
    }
    /// The totals that the list shows for each group, in addition to its keys.
    public var totals: [Total] {
        get { form.totals }
        set { form.totals = newValue }
    }
    /// Whether the totals of a list with a limit or an offset summarize all rows that satisfy the
    /// predicate, and the totals of a section all of these that belong to it; otherwise the rows
    /// that the list shows.
    public var totalsOfAllRows: Bool {
        get { form.totalsOfAllRows }
        set { form.totalsOfAllRows = newValue }
    }
    /// A SQL expression over keys and totals that chooses the groups; nil for all groups.
    public var having: String? {
        get { form.having }
        set { form.having = newValue }
    }
    /// The values of the parameters in `having`.
    public var havingParameters: Parameters = .positional([])
    /// The columns and key paths that objects show; empty for all columns.
    public var columns: [String] {
        get { form.columns }
        set { form.columns = newValue }
    }
    /// Columns and key paths that objects show in addition to these, for a list that needs them
    /// itself.
    var additionalColumns: [String] {
        get { form.additionalColumns }
        set { form.additionalColumns = newValue }
    }
    /// How many documents may be written before a list with `rank` or `bm25()` is ranked again, as
    /// a share of all documents, and of the documents that match; 0.01 unless set. 0 ranks again
    /// whenever a document is written, infinity only on request: `performFetch`, or setting the
    /// request again.
    public var rankTolerance: Double {
        get { form.rankTolerance }
        set { form.rankTolerance = newValue }
    }
    /// The number of rows that are read together when the program reads one of them.
    public var batchSize: Int {
        get { form.batchSize }
        set { form.batchSize = newValue }
    }
    /// The greatest number of rows to show; nil for all.
    public var limit: Int? {
        get { form.limit }
        set { form.limit = newValue }
    }
    /// How many rows to leave out at the beginning.
    public var offset: Int {
        get { form.offset }
        set { form.offset = newValue }
    }
    /// The name under which the list is cached, so that a later start can show it without reading
    /// it; nil to not cache it. Lists that are shown at the same time need names of their own.
    public var cacheName: String? {
        get { form.cacheName }
        set { form.cacheName = newValue }
    }

    /// Copies of a request share it until one of them is changed.
    private var box: Box<Properties>

    /// Everything except the parameters' values.
    private var form: Properties {
        _read { yield box.value }
        _modify {
            if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
            yield &box.value
        }
    }

    /// The same request with the values of another one's parameters.
    func with(_ parameters: Parameters) -> FetchRequest {
        var request = self
        request.parameters = parameters
        return request
    }

    /// A request for the rows of a table or view.
    ///
    /// Nothing is checked here: `FetchedResultsController.init` reports names that the schema does
    /// not have.
    ///
    /// - Parameters:
    ///   - entity: A table or view, optionally with its database: "items", "temp.items".
    ///   - predicate: A SQL expression that chooses the rows; nil for all rows.
    ///   - parameters: The values of the predicate's `?`, in order. For named ones set `parameters`
    ///     of the request.
    ///   - sorts: The order: the most significant criterion first.
    ///   - section: The criterion that makes up the sections; nil for a flat list.
    public init(
        entity: String, predicate: String? = nil, parameters: [Value] = [], sorts: [Sort] = [],
        section: Sort? = nil
    ) {
        var form = Properties(entity: entity)
        form.predicate = predicate
        form.sorts = sorts
        form.section = section
        box = Box(form)
        self.parameters = .positional(parameters)
    }

    /// A whole SELECT in place of an entity, predicate and sort descriptors: its rows in its order.
    ///
    /// The columns in `identity` identify a row; rows of equal `sectionColumn` must be adjacent.
    /// The SELECT is run again when a table that it reads has changed, and the results are
    /// compared.
    public init(select: String, parameters: [Value] = [], identity: [String], sectionColumn: String? = nil) {
        var form = Properties(entity: "SELECT")
        form.select = select
        form.identity = identity
        form.section = sectionColumn.map { Sort($0) }
        box = Box(form)
        self.parameters = .positional(parameters)
    }

    /// The text of a whole SELECT; nil for a request of an entity.
    public var select: String? { form.select }

    /// Refuses a text that can't be the name of a cached list.
    package static func check(cacheName: String?) throws(StoreError) {
        if cacheName?.isEmpty ?? false { throw StoreError(.misuse, "a cache name can't be empty") }
    }

    /// Refuses what can't be a share of the documents.
    package static func check(rankTolerance share: Double) throws(StoreError) {
        guard share >= 0 else {
            throw StoreError(.range, "the tolerance of ranks is a share of the documents, which \(share) can't be")
        }
    }

    /// Whether totals summarize rows that the list does not show.
    var hasTotalsOfAllRows: Bool { isWindow && totalsOfAllRows && !totals.isEmpty }

    var isWindow: Bool { form.limit != nil || form.offset > 0 }
}

extension FetchRequest {
    private struct Properties: Sendable {
        var entity: String
        var identity: [String] = []
        var predicate: String?
        var sorts: [Sort] = []
        var section: Sort?
        var columns: [String] = []
        var additionalColumns: [String] = []
        var batchSize: Int = 20
        var rankTolerance = 0.01
        var limit: Int?
        var offset: Int = 0
        var cacheName: String?
        var select: String?
        var groupBy: [String] = []
        var totals: [Total] = []
        var totalsOfAllRows = false
        var having: String?
    }
}

/// One criterion of an order: a column, a key path through foreign keys, or a SQL expression over
/// these.
public struct Sort: Hashable, Sendable {
    /// The side of all other values on which NULLs are placed.
    public enum Nulls: Hashable, Sendable {
        /// Before all other values.
        case first
        /// After all other values.
        case last
    }

    /// A column of the entity, the path to one through foreign keys, or a SQL expression over
    /// these: "title", "author.name", "date(received, 'unixepoch')". A text that is the name of a
    /// column is that column. An expression must always yield the same value for the same row, and
    /// can't have a SELECT or parameters.
    public var keyPath: String
    /// Whether great values precede small ones.
    public var isDescending: Bool
    /// The place of NULLs; nil for SQLite's place: first ascending, last descending.
    public var nulls: Nulls?
    /// The name of a collation; nil for the column's own. For an expression nil stands for the
    /// collation that its text ends with, or BINARY.
    public var collation: String?

    /// A criterion, ascending by default.
    ///
    /// - Parameters:
    ///   - keyPath: A column, the path to one through foreign keys, or an expression.
    ///   - isDescending: Whether great values precede small ones.
    ///   - nulls: The place of NULLs; nil for SQLite's place.
    ///   - collation: The name of a collation; nil for the column's own.
    public init(_ keyPath: String, isDescending: Bool = false, nulls: Nulls? = nil, collation: String? = nil) {
        self.keyPath = keyPath
        self.isDescending = isDescending
        self.nulls = nulls
        self.collation = collation
    }
}
