internal import ListEngine
internal import LogFollower
internal import SQLiteKit

/// The commits of other connections to one database of the store, row by row, as far as its
/// write-ahead log shows them.
///
/// `ForeignDatabases` calls `latest` before a read transaction, and in it `note` and then
/// `noteShown`, so that this follows the states that the lists show. In between, the read
/// transaction that the follower holds shows the rows of the delivered state.
///
/// The thread of the store's `CommitWatcher` limits the log, so that it does not grow without bound
/// in a program that does not dispatch. The lock is for that.
final class ForeignCommits: FollowedState, @unchecked Sendable {
    /// The findings in the log for a round that is not prepared yet.
    private enum Noted {
        case nothing
        /// All rows that other connections have touched.
        case rows
        /// That other rows may be touched, so that the lists have to be read.
        case unknown
    }

    /// A later state that is held for lists that were fetched in it. They release it when a round
    /// reaches them.
    private struct Fetched {
        weak var state: AheadState?
    }

    private let connection: Connection
    private let capture: ChangeCapture
    /// The name of the database in the store's connection.
    let name: ExactText
    /// Its file; nil for a database in memory.
    let path: String?
    let lock = Lock()
    /// The store's thread changes it, with the lock; the watcher's thread reads it.
    private var phase: LogPhase<LogFollower>
    var overlay = Overlay()
    /// Not nothing while the follower is at a state that the lists do not show yet.
    private var noted = Noted.nothing
    /// How much the log may grow after the held state, in bytes; 0 to hold none.
    private let snapshotLimit: Int
    private var counters = LogCounters()
    /// The state at which a checkpoint of another connection has stopped, and when that was found.
    private var stopped: (position: LogPosition, since: Int64)?
    private var fetched: [Fetched] = []

    init(_ name: ExactText, of connection: Connection, _ capture: ChangeCapture, snapshotLimit: Int) {
        self.name = name
        self.connection = connection
        self.capture = capture
        path = connection.fileName(of: name.text)
        self.snapshotLimit = snapshotLimit
        phase = snapshotLimit > 0 && path != nil ? .possible : .never
    }

    /// Reads the log. nil if it is not open.
    var follower: LogFollower? { phase.log }

    var isFollowing: Bool { follower != nil }

    private func note(_ event: LogPhase<LogFollower>.Event) { lock.locked { phase = phase.after(event) } }

    /// The state that is followed: the one that the lists show, or are about to show. nil if none
    /// is held.
    var heldPosition: LogPosition? { lock.locked { follower?.position } }

    /// The file, for another connection.
    var file: DatabaseFile? {
        get throws(StoreError) { try connection.loggedFile(of: name.text) }
    }

    /// Ends following, so that the database can leave WAL mode, or be closed.
    func end() {
        lock.locked {
            releaseFetched()
            guard let follower else { return }
            counters.add(follower.counters)
            follower.close()
            note(.closed)
        }
    }

    /// Writes the whole log into the file as far as readers permit it, and ends following.
    func endWritingBack() {
        // Where this fails, the store's connection tries it again.
        _ = Result {
            try lock.locked {
                guard let follower, let latest = follower.latest() else { return }
                if try follower.restart(at: latest) { try follower.checkpoint() }
            }
        }
        end()
    }

    /// Ends following until the next `start`, as before statements that need the database
    /// exclusively.
    func pause() {
        end()
        note(.paused)
    }

    /// The position of the log now; nil if it is not followed. A read transaction that begins after
    /// it, and before another read of it with the same result, shows that state.
    var latest: LogPosition? { follower?.latest() }

    /// Whether the position of the log is unchanged, as far as it is followed.
    func isStill(at position: LogPosition?) -> Bool { follower == nil || position != nil && latest == position }

    /// The cost of following.
    var allCounters: LogCounters {
        lock.locked {
            var counters = counters
            if let follower { counters.add(follower.counters) }
            return counters
        }
    }

    // MARK: Following

    /// Runs `body` with the lock. If it fails, following ends until the next round has read the
    /// lists, and the result is another one.
    private func attempt<Result>(orElse other: Result, _ body: () throws -> Result) -> Result {
        do { return try lock.locked(body) } catch {
            end()
            note(.listsRead)
            return other
        }
    }

    /// Opens the log, so that its position is known. Does nothing if it is open already, or can't
    /// be opened.
    func open() {
        guard case .possible = phase else { return }
        do {
            guard let file = try connection.loggedFile(of: name.text), let follower = try LogFollower(file) else {
                return note(.missing)
            }
            for reader in follower.states.connections {
                try connection.shareFunctions(with: reader, onOtherThread: false)
            }
            note(.opened(follower))
        } catch {
            note(error.status == .corrupt ? .encrypted : .missing)
        }
    }

    /// Begins to follow at the state that the lists show. Does nothing if it is followed already,
    /// or can't be.
    func start(in delivery: StoreDelivery) {
        open()
        guard case .open(let follower) = phase else { return }
        note(.begun)
        do {
            try delivery.readingKnownState(willRead: { delivery.waking.watcher?.willDeliver() }) { positions, _ in
                let showsState = try !delivery.hasForeignCommits() && !delivery.hasUndeliveredChanges
                guard showsState, let position = delivery.foreign.position(of: self, in: positions) else { return true }
                return try restart(follower, at: position)
            }
        } catch {
            // Commits of other connections are then found by reading the lists.
            end()
        }
    }

