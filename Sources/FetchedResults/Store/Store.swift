package import SQLiteKit

/// One SQLite database, through which the program writes and whose committed changes reach the controllers made from
/// it.
///
/// A store and everything that comes from it is used by one thread at a time.
public final class Store {
    package let connection: Connection
    let capture: ChangeCapture
    let subscriptions = Subscriptions()
    let queuesDelivery: Bool
    /// Whether the program may use the connection behind the store's back.
    private(set) var isShared: Bool

    /// Whether nobody changes the database, by the program's word.
    let isImmutable: Bool

    /// How many savepoints `begin` has opened inside the current transaction.
    var savepoints = 0
    /// In which deliveries wait for each other.
    package let queue = DeliveryQueue()
    /// Whether the store waits in it.
    var isWaiting = false
    /// What a language binding keeps beside the store.
    package var attachment: AnyObject?
    /// What the program wants called after a round.
    var roundFunctions = RoundFunctions()
    /// Whether `dispatch` had to leave something for the end of the transaction that is open.
    var wantsDispatch = false
    /// Whether lists are due after a pause, and wait for a round.
    var hasDueLists = false
    /// Whether a statement ran that may have changed the schema.
    var mayHaveChangedSchema = false {
        didSet { if mayHaveChangedSchema { tables = KnownTables() } }
    }
    package var schemaVersions: [ExactText: Int64]
    /// What told the commits of other connections apart when the last round ended.
    package var dataVersion: Connection.DataVersion
    /// What the pager counted when the last round ended: it has counted on if anybody committed since.
    var pagerVersion: Connection.PagerVersion
    /// What is known of tables until the schema changes.
    var tables = KnownTables()
    /// Controllers whose fetch in the background is under way.
    var fetching: [FetchedResultsController] = []
    /// Called on the thread of such a fetch before it reads, for tests.
    package var willReadInBackground: @Sendable (_ isStopped: () -> Bool) -> Void = { _ in }
    /// Tells the program that there is something to dispatch; made when it is first asked for.
    private(set) var wakeUp: WakeUp?
    private var statements: [ExactText: Statement] = [:]
    /// The lists that are kept by name; nil for a database without a file.
    let cache: ListCache?
    /// The database's stamp before the fetch under way began to read; nil if the state that it reads was settled
    /// before.
    var stampBeforeFetch: DatabaseStamp?

    /// Opens the database at `path`, or a private one in memory for ":memory:".
    public convenience init(path: String, options: StoreOptions = StoreOptions()) throws {
        try self.init(
            connection: try Self.open(path, options), queuesDelivery: options.queuesDelivery, isShared: false,
            isImmutable: options.isImmutable, cacheDirectory: options.cacheDirectory)
    }

    /// Makes a store of a connection that the program has opened and will close itself, after the store.
    ///
    /// The store takes over its preupdate, commit and rollback hooks and its authorizer, of which SQLite has one each
    /// per connection; closing the store leaves them empty. What the program writes through the connection itself is
    /// seen, and delivered at the next `dispatch` or at the next write through the store. Throws `misuse` for a
    /// connection that an open store uses already.
    ///
    /// - Parameters:
    ///   - handle: The `sqlite3 *`, which has to stay open until the store is closed.
    ///   - queuesDelivery: As in `StoreOptions`, and so is `cacheDirectory`; all else of the connection stays as it is.
    public convenience init(
        adopting handle: OpaquePointer, queuesDelivery: Bool = false, cacheDirectory: String? = nil
    ) throws {
        try self.init(
            connection: Connection.adopt(handle), queuesDelivery: queuesDelivery, isShared: true,
            isImmutable: false, cacheDirectory: cacheDirectory)
    }

    private init(
        connection: Connection, queuesDelivery: Bool, isShared: Bool, isImmutable: Bool, cacheDirectory: String?
    ) throws {
        self.connection = connection
        cache = connection.fileName.flatMap { ListCache(database: $0, directory: cacheDirectory) }
        self.queuesDelivery = queuesDelivery
        self.isShared = isShared
        schemaVersions = try connection.readSchemaVersions()
        dataVersion = try connection.readDataVersion()
        pagerVersion = connection.pagerVersion
        self.isImmutable = isImmutable
        capture = ChangeCapture(connection: connection)
        try capture.start()
        subscriptions.unwatch = { [capture] in capture.unwatch($0) }
    }

    deinit { shutDown() }

    public var isClosed: Bool { !connection.isOpen }

    /// Closes the store; an open transaction is rolled back. Controllers and statements made from it answer that it is
    /// closed; objects and changes stay whole.
    ///
    /// A statement that writes and is half-way commits; should that fail, this throws, and the store is closed all the
    /// same. Throws `misuse`, and does nothing, in the middle of a statement: in a collation or the progress of a
    /// fetch.
    public func close() throws(StoreError) {
        guard connection.isOpen else { return }
        if !isAbandoned { try checkOpen() }
        if let failure = shutDown() { throw failure }
    }

    @discardableResult
    private func shutDown() -> StoreError? {
        guard connection.isOpen else { return nil }
        let fetching = fetching
        for controller in fetching { controller.cancelFetch() }
        if isAbandoned { connection.abandonWork() } else { cacheLists() }
        capture.stop()
        // Should this fail, closing the connection rolls back (https://www.sqlite.org/c3ref/close.html).
        if !connection.isAutocommit, !isShared { try? connection.execute("ROLLBACK") }
        subscriptions.removeAll()
        // What the program does when they are released finds the store closed.
        let unfinished = roundFunctions
        defer { withExtendedLifetime(unfinished) {} }
        roundFunctions = RoundFunctions()
        self.fetching = []
        tables = KnownTables()
        statements = [:]
        let failure = connection.close()
        for controller in fetching { controller.fetch = nil }
        return failure
    }

    /// Throws if the store is closed, if another thread is at work on it, or in the middle of a statement.
    package func checkOpen() throws(StoreError) {
        if isClosed { throw StoreError(.closed, "the store is closed") }
        if isAbandoned { throw DeliveryQueue.abandonment }
        try connection.activity.checkIdle()
    }

    /// Whether the program has jumped out of a callback of the store.
    private var isAbandoned: Bool { connection.activity.isAbandoned || queue.isAbandoned }

    /// The store's own connection, a `sqlite3 *`, for what this interface does not offer. It lives until the store is
    /// closed. Do not close it, and leave its hooks and authorizer alone. Statements that change data are seen, and
    /// delivered as those of an adopted connection.
    public var sqliteHandle: OpaquePointer {
        get throws {
            guard let handle = connection.handle else { throw StoreError(.closed, "the store is closed") }
            // From now on the program is expected to use it as well.
            isShared = true
            return handle
        }
    }

    /// Whether one delivery can be of several commits.
    var mergesCommits: Bool { queuesDelivery || isShared }

    /// The descriptor that is readable when there is something to dispatch.
    func wakeUpDescriptor() throws(StoreError) -> WakeUp? {
        try checkOpen()
        if wakeUp == nil {
            wakeUp = WakeUp()
            capture.didCommit = { [weak self] in
                if let self, mergesCommits { wakeUp?.signal() }
            }
            if hasUndeliveredChanges { wakeUp?.signal() }
        }
        return wakeUp
    }

    /// A statement that is kept prepared by its text.
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
