internal import SQLiteKit

/// Reads the history that triggers record in the main database (`HistoryTables`): which rows any
/// connection has touched since a generation, as far as the triggers have noted all of them.
///
/// The triggers are trusted as long as the schema has the version for which they were made: another
/// unique index, or a VACUUM that gives rows other rowids, would make them miss rows.
final class History {
    /// A table whose history is recorded.
    struct Kept {
        let id: Int64
        /// The beginning of its history.
        let start: Int64
        let hasRowid: Bool
        let keyCount: Int
    }

    private let connection: Connection
    /// The recorded tables, for a version of the schema.
    private var known: (schemaVersion: Int64, tables: [FoldedName: Kept])?
    /// A generation at or before the state that the lists show; nil if none is known.
    private var shown: Int64?
    /// Whether it is worth searching for one.
    private var mayStart = true

    /// More entries are not read: reading whole lists is then as good.
    private static let greatestCount = 100_000

    init(_ connection: Connection) { self.connection = connection }

    // MARK: Reading

    /// The tables whose history is recorded and trusted. Called in a read transaction, and so are
    /// the others.
    func tables() throws -> [FoldedName: Kept] {
        let version = try connection.readSchemaVersion()
        if let known, known.schemaVersion == version { return known.tables }
        let tables = try readTables(version)
        // When a schema change is rolled back, another one can get its version.
        if !connection.isWriting { known = (version, tables) }
        return tables
    }

    private func readTables(_ schemaVersion: Int64) throws -> [FoldedName: Kept] {
        guard try connection.historySettings()?.schemaVersion == schemaVersion else { return [:] }
        return try connection.historyTablesByName()
    }

    /// The generation of the state that is read; nil if there is no history.
    func generation() throws -> Int64? {
        try tables().isEmpty
            ? nil : connection.firstInteger("SELECT max(generation) FROM main.\(HistoryTables.entries)")
    }

    /// The rows of some tables of the main database that were touched since a generation; nil if
    /// the history does not contain all of them.
    func rows(since generation: Int64, _ watches: [TableWatch]) throws -> [TouchedTable]? {
        let tables = try tables()
        let kept = watches.compactMap { watch in tables[FoldedName(watch.table)].map { (watch: watch, table: $0) } }
        guard kept.count == watches.count, kept.allSatisfy({ $0.table.start <= generation }),
            try isKnown(generation), let entries = try entries(since: generation, of: kept.map(\.table))
        else { return nil }
        return kept.compactMap { watch, table in entries[table.id].map { TouchedTable(watch, $0) } }
    }

    /// Whether a generation belongs to this history, and everything after it is still recorded.
    func isKnown(_ generation: Int64) throws -> Bool {
        try connection.firstInteger("SELECT 1 FROM main.\(HistoryTables.entries) WHERE generation = ?1", generation)
            == 1
    }

    /// Whether all rows of a table are known that were touched since a generation.
    func isKnown(_ generation: Int64, of table: Kept) throws -> Bool {
        guard table.start <= generation, try isKnown(generation) else { return false }
        let statement = try connection.prepare(
            "SELECT 1 FROM main.\(HistoryTables.entries) WHERE generation > ?1 AND table_id = ?2 LIMIT 1")
        try statement.bind([.integer(generation), .integer(-table.id)])
        defer { statement.reset() }
        return try !statement.step()
    }

    /// Entries by their tables' numbers; nil if there are too many, or if not all are known.
    private func entries(since generation: Int64, of tables: [Kept]) throws -> [Int64: TouchedRows]? {
        let kept = Dictionary(tables.map { ($0.id, $0) }) { first, _ in first }
        let keys = (0..<(tables.map(\.keyCount).max() ?? 0)).map { ", " + HistoryTables.keyColumn($0) }.joined()
        let statement = try connection.prepare(
            "SELECT table_id, row_id\(keys) FROM main.\(HistoryTables.entries) WHERE generation > ?1 LIMIT ?2")
        try statement.bind([.integer(generation), .integer(Int64(Self.greatestCount + 1))])
        defer { statement.reset() }
        var rows: [Int64: TouchedRows] = [:]
        var count = 0
        while try statement.step() {
            count += 1
            guard let table = kept[statement.integer(0)] else {
                if kept[-statement.integer(0)] != nil { return nil }
                continue
            }
            let key = table.keyCount == 0 ? nil : statement.rowValues(from: 2, count: table.keyCount)
            rows[table.id, default: TouchedRows()].add(
                rowid: table.hasRowid ? statement.integer(1) : nil, key: key)
        }
        return count > Self.greatestCount ? nil : rows
    }

    // MARK: Following

    /// Notes that the lists show the state that is read, with all commits of other connections.
    func noteShown() {
        mayStart = false
        // Without a generation, the next commits of other connections are found by reading the
        // lists.
        shown = try? generation()
    }

    /// Whether it is worth searching for a generation that the lists show.
    var isUnknown: Bool { mayStart }

    /// Notes that the schema may have changed.
    func discard() {
        known = nil
        shown = nil
        mayStart = true
    }

    /// Notes all rows as touched that other connections have committed since the state that the
    /// lists show; false if the history does not contain all of them.
    func noteForeignCommits(_ capture: ChangeCapture) throws -> Bool {
        guard let shown, let rows = try rows(since: shown, capture.watches(in: .main)) else { return false }
        capture.add(rows)
        return true
    }
}

extension Connection {
    /// The first value of a statement's first row, as an integer; nil if there is no row, or
    /// NULL.
    func firstInteger(_ sql: String, _ parameter: Int64? = nil) throws(StoreError) -> Int64? {
        let statement = try prepare(sql)
        if let parameter { try statement.bind(parameter, at: 1) }
        defer { statement.reset() }
        guard try statement.step(), statement.storageClass(0) != .null else { return nil }
        return statement.integer(0)
    }
}
