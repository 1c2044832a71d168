internal import Glibc
internal import SQLiteKit

/// Wakes a program when another connection, of this process or another one, has committed to one of
/// some database files.
///
/// A thread waits for the kernel's notices of writes. A notice precedes the moment at which the
/// commit is visible, so the thread repeats its check as long as a connection holds the write lock.
/// If no connection holds it and the state is unchanged, nothing was committed. So no commit is
/// missed, and nothing runs while nothing is written.
///
/// Commits of the program's own connection do not wake it: the store reports when it commits, and
/// which state it shows.
@safe
package final class CommitWatcher: @unchecked Sendable {
    private struct File {
        let probe: CommitProbe
        /// The state that the lists show; nil if it is unknown, and then differs from every state.
        var shown: CommitProbe.State?
        /// The state when the round under way began to read.
        var seen: CommitProbe.State?

        var path: String { probe.file.path }
    }

    package typealias Prepare = @Sendable (_ path: String) -> Void
    package typealias GuardLog = @Sendable (_ path: String, _ keepsCheckpointWaiting: Bool) -> Bool

    /// How the watcher detects commits.
    package enum Source: Int, Sendable {
        /// There is nothing to watch.
        case none = 0
        /// From the kernel.
        case notices = 1
        /// From checks at an interval, which the program has configured.
        case interval = 2
    }

    private let lock = Lock()
    /// Wakes the thread.
    private let control: WakeUp
    private let notices: FileNotices?
    /// In milliseconds; 0 for no checks.
    private let interval: Int
    /// Wakes the program; nil if the program does not use it.
    private let wakeUp: WakeUp?
    /// Called for each file when the program was woken after a rest, so that its dispatch has less
    /// to do.
    private let prepare: Prepare
    /// Those of the files.
    private let paths: [String]
    private var thread: WorkerThread?

    // Used by the thread only: what limits the logs, whether the thread has woken the program since
    // it last called `prepare`, and whether nothing was written for a while before that.
    private var logGuard: LogGuard
    private var isDispatchExpected = false
    private var isAfterRest = false

    /// Whether `isHeld` is set. Of the store's thread.
    private var holds = false

    // Guarded by the lock.
    private var files: [File]
    private var isStopped = false
    /// Whether the kernel gives a notice of the next write to each file.
    private var isNoticed: Bool
    /// Whether the kernel gave such notices, and gives none now.
    private var isNoticeLost = false
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
    ///   - wakeUp: Signalled when others have committed, and not again before `willDispatch`; nil
    ///     to guard the log only.
    ///   - prepare: Called on the watcher's thread for each file when `wakeUp` was signalled,
    ///     unless something else was written just before.
    ///   - guardLog: Called on the watcher's thread for each file when something was written. Its
    ///     argument states whether a connection has waited for a while to restart the log. Returns
    ///     whether to call it again soon, even if nothing is written.
    package init?(
        _ watched: [WatchedFile], interval: Int32, wakeUp: WakeUp?, prepare: @escaping Prepare,
        guardLog: @escaping GuardLog
    ) {
        guard let control = WakeUp() else { return nil }
        self.control = control
        self.interval = Int(interval)
        self.wakeUp = wakeUp
        self.prepare = prepare
        files = watched.compactMap { CommitProbe($0).map { File(probe: $0, shown: $0.state()) } }
        paths = files.map(\.path)
        logGuard = LogGuard(files.map(\.probe), guardLog)
        notices = FileNotices(paths: paths)
        isNoticed = notices?.ask() ?? false
        guard !files.isEmpty, start() else {
            closeFiles()
            return nil
        }
    }

    private func closeFiles() {
        for file in files { file.probe.close() }
        files = []
    }

    package var source: Source {
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

    /// Ends the thread. Nothing is signalled any more.
    package func stop() {
        lock.locked { isStopped = true }
        control.signal()
        thread.take()?.join()
        closeFiles()
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
        if isWaiting { control.signal() }
    }

    /// Something else wakes the program, which will dispatch.
    package func rest() { lock.locked { isSignalled = true } }

    // MARK: The thread

    private func start() -> Bool {
        // `stop` waits for the thread, and the owner of the watcher calls it.
        thread = WorkerThread { self.run() }
        return thread != nil
    }

    /// The next step of the thread.
    private enum Next {
        case end
        /// Checks again after this number of nanoseconds.
        case sleep(nanoseconds: Int)
        /// Requests notices: later writes cause a notice, and the effect of earlier ones is
        /// visible.
        case ask
        /// Waits for notices.
        case wait(nanoseconds: Int?)
    }

    /// In nanoseconds: how long to wait before the next check. Each wait is a quarter longer than
    /// the one before, or, if it sleeps, a 32nd: a commit is found late by up to this part of the
    /// time that its transaction has taken.
    private static let shortestWait = 5_000
    private static let sleepGrowth = 32
    /// Shorter waits do not sleep, in nanoseconds: a commit mostly ends as soon as its last page is
    /// written.
    private static let longestSpin = 50_000
    private static let longestWait = 20_000_000
    /// How long to wait before notices are requested again that the kernel no longer gives, in
    /// nanoseconds: the limit of the user may be reached for a while.
    private static let lossWait = 1_000_000_000
    /// How long notices may accumulate, in milliseconds: while the store commits or delivers, and
    /// after the program was woken.
    private static let busyTime: Int32 = 1
    private static let quietTime: Int32 = 20
    /// How long nothing was written before a commit that is prepared, in nanoseconds. If others
    /// commit without a pause, the processor's caches are warm, and little would be gained.
    private static let restTime: Int64 = 1_000_000

    private func run() {
        var wait = Self.shortestWait
        var hasAsked = false
        while true {
            let step = lock.locked { next(&wait, hasAsked) }
            hasAsked = false
            prepareDispatch()
            switch step {
            case .end: return
            case .sleep(let nanoseconds):
                sleep(nanoseconds)
                logGuard.callAtTimes()
            case .ask:
                askForNotices()
                hasAsked = true
            case .wait(let nanoseconds): poll(logGuard.callIfDue(nanoseconds))
            }
        }
    }

    private func next(_ wait: inout Int, _ hasAsked: Bool) -> Next {
        if isStopped { return .end }
        // The holder of the lock may be the one whose write caused the notice. Then the state that
        // it commits is the one that counts.
        let isBeingWritten = isLooking && (isHeld || files.contains(where: \.probe.isBeingWritten))
        signalCommit()
        if isBeingWritten, isWaitedFor, !isDispatching {
            // In proportion to the time that the transaction has taken.
            defer { wait = min(wait + wait / (wait < Self.longestSpin ? 4 : Self.sleepGrowth), Self.longestWait) }
            return .sleep(nanoseconds: wait)
        }
        guard hasAsked else { return .ask }
        if !isBeingWritten, !isDispatching { isLooking = false }
        wait = Self.shortestWait
        let pause = isNoticed && !isNoticeLost ? nil : interval > 0 ? interval * 1_000_000 : nil
        return .wait(nanoseconds: pause ?? (isNoticeLost ? Self.lossWait : nil))
    }

    private func askForNotices() {
        let isAnswered = notices?.ask() ?? false
        lock.locked {
            isNoticeLost = isNoticed && !isAnswered
            if isAnswered { isNoticed = true }
        }
    }

    /// Signals what was committed. The lock is held, so that a dispatch either follows or has
    /// delivered it.
    private func signalCommit() {
        guard isWaitedFor, hasCommit else { return }
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
    private var isWaitedFor: Bool { wakeUp != nil && !isSignalled }

    /// Whether the program has something to dispatch, as far as is known now.
    private var hasCommit: Bool { !isHeld && files.contains { $0.probe.hasCommit(since: $0.shown) } }

    private func sleep(_ nanoseconds: Int) {
        if nanoseconds < Self.longestSpin {
            WakeUp.spin(nanoseconds: nanoseconds)
        } else {
            usleep(UInt32(nanoseconds / 1000))
        }
    }

    /// Waits for notices, for a request of the store, or for some time.
    private func poll(_ nanoseconds: Int?) {
        var requests = [control.descriptor, notices?.descriptor ?? -1].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let milliseconds = nanoseconds.map { Int32(clamping: $0 / 1_000_000) } ?? -1
        let start = WakeUp.now
        guard unsafe Glibc.poll(&requests, UInt(requests.count), milliseconds) > 0 else { return }
        if WakeUp.now - start >= Self.restTime { isAfterRest = true }
        // First, since the program may wait for it.
        let isWaited = lock.locked {
            defer { signalCommit() }
            return isWaitedFor
        }
        control.clear()
        guard notices?.take() == true else { return }
        logGuard.noteWrite()
        let pause = lock.locked {
            isLooking = true
            return !isWaited ? Self.quietTime : isHeld ? Self.busyTime : 0
        }
        prepareDispatch()
        if pause > 0 { control.wait(milliseconds: pause) }
    }
}
