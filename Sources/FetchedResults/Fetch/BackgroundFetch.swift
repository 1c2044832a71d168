internal import Glibc
internal import SQLiteKit

/// A list that is being read on a thread and a connection of its own.
///
/// The reader sees one state of the database, S, some time after `start`. What own transactions touched since then may or
/// may not be part of S, so the controller keeps the rounds it would have been told of, and when the list is taken over,
/// the rows that these touched are read again and put where they belong now. What no hook tells of (foreign commits, DDL)
/// makes the list worthless; it is then read again.
final class BackgroundFetch: @unchecked Sendable {
    /// What the thread found.
    enum Result {
        case list(List, Identities)
        case failure(StoreError)
    }

    private let lock = Lock()
    private var rows = 0
    private var isCancelled = false
    private var result: Result?
    /// The thread's connection while it is open.
    private var connection: Connection?
    private var thread: pthread_t?
    private let path: String
    private let isImmutable: Bool
    private let request: FetchRequest
    private let nodes: NodeSizes
    private let wakeUp: WakeUp

    /// How often the thread tells of its progress, in rows.
    private static let progressInterval = 1 << 16

    init(path: String, isImmutable: Bool, request: FetchRequest, nodes: NodeSizes, wakeUp: WakeUp) {
        self.path = path
        self.isImmutable = isImmutable
        self.request = request
        self.nodes = nodes
        self.wakeUp = wakeUp
    }

    /// Starts the thread; false if there can't be one.
    func start() -> Bool {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<BackgroundFetch>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            return false
        }
        self.thread = thread
        return true
    }

    /// How many rows have been read, and the result once there is one. The store's thread.
    var state: (rows: Int, result: Result?) { lock.locked { (rows, result) } }

    /// Has the thread give up, and waits until it has. The store's thread.
    func stop() {
        lock.locked {
            isCancelled = true
            connection?.interrupt()
        }
        if let thread { pthread_join(thread, nil) }
        thread = nil
    }

    private func run() {
        var found: Result
        do {
            found = try read()
        } catch {
            found = .failure(StoreError(any: error))
        }
        lock.locked { result = found }
        wakeUp.signal()
    }

    private func read() throws -> Result {
        let connection = try Connection.open(path: path, readOnly: true, create: false, immutable: isImmutable)
        lock.locked { self.connection = connection }
        defer {
            lock.locked { self.connection = nil }
            connection.close()
        }
        connection.setBusyTimeout(milliseconds: 5000)
        try connection.readEncoding()
        let compiled = try RequestCompiler(connection: connection).compile(request)
        let identities = Identities()
        let reader = ListReader(
            compiled: compiled, decoder: RowDecoder(compiled: compiled, identities: identities), nodes: nodes,
            progress: note)
        return .list(try connection.reading { try reader.read() }, identities)
    }

    private func note(_ count: Int) -> Bool {
        let goesOn = lock.locked {
            let isDue = count / Self.progressInterval > rows / Self.progressInterval
            rows = count
            if isDue { wakeUp.signal() }
            return !isCancelled
        }
        return goesOn
    }
}

/// A mutex.
private final class Lock {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init() { pthread_mutex_init(mutex, nil) }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
