internal import LogFollower
internal import SQLiteKit

/// Wakes a store's program when there is something to dispatch, and limits the logs that are
/// followed.
final class Waking {
    /// Signals the program; made when it is first needed.
    private(set) var wakeUp: WakeUp?
    /// Signals it when other connections have committed.
    private(set) var watcher: CommitWatcher?
    /// Whether the watcher does.
    var wakesProgram: Bool { watcher?.wakesProgram ?? false }
    /// Whether a dispatch had to leave something for the end of the open transaction, or of a
    /// statement.
    private(set) var hasPostponed = false
    private let connection: Connection
    private let foreign: ForeignDatabases
    /// The interval of looking for such commits where the kernel sends no notifications, in
    /// milliseconds; 0 for never.
    private let pollInterval: Int32

    init(_ connection: Connection, _ foreign: ForeignDatabases, pollInterval: Int32) {
        self.connection = connection
        self.foreign = foreign
        self.pollInterval = pollInterval
    }

    /// The source that wakes the program; nil if the process has no descriptor left.
    func makeWakeUp() -> WakeUp? {
        if wakeUp == nil { wakeUp = WakeUp() }
        return wakeUp
    }

    /// There is something to dispatch.
    func wake() { wakeUp?.signal() }

    // MARK: Watching

    /// Watches the files, if the program wants to be woken or if a log is followed. Does nothing
    /// while they are watched as they are.
    ///
    /// - Parameter hasForeignCommits: Whether other connections have committed since the state that
    ///   the lists show.
    func watchFiles(hasForeignCommits: () throws -> Bool) {
        guard wakeUp != nil || foreign.isFollowing, connection.isOpen, !connection.isInTransaction else { return }
        // If the mode can't be read, the watcher stays, and the next round reads the mode again.
        let isOutdated = watcher?.isOutdated { (try? connection.isWriteAhead($0.name)) ?? false }
        let sharesAll = watcher?.followedCount == foreign.followedCount
        if isOutdated == false, sharesAll, wakesProgram || wakeUp == nil { return }
        // A watcher of the new file would find that at its path. The former one notices whatever is
        // there.
        if connection.movedFileFailure != nil { return wakesProgram ? () : wake() }
        // After the new one is there, so that the thread that they share continues.
        let former = watcher
        watcher = nil
        defer { former?.stop() }
        // Nothing limits the logs then.
        defer { foreign.end { watcher?.isGuarding($0) != true } }
        do {
            let files = try connection.watchableFiles().map { file in
                WatchedFile(
                    path: file.path, name: file.name, isInWALMode: try connection.isWriteAhead(file.name),
                    follower: foreign.follower(of: ExactText(file.name)))
            }
            guard !files.isEmpty else { return }
            watcher = CommitWatcher(
                files, interval: pollInterval, wakeUp: wakeUp, prepare: { [foreign] in foreign.prepareNote(of: $0) },
                guardLog: { [foreign] in foreign.guardLog(of: $0, wait: $1) })
            // For commits before the watcher looked for the first time.
            if try connection.movedFileFailure != nil || hasForeignCommits() { wake() }
        } catch {
            // A dispatch detects whether the database can be read, and watches it then.
            wake()
        }
    }

    func stopWatching() {
        watcher?.stop()
        watcher = nil
    }

    // MARK: Dispatching

    /// The program dispatches: from now on it is woken again. `watcher.didDispatch` follows.
    func willDispatch() {
        wakeUp?.clear()
        watcher?.willDispatch()
    }

    /// Makes the program dispatch once more.
    func wakeAgain() {
        watcher?.rest()
        wake()
    }

    /// Makes the program dispatch when the open transaction, or the half-way statement, has ended.
    func postpone() {
        hasPostponed = true
        watcher?.rest()
    }

    /// The transaction or statement may have ended.
    func wakeIfPostponed() {
        guard hasPostponed, !connection.isInTransaction, !connection.isReading else { return }
        hasPostponed = false
        wake()
    }
}
