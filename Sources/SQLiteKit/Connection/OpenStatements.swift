/// The statements that are prepared on a connection, which finalizes them when it closes.
///
/// Safe except for the connection, which is open or being closed.
///
/// A statement refers to this object rather than weakly to the connection: counting references to
/// an object takes three times as long once a weak one was made.
@safe final class OpenStatements {
    /// nil when the connection has closed.
    unowned(unsafe) var connection: Connection?
    private var statements: [ObjectIdentifier: Unmanaged<Statement>] = unsafe [:]

    func add(_ statement: Statement) {
        unsafe statements[ObjectIdentifier(statement)] = Unmanaged.passUnretained(statement)
    }

    func remove(_ statement: Statement) { unsafe statements[ObjectIdentifier(statement)] = nil }

    /// The failure of a statement's last call; nil when the connection has closed.
    func failure(_ code: Int32, _ sql: String) -> StoreError? { unsafe connection?.failure(code, sql: sql) }

    var isAnyUnderWay: Bool { unsafe statements.values.contains { unsafe $0.takeUnretainedValue().isUnderWay } }

    /// Prepares all on the databases that the connection has now. On throw they are as they were.
    func prepareAgain() throws(StoreError) {
        let all = unsafe statements.values.map { unsafe $0.takeUnretainedValue() }
        var renewed: [Statement] = []
        do throws(StoreError) {
            for statement in all {
                try statement.prepareAgain()
                renewed.append(statement)
            }
        } catch {
            for statement in renewed { statement.endPreparing(restoring: true) }
            throw error
        }
        for statement in renewed { statement.endPreparing(restoring: false) }
    }

    /// Discards all, which a forked process must not finalize.
    func discard() {
        unsafe statements.values.forEach { unsafe $0.takeUnretainedValue().discard() }
        unsafe statements = [:]
    }

    /// Finalizes all, and returns the failures of half-way ones to commit what they wrote.
    func finalize() -> [StoreError] {
        let failures = unsafe statements.values.compactMap { unsafe $0.takeUnretainedValue().finalize() }
        unsafe statements = [:]
        unsafe connection = nil
        return failures
    }
}
