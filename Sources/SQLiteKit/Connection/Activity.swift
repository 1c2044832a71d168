internal import Glibc

/// The work that is under way on a connection, and its thread.
///
/// One thread at a time uses a connection and everything that belongs to it. A comparison of two
/// numbers detects work that another thread has begun and not ended. In the middle of a statement
/// SQLite has called the program (a collation, a SQL function, the progress of a fetch). There
/// SQLite does not allow the connection to be closed, and the library does not allow a list to be
/// read while it reads one.
package final class Activity {
    private var statements = 0
    private var works = 0
    private var thread: pthread_t?
    private var frames = CallFrames()
    private var wasAbandoned = false
    private let forks = Forks.counted()
    /// The first failure of a comparison in the statement under way. SQLite takes no error from a
    /// comparison, so the statement continues with a wrong order, and must not succeed.
    private(set) var comparisonFailure: ComparisonFailure?
    /// Receives the times of all statements; nil if nobody measures them.
    package var times: StatementTimes?

    /// Whether the process was forked since the connection was opened.
    package var isForked: Bool { forks != Forks.count }

    /// Whether work can begin: none is under way.
    var isNone: Bool { works == 0 && !isForked }

    /// Throws if another thread is at work, in the middle of a statement, and in another process.
    package func checkIdle() throws(StoreError) {
        if isForked { throw Forks.misuse }
        guard works > 0 else { return }
        try checkThread()
        if statements > 0 {
            throw StoreError(.misuse, "a collation, a SQL function or the progress of a fetch can't use its own store")
        }
    }

    /// Whether a call into SQLite by the library is under way.
    var isInStatement: Bool { statements > 0 }

    /// Notes a failed comparison, unless the statement has failed already.
    func fail(_ failure: ComparisonFailure) {
        if comparisonFailure == nil || !isInStatement { comparisonFailure = failure }
    }

    /// Discards the failure of a statement whose writes are undone.
    func endFailure() { comparisonFailure = nil }

    private func checkThread() throws(StoreError) {
        guard let thread, pthread_equal(thread, pthread_self()) == 0 else { return }
        throw StoreError(.misuse, "the store is used by two threads at the same time")
    }

    /// Whether the calling thread has jumped out of its work, which therefore never ends.
    package var isAbandoned: Bool {
        guard works > 0 else { return false }
        if !wasAbandoned { wasAbandoned = frames.areAbandoned }
        return wasAbandoned
    }

    /// Discards work that never ends.
    func abandon() {
        statements = 0
        works = 0
        frames.removeAll()
    }

    /// Runs a piece of work, which may contain other pieces. Throws if another thread is at work.
    package func work<Result>(_ body: () throws -> Result) throws -> Result {
        try begin()
        defer { works &-= 1 }
        return try body()
    }

    /// The same for work that calls the program directly, not only through a delivery or a
    /// statement.
    package func workCallingOut(_ body: () throws -> Void) throws {
        try work { try marking(.large, body) }
    }

    /// Runs the program's code in the middle of a statement; with the small depth if that happens
    /// for each row.
    package func inStatement<Result>(_ depth: CallFrames.Depth, _ body: () throws -> Result) rethrows -> Result {
        if works == 0 { thread = pthread_self() }
        statements &+= 1
        works &+= 1
        defer {
            statements &-= 1
            works &-= 1
        }
        var result: Result?
        try marking(depth) { result = try body() }
        // The body has returned.
        return unsafe result.unsafelyUnwrapped
    }

    private func marking(_ depth: CallFrames.Depth, _ body: () throws -> Void) rethrows {
        try CallFrames.marking(depth) { frame in
            frames.insert(frame)
            defer { frames.remove(frame) }
            try body()
        }
    }

    @inline(__always)
    private func begin() throws(StoreError) {
        if isForked { throw Forks.misuse }
        if works > 0 { try checkThread() } else { thread = pthread_self() }
        works &+= 1
    }

    /// Begins a call into SQLite.
    @inline(__always)
    func beginStatement() throws(StoreError) {
        try begin()
        // A statement that the program ran itself can have left it.
        if let comparisonFailure, !comparisonFailure.isInWrite, statements == 0 { endFailure() }
        statements &+= 1
    }

    @inline(__always)
    func endStatement() {
        statements &-= 1
        works &-= 1
    }
}
