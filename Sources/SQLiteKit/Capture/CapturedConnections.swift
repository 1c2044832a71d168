internal import Glibc

/// The SQLite connections whose hooks are taken. SQLite has one of each kind per connection, so that a connection can't
/// serve two stores.
enum CapturedConnections {
    nonisolated(unsafe) private static var connections: Set<OpaquePointer> = []
    nonisolated(unsafe) private static let lock: UnsafeMutablePointer<pthread_mutex_t> = {
        let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        pthread_mutex_init(lock, nil)
        return lock
    }()

    /// Notes a connection; false if its hooks are taken already. Any thread.
    static func insert(_ connection: OpaquePointer) -> Bool {
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
