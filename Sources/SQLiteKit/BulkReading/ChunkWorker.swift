internal import Glibc

/// Processes the chunks of a scan on a thread of its own, while the scan reads the next ones: a
/// list is built while SQLite reads the rest of its rows.
///
/// The first sixteen chunks are processed as they are passed, so that few rows need no thread. The
/// chunks after that are larger, since to wake a thread takes some microseconds. Where there is
/// only one processor, or where no thread can be started, all chunks are processed as they are
/// passed.
@safe package final class ChunkWorker: @unchecked Sendable {
    private static let chunksBefore = 16
    private static let growth = 8
    private static let placeCount = 3
    private static let hasProcessors = sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1

    private let process: (inout KeyChunk) throws -> Void
    private var thread: WorkerThread?
    /// How many chunks were processed as they were passed, before the thread was started.
    private var processedHere = 0
    /// Chunks that wait, are being processed, or are free; none before the thread is started.
    private var places: [Box<KeyChunk>] = []
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    // Both threads use these, and hold the mutex then.
    /// How many chunks were passed to the thread, and how many of these it has processed.
    private var passed = 0
    private var processed = 0
    private var isEnded = false
    private var failure: (any Error)?

    /// - Parameter process: Called with one chunk after another, in their order.
    private init(_ process: @escaping (inout KeyChunk) throws -> Void) {
        self.process = process
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(change, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(change)
        unsafe pthread_mutex_destroy(mutex)
        unsafe change.deallocate()
        unsafe mutex.deallocate()
    }

    /// Runs through all rows of a scan.
    ///
    /// - Parameters:
    ///   - read: Runs the scan, and calls its argument with each chunk.
    ///   - process: Processes a chunk, on any thread. All calls have returned when this returns.
    package static func run(
        _ scan: KeyScan, read: ((inout KeyChunk) throws -> Void) throws -> Void,
        process: (inout KeyChunk) throws -> Void
    ) throws {
        try withoutActuallyEscaping(process) { process in
            let worker = ChunkWorker(process)
            defer { worker.end() }
            try read { try worker.pass(&$0, of: scan) }
            worker.end()
            if let failure = worker.failure { throw failure }
        }
    }

    // MARK: The scan's thread

    private func pass(_ chunk: inout KeyChunk, of scan: KeyScan) throws {
        guard thread != nil else {
            try process(&chunk)
            processedHere += 1
            if processedHere == Self.chunksBefore, Self.hasProcessors, chunk.isFull { start(&chunk, of: scan) }
            return
        }
        unsafe pthread_mutex_lock(mutex)
        while passed - processed == Self.placeCount { unsafe pthread_cond_wait(change, mutex) }
        let (failure, place) = (failure, places[passed % Self.placeCount])
        unsafe pthread_mutex_unlock(mutex)
        if let failure { throw failure }
        // The thread does not use the place before a chunk is passed.
        swap(&chunk, &place.value)
        unsafe pthread_mutex_lock(mutex)
        passed += 1
        unsafe pthread_cond_signal(change)
        unsafe pthread_mutex_unlock(mutex)
    }

    /// Starts the thread, and replaces the chunk by a larger one.
    private func start(_ chunk: inout KeyChunk, of scan: KeyScan) {
        let limit = chunk.limit * Self.growth
        places = (0..<Self.placeCount).map { _ in Box(scan.newChunk(limit: limit)) }
        thread = WorkerThread { self.work() }
        if thread != nil { chunk = scan.newChunk(limit: limit) }
    }

    /// Waits until all chunks are processed and the thread has ended.
    private func end() {
        guard let thread = thread.take() else { return }
        unsafe pthread_mutex_lock(mutex)
        isEnded = true
        unsafe pthread_cond_signal(change)
        unsafe pthread_mutex_unlock(mutex)
        thread.join()
    }

    // MARK: The thread

    private func work() {
        while let place = next() {
            do {
                if failure == nil { try process(&place.value) }
                note(nil)
            } catch {
                note(error)
            }
        }
    }

    /// Waits for a chunk; nil at the end.
    private func next() -> Box<KeyChunk>? {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while passed == processed, !isEnded { unsafe pthread_cond_wait(change, mutex) }
        return passed == processed ? nil : places[processed % Self.placeCount]
    }

    private func note(_ error: (any Error)?) {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        processed += 1
        if failure == nil { failure = error }
        unsafe pthread_cond_signal(change)
    }
}
