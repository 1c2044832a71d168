internal import SQLiteKit

/// Opening a database file as the options say.
extension Store {
    /// A connection that is ready for use. On failure nothing stays open.
    static func open(_ path: String, _ options: StoreOptions) throws -> Connection {
        // Before a file is created.
        try checkJournalMode(options)
        let connection = try Connection.open(
            path: path, readOnly: options.isReadOnly, create: options.createsFile && !options.isReadOnly,
            immutable: options.isImmutable)
        do {
            connection.setBusyTimeout(milliseconds: options.busyTimeout)
            try checkReadable(connection, path, options)
            try connection.execute("PRAGMA foreign_keys = \(options.enforcesForeignKeys ? "ON" : "OFF")")
            try setJournalMode(connection, options)
        } catch {
            connection.close()
            throw error
        }
        return connection
    }

    /// A connection to the files that are now at the paths of another connection's databases.
    static func reopen(_ former: Connection, _ options: StoreOptions) throws -> Connection {
        var options = options
        options.createsFile = false
        let connection = try open(former.fileName ?? "", options)
        do {
            try connection.attachDatabases(of: former)
            try connection.adoptSettings(of: former)
        } catch {
            connection.close()
            throw error
        }
        return connection
    }

    /// Leaves the file in its mode.
    private static let unchangedMode = "unchanged"

    private static func checkJournalMode(_ options: StoreOptions) throws {
        guard let mode = options.journalMode else { return }
        let known = ["delete", "truncate", "persist", "memory", "wal", "off", unchangedMode]
        guard known.contains(where: { isSameName($0, mode) }) else {
            throw StoreError(.sql, "there is no journal mode \(mode)")
        }
    }

    /// The first statement reads the file, and so detects whether it is a database.
    private static func checkReadable(_ connection: Connection, _ path: String, _ options: StoreOptions) throws {
        do {
            try connection.execute("SELECT count(*) FROM sqlite_schema")
        } catch {
            guard error.isMissingLog, !error.isOfDescriptors, connection.fileHeader?.isInWALMode == true else {
                throw error
            }
            throw StoreError(
                .io,
                "can't open \(path): it is in WAL mode, and its log can't be opened or made in that directory; "
                    + "a file that nobody changes can be opened as immutable",
                sqliteCode: error.sqliteCode)
        }
    }

    /// Without a choice, WAL in files that can be written.
    private static func setJournalMode(_ connection: Connection, _ options: StoreOptions) throws {
        if let mode = options.journalMode, isSameName(mode, unchangedMode) { return }
        if let mode = options.journalMode { return try connection.execute("PRAGMA journal_mode = \(mode)") }
        guard connection.fileName != nil, !connection.isReadOnly else { return }
        do {
            try connection.execute("PRAGMA journal_mode = WAL")
        } catch {
            // If the file could be written, but no log or journal made beside it, it stays in its
            // mode.
            if error.status != .readOnly { throw error }
        }
    }
}

/// How a store is opened.
public struct StoreOptions: Sendable {
    /// Open for reading only; the file must exist.
    public var isReadOnly = false
    /// Open a file that does not change as long as it is open: for reading only, without locks, and
    /// without a write-ahead log, whose content is not read. So a database in WAL mode can be
    /// opened from a directory that can't be written to.
    public var isImmutable = false
    /// Create the file if it is missing.
    public var createsFile = true
    /// Whether SQLite enforces foreign keys.
    public var enforcesForeignKeys = true
    /// How long to wait for a lock, in milliseconds; 0 to not wait.
    public var busyTimeout: Int32 = 5000
    /// "wal", "delete", ...; "unchanged" to keep the file's mode; nil for WAL in files that can be
    /// written, and for the file's mode in files that can't.
    public var journalMode: String?
    /// Whether own commits are delivered at `dispatch` rather than before the commit returns.
    public var queuesDelivery = false
    /// The directory for lists with cache names; nil for `$XDG_CACHE_HOME/fetchedresults`, where
    /// `$HOME/.cache` replaces that variable if it is not set. A directory to which other users
    /// can write is not used, unless its sticky bit is set.
    public var cacheDirectory: String?
    /// The interval of looking for commits of other connections, in milliseconds, on a file system
    /// for whose files the kernel does not send notifications of all writes, or if the user's limit
    /// of such notifications is reached; 0 to not look. See `Store.wakeUpSource`.
    public var pollInterval: Int32 = 100
    /// Whether the store continues with another file that replaces the database file at its path,
    /// such as a restored copy. The next dispatch then compares the lists with that file, and
    /// delivers the difference as one change set for each. It has to be a file of the same
    /// application: with the same `PRAGMA application_id`, and with the watched tables as they were
    /// made. Otherwise, and as long as there is no file, `dispatch` throws `io`, as it does without
    /// this option, until another file is there, which wakes the program.
    ///
    /// Statements, functions, collations, attached databases and the settings of the connection
    /// (PRAGMA synchronous and the like) continue. A store keeps its file while a transaction is
    /// open or a statement is half-way, and permanently once the program has asked for
    /// `sqliteHandle`, or as long as there are temporary tables or databases in memory, which would
    /// be lost.
    ///
    /// The log of the former file, which can still be beside the new one, is written back to the
    /// former file and removed.
    public var followsPath = false
    /// How many bytes the write-ahead log may grow after the state that the lists show, before the
    /// store releases that: SQLite can't restart the log as long as the store reads an earlier
    /// state from it. A store that has released it reads its lists from scratch at the next
    /// `dispatch`, and rows that are not cached are gone until then. 0 to hold no state: commits of
    /// other connections are then always found by reading the lists.
    public var snapshotLimit = 44 << 20

    /// The default options.
    public init() {}
}
