internal import SQLiteKit

extension Store {
    /// How a transaction begins (https://www.sqlite.org/lang_transaction.html).
    public enum TransactionMode: Int32, Sendable {
        /// Takes a read lock with the first read and the write lock with the first write, which may
        /// fail with `busy`.
        case deferred = 0
        /// Takes the write lock when it begins.
        case immediate = 1
        /// As `immediate`; in rollback modes other connections can't read either until it ends.
        case exclusive = 2

        /// The statement with which it begins.
        var begin: String {
            switch self {
            case .deferred: "BEGIN DEFERRED"
            case .immediate: "BEGIN IMMEDIATE"
            case .exclusive: "BEGIN EXCLUSIVE"
            }
        }
    }

    /// Whether a transaction is open, including one held by an unfinished write statement. Throws
    /// `closed` after `close`.
    public var isInTransaction: Bool {
        get throws {
            try checkOpen()
            return connection.isInTransaction
        }
    }

    /// Begins a transaction, or, inside one, a savepoint. Each is ended by its own `commit` or
    /// `rollback`. Throws `busy` while a statement that writes is half-way: SQLite could not
    /// commit.
    public func begin(_ mode: TransactionMode = .immediate) throws {
        try checkOpen()
        if openStep != nil { endForeignStep() }
        if connection.isAutocommit {
            guard !connection.isInTransaction else {
                throw StoreError(.busy, "a statement that writes is half-way; step it to its end, or reset it")
            }
            savepoints = 0
            try beginStatement(mode).run()
        } else {
            try connection.execute("SAVEPOINT fr_\(savepoints + 1)")
            savepoints += 1
        }
    }

    /// Commits the transaction or savepoint of the innermost `begin`; the outermost commit
    /// delivers. On failure the transaction is still open.
    public func commit() throws {
        try checkInTransaction()
        if savepoints > 0 {
            try connection.execute("RELEASE fr_\(savepoints)")
            savepoints -= 1
        } else {
            let commit = try commitStatement
            try commitStep { try connection.activity.work { try delivery.commitPreparing(commit, run: run) } }
        }
    }

    /// Rolls back everything since the innermost `begin`.
    public func rollback() throws {
        try checkInTransaction()
        if savepoints > 0 {
            delivery.capture.noteRollback()
            try connection.execute("ROLLBACK TO fr_\(savepoints)")
            try connection.execute("RELEASE fr_\(savepoints)")
            savepoints -= 1
        } else {
            try run(statement("ROLLBACK"))
        }
    }

    private func checkInTransaction() throws {
        try checkOpen()
        guard !connection.isAutocommit else { throw StoreError(.misuse, "there is no transaction to end") }
    }

    /// Runs `body` in a transaction (or savepoint): committed if it returns, rolled back if it
    /// throws.
    public func transaction<Result>(_ mode: TransactionMode = .immediate, _ body: () throws -> Result) throws -> Result
    {
        // Prepared beforehand: the reason for the rollback may be a lack of memory.
        _ = try statement("ROLLBACK")
        try begin(mode)
        return try committing(body)
    }

    /// Runs `body` in the transaction that was begun: committed if it returns, rolled back if it
    /// throws.
    func committing<Result>(_ body: () throws -> Result) throws -> Result {
        var returned: Result?
        do {
            try connection.activity.workCallingOut { returned = try body() }
        } catch {
            // SQLite may have rolled back by itself.
            if !isClosed, !connection.isAutocommit { try rollback() }
            throw error
        }
        do {
            try commit()
        } catch {
            if !isClosed, !connection.isAutocommit { try rollback() }
            throw error
        }
        // The body has returned, as nothing was thrown.
        return unsafe returned.unsafelyUnwrapped
    }
}
