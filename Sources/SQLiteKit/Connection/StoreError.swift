internal import CSQLite

/// What went wrong in a store, a request or a controller.
public struct StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of failure. Raw values equal the status codes of the C interface.
    public enum Status: Int32, Sendable {
        case error = 1
        case misuse = 2
        case closed = 3
        case range = 4
        case invalidUTF8 = 5
        case type = 6
        case notFound = 7
        case notFetched = 8
        case schema = 9
        case sql = 10
        case constraint = 11
        case busy = 12
        case readOnly = 13
        case io = 14
        case corrupt = 15
        case noMemory = 16
        case cancelled = 17
        case gone = 18
    }

    public let status: Status
    public let message: String
    /// SQLite's extended result code; 0 if SQLite was not involved.
    public let sqliteCode: Int32
    /// The statement at which it happened.
    public let sql: String?

    public init(_ status: Status, _ message: String, sqliteCode: Int32 = 0, sql: String? = nil) {
        self.status = status
        self.message = message
        self.sqliteCode = sqliteCode
        self.sql = sql
    }

    public var description: String { sql.map { "\(message) (in: \($0))" } ?? message }
}

extension StoreError {
    /// The failure that SQLite has just reported on a connection.
    init(code: Int32, connection: OpaquePointer?, sql: String? = nil) {
        let extended = unsafe connection.map { unsafe sqlite3_extended_errcode($0) } ?? code
        // The connection's message belongs to its last failure, which can be another one than `code`.
        let isLast = extended & 0xff == code & 0xff
        let text = unsafe isLast ? connection.flatMap { unsafe sqlite3_errmsg($0) } : sqlite3_errstr(code)
        unsafe self.init(
            Status(sqliteCode: code), text.map { unsafe String(cString: $0) } ?? "unknown failure",
            sqliteCode: isLast ? extended : code, sql: sql)
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
    /// Any error as one of the store's own.
    package init(any error: any Error) {
        self = error as? StoreError ?? StoreError(.error, "\(error)")
    }
}
