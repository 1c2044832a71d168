internal import Glibc

/// The runs of one statement, or of several statements with the same text.
public struct StatementTrace: Sendable {
    /// The text.
    public let sql: String
    /// How often it was run.
    public fileprivate(set) var runs = 0
    /// The rows that it returned. Rows that SQLite passes on inside the statement, as when it reads
    /// a long list, are not counted.
    public fileprivate(set) var rows = 0
    /// The time in SQLite, in nanoseconds.
    public fileprivate(set) var time = 0
}

/// The times of a connection's statements, noted while it is the `times` of the connection's
/// activity.
package final class StatementTimes {
    /// In the order of the first runs.
    package private(set) var statements: [StatementTrace] = []
    /// The sum over all of them, in nanoseconds.
    package private(set) var total = 0

    package init() {}

    /// Notes one step of a statement.
    func note(_ sql: String, isFirst: Bool, isRow: Bool, _ time: Int) {
        total += time
        // Successive steps are usually of one statement.
        let known =
            statements.last?.sql == sql ? statements.count - 1 : statements.firstIndex { $0.sql == sql }
        if known == nil { statements.append(StatementTrace(sql: sql)) }
        let index = known ?? statements.count - 1
        statements[index].runs += isFirst ? 1 : 0
        statements[index].rows += isRow ? 1 : 0
        statements[index].time += time
    }
}

/// Nanoseconds of a clock that can't be set.
package func monotonicTime() -> Int {
    var time = timespec()
    // Fails only for a clock that the system does not have.
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
