internal import ChangeSets
internal import ListEngine
internal import SQLiteKit

/// Measures the rounds of a store, as far as the program wants that: for the sums of
/// `Store.deliveryTimes`, or round by round for `Store.trace`.
final class RoundMeter {
    private let capture: ChangeCapture
    /// Whether rounds are measured for `times`.
    var isCounting = false { didSet { noteWanted() } }
    private(set) var times = DeliveryTimes()
    /// Receives each round when it is over.
    var trace: ((RoundTrace) -> Void)? { didSet { noteWanted() } }
    /// The round under way; nil if nobody wants it.
    private var current: RoundMeasurement?

    init(_ capture: ChangeCapture) { self.capture = capture }

    private var isWanted: Bool { isCounting || trace != nil }

    private func noteWanted() { capture.measuresHook = isWanted }

    /// A round begins.
    func begin() { current = isWanted ? RoundMeasurement(isTraced: trace != nil) : nil }

    /// The round is not announced.
    func drop() { current = nil }

    /// The touched rows are known.
    func noteFound() { current?.end(\.finding) }

    /// Prepares a list.
    func prepare(_ list: any FollowingList, _ round: Round, _ activity: Activity) throws -> PreparedState? {
        guard let current else { return try list.prepare(round) }
        return try current.prepare(list, round, activity)
    }

    /// Runs the last phases of a round, which end it.
    func announce(from origin: ChangeOrigin, _ body: () -> Void) {
        guard let current else { return body() }
        current.phases.capturing = capture.takeHookTime()
        current.end(nil)
        body()
        current.end(\.notifying)
        self.current = nil
        if isCounting { times.add(current.phases) }
        // A callback that closed the store has ended its trace.
        trace?(RoundTrace(origin: origin, times: current.phases, lists: current.lists))
    }
}
