package import SQLiteKit
internal import Synchronization

/// A request that was checked against the schema: its plan, and the values of its parameters.
package final class CompiledRequest {
    let plan: RequestPlan
    package let request: FetchRequest
    /// The values of its parameters, by number. Not stored, since there may be many lists.
    private var values: [Value] {
        // They were found when the request was made.
        (try? plan.text.values(request.parameters)) ?? []
    }
    /// Distinguishes requests that share a statement.
    private let serial: UInt64
    private static let serials = Atomic<UInt64>(0)
    /// The layout of its objects; nil before it is needed.
    private(set) var madeLayout: ObjectLayout?

    init(_ plan: RequestPlan, _ request: FetchRequest) throws(StoreError) {
        _ = try plan.text.values(request.parameters)
        self.plan = plan
        self.request = request
        serial = Self.serials.add(1, ordering: .relaxed).newValue
    }

    /// A request that differs from that of a plan in the values of its parameters, and perhaps its
    /// cache name; nil if the values can't be bound.
    convenience init?(sharing plan: RequestPlan, _ request: FetchRequest) {
        let isNamedAlike = request.cacheName.map(ExactText.init) == plan.request.cacheName.map(ExactText.init)
        do {
            try self.init(plan, isNamedAlike ? plan.request.with(request.parameters) : request)
            try bind(keys, ownParameters: 0)
        } catch {
            return nil
        }
    }

    /// The layout of the list's objects.
    func layout(of owner: BackReference<AnyObject>?) -> ObjectLayout {
        if let madeLayout { return madeLayout }
        let layout = ObjectLayout(entity: entity.displayName, columns: content.columnNames, owner: owner)
        madeLayout = layout
        return layout
    }

    /// The statement that reads all keys as fast as possible, with the values of this request's
    /// parameters.
    func boundKeyReading() throws(StoreError) -> Statement {
        if keyReading.collector == nil { try bind(keyReading.statement, ownParameters: 0) }
        return keyReading.statement
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
        try RequestCompiler.bind(values, to: statement, ownParameters: ownParameters)
        statement.boundBy = serial
    }

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

/// What the plan has.
extension CompiledRequest {
    package var entity: Entity { plan.entity }
    package var section: KeyComponent? { plan.section }
    var sorts: [KeyComponent] { plan.sorts }
    var sortSources: [ValueSource] { plan.sortSources }
    var hasOwnSorts: Bool { plan.hasOwnSorts }
    var identity: [KeyComponent] { plan.identity }
    var content: Content { plan.content }
    package var dependencies: Dependencies { plan.dependencies }
    var sectionOrder: SectionOrder? { plan.sectionOrder }
    var rowOrder: RowOrder? { plan.rowOrder }
    package var keys: Statement { plan.keys }
    var keyReading: KeyReading { plan.keyReading }
    var touched: TouchedReaders? { plan.touched }
    var sortValues: RowReader { plan.sortValues }
    var parentRows: [ExactText: ParentRow] { plan.parentRows }
    var neighbours: WindowNeighbours? { plan.neighbours }
    var schemaVersions: [ExactText: Int64] { plan.schemaVersions }
    package var access: AccessLog { plan.access }
    package var database: ExactText? { plan.database }
    var sectionColumn: Int { plan.sectionColumn }
    var firstSortColumn: Int { plan.firstSortColumn }
    var firstContentColumn: Int { plan.firstContentColumn }

    var hasConditions: Bool { !plan.conditions.all.isEmpty }
    /// What the predicate requires of single columns.
    var conditions: BoundConditions { BoundConditions(plan.conditions, values) }

    func content(ofImage image: RowValues) -> RowValues? { plan.content(ofImage: image) }
    func itemsOfSection(_ connection: Connection) throws -> Statement { try plan.itemsOfSection(connection) }
}

/// The tables on which the rows of a request depend.
package struct Dependencies {
    /// A table on whose rows rows of the entity depend through foreign keys.
    package struct Related {
        let table: Entity
        /// The numbers of the table's columns that a foreign key refers to.
        let parentColumns: [Int]
        /// The values of these in rows of the table.
        let currentValues: RowReader
        /// Identities and row keys of the rows of the entity that depend on one set of these
        /// values.
        let fedRows: Statement
    }

    let related: [Related]
    /// Tables of which any change may change any row: those that a subquery or a view reads.
    let opaque: [Entity]
    /// Whether it reads something that no hook reports (a virtual table), so that any write may
    /// change any row.
    package let isAnyWrite: Bool
}
