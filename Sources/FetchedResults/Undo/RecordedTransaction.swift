internal import ListEngine
internal import SQLiteKit

/// A state between which and the other one a transaction leads.
enum TransactionSide {
    /// Before the transaction.
    case old
    /// After it.
    case new

    var opposite: TransactionSide { self == .old ? .new : .old }
}

/// The changes of a transaction of the store: the rows that differ between the state before it
/// and the state after it, complete in both.
///
/// It contains no changes that were undone inside the transaction, and does not say in which order
/// or by what rows were changed: triggers and foreign keys change rows like statements do.
struct RecordedTransaction {
    /// The schema's versions of the databases in which it wrote.
    let schemaVersions: [ExactText: Int64]
    let tables: [RecordedTable]
    let indexes: [RecordedIndex]
    let byteCount: Int

    /// Reads what the open transaction has changed; nil if that is nothing. Throws the reason why
    /// it can't be undone.
    ///
    /// - Parameter versions: The schema's versions when the transaction began.
    static func read(
        _ recorder: ChangeRecorder, since versions: [ExactText: Int64], byteLimit: Int, _ connection: Connection
    ) throws -> RecordedTransaction? {
        if let failure = recorder.failure { throw failure }
        if recorder.isCommitting { throw foreignCommit }
        guard try connection.readSchemaVersions() == versions else {
            throw StoreError(.schema, "it changes the schema")
        }
        let reader = SchemaReader(connection: connection)
        var (tables, indexes): ([RecordedTable], [RecordedIndex]) = ([], [])
        var byteCount = 0
        for watch in recorder.watches where !watch.isEmpty {
            let owner = try reader.owner(ofShadow: watch.table, in: watch.schema)
            let table = try RecordedTable(reader, watch, keepsEqual: owner != nil)
            byteCount += table.byteCount
            guard byteCount <= byteLimit else { throw Self.excess(byteLimit) }
            if let owner {
                let index = indexes.firstIndex { $0.name == owner.name && $0.schema == watch.schema }
                if index == nil { indexes.append(try RecordedIndex(reader, schema: watch.schema, name: owner.name)) }
                indexes[index ?? indexes.count - 1].add(table, suffix: owner.suffix)
            } else if !table.rows.isEmpty {
                tables.append(table)
            }
        }
        if tables.isEmpty, indexes.isEmpty { return nil }
        let schemas = Set((tables.map(\.entity.schema) + indexes.map(\.schema)).map { ExactText($0) })
        return RecordedTransaction(
            schemaVersions: versions.filter { schemas.contains($0.key) }, tables: tables, indexes: indexes,
            byteCount: byteCount)
    }

    static let foreignCommit = StoreError(.misuse, "a statement has committed it, and not the store's commit")

    private static func excess(_ byteLimit: Int) -> StoreError {
        StoreError(.range, "it changes more rows than fit into \(byteLimit) bytes")
    }

    /// How to read a table that a hook names; nil for one whose rows other tables determine: the
    /// words of a full-text index, and the history. Throws for a virtual table that can't be
    /// reversed.
    static func layout(_ schema: String, _ table: String, _ connection: Connection) throws -> ImageLayout? {
        if schema == "main", HistoryTables.all.contains(where: { isSameName($0, table) }) { return nil }
        let reader = SchemaReader(connection: connection)
        if let owner = try reader.owner(ofShadow: table, in: schema) {
            guard owner.module == "fts5", try RecordedIndex.hasSizes(reader, schema: schema, name: owner.name) else {
                throw StoreError(
                    .schema,
                    "it writes to the virtual table \(owner.name); only an fts5 table that has the "
                        + "sizes of its texts can be restored")
            }
            if !RecordedIndex.hasRowForEachText(owner.suffix) { return nil }
        }
        return try reader.entity(schema: schema, table: table).imageLayout
    }
}

/// The rows of one table that a transaction has changed.
struct RecordedTable {
    struct Row {
        /// nil in a table WITHOUT ROWID.
        let rowid: Int64?
        let old: RowValues?
        let new: RowValues?

