internal import Glibc

/// The length of the log, and who prevents that it is restarted.
extension LogFollower {
    /// How much the log has grown since the read transactions prevent its restart, in bytes.
    package var heldBytes: Int {
        guard let start = held.position, let latest = latest() else { return 0 }
        let first = latest.isSameRun(as: start) ? firstHeld?.frame ?? start.lastFrame : 0
        return Int(latest.lastFrame &- min(first, latest.lastFrame)) * ((latest.pageSize ?? 0) + 24)
    }

    /// The number of frames in the log.
    package var logLength: Int { Int(position?.lastFrame ?? 0) }

    /// Whether the read transaction prevents a restart of the log.
    package var isHeldInLog: Bool { held.position != nil && !held.isInFile }

    /// Whether it is the read transaction that prevents a complete checkpoint of the log, and not
    /// an older one of another connection.
    package var isInTheWay: Bool {
        guard let start = held.position else { return false }
        return !held.isInFile && held.file.index.backfilledFrame >= start.lastFrame
    }

    /// Whether the log could be restarted without the read transaction.
    package var isWrittenBack: Bool {
        guard let position, let start = held.position else { return false }
        return !held.isInFile && start == position && held.file.index.backfilledFrame == position.lastFrame
    }

    /// Waits a tenth of a second at most for a writer to restart the log, or to write all of it
    /// back: as no state is held, its next commits do so. A state that is held before that would
    /// keep the log growing.
    package func waitForRestart() {
        guard let former = latest() else { return }
        for _ in 0..<1000 {
            if let latest = latest(), !latest.isSameRun(as: former) || isLogInFile { return }
            usleep(100)
        }
    }

    /// Whether the database file has everything that is in the log.
    package var isLogInFile: Bool { latest().map { held.file.index.backfilledFrame == $0.lastFrame } ?? false }
}
