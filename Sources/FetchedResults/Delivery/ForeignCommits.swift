internal import ListEngine
internal import LogFollower
internal import SQLiteKit

/// What other connections commit to one database of the store, row by row, as far as its write-ahead log says it.
///
/// `ForeignDatabases` calls `latest` before a read transaction, and in it `note` and then `skip`, `noteShown` or
/// `restart`, so that this follows the states that the lists show. In between, the read transaction that the follower
/// holds shows the rows of the delivered state.
///
/// The thread of the store's `CommitWatcher` looks after the log, so that a program that does not dispatch does not
/// make it grow for ever. The lock is for that.
final class ForeignCommits: @unchecked Sendable {
    private let connection: Connection
    private let capture: ChangeCapture
    /// The name under which the store's connection knows the database.
    let name: ExactText
    /// Its file; nil for a database in memory.
    let path: String?
    private let lock = Lock()
    private var follower: LogFollower?
    /// What the lists show otherwise than the state that the follower holds.
    private var later = LaterContents()
    /// Whether the follower is at a state that the lists do not show yet.
    private var isAhead = false
    /// Whether what led there is not known, so that the lists have to be read.
    private var isUnknown = false
    /// Whether an attempt to follow may succeed.
    private var mayFollow: Bool
    /// How much the log may grow behind the state that is held, in bytes; 0 to hold none.
    private let snapshotLimit: Int
    private var counters = LogCounters()
    /// Later states that are held as well, for lists that were fetched in them.
    private var ahead: [WeakState] = []

    init(_ name: ExactText, of connection: Connection, _ capture: ChangeCapture, snapshotLimit: Int) {
        self.name = name
        self.connection = connection
        self.capture = capture
        path = connection.fileName(of: name.text)
        self.snapshotLimit = snapshotLimit
        mayFollow = false
        mayFollow = canFollow
    }

    private var canFollow: Bool { snapshotLimit > 0 && path != nil }

    var isFollowing: Bool { follower != nil }

    /// Ends following, so that the database can leave WAL mode, or be closed.
    func end() {
        lock.locked {
            if let follower { counters.add(follower.counters) }
            follower?.close()
            follower = nil
            releaseAhead()
        }
    }

    /// Ends following until the next `start`, as before statements that need the database for themselves.
    func pause() {
        end()
        mayFollow = canFollow
    }

    /// The position of the log now; nil if it is not followed. A read transaction that begins after it, and before it
    /// is asked for again with the same answer, shows that state.
    var latest: LogPosition? { lock.locked { follower?.latest() } }

    /// Whether the log is where it was, as far as it is followed.
    func isStill(at position: LogPosition?) -> Bool { follower == nil || position != nil && latest == position }

    /// What following has cost.
    var allCounters: LogCounters {
        lock.locked {
            var counters = counters
            if let follower { counters.add(follower.counters) }
            return counters
        }
    }

    // MARK: Following

    /// Opens the log, so that its position is known. Does nothing if it is open already, or can't be opened.
    func open() {
        guard mayFollow, follower == nil else { return }
        do {
            guard let file = try connection.loggedFile(of: name.text), let follower = try LogFollower(file) else {
                return mayFollow = false
            }
            lock.locked { self.follower = follower }
        } catch {
            mayFollow = false
        }
    }

    /// Begins to follow at the state that the lists show. Does nothing if it is followed already, or can't be.
    func start(in delivery: StoreDelivery) {
        open()
        guard mayFollow, let follower else { return }
        mayFollow = false
        do {
            try delivery.readingKnownState(willRead: { delivery.watcher?.willDeliver() }) { positions in
                let showsState = try !delivery.hasForeignCommits() && !delivery.hasUndeliveredChanges
                guard showsState, let position = delivery.foreign.position(of: self, in: positions) else { return true }
                return try restart(follower, at: position)
            }
        } catch {
            // Commits of others are then found by reading the lists.
            end()
        }
    }

    /// Begins to follow at a state that is being read, and that the lists show. Does nothing if it is followed already,
    /// if the log is not open, or if the state is not the last one any more.
    func start(at position: LogPosition?) {
        guard mayFollow, let follower, let position else { return }
        do {
            if try restart(follower, at: position) { mayFollow = false }
        } catch {
            end()
        }
    }