        subscript(side: TransactionSide) -> RowValues? { side == .old ? old : new }
    }

    let entity: Entity
    private(set) var rows: [Row] = []
    private(set) var byteCount = 0
    /// The numbers of the columns by which SQL reaches a row of a table WITHOUT ROWID.
    private let keyColumns: [Int]?
    /// The numbers of the columns that are written, and not computed.
    let writtenColumns: [Int]
    /// Selects all columns of a row by its row key.
    let select: String

    /// - Parameter keepsEqual: Whether to keep rows that were touched and did not change.
    init(_ reader: SchemaReader, _ watch: TableWatch, keepsEqual: Bool) throws {
        entity = try reader.entity(schema: watch.schema, table: watch.table)
        let layout = entity.imageLayout
        keyColumns = layout.key?.columns
        select = layout.select
        writtenColumns = try reader.columnNames(schema: watch.schema, table: watch.table).compactMap(entity.columnIndex)
        guard layout.isComplete, !watch.lacksImage else {
            throw StoreError(.schema, "\(entity.displayName) has columns that this connection can't read")
        }
        for (rowid, old) in zip(watch.rowids.all, watch.rowids.images) {
            add(Row(rowid: rowid, old: old, new: try watch.currentValues(of: .rowid(rowid, image: nil))), keepsEqual)
        }
        // Keys that differ, but not for the key's collation, reach the same row.
        var found: Set<[Value]> = []
        for (key, old) in zip(watch.keys.all, watch.keys.images) {
            var new = try watch.currentValues(of: .key(key, image: nil))
            if let row = new, !found.insert(self.key(of: row, rowid: nil)).inserted { new = nil }
            add(Row(rowid: nil, old: old, new: new), keepsEqual)
        }
    }

    private mutating func add(_ row: Row, _ keepsEqual: Bool) {
        if Self.areSame(row.old, row.new), !keepsEqual || row.old == nil { return }
        rows.append(row)
        byteCount += ChangeRecorder.rowByteCount + (row.old?.byteCount ?? 0) + (row.new?.byteCount ?? 0)
    }

    static func areSame(_ a: RowValues?, _ b: RowValues?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        return a.count == b.count && (0..<a.count).allSatisfy { a.isSame($0, as: b, $0) }
    }

    /// The row key of a row: the parameters of `select`.
    func key(of values: RowValues, rowid: Int64?) -> [Value] {
        rowid.map { [.integer($0)] } ?? (keyColumns ?? []).map(values.value)
    }

    /// A row in a message: its table and its identity.
    func name(of row: Row) -> String {
        guard let values = row.old ?? row.new else { return entity.displayName }
        let columns = entity.identityColumns.compactMap { entity.columnIndex($0.name) }
        let identity = columns.isEmpty ? [.integer(row.rowid ?? 0)] : columns.map(values.value)
        return ([entity.displayName] + identity.map(\.description)).joined(separator: " ")
    }
}

/// The texts of a full-text index that a transaction has changed. The pages of the index are not
/// restored: one page has words of many texts, and another connection may have changed it since.
/// The index itself removes the words of a text, and inserts them again.
struct RecordedIndex {
    let schema: String
    let name: String
    let columns: [String]
    private(set) var sizes: RecordedTable?
    /// nil for an index that reads its texts from another table.
    private(set) var contents: RecordedTable?

    init(_ reader: SchemaReader, schema: String, name: String) throws {
        (self.schema, self.name) = (schema, name)
        columns = try reader.columnNames(schema: schema, table: name)
    }

    static func hasSizes(_ reader: SchemaReader, schema: String, name: String) throws -> Bool {
        try !reader.columnNames(schema: schema, table: "\(name)_docsize").isEmpty
    }

    /// Whether a shadow table has a row for each text.
    static func hasRowForEachText(_ suffix: String) -> Bool { ["docsize", "content"].contains(suffix.lowercased()) }

    mutating func add(_ table: RecordedTable, suffix: String) {
        switch suffix.lowercased() {
        case "docsize": sizes = table
        case "content": contents = table
        default: break
        }
    }
}