    /// Begins to follow at a state that is being read, and that the lists show. Does nothing if it
    /// is followed already, if the log is not open, or if the state is not the last one any more.
    func start(at position: LogPosition?) {
        guard case .open(let follower) = phase, let position else { return }
        do {
            if try restart(follower, at: position) { note(.begun) }
        } catch {
            end()
        }
    }

    /// The rows that differ between an earlier state and the one that the current read transaction
    /// shows, by the watches of their tables; nil if the log does not show them.
    ///
    /// - Parameter position: The position of the state that is read.
    func changes(
        since mark: LogMark, upTo position: LogPosition, _ tables: [TableWatch]
    ) throws(StoreError) -> [TouchedTable]? {
        // A follower that is not following yet, and does not begin to.
        guard let file = try connection.loggedFile(of: name.text), let log = try LogFollower(file) else { return nil }
        defer { log.close() }
        let names = Set(tables.map { ExactText($0.table) })
        guard let changes = try log.changes(since: mark, upTo: position, names) else { return nil }
        return capture.touched(in: name, changes, old: nil)
    }

    /// Whether the database file has the whole content of the log.
    var isLogInFile: Bool { lock.locked { follower?.isLogInFile ?? false } }

    /// Notes that the lists are about to show the state that a round reads, with everything that
    /// was fetched ahead of them.
    ///
    /// - Parameters:
    ///   - isKnown: Whether the changes of other connections were noted, or there are none.
    ///   - isChanged: Whether this connection has changed anything, if the position does not show
    ///     it.
    func noteShown(at position: LogPosition?, isKnown: Bool, isChanged: Bool) {
        switch noted {
        case _ where !isKnown: restart(at: position)
        case .nothing: skip(to: position, isChanged: isChanged)
        case .rows, .unknown: break
        }
        noted = .nothing
    }

    /// Continues from a state to which only this connection has changed the database, if any has.
    private func skip(to position: LogPosition?, isChanged: Bool) {
        guard let follower else { return }
        guard let position else { return isChanged ? lose(.raced) : () }
        lock.locked {
            guard let former = follower.position else { return restart(at: position) }
            if former != position { follower.skip(to: position) }
        }
    }

    /// Notes a commit of this connection that was delivered already. A commit that left all pages
    /// as they were is not in the log.
    ///
    /// - Parameter isWritten: Whether it wrote to the database.
    func noteOwnCommit(isWritten: Bool) {
        guard let follower else { return }
        lock.locked {
            let latest = follower.latest()
            guard isWritten, let former = follower.position, latest != former else { return }
            // If other connections have committed since, the first commit is this connection's.
            let isLast = latest?.commitCount == former.commitCount &+ 1
            if let latest, let own = isLast ? latest : follower.nextCommit(before: latest) {
                follower.skip(to: own)
            } else {
                lose(.raced)
            }
        }
    }

    /// Continues from a state that was read as a whole.
    private func restart(at position: LogPosition?) {
        guard let follower else { return note(.listsRead) }
        do {
            if let position, try restart(follower, at: position) { return }
            try lock.locked { try follower.release() }
        } catch {
            end()
        }
    }

    private func restart(_ follower: LogFollower, at position: LogPosition) throws -> Bool {
        try lock.locked {
            overlay.noteOtherState()
            return try follower.restart(at: position)
        }
    }

    // MARK: Rounds

    /// A round begins. Until it ends, no state is released, and the old state stays readable.
    func beginRound() {
        guard let follower else { return }
        lock.locked {
            overlay.beginRound()
            follower.states.beginRound()
        }
    }

    func endRound() {
        guard overlay.isInRound else { return }
        attempt(orElse: ()) {
            overlay.endRound()
            try follower?.states.endRound()
        }
    }

    /// Makes the capture note the commits of other connections as touched rows, and continues from
    /// there.
    ///
    /// - Returns: Whether all of them were noted; nil if the position is not the last
    ///   commit's any more.
    func note(upTo position: LogPosition?) -> Bool? {
        guard let follower, let position else {
            if case .unreadable = phase { lock.locked { counters.add(.pages) } }
            return false
        }
        // A state that was noted before another database turned out to be in a later one.
        if !isShown, follower.position == position { return isNotedKnown }
        do {
            return try lock.lockedSoon {
                let tables = capture.tables(in: name)
                let advance = try follower.advance(to: position, tables) { changes, old throws(Uncertainty) in
                    // A round that failed has noted rows that differ from an earlier state.
                    guard isShown, capture.replace(in: name, with: changes, old: old) else { throw Uncertainty.image }
                }
                if advance == .stayed { return nil }
                overlay.noteOtherState()
                noted = advance == .known && isNotedKnown ? .rows : .unknown
                return isNotedKnown
            }
        } catch {
            end()
            note(.listsRead)
            return false
        }
    }

