internal import ChangeSets
internal import OrderedTree
internal import SQLiteKit

/// The source of a list's rows if these are groups of other rows: a table in memory, with a row for
/// each group, that follows the rounds of the rows. The list is one of that table.
///
/// Each touched row is removed from its group as it was before, and added to its group as it is
/// now. Where old rows are not known, all rows are read, and the groups compared.
final class GroupedRows {
    /// The connection of the list, to the database in memory.
    let memory: Connection
    /// Never started: this notes itself which groups it changes.
    private let capture: ChangeCapture
    /// The rows, of which no list is made.
    private let rows: ListEngine
    private let database: any DatabaseState
    private let versions: [ExactText: Int64]
    private let version: Connection.DataVersion
    let compiledRequests = CompiledRequests()

    private var grouped: GroupedRequest
    private let table: GroupTable
    /// The value of `grouped` before the request was taken that is not committed yet.
    private var former: GroupedRequest?
    /// Whether rounds have passed that the groups do not show.
    private var isBehind = true

    /// - Parameters:
    ///   - connection: The connection of the rows.
    ///   - database: Its state.
    ///   - watch: Has the tables of the rows watched.
    init(
        _ request: FetchRequest, _ connection: Connection, _ database: any DatabaseState, _ nodes: NodeSizes,
        watch: @escaping (CompiledRequest) throws -> Watches
    ) throws {
        // Decides how texts compare.
        try connection.readEncoding()
        memory = try Connection.inMemory(beside: connection)
        self.database = database
        capture = ChangeCapture(connection: memory)
        let grouped = try GroupedRequest(
            request, source: connection, versions: try database.readSchemaVersions())
        self.grouped = grouped
        rows = ListEngine(
            connection: connection, database: database, request: request, compiled: grouped.rows, nodes: nodes,
            watch: watch)
        table = try GroupTable(
            Self.tableName(grouped), grouped.columns, keyCount: grouped.keys.count, grouped.parts, in: memory)
        versions = try memory.readSchemaVersions()
        version = try memory.readDataVersion()
    }

    /// The watches of the rows; nil before the first fetch.
    var watches: Watches? { rows.watches }

    /// Has the table in memory watched.
    func watchTable(_ compiled: CompiledRequest) throws -> Watches { try Watches(compiled, in: capture) }

    /// The table in memory, and so the entity of the groups. Groups are no rows of the entity that
    /// they group, where the same identity is another object's.
    private static func tableName(_ grouped: GroupedRequest) -> String { "groups of \(grouped.rows.entity.name)" }

    /// The request of the list: of the table in memory.
    func tableRequest(_ request: FetchRequest) -> FetchRequest {
        var list = FetchRequest(
            entity: "main.\(Self.tableName(grouped))", predicate: request.having, sorts: request.sorts,
            section: request.section)
        list.parameters = request.havingParameters
        list.columns = request.columns
        list.additionalColumns = request.additionalColumns
        list.batchSize = request.batchSize
        list.limit = request.limit
        list.offset = request.offset
        return list
    }

    // MARK: Requests

    /// Throws if this list can't show the groups of another request.
    func check(_ request: FetchRequest) throws(StoreError) {
        let own = grouped.request
        guard own.groupBy.elementsEqual(request.groupBy, by: { ExactText($0) == ExactText($1) }),
            own.totals == request.totals
        else {
            throw StoreError(.misuse, "the request has other keys or totals: its groups need a list of their own")
        }
    }

    /// Takes another request, and groups its rows again if the request has other rows. `commit` or
    /// `restore` follows.
    ///
    /// - Returns: The groups that differ; nil if the rows are the same.
    func take(_ request: FetchRequest) throws -> Round? {
        try check(request)
        let old = grouped.request
        let isSame =
            old.predicate.map(ExactText.init) == request.predicate.map(ExactText.init)
            && old.parameters == request.parameters
        if isSame { return nil }
        try recompile(request)
        return try isFetched ? readAll(.request) : nil
    }

    private var isFetched: Bool { rows.watches != nil }

    private func recompile(_ request: FetchRequest) throws {
        try rows.connection.readEncoding()
        try rows.connection.shareCollations(with: memory)
        try rows.connection.shareFunctions(with: memory, onOtherThread: false)
        let new = try GroupedRequest(
            request, source: rows.connection, versions: try database.readSchemaVersions())
        guard new.columns.elementsEqual(grouped.columns, by: ==) else {
            throw StoreError(.schema, "a key of the groups has another type or collation than before")
        }
        if former == nil { former = grouped }
        grouped = new
        rows.replaceRequest(request, new.rows)
        if isFetched { try rows.watchTables() }
    }

    // MARK: Rounds

