/// What a statement is about, as far as its first word tells.
package enum StatementKind: Sendable {
    /// SELECT, INSERT, UPDATE, DELETE, ...: what it changes, hooks tell.
    case data
    /// BEGIN, COMMIT, SAVEPOINT, ...
    case transaction
    /// CREATE, DROP, ALTER, VACUUM, ATTACH, PRAGMA, ...: what it changes, no hook tells.
    case schema

    init(sql: String) {
        guard case .word(let word)? = SQLTokens(sql).first(where: { $0.token != .punctuation(";") })?.token else {
            self = .schema
            return
        }
        self =
            switch word.uppercased() {
            case "SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH", "VALUES", "EXPLAIN": .data
            case "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE": .transaction
            default: .schema
            }
    }
}
