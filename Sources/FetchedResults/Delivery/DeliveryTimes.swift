internal import Glibc

/// How long the rounds of a store took, while it measured.
public struct DeliveryTimes: Sendable {
    /// The parts of a round, in nanoseconds.
    public struct Phases: Sendable {
        /// Finding what the round is of: the rows that other connections touched, from the log or
        /// a history.
        public internal(set) var finding = 0
        /// Preparing the lists: reading the touched rows, or whole lists, and making the change
        /// sets.
        public internal(set) var preparing = 0
        /// Notifying: all callbacks, and switching the lists to their new states.
        public internal(set) var notifying = 0
    }

    /// The number of rounds that were measured.
    public private(set) var rounds = 0
    /// The sum over these.
    public private(set) var total = Phases()
    /// The last of them.
    public private(set) var last = Phases()

    mutating func add(_ round: RoundClock) {
        rounds += 1
        last = round.phases
        total.finding += last.finding
        total.preparing += last.preparing
        total.notifying += last.notifying
    }
}

/// Measures one round.
struct RoundClock {
    private(set) var phases = DeliveryTimes.Phases()
    private var time = RoundClock.now

    /// Adds the time since the last call to a phase; nil to leave it out.
    mutating func end(_ phase: WritableKeyPath<DeliveryTimes.Phases, Int>?) {
        let now = RoundClock.now
        if let phase { phases[keyPath: phase] += now - time }
        time = now
    }

    private static var now: Int {
        var time = timespec()
        // Fails only for a clock that the system does not have.
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
