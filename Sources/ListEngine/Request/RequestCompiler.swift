internal import SQLiteKit

/// Checks a request against the schema and makes its statements. The only place where a request
/// becomes SQL.
struct RequestCompiler {
    let connection: Connection
    /// The name of the predicate in messages.
    var predicateName = "predicate"

    private var schema: SchemaReader { SchemaReader(connection: connection) }

    /// - Parameters:
    ///   - content: The columns of the rows that are grouped; nil for rows that are shown. Rowids
    ///     identify grouped rows, and the columns that the request names are not read.
    func compile(_ request: FetchRequest, content: [KeyPath]? = nil) throws(StoreError) -> CompiledRequest {
        try CompiledRequest(try plan(request, content), request)
    }

    private func plan(_ request: FetchRequest, _ content: [KeyPath]?) throws(StoreError) -> RequestPlan {
        guard (1...32_766).contains(request.batchSize) else {
            throw StoreError(.range, "a batch can't have \(request.batchSize) rows")
        }
        guard request.offset >= 0, request.limit ?? 0 >= 0 else {
            throw StoreError(.range, "a limit or offset can't be negative")
        }
        try FetchRequest.check(rankTolerance: request.rankTolerance)
        try FetchRequest.check(cacheName: request.cacheName)
        guard request.having == nil else {
            throw StoreError(.misuse, "having chooses groups: the request needs the keys by which rows are grouped")
        }
        guard request.select == nil || request.totals.isEmpty else {
            throw StoreError(.misuse, "a whole SELECT can't have totals: write the aggregates in it")
        }
        if let select = request.select { return try compile(select: select, request) }
        let named = try schema.entity(request.entity, identity: request.identity)
        let entity = content == nil ? named : named.byRowid
        try checkIdentity(entity)
        let matches = try MatchTerms(request, entity, schema)
        let text = matches?.predicate ?? NumberedText(request.predicate ?? "")
        let section: SortTerm?
        if let descriptor = request.section { section = try sortTerm(descriptor, entity) } else { section = nil }
        var sorts: [SortTerm] = []
        for descriptor in request.sorts { sorts.append(try sortTerm(descriptor, entity, matches)) }
        if let end = sorts.firstIndex(where: { $0.isRowid(of: entity) }) { sorts.removeSubrange(end...) }
        var predicate: (sql: String, keyPaths: [KeyPath])?
        var values: [Value] = []
        if let original = request.predicate {
            (predicate, values) = try checkedPredicate(original, text, request.parameters, entity)
        } else {
            values = try text.values(request.parameters)
        }
        let searches = try TextSearches(
            predicate == nil ? "" : NumberedText(text.sql, areWritten: true).sql, of: entity, schema,
            showsMatches: matches != nil)
        let rowPredicate = try predicate.map { _ throws(StoreError) in
            try schema.predicate(searches.rowPredicate, of: entity).sql
        }
        let columns = try contentColumns(request, content, entity, matches)
        let shown = columns.map { $0.keyPath } + sorts.map(\.keyPath)
        let areAboutMatches = shown.contains(where: \.isAboutMatches)
        guard !areAboutMatches || request.predicate != nil else {
            throw StoreError(.sql, "rank and the functions of FTS5 need a predicate with \(entity.name) MATCH")
        }
        let sql = RequestSQL(
            entity: entity, predicate: predicate?.sql, rowPredicate: rowPredicate, section: section, sorts: sorts,
            content: columns.map { $0.keyPath.sql(entity: entity) }, limit: request.limit,
            offset: request.offset,
            needsTableColumns: shown.contains { $0.tableColumn == nil && !$0.isAboutMatches }
                || !request.totals.isEmpty,
            columnLimit: connection.columnLimit)
        let totals = try RequestTotals(request, sql, (text.sql, values), connection)
        let summarized = totals?.terms.inputs ?? []

        let (keys, log) = try connection.prepareLoggingAccess(sql.keys)
        try Self.bind(values, to: keys, ownParameters: 0, statistics: .null)
        let keyPaths =
            ([section].compactMap(\.self) + sorts).flatMap(\.keyPath.paths) + (predicate?.keyPaths ?? [])
            + columns.map { $0.keyPath } + summarized
        let components =
            ([section].compactMap(\.self) + sorts).map(\.component) + entity.identityExpressions.map(\.component)
        let canSort =
            !request.isWindow && entity.storage != .unobserved && components.allSatisfy(\.collation.isBytewise)
        let content = Content(
            columns: columns, firstColumn: sql.keyCount,
            reader: RowReader(sql.content, of: sql, filtered: areAboutMatches, connection))
        try content.reader.prepareSingle(entity)
        let identity = RowIdentity(of: entity)
        let order = try RowOrder(
            sorts, identity, firstColumn: sql.keyCount - sorts.count,
            RowReader(sql.sortColumns, of: sql, filtered: areAboutMatches, connection), connection)
        return RequestPlan(
            request, text, entity, identity: identity, order: order,
            section: try section.map { term throws(StoreError) in
                RequestSection(
                    order: try ValueOrder(term.component, connection),
                    column: identity.count, itemsSQL: sql.rowKeysOfSection)
            },
            content: content,
            dependencies: try dependencies(
                keyPaths, columns.map { $0.keyPath } + sorts.flatMap(\.keyPath.paths) + summarized, log,
                searches, matches, Condition.all(of: text.sql, entity), sql),
            keys: try keyReading(keys, sql, request, values, canSort: canSort),
            touched: try touchedReaders(sql, content, values),
            neighbours: sql.isFollowedWindow ? WindowNeighbours(sql, connection) : nil, totals: totals,
            statistics: shown.contains { $0.expression?.ranks ?? false }
                ? try connection.prepare(sql.rankStatistics) : nil)
    }

