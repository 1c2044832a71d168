internal import CSQLite
internal import Glibc

/// What keeping a list for a later start asks of a connection.
extension Connection {
    /// Whether a transaction is open that has written to the main database, or holds its write lock.
    package var isWriting: Bool { sqlite3_txn_state(handle, "main") == SQLITE_TXN_WRITE }

    /// Runs `body` while no other connection can write.
    ///
    /// - Parameter mayWait: Whether to wait for another one as the program has told the connection to, whose way to wait is
    ///   then left alone; else `busy` is thrown at once.
    package func withoutOtherWriters<Result>(mayWait: Bool, _ body: () throws -> Result) throws -> Result {
        let timeout = mayWait ? nil : try firstRow(of: "PRAGMA busy_timeout").first
        if timeout != nil { sqlite3_busy_timeout(handle, 0) }
        defer { if let timeout { sqlite3_busy_timeout(handle, Int32(truncatingIfNeeded: timeout)) } }
        try execute("BEGIN IMMEDIATE")
        // Nothing was written that could fail to be committed.
        defer { try? execute("COMMIT") }
        // Of a database that is open for reading it takes no lock (https://www.sqlite.org/lang_transaction.html).
        guard isWriting else { throw StoreError(.readOnly, "the database can't be locked for writing") }
        return try body()
    }

    /// Has the write-ahead log copied into the database file, as far as that can be done without waiting for anyone; true
    /// if all of it was (https://www.sqlite.org/pragma.html#pragma_wal_checkpoint).
    package func checkpoint() throws -> Bool {
        let row = try firstRow(of: "PRAGMA main.wal_checkpoint(PASSIVE)")
        return row.count == 3 && row[0] == 0 && row[1] == row[2]
    }

    /// Whether SQLite waits until what it writes is on the disk, at least when the write-ahead log goes into the database
    /// (https://www.sqlite.org/pragma.html#pragma_synchronous).
    package var isSynchronous: Bool { get throws { try firstRow(of: "PRAGMA main.synchronous").first != 0 } }

    /// Whether functions answer the same for the same arguments, now and after a restart: those that SQLite brings along,
    /// without those that tell the time, chance or the connection's state.
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

    /// https://www.sqlite.org/lang_corefunc.html and https://www.sqlite.org/lang_datefunc.html
    private static let changingFunctions: Set<String> = [
        "random", "randomblob", "changes", "total_changes", "last_insert_rowid", "load_extension",
        "date", "time", "datetime", "julianday", "unixepoch", "strftime", "timediff",
        "current_date", "current_time", "current_timestamp",
    ]

    /// What decides on the meaning of a statement beside its text and the database: versions, and settings of the connection.
    package func readDialect() throws -> String {
        let isCaseSensitive = try firstRow(of: "SELECT 'a' LIKE 'A'").first == 0
        let library = String(cString: sqlite3_libversion())
        return "SQLite \(library), \(Self.libcVersion), LIKE \(isCaseSensitive ? "with" : "without") case"
    }

    /// The version of the C library, whose orders of texts can change with it.
    private static var libcVersion: String {
        var buffer = [CChar](repeating: 0, count: 64)
        guard confstr(Int32(_CS_GNU_LIBC_VERSION), &buffer, buffer.count) > 0 else { return "another C library" }
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
