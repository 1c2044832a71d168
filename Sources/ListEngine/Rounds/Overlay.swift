package import SQLiteKit

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
    package mutating func noteSwitch() { if case .held = old { old = .past } }

    /// A snapshot of the state from before.
    ///
    /// - Parameters:
    ///   - held: Shows the held state; nil if there is none.
    ///   - kept: Shows the state that was held before; nil if that is not kept.
    package func oldState(held: Connection?, kept: Connection?) -> ShownSnapshot? {
        switch old {
        case .held: held.map { ShownSnapshot($0, later: later) }
        case .kept(let later): kept.map { ShownSnapshot($0, later: later) }
        case .none, .past: nil
        }
    }
}
