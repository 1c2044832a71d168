internal import Glibc

/// The SQLite connections that stores of this process use. A connection has one hook of each kind, so that it can't serve
/// two stores.
enum ConnectionRegistry {
    nonisolated(unsafe) private static var connections: Set<OpaquePointer> = []
    nonisolated(unsafe) private static let lock: UnsafeMutablePointer<pthread_mutex_t> = {
        let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        pthread_mutex_init(lock, nil)
        return lock
    }()

    /// Notes a connection; false if a store uses it already. Any thread.
    static func add(_ connection: OpaquePointer) -> Bool {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return connections.insert(connection).inserted
    }

    static func remove(_ connection: OpaquePointer) {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        connections.remove(connection)
    }
}
