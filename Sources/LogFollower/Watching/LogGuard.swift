/// Has the store limit the logs of some files, on the watching thread: when something was written,
/// and again as long as a connection may have to wait for the store.
struct LogGuard {
    private struct File {
        let probe: CommitProbe
        /// The log in which a checkpoint was found that keeps writers waiting, and when it was
        /// found first.
        var checkpointed: (log: CommitProbe.Log?, since: Int64)?
        /// How the log was when it was last looked at.
        var log: CommitProbe.Log?

        /// Whether the checkpoint that is under way waits for readers. Such a one holds the write
        /// lock as well (`sqlite3WalCheckpoint` in https://www.sqlite.org/src/file/src/wal.c), so
        /// that nothing is committed. Automatic checkpoints do not.
        mutating func keepsCheckpointWaiting(_ now: Int64) -> Bool {
            let log = probe.log
            guard probe.isBeingWritten, let checkpointed, checkpointed.log == log else {
                checkpointed = (log, now)
                return false
            }
            return now - checkpointed.since > LogGuard.longestCheckpoint
        }
    }

    private var files: [File]
    private let guardLog: CommitWatcher.GuardLog
    /// Whether something was written since the last call, or that asked for another one.
    private var isDue = false
    /// When the last call was, in nanoseconds.
    private var lastCall: Int64 = 0

    /// How often to look while a connection may have to wait, and while a checkpoint is under way,
    /// in nanoseconds: the kernel gives no notice of either.
    static let interval = 200_000_000
    private static let checkpointInterval = 50_000_000
    /// A checkpoint that takes longer waits for readers, in nanoseconds.
    fileprivate static let longestCheckpoint: Int64 = 100_000_000

    init(_ probes: [CommitProbe], _ guardLog: @escaping CommitWatcher.GuardLog) {
        files = probes.map { File(probe: $0) }
        self.guardLog = guardLog
    }

    /// Something was written.
    mutating func noteWrite() { isDue = true }

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
            let isWaiting = isCheckpointed && files[index].keepsCheckpointWaiting(lastCall)
            if !isCheckpointed { files[index].checkpointed = nil }
            // The kernel gives no notice when a commit enters the index, after its last write to
            // the log. This is first, because the commit may do so while the store reads the index.
            if files[index].probe.isBeingWritten { isDue = true }
            if guardLog(files[index].probe.file.path, isWaiting) { isDue = true }
            // Nor when a checkpoint has written its last page.
            if isCheckpointed { (isDue, interval) = (true, Self.checkpointInterval) }
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