    /// Follows a round. `commit` or `restore` follows.
    ///
    /// - Returns: The groups that it changed, with their rows before.
    func follow(_ round: Round, on basis: Basis) throws -> Round {
        do {
            if try round.isSchemaChanged || basis == .failure || rows.isOutdated { try recompile(grouped.request) }
            if let reason = rereadReason(round, basis) { return try readAll(reason) }
            guard let watches = rows.watches else { return Round() }
            if let view = grouped.view { return try follow(round.rows(of: watches.entity), view) }
            // Rows that were never read must be found by their old images.
            for key in round.rows(of: watches.entity)?.keys.all ?? [] { rows.decoder.noteIdentity(key) }
            defer { rows.decoder.identities.releaseAll { _ in false } }
            let touched = try rows.readTouchedContents(round, watches)
            var update = Update(self)
            let past = rows.past(round, watches, grouped.rows)
            for index in 0..<touched.count {
                let (id, entry) = (touched.id(at: index), touched[at: index])
                let old = try rows.oldContent(of: id, entry.evidence, past)
                if old == nil, entry.evidence.image != nil || !entry.evidence.isTouchedItself {
                    // The old values of related rows are not known.
                    try table.restore()
                    return try readAll(.foreign)
                }
                if let old, let new = entry.content, old.isSame(as: new) { continue }
                try update.replace(
                    old.flatMap { try grouped.values($0) }, by: entry.content.flatMap { try grouped.values($0) })
            }
            return try update.end()
        } catch {
            isBehind = true
            try restore()
            throw error
        }
    }

    /// Follows the touched rows of a view's table.
    private func follow(_ rows: TouchedRows?, _ view: ViewTerms) throws -> Round {
        var update = Update(self)
        for (rowid, image) in zip(rows?.rowids.all ?? [], rows?.rowids.images ?? []) {
            if let image, !view.canRead(image) {
                try table.restore()
                return try readAll(.foreign)
            }
            self.rows.counters.statementsRun += 1
            let new = try grouped.currentValues(rowid: rowid)
            if new != nil { self.rows.counters.rowsRead += 1 }
            try update.replace(image.flatMap { try view.values(rowid: rowid, $0) }, by: new)
        }
        return try update.end()
    }

    /// Why all rows have to be read for a round; nil if the touched rows are enough.
    private func rereadReason(_ round: Round, _ basis: Basis) -> RereadReason? {
        switch basis {
        case .failure: return .recovery
        case .ahead: return .transaction
        case .committed: if isBehind { return .pause }
        }
        if let reason = round.reread { return reason }
        guard let watches = rows.watches else { return nil }
        let compiled = grouped.rows
        let isOpaque = compiled.dependencies.isAnyWrite || watches.opaque.contains { round.rows(of: $0) != nil }
        if isOpaque || !grouped.isTracked {
            return compiled.entity.isView ? .view : .related
        }
        for watch in watches.all {
            guard let rows = round.rows(of: watch) else { continue }
            if !rows.hasImages || rows.lacksImage { return .foreign }
        }
        let count = round.rows(of: watches.entity)?.count ?? 0
        return count > 1000 && count > table.rowCount / 8 ? .many : nil
    }

    /// Notes a round that passes while the list stays as it is.
    func noteMissed() { isBehind = true }

    /// Reads all rows, and compares the groups. Called in a read transaction.
    func readAll(_ reason: RereadReason) throws -> Round {
        do {
            if reason != .fetch { _ = try database.holdReadState(of: grouped.rows.database) }
            rows.counters.countReread(reason)
            rows.counters.statementsRun += 1
            let changed = try write(readGroups())
            isBehind = false
            return changed
        } catch {
            isBehind = true
            try restore()
            throw error
        }
    }

    /// The work of reading the rows.
    var counters: WorkCounters { rows.counters }

    var hasPrepared: Bool { table.isChanged || former != nil }

    func commit() {
        table.commit()
        former = nil
    }

    func restore() throws {
        try table.restore()
        guard let former else { return }
        self.former = nil
        grouped = former
        rows.replaceRequest(former.request, former.rows)
        if isFetched { try rows.watchTables() }
    }

    /// Reads the groups for a fetch, in the schema of now.
    func fetch() throws {
        // A delivery under way can't be dropped any more.
        commit()
        if try rows.isOutdated { try recompile(grouped.request) }
        if rows.watches == nil || former != nil { try rows.watchTables() }
        _ = try readAll(.fetch)
    }

    /// Drops what a fetch has read.
    func dropFetch() {
        // Fails only without memory. All rows are then read in the next round.
        do { try restore() } catch { isBehind = true }
    }

    /// The changes that a fetch reads now and that no round has delivered.
    var undelivered: ChangeOrigin { get throws { try database.undelivered } }

    /// Stops watching.
    func end() {
        rows.watches = nil
        isBehind = true
    }
}

extension RowValues {
    func isSame(as other: RowValues) -> Bool {
        count == other.count && (0..<count).allSatisfy { isSame($0, as: other, $0) }
    }
}

extension GroupedRows {
    /// The groups that a round changes.
    private struct Update {
        private let groups: GroupedRows
        private var changed: [Int: (old: GroupTable.Group, totals: GroupTotals)] = [:]
        /// The group of the last row: successive rows are often of the same one.
        private var last: (number: Int, keys: RowValues)?

        init(_ groups: GroupedRows) { self.groups = groups }

