internal import ChangeSets
internal import OrderedTree
internal import SQLiteKit

/// Reading the touched rows again, and the rows that depend on them.
extension ListEngine {
    func past(_ round: Round, _ watches: Watches, _ compiled: CompiledRequest) -> PastContent {
        PastContent(compiled: compiled, round: round, watches: watches, connection: connection)
    }

    /// Reads the rows again that a round touched, as `TouchedEntry`. Called by `prepare`;
    /// `IncrementalUpdate.apply` follows.
    func readTouched(
        _ round: Round, _ watches: Watches, _ list: List, _ rowChanges: SectionRowChanges?,
        _ decoder: KeyDecoder
    ) throws -> IncrementalUpdate {
        let mapping = mappedSections.flatMap { SectionMapping($0, list, rowChanges) }
        var update = IncrementalUpdate(self, list, round, watches, mapping, decoder)
        try readTouched(round, watches, &update, decoder)
        if let rowChanges {
            try readItems(of: rowChanges, list) {
                try update.read(fedRow: $0, $1, firstColumn: compiled.identity.count)
            }
        }
        decoder.identities.noteUnsettled(update.touched.ids)
        return update
    }

    /// Reads the rows that a round touched, and the rows that depend on them.
    func readTouched(
        _ round: Round, _ watches: Watches, _ update: inout IncrementalUpdate, _ decoder: KeyDecoder
    ) throws {
        try watches.searchingTexts(of: round) {
            if let rows = round.rows(of: watches.entity) { try update.read(rows) }
            update.ownCount = update.touched.count
            for watch in watches.documents {
                if let rows = round.rows(of: watch) { try update.read(documents: rows) }
            }
        }
        try readFedRows(round, watches, decoder) { try update.read(fedRow: $0, $1, firstColumn: $2) }
    }

    /// Reads the contents of the rows that a round touched.
    func readTouchedContents(_ round: Round, _ watches: Watches) throws -> RowDictionary<TouchedEntry> {
        var contents = TouchedContents(self)
        if let rows = round.rows(of: watches.entity) { try contents.read(rows) }
        for watch in watches.documents {
            if let rows = round.rows(of: watch) { try contents.read(documents: rows) }
        }
        try readFedRows(round, watches, decoder) { try contents.readAgain(fedRow: $0, $1, firstColumn: $2) }
        return contents.touched
    }

    /// Calls `body` for each item that changed its section because that was inserted, was removed
    /// or has another key.
    private func readItems(
        of rowChanges: SectionRowChanges, _ list: List, _ body: (Int64, Statement) throws -> Void
    ) throws {
        let mayHaveOrphans =
            mappedSections?.options.itemsWithoutSection == .hidden
            || list.orphans.map { list.rows.rowCount(in: $0) > 0 } ?? false
        var keys: [SectionRow] = []
        for (_, change) in rowChanges.all where change.mayMoveItems {
            if let old = change.old, let section = list.section(ofRow: change.id), list.rows.rowCount(in: section) > 0 {
                keys.append(old)
            }
            if let new = change.new, mayHaveOrphans { keys.append(new) }
        }
        for key in keys where !key.isNull {
            guard let statement = try compiled.plan.itemsOfSection(connection) else { return }
            try statement.bind(key.value, 0, at: 1)
            defer { statement.reset() }
            counters.statementsRun += 1
            while try statement.step() { try body(decoder.id(statement), statement) }
        }
    }

    /// Calls `body` for each row that depends or depended on a touched row of a related table.
    private func readFedRows(
        _ round: Round, _ watches: Watches, _ decoder: KeyDecoder,
        _ body: (Int64, Statement, Int) throws -> Void
    ) throws {
        for (watch, related) in watches.related {
            guard let rows = round.rows(of: watch) else { continue }
            for value in try relatedValues(rows, related) {
                let statement = related.fedRows
                for index in 0..<value.count { try statement.bind(value, index, at: index + 1) }
                defer { statement.reset() }
                counters.statementsRun += 1
                while try statement.step() {
                    try body(decoder.id(statement), statement, decoder.compiled.identity.count)
                }
            }
        }
    }

    /// The values by which foreign keys refer to touched rows of a related table, before and now.
    private func relatedValues(_ rows: TouchedRows, _ related: Dependencies.Related) throws -> [RowValues] {
        let columns = related.parentColumns
        guard let last = columns.max() else { return [] }
        let components = columns.map { _ in KeyComponent() }
        var values: [RowValues] = []
        var seen: Set<[UInt8]> = []
        func add(_ value: RowValues) {
            guard columns.indices.allSatisfy({ value.storageClass($0) != .null }) else { return }
            let key = columns.indices.flatMap { RowValues.Part(value, $0).encoded(components[$0]) }
            if seen.insert(key).inserted { values.append(value) }
        }
        for image in rows.rowids.images + rows.keys.images {
            if let image, last < image.count { add(RowValues(image, columns: columns)) }
        }
        let reader = related.currentValues
        func addCurrent(_ statement: Statement) throws {
            defer { statement.reset() }
            counters.statementsRun += 1
            if try statement.step() { add(statement.rowValues(from: reader.firstColumn, count: columns.count)) }
        }
        for rowid in rows.rowids.all { try addCurrent(reader.one(rowid: rowid, compiled)) }
        for key in rows.keys.all { try addCurrent(reader.one(key: key, compiled)) }
        return values
    }
}
