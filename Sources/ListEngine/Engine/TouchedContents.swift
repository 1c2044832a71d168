internal import SQLiteKit

/// The contents of the rows that a round touched, read by their row keys, whether the rows belong
/// to the list or not. For a list that was read again as a whole, its rows are known already; its
/// predicate, which may read whole tables, is not evaluated row by row.
struct TouchedContents: TouchedRowReading {
    let engine: ListEngine
    let decoder: KeyDecoder
    let reader: RowReader?
    var touched = RowDictionary<TouchedEntry>()

    init(_ engine: ListEngine) {
        self.engine = engine
        decoder = engine.decoder
        reader = engine.compiled.touched?.contents
    }

    func newEntry(_ id: Int64) -> TouchedEntry { TouchedEntry(oldPlace: nil) }

    func prefetch(_ id: Int64) {}

    mutating func readRow(_ statement: Statement) throws {
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
        _ entry: inout TouchedEntry, _ id: Int64, _ statement: Statement, firstColumn: Int, _ decoder: KeyDecoder
    ) throws {
        let compiled = decoder.compiled
        let (count, tableCount) = (compiled.content.columns.count, compiled.entity.columns.count)
        guard let touched = compiled.touched, touched.lackContent else {
            entry.content = statement.rowValues(from: firstColumn, count: count)
            if compiled.touched?.needsTableColumns ?? false {
                entry.evidence.row = statement.rowValues(from: firstColumn + count, count: tableCount)
            }
            return
        }
        try readContents(of: [id], decoder) { entry.content = $1 }
        guard let reader = touched.tableColumns, let rest = try reader.one(id, decoder) else { return }
        defer { rest.reset() }
        counters.statementsRun += 1
        if try rest.step() { entry.evidence.row = rest.rowValues(from: reader.firstColumn, count: tableCount) }
    }
}