        /// Replaces the values of a row; nil if it is in no group.
        mutating func replace(_ old: RowValues?, by new: RowValues?) throws {
            if let old, let new, groups.hasKeys(old, new) { return try change(try number(old), from: old, to: new) }
            if let old { try change(try number(old), from: old, to: nil) }
            if let new { try change(try number(new) ?? groups.table.add(keys: new), from: nil, to: new) }
        }

        /// The number of the group with some keys, whose totals may change; nil if there is none.
        private mutating func number(_ values: RowValues) throws -> Int? {
            if let last, groups.hasKeys(values, last.keys) { return last.number }
            guard let (number, group) = try groups.table.group(ofKeys: values) else { return nil }
            last = (number, values)
            if changed[number] == nil { changed[number] = (group, group.totals) }
            return number
        }

        private mutating func change(_ number: Int?, from old: RowValues?, to new: RowValues?) throws {
            guard let number else { throw StoreError(.error, "a row that was removed from a group was not in it") }
            if changed[number] == nil {
                let group = try groups.table.group(number)
                changed[number] = (group, group.totals)
            }
            try changed[number]?.totals.change(from: old, to: new, groups.grouped.parts)
        }

        /// Writes the groups; returns the rows of those that differ as touched ones.
        consuming func end() throws -> Round { try groups.write(changed) }
    }

    /// The totals of all groups, as they are and as reading all rows yields them.
    private func readGroups() throws -> [Int: (old: GroupTable.Group, totals: GroupTotals)] {
        var (totals, indexes) = ([GroupTotals](), [Int: Int]())
        // The groups of keys by their bytes. Several keys may be equal, and so be of one group.
        var known: [[UInt8]: Int] = [:]
        func index(ofKeys values: RowValues) throws -> Int {
            var key: [UInt8] = []
            for part in grouped.keys.indices { key += RowValues.Part(values, part).encoded(KeyComponent()) }
            if let index = known[key] { return index }
            let number = try table.group(ofKeys: values)?.number ?? table.add(keys: values)
            let index = indexes[number] ?? totals.count
            if index == totals.count { totals.append(grouped.parts.none) }
            (indexes[number], known[key]) = (index, index)
            return index
        }
        var last: (index: Int, keys: RowValues)?
        try grouped.scan { values in
            rows.counters.rowsRead += 1
            let index = if let last, hasKeys(values, last.keys) { last.index } else { try index(ofKeys: values) }
            last = (index, values)
            try totals[index].change(from: nil, to: values, grouped.parts)
        }
        var groups: [Int: (old: GroupTable.Group, totals: GroupTotals)] = [:]
        for (number, index) in indexes { groups[number] = (try table.group(number), totals[index]) }
        for number in table.numbers where groups[number] == nil {
            groups[number] = (try table.group(number), grouped.parts.none)
        }
        return groups
    }

    /// Whether the values of two rows have the same keys.
    private func hasKeys(_ a: RowValues, _ b: RowValues) -> Bool {
        grouped.keys.indices.allSatisfy { a.isSame($0, as: b, $0) }
    }

    /// Gives groups their totals. Returns those that differ, with their rows before.
    private func write(_ changed: [Int: (old: GroupTable.Group, totals: GroupTotals)]) throws -> Round {
        var touched = TouchedRows()
        for (number, group) in changed.sorted(by: { $0.key < $1.key })
        where !group.totals.isIdentical(to: group.old.totals) {
            var totals = group.totals
            for index in totals.extremes.indices where totals.extremes[index].isRemoved && totals.counts[0] > 0 {
                rows.counters.statementsRun += 1
                totals.extremes[index] = GroupTotals.Extreme(value: try grouped.extreme(index, group.old.row))
            }
            guard try table.set(number, totals, old: group.old) else { continue }
            touched.add(.rowid(Int64(number), image: table.formerRow(number)))
        }
        guard touched.count > 0, let watch = tableWatch else { return Round() }
        return Round([TouchedTable(watch, touched)])
    }

    /// The watch of the table in memory, which names its rows in rounds.
    private var tableWatch: TableWatch? { capture.watches(in: .main).first }
}

/// The state of the table in memory, which only this changes: lists always show what it has.
extension GroupedRows: DatabaseState {
    func checkOpen() throws(StoreError) { try database.checkOpen() }
    var dataVersion: Connection.DataVersion { version }
    var schemaVersions: [ExactText: Int64] { versions }
    func readDataVersion() -> Connection.DataVersion { version }
    func readSchemaVersions() -> [ExactText: Int64] { versions }
    var hasUndeliveredChanges: Bool { false }
    var hasUnknownChanges: Bool { false }
    var mayHaveOtherSchema: Bool { false }
    var isPagerUnchanged: Bool { true }
    var writeCount: Int { 0 }
    var rollbackCount: Int { 0 }
    func hasAllTouched(_ watch: TableWatch) -> Bool { true }
    func shownState(of name: ExactText?) -> (any FollowedState)? { nil }
    var isBeforeCommit: Bool { false }
    func willReadList() {}
    var fetchedAhead: (any ShownState)? { nil }
    var mergesCommits: Bool { false }
}
