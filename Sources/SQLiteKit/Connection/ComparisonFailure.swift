internal import CSQLite

/// A comparison of the program that gave no answer.
struct ComparisonFailure {
    let error: StoreError
    /// Whether the connection was writing. Then the transaction must not be committed, since an
    /// index may be in a wrong order.
    let isInWrite: Bool
    /// Whether the program ran the statement itself, on the connection's handle.
    let isOfProgram: Bool
}

extension Statement {
    /// The error of a comparison that failed before the step that has just ended, and was not
    /// reported. Outside of another statement, what was written is undone.
    func endOfFailedComparison(_ failure: ComparisonFailure) -> StoreError {
        // Outside of a transaction this can be a commit, which the commit hook refuses.
        reset()
        if !activity.isInStatement {
            if failure.isOfProgram || !isReadOnly { undoTransaction() }
            activity.endFailure()
        }
        return StoreError(failure.error.status, failure.error.message, sqliteCode: failure.error.sqliteCode, sql: sql)
    }
}

extension Connection {
    /// Rolls back the open transaction, as SQLite itself does after an interrupt.
    func rollBackTransaction() {
        // A rollback that reports a failure has taken place all the same.
        if !isAutocommit { unsafe sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
    }

    /// Whether a comparison failed in the transaction that is about to commit.
    var hasFailedComparison: Bool { activity.comparisonFailure?.isInWrite ?? false }

    /// Discards a failed comparison when its transaction has been rolled back, unless a statement
    /// of the library has yet to report it.
    func endFailedTransaction() {
        if activity.comparisonFailure?.isOfProgram ?? false { activity.endFailure() }
    }
}
