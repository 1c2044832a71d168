internal import CSQLite
internal import Glibc

/// The interface of a connection for the list cache.
extension Connection {
    /// Whether a transaction is open that has written to the main database, or holds its write
    /// lock.
    package var isWriting: Bool { unsafe sqlite3_txn_state(handle, "main") == SQLITE_TXN_WRITE }

    /// Whether a transaction or a statement under way fixes the state of the main database that is
    /// read.
    package var isReading: Bool { unsafe sqlite3_txn_state(handle, "main") != SQLITE_TXN_NONE }

    /// Runs `body`, which only reads, while no other connection can write. The connection is in no
    /// transaction before and after.
    ///
    /// - Parameter mayWait: Whether to wait for another connection in the way that the program has
    ///   configured, which then stays in effect; else `busy` is thrown immediately.
    package func withoutOtherWriters<Answer>(mayWait: Bool, _ body: () throws -> Answer) throws -> Answer {
        // Releasing the lock would roll back what a statement under way has written, to any
        // database.
        guard isAutocommit, unsafe sqlite3_txn_state(handle, nil) != SQLITE_TXN_WRITE else {
            throw StoreError(.busy, "a transaction or a statement that writes is under way")
        }
        let begin = try prepare("BEGIN IMMEDIATE")
        let rollback = try prepare("ROLLBACK")
        let timeout = mayWait ? nil : try firstRow(of: "PRAGMA busy_timeout").first
        if timeout != nil { unsafe sqlite3_busy_timeout(handle, 0) }
        defer { if let timeout { unsafe sqlite3_busy_timeout(handle, Int32(truncatingIfNeeded: timeout)) } }
        try begin.run()
        let answer = Result {
            // SQLite does not lock a database that is opened for reading
            // (https://www.sqlite.org/lang_transaction.html).
            guard isWriting else { throw StoreError(.readOnly, "the database can't be locked for writing") }
            return try body()
        }
        try endLock(begin, rollback)
        return try answer.get()
    }

    /// Ends a transaction that wrote nothing. COMMIT does not suffice: in a rollback mode it needs
    /// exclusive access to the database even then, and fails as long as another connection reads.
    ///
    /// While the program interrupts the connection and has a statement under way, every statement
    /// that begins fails. A statement that writes, as BEGIN IMMEDIATE does, then rolls back;
    /// ROLLBACK, which counts as a statement that reads, does not.
    private func endLock(_ begin: Statement, _ rollback: Statement) throws(StoreError) {
        var failure: StoreError?
        for statement in [rollback, begin, rollback] where !isAutocommit {
            do { try statement.run() } catch { failure = error }
        }
        if !isAutocommit { throw failure ?? StoreError(.error, "the database stays locked") }
    }

    /// Whether SQLite waits until what it writes is on the disk, at least when it copies the
    /// write-ahead log into the database (https://www.sqlite.org/pragma.html#pragma_synchronous).
    package var isSynchronous: Bool { get throws { try firstRow(of: "PRAGMA main.synchronous").first != 0 } }

    /// Whether functions return the same for the same arguments, now and after a restart. These are
    /// SQLite's own functions, except functions that depend on the time, on randomness or on the
    /// connection's state.
    package func areRepeatable(_ functions: Set<String>) throws -> Bool {
        guard !functions.isEmpty else { return true }
        guard functions.isDisjoint(with: Self.changingFunctions) else { return false }
        let statement = try prepare("SELECT 1 FROM pragma_function_list WHERE lower(name) = ?1 AND NOT builtin")
        for function in functions {
            defer { statement.reset() }
            try statement.bind(.text(function), at: 1)
            if try statement.step() { return false }
        }
        return true
    }

    /// A function that can yield another value for the same arguments; nil if all of them are
    /// deterministic (https://www.sqlite.org/deterministic.html).
    package func changingFunction(among functions: Set<String>) throws(StoreError) -> String? {
        let statement = try prepare("SELECT 1 FROM pragma_function_list WHERE lower(name) = ?1 AND NOT flags & ?2")
        try statement.bind(.integer(Int64(SQLITE_DETERMINISTIC)), at: 2)
        for function in functions.sorted() {
            defer { statement.reset() }
            try statement.bind(.text(function), at: 1)
            if try statement.step() { return "\(function)()" }
        }
        return nil
    }

    /// https://www.sqlite.org/lang_corefunc.html and https://www.sqlite.org/lang_datefunc.html
    private static let changingFunctions: Set<String> = [
        "random", "randomblob", "changes", "total_changes", "last_insert_rowid", "load_extension",
        "date", "time", "datetime", "julianday", "unixepoch", "strftime", "timediff",
        "current_date", "current_time", "current_timestamp",
    ]

    /// The settings that determine the meaning of a statement in addition to its text and the
    /// database: versions, and settings of the connection.
    package func readDialect() throws -> String {
        let isCaseSensitive = try firstRow(of: "SELECT 'a' LIKE 'A'").first == 0
        let library = unsafe String(cString: sqlite3_libversion())
        return "SQLite \(library), \(Self.libcVersion), LIKE \(isCaseSensitive ? "with" : "without") case"
    }

    /// The version of the C library, with which the orders of texts can change.
    private static var libcVersion: String {
        var buffer = [CChar](repeating: 0, count: 64)
        guard unsafe confstr(Int32(_CS_GNU_LIBC_VERSION), &buffer, buffer.count) > 0 else { return "another C library" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The integers in the first row of a statement.
    private func firstRow(of sql: String) throws -> [Int64] {
        let statement = try prepare(sql)
        defer { statement.reset() }
        guard try statement.step() else { return [] }
        return (0..<statement.columnCount).map { statement.integer($0) }
    }
}
