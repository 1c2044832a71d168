/// What a dispatch has delivered.
public struct DispatchResult: Equatable, Sendable {
    /// Rounds that changed lists: in each, all lists of the store that it concerned went on to one committed state.
    public internal(set) var rounds = 0
    /// How often a list of the store changed in them.
    public internal(set) var changedLists = 0
    /// Whether nothing waits any more, as far as the store knows. Something does if the limit was reached, if a
    /// transaction is open, or inside a callback; then the descriptor becomes readable in time.
    public internal(set) var isComplete = true

    /// The result of a dispatch that had nothing to deliver.
    public init() {}
}

/// The dispatch under way.
struct DispatchCount {
    /// How many rounds may change lists; nil for as many as there are.
    let limit: Int?
    var result = DispatchResult()
    /// Whether a round had to be left for the next dispatch.
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