    private func touchedReaders(
        _ sql: RequestSQL, _ content: Content, _ values: [Value]
    ) throws(StoreError) -> TouchedReaders? {
        let members = RowReader(sql.touched, of: sql, filtered: true, connection)
        switch sql.entity.storage {
        case .rowid: try Self.bind(values, to: members.prepare(.rowid), ownParameters: 1, statistics: .null)
        case .withoutRowid: try Self.bind(values, to: members.prepare(.identity), ownParameters: sql.rowKey.count)
        case .unobserved: return nil
        }
        let isContentAlone = sql.touchedHasContent && !sql.needsTableColumns
        let contents =
            isContentAlone
            ? content.reader
            : RowReader(sql.touchedContent, of: sql, filtered: content.reader.hasParameters, connection)
        return TouchedReaders(
            members: members, contents: contents,
            lackContent: !sql.touchedHasContent, needsTableColumns: sql.needsTableColumns,
            tableColumns: !sql.touchedHasContent && sql.needsTableColumns
                ? RowReader(sql.tableColumns, of: sql, connection) : nil)
    }

    /// The fastest way to read all keys.
    private func keyReading(
        _ keys: Statement, _ sql: RequestSQL, _ request: FetchRequest, _ values: [Value], canSort: Bool
    ) throws(StoreError) -> KeyReading {
        let sortsHere = canSort ? try mustSort(sql.keys) : false
        let collects =
            sql.predicate == nil && sql.entity.rowView?.hasCondition != true && sql.entity.storage != .unobserved
            && !request.isWindow
            && sql.keyCount <= connection.argumentLimit
        if collects {
            let collector = try connection.rowCollector()
            let collecting = sql.collectedKeys(inOrder: !sortsHere)
            let isServed = sortsHere ? true : try !mustSort(collecting)
            if isServed {
                return KeyReading(
                    inOrder: keys, fastest: try connection.prepare(collecting), isInOrder: !sortsHere,
                    collector: collector)
            }
        }
        guard sortsHere else { return KeyReading(inOrder: keys) }
        let statement = try connection.prepare(sql.unorderedKeys)
        try Self.bind(values, to: statement, ownParameters: 0, statistics: .null)
        return KeyReading(inOrder: keys, fastest: statement, isInOrder: false, collector: nil)
    }

    /// Whether SQLite would have to sort, if only in parts (https://www.sqlite.org/eqp.html).
    private func mustSort(_ sql: String) throws(StoreError) -> Bool {
        try connection.queryPlan(sql).contains(where: \.isSort)
    }

