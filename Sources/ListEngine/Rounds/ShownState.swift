package import SQLiteKit

/// A state of one database, or of several together, that lists show, and that other connections
/// hold readable, whatever is committed meanwhile.
package protocol ShownState: AnyObject {
    /// Runs `body` with a snapshot of the state; with nil if it is not held any more.
    func withSnapshot<Result>(_ body: (ShownSnapshot?) throws -> Result) rethrows -> Result
    /// The same for the state that the lists showed before the round under way.
    func withOldSnapshot<Result>(_ body: (ShownSnapshot?) throws -> Result) rethrows -> Result
    /// Runs `body` with the contents in which the lists differ from the snapshot, and whether the
    /// store has committed since that was taken; does nothing if none is held.
    func withLaterContents(_ body: (inout LaterContents, _ isBehind: Bool) -> Void)
    /// Makes the snapshot one of the state that the lists are about to show. False if another
    /// connection has committed after it.
    func hold() -> Bool
}

/// A connection that shows a state without the commits of the store since.
package struct ShownSnapshot {
    package let connection: Connection
    /// The contents in which the lists differ from it.
    package let later: LaterContents

    package init(_ connection: Connection, later: LaterContents = LaterContents()) {
        self.connection = connection
        self.later = later
    }
}
