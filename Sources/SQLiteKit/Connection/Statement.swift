internal import CSQLite

/// One prepared statement.
///
/// Safe except for its handle and the addresses that it returns. The handle is valid until the
/// statement is finalized, and then nil. A connection that closes finalizes its statements.
@safe package final class Statement {
    package private(set) var handle: OpaquePointer?
    package let sql: String
    package let kind: StatementKind
    private let openStatements: OpenStatements
    package let activity: Activity
    /// Whether the statement was stepped and not reset since.
    package private(set) var isUnderWay = false
    /// The user whose values the parameters have, where several share the statement.
    package var boundBy: UInt64?
    /// Whether the database stores its texts as UTF-8.
    let isUTF8: Bool
    /// The values of its parameters by their numbers; nil if the connection does not keep them.
    var bindings: [Int: Value]?
    /// The handle that `prepareAgain` has replaced.
    private var former: OpaquePointer?

    private init(handle: OpaquePointer, sql: String, connection: Connection) {
        unsafe self.handle = handle
        self.sql = sql
        openStatements = connection.statements
        activity = connection.activity
        kind = StatementKind(sql: sql)
        isUTF8 = connection.isUTF8
        bindings = connection.keepsBindings ? [:] : nil
        openStatements.add(self)
    }

    deinit {
        if !activity.isForked { unsafe sqlite3_finalize(handle) }
        openStatements.remove(self)
    }

    /// Discards the statement, which another process has.
    func discard() {
        unsafe handle = nil
        isUnderWay = false
    }

    /// Prepares exactly one statement.
    convenience init(connection: Connection, sql: String) throws(StoreError) {
        let (handle, tail) = unsafe try Self.compile(sql, connection: connection)
        guard let handle = unsafe handle else {
            throw StoreError(.sql, "there is no SQL statement in the text", sql: sql)
        }
        if let tail, SQLTokens(tail).contains(where: { $0.token != .punctuation(";") }) {
            unsafe sqlite3_finalize(handle)
            throw StoreError(.sql, "only one SQL statement is allowed here", sql: sql)
        }
        unsafe self.init(handle: handle, sql: sql, connection: connection)
    }

    /// Prepares the first statement of a script; nil if there is none left.
    static func prepareFirst(
        of script: String, connection: Connection
    ) throws(StoreError) -> (statement: Statement, tail: String)? {
        var text = script
        while !text.isEmpty {
            let (handle, tail) = unsafe try compile(text, connection: connection)
            if let handle = unsafe handle {
                return unsafe (Statement(handle: handle, sql: text, connection: connection), tail ?? "")
            }
            text = tail ?? ""
        }
        return nil
    }

    private static func compile(
        _ sql: String, connection: Connection
    ) throws(StoreError) -> (handle: OpaquePointer?, tail: String?) {
        guard let db = unsafe connection.handle else { throw StoreError(.closed, "the store is closed") }
        var sqlText = sql
        var handle: OpaquePointer?
        var tail: String?
        let failedBefore = connection.activity.comparisonFailure != nil
        let code = sqlText.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { text -> Int32 in
                guard let start = text.baseAddress else { return SQLITE_OK }
                var end: UnsafePointer<CChar>?
                // With the length SQLite does not search for a NUL, which a Swift string does not
                // have.
                let code = unsafe sqlite3_prepare_v3(
                    db, start, Int32(clamping: text.count), UInt32(SQLITE_PREPARE_PERSISTENT), &handle, &end)
                if let end = unsafe end, unsafe end < start + text.count {
                    tail = unsafe String(decoding: bytes[(end - start)...], as: UTF8.self)
                }
                return code
            }
        }
        // SQLite can compare values of an index's statistics.
        if !failedBefore, let failure = connection.activity.comparisonFailure {
            connection.activity.endFailure()
            unsafe sqlite3_finalize(handle)
            throw failure.error
        }
        guard code == SQLITE_OK else {
            let failure = connection.failure(code, sql: sql)
            // SQLite has one code, SQLITE_ERROR, for everything that is wrong with a text.
            throw code & 0xff == SQLITE_ERROR
                ? StoreError(.sql, failure.message, sqliteCode: failure.sqliteCode, sql: sql) : failure
        }
        return unsafe (handle, tail)
    }

    /// Finalizes the statement; from now on its functions fail because the store is closed. For a
    /// half-way statement that writes, this commits what it wrote; returns the failure of that.
    func finalize() -> StoreError? {
        let wasUnderWay = isUnderWay
        let code = unsafe sqlite3_finalize(handle)
        let failure = wasUnderWay && code != SQLITE_OK ? openStatements.failure(code, sql) : nil
        unsafe handle = nil
        isUnderWay = false
        return failure
    }

    /// Prepares the statement on the databases that its connection has now, with the values of its
    /// parameters. `endPreparing` follows.
    func prepareAgain() throws(StoreError) {
        guard let connection = unsafe openStatements.connection else { return }
        let prepared = unsafe try Self.compile(sql, connection: connection).handle
        unsafe (former, handle) = (handle, prepared)
        do throws(StoreError) {
            for (index, value) in bindings ?? [:] { try bind(value, at: index) }
        } catch {
            endPreparing(restoring: true)
            throw error
        }
    }

    /// Continues with the statement that was prepared again, or with the former one.
    func endPreparing(restoring: Bool) {
        if restoring { unsafe swap(&former, &handle) }
        unsafe sqlite3_finalize(former)
        unsafe former = nil
    }

    /// How many steps the virtual machine has taken since the last call.
    package func takeSteps() -> Int {
        let steps = unsafe sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 1)
        // The count of a very long run begins again.
        return steps < 0 ? Int(Int32.max) : Int(steps)
    }

    package var isReadOnly: Bool { unsafe sqlite3_stmt_readonly(handle) != 0 }

    /// Steps to the next row; false at the end, where the statement is reset.
    @discardableResult
    package func step() throws(StoreError) -> Bool {
        try activity.beginStatement()
        let code = stepAlone()
        activity.endStatement()
        return try isRow(code)
    }

    /// Steps to the next rows, and calls `body` with each, which reads that row and nothing else.
    /// There are fewer than `count` at the end, where the statement is reset.
    func step(upTo count: Int, _ body: () -> Void) throws(StoreError) {
        try activity.beginStatement()
        var code = SQLITE_ROW
        for _ in 0..<count {
            code = stepAlone()
            guard code == SQLITE_ROW else { break }
            isUnderWay = true
            body()
        }
        activity.endStatement()
        _ = try isRow(code)
    }

    @inline(__always)
    private func stepAlone() -> Int32 { activity.times == nil ? unsafe sqlite3_step(handle) : measuredStep() }

    /// Whether a step has led to a row. Throws what the step, or a comparison in it, has failed
    /// with.
    @inline(__always)
    private func isRow(_ code: Int32) throws(StoreError) -> Bool {
        if let failure = activity.comparisonFailure { throw endOfFailedComparison(failure) }
        if code == SQLITE_ROW {
            isUnderWay = true
            return true
        }
        guard code == SQLITE_DONE else { throw failure(code) }
        unsafe sqlite3_reset(handle)
        isUnderWay = false
        return false
    }

    /// A step whose time is noted.
    private func measuredStep() -> Int32 {
        let start = monotonicTime()
        let code = unsafe sqlite3_step(handle)
        activity.times?.note(sql, isFirst: !isUnderWay, isRow: code == SQLITE_ROW, monotonicTime() - start)
        return code
    }

    /// Rolls back the open transaction, if there is one.
    func undoTransaction() { unsafe openStatements.connection?.rollBackTransaction() }

    private func failure(_ code: Int32) -> StoreError {
        guard unsafe handle != nil, let failure = openStatements.failure(code, sql) else {
            return StoreError(.closed, "the store is closed")
        }
        reset()
        return failure
    }

    /// Runs the statement from the beginning to the end, and discards its rows.
    package func run() throws(StoreError) {
        while try step() {}
    }

    /// Returns to the beginning. This can't fail for a statement that reads; `end` must end a
    /// half-way statement that writes.
    package func reset() {
        if !activity.isForked { unsafe sqlite3_reset(handle) }
        isUnderWay = false
    }

    /// Returns to the beginning, although there may be more rows. A statement that writes has
    /// written everything before its first row, and commits now, unless a transaction is open. If
    /// the commit fails, the statement has written nothing.
    package func end() throws(StoreError) {
        guard isUnderWay, !activity.isForked else { return reset() }
        let code = unsafe sqlite3_reset(handle)
        isUnderWay = false
        guard code == SQLITE_OK else { throw failure(code) }
    }
}

/// The kind of a statement, which its first word determines.
package enum StatementKind: Sendable {
    /// SELECT, INSERT, UPDATE, DELETE, ...: hooks report what it changes.
    case data
    /// BEGIN, COMMIT, SAVEPOINT, ...
    case transaction
    /// ROLLBACK, also to a savepoint.
    case rollback
    /// CREATE, DROP, ALTER, ...: no hook reports what it changes.
    case schema
    /// VACUUM, ATTACH, PRAGMA, ...: the same, and it may need a database for itself, or change
    /// which databases there are.
    case exclusive

    init(sql: String) {
        guard case .word(let word)? = SQLTokens(sql).first(where: { $0.token != .punctuation(";") })?.token else {
            self = .exclusive
            return
        }
        self =
            switch word.uppercased() {
            case "SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH", "VALUES", "EXPLAIN": .data
            case "BEGIN", "COMMIT", "END", "SAVEPOINT", "RELEASE": .transaction
            case "ROLLBACK": .rollback
            case "CREATE", "DROP", "ALTER", "REINDEX", "ANALYZE": .schema
            default: .exclusive
            }
    }
}
