internal import ListEngine
internal import LogFollower
internal import SQLiteKit

/// The state of one or several databases in which lists were fetched ahead of the other lists.
/// Another connection holds it until the last of them follows a round, or until one of the
/// databases releases it.
final class AheadState: ShownState, @unchecked Sendable {
    private let lock = Lock()
    private let reader: StateReader

    /// Holds the present committed states, if these are `wanted`; nil if they are other states, or
    /// can't be held.
    ///
    /// - Parameter connection: The store's connection.
    init?(_ databases: [DatabaseFile], at wanted: [LogPosition], _ connection: Connection) throws(StoreError) {
        guard let reader = try StateReader(databases) else { return nil }
        self.reader = reader
        try connection.shareFunctions(with: reader.connection, onOtherThread: false)
        guard try reader.begin(at: wanted) else { return nil }
    }

    deinit { end() }

    /// Releases the state. Any thread.
    func end() { lock.locked { reader.close() } }

    func withSnapshot<Result>(_ body: (ShownSnapshot?) throws -> Result) rethrows -> Result {
        try lock.locked { try body(reader.isHeld ? ShownSnapshot(reader.connection) : nil) }
    }
}
