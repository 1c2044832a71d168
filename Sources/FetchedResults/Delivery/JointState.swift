internal import ListEngine
internal import LogFollower
internal import SQLiteKit

/// The delivered state of all databases that are followed, held readable by one connection, for
/// rows of lists that read several of them.
///
/// It follows the states of the databases' followers, and is held as long as all of these hold
/// theirs. Own commits are left out for a while, as in `ForeignCommits`.
final class JointState: @unchecked Sendable {
    let databases: [ForeignCommits]
    private let lock = Lock()
    private var held: StateReader
    /// Takes the next state.
    private var spare: StateReader
    /// The contents in which the lists differ from the held state.
    private var later = LaterContents()
    /// Whether the states of the round under way could not be taken.
    private var isLost = false
    private var isInRound = false
    /// In a round, once the lists' next states are held: the contents in which the lists differed
    /// from the states before, which the spare snapshot keeps.
    private var old: LaterContents?

    /// nil if a database can't be opened as the store's connection has it.
    init?(_ databases: [ForeignCommits], _ connection: Connection) {
        self.databases = databases
        do {
            guard let held = try Self.snapshot(databases, connection) else { return nil }
            self.held = held
            guard let spare = try Self.snapshot(databases, connection) else {
                held.close()
                return nil
            }
            self.spare = spare
        } catch {
            // The lists can't read rows while commits of others are not delivered.
            return nil
        }
    }

    private static func snapshot(_ databases: [ForeignCommits], _ connection: Connection) throws -> StateReader? {
        let files = try databases.compactMap { try $0.file }
        guard files.count == databases.count, let snapshot = try StateReader(files) else { return nil }
        try connection.shareFunctions(with: snapshot.connection, onOtherThread: false)
        return snapshot
    }

    func close() {
        lock.locked {
            held.close()
            spare.close()
        }
    }

    /// The states that the databases' followers are at; nil if one of them holds none.
    private var wanted: [LogPosition]? {
        let positions = databases.compactMap(\.heldPosition)
        return positions.count == databases.count ? positions : nil
    }

    /// Takes the states of a round that delivers commits of other connections, beside the held
    /// ones. False if others are committed now.
    ///
    /// - Parameter positions: Those of the states; nil where they are not known.
    func prepare(_ positions: [LogPosition?]) -> Bool {
        let known = positions.compactMap(\.self)
        return lock.locked {
            isLost = known.count != databases.count
            if isLost { return true }
            do {
                return try spare.begin(at: known)
            } catch {
                isLost = true
                return true
            }
        }
    }

    /// Holds the states that were prepared, as the lists show them from now on. If they could not
    /// be taken, none are held: rows can then not be read, rather than as they were before.
    func takePrepared() {
        lock.locked {
            if spare.isHeld { swapWithSpare() } else if isLost { release() }
            isLost = false
        }
    }

    /// Drops them.
    func dropPrepared() {
        lock.locked {
            Self.end(spare)
            isLost = false
        }
    }

    /// A read transaction that can't be ended would prevent the restart of a log, so its connection
    /// is closed then.
    private static func end(_ snapshot: StateReader) {
        do { try snapshot.end() } catch { snapshot.close() }
    }

    private func swapWithSpare() {
        swap(&held, &spare)
        if isInRound, old == nil, spare.isHeld { old = later } else { Self.end(spare) }
        later = LaterContents()
    }

    /// A round begins: the states that are held now stay readable until it ends, once others are
    /// held.
    func beginRound() { lock.locked { isInRound = true } }

    func endRound() {
        lock.locked {
            isInRound = false
            if old != nil { Self.end(spare) }
            old = nil
        }
    }

    /// Runs `body` with a snapshot of the states before; with nil if they are not kept.
    func withOldSnapshot<Result>(_ body: (ShownSnapshot?) throws -> Result) rethrows -> Result {
        try lock.locked { try body(old.map { ShownSnapshot(spare.connection, later: $0) }) }
    }

    /// Holds the states of the followers. False if other connections have committed since.
    @discardableResult
    func catchUp() -> Bool { lock.locked { catchUpLocked() } }

    private func catchUpLocked() -> Bool {
        // The spare snapshot keeps the old states.
        if old != nil { return true }
        guard let wanted else {
            release()
            return true
        }
        if held.positions == wanted, !held.isInTheWay { return true }
        // After an error the held state stays, which differs from the wanted one by own commits
        // only. Their contents are known, and the next step tries it again.
        guard (try? spare.begin(at: wanted)) ?? false else { return false }
        swapWithSpare()
        return true
    }

    private func release() {
        Self.end(held)
        Self.end(spare)
        later = LaterContents()
    }

    /// The same for the watcher's thread; releases the states if a checkpoint waits for that.
    ///
    /// - Returns: Whether to do it again soon, as for `ForeignCommits.guardLog`.
    func guardLog(keepsCheckpointWaiting: Bool) -> Bool {
        let isUnfinished = lock.lockedIfFree { () -> Bool in
            if isInRound { return true }
            if catchUpLocked() { return false }
            // Commits to one of the databases are not delivered, so that no other state can be
            // held.
            if keepsCheckpointWaiting, held.isInTheWay { release() }
            return held.isHeld
        }
        return isUnfinished ?? true
    }

    /// Runs `body` with a snapshot that shows the state that the lists show; with nil if there is
    /// none.
    func withSnapshot<Result>(_ body: (ShownSnapshot?) throws -> Result) rethrows -> Result {
        try lock.locked {
            guard held.isHeld, databases.allSatisfy(\.isShown) else { return try body(nil) }
            return try body(ShownSnapshot(held.connection, later: later))
        }
    }

    /// Runs `body` with the contents in which the lists differ from it; does nothing if it is not
    /// held.
    func withLaterContents(_ body: (inout LaterContents) -> Void) {
        lock.locked {
            guard held.isHeld else { return }
            later.isBehind = held.positions != wanted
            body(&later)
        }
    }
}
