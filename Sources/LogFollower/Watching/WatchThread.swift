internal import CSQLite
internal import Glibc
internal import SQLiteKit

/// The thread that watches files for all stores of the process. It exists as long as there is a
/// store that has something to watch.
///
/// A process that was forked has no such thread. The first store that it opens starts one.
@safe
final class WatchThread: @unchecked Sendable {
    let notices = FileNotices()
    /// Wakes the thread.
    private let control: WakeUp
    /// The process that has the thread.
    private let process = getpid()
    private var thread: WorkerThread?

    // Guarded by the lock.
    private var watchers: [CommitWatcher] = []
    private var requests: [CommitWatcher] = []
    private var isStopped = false

    // MARK: The one of the process

    /// A child of the process replaces both, since a thread that it does not have may hold the
    /// lock.
    nonisolated(unsafe) private static var lock = Lock()
    nonisolated(unsafe) private static var current: WatchThread?

    private static let handlesForks: Bool =
        pthread_atfork(
            { unsafe WatchThread.isForking = work.lockSoon() },
            { if unsafe WatchThread.isForking { work.unlock() } },
            {
                unsafe (WatchThread.lock, WatchThread.current) = (Lock(), nil)
                work.reset()
            }) == 0

    /// Held by the thread while it does not wait. Swift's runtime has locks too, which a child
    /// could not take if the thread held them when the process was forked. So a fork waits until
    /// the thread does.
    private static let work = ForkLock()
    nonisolated(unsafe) private static var isForking = false

    /// The thread, which watches for a watcher from now on; nil if there are no descriptors left,
    /// or if no thread can be started.
    static func watching(for watcher: CommitWatcher) -> WatchThread? {
        guard handlesForks else { return nil }
        return unsafe lock.locked {
            guard let shared = unsafe current ?? WatchThread() else { return nil }
            unsafe current = shared
            shared.watchers.append(watcher)
            shared.control.signal()
            return shared
        }
    }

    /// Called with the lock.
    private init?() {
        guard let control = WakeUp() else { return nil }
        self.control = control
        thread = WorkerThread { self.run() }
        if thread == nil { return nil }
    }

    var isInThisProcess: Bool { process == getpid() }

    /// Ends watching for a watcher. The last one ends the thread.
    func remove(_ watcher: CommitWatcher) {
        notices.remove(watcher)
        let isLast = unsafe Self.lock.locked {
            watchers.removeAll { $0 === watcher }
            requests.removeAll { $0 === watcher }
            guard watchers.isEmpty else { return false }
            isStopped = true
            unsafe Self.current = nil
            return true
        }
        guard isLast else { return }
        control.signal()
        thread.take()?.join()
    }

    /// Makes the thread look at what a watcher has to do.
    func request(_ watcher: CommitWatcher) {
        unsafe Self.lock.locked { requests.append(watcher) }
        control.signal()
    }

    // MARK: The thread

    /// Shorter waits do not sleep, in nanoseconds: a commit mostly ends as soon as its last page is
    /// written.
    private static let longestSpin: Int64 = 50_000

    private func run() {
        Self.work.lock()
        while let due = work() { wait(until: due) }
        Self.work.unlock()
    }

    /// Does what is due, and returns when there is more to do; nil at the end.
    private func work() -> Int64? {
        guard let watchers = unsafe Self.lock.locked({ isStopped ? nil : self.watchers }) else { return nil }
        let now = WakeUp.now
        var next = Int64.max
        for watcher in watchers {
            if watcher.due <= now { watcher.work() }
            next = min(next, watcher.due)
        }
        return next
    }

    /// Waits for notices, for requests, or until some time. Notices come first, since a program may
    /// wait for them.
    private func wait(until due: Int64) {
        var wait = due == .max ? -1 : max(0, due - WakeUp.now)
        if 0..<Self.longestSpin ~= wait {
            WakeUp.spin(nanoseconds: Int(wait))
            wait = 0
        }
        var descriptors = [control.descriptor, notices.descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        Self.work.unlock()
        let count = unsafe fr_poll(&descriptors, UInt(descriptors.count), wait)
        Self.work.lock()
        guard count > 0 else { return }
        if descriptors[1].revents != 0 {
            for notice in notices.take() { notice.watcher.didNotice(notice) }
        }
        if descriptors[0].revents != 0 {
            control.clear()
            let requests = unsafe Self.lock.locked {
                defer { self.requests = [] }
                return self.requests
            }
            for watcher in requests { watcher.didRequest() }
        }
    }
}

/// A mutex that a fork takes.
@safe
private final class ForkLock: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init() { reset() }

    func lock() { unsafe pthread_mutex_lock(mutex) }

    /// Whether the mutex was free within a second.
    func lockSoon() -> Bool {
        var end = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &end)
        end.tv_sec += 1
        return unsafe pthread_mutex_timedlock(mutex, &end) == 0
    }

    func unlock() { unsafe pthread_mutex_unlock(mutex) }

    /// In a child, which does not have the thread.
    func reset() { unsafe pthread_mutex_init(mutex, nil) }
}
