package import SQLiteKit

/// The identity of the rows of a request.
struct RowIdentity {
    /// How its values compare.
    let components: [KeyComponent]
    /// The numbers of its columns in the table.
    let tableColumns: [Int]
    /// Which columns of the statement that reads all keys have it.
    let inKeys: IdentityColumns
    /// The first columns, in which other statements have it.
    let inFront: IdentityColumns

    /// - Parameter inKeys: Where the statement that reads all keys has it, if not in the first
    ///   columns.
    init(of entity: Entity, inKeys: IdentityColumns? = nil) {
        components = entity.identityExpressions.map(\.component)
        tableColumns =
            entity.rowView?.identityColumns ?? entity.identityColumns.compactMap { entity.columnIndex($0.name) }
        inFront = IdentityColumns(Array(components.indices), entity)
        self.inKeys = inKeys ?? inFront
    }

    var count: Int { components.count }
}

/// How a request's rows are divided into sections.
struct RequestSection {
    let order: ValueOrder
    /// The column of the section value in the rows of `KeyReading` and `TouchedReaders.members`.
    let column: Int
    /// Reads identities and row keys of the rows of one section; empty where hooks report no rows.
    let itemsSQL: String

    var component: KeyComponent { order.component }
}

/// The statements that read all keys of a list. They must be bound before they are used.
package struct KeyReading {
    /// Reads them in order: identity, section, sort values.
    package let inOrder: Statement
    /// The fastest way to read them.
    let fastest: Statement
    /// Whether that reads them in order, as an index serves it, or only SQLite can sort.
    let isInOrder: Bool
    /// The collector that receives the rows; nil if the statement yields them.
    let collector: RowCollector?

    init(inOrder: Statement) { self.init(inOrder: inOrder, fastest: inOrder, isInOrder: true, collector: nil) }

    init(inOrder: Statement, fastest: Statement, isInOrder: Bool, collector: RowCollector?) {
        self.inOrder = inOrder
        self.fastest = fastest
        self.isInOrder = isInOrder
        self.collector = collector
    }
}

/// How the rows that a round touched are read again, by their row keys.
struct TouchedReaders {
    /// Section, sort values and content of rows that belong to the list, and, if an old image alone
    /// lacks the old content or sort values, all columns of the table.
    let members: RowReader
    /// Content and columns of any row: without evaluating the predicate, unless it has the search
    /// whose matches the content is about.
    let contents: RowReader
    /// Whether the two leave content and columns out, because a result can't have so many.
    let lackContent: Bool
    /// Whether all columns of the table are needed.
    let needsTableColumns: Bool
    /// Reads these if the other two leave them out.
    let tableColumns: RowReader?
}

/// The compiled form of a request: its statements and the ways in which its rows depend on tables.
/// It does not depend on the values of the request's parameters, so that requests that differ in
/// these alone share it.
final class RequestPlan {
    /// One of the requests that share it.
    let request: FetchRequest
    /// Its predicate or SELECT.
    let text: NumberedText
    let entity: Entity
    let identity: RowIdentity
    let order: RowOrder
    /// nil for a flat list.
    let section: RequestSection?
    let content: Content
    let dependencies: Dependencies
    let keys: KeyReading
    /// nil for an entity that no hook observes.
    let touched: TouchedReaders?
    /// Statements that read the rows next to a window; nil if there is no limit or offset, or no
    /// hook reports rows.
    let neighbours: WindowNeighbours?
    /// nil for a request without totals, and for one that groups rows.
    let totals: RequestTotals?
    /// Reads the statistics of ranks as they are now; nil if no term of the request depends on
    /// them.
    let statistics: Statement?

    private var itemsOfSectionStatement: Statement?
    /// An object that all lists share and that depends on the plan alone.
    var shared: AnyObject?
    /// The watches of the tables, as they were last used.
    var watchedTables: WatchedTables?
    /// Made when it is first needed.
    private var backReference: BackReference<RequestPlan>?
    /// The schema for which it was compiled.
    var schemaVersions: [ExactText: Int64] = [:]

    init(
        _ request: FetchRequest, _ text: NumberedText, _ entity: Entity, identity: RowIdentity, order: RowOrder,
        section: RequestSection?, content: Content, dependencies: Dependencies, keys: KeyReading,
        touched: TouchedReaders? = nil, neighbours: WindowNeighbours? = nil, totals: RequestTotals? = nil,
        statistics: Statement? = nil
    ) {
        self.statistics = statistics
        self.totals = totals
        self.request = request
        self.text = text
        self.entity = entity
        self.identity = identity
        self.order = order
        self.section = section
        self.content = content
        self.dependencies = dependencies
        self.keys = keys
        self.touched = touched
        self.neighbours = neighbours
    }

    deinit { backReference?.end() }

    /// The reference to the plan in whatever does not retain it.
    var reference: BackReference<RequestPlan> {
        if let backReference { return backReference }
        let reference = BackReference(self)
        backReference = reference
        return reference
    }

    /// The statement that reads identities and row keys of the rows of one section, prepared when
    /// it is first needed; nil for a flat list.
    func itemsOfSection(_ connection: Connection) throws -> Statement? {
        guard let section else { return nil }
        let statement = try itemsOfSectionStatement ?? connection.prepare(section.itemsSQL)
        itemsOfSectionStatement = statement
        return statement
    }
}