    private func sortTerm(
        _ descriptor: Sort, _ entity: Entity, _ matches: MatchTerms? = nil
    ) throws(StoreError) -> SortTerm {
        let keyPath: KeyPath
        if let found = try matches?.key(descriptor.keyPath) {
            keyPath = found
        } else {
            keyPath = try schema.key(descriptor.keyPath, of: entity)
        }
        return SortTerm(
            keyPath: keyPath,
            component: KeyComponent(
                collation: try collation(descriptor.collation, of: keyPath.column),
                isDescending: descriptor.isDescending,
                nullsFirst: descriptor.nulls.map { $0 == .first }))
    }

    /// The collation of a name, or the one with which a column was declared.
    func collation(_ name: String?, of column: Entity.Column) throws(StoreError) -> Collation {
        if let name { return try connection.collation(named: name) }
        guard case .missing(let missing) = column.collation else { return column.collation }
        throw StoreError(
            .schema, "the column \(column.name) can't be compared: there is no collation named \(missing)")
    }

    /// Refuses identities that can't be compared. Rowids compare as integers.
    func checkIdentity(_ entity: Entity) throws(StoreError) {
        if entity.isIdentityRowid { return }
        for column in entity.identityColumns { _ = try collation(nil, of: column) }
    }

    /// Finds the key paths of a predicate, and has SQLite parse it alone: a text that is valid only
    /// together with the rest of a statement is not an expression.
    func checkedPredicate(
        _ original: String, _ text: NumberedText, _ parameters: FetchRequest.Parameters, _ entity: Entity
    ) throws(StoreError) -> (predicate: (sql: String, keyPaths: [KeyPath]), values: [Value]) {
        guard schema.isBalanced(original) else {
            throw StoreError(.sql, "\(predicateName) \"\(original)\": the parentheses do not match")
        }
        let predicate = try schema.predicate(text.sql, of: entity)
        do {
            let alone = try connection.prepare("SELECT (\(predicate.sql)\n) FROM \(entity.sqlName)")
            let values = try text.values(parameters)
            try Self.bind(values, to: alone, ownParameters: 0)
            return (predicate, values)
        } catch {
            throw StoreError(
                error.status, "\(predicateName) \"\(original)\": \(error.message)", sqliteCode: error.sqliteCode,
                sql: error.sql)
        }
    }

    private func contentColumns(
        _ request: FetchRequest, _ content: [KeyPath]?, _ entity: Entity, _ matches: MatchTerms?
    ) throws(StoreError) -> [(name: String, keyPath: KeyPath)] {
        if let content { return content.map { ($0.column.name, $0) } }
        var names = request.columns.isEmpty ? entity.columns.map(\.name) : request.columns
        for name in request.additionalColumns where !names.contains(where: { isSameName($0, name) }) {
            names.append(name)
        }
        var columns: [(name: String, keyPath: KeyPath)] = []
        for name in names {
            if let column = try matches?.column(name) {
                columns.append(column)
            } else {
                columns.append((name, try schema.keyPath(name, of: entity)))
            }
        }
        return columns
    }

    private func parentRows(
        _ keyPaths: [KeyPath], _ sql: RequestSQL
    ) throws(StoreError) -> [ExactText: Dependencies.ParentStatements] {
        var rows: [ExactText: Dependencies.ParentStatements] = [:]
        for hop in keyPaths.flatMap(\.hops) where hop.parent.storage != .unobserved && rows[hop.target] == nil {
            let (row, key) = sql.parentRow(of: hop)
            rows[hop.target] = (try connection.prepare(row), try key.map(connection.prepare))
        }
        return rows
    }

    /// Reads the section values of rows; nil for a flat list.
    func sectionValues(_ compiled: CompiledRequest) throws(StoreError) -> RowReader? {
        guard let descriptor = compiled.request.section else { return nil }
        let entity = compiled.entity
        let value = try schema.key(descriptor.keyPath, of: entity).sql(entity: entity)
        return RowReader([value], of: RequestSQL(entity: entity, columnLimit: connection.columnLimit), connection)
    }