    /// The rows that differ between an earlier state and the one that the read transaction under way shows, by the
    /// watches of their tables; nil if the log does not say it.
    ///
    /// - Parameter position: That of the state that is read.
    func changes(
        since mark: LogMark, upTo position: LogPosition, _ tables: [TableWatch]
    ) throws(StoreError) -> [(watch: TableWatch, rows: TouchedRows)]? {
        // One that is not following yet, and does not come to.
        guard let file = try connection.loggedFile(of: name.text), let log = try LogFollower(file) else { return nil }
        defer { log.close() }
        let names = Set(tables.map { ExactText($0.table) })
        guard let changes = try log.changes(since: mark, upTo: position, names) else { return nil }
        return capture.touched(in: name, changes.map { ($0.table, $0.rows) }, old: nil)
    }

    /// Whether the database file has all that is in the log.
    var isLogInFile: Bool { lock.locked { follower?.isLogInFile ?? false } }

    /// Notes the state that the lists show from now on, which only this connection has changed, if anyone has. Does
    /// nothing if what others have changed was noted.
    ///
    /// - Parameter isChanged: Whether it has, if the position does not tell.
    func skip(to position: LogPosition?, isChanged: Bool) {
        guard let follower, !isAhead else { return }
        guard let position else { return isChanged ? lose(.raced) : () }
        lock.locked {
            guard let former = follower.position else { return restart(at: position) }
            if former == position { return }
            follower.skip(to: position)
            later.isBehind = true
        }
    }

    /// Notes a commit of this connection that was delivered already, and that wrote to the database. If another one has
    /// come after it, the two can't be separated. One that left all pages as they were is not in the log.
    func noteOwnCommit() {
        lock.locked {
            guard let follower, let former = follower.position else { return }
            let latest = follower.latest()
            if latest == former { return }
            if let latest, latest.commitCount == former.commitCount &+ 1 {
                follower.skip(to: latest)
                later.isBehind = true
            } else {
                lose(.raced)
            }
        }
    }

    /// Follows on from a state that was read as a whole.
    func restart(at position: LogPosition?) {
        guard let follower else { return mayFollow = canFollow }
        do {
            if let position, try restart(follower, at: position) { return }
            try lock.locked { try follower.release() }
        } catch {
            end()
        }
    }

    private func restart(_ follower: LogFollower, at position: LogPosition) throws -> Bool {
        try lock.locked {
            later = LaterContents()
            return try follower.restart(at: position)
        }
    }

    /// Has what others have committed noted as touched by the capture, and follows on from there.
    ///
    /// - Returns: Whether all of it was noted; nil if the position is not that of the last commit any more.
    func note(upTo position: LogPosition?) -> Bool? {
        guard let follower, let position else { return false }
        // A state that was noted before another database was found to be in a later one.
        if isAhead, follower.position == position { return !isUnknown }
        do {
            return try lock.locked { try note(follower, upTo: position) }
        } catch {
            end()
            mayFollow = canFollow
            return false
        }
    }

    private func note(_ follower: LogFollower, upTo position: LogPosition) throws -> Bool? {
        let advance = try follower.advance(to: position, capture.tables(in: name)) { changes, old throws(Uncertainty) in
            // A round that failed has noted rows that differ from an earlier state.
            guard !isAhead else { throw Uncertainty.image }
            let rows = changes.map { ($0.table, $0.rows) }
            guard capture.replace(in: name, with: rows, old: old) else { throw Uncertainty.image }
        }
        if advance == .stayed { return nil }
        later = LaterContents()
        isAhead = true
        if advance != .known { isUnknown = true }
        return !isUnknown
    }

    /// The lists show what was noted, or have been read.
    func noteShown() {
        isAhead = false
        isUnknown = false
    }

    private func lose(_ uncertainty: Uncertainty) {
        do { try lock.locked { try follower?.lose(uncertainty) } } catch { end() }
    }

    /// Runs `body` with what still shows the state that the lists show; nil if nothing does.
    func withSnapshot<Result>(_ body: (ShownSnapshot?) throws -> Result) rethrows -> Result {
        try lock.locked {
            guard !isAhead, let connection = follower?.snapshot else { return try body(nil) }
            return try body(ShownSnapshot(connection, later: later))
        }
    }

