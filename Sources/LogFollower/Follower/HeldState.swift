package import SQLiteKit

/// A committed state of one or several databases that a read transaction keeps readable, in
/// addition to the one that is followed.
package final class HeldState: @unchecked Sendable {
    private let lock = Lock()
    private let reader: StateReader

    /// Holds the present committed states, if these are `wanted`; nil if they are different ones,
    /// or can't be held.
    package init?(_ databases: [DatabaseFile], at wanted: [LogPosition]) throws(StoreError) {
        guard let reader = try StateReader(databases) else { return nil }
        self.reader = reader
        do {
            if try reader.begin(at: wanted) { return }
        } catch {
            reader.close()
            throw error
        }
        reader.close()
        return nil
    }

    deinit { end() }

    /// The connection that shows the state.
    package var connection: Connection { reader.connection }

    /// Releases the state. Any thread.
    package func end() { lock.locked { reader.close() } }

    /// Runs `body` with a connection that shows the state; nil if it was released.
    package func reading<Result>(_ body: (Connection?) throws -> Result) rethrows -> Result {
        try lock.locked { try body(reader.isHeld ? reader.connection : nil) }
    }
}
