internal import SQLiteKit

/// A statement that reads all keys of a list.
struct KeyReading {
    let statement: Statement
    /// Whether an index serves the order, or only SQLite can sort; if not, rows are in any order.
    let isInOrder: Bool
    /// The collector that receives the rows; nil if the statement yields them.
    let collector: RowCollector?
}

/// How the rows that a round touched are read again, by their row keys.
struct TouchedReaders {
    /// Section, sort values and content of rows that belong to the list, and, if an old image alone
    /// lacks the old content or sort values, all columns of the table.
    let members: RowReader
    /// Content and columns of any row: without evaluating the predicate.
    let contents: RowReader
    /// Whether the two leave content and columns out, because a result can't have so many.
    let lackContent: Bool
    /// Reads all columns of the table in that case, if these are needed.
    let tableColumns: RowReader?
}

/// Statements that read the row that a foreign key refers to, given the value of the key.
struct ParentRow {
    /// All columns, and the row key behind them, unless that is too much for one result.
    let row: Statement
    /// The row key, in that case.
    let key: Statement?
}

/// What was compiled of a request: its statements and the ways in which its rows depend on tables.
/// It does not depend on the values of the request's parameters, so that requests that differ in
/// these alone share it.
final class RequestPlan {
    /// A request of those that share it.
    let request: FetchRequest
    /// Its predicate or SELECT.
    let text: NumberedText
    let entity: Entity
    let section: KeyComponent?
    let sorts: [KeyComponent]
    /// The sources of the sort values.
    let sortSources: [ValueSource]
    /// Whether an old image of a row has all sort values.
    let hasOwnSorts: Bool
    let identity: [KeyComponent]
    let content: Content
    let dependencies: Dependencies
    let conditions: Conditions
    /// The order of sections; nil for a flat list.
    let sectionOrder: SectionOrder?
    /// The order of rows, where bytes do not determine it.
    let rowOrder: RowOrder?

    /// All keys in order: identity, section, sort values. Must be bound before it is used.
    let keys: Statement
    /// The fastest way to read all keys. Must be bound before it is used.
    let keyReading: KeyReading
    /// nil for an entity that no hook observes.
    let touched: TouchedReaders?
    /// Sort values of rows.
    let sortValues: RowReader
    /// How the rows are read to which foreign keys refer, by `KeyPath.Hop.target`; for key paths
    /// among the content and the sort values.
    let parentRows: [ExactText: ParentRow]
    /// Statements that read the rows next to a window; nil if there is no limit or offset, or no
    /// hook reports rows.
    let neighbours: WindowNeighbours?
    /// The text of the statement that reads identities and row keys of the rows of one section.
    private let itemsOfSectionSQL: String
    private var itemsOfSectionStatement: Statement?
    /// The numbers of the identity's columns in the table.
    let identityNumbers: [Int]
    /// Which columns of `keys` have the identity and the section.
    let keyRowColumns: IdentityColumns
    let sectionColumn: Int
    /// The first columns, in which other statements have the identity.
    let firstColumns: IdentityColumns
    /// Where sort values and content begin in the rows of `TouchedReaders.members`.
    let firstSortColumn: Int
    let firstContentColumn: Int
    /// The columns of the sort values, relative to the first of them.
    let sortColumns: KeyColumns
    /// An object that all lists share and that depends on the plan alone.
    var shared: AnyObject?
    /// The watches of the tables, as they were last used.
    var watchedTables: WatchedTables?
    /// Made when it is first needed.
    private var backReference: BackReference<RequestPlan>?
    /// The schema for which it was compiled.
    var schemaVersions: [ExactText: Int64] = [:]
    /// What `keys` reads and which functions it calls.
    let access: AccessLog
    /// The one database whose tables it reads; nil if there are several.
    let database: ExactText?

    init(
        request: FetchRequest, text: NumberedText, entity: Entity, section: KeyComponent?, sorts: [SortTerm],
        content: Content, dependencies: Dependencies,
        conditions: Conditions = Conditions(), keys: Statement, keyReading: KeyReading,
        touched: TouchedReaders?, sortValues: RowReader,
        parentRows: [ExactText: ParentRow], neighbours: WindowNeighbours? = nil, itemsOfSection: String = "",
        access: AccessLog,
        keyColumns: (identity: [Int], section: Int)? = nil,
        connection: Connection
    ) throws(StoreError) {
        self.request = request
        self.text = text
        self.entity = entity
        self.section = section
        self.sorts = sorts.map(\.component)
        sortSources = sorts.map { ValueSource($0.keyPath, entity) }
        hasOwnSorts = sortSources.allSatisfy { $0.tableColumn != nil }
        identity = entity.identityExpressions.map(\.component)
        identityNumbers = entity.identityColumns.compactMap { entity.columnIndex($0.name) }
        firstSortColumn = identity.count + (section == nil ? 0 : 1)
        firstContentColumn = firstSortColumn + sorts.count
        firstColumns = IdentityColumns(Array(0..<identity.count), entity)
        keyRowColumns = keyColumns.map { IdentityColumns($0.identity, entity) } ?? firstColumns
        sortColumns = KeyColumns(Array(sorts.indices), self.sorts)
        sectionColumn = keyColumns?.section ?? identity.count
        self.content = content
        self.dependencies = dependencies
        self.conditions = conditions
        if let section {
            sectionOrder = try SectionOrder(component: section, connection: connection)
        } else {
            sectionOrder = nil
        }
        let isOrdered = (self.sorts + identity).allSatisfy(\.collation.isBytewise)
        rowOrder = isOrdered ? nil : try RowOrder(sorts: self.sorts, identity: identity, connection: connection)
        self.keys = keys
        self.keyReading = keyReading
        self.touched = touched
        self.sortValues = sortValues
        self.parentRows = parentRows
        self.neighbours = neighbours
        itemsOfSectionSQL = itemsOfSection
        self.access = access
        database = access.database
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
    /// it is first needed.
    func itemsOfSection(_ connection: Connection) throws -> Statement {
        if let itemsOfSectionStatement { return itemsOfSectionStatement }
        let statement = try connection.prepare(itemsOfSectionSQL)
        itemsOfSectionStatement = statement
        return statement
    }
}
