internal import CSQLite

/// A database file, and the name that it has in the statements of a connection.
package struct DatabaseFile: Sendable {
    package let path: String
    /// "main", or the name under which the file is attached.
    package let name: String
    /// How all databases of the connection store their texts.
    let encoding: TextEncoding

    package init(path: String, name: String, encoding: TextEncoding) {
        self.path = path
        self.name = name
        self.encoding = encoding
    }
}

extension Connection {
    /// The file of a database whose write-ahead log can be followed. nil if the database has no
    /// log, or if another connection that opens the path would not see the same.
    package func loggedFile(of database: String) throws(StoreError) -> DatabaseFile? {
        guard let path = fileName(of: database), isPlainFile(database), !hasMoved(database),
            try isWriteAhead(database)
        else { return nil }
        return DatabaseFile(path: path, name: database, encoding: encoding ?? .utf8)
    }

    /// Opens an existing file, so that statements refer to it by its name.
    package static func open(_ file: DatabaseFile) throws(StoreError) -> Connection { try open([file]) }

    /// Opens existing files of one connection, so that statements refer to each by its name.
    /// Without the main one, the other ones are attached to an empty database, which must have the
    /// same text encoding (https://www.sqlite.org/lang_attach.html).
    package static func open(_ files: [DatabaseFile]) throws(StoreError) -> Connection {
        let main = files.first { $0.name == "main" }
        let connection = try open(path: main?.path ?? ":memory:", readOnly: false, create: false)
        do {
            if main == nil, let encoding = files.first?.encoding {
                try connection.execute("PRAGMA encoding = '\(encoding.pragmaName)'")
            }
            for file in files where file.name != "main" { try connection.attach(file.path, as: file.name) }
        } catch {
            connection.close()
            throw error
        }
        return connection
    }

    private func attach(_ path: String, as name: String) throws(StoreError) {
        let attach = try prepare("ATTACH ?1 AS \(quoted(name))")
        try attach.bind(.text(path), at: 1)
        try attach.run()
    }

    /// Attaches the databases of another connection by the paths of their files. Throws if that has
    /// databases without a file, which only it has.
    package func attachDatabases(of other: Connection) throws {
        for name in try other.databaseNames() where name != "main" {
            if let path = other.fileName(of: name) {
                try attach(path, as: name)
            } else if try name != "temp" || other.hasTemporaryObjects {
                throw StoreError(.error, "the database \(name) is in memory, and would be lost")
            }
        }
        _ = try databaseNames()
    }

    /// Gives this connection the settings that another one has by PRAGMA statements, for itself and
    /// for each of the same databases.
    package func adoptSettings(of other: Connection) throws(StoreError) {
        let pragmas =
            Self.settings.map(quoted)
            + (["main"] + attachedNames).flatMap { name in
                Self.databaseSettings.map { quoted(name, $0) }
            }
        for pragma in pragmas {
            let statement = try other.prepare("PRAGMA \(pragma)")
            defer { statement.reset() }
            if try statement.step() { try execute("PRAGMA \(pragma) = \(statement.integer(0))") }
        }
    }

    private static var settings: [String] {
        [
            "automatic_index", "busy_timeout", "cell_size_check", "foreign_keys", "ignore_check_constraints",
            "query_only", "recursive_triggers", "reverse_unordered_selects", "temp_store", "trusted_schema",
            "wal_autocheckpoint",
        ]
    }

    private static var databaseSettings: [String] {
        ["cache_size", "journal_size_limit", "mmap_size", "secure_delete", "synchronous"]
    }

    private var hasTemporaryObjects: Bool {
        get throws(StoreError) {
            let statement = try prepare("SELECT 1 FROM sqlite_temp_schema")
            defer { statement.reset() }
            return try statement.step()
        }
    }

    /// Writes the log of a database into its file. False if a reader prevents that.
    package func writeLogBack(_ name: String) throws(StoreError) -> Bool {
        let statement = try prepare("PRAGMA \(quoted(name)).wal_checkpoint(PASSIVE)")
        defer { statement.reset() }
        return try statement.step() && statement.integer(0) == 0 && statement.integer(1) == statement.integer(2)
    }
}

extension Connection {
    /// The statements of the first page in the file of the main database, whether or not that is
    /// committed (https://www.sqlite.org/fileformat.html#the_database_header); nil if it can't be
    /// read. The counter counts the transactions of the rollback modes.
    ///
    /// The page is read through SQLite's own handle: opening the file a second time and closing it
    /// would release the locks that the process has on it
    /// (https://www.sqlite.org/howtocorrupt.html, "Posix advisory locks canceled").
    package var fileHeader: (isInWALMode: Bool, changeCounter: UInt32)? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            let file = unsafe file, let methods = unsafe file.pointee.pMethods, let read = unsafe methods.pointee.xRead
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: 100)
        guard unsafe read(file, &bytes, Int32(bytes.count), 0) == SQLITE_OK else { return nil }
        return (bytes[19] == 2, bytes[24..<28].reduce(0) { $0 << 8 | UInt32($1) })
    }
}
