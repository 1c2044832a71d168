internal import Glibc
internal import SQLiteKit

/// Wakes a program when another connection, of this process or another one, has committed to one of
/// some database files, or when one of the files is no longer at its path, or is there again, or
/// another one is there, which counts again whenever it changes.
///
/// A thread that all watchers of the process share (`WatchThread`) waits for the kernel's notices
/// of writes. A notice precedes the moment at which the commit is visible, so the watcher repeats
/// its check as long as a connection holds the write lock. If no connection holds it and the state
/// is unchanged, nothing was committed. So no commit is missed, and nothing runs while nothing is
/// written.
///
/// Where the kernel gives no notices, or not of all writes, the watcher looks at intervals. In WAL
/// mode that reads memory, and makes no system call.
///
/// Commits of the program's own connection do not wake it: the store reports when it commits, and
/// which state it shows.
@safe
package final class CommitWatcher: @unchecked Sendable {
    private struct ObservedFile {
        let probe: CommitProbe
        /// The state that the lists show; nil if it is unknown, and then differs from every state.
        var shown: CommitProbe.CommittedState?
        /// The state when the round under way began to read.
        var seen: CommitProbe.CommittedState?
        /// The file found at the path last, and the one when the program was last woken.
        var place = CommitProbe.FileAtPath.file
        var formerPlace = CommitProbe.FileAtPath.file

        var path: String { probe.file.path }
    }

    package typealias Prepare = @Sendable (_ path: String) -> Void
    package typealias GuardLog = @Sendable (_ path: String, _ wait: LogWait) -> Bool

    /// How the watcher detects commits.
    package enum Detection: Int, Sendable {
        /// There is nothing to watch.
        case none = 0
        /// From the kernel.
        case notices = 1
        /// From checks at an interval.
        case interval = 2
    }

    /// Whether it wakes the program, rather than limiting the logs alone.
    package var wakesProgram: Bool { wakeUp != nil }

    private let lock = Lock()
    private var thread: WatchThread?
    /// In nanoseconds; 0 for no checks.
    private let interval: Int
    /// Wakes the program; nil if the program does not use it.
    private let wakeUp: WakeUp?
    /// Called for each file when the program was woken after a rest, so that its dispatch has less
    /// to do.
    private var prepare: Prepare
    /// The paths of the files.
    private let paths: [String]
    /// Whether the kernel gives notice of all writes to the files.
    private let isLocal: Bool

    // Used by the thread only: when it has something to do, in nanoseconds; what limits the logs;
    // whether the thread has woken the program since it last called `prepare`, and whether nothing
    // was written for a while before that; when something was written last; how long to wait until
    // the next check for a commit.
    private(set) var due: Int64 = 0
    private var logGuard: LogGuard
    private var isDispatchExpected = false
    private var isAfterRest = false
    private var lastNotice: Int64 = 0
    private var wait = CommitWatcher.shortestWait
    /// Held while the thread works for this watcher, and at the watcher's end.
    private let turn = Lock()

    // Used by the thread only: whether notices were requested since the last one, and the notices
    // of the folders; when to request them again if they were refused.
    private var hasAsked = false
    private var hasAskedForFolders = false
    private var nextAsk: Int64 = 0

    /// Whether `isHeld` is set. Used by the store's thread only.
    private var holds = false

    // Guarded by the lock.
    private var files: [ObservedFile]
    private var isStopped = false
    /// Whether the kernel gives a notice of the next write to each file.
    private var isNoticed = false
    /// Whether something was written whose commit is not detected yet.
    private var isLooking = true
    /// Whether the program was woken and has not dispatched since.
    private var isSignalled = false
    /// Whether the store is committing or delivering.
    private var isHeld = false
    /// Whether the program is dispatching. The thread checks again when that ends.
    private var isDispatching = false

    /// Watches database files; nil if none of them can be probed, or if no thread can be started.
    ///
    /// - Parameters:
    ///   - interval: How often to check, in milliseconds, where the kernel gives no notices; 0 for
    ///     never.
    ///   - wakeUp: Signalled when another connection has committed, and not again before
    ///     `willDispatch`; nil to guard the log only.
    ///   - prepare: Called on the watching thread for each file when `wakeUp` was signalled, unless
    ///     something else was written just before.
    ///   - guardLog: Called on the watching thread for each file when something was written. Its
    ///     argument states what a connection has waited for. Returns
    ///     whether to call it again soon, even if nothing is written.
    package init?(
        _ watched: [WatchedFile], interval: Int32, wakeUp: WakeUp?, prepare: @escaping Prepare,
        guardLog: @escaping GuardLog
    ) {
        self.interval = Int(interval) * 1_000_000
        self.wakeUp = wakeUp
        self.prepare = prepare
        files = watched.compactMap { CommitProbe($0).map { ObservedFile(probe: $0, shown: $0.state()) } }
        paths = files.map(\.path)
        isLocal = paths.allSatisfy(FileNotices.containAllWrites)
        logGuard = LogGuard(files.map(\.probe), guardLog)
        let isWatched = turn.locked {
            if !files.isEmpty { thread = WatchThread.watching(for: self) }
            // The store asks for the source.
            if thread != nil { ask() }
            return thread != nil
        }
        if isWatched { return }
        closeFiles()
        return nil
    }

    private func closeFiles() {
        for file in files { file.probe.close() }
        files = []
    }

    package var source: Detection {
        lock.locked { isNoticed ? .notices : interval > 0 ? .interval : .none }
    }

    /// Whether a file was changed to WAL mode, so that its commits have to be detected in the log.
    /// No connection can change the mode back while the file is watched.
    ///
    /// - Parameter isInWALMode: Whether the store's own connection finds an encrypted file in that
    ///   mode now.
    package func isOutdated(_ isInWALMode: (WatchedFile) -> Bool) -> Bool {
        lock.locked { files.contains { $0.probe.isOutdated(isInWALMode) } }
    }

    /// Whether the length of a file's log is guarded.
    package func isGuarding(_ path: String) -> Bool { paths.contains(path) }

    /// How many files are watched through the connections of followers.
    package var followedCount: Int { lock.locked { files.count(where: \.probe.isShared) } }

    /// Ends watching. Nothing is called and signalled any more.
    package func stop() {
        // In a forked child, the thread that is not there may hold the locks.
        guard let thread, thread.isInThisProcess else { return }
        thread.remove(self)
        turn.locked {
            lock.locked {
                isStopped = true
                closeFiles()
            }
            // The thread may still have a reference to the watcher, but not to the store.
            prepare = { _ in }
            logGuard = LogGuard([], { _, _ in false })
            self.thread = nil
        }
    }

    // MARK: The store

    /// The store is about to commit. `didCommit` or `didDeliver` follows.
    ///
    /// - Parameter wakes: Whether something else wakes the program for the commit, so that it will
    ///   dispatch.
    package func willCommit(wakes: Bool) {
        if !wakes { holds = true }
        lock.locked { if wakes { isSignalled = true } else { isHeld = true } }
    }

    /// A commit of the store, which its lists show already.
    ///
    /// - Parameter isWritten: Whether a file contains it.
    package func didCommit(_ isWritten: (_ path: String) -> Bool) {
        holds = false
        lock.locked {
            for index in files.indices where isWritten(files[index].path) {
                guard let state = files[index].probe.state(), let shown = files[index].shown else { continue }
                if state.isNext(of: shown) { files[index].shown = state }
            }
            isHeld = false
        }
    }

    /// The program dispatches: commits from now on are to wake it. `didDispatch` follows.
    package func willDispatch() {
        holds = true
        lock.locked {
            isSignalled = false
            isHeld = true
            isDispatching = true
        }
    }

    /// The store is about to read what was committed.
    package func willDeliver() {
        holds = true
        lock.locked {
            isHeld = true
            for index in files.indices { files[index].seen = files[index].probe.state() }
        }
    }

    /// The lists show what the store has read.
    package func didDeliver() {
        holds = false
        lock.locked {
            for index in files.indices {
                if let seen = files[index].seen { files[index].shown = seen }
                files[index].seen = nil
            }
            isHeld = false
        }
    }

    /// The store is no longer committing or delivering.
    package func settle() {
        guard holds else { return }
        holds = false
        lock.locked { isHeld = false }
    }

    /// The program has dispatched.
    package func didDispatch() {
        holds = false
        let isWaiting = lock.locked {
            isHeld = false
            isDispatching = false
            return isLooking && isWaitedFor
        }
        if isWaiting { thread?.request(self) }
    }

    /// Something else wakes the program, which will dispatch.
    package func rest() { lock.locked { isSignalled = true } }

    // MARK: The thread

    /// The next step of the thread.
    private enum Next {
        case end
        /// Checks again after this number of nanoseconds.
        case again(nanoseconds: Int)
        /// Requests notices: later writes cause a notice, and the effect of earlier ones is
        /// visible.
        case ask
        /// Waits for notices, or for this number of nanoseconds.
        case wait(nanoseconds: Int?)
    }

    /// In nanoseconds: how long to wait before the next check. Each wait is a quarter longer than
    /// the one before, or, if it sleeps, a 32nd: a commit is found late by up to this part of the
    /// time that its transaction has taken.
    private static let shortestWait = 5_000
    private static let sleepGrowth = 32
    /// Shorter waits do not sleep, in nanoseconds.
    private static let longestSpin = 50_000
    private static let longestWait = 20_000_000
    /// How long to wait before notices are requested again that the kernel does not give, in
    /// nanoseconds: the limit of the user may be reached for a while.
    private static let lossWait = 1_000_000_000
    /// How long notices may accumulate, in nanoseconds: while the store commits or delivers, and
    /// after the program was woken.
    private static let busyTime: Int64 = 1_000_000
    private static let quietTime: Int64 = 20_000_000
    /// How long nothing was written before a commit that is prepared, in nanoseconds. If other
    /// connections commit without a pause, the processor's caches are warm, and little would be
    /// gained.
    private static let restTime: Int64 = 1_000_000

    /// Something was written, a file may be at another place, or another process has opened one.
    func didNotice(_ notice: FileNotices.Notice) {
        turn.locked {
            let now = WakeUp.now
            if now - lastNotice >= Self.restTime { isAfterRest = true }
            lastNotice = now
            hasAsked = false
            if notice.isOfPlace { (hasAskedForFolders, nextAsk) = (false, 0) }
            if notice.isOfOpening { logGuard.noteOpening() } else { logGuard.noteWrite() }
            let pause = lock.locked {
                // First, since the program may wait for it.
                let isWaited = isWaitedFor
                signalCommit()
                isLooking = true
                return !isWaited ? Self.quietTime : isHeld ? Self.busyTime : 0
            }
            prepareDispatch()
            due = min(due, now + pause)
        }
    }

    /// The store has asked for a check.
    func didRequest() { due = 0 }

    /// Does what is due.
    func work() {
        turn.locked {
            while true {
                let step = lock.locked { next() }
                prepareDispatch()
                switch step {
                case .end: return due = .max
                case .again(let nanoseconds):
                    logGuard.callAtTimes()
                    return due = WakeUp.now + Int64(nanoseconds)
                case .ask: ask()
                case .wait(let nanoseconds):
                    // Without notices.
                    if nanoseconds != nil { logGuard.look() }
                    return due = logGuard.callIfDue(nanoseconds).map { WakeUp.now + Int64($0) } ?? .max
                }
            }
        }
    }

    private func next() -> Next {
        if isStopped { return .end }
        // The holder of the lock may be the one whose write caused the notice. Then the state that
        // it commits is the one that counts.
        let isBeingWritten = isLooking && (isHeld || files.contains(where: \.probe.isBeingWritten))
        signalCommit()
        if isBeingWritten, isWaitedFor, !isDispatching {
            // In proportion to the time that the transaction has taken.
            defer { wait = min(wait + wait / (wait < Self.longestSpin ? 4 : Self.sleepGrowth), Self.longestWait) }
            return .again(nanoseconds: wait)
        }
        guard hasAsked || WakeUp.now < nextAsk else { return .ask }
        if !isBeingWritten, !isDispatching { isLooking = false }
        wait = Self.shortestWait
        return .wait(nanoseconds: isNoticed ? nil : interval > 0 ? min(interval, LogGuard.interval) : LogGuard.interval)
    }

    /// Requests notices, and then looks whether the files are at their paths: a notice is about the
    /// file that is there.
    private func ask() {
        guard let notices = thread?.notices else { return }
        var isAnswered = true
        for path in paths {
            if !hasAskedForFolders { notices.askForFolders(above: path, for: self) }
            if !notices.ask(path, for: self) { isAnswered = false }
        }
        hasAskedForFolders = true
        hasAsked = isAnswered && isLocal
        nextAsk = hasAsked ? 0 : WakeUp.now + Int64(Self.lossWait)
        lock.locked {
            isNoticed = hasAsked
            for index in files.indices { files[index].place = files[index].probe.place }
        }
    }

    /// Signals what was committed. The lock is held, so that a dispatch either follows or has
    /// delivered it.
    private func signalCommit() {
        guard isWaitedFor, !isHeld, hasCommit || hasMoved else { return }
        for index in files.indices { files[index].formerPlace = files[index].place }
        isSignalled = true
        wakeUp?.signal()
        isDispatchExpected = true
    }

    /// Calls `prepare`, if the program was just woken by the first commit after a rest.
    private func prepareDispatch() {
        guard isDispatchExpected else { return }
        isDispatchExpected = false
        guard isAfterRest else { return }
        isAfterRest = false
        for path in paths { prepare(path) }
    }

    /// Whether the next commit is to wake the program. If not, a dispatch makes the thread check
    /// again.
    private var isWaitedFor: Bool { wakeUp != nil && !isSignalled && (isNoticed || interval > 0) }

    /// Whether the program has something to dispatch, as far as is known now.
    private var hasCommit: Bool { files.contains { $0.probe.hasCommit(since: $0.shown) } }

    /// Whether the program was not woken yet since something else is at a path.
    private var hasMoved: Bool { files.contains { $0.place != $0.formerPlace } }
}
