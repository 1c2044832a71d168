internal import Glibc

/// A mutex. The thread that holds it can lock it again. A forked process has no other thread that
/// could use what the mutex guards, but a copy of the mutex that may be locked: it ignores it.
@safe
package final class Lock: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let forks = Forks.counted()
    private var isForked: Bool { forks != Forks.count }

    package init() {
        var attributes = pthread_mutexattr_t()
        unsafe pthread_mutexattr_init(&attributes)
        unsafe pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
        unsafe pthread_mutex_init(mutex, &attributes)
        unsafe pthread_mutexattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    package func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        if isForked { return try body() }
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body()
    }

    /// Like `locked`, where another thread may hold the mutex for some microseconds: to sleep and
    /// be woken takes longer than that.
    package func lockedSoon<Result>(_ body: () throws -> Result) rethrows -> Result {
        for _ in 0..<200 where !isForked {
            if unsafe pthread_mutex_trylock(mutex) == 0 {
                defer { unsafe pthread_mutex_unlock(mutex) }
                return try body()
            }
            sched_yield()
        }
        return try locked(body)
    }

    /// nil, without running `body`, if another thread has the lock.
    package func lockedIfFree<Result>(_ body: () -> Result) -> Result? {
        if isForked { return body() }
        guard unsafe pthread_mutex_trylock(mutex) == 0 else { return nil }
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body()
    }
}
