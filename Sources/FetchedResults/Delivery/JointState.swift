internal import ListEngine
internal import LogFollower
internal import SQLiteKit

/// The delivered state of all databases that are followed, held readable by one connection, for
/// rows of lists that read several of them.
///
/// It follows the states of the databases' followers, and is held until one of these releases its
/// own. Own commits are left out for a while, as in `ForeignCommits`.
final class JointState: FollowedState, @unchecked Sendable {
    let databases: [ForeignCommits]
    let lock = Lock()
    private let states: StatePair
    var overlay = Overlay()
    /// Whether the states of the round under way could not be taken.
    private var isLost = false

    /// nil if a database can't be opened as the store's connection has it. The lists can then not
    /// read rows between a commit of another connection and its delivery.
    init?(_ databases: [ForeignCommits], _ connection: Connection) {
        self.databases = databases
        do {
            let files = try databases.compactMap { try $0.file }
            guard files.count == databases.count, let states = try StatePair(files) else { return nil }
            self.states = states
            for reader in states.connections { try connection.shareFunctions(with: reader, onOtherThread: false) }
        } catch {
            return nil
        }
    }

    func close() { lock.locked { states.close() } }

    /// The states that the databases' followers are at; nil if one of them holds none.
    private var wanted: [LogPosition]? {
        let positions = databases.compactMap(\.heldPosition)
        return positions.count == databases.count ? positions : nil
    }

    /// Runs `body`. If it fails, a read transaction may not have ended, which would prevent the
    /// restart of a log, so the connections are closed.
    private func attempt(_ body: () throws -> Void) { do { try body() } catch { states.close() } }

    private func take() {
        attempt { try states.take() }
        overlay.noteOtherState()
    }

    private func release() {
        attempt { try states.release() }
        overlay.noteOtherState()
    }

    // MARK: Rounds

    /// A round begins. The states that are held now stay readable until it ends.
    func beginRound() {
        lock.locked {
            states.beginRound()
            overlay.beginRound()
        }
    }

    /// The round ends. States that it has prepared and not taken are dropped.
    func endRound() {
        lock.locked {
            attempt {
                try states.endRound()
                try states.drop()
            }
            isLost = false
            overlay.endRound()
        }
    }

    /// Takes the states of a round that delivers commits of other connections, beside the held
    /// states, in place of ones that it has prepared before. False if other states are committed
    /// now.
    ///
    /// - Parameter positions: The positions of the states in the logs; nil where a position is not
    ///   known.
    func prepare(_ positions: [LogPosition?]) -> Bool {
        let known = positions.compactMap(\.self)
        return lock.locked {
            isLost = known.count != databases.count
            do {
                if !isLost { return try states.begin(at: known) }
                try states.drop()
            } catch {
                isLost = true
            }
            return true
        }
    }

    /// Holds the states that were prepared, as the lists show them from now on. If they could not
    /// be taken, none are held: rows can then not be read, rather than as they were before.
    func takePrepared() {
        lock.locked {
            if states.hasBegun { take() } else if isLost { release() }
            isLost = false
        }
    }

    /// Holds the states of the followers. False if other connections have committed since.
    @discardableResult
    func hold() -> Bool { lock.locked { catchUp() } }

    private func catchUp() -> Bool {
        // The second connection keeps the old states.
        if overlay.keepsOld { return true }
        guard let wanted else {
            release()
            return true
        }
        if states.held.positions == wanted, !states.held.isInTheWay { return true }
        // After an error the held state stays, which differs from the wanted one by own commits
        // only. Their contents are known, and the next step tries it again.
        guard (try? states.begin(at: wanted)) ?? false else { return false }
        take()
        return true
    }

    /// The same for the watcher's thread; releases the states if a checkpoint waits for that.
    ///
    /// - Returns: Whether to do it again soon, as for `ForeignCommits.guardLog`.
    func guardLog(wait: LogWait) -> Bool {
        let isUnfinished = lock.lockedIfFree { () -> Bool in
            if overlay.isInRound { return true }
            if wait != .allLocks, catchUp() { return false }
            // Commits to one of the databases are not delivered, so that no other state can be
            // held.
            if wait == .allLocks || wait == .restart && states.held.isInTheWay { release() }
            return states.held.isHeld
        }
        return isUnfinished ?? true
    }

    // MARK: Rows

    var held: Connection? { states.held.isHeld ? states.held.connection : nil }
    var kept: Connection? { states.old }
    var isShown: Bool { databases.allSatisfy(\.isShown) }
    var isBehind: Bool { states.held.positions != wanted }
}
