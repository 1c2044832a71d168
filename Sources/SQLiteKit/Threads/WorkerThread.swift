internal import Glibc

/// A thread that runs a function once. `join` must be called, which waits for its end.
@safe package struct WorkerThread: ~Copyable {
    private let thread: pthread_t
    private let forks = Forks.counted()

    /// Starts the thread, which retains `run` until it has returned; nil if no thread can be
    /// created.
    package init?(_ run: @escaping () -> Void) {
        var thread = pthread_t()
        let work = unsafe Unmanaged.passRetained(Box(run))
        let code = unsafe pthread_create(
            &thread, nil,
            { work in
                if let work = unsafe work {
                    unsafe Unmanaged<Box<() -> Void>>.fromOpaque(work).takeRetainedValue().value()
                }
                return nil
            }, unsafe work.toOpaque())
        guard code == 0 else {
            unsafe work.release()
            return nil
        }
        self.thread = thread
    }

    /// Waits until the function has returned. This can't fail: the thread exists, and is joined
    /// once. A forked process does not have the thread.
    package consuming func join() {
        if forks == Forks.count { pthread_join(thread, nil) }
    }
}
