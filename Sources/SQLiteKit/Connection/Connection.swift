internal import CSQLite

/// One SQLite connection, opened here or adopted from the program.
///
/// Safe except for its handle, which is valid until `close`, and then nil.
@safe package final class Connection {
    package private(set) var handle: OpaquePointer?
    /// Whether there is a handle. Stored, as callers then read it without a call.
    package private(set) var isOpen = true
    let isOwned: Bool
    package let activity = Activity()
    let statements = OpenStatements()
    /// The locales whose orders are registered as collations, by name.
    var locales: [String: Locale] = [:]
    /// How the database stores its texts; nil before `readEncoding`.
    package private(set) var encoding: TextEncoding?
    var isUTF8: Bool { encoding == .utf8 }
    /// The objects that SQLite calls on this connection, by kind.
    private var registrations: [ObjectIdentifier: any Registration] = [:]
    /// Whether statements store the values of their parameters, for `takeOver`.
    package var keepsBindings = false
    var readTransaction: ReadTransaction?
    /// The names of the attached databases that `readSchemaVersions` has found.
    package internal(set) var attachedNames: [String] = []
    var versionStatements: [ExactText: Statement] = [:]
    /// Statements that every round runs, and that therefore are found without their text.
    var mainStatements: (dataVersion: Statement?, schemaVersion: Statement?)
    /// Where the main database has a file: whether that is at its path. Made at the first commit.
    var mainFile: FilePresence?

    private init(handle: OpaquePointer, isOwned: Bool) {
        unsafe self.handle = handle
        self.isOwned = isOwned
        unsafe statements.connection = self
    }

    /// Opens a database file, or a private one for ":memory:".
    ///
    /// - Parameter immutable: Whether nothing changes the file as long as it is open, not even this
    ///   connection.
    package static func open(
        path: String, readOnly: Bool, create: Bool, immutable: Bool = false
    ) throws(StoreError) -> Connection {
        var handle: OpaquePointer?
        var mode = create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE
        if readOnly || immutable { mode = SQLITE_OPEN_READONLY }
        // SQLite built with SQLITE_USE_URI would parse "file:" as the beginning of a URI.
        var name = path.hasPrefix("file:") ? "./" + path : path
        if immutable, path != ":memory:" {
            name = Self.immutableURI(name)
            mode |= SQLITE_OPEN_URI
        }
        // No mutex: one thread at a time uses a store (https://www.sqlite.org/threadsafe.html).
        let code = unsafe sqlite3_open_v2(
            name, &handle, mode | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOMUTEX, StoreFiles.nameToOpen)
        guard code == SQLITE_OK, let handle = unsafe handle else {
            let failure = unsafe StoreError(code: code, connection: handle)
            unsafe sqlite3_close_v2(handle)
            throw StoreError(failure.status, "can't open \(path): \(failure.message)", sqliteCode: failure.sqliteCode)
        }
        return unsafe Connection(handle: handle, isOwned: true)
    }

    package static func adopt(_ handle: OpaquePointer) -> Connection {
        unsafe Connection(handle: handle, isOwned: false)
    }

    /// Whether the process was forked since it was opened. Then it is never used again: its memory
    /// in SQLite, which may be locked, remains, and so do its descriptors.
    package var isForked: Bool { activity.isForked }

    /// Finalizes all statements, and closes the connection if it was opened here. If what a
    /// half-way statement wrote could not be committed, returns the reason.
    @discardableResult
    package func close() -> StoreError? {
        if isForked { statements.discard() }
        let failures = statements.finalize()
        readTransaction = nil
        versionStatements = [:]
        mainStatements = (nil, nil)
        mainFile = nil
        if isForked {
            // Nothing of SQLite is called.
        } else if isOwned {
            unsafe sqlite3_close_v2(handle)
        } else {
            for registration in registrations.values { registration.remove(from: self) }
        }
        registrations = [:]
        unsafe handle = nil
        isOpen = false
        return failures.first
    }

    deinit { close() }

    /// Continues with the databases of another connection, which this one closes: everything that
    /// is registered here, and all statements with the values of their parameters, are made again
    /// on them. On throw it is as it was. No statement may be under way.
    package func takeOver(_ other: Connection) throws(StoreError) {
        let former = unsafe handle
        unsafe handle = other.handle
        do throws(StoreError) {
            for registration in registrations.values { try registration.register(with: self) }
            try statements.prepareAgain()
        } catch {
            unsafe handle = former
            throw error
        }
        // The other one closes the former databases.
        unsafe other.handle = former
        other.close()
        encoding = nil
        mainFile = nil
        attachedNames = other.attachedNames
    }

    /// Whether a statement was stepped and not reset since.
    package var hasStatementUnderWay: Bool { statements.isAnyUnderWay }

    /// Whether the calling thread has jumped out of work on the connection, which therefore never
    /// ends.
    package var isAbandoned: Bool { activity.isAbandoned }

    /// Throws if another thread uses the connection, or in the middle of a statement.
    package func checkIdle() throws(StoreError) { try activity.checkIdle() }

    /// Whether it is open and no work on it is under way: it is neither abandoned nor in use.
    package var isReady: Bool { isOpen && activity.isNone }

    /// Whether no transaction is open that a COMMIT or ROLLBACK has to end.
    package var isAutocommit: Bool { unsafe !isOpen || sqlite3_get_autocommit(handle) != 0 }

    /// Whether any database has uncommitted writes: in a transaction that was begun, or by a
    /// half-way statement, which commits when it ends.
    package var hasUncommittedWrites: Bool {
        unsafe handle != nil && sqlite3_txn_state(handle, nil) == SQLITE_TXN_WRITE
    }

    /// Whether a transaction is open: one that was begun, or the transaction of a half-way
    /// statement that writes.
    package var isInTransaction: Bool { !isAutocommit || hasUncommittedWrites }

    package var changes: Int64 { unsafe sqlite3_changes64(handle) }
    package var lastInsertRowid: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    /// Whether the main database can't be written, however it was opened: SQLite opens a
    /// write-protected file for reading (https://www.sqlite.org/c3ref/open.html).
    package var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle, "main") == 1 }

    /// The file of the main database; nil for a database in memory.
    package var fileName: String? { fileName(of: "main") }

    /// The file of a database; nil for a database in memory, and if no database has that name.
    package func fileName(of database: String) -> String? {
        guard let name = unsafe sqlite3_db_filename(handle, database), unsafe name.pointee != 0 else { return nil }
        return unsafe String(cString: name)
    }

    package func setBusyTimeout(milliseconds: Int32) { unsafe sqlite3_busy_timeout(handle, milliseconds) }

    /// Makes the running statement end with an error. Any thread, as long as the connection is
    /// open.
    package func interrupt() { unsafe sqlite3_interrupt(handle) }

    /// Reads how the database stores its texts, which can change as long as the database is empty.
    /// Statements prepared from now on rely on it.
    package func readEncoding() throws(StoreError) {
        let statement = try prepare("PRAGMA encoding")
        encoding = try statement.step() ? TextEncoding(pragma: statement.text(0)) : nil
    }

    /// Prepares exactly one statement.
    package func prepare(_ sql: String) throws(StoreError) -> Statement { try Statement(connection: self, sql: sql) }

    /// Passes the statements of a script to `body`, one after another. Each is prepared when the
    /// one before has run.
    package func eachStatement(of script: String, _ body: (Statement) throws -> Void) throws {
        var text = script
        while let (statement, tail) = try Statement.prepareFirst(of: text, connection: self) {
            try body(statement)
            text = tail
        }
    }

    /// Runs one statement without parameters that is not worth caching.
    package func execute(_ sql: String) throws(StoreError) { try prepare(sql).run() }

    /// The registration of its kind. The first use creates it with `make`.
    func registration<Kind: Registration>(_ make: () -> Kind) throws(StoreError) -> Kind {
        if let known = registrations[ObjectIdentifier(Kind.self)] as? Kind { return known }
        let registration = make()
        try registration.register(with: self)
        registrations[ObjectIdentifier(Kind.self)] = registration
        return registration
    }

    func failure(_ code: Int32, sql: String? = nil) -> StoreError {
        // An adopted connection returns primary codes, unless the program has enabled extended
        // ones.
        let extended = unsafe sqlite3_extended_errcode(handle)
        let code = extended & 0xff == code ? extended : code
        // The commit hook refuses only commits that SQLite itself refuses in rollback-journal
        // modes.
        if code == SQLITE_CONSTRAINT | (2 << 8) || code == StoreError.movedFile, let moved = movedFileFailure {
            return StoreError(moved.status, moved.message, sqliteCode: moved.sqliteCode, sql: sql)
        }
        return unsafe StoreError(code: code, connection: handle, sql: sql)
    }
}

