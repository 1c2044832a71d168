internal import LogFollower

/// The positions of the logs of a store's databases, each nil if it is not known or not followed. A read transaction
/// that begins after them, and before they are asked for again with the same answer, shows these states.
struct LogPositions {
    var main: LogPosition?
    /// In the order of `ForeignDatabases`.
    var attached: [LogPosition?] = []

    var isAnyKnown: Bool { main != nil || attached.contains { $0 != nil } }
}
