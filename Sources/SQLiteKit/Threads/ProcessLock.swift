internal import Glibc

/// A mutex for what belongs to the process as a whole. A fork waits for it, so the child finds the
/// mutex free, and what it guards complete.
enum ProcessLock {
    nonisolated(unsafe) private static let mutex: UnsafeMutablePointer<pthread_mutex_t> = {
        let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        pthread_atfork(
            { unsafe pthread_mutex_lock(ProcessLock.mutex) },
            { unsafe pthread_mutex_unlock(ProcessLock.mutex) },
            { unsafe pthread_mutex_unlock(ProcessLock.mutex) })
        return unsafe mutex
    }()

    static func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body()
    }
}