/// A function or a table of the library that is registered with a connection until the connection
/// closes.
protocol Registration: AnyObject {
    /// Registers it with the databases of a connection.
    func register(with connection: Connection) throws(StoreError)
    /// Removes it from a connection that stays open.
    func remove(from connection: Connection)
}

/// The additions of the program to a connection: functions, or collations. They stay with an
/// adopted connection, as its schema may need them.
final class Additions<Item>: Registration {
    private(set) var items: [Item] = []
    private let register: (Item, Connection) throws(StoreError) -> Void

    init(_ register: @escaping (Item, Connection) throws(StoreError) -> Void) { self.register = register }

    /// Adds an item in place of the ones that it replaces.
    func add(_ item: Item, replacing isReplaced: (Item) -> Bool) {
        items.removeAll(where: isReplaced)
        items.append(item)
    }

    func register(with connection: Connection) throws(StoreError) {
        for item in items { try register(item, connection) }
    }

    func remove(from connection: Connection) {}
}

/// Names of files as SQLite reads them with parameters (https://www.sqlite.org/uri.html).
extension Connection {
    /// The name of a file that nothing changes.
    fileprivate static func immutableURI(_ path: String) -> String {
        // After two slashes a URI has the name of a machine, which is empty here.
        (path.hasPrefix("/") ? "file://" : "file:") + escaped(path) + "?immutable=1"
    }

    /// A path in which all bytes that can have a meaning are "%" and two hexadecimal digits.
    private static func escaped(_ path: String) -> String {
        var result = ""
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return result
    }
}
