internal import ListEngine
internal import LogFollower
internal import SQLiteKit

/// Delivers the commits of one connection, and of all other ones, to the lists of its store.
///
/// The path of a commit: `ChangeCapture` notes the touched rows during the transaction;
/// `deliverIfDue`, called after each statement, takes them as a `Round`; the lists that the round
/// affects prepare their next states; `Delivery` notifies, switches and notifies.
final class StoreDelivery {
    /// The state that lists are read in.
    enum Reading {
        /// The committed one, which the lists show or are about to show.
        case committed
        /// The one of the open transaction, whose changes are prepared before it is committed.
        case early
        /// The one of a fetch, as long as its read transaction is open.
        case fetch(Fetch)

        struct Fetch {
            let version: Connection.DataVersion
            /// Whether the fetch can begin again, so that logs are opened that it is the first to
            /// read.
            let opensLogs: Bool
            /// Holds the state readable, if the lists do not show it yet.
            let ahead: (any ShownState)?
        }

        var fetch: Fetch? { if case .fetch(let fetch) = self { fetch } else { nil } }
    }

    let connection: Connection
    let capture: ChangeCapture
    let foreign: ForeignDatabases
    let history: History
    let subscriptions = Subscriptions()
    let announcers = Announcers()
    let compiledRequests = CompiledRequests()
    /// The queue in which deliveries wait for each other.
    let queue = DeliveryQueue()
    /// Whether own commits are delivered only when the program requests it.
    let isQueued: Bool
    /// Whether the program may use the connection without the store.
    var isShared: Bool

    /// Whether the delivery waits in the queue.
    var isWaiting = false
    /// The paths of the databases; nil if the store keeps the files that it has opened.
    var paths: FollowedPaths?
    /// The functions that the program has registered to be called after a round.
    var functions = RoundFunctions()
    /// The dispatch under way.
    var dispatch: DispatchCount?
    /// How much of the last round the logs showed, for tests.
    var known = KnownRows.all
    let meter: RoundMeter
    var reading = Reading.committed
    var versions: ShownVersions
    let waking: Waking

    init(
        _ connection: Connection, isQueued: Bool, isShared: Bool, pollInterval: Int32, snapshotLimit: Int
    ) throws {
        self.connection = connection
        self.isQueued = isQueued
        self.isShared = isShared
        versions = try ShownVersions(of: connection)
        capture = ChangeCapture(connection: connection)
        meter = RoundMeter(capture)
        foreign = ForeignDatabases(connection, capture, snapshotLimit: snapshotLimit)
        waking = Waking(connection, foreign, pollInterval: pollInterval)
        history = History(connection)
        unsafe try capture.start()
        subscriptions.unwatch = { [capture] in capture.unwatch($0) }
    }

    /// Ends all deliveries. Functions that wait for one are released only when `body`, which closes
    /// the connection, has returned: the store is closed when the program is called by their
    /// release.
    func end<Result>(_ body: () -> Result) -> Result {
        capture.stop()
        endFollowing()
        subscriptions.removeAll()
        let unfinished = (functions, meter.trace)
        defer { withExtendedLifetime(unfinished) {} }
        functions = RoundFunctions()
        meter.trace = nil
        return body()
    }

    /// Releases what notifies the program, and leaves what follows the database's files as it is.
    func forget() {
        subscriptions.removeAll()
        functions = RoundFunctions()
        meter.trace = nil
    }

    /// Closes what follows the database's files in addition to the store's own connection.
    func endFollowing() {
        foreign.end()
        waking.stopWatching()
    }

    // MARK: Access

    /// Throws if the store is closed, if another thread is using it, or in the middle of a
    /// statement.
    @inline(__always)
    func checkOpen() throws(StoreError) {
        if connection.isReady, !queue.isAbandoned { return }
        try checkUnready()
    }

    /// The same, where a callback or a statement may be under way.
    private func checkUnready() throws(StoreError) {
        if !connection.isOpen { throw StoreError(.closed, "the store is closed") }
        if isAbandoned { throw DeliveryQueue.abandonment }
        try connection.checkIdle()
    }

    /// Whether the program has jumped out of a callback of the store.
    var isAbandoned: Bool { connection.isAbandoned || queue.isAbandoned }

    /// Whether one delivery can contain several commits.
    var mergesCommits: Bool { isQueued || isShared }

