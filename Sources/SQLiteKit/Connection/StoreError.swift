internal import CSQLite
internal import Glibc

/// An error of a store, a request or a controller.
public struct StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of failure. Raw values equal the status codes of the C interface.
    public enum Status: Int32, Sendable {
        /// SQLite failed in a way that has no status of its own; see `sqliteCode`.
        case error = 1
        /// A call in a state that does not allow it, or an argument that is not allowed.
        case misuse = 2
        /// The store was closed.
        case closed = 3
        /// An index, a count or an option is outside its range.
        case range = 4
        /// A string from the caller is not valid UTF-8. Only the C interface reports it.
        case invalidUTF8 = 5
        /// A value has an unsuitable type.
        case type = 6
        /// There is no such row, child or record.
        case notFound = 7
        /// The list was read before its first fetch.
        case notFetched = 8
        /// There is no such table, column, key path or collation.
        case schema = 9
        /// The SQL text is wrong, or has a different number of parameters.
        case sql = 10
        /// A constraint of the schema was violated.
        case constraint = 11
        /// The database is locked, or a statement that writes is half-way.
        case busy = 12
        /// The store or the database can't be written.
        case readOnly = 13
        /// The file can't be opened, read or written, or the disk is full.
        case io = 14
        /// The file is not a database, or is damaged.
        case corrupt = 15
        /// SQLite could not allocate memory.
        case noMemory = 16
        /// The program ended the operation, by a callback or by `cancelFetch`.
        case cancelled = 17
        /// The row was changed or deleted and is no longer part of the shown state, or a history
        /// does not go back that far.
        case gone = 18
    }

    /// The kind of failure.
    public let status: Status
    /// The error, in English, with the name of its cause.
    public let message: String
    /// SQLite's extended result code; 0 if SQLite was not involved.
    public let sqliteCode: Int32
    /// The statement in which it happened.
    public let sql: String?

    /// An error of a program's own, for instance for `LiveList.reportFailure`.
    ///
    /// - Parameters:
    ///   - status: The kind of failure.
    ///   - message: The error, in English.
    ///   - sqliteCode: SQLite's extended result code; 0 if SQLite was not involved.
    ///   - sql: The statement in which it happened; nil if there was none.
    public init(_ status: Status, _ message: String, sqliteCode: Int32 = 0, sql: String? = nil) {
        self.status = status
        self.message = message
        self.sqliteCode = sqliteCode
        self.sql = sql
    }

    /// The message, with the statement if there is one.
    public var description: String { sql.map { "\(message) (in: \($0))" } ?? message }
}

extension StoreError {
    /// The failure that SQLite has just reported on a connection.
    init(code: Int32, connection: OpaquePointer?, sql: String? = nil) {
        let extended = unsafe connection.map { unsafe sqlite3_extended_errcode($0) } ?? code
        // The connection's message belongs to its last failure, which can differ from `code`.
        let isLast = extended & 0xff == code & 0xff
        let text = unsafe isLast ? connection.flatMap { unsafe sqlite3_errmsg($0) } : sqlite3_errstr(code)
        let message = unsafe text.map { unsafe String(cString: $0) } ?? "unknown failure"
        let lacksDescriptors = unsafe code & 0xff == SQLITE_CANTOPEN && Self.lacksDescriptors(connection)
        self.init(
            Status(sqliteCode: code), lacksDescriptors ? "\(message): \(Self.noDescriptors)" : message,
            sqliteCode: isLast ? extended : code, sql: sql)
    }

    private static var noDescriptors: String { "there are no file descriptors left (see ulimit -n)" }

    /// Whether a file could not be opened because there were no descriptors left.
    package var isOfDescriptors: Bool { message.hasSuffix(Self.noDescriptors) }

    /// Whether there are no descriptors left, or were not when a connection failed, which may have
    /// closed some files since.
    private static func lacksDescriptors(_ connection: OpaquePointer?) -> Bool {
        func isLack(_ code: Int32) -> Bool { code == EMFILE || code == ENFILE }
        if let connection = unsafe connection, unsafe isLack(sqlite3_system_errno(connection)) { return true }
        let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { return isLack(errno) }
        close(descriptor)
        return false
    }
}

extension StoreError.Status {
    /// https://www.sqlite.org/rescode.html
    init(sqliteCode code: Int32) {
        self =
            switch code & 0xff {
            case SQLITE_CONSTRAINT: .constraint
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .readOnly
            case SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_FULL, SQLITE_NOLFS, SQLITE_PROTOCOL: .io
            case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
            case SQLITE_NOMEM: .noMemory
            case SQLITE_INTERRUPT: .cancelled
            case SQLITE_MISMATCH: .type
            case SQLITE_RANGE, SQLITE_TOOBIG: .range
            case SQLITE_MISUSE: .misuse
            case SQLITE_SCHEMA: .schema
            default: .error
            }
    }
}

extension StoreError {
    /// Any error as a `StoreError`.
    package init(any error: any Error) {
        self = error as? StoreError ?? StoreError(.error, "\(error)")
    }
}

extension Forks {
    package static var misuse: StoreError {
        StoreError(.misuse, "the store was opened before the process was forked: it can only be closed here")
    }
}
