package import SQLiteKit

/// A state of one database, or of several together, that lists show, and that other connections
/// hold readable, whatever is committed meanwhile.
package protocol ShownState: AnyObject {
    /// Runs `body` with a snapshot of the state; with nil if it is not held any more.
    func withSnapshot<Result>(_ body: (ShownSnapshot?) throws -> Result) rethrows -> Result
}

/// The state that the last round delivered. A pair of connections follows it from round to round.
package protocol FollowedState: ShownState {
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
    /// Makes the held state the one that the lists are about to show. False if another connection
    /// has committed after it.
    func hold() -> Bool
}

extension FollowedState {
    package func withSnapshot<Result>(_ body: (ShownSnapshot?) throws -> Result) rethrows -> Result {
        try lock.locked { try body(isShown ? held.map { ShownSnapshot($0, later: overlay.later) } : nil) }
    }

    /// The same for the state that the lists showed before the round under way.
    package func withOldSnapshot<Result>(_ body: (ShownSnapshot?) throws -> Result) rethrows -> Result {
        try lock.locked { try body(overlay.oldState(held: held, kept: kept)) }
    }

    /// Runs `body` with the contents in which the lists differ from the held state; does nothing if
    /// none is held.
    package func withLaterContents(_ body: (inout LaterContents, _ isBehind: Bool) -> Void) {
        lock.locked {
            guard held != nil else { return }
            overlay.noteSwitch()
            body(&overlay.later, isBehind)
        }
    }
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

/// The rows that lists show beside the state that is held: the contents in which they differ from
/// it, and, in a round, from the state that was held before.
package struct Overlay {
    /// The state that the lists showed when the round under way began.
    private enum Old {
        /// No round is under way.
        case none
        /// It is the held one.
        case held
        /// The second connection of the pair holds it. The lists differ from it in these contents.
        case kept(LaterContents)
        /// The lists have switched. The contents belong to the state that they show now.
        case past
    }

    package var later = LaterContents()
    private var old = Old.none

    package init() {}

    /// Another state is held, which the lists show or are about to show.
    package mutating func noteOtherState() {
        if case .held = old { old = .kept(later) }
        later = LaterContents()
    }

    package mutating func beginRound() { old = .held }

    package mutating func endRound() { old = .none }

    package var isInRound: Bool { if case .none = old { false } else { true } }

    /// Whether the second connection of a pair has the state from before.
    package var keepsOld: Bool { if case .kept = old { true } else { false } }

    /// The lists show the next state from now on.
    mutating func noteSwitch() { if case .held = old { old = .past } }

    /// A snapshot of the state from before.
    ///
    /// - Parameters:
    ///   - held: Shows the held state; nil if there is none.
    ///   - kept: Shows the state that was held before; nil if that is not kept.
    func oldState(held: Connection?, kept: Connection?) -> ShownSnapshot? {
        switch old {
        case .held: held.map { ShownSnapshot($0, later: later) }
        case .kept(let later): kept.map { ShownSnapshot($0, later: later) }
        case .none, .past: nil
        }
    }
}
