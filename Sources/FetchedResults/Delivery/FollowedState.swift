internal import ListEngine
internal import LogFollower
internal import SQLiteKit

/// The state that the lists show of one database, or of several together, which a pair of
/// connections holds readable and follows from round to round.
protocol FollowedState: ShownState {
    /// Held whenever another thread may use the connections.
    var lock: Lock { get }
    /// The rows that the lists show beside the held state.
    var overlay: Overlay { get set }
    /// Shows the held state; nil if none is held.
    var held: Connection? { get }
    /// Shows the state that was held before, if a round keeps that.
    var kept: Connection? { get }
    /// Whether the lists show the held state and this connection's commits since.
    var isShown: Bool { get }
    /// Whether this connection has committed since the held state.
    var isBehind: Bool { get }
}

extension FollowedState {
    func withSnapshot<Result>(_ body: (ShownSnapshot?) throws -> Result) rethrows -> Result {
        try lock.locked { try body(isShown ? held.map { ShownSnapshot($0, later: overlay.later) } : nil) }
    }

    func withOldSnapshot<Result>(_ body: (ShownSnapshot?) throws -> Result) rethrows -> Result {
        try lock.locked { try body(overlay.oldState(held: held, kept: kept)) }
    }

    func withLaterContents(_ body: (inout LaterContents, _ isBehind: Bool) -> Void) {
        lock.locked {
            guard held != nil else { return }
            overlay.noteSwitch()
            body(&overlay.later, isBehind)
        }
    }
}
