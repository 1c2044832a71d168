/// The deliveries of one dispatch.
public struct DispatchResult: Equatable, Sendable {
    /// Rounds that changed lists. Each moved all lists of the store that it affected to one
    /// committed state.
    public internal(set) var rounds = 0
    /// How often a list of the store changed in them.
    public internal(set) var changedLists = 0
    /// Whether nothing waits any more, as far as the store can determine. Something waits if the
    /// limit was reached, if a transaction is open, or inside a callback; then the descriptor
    /// becomes readable in time.
    public internal(set) var isComplete = true

    /// The result of a dispatch that had nothing to deliver.
    public init() {}
}

/// The dispatch under way.
struct DispatchCount {
    /// The greatest number of rounds that may change lists; nil for no limit.
    let limit: Int?
    var result = DispatchResult()
    /// Whether a round was left for the next dispatch.
    var isCut = false

    /// Whether another round may be delivered.
    mutating func allowsRound() -> Bool {
        guard let limit, result.rounds >= limit else { return true }
        isCut = true
        return false
    }

    mutating func add(changedLists: Int) {
        guard changedLists > 0 else { return }
        result.rounds += 1
        result.changedLists += changedLists
    }
}
