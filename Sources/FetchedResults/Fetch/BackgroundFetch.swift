internal import ListEngine
internal import LogFollower
internal import SQLiteKit

/// Reads a list on a thread of its own, through a connection whose read transaction has begun. So
/// the state that it reads does not depend on when the thread runs.
final class BackgroundFetch: @unchecked Sendable {
    private let lock = Lock()
    private var rows = 0
    private var isCancelled = false
    private var result: Result<(List, Identities, RankStatistics?), any Error>?
    /// The thread's connection while it is open.
    private var connection: Connection?
    private var thread: WorkerThread?
    private let request: FetchRequest
    private let sections: FetchedSections?
    private let nodes: NodeSizes
    private let wakeUp: WakeUp

    /// Called on the thread before it reads, with a function that returns whether it was stopped.
    private let willRead: WillRead

    typealias WillRead = @Sendable (_ isStopped: () -> Bool) -> Void

    /// The number of rows after which the thread signals its progress.
    private static let progressInterval = 1 << 16

    /// - Parameters:
    ///   - connection: A connection in a read transaction, which nothing else uses from now on.
    ///   - sections: The sections of a section map, which are not used elsewhere before there is a
    ///     result.
    init(
        reading connection: Connection, request: FetchRequest, sections: FetchedSections?, nodes: NodeSizes,
        wakeUp: WakeUp, willRead: @escaping WillRead
    ) {
        self.connection = connection
        self.willRead = willRead
        self.request = request
        self.sections = sections
        self.nodes = nodes
        self.wakeUp = wakeUp
    }

    /// Starts the thread; false if no thread can be created.
    func start() -> Bool {
        thread = WorkerThread { self.run() }
        return thread != nil
    }

    /// The number of rows that have been read. The store's thread.
    var rowCount: Int { lock.locked { rows } }

    /// The result once there is one. The store's thread.
    var outcome: Result<(List, Identities, RankStatistics?), any Error>? { lock.locked { result } }

    /// Stops the thread, and waits until it has ended. The store's thread.
    func stop() {
        lock.locked {
            isCancelled = true
            connection?.interrupt()
        }
        thread.take()?.join()
    }

    private func run() {
        let found = Result { try read() }
        lock.locked { result = found }
        wakeUp.signal()
    }

    private func read() throws -> (List, Identities, RankStatistics?) {
        guard let connection = lock.locked({ connection }) else {
            throw StoreError(.closed, "the connection is closed")
        }
        defer {
            lock.locked { self.connection = nil }
            connection.close()
        }
        willRead { lock.locked { isCancelled } }
        guard !lock.locked({ isCancelled }) else { throw AsynchronousFetch.cancellation }
        return try ListEngine.read(request, sections, through: connection, nodes: nodes, progress: note)
    }

    private func note(_ count: Int) -> Bool {
        let continues = lock.locked {
            let isDue = count / Self.progressInterval > rows / Self.progressInterval
            rows = count
            if isDue { wakeUp.signal() }
            return !isCancelled
        }
        return continues
    }
}
