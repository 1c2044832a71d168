internal import LogFollower
package import SQLiteKit

/// One SQLite database, through which the program writes and whose committed changes are delivered
/// to its controllers.
///
/// A store and everything that belongs to it is used by one thread at a time.
public final class Store {
    package let connection: Connection
    /// Delivers changes to the lists.
    let delivery: StoreDelivery
    /// Whether no connection changes the database, according to the program.
    let isImmutable: Bool

    /// How many savepoints `begin` has opened inside the current transaction.
    var savepoints = 0
    /// The step that is under way, until its transaction ends.
    var openStep: (name: String, joins: Bool, schemaVersions: [ExactText: Int64])?
    /// The steps that can be undone and redone.
    var undoSteps = UndoSteps()
    /// The object that a language binding stores with the store.
    package var attachment: AnyObject?
    /// The known tables until the schema changes.
    var tables = KnownTables()
    /// Lists whose fetch in the background is under way.
    var fetching: [any FollowingList] = []
    /// Called on the thread of such a fetch before it reads, for tests.
    package var willReadInBackground: @Sendable (_ isStopped: () -> Bool) -> Void = { _ in }
    private var statements: [ExactText: Statement] = [:]
    private var knownBegin: (mode: TransactionMode, statement: Statement)?
    private var knownCommit: Statement?
    /// The lists that are cached by name; nil for a database without a file, and if there is no
    /// directory for them.
    let cache: ListCache?
    /// Why lists could not be cached, by their names.
    var cacheFailures: [String: StoreError] = [:]
    /// The state that the fetch under way reads: the database's stamp before it began, and the
    /// position of the log if that is known. nil if the state was settled before.
    var stateBeforeFetch: (stamp: DatabaseStamp, position: LogPosition?)?

    /// Opens the database at `path`, or a private one in memory for ":memory:".
    public convenience init(path: String, options: StoreOptions = StoreOptions()) throws {
        try self.init(
            connection: try Self.open(path, options), queuesDelivery: options.queuesDelivery, isShared: false,
            isImmutable: options.isImmutable, cacheDirectory: options.cacheDirectory,
            pollInterval: options.pollInterval,
            snapshotLimit: options.snapshotLimit)
        if options.followsPath { followPath(options) }
    }

    /// Makes the store continue with another file that is at the database's path.
    private func followPath(_ options: StoreOptions) {
        connection.keepsBindings = true
        delivery.paths = FollowedPaths { [unowned self] in
            // Their results would be results of the former file.
            for list in fetching { list.restartFetch() }
            // They can be of tables that the new file does not have.
            (tables, statements) = (KnownTables(), [:])
            return try Self.reopen(connection, options)
        }
    }

    /// Creates a store of a connection that the program has opened and will close itself, after the
    /// store.
    ///
    /// The store takes over its preupdate, commit and rollback hooks and its authorizer, of which
    /// SQLite has one each per connection; closing the store leaves them empty. Writes of the
    /// program through the connection itself are detected, and delivered at the next `dispatch` or
    /// at the next write through the store. Throws `misuse` for a connection that an open store
    /// uses already.
    ///
    /// - Parameters:
    ///   - handle: The `sqlite3 *`, which has to stay open until the store is closed.
    ///   - queuesDelivery: As in `StoreOptions`, and so are `cacheDirectory`, `pollInterval` and
    ///     `snapshotLimit`; all other settings of the connection stay as they are.
    public convenience init(
        adopting handle: OpaquePointer, queuesDelivery: Bool = false, cacheDirectory: String? = nil,
        pollInterval: Int32 = StoreOptions().pollInterval, snapshotLimit: Int = StoreOptions().snapshotLimit
    ) throws {
        unsafe try self.init(
            connection: Connection.adopt(handle), queuesDelivery: queuesDelivery, isShared: true,
            isImmutable: false, cacheDirectory: cacheDirectory, pollInterval: pollInterval,
            snapshotLimit: snapshotLimit)
    }

