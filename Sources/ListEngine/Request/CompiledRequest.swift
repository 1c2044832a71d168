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
    /// The statistics of ranks; nil for a request without ranks, and before a row matches.
    package let statistics: RankStatistics?
    private static let serials = Atomic<UInt64>(0)
    /// The layout of its objects; nil before it is needed.
    private(set) var madeLayout: ObjectLayout?

    init(
        _ plan: RequestPlan, _ request: FetchRequest, _ statistics: RankStatistics? = nil
    ) throws(StoreError) {
        _ = try plan.text.values(request.parameters)
        self.statistics = statistics
        self.plan = plan
        self.request = request
        serial = Self.serials.add(1, ordering: .relaxed).newValue
    }

    /// A request that differs from a plan's request in the values of its parameters, and perhaps
    /// its cache name; nil if the values can't be bound.
    convenience init?(sharing plan: RequestPlan, _ request: FetchRequest) {
        let isNamedAlike = request.cacheName.map(ExactText.init) == plan.request.cacheName.map(ExactText.init)
        do {
            try self.init(plan, isNamedAlike ? plan.request.with(request.parameters) : request)
            try bind(keys.inOrder, ownParameters: 0)
        } catch {
            return nil
        }
    }

    /// Whether the statistics of ranks determine the order or the content.
    package var ranks: Bool { plan.statistics != nil }
    /// Whether they determine the content.
    var showsRanks: Bool { ranks && content.columns.contains { $0.expression?.ranks ?? false } }

    /// The same request with other statistics.
    package func with(_ statistics: RankStatistics?) throws(StoreError) -> CompiledRequest {
        try CompiledRequest(plan, request, statistics)
    }

    /// The same request with the present statistics, as a list that is read now has them.
    func withPresentStatistics() throws(StoreError) -> CompiledRequest {
        guard let statement = plan.statistics else { return self }
        try bind(statement, ownParameters: 0)
        defer { statement.reset() }
        let row = try statement.step() ? statement.rowValues(from: 0, count: 1).values : []
        guard case .blob(let bytes) = row.first else { return try with(nil) }
        return try with(RankStatistics(bytes))
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
        if keys.collector == nil { try bind(keys.fastest, ownParameters: 0) }
        return keys.fastest
    }

    /// The statement that reads the rows of a group next to a window, nearest first, with the
    /// values that it takes of a row that has these.
    func boundNeighbours(
        _ group: WindowNeighbours.NeighbourGroup, of values: [RowValues.Part], count: Int
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
        try RequestCompiler.bind(
            values, to: statement, ownParameters: ownParameters,
            statistics: ranks ? statistics.map { .blob($0.bytes) } ?? .null : nil)
        statement.boundBy = serial
    }

    /// Whether another connection could read the list in its order. It must not be one that the
    /// program registered.
    package var isReadableElsewhere: Bool {
        entity.schema == "main" && order.isBytewise && section?.order.isBytewise ?? true
    }

    /// Whether a whole SELECT determines the order, so that any row may move for any reason.
    var isSelect: Bool { request.select != nil }
    /// Whether rows can be inserted one by one: hooks report them, and no window hides their
    /// neighbours.
    package var isIncremental: Bool { touched != nil && !request.isWindow }
    /// Whether there are keys whose bytes determine the order of rows.
    package var hasByteKeys: Bool { touched != nil && order.isBytewise }

    /// Whether the list is the same at any time as long as the main database stays as it is. False
    /// also if that can't be determined.
    package func isRepeatable(on connection: Connection) -> Bool {
        (try? RequestCompiler(connection: connection).isRepeatable(dependencies)) ?? false
    }
}

/// Properties of the plan
extension CompiledRequest {
    package var entity: Entity { plan.entity }
    var identity: RowIdentity { plan.identity }
    var order: RowOrder { plan.order }
    var section: RequestSection? { plan.section }
    /// How section values compare; nil for a flat list.
    package var sectionComponent: KeyComponent? { plan.section?.component }
    var content: Content { plan.content }
    package var dependencies: Dependencies { plan.dependencies }
    package var database: ExactText? { plan.dependencies.database }
    package var keys: KeyReading { plan.keys }
    var touched: TouchedReaders? { plan.touched }
    var neighbours: WindowNeighbours? { plan.neighbours }
    var totals: RequestTotals? { plan.totals }

    var hasConditions: Bool { !plan.dependencies.conditions.isEmpty }
    /// The predicate's requirements for single columns.
    var conditions: BoundConditions { BoundConditions(plan.dependencies.conditions, values) }

    /// So few touched rows are read one by one, whatever the request is.
    static let few = 2

    /// How many rows have to be touched for a list to be read as a whole: more than `least`, and
    /// more than the `share`th part of the list.
    package var many: (least: Int, share: Int) {
        let least = request.isWindow ? 100 : 1000
        // Reading one row by its key costs about as much as reading eight rows in order.
        guard !dependencies.indexes.isEmpty, request.predicate != nil else { return (least, 8) }
        // FTS5 seeks one document in 20 to 130 µs, if it is not searched by its texts. For a prefix
        // it merges the documents of all words that begin so, as for the whole list.
        return mayHavePrefix ? (Self.few, .max) : (32, 128)
    }

    /// Whether one of its texts may be a search for a prefix.
    private var mayHavePrefix: Bool {
        let (star, text) = (UInt8(ascii: "*"), Array(plan.text.sql.utf8))
        let literals = SQLTokens(plan.text.sql).filter { token, _ in
            if case .quoted = token { true } else { token == .other }
        }
        return literals.contains { text[$0.range].contains(star) }
            || values.contains { if case .text(let text) = $0 { text.utf8.contains(star) } else { false } }
    }

    func content(ofImage image: RowValues) -> RowValues? { plan.content(ofImage: image) }
}
