internal import LogFollower
internal import SQLiteKit

/// What other connections commit to the store's database, row by row, as far as its write-ahead log says it.
///
/// `StoreDelivery` calls `latest` before a read transaction and `changes`, `skip` or `restart` in it, so that this
/// follows the states that the lists show.
final class ForeignCommits {
    private let connection: Connection
    private let capture: ChangeCapture
    private var follower: LogFollower?
    /// Whether an attempt to follow may succeed.
    private var mayFollow: Bool

    init(_ connection: Connection, _ capture: ChangeCapture) {
        self.connection = connection
        self.capture = capture
        mayFollow = connection.fileName != nil
    }

    /// Ends following, so that the database can leave WAL mode, or be closed.
    func end() {
        follower?.close()
        follower = nil
    }

    /// Ends following until the next `start`, as before statements that need the database for themselves.
    func pause() {
        end()
        mayFollow = connection.fileName != nil
    }

    /// The position of the log now; nil if it is not followed. A read transaction that begins after it, and before it
    /// is asked for again with the same answer, shows that state.
    var latest: LogPosition? { follower?.latest() }

    /// Whether the log is where it was, as far as it is followed.
    func isStill(at position: LogPosition?) -> Bool { follower == nil || position != nil && latest == position }

    // MARK: Following

    /// Begins to follow at the state that the lists show, which is that of the read transaction. Does nothing if it is
    /// followed already, or can't be.
    func start(in delivery: StoreDelivery) {
        guard mayFollow, follower == nil else { return }
        mayFollow = false
        do {
            guard let path = try connection.pathOfLog(), let follower = try LogFollower(path: path) else { return }
            self.follower = follower
            try delivery.readingKnownState { position in
                let showsState = try !delivery.hasForeignCommits() && !delivery.hasUndeliveredChanges
                guard showsState, let position else { return true }
                return try follower.restart(at: position)
            }
        } catch {
            // Commits of others are then found by reading the lists.
            end()
        }
    }

    /// Notes the state that the lists show from now on, which only this connection has changed, if anyone has.
    func skip(to position: LogPosition?, isChanged: Bool) {
        guard let follower else { return }
        guard let position else { return isChanged ? lose(.raced) : () }
        if follower.position == nil { restart(at: position) } else { follower.skip(to: position) }
    }

    /// Notes a commit of this connection that was delivered already. If another one has come after it, the two can't be
    /// told apart.
    func noteOwnCommit() {
        guard let follower, let former = follower.position else { return }
        if let latest, latest.commitCount == former.commitCount &+ 1 {
            follower.skip(to: latest)
        } else {
            lose(.raced)
        }
    }

    /// Follows on from a state that was read as a whole.
    func restart(at position: LogPosition?) {
        guard let follower else { return mayFollow = connection.fileName != nil }
        do {
            if let position, try follower.restart(at: position) { return }
            try follower.release()
        } catch {
            end()
        }
    }

    /// Has what others have committed noted as touched by the capture, and follows on from there.
    ///
    /// - Returns: Whether all of it was noted; nil if the position is not that of the last commit any more.
    func note(upTo position: LogPosition?) throws -> Bool? {
        guard let follower, let position else { return false }
        do {
            let result = try follower.advance(to: position, capture.mainTables) { changes, old throws(Uncertainty) in
                for change in changes {
                    guard capture.note(change.rows, of: change.table, old: old) else { throw Uncertainty.image }
                }
            }
            switch result {
            case nil: return nil
            case .success: return true
            case .failure: return false
            }
        } catch {
            end()
            mayFollow = true
            return false
        }
    }

    private func lose(_ uncertainty: Uncertainty) {
        do { try follower?.lose(uncertainty) } catch { end() }
    }

    // MARK: The log

    /// Moves the read transaction on, and keeps the log short, which can't be begun from its start as long as something
    /// in it is read. Called when no transaction is open.
    func tidy() {
        guard let follower else { return }
        do {
            let isLong = follower.logLength >= Self.checkpointLength
            if follower.lag >= Self.longestLag || isLong && follower.lag > 0 { try follower.catchUp() }
            if isLong, follower.isHeldInLog {
                try follower.checkpoint()
            }
            if follower.isWrittenBack { try follower.catchUp() }
        } catch {
            end()
            mayFollow = true
        }
    }

    /// In frames. SQLite's own checkpoints begin at 1,000 (https://www.sqlite.org/wal.html#automatic_checkpoint), and
    /// would be made at each commit as long as the log can't be begun from its start.
    private static let checkpointLength = 800
    private static let longestLag = 256
}

extension TableChange {
    /// New records before old ones.
    fileprivate var rows: [ChangeCapture.ForeignRow] {
        rowids.map { .rowid($0.rowid, oldRecord: $0.oldRecord) } + newRecords.map { .new(record: $0) }
            + oldRecords.map { .old(record: $0) }
    }
}