    private init(
        connection: Connection, queuesDelivery: Bool, isShared: Bool, isImmutable: Bool, cacheDirectory: String?,
        pollInterval: Int32, snapshotLimit: Int
    ) throws {
        try connection.addFullTextFunctions()
        self.connection = connection
        self.isImmutable = isImmutable
        cache = connection.fileName.flatMap { ListCache(database: $0, directory: cacheDirectory) }
        delivery = try StoreDelivery(
            connection, isQueued: queuesDelivery, isShared: isShared, pollInterval: pollInterval,
            snapshotLimit: snapshotLimit)
    }

    deinit { shutDown() }

    /// Whether the store was closed.
    public var isClosed: Bool { !connection.isOpen }

    /// Closes the store; an open transaction is rolled back. Controllers and statements of it then
    /// throw `closed`; objects and changes stay valid.
    ///
    /// A half-way statement that writes commits; if that fails, this throws, and the store is
    /// closed anyway. So it is if a list with a cache name could not be cached, now or earlier: the
    /// next start then reads the list. Throws `misuse`, and does nothing, in the middle of a
    /// statement: in a collation or the progress of a fetch.
    ///
    /// In a process that was forked since the store was opened, this releases memory alone.
    public func close() throws(StoreError) {
        guard connection.isOpen else { return }
        if !delivery.isAbandoned, !connection.isForked { try checkOpen() }
        if let failure = shutDown() ?? cacheFailures.min(by: { $0.key < $1.key })?.value { throw failure }
    }

    @discardableResult
    private func shutDown() -> StoreError? {
        guard connection.isOpen else { return nil }
        if connection.isForked {
            forget()
            return nil
        }
        let fetching = fetching
        for list in fetching { list.cancelFetch() }
        if delivery.isAbandoned { connection.abandonWork() } else { cacheLists() }
        let failure = delivery.end {
            // If this fails, closing the connection rolls back
            // (https://www.sqlite.org/c3ref/close.html).
            if !connection.isAutocommit, !delivery.isShared { try? connection.execute("ROLLBACK") }
            self.fetching = []
            tables = KnownTables()
            statements = [:]
            knownBegin = nil
            knownCommit = nil
            return connection.close()
        }
        for list in fetching { list.discardFetch() }
        delivery.announcers.end()
        return failure
    }

    /// Releases what the store has in memory, in a process that was forked: what else it has
    /// belongs to the process that opened it.
    private func forget() {
        tables = KnownTables()
        statements = [:]
        knownBegin = nil
        knownCommit = nil
        connection.close()
        delivery.forget()
        for list in exchange(&fetching, with: []) { list.discardFetch() }
        delivery.announcers.end()
    }

    /// Throws if the store is closed, if another thread is using it, or in the middle of a
    /// statement.
    package func checkOpen() throws(StoreError) { try delivery.checkOpen() }

    /// The store's own connection, a `sqlite3 *`, for functions that this interface does not offer.
    /// It lives until the store is closed. Do not close it, and do not change its hooks and
    /// authorizer. Statements that change data are detected, and delivered as the changes of an
    /// adopted connection.
    public var sqliteHandle: OpaquePointer {
        get throws {
            guard let handle = unsafe connection.handle else { throw StoreError(.closed, "the store is closed") }
            // From now on the program is expected to use it as well.
            delivery.isShared = true
            return unsafe handle
        }
    }

    /// BEGIN, which is needed too often to be looked up.
    func beginStatement(_ mode: TransactionMode) throws(StoreError) -> Statement {
        if let knownBegin, knownBegin.mode == mode { return knownBegin.statement }
        let statement = try connection.prepare(mode.begin)
        knownBegin = (mode, statement)
        return statement
    }

    /// COMMIT, of which the same is true.
    var commitStatement: Statement {
        get throws(StoreError) {
            if let knownCommit { return knownCommit }
            let statement = try connection.prepare("COMMIT")
            knownCommit = statement
            return statement
        }
    }

    /// A statement that stays prepared, by its text.
    func statement(_ sql: String) throws(StoreError) -> Statement {
        try checkOpen()
        let text = ExactText(sql)
        if let statement = statements[text], !statement.isUnderWay { return statement }
        let statement = try connection.prepare(sql)
        if statements.count >= 100 { statements = [:] }
        statements[text] = statement
        return statement
    }
}
