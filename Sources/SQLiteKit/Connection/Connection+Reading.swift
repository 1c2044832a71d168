extension Connection {
    /// Runs `body` in one read transaction, or in the transaction that is open.
    package func reading<Result>(_ body: () throws -> Result) throws -> Result {
        try activity.work {
            guard isAutocommit else { return try body() }
            let transaction = try readTransaction ?? ReadTransaction(self)
            readTransaction = transaction
            let form = try transaction.begin()
            let result: Result
            do {
                result = try body()
            } catch {
                try end(transaction, form)
                throw error
            }
            try end(transaction, form)
            return result
        }
    }

    /// Ends the work under way, because the program has jumped out of it.
    package func abandonWork() {
        activity.abandon()
        // If it does not end now, it ends with the connection, or with the transaction of the
        // program that owns an adopted connection.
        if let readTransaction, readTransaction.isOpen, !isAutocommit {
            _ = Result { try readTransaction.endSavepoint() }
        }
    }

    private func end(_ transaction: ReadTransaction, _ form: ReadTransaction.Holder) throws {
        switch form {
        case .outer: break
        case .statement: transaction.hold.reset()
        // It may have ended already: SQLite rolls back after some errors.
        case .savepoint: if isAutocommit { transaction.noteEnd() } else { try transaction.endSavepoint() }
        }
    }
}

/// The library's own read transactions on a connection.
///
/// Such a transaction is a savepoint. While a statement that may write is half-way, such as INSERT
/// … RETURNING with rows left, SQLite opens no savepoint. It would open a transaction, but would
/// then refuse to commit it (docs/sqlite.md, "Statements that are half-way"). A half-way statement
/// that reads then holds the state.
final class ReadTransaction {
    /// The part of SQLite that holds the state.
    enum Holder {
        case savepoint
        case statement
        /// A half-way statement holds the state already.
        case outer
    }

    private let savepoint: Statement
    private let release: Statement
    private let rollback: Statement
    let hold: Statement
    /// Whether the savepoint is open.
    private(set) var isOpen = false

    init(_ connection: Connection) throws(StoreError) {
        savepoint = try connection.prepare("SAVEPOINT fr_read")
        release = try connection.prepare("RELEASE fr_read")
        rollback = try connection.prepare("ROLLBACK")
        hold = try connection.prepare("PRAGMA main.schema_version")
    }

    func begin() throws(StoreError) -> Holder {
        do {
            try savepoint.run()
            isOpen = true
            return .savepoint
        } catch  where error.status == .busy {
            if hold.isUnderWay { return .outer }
            try hold.step()
            return .statement
        }
    }

    /// RELEASE fails if memory runs out, or if the program has left a statement half-way that
    /// writes. ROLLBACK always ends the transaction, and loses nothing of the library's own
    /// transaction.
    func endSavepoint() throws(StoreError) {
        noteEnd()
        do {
            try release.run()
        } catch {
            try rollback.run()
        }
    }

    func noteEnd() { isOpen = false }
}
