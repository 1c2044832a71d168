package import SQLiteKit
internal import Synchronization

/// A statement that reads all keys of a list.
struct KeyReading {
    let statement: Statement
    /// Whether an index serves the order, or only SQLite can sort; if not, rows are in any order.
    let isInOrder: Bool
    /// The collector that receives the rows; nil if the statement yields them.
    let collector: RowCollector?
}

/// The parts of a touched row that do not fit into one result with its keys; its content is read by
/// `Content.rows`.
struct TouchedRest {
    /// All columns of the row's table, if these are needed.
    let tableColumns: RowLookup?
}

/// Statements that read the row that a foreign key refers to, given the value of the key.
struct ParentRow {
    /// All columns, and the row key behind them, unless that is too much for one result.
    let row: Statement
    /// The row key, in that case.
    let key: Statement?
}

/// A request that was checked against the schema: its statements and the ways in which its rows
/// depend on tables.
///
/// Requests that differ in their parameters' values alone can share the statements.
package final class CompiledRequest {
    package let request: FetchRequest
    /// Distinguishes requests that share a statement.
    private let serial: UInt64
    private static let serials = Atomic<UInt64>(0)
    package let entity: Entity
    package let section: KeyComponent?
    let sorts: [KeyComponent]
    /// The sources of the sort values.
    let sortSources: [ValueSource]
    /// Whether an old image of a row has all sort values.
    let hasOwnSorts: Bool
    let identity: [KeyComponent]
    let content: Content
    package let dependencies: Dependencies
    let valueTest: ValueTest?
    /// The order of sections; nil for a flat list.
    let sectionOrder: SectionOrder?
    /// The order of rows, where bytes do not determine it.
    let rowOrder: RowOrder?

    /// All keys in order: identity, section, sort values. Must be bound before it is used.
    package let keys: Statement
    /// The fastest way to read all keys. Must be bound before it is used.
    let keyReading: KeyReading
    /// Keys and content of the row with a given row key, if it belongs to the list: identity,
    /// section, sort values, content, and, if an old image alone lacks the old content or sort
    /// values, all columns of the table. nil for an entity that no hook observes. Must be bound
    /// before it is used.
    let touched: Statement?
    /// The columns that `touched` leaves out, because a result can't have so many.
    let touchedRest: TouchedRest?
    /// Identity, content and, like `touched`, all columns of the row with a given row key, whether
    /// it belongs to the list or not: the data of a touched row without evaluating the predicate.
    let touchedContent: Statement?
    /// Identity and sort values of one row, whether it belongs to the list or not.
    let sortValues: RowLookup
    /// Identity and content of many rows; nil if these do not fit into one result.
    let contentBatch: ContentBatch?
    /// How the rows are read to which foreign keys refer, by `KeyPath.Hop.target`; for key paths
    /// among the content and the sort values.
    let parentRows: [ExactText: ParentRow]
    /// Statements that read the rows next to a window; nil if there is no limit or offset, or no
    /// hook reports rows.
    let neighbours: WindowNeighbours?
    /// The text of the statement that reads identities and row keys of the rows of one section.
    private let itemsOfSectionSQL: String
    private var itemsOfSectionStatement: Statement?
    /// The schema for which it was compiled.
    var schemaVersions: [ExactText: Int64] = [:]
    /// What `keys` reads and which functions it calls.
    package let access: AccessLog
    /// The one database whose tables it reads; nil if there are several.
    package let database: ExactText?

    init(
        request: FetchRequest, entity: Entity, section: KeyComponent?, sorts: [SortTerm], content: Content,
        contentBatch: ContentBatch?, dependencies: Dependencies, valueTest: ValueTest? = nil, keys: Statement,
        keyReading: KeyReading,
        touched: Statement?,
        touchedRest: TouchedRest? = nil, touchedContent: Statement?, sortValues: RowLookup,
        parentRows: [ExactText: ParentRow], neighbours: WindowNeighbours? = nil, itemsOfSection: String = "",
        access: AccessLog,
        keyColumns: (identity: [Int], section: Int)? = nil,
        connection: Connection
    ) throws(StoreError) {
        self.request = request
        serial = Self.serials.add(1, ordering: .relaxed).newValue
        self.entity = entity
        self.section = section
        self.sorts = sorts.map(\.component)
        sortSources = sorts.map { ValueSource($0.keyPath, entity) }
        hasOwnSorts = sortSources.allSatisfy { $0.tableColumn != nil }
        identity = entity.identityExpressions.map(\.component)
        identityColumns = keyColumns?.identity ?? Array(0..<identity.count)
        sectionColumn = keyColumns?.section ?? identity.count
        self.content = content
        self.contentBatch = contentBatch
        self.dependencies = dependencies
        self.valueTest = valueTest
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
        self.touchedRest = touchedRest
        self.touchedContent = touchedContent
        self.sortValues = sortValues
        self.parentRows = parentRows
        self.neighbours = neighbours
        itemsOfSectionSQL = itemsOfSection
        self.access = access
        database = access.database
    }

    /// The request with other values for its parameters; nil if these do not fit.
    func sharing(_ request: FetchRequest) -> CompiledRequest? {
        let compiled = CompiledRequest(self, request)
        do {
            try compiled.bind(compiled.keys, ownParameters: 0)
            return compiled
        } catch {
            return nil
        }
    }

    private init(_ other: CompiledRequest, _ request: FetchRequest) {
        self.request = request
        serial = Self.serials.add(1, ordering: .relaxed).newValue
        entity = other.entity
        section = other.section
        sorts = other.sorts
        sortSources = other.sortSources
        hasOwnSorts = other.hasOwnSorts
        identity = other.identity
        content = other.content.withLayoutOfItsOwn
        dependencies = other.dependencies
        valueTest = request.predicate.flatMap { other.entity.valueTest(in: $0, request.parameters) }
        sectionOrder = other.sectionOrder
        rowOrder = other.rowOrder
        keys = other.keys
        keyReading = other.keyReading
        touched = other.touched
        touchedRest = other.touchedRest
        touchedContent = other.touchedContent
        sortValues = other.sortValues
        contentBatch = other.contentBatch
        parentRows = other.parentRows
        neighbours = other.neighbours
        itemsOfSectionSQL = other.itemsOfSectionSQL
        itemsOfSectionStatement = other.itemsOfSectionStatement
        schemaVersions = other.schemaVersions
        access = other.access
        database = other.database
        identityColumns = other.identityColumns
        sectionColumn = other.sectionColumn
    }

    /// The statement that reads all keys as fast as possible, with the values of this request's
    /// parameters.
    func boundKeyReading() throws(StoreError) -> Statement {
        if keyReading.collector == nil { try bind(keyReading.statement, ownParameters: 0) }
        return keyReading.statement
    }

    /// `touched` with the values of this request's parameters.
    func boundTouched() throws(StoreError) -> Statement? {
        if let touched { try bind(touched, ownParameters: entity.rowKeyCount) }
        return touched
    }

    /// The statement that reads the rows of a group next to a window, nearest first, with the
    /// values that it takes of a row that has these.
    func boundNeighbours(
        _ group: WindowNeighbours.Group, of values: [RowValues.Part], count: Int
    ) throws(StoreError) -> Statement? {
        guard let statement = try neighbours?.statement(group) else { return nil }
        try bind(statement, ownParameters: group.valueCount + 1)
        let first = statement.parameterCount - group.valueCount
        for (index, value) in values.prefix(group.valueCount).enumerated() {
            try statement.bind(value.rowValues, value.index, at: first + index)
        }
        try statement.bind(Int64(count), at: statement.parameterCount)
        return statement
    }

    /// Binds the values of this request's parameters to a statement that has some of its own behind
    /// them.
    func bind(_ statement: Statement, ownParameters: Int) throws(StoreError) {
        guard statement.boundBy != serial else { return }
        statement.boundBy = nil
        try RequestCompiler.bind(request.parameters, to: statement, ownParameters: ownParameters)
        statement.boundBy = serial
    }

    /// The statement that reads identities and row keys of the rows of one section, prepared when
    /// it is first needed.
    func itemsOfSection(_ connection: Connection) throws -> Statement {
        if let itemsOfSectionStatement { return itemsOfSectionStatement }
        let statement = try connection.prepare(itemsOfSectionSQL)
        itemsOfSectionStatement = statement
        return statement
    }

    /// Which columns of `keys` hold the identity and the section.
    let identityColumns: [Int]
    let sectionColumn: Int
    var firstSortColumn: Int { identity.count + (section == nil ? 0 : 1) }
    var firstContentColumn: Int { firstSortColumn + sorts.count }

    /// Whether touched rows are read with all columns of the table.
    var readsTableColumns: Bool { content.imageColumns == nil || !hasOwnSorts }

    /// Whether another connection could read the list in its order. It must not be one that the
    /// program registered.
    package var isReadableElsewhere: Bool {
        entity.schema == "main" && rowOrder == nil && sectionOrder?.isBytewise ?? true
    }

    /// Whether the order is that of a whole SELECT, so that any row may move for any reason.
    var isSelect: Bool { request.select != nil }
    /// Whether rows can be inserted one by one: hooks report them, and no window hides their
    /// neighbours.
    package var isIncremental: Bool { touched != nil && !request.isWindow }
    /// Whether there are keys whose bytes determine the order of rows.
    package var hasByteKeys: Bool { touched != nil && rowOrder == nil }

    /// Whether the list is the same at any time as long as the main database stays as it is. False
    /// also if that can't be determined.
    package func isRepeatable(on connection: Connection) -> Bool {
        (try? RequestCompiler(connection: connection).isRepeatable(access)) ?? false
    }
}

/// A statement that reads one row by its identity, in the forms that an entity's identities have.
struct RowLookup {
    enum Key {
        case rowid
        case identity
    }

    let byRowid: Statement?
    let byIdentity: Statement?
    /// The number of the first parameter that belongs to the identity.
    var firstParameter = 1
}

/// The tables on which the rows of a request depend.
package struct Dependencies {
    /// A table on whose rows rows of the entity depend through foreign keys.
    package struct Related {
        let table: Entity
        /// The table's column that foreign keys refer to.
        let parentColumn: String
        /// The value of `parentColumn` in the row with a given row key.
        let currentValue: Statement
        /// Identities and row keys of the rows of the entity that depend on one value of
        /// `parentColumn`.
        let fedRows: Statement
    }

    let related: [Related]
    /// Tables of which any change may change any row: those that a subquery or a view reads.
    let opaque: [Entity]
    /// Whether it reads something that no hook reports (a virtual table), so that any write may
    /// change any row.
    package let isAnyWrite: Bool
}
