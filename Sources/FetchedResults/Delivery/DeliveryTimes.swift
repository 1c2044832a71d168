/// How long the rounds of a store took, while it measured.
public struct DeliveryTimes: Sendable {
    /// The parts of a round, in nanoseconds.
    public struct Phases: Sendable {
        /// Capturing: noting the rows that the store's own statements touched, in a hook of SQLite,
        /// since the round before.
        public internal(set) var capturing = 0
        /// Finding the rows that other connections touched, from the log or a history.
        public internal(set) var finding = 0
        /// Reading: the statements of SQLite that read the touched rows, or whole lists.
        public internal(set) var reading = 0
        /// Building: the rest of the time to prepare the lists and their change sets.
        public internal(set) var building = 0
        /// Notifying: all callbacks, and switching the lists to their new states.
        public internal(set) var notifying = 0

        mutating func add(_ other: Phases) {
            capturing += other.capturing
            finding += other.finding
            reading += other.reading
            building += other.building
            notifying += other.notifying
        }
    }

    /// The number of rounds that were measured.
    public private(set) var rounds = 0
    /// The sum over these.
    public private(set) var total = Phases()
    /// The last of them.
    public private(set) var last = Phases()

    mutating func add(_ round: Phases) {
        rounds += 1
        last = round
        total.add(round)
    }
}