    /// - Parameters:
    ///   - keyPaths: All of the request.
    ///   - shown: The key paths of the content and of the sort values.
    private func dependencies(
        _ keyPaths: [KeyPath], _ shown: [KeyPath], _ log: AccessLog, _ searches: TextSearches, _ matches: MatchTerms?,
        _ conditions: [Condition],
        _ sql: RequestSQL
    ) throws(StoreError) -> Dependencies {
        let entity = sql.entity
        var related: [Dependencies.Related] = []
        var seen: Set<ExactText> = []
        if entity.storage != .unobserved {
            for keyPath in keyPaths {
                for end in keyPath.hops.indices {
                    let hops = Array(keyPath.hops[...end])
                    let text = sql.rowKeys(fedThrough: hops)
                    guard seen.insert(ExactText(text)).inserted, hops[end].parent.storage != .unobserved else {
                        continue
                    }
                    related.append(
                        Dependencies.Related(
                            table: hops[end].parent, parentColumns: hops[end].columns?.parent ?? [],
                            currentValues: RowReader(
                                hops[end].key.parentColumns.map { quoted(hops[end].parent.name, $0) },
                                of: .plain(hops[end].parent), connection),
                            fedRows: try connection.prepare(text),
                            foreignKey: Dependencies.ForeignKeySearch(
                                search: text, table: hops[end].child,
                                name: end == 0 ? entity.name : KeyPath.aliasName(end - 1, in: entity),
                                columns: hops[end].key.columns, canHaveIndex: hops[end].comparesAlike)))
                }
            }
        }
        let isOpaque = searches.readsMore || entity.storage == .unobserved
        let indexes = isOpaque ? [] : searches.indexes
        let tables = try tables(in: log, except: indexes)
        return Dependencies(
            related: related, indexes: indexes, documents: isOpaque ? [] : searches.documents,
            opaque: isOpaque ? tables.all : tables.ofVirtual + [matches?.options].compactMap(\.self),
            isAnyWrite: tables.hasOthers, log,
            repeatableFunctions: isOpaque
                ? []
                : schema.repeatableFunctions(
                    of: ([sql.section].compactMap(\.self) + sql.sorts).map(\.keyPath), sql.predicate ?? ""
                ).union(indexes.isEmpty ? [] : MatchTerms.functions),
            conditions: conditions,
            parentRows: try parentRows(shown, sql))
    }

    /// Whether a list's statement yields the same at any time as long as the main database stays as
    /// it is.
    func isRepeatable(_ dependencies: Dependencies) throws -> Bool {
        let log = dependencies.access
        guard log.columns.keys.allSatisfy({ $0.schema == "main" }) else { return false }
        let tables = try tables(in: log, except: dependencies.indexes)
        return try !tables.hasOthers && tables.ofVirtual.isEmpty
            && connection.areRepeatable(log.functions.subtracting(dependencies.repeatableFunctions))
    }

    /// The tables that a statement reads, of them the ones that determine the rows of virtual ones,
    /// and whether it reads anything else, whose changes no hook reports.
    ///
    /// - Parameter indexes: Indexes whose documents are followed one by one.
    func tables(
        in log: AccessLog, except indexes: [TextIndex] = []
    ) throws(StoreError) -> (all: [Entity], ofVirtual: [Entity], hasOthers: Bool) {
        var (plain, ofVirtual): ([Entity], [Entity]) = ([], [])
        var hasOthers = false
        for table in log.columns.keys.sorted(by: { ($0.schema, $0.table) < ($1.schema, $1.table) }) {
            switch try schema.kind(table) {
            case .table: plain.append(try schema.entity(schema: table.schema, table: table.table))
            case .view: break  // The tables that it reads are in the log as well.
            case .virtual where indexes.contains { $0.isNamed(table) }: break
            case .virtual:
                if let found = try schema.tables(ofVirtual: table) {
                    ofVirtual += found
                } else {
                    hasOthers = true
                }
            case .other: hasOthers = true
            }
        }
        return (plain + ofVirtual, ofVirtual, hasOthers)
    }

    /// Gives the predicate's parameters their values, by number; the statement's own follow them.
    ///
    /// - Parameter statistics: The value behind them, in statements that read ranks.
    static func bind(
        _ values: [Value], to statement: Statement, ownParameters: Int, statistics: Value? = nil
    ) throws(StoreError) {
        var count = statement.parameterCount - ownParameters
        if let statistics, count == values.count + 1 {
            try statement.bind(statistics, at: count)
            count -= 1
        }
        guard values.count == count else {
            throw StoreError(
                .sql,
                "the predicate has \(counted(count, "parameter")), but was given \(counted(values.count, "value"))",
                sql: statement.sql)
        }
        for (index, value) in values.enumerated() { try statement.bind(value, at: index + 1) }
    }
}
