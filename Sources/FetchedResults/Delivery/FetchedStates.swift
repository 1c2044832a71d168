internal import ListEngine
internal import LogFollower
internal import SQLiteKit

/// The states of databases that a list was fetched in before they were delivered.
final class FetchedStates: FetchedAhead {
    private let states: [(name: ExactText, state: HeldState)]

    init(_ states: [(name: ExactText, state: HeldState)]) { self.states = states }

    func reading<Result>(_ name: ExactText, _ body: (Connection?) throws -> Result) rethrows -> Result {
        guard let state = states.first(where: { $0.name == name })?.state else { return try body(nil) }
        return try state.reading(body)
    }
}