    private var isNotedKnown: Bool { if case .unknown = noted { false } else { true } }

    /// Finds the rows of commits of other connections ahead of `note`, while the program wakes up.
    /// Called by the watcher's thread.
    func prepareNote() {
        _ = lock.lockedIfFree {
            // Nothing is lost: `note` tries it again, and ends following if it fails there as well.
            try? follower?.prepareStep()
        }
    }

    private func lose(_ uncertainty: Uncertainty) {
        do { try lock.locked { try follower?.lose(uncertainty) } } catch { end() }
    }

    // MARK: Rows

    var held: Connection? { follower?.snapshot }
    var kept: Connection? { follower?.states.old }
    var isShown: Bool { if case .nothing = noted { true } else { false } }
    var isBehind: Bool { follower?.isBehind ?? false }

    /// Makes a state that is held for lists that were fetched in it end with the held state of this
    /// database.
    func addFetched(_ state: AheadState) {
        lock.locked {
            fetched.removeAll { $0.state == nil }
            fetched.append(Fetched(state: state))
        }
    }

    private func releaseFetched() {
        for fetched in fetched { fetched.state?.end() }
        fetched = []
    }

    private func releaseState(_ follower: LogFollower) throws(StoreError) {
        releaseFetched()
        try follower.lose(.snapshot)
    }

    /// Releases the state if it has kept the log growing for too long.
    private func releaseLongLog(_ follower: LogFollower) throws(StoreError) {
        guard follower.heldBytes > snapshotLimit else { return }
        try releaseState(follower)
        follower.waitForRestart()
    }

    // MARK: The log

    /// Moves the read transaction forward, and keeps the log short. SQLite can't restart it as long
    /// as a part of it is being read. Called when no transaction is open.
    ///
    /// - Parameter isIdle: Whether the program has requested a delivery, and so is not in a rapid
    ///   series of writes.
    func tidy(isIdle: Bool = false) {
        guard let follower, !overlay.isInRound else { return }
        attempt(orElse: ()) {
            let later = overlay.later
            let isTooLong = follower.heldBytes > snapshotLimit
            let isLong = isTooLong || follower.logLength >= Self.checkpointLength
            let mayLag = !isLong && !isIdle && !later.isLong && !later.hasUnknown
            if follower.lag >= (mayLag ? Self.longestLag : 1) { try catchUp(follower) }
            if isLong, follower.isHeldInLog { try follower.checkpoint() }
            if follower.isWrittenBack { try catchUp(follower) }
            // Other connections write faster than the log can be written back.
            try releaseLongLog(follower)
        }
    }

    /// Makes the snapshot show the state that the lists are about to show. False if another
    /// connection has committed after it.
    func hold() -> Bool {
        attempt(orElse: true) {
            guard let follower, follower.isBehind else { return true }
            try catchUp(follower)
            return !follower.isBehind
        }
    }

    private func catchUp(_ follower: LogFollower) throws(StoreError) {
        if overlay.keepsOld { return }
        if try follower.catchUp() { overlay.noteOtherState() }
    }

    /// Allows other connections to restart the log, if all of it is in the database file; releases
    /// the held state if the log has grown too much, or if a connection waits for that. Called by
    /// the watcher's thread; the store's own thread does the same when it works.
    ///
    /// - Returns: Whether to do it again soon: other connections have left the held state behind,
    ///   or it failed. If nothing more is written, no notification comes.
    func guardLog(wait: LogWait) -> Bool {
        let isUnfinished = lock.lockedIfFree { () -> Bool in
            guard let follower else { return false }
            // Tried again when the round has ended.
            if overlay.isInRound { return true }
            do {
                if follower.isWrittenBack || follower.isEmptied || follower.lag > 0 { try catchUp(follower) }
                if wait != .nothing { releaseFetched() }
                try releaseLongLog(follower)
                // The file is not written as long as the state is read from it alone.
                let isInTheWay = follower.isHeldInLog || follower.heldBytes > 0
                let isWaitedFor = wait == .allLocks || wait == .restart && isInTheWay
                if isWaitedFor || hasStoppedCheckpointLong(follower) { try releaseState(follower) }
            } catch {
                // Nothing is lost: it is tried again, also by the store's next step, which ends
                // following if it fails there as well.
                return true
            }
            return follower.heldBytes > 0
        }
        return isUnfinished ?? true
    }

    /// Whether a checkpoint has stopped at the held state for some time. One that does not wait
    /// leaves no other trace.
    private func hasStoppedCheckpointLong(_ follower: LogFollower) -> Bool {
        guard let position = follower.position, follower.heldBytes > 0, follower.isInTheWay else { return false }
        if stopped?.position != position { stopped = (position, WakeUp.now) }
        return stopped.map { WakeUp.now - $0.since > Self.longestStop } ?? false
    }

    /// In nanoseconds.
    private static let longestStop: Int64 = 1_500_000_000

    /// In frames. SQLite's own checkpoints begin at 1,000
    /// (https://www.sqlite.org/wal.html#automatic_checkpoint), and would be made at each commit as
    /// long as the log can't be restarted.
    private static let checkpointLength = 800
    private static let longestLag = 256
}
