internal import CSQLite
internal import Glibc

/// A second connection to the same database file, for reading on another thread.
extension Connection {
    /// Opens a read-only connection in a read transaction that shows the last committed state. Any
    /// thread may use it, one at a time.
    ///
    /// Returns nil where it could read something different from this connection, or could block
    /// other connections from writing:
    /// - The file was moved or replaced.
    /// - The file uses another VFS.
    /// - A statement of this connection is under way, which reads an older state.
    /// - The database is in a rollback mode, in which a reader makes commits wait
    ///   (https://www.sqlite.org/lockingv3.html).
    package func openReader() throws(StoreError) -> Connection? {
        guard let fileName, isPlainFile("main"), !hasMoved("main"), isAutocommit,
            unsafe sqlite3_txn_state(handle, "main") == SQLITE_TXN_NONE,
            unsafe try isWriteAhead("main") || sqlite3_db_readonly(handle, "main") == 1
        else { return nil }
        let reader: Connection
        do {
            reader = try Connection.open(path: fileName, readOnly: true, create: false)
            try reader.execute("BEGIN")
            // The first statement that reads determines the state.
            try reader.execute("PRAGMA schema_version")
        } catch {
            // The process may have no file descriptors left, or another connection may hold a lock.
            // This connection needs neither.
            return nil
        }
        // Both have the file that is at the path.
        guard !hasMoved("main"), !reader.hasMoved("main") else {
            reader.close()
            return nil
        }
        return reader
    }

    /// The names of the main database and of the attached ones that other connections can change,
    /// with their files.
    package func watchableFiles() throws(StoreError) -> [(name: String, path: String)] {
        guard fileName == nil || isPlainFile("main") else { return [] }
        return try databaseNames().compactMap { name in
            name == "temp" ? nil : fileName(of: name).map { (name, $0) }
        }
    }

    /// Whether a reader runs a statement exactly as this connection does: it has the same
    /// functions, and finds all tables in the one database that it shows.
    package func agrees(with reader: Connection, on log: AccessLog, in database: ExactText) throws -> Bool {
        guard try hasSameFunctions(as: reader, for: log), log.database == database else { return false }
        let names = log.columns.keys.map(\.table)
        guard try names.allSatisfy({ try has($0, in: database.text) }) else { return false }
        // Naming the temporary database would create it.
        guard try databaseNames().contains("temp") else { return true }
        return try !names.contains { try has($0, in: "temp") }
    }

    /// Whether a reader has the functions that a statement calls.
    package func hasSameFunctions(as reader: Connection, for log: AccessLog) throws -> Bool {
        let common = try reader.functions(where: "NOT builtin")
        let added = Set(
            try functions(where: "NOT builtin").filter { !$1.isSubset(of: common[$0] ?? []) }.keys)
        // A generated column can also call a function that replaces one of SQLite's, and the log
        // does not contain that.
        return try added.isDisjoint(with: log.functions)
            && added.isDisjoint(with: functions(where: "builtin").keys)
    }

    /// Whether this connection has the tables that a statement of another one reads, in databases
    /// of the same names. As it has some of the other's databases, in the same order, both find the
    /// same tables for the same names (https://www.sqlite.org/lang_naming.html). A table that is in
    /// no schema, such as json_each, belongs to SQLite.
    package func findsTables(of log: AccessLog, as other: Connection) throws(StoreError) -> Bool {
        for table in log.columns.keys where try !has(table.table, in: table.schema) {
            if try other.has(table.table, in: table.schema) { return false }
        }
        return true
    }

    /// Makes the temporary views of another connection, as far as this one does not have them.
    package func copyTemporaryViews(of other: Connection) throws(StoreError) {
        let views = try other.prepare("SELECT name, sql FROM temp.sqlite_schema WHERE type = 'view'")
        defer { views.reset() }
        while try views.step() {
            if try has(views.text(0), in: "temp") { continue }
            // SQLite stores the text without TEMP (https://www.sqlite.org/schematab.html).
            try execute("CREATE TEMP VIEW\(views.text(1).dropFirst("CREATE VIEW".count))")
        }
    }

    private func has(_ table: String, in schema: String) throws(StoreError) -> Bool {
        let statement = try prepare("SELECT 1 FROM \(quoted(schema)).sqlite_schema WHERE name = ?1 COLLATE NOCASE")
        defer { statement.reset() }
        try statement.bind(.text(table), at: 1)
        return try statement.step()
    }

    /// The names of functions, in lower case, and their numbers of arguments
    /// (https://www.sqlite.org/pragma.html#pragma_function_list).
    private func functions(where condition: String) throws(StoreError) -> [String: Set<Int64>] {
        let statement = try prepare("SELECT name, narg FROM pragma_function_list WHERE \(condition)")
        defer { statement.reset() }
        var found: [String: Set<Int64>] = [:]
        while try statement.step() { found[statement.text(0).lowercased(), default: []].insert(statement.integer(1)) }
        return found
    }

    /// Whether another connection that opens the file of a database by its path uses the same
    /// locks.
    func isPlainFile(_ database: String) -> Bool {
        guard let name = unsafe sqlite3_db_filename(handle, database) else { return false }
        var vfs: UnsafeMutablePointer<sqlite3_vfs>?
        guard unsafe sqlite3_file_control(handle, database, SQLITE_FCNTL_VFS_POINTER, &vfs) == SQLITE_OK,
            unsafe StoreFiles.isDefault(vfs)
        else { return false }
        return unsafe sqlite3_uri_boolean(name, "immutable", 0) == 0 && sqlite3_uri_boolean(name, "nolock", 0) == 0
    }

    package func isWriteAhead(_ database: String) throws(StoreError) -> Bool {
        let statement = try prepare("PRAGMA \(quoted(database)).journal_mode")
        defer { statement.reset() }
        return try statement.step() && statement.text(0) == "wal"
    }
}

/// A database in WAL mode needs files beside it even for reading: the log and its index
/// (https://www.sqlite.org/wal.html#read_only_databases).
extension StoreError {
    /// Whether this error can mean that these files can be neither opened nor created.
    package var isMissingLog: Bool { sqliteCode == Self.readOnlyDirectory || sqliteCode & 0xff == SQLITE_CANTOPEN }

    /// SQLITE_READONLY_DIRECTORY, which the compiler does not import from the header.
    private static var readOnlyDirectory: Int32 { SQLITE_READONLY | 6 << 8 }
}