    /// Runs `body` with what the lists show otherwise than that; not if nothing shows their state.
    func withLaterContents(_ body: (inout LaterContents) -> Void) {
        guard follower != nil else { return }
        lock.locked {
            if follower?.position != nil { body(&later) }
        }
    }

    // MARK: Fetches

    /// Holds a state that was committed after the one that the lists show, for lists that are fetched in it; nil if
    /// that can't be.
    ///
    /// - Parameter position: That of the state, which is the one that is committed now.
    func hold(_ position: LogPosition) throws -> HeldState? {
        guard let follower, follower.position != nil, let file = try connection.loggedFile(of: name.text),
            let state = try HeldState(file, at: position)
        else { return nil }
        lock.locked {
            ahead.removeAll { $0.state == nil }
            ahead.append(WeakState(state: state))
        }
        return state
    }

    /// Releases these states, as the lists show all that was committed.
    func releaseFetched() { lock.locked { releaseAhead() } }

    private struct WeakState {
        weak var state: HeldState?
    }

    private func releaseAhead() {
        for held in ahead { held.state?.end() }
        ahead = []
    }

    private func yield(_ follower: LogFollower) throws(StoreError) {
        releaseAhead()
        try follower.yield()
    }

    // MARK: The log

    /// Moves the read transaction on, and keeps the log short, which can't be begun from its start as long as something
    /// in it is read. Called when no transaction is open.
    ///
    /// - Parameter isIdle: Whether the program has asked for what there is, so that it does not write in a hurry.
    func tidy(isIdle: Bool = false) {
        guard let follower else { return }
        do {
            try lock.locked {
                let isLong = follower.logLength >= Self.checkpointLength
                let mayLag = !isLong && !isIdle && !later.isLong && !later.hasUnknown
                if follower.lag >= (mayLag ? Self.longestLag : 1) { try catchUp(follower) }
                if isLong, follower.isHeldInLog { try follower.checkpoint() }
                if follower.isWrittenBack { try catchUp(follower) }
                // Others write faster than the log can be written back, and would try that at each commit.
                let isTooLong = follower.logLength > Self.longestLength && follower.isInTheWay
                if isTooLong || follower.heldBytes > snapshotLimit { try yield(follower) }
            }
        } catch {
            end()
            mayFollow = canFollow
        }
    }

    private func catchUp(_ follower: LogFollower) throws(StoreError) {
        if try follower.catchUp() { later = LaterContents() }
    }

    /// Lets others begin the log from its start, if all of it is in the database file; releases the state that is held
    /// if the log has grown too much, or if someone waits for that. Called by the watcher's thread; the store's own
    /// does the same when it is at work.
    ///
    /// - Returns: Whether a state is held that others have left behind.
    func guardLog(keepsCheckpointWaiting: Bool) -> Bool {
        let isBehind = lock.lockedIfFree { () -> Bool in
            guard let follower else { return false }
            do {
                if follower.isWrittenBack || follower.lag > 0 { try catchUp(follower) }
                let isTooLong = follower.heldBytes > snapshotLimit
                // The file is not written as long as the state is read from it alone.
                let isInTheWay = follower.isHeldInLog || follower.heldBytes > 0
                if isTooLong || keepsCheckpointWaiting && isInTheWay { try yield(follower) }
            } catch {
                // Nothing is lost: it is tried again at the next notice, and by the store's next step, which ends
                // following if it fails there as well.
            }
            return follower.heldBytes > 0
        }
        return isBehind ?? true
    }

    /// In frames. SQLite's own checkpoints begin at 1,000 (https://www.sqlite.org/wal.html#automatic_checkpoint), and
    /// would be made at each commit as long as the log can't be begun from its start.
    private static let checkpointLength = 800
    private static let longestLength = 2000
    private static let longestLag = 256
}

extension TableChange {
    /// New records before old ones.
    fileprivate var rows: [ChangeCapture.ForeignRow] {
        rowids.map { .rowid($0.rowid, oldRecord: $0.oldRecord) } + newRecords.map { .new(record: $0) }
            + oldRecords.map { .old(record: $0) }
    }
}
