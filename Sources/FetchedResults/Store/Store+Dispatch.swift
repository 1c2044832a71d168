internal import LogFollower
internal import SQLiteKit

/// Delivering when the program requests it.
extension Store {
    /// Delivers everything that waits: queued own commits, the program's own changes through the
    /// connection, and commits of other connections. Inside a callback it does nothing: the current
    /// round is followed by further rounds until nothing waits.
    ///
    /// - Parameter limit: The greatest number of rounds that may change lists; nil for no limit.
    ///   Observers that write make a new round each time, which a dispatch without a limit delivers
    ///   as well. The rest makes the descriptor readable.
    @discardableResult
    public func dispatch(limit: Int? = nil) throws -> DispatchResult {
        try checkOpen()
        if let limit, limit < 0 { throw StoreError(.range, "the limit can't be negative") }
        guard !delivery.queue.isUnderWay else {
            try delivery.handle(.dispatch)
            var result = DispatchResult()
            result.isComplete = false
            return result
        }
        var result = DispatchResult()
        try connection.activity.workCallingOut { result = try dispatchAll(limit) }
        return result
    }

    private func dispatchAll(_ limit: Int?) throws -> DispatchResult {
        // It becomes readable again for commits from here on.
        delivery.willDispatch(limit)
        defer { delivery.didDispatch() }
        do {
            try delivery.handle(.dispatch)
        } catch {
            // Waiting changes are delivered at the next dispatch. A store that waits for another
            // file at its path is woken by that.
            if !delivery.waitsForFile(error) { delivery.waking.wakeAgain() }
            endCancelledFetches()
            throw error
        }
        guard connection.isOpen else { return delivery.dispatched }
        // A half-way statement holds an older state.
        if connection.isInTransaction || connection.isReading { delivery.waking.postpone() }
        if !connection.isInTransaction {
            continueFetches()
            delivery.deliverIfDue()
            delivery.foreign.tidy(isIdle: true)
        }
        return delivery.dispatched
    }

    /// A file descriptor that is readable as long as there is something to dispatch: for poll,
    /// epoll and the like. It belongs to the store.
    public var fileDescriptor: Int32 { get throws { try wakeUp().descriptor } }

    /// How the descriptor becomes readable when another connection has committed. Reading this
    /// makes the descriptor first.
    public var wakeUpSource: WakeUpSource {
        get throws {
            _ = try wakeUp()
            return switch delivery.waking.watcher?.source {
            case nil, .some(.none): .none
            case .some(.notices): .notices
            case .some(.interval): .interval
            }
        }
    }

    /// Waits until there is something to dispatch, or for a number of milliseconds (negative:
    /// without limit), and dispatches.
    @discardableResult
    public func wait(milliseconds: Int32) throws -> DispatchResult {
        try wakeUp().wait(milliseconds: milliseconds)
        return try dispatch()
    }

    /// Waits for the descriptor of a store, without using the store.
    package static func wait(for descriptor: Int32, milliseconds: Int32) {
        WakeUp.wait(for: descriptor, milliseconds: milliseconds)
    }

    /// The signal to the program that there is something to dispatch.
    func wakeUp() throws(StoreError) -> WakeUp {
        guard let wakeUp = try delivery.wakeUpDescriptor() else {
            throw StoreError(.io, "there are no file descriptors left")
        }
        return wakeUp
    }

    /// Whether there are writes that the lists do not show yet.
    package var hasUndeliveredChanges: Bool { delivery.hasUndeliveredChanges }
}

/// How a store is notified that another connection has committed.
public enum WakeUpSource: Int, Sendable {
    /// It is not notified: `dispatch` detects commits. This applies to databases in memory, to
    /// immutable ones, and, if `StoreOptions.pollInterval` is 0, to files for which the kernel does
    /// not send notifications of all writes.
    case none = 0
    /// The kernel sends notifications of writes to the file.
    case notices = 1
    /// It looks at intervals (`StoreOptions.pollInterval`): the kernel does not send notifications
    /// of all writes.
    case interval = 2
}

extension Store {
    /// Whether the store measures its rounds, for `deliveryTimes`. It does not unless this is set:
    /// the clock is then read twice for each row that a statement of the store writes, for each row
    /// that a round reads, and for each list.
    public var measuresDeliveries: Bool {
        get { delivery.meter.isCounting }
        set { delivery.meter.isCounting = newValue }
    }

    /// How long the measured rounds took.
    public var deliveryTimes: DeliveryTimes { delivery.meter.times }

    /// Receives each round that concerns a list, after the observers of its changes: what caused
    /// it, why lists were read as a whole, which statements were run, and how long each phase took.
    /// nil, which is the default, for nothing.
    ///
    /// It is called inside the round, and may do whatever an observer may. A round that a write
    /// inside it makes is traced too. Tracing measures as `measuresDeliveries` does. A store that
    /// is closed releases the function.
    public var trace: ((RoundTrace) -> Void)? {
        get { delivery.meter.trace }
        set { delivery.meter.trace = newValue }
    }
}
