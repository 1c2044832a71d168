/// What a connection to a database has been waiting for.
package enum LogWait: Sendable {
    case nothing
    /// That nobody reads earlier states from the log, so that it can be restarted.
    case restart
    /// That nobody reads anything, as to write the file in place.
    case allLocks
}

/// Has the store limit the logs of some files, on the watching thread: when something was written,
/// and again as long as a connection may have to wait for the store.
struct LogGuard {
    private struct GuardedFile {
        let probe: CommitProbe
        /// The log in which a checkpoint was found that keeps writers waiting, and when it was
        /// found first.
        var checkpointed: (log: CommitProbe.Log?, since: Int64)?
        /// How the log was when it was last looked at.
        var log: CommitProbe.Log?

        /// What the checkpoint that is under way waits for. One that waits for readers holds the
        /// write lock as well (`sqlite3WalCheckpoint` in
        /// https://www.sqlite.org/src/file/src/wal.c), so that nothing is committed. Automatic
        /// checkpoints do not. A connection that needs all locks holds these two meanwhile.
        mutating func wait(_ now: Int64) -> LogWait {
            let log = probe.log
            guard probe.isBeingWritten, let checkpointed, checkpointed.log == log else {
                checkpointed = (log, now)
                return .nothing
            }
            let time = now - checkpointed.since
            return time > LogGuard.longestWait ? .allLocks : time > LogGuard.longestCheckpoint ? .restart : .nothing
        }
    }

    private var files: [GuardedFile]
    private let guardLog: CommitWatcher.GuardLog
    /// Whether something was written since the last call, or that asked for another one.
    private var isDue = false
    /// When the last call was, in nanoseconds.
    private var lastCall: Int64 = 0
    /// Until when a process that has opened a database may begin to wait.
    private var openedUntil: Int64 = 0

    /// How often to look while a connection may have to wait, and while a checkpoint is under way,
    /// in nanoseconds: the kernel gives no notice of either.
    static let interval = 200_000_000
    private static let checkpointInterval = 50_000_000
    /// A checkpoint that takes longer waits for readers, in nanoseconds.
    fileprivate static let longestCheckpoint: Int64 = 100_000_000
    /// One that takes still longer, and is not known to wait for the log, waits for all locks.
    fileprivate static let longestWait: Int64 = 300_000_000
    /// How long after a process has opened a database it is looked for one that waits.
    private static let openingTime: Int64 = 1_000_000_000

    init(_ probes: [CommitProbe], _ guardLog: @escaping CommitWatcher.GuardLog) {
        files = probes.map { GuardedFile(probe: $0) }
        self.guardLog = guardLog
    }

    /// Something was written.
    mutating func noteWrite() { isDue = true }

    /// Another process has opened a database, and perhaps needs it for itself.
    mutating func noteOpening() { (isDue, openedUntil) = (true, WakeUp.now + Self.openingTime) }

    /// Looks whether something was written, where the kernel gives no notices.
    mutating func look() {
        for index in files.indices {
            let log = files[index].probe.log
            if log != files[index].log { isDue = true }
            files[index].log = log
        }
    }

    /// Calls the store, if that is due. Returns how long to wait until the next call, in
    /// nanoseconds, or `wait` if that is less; nil for as long as nothing is written.
    mutating func callIfDue(_ wait: Int?) -> Int? {
        guard isDue else { return wait }
        isDue = false
        lastCall = WakeUp.now
        var interval = Self.interval
        for index in files.indices {
            let isCheckpointed = files[index].probe.isBeingCheckpointed
            let wait = isCheckpointed ? files[index].wait(lastCall) : .nothing
            if !isCheckpointed { files[index].checkpointed = nil }
            // The kernel gives no notice when a commit enters the index, after its last write to
            // the log. This is first, because the commit may do so while the store reads the index.
            if files[index].probe.isBeingWritten { isDue = true }
            if guardLog(files[index].probe.file.path, wait) { isDue = true }
            // Nor when a checkpoint has written its last page.
            if isCheckpointed || lastCall < openedUntil { (isDue, interval) = (true, Self.checkpointInterval) }
        }
        return isDue ? min(wait ?? interval, interval) : wait
    }

    /// Calls the store, unless that happened a short time ago. Called while a connection holds the
    /// write lock: it may be a checkpoint, which waits for the store.
    mutating func callAtTimes() {
        isDue = true
        guard WakeUp.now - lastCall >= Int64(Self.checkpointInterval) else { return }
        _ = callIfDue(nil)
    }
}
