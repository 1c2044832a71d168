internal import SQLiteKit

/// Undo and redo of steps: transactions that the program names.
///
/// A step is undone by the exact inverse of what its transaction changed, if the rows are still as
/// it left them. Only steps are recorded, and only writes of this store can be undone.
extension Store {
    /// Runs `body` in a transaction that can be undone: committed if it returns, rolled back if it
    /// throws. Inside another step it is a part of that one, which can be rolled back alone. Throws
    /// `misuse` inside another transaction.
    ///
    /// A step that changes nothing leaves all steps as they are; another one ends what can be done
    /// again. A step that can't be undone is recorded as well, and `undo` throws the reason: if its
    /// rows take more memory than the limit, if it changes the schema, or if it writes to a virtual
    /// table other than a full-text index of fts5.
    ///
    /// - Parameters:
    ///   - name: The user's action, for example "Delete 3 notes". `undoName` returns it.
    ///   - joinsLast: Whether the step becomes a part of the last one if that has the same name and
    ///     nothing was undone since, so that one `undo` reverses both.
    public func step<Result>(
        _ name: String, joinsLast: Bool = false, _ body: () throws -> Result
    ) throws -> Result {
        // Prepared beforehand, as in `transaction`.
        _ = try statement("ROLLBACK")
        try beginStep(name, joinsLast: joinsLast)
        return try committing(body)
    }

    /// Begins a step, which `commit` or `rollback` ends; as `step`.
    public func beginStep(_ name: String, joinsLast: Bool = false) throws {
        try checkOpen()
        endForeignStep()
        if openStep != nil { return try begin() }
        guard !connection.isInTransaction else {
            throw StoreError(.misuse, "a step is a transaction of its own, but one is open already")
        }
        try begin()
        do {
            let versions = try connection.readSchemaVersions()
            let recorder = ChangeRecorder(connection: connection, byteLimit: undoSteps.limit.bytes) { [connection] in
                try RecordedTransaction.layout($0, $1, connection)
            }
            openStep = (name, joinsLast, versions)
            delivery.capture.record(with: recorder)
        } catch {
            try rollback()
            throw error
        }
    }

    /// Commits a transaction by `body`, and adds it to the steps if it is one. The steps have
    /// changed when observers are notified.
    func commitStep(_ body: () throws -> Void) throws {
        guard let recorder = delivery.capture.recorder, let step = openStep else { return try body() }
        let former = undoSteps
        let outcome = Result {
            try RecordedTransaction.read(
                recorder, since: step.schemaVersions, byteLimit: undoSteps.limit.bytes, connection)
        }
        endRecording()
        add(outcome, step.name, joins: step.joins)
        do {
            try body()
        } catch {
            // If the transaction is still open, it can be committed later.
            undoSteps = former
            if !isClosed, !connection.isAutocommit {
                openStep = step
                delivery.capture.record(with: recorder)
            }
            throw error
        }
    }

    private func add(_ outcome: Result<RecordedTransaction?, any Error>, _ name: String, joins: Bool) {
        switch outcome {
        case .success(let transaction?): undoSteps.add(UndoStep(name, .success(transaction)), joins: joins)
        case .success(nil): break
        case .failure(let error): undoSteps.add(UndoStep(name, .failure(error)), joins: false)
        }
    }

    private func endRecording() {
        openStep = nil
        delivery.capture.stopRecording()
    }

    /// Ends a step whose transaction has ended in another way than by `commit`: it was rolled back,
    /// or a statement of the program has committed it.
    func endForeignStep() {
        guard let step = openStep, connection.isAutocommit || delivery.capture.recorder == nil else { return }
        let isCommitted = delivery.capture.recorder?.isCommitting ?? false
        endRecording()
        if isCommitted { add(.failure(RecordedTransaction.foreignCommit), step.name, joins: false) }
    }

    /// Undoes the last step in one transaction, which is delivered as any write, so that `redo` can
    /// do it again.
    ///
    /// The rows of the step are as before it, whatever changed them: statements, triggers, foreign
    /// keys, REPLACE. No trigger runs, and foreign keys do nothing, except that they are checked.
    /// Numbers that AUTOINCREMENT has used stay used.
    ///
    /// On failure nothing has changed, and the step is still the next one. Throws
    /// - `gone`, with the names of the rows, if any row of the step is not as the step left it,
    /// - `constraint` if a row that was written since is in the way,
    /// - `schema` if the schema has changed, and the reason if the step can't be undone,
    /// - `notFound` if there is nothing to undo, and `misuse` in a transaction.
    ///
    /// O(m log n) for m rows of the step.
    public func undo() throws { try reverse(to: .old) }

    /// Does the step again that was undone last; as `undo`.
    public func redo() throws { try reverse(to: .new) }

    private func reverse(to side: TransactionSide) throws {
        try checkOpen()
        endForeignStep()
        let verb = side == .old ? "undone" : "redone"
        guard !connection.isInTransaction else {
            throw StoreError(.misuse, "nothing can be \(verb) inside a transaction")
        }
        guard let step = undoSteps.next(to: side) else { throw StoreError(.notFound, "there is nothing to be \(verb)") }
        let former = undoSteps
        do {
            if let failure = step.failure { throw failure }
            try transaction {
                let reversal = Reversal(connection: connection, capture: delivery.capture, history: delivery.history)
                for transaction in side == .old ? step.transactions.reversed() : step.transactions {
                    try reversal.apply(transaction, to: side)
                }
                undoSteps.move(to: side)
            }
        } catch {
            undoSteps = former
            let error = StoreError(any: error)
            throw StoreError(
                error.status, "\"\(step.name)\" can't be \(verb): \(error.message)", sqliteCode: error.sqliteCode,
                sql: error.sql)
        }
    }

    /// The name of the step that `undo` would undo; nil if there is none. It has changed when the
    /// observers of a step's changes are notified.
    public var undoName: String? {
        get throws { try nextName(to: .old) }
    }

    /// The name of the step that `redo` would do again; nil if there is none.
    public var redoName: String? {
        get throws { try nextName(to: .new) }
    }

    private func nextName(to side: TransactionSide) throws -> String? {
        try checkOpen()
        endForeignStep()
        return undoSteps.next(to: side)?.name
    }

    /// Discards the last steps, all of them unless `count` says how many, and everything that could
    /// be done again. So a program continues with the steps before one that can't be undone.
    public func discardSteps(_ count: Int = .max) throws {
        try checkOpen()
        endForeignStep()
        guard count >= 0 else { throw StoreError(.range, "\(count) steps can't be discarded") }
        undoSteps.discard(count)
    }

    /// Limits how many steps are recorded, and the bytes of memory that their rows take, which are
    /// 100 and 64 MiB unless they are set. The oldest steps are discarded. A step that alone takes
    /// more can't be undone.
    public func setUndoLimit(steps: Int, bytes: Int) throws {
        try checkOpen()
        guard steps >= 0, bytes >= 0 else { throw StoreError(.range, "the limits of undo can't be negative") }
        undoSteps.limit = (steps, bytes)
    }
}
