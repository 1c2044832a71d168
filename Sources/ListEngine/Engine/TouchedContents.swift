internal import SQLiteKit

/// The contents of the rows that a round touched, read by their row keys, whether the rows belong
/// to the list or not. For a list that was read again as a whole, its rows are known already; its
/// predicate, which may read whole tables, is not evaluated row by row.
struct TouchedContents {
    private let engine: ListEngine
    private let compiled: CompiledRequest
    private let decoder: RowDecoder
    private(set) var touched = RowTable<TouchedEntry>()

    init(_ engine: ListEngine) {
        self.engine = engine
        compiled = engine.compiled
        decoder = engine.decoder
    }

    /// Reads the rows that a round touched in the entity's table.
    mutating func read(_ rows: TouchedRows) throws {
        guard let statement = compiled.touchedContent else { return }
        try decoder.forEachRow(of: rows, statement) { id, image in
            if let id { noteOld(image, id) }
            try readNew(statement)
        }
        decoder.forEachFormer(of: rows) { noteOld(nil, $0) }
    }

    /// Reads a row that depends on a related row, whose row key `source` shows from `firstColumn`
    /// on.
    mutating func read(fedRow id: Int64, _ source: Statement, firstColumn: Int) throws {
        guard touched.index(of: id) == nil, let statement = compiled.touchedContent else { return }
        try decoder.bindRowKey(source, firstColumn, to: statement)
        try readNew(statement)
    }

    /// The index of a row's entry, which is made if necessary.
    private mutating func entry(_ id: Int64) -> Int {
        touched.index(of: id) ?? touched.add(id, TouchedEntry(oldPlace: nil))
    }

    private mutating func noteOld(_ image: RowValues?, _ id: Int64) {
        let index = entry(id)
        touched[at: index].evidence.isTouchedItself = true
        if let image { touched[at: index].evidence.image = image }
    }

    private mutating func readNew(_ statement: Statement) throws {
        defer { statement.reset() }
        engine.counters.statementsRun += 1
        engine.counters.rowsRead += 1
        guard try statement.step() else { return }
        let id = decoder.id(statement)
        let index = entry(id)
        try engine.readTouched(&touched[at: index], id, statement, firstColumn: compiled.identity.count, decoder)
    }
}

extension ListEngine {
    /// Reads the content of a touched row and, where old contents or keys need them, all columns of
    /// its table. `statement` has them from `firstColumn` on, unless a result can't have so many
    /// columns.
    func readTouched(
        _ entry: inout TouchedEntry, _ id: Int64, _ statement: Statement, firstColumn: Int, _ decoder: RowDecoder
    ) throws {
        let compiled = decoder.compiled
        let (count, tableCount) = (compiled.content.columns.count, compiled.entity.columns.count)
        guard let rest = compiled.touchedRest else {
            entry.content = statement.rowValues(from: firstColumn, count: count)
            if compiled.readsTableColumns {
                entry.evidence.row = statement.rowValues(from: firstColumn + count, count: tableCount)
            }
            return
        }
        try readContents(of: [id], compiled, decoder) { entry.content = $1 }
        guard let lookup = try rest.tableColumns?.statement(for: id, decoder.identities) else { return }
        defer { lookup.reset() }
        counters.statementsRun += 1
        if try lookup.step() { entry.evidence.row = lookup.rowValues(from: 0, count: tableCount) }
    }
}
