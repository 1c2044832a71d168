internal import SQLiteKit

/// One or more transactions that are undone together.
struct UndoStep {
    let name: String
    private(set) var transactions: [RecordedTransaction]
    /// Why it can't be undone.
    let failure: StoreError?

    var byteCount: Int { transactions.reduce(0) { $0 + $1.byteCount } }

    init(_ name: String, _ outcome: Result<RecordedTransaction, any Error>) {
        self.name = name
        switch outcome {
        case .success(let transaction): (transactions, failure) = ([transaction], nil)
        case .failure(let error): (transactions, failure) = ([], StoreError(any: error))
        }
    }

    /// Whether a later step has its name, and both together fit into a number of bytes.
    func canBeJoined(by later: UndoStep, upTo byteLimit: Int) -> Bool {
        ExactText(name) == ExactText(later.name) && failure == nil && later.failure == nil
            && byteCount + later.byteCount <= byteLimit
    }

    mutating func append(_ later: UndoStep) { transactions += later.transactions }
}

/// The steps that can be undone, and the undone ones, which can be done again; the last ones first
/// in turn.
struct UndoSteps {
    /// Without more, programs that run for months would hold all that their users have deleted.
    static let defaultLimit = (steps: 100, bytes: 64 << 20)

    private(set) var done: [UndoStep] = []
    private(set) var undone: [UndoStep] = []
    var limit = defaultLimit { didSet { discardExcess() } }

    /// Adds a step that was carried out, unless it changed nothing.
    ///
    /// - Parameter joins: Whether it becomes a part of the last step if that has its name.
    mutating func add(_ step: UndoStep, joins: Bool) {
        if joins, undone.isEmpty, let last = done.last, last.canBeJoined(by: step, upTo: limit.bytes) {
            done[done.count - 1].append(step)
        } else {
            undone = []
            done.append(step)
        }
        discardExcess()
    }

    /// The step that is next on the way to a side.
    func next(to side: TransactionSide) -> UndoStep? { side == .old ? done.last : undone.last }

    /// Notes that the next step was reversed.
    mutating func move(to side: TransactionSide) {
        if side == .old { undone += [done.removeLast()] } else { done += [undone.removeLast()] }
    }

    mutating func discard(_ count: Int) {
        done.removeLast(min(count, done.count))
        undone = []
    }

    /// Discards the oldest steps beyond the limits.
    private mutating func discardExcess() {
        var byteCount = (done + undone).reduce(0) { $0 + $1.byteCount }
        while done.count + undone.count > limit.steps || byteCount > limit.bytes {
            // The step that would be redone last is the furthest from the present state.
            byteCount -= done.isEmpty ? undone.removeFirst().byteCount : done.removeFirst().byteCount
        }
    }
}