    /// The descriptor that is readable when there is something to dispatch; nil if the process has
    /// none left.
    func wakeUpDescriptor() throws(StoreError) -> WakeUp? {
        try checkOpen()
        if let wakeUp = waking.wakeUp { return wakeUp }
        guard let wakeUp = waking.makeWakeUp() else { return nil }
        capture.didCommit = { [weak self] in
            guard let self else { return }
            // The current dispatch delivers commits that are made during it, or leaves them.
            let wakes = mergesCommits && dispatch == nil
            waking.watcher?.willCommit(wakes: wakes)
            if wakes { wakeUp.signal() }
        }
        if hasUndeliveredChanges { wakeUp.signal() }
        watchFiles()
        return wakeUp
    }

    /// Wakes the program when other connections commit, if it wants to be, and limits the log, if
    /// it is followed.
    func watchFiles() { waking.watchFiles(hasForeignCommits: hasForeignCommits) }

    // MARK: Dispatching

    /// The program dispatches: from now on it is woken again. `didDispatch` follows at the end.
    ///
    /// - Parameter limit: The greatest number of rounds that may change lists; nil for no limit.
    func willDispatch(_ limit: Int?) {
        dispatch = DispatchCount(limit: limit)
        waking.willDispatch()
    }

    /// The deliveries of the current dispatch; what it leaves for the next one makes the descriptor
    /// readable.
    var dispatched: DispatchResult {
        guard let dispatch else { return DispatchResult() }
        var result = dispatch.result
        result.isComplete = !dispatch.isCut && !waking.hasPostponed && !hasUndeliveredChanges
        if dispatch.isCut { waking.wakeAgain() }
        return result
    }

    func didDispatch() {
        dispatch = nil
        watchFiles()
        waking.watcher?.didDispatch()
    }

    // MARK: Versions

    /// Notes that a statement runs that may change the schema.
    ///
    /// - Parameter isExclusive: Whether it may also change the mode of a log, or which databases
    ///   there are.
    func noteSchemaChange(isExclusive: Bool) {
        if isExclusive {
            foreign.pause()
            waking.stopWatching()
        }
        history.discard()
        versions.noteSchemaChange()
    }

    /// Notes that the lists show the committed state, according to the pager.
    func notePager() { versions.notePager(of: connection) }

    func readDataVersion() throws -> Connection.DataVersion {
        try reading.fetch?.version ?? connection.readDataVersion()
    }

    func readSchemaVersions() throws -> [ExactText: Int64] {
        let isShown = try !mayHaveOtherSchema && !hasForeignCommits()
        return isShown ? versions.schema : try connection.readSchemaVersions()
    }

    /// Whether the schema is the one that the lists show.
    func isSchemaShown() throws -> Bool { try connection.readSchemaVersions() == versions.schema }
}

extension StoreDelivery: DatabaseState {
    var dataVersion: Connection.DataVersion { versions.data }
    var schemaVersions: [ExactText: Int64] { versions.schema }
    var fetchedAhead: (any ShownState)? { reading.fetch?.ahead }

    /// Whether there are writes that the lists do not show yet.
    var hasUndeliveredChanges: Bool { !capture.isEmpty || versions.mayHaveChangedSchema }

    /// Whether the database may have changed in a way that no hook reported.
    var hasUnknownChanges: Bool { versions.mayHaveChangedSchema }

    /// Whether this connection may have changed the schema since the last round.
    var mayHaveOtherSchema: Bool { versions.mayHaveChangedSchema || isShared }

    /// Whether no connection has committed since the last round, according to the pager, which is
    /// right once it holds a lock.
    var isPagerUnchanged: Bool { versions.isPagerUnchanged(connection) }

    var writeCount: Int { capture.writeCount }
    var rollbackCount: Int { capture.rollbackCount }

    func hasAllTouched(_ watch: TableWatch) -> Bool { capture.hasAllTouched(watch) }

    func shownState(of name: ExactText?) -> (any FollowedState)? { foreign.shownState(of: name) }

    var isBeforeCommit: Bool { if case .early = reading { true } else { false } }

    /// Notes the pager's version while a lock is held, unless there is something that no round has
    /// delivered.
    func willReadList() throws {
        if try !hasForeignCommits() { notePager() }
        // The list is the first one of an attached database, whose log was not open when the state
        // was taken.
        if reading.fetch?.opensLogs ?? false, foreign.openWatched() { throw UnknownPosition(self) }
    }
}
