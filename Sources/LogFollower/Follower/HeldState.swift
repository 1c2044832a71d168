package import SQLiteKit

/// One committed state that a read transaction keeps readable, in addition to the one that is
/// followed.
package final class HeldState: @unchecked Sendable {
    private let lock = Lock()
    private let snapshot: Snapshot

    /// Holds the present committed state, if that is `wanted`; nil if it is another one, or can't
    /// be held.
    package init?(_ database: DatabaseFile, at wanted: LogPosition) throws(StoreError) {
        guard let snapshot = try Snapshot(database) else { return nil }
        self.snapshot = snapshot
        do {
            if try snapshot.begin() == wanted { return }
        } catch {
            snapshot.close()
            throw error
        }
        snapshot.close()
        return nil
    }

    deinit { end() }

    /// Releases the state. Any thread.
    package func end() { lock.locked { snapshot.close() } }

    /// Runs `body` with a connection that shows the state; nil if it was released.
    package func reading<Result>(_ body: (Connection?) throws -> Result) rethrows -> Result {
        try lock.locked { try body(snapshot.position == nil ? nil : snapshot.connection) }
    }
}
