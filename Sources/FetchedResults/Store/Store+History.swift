internal import ListEngine
public import SQLiteKit

/// A history of the rows that any connection touches, which triggers record in the database.
///
/// It contains what the write-ahead log does not. In the rollback modes, the cost of other
/// connections' commits then depends on the rows that they touch, as in WAL mode. A list that was
/// cached by name continues from its cached state, however many changes followed. A program can
/// query which rows were touched since a generation that it has noted, such as the one of its last
/// synchronization.
extension Store {
    /// Makes triggers note the keys of the rows of a table that any connection touches from now on,
    /// in whatever program; does nothing if they do so already. It is called at each start: after a
    /// change of the schema, including VACUUM, the triggers are made again, and the histories of
    /// all tables begin again.
    ///
    /// Changes that run no triggers are not noted: changes by connections that disable them
    /// (`SQLITE_DBCONFIG_ENABLE_TRIGGER`), and incremental writes of blobs.
    ///
    /// Throws `misuse` for a table outside the main database and for the history's own tables;
    /// `schema` for a name that is not a table, for a table that SQLite or a virtual table writes,
    /// for one with a unique index of expressions, or for one with a BEFORE UPDATE trigger that
    /// updates the same table. O(1), but all lists are read again, as after any change of the
    /// schema.
    public func startHistory(of table: String) throws {
        try checkOpen()
        let entity = try historyTable(table)
        try HistoryTableReader(connection: connection, entity: entity).checkWriters()
        if try connection.reading({ try connection.recordsHistory(of: entity.name) }) { return }
        try changingHistory { try $0.start(entity) }
    }

    /// Stops the history of a table; if there is none, that is not an error. With the last table
    /// all data of the history are removed from the database.
    public func stopHistory(of table: String) throws {
        try checkOpen()
        try changingHistory { try $0.stop(table) }
    }

    /// The tables with a history, in the order in which they began.
    public var historyTables: [String] {
        get throws {
            try checkOpen()
            return try connection.reading {
                guard try connection.isHistoryTrusted() else { return [] }
                return try connection.historyTables().map(\.name)
            }
        }
    }

    /// The minimum number of touched rows that are stored, of all tables together; 100,000 unless
    /// it is set. Older ones are deleted when new ones are inserted, at most 64 later. Throws
    /// `misuse` if there is no history.
    public var historyLimit: Int64 {
        get throws {
            try checkOpen()
            guard let settings = try connection.historySettings() else { throw Self.noHistory }
            return settings.limit
        }
    }

    /// Throws `range` for a limit below 1, or above 2⁴⁰.
    public func setHistoryLimit(_ limit: Int64) throws {
        try checkOpen()
        guard (1...HistoryTables.greatestLimit).contains(limit) else {
            throw StoreError(.range, "a history can't be limited to \(limit) rows")
        }
        guard try connection.historySettings() != nil else { throw Self.noHistory }
        try transaction {
            try execute("UPDATE main.\(HistoryTables.settings) SET entry_limit = ?1", [.integer(limit)])
            try execute(HistoryTables.deletion())
        }
    }

    /// The generation of the present state: a number that grows with each touched row, and that is
    /// not used again if the database is replaced by an older copy. Throws `misuse` if there is no
    /// history. O(log n).
    public var historyGeneration: Int64 {
        get throws {
            try checkOpen()
            guard let generation = try connection.reading({ try delivery.history.generation() }) else {
                throw Self.noHistory
            }
            return generation
        }
    }

    /// The identities of the rows of a table that were touched since a generation, each once, in
    /// the order in which they were first touched. `object` returns whether a row still exists.
    /// O(m) for m touched rows of all tables.
    ///
    /// Throws `misuse` if the table has no history, and `gone` if its history begins later, or if
    /// the generation does not belong to this history.
    public func touchedRows(of table: String, since generation: Int64) throws -> [[Value]] {
        // In one state, so that nothing is deleted in between.
        try checkOpen()
        return try connection.reading {
            let statement = try prepareTouchedRows(of: table, since: generation)
            let isNullable = try historyTable(table).isIdentityNullable
            var rows: [[Value]] = []
            while try statement.step() {
                let values = statement.rowValues(from: 0, count: statement.columnCount).values
                rows.append(isNullable && values.last == .null ? Array(values.dropLast()) : values)
            }
            return rows
        }
    }

    /// A statement that yields them: the key's columns by their names, and, of a table whose key
    /// may be NULL, the rowid of a row whose key holds NULL, and NULL for all other rows.
    package func prepareTouchedRows(of table: String, since generation: Int64) throws -> Statement {
        try checkOpen()
        let entity = try historyTable(table)
        return try connection.reading {
            guard let kept = try delivery.history.tables()[FoldedName(entity.name)] else {
                throw StoreError(.misuse, "\(entity.name) has no history")
            }
            guard try delivery.history.isKnown(generation, of: kept) else {
                throw StoreError(
                    .gone, "the history of \(entity.name) does not go back to the generation \(generation)")
            }
            let statement = try connection.prepare(HistoryTables.selection(of: entity))
            try statement.bind([.integer(kept.id), .integer(generation)])
            return statement
        }
    }

    /// Deletes the entries up to a generation, which stays the first one that is known.
    public func deleteHistory(before generation: Int64) throws {
        try checkOpen()
        guard try connection.historySettings() != nil else { throw Self.noHistory }
        try execute(
            "DELETE FROM main.\(HistoryTables.entries) WHERE generation < min(?1, "
                + "(SELECT max(generation) FROM main.\(HistoryTables.entries)))", [.integer(generation)])
    }

    private static let noHistory = StoreError(.misuse, "the database has no history")

    private func changingHistory(_ body: (HistoryKeeper) throws -> Void) throws {
        try transaction { try body(HistoryKeeper(connection: connection) { try self.execute($0, $1) }) }
    }

    private func historyTable(_ name: String) throws -> Entity {
        let entity = try SchemaReader(connection: connection).table(name)
        guard entity.schema == "main" else {
            throw StoreError(.misuse, "\(name) is not in the main database, and so can't have a history")
        }
        guard !HistoryTables.all.contains(where: { isSameName($0, entity.name) }) else {
            throw StoreError(.misuse, "\(name) belongs to the history itself")
        }
        return entity
    }
}
