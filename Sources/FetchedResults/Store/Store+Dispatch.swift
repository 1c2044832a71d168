internal import LogFollower
internal import SQLiteKit

/// Delivering when the program asks for it.
extension Store {
    /// Delivers what waits to be delivered: queued own commits, what the program did with the connection itself, and
    /// what other connections have committed. Inside a callback it does nothing: the round under way is followed by
    /// others until nothing waits.
    ///
    /// - Parameter limit: How many rounds may change lists; nil for as many as there are. Observers that write make a
    ///   new round each time, which a dispatch without a limit delivers as well. What is left makes the descriptor
    ///   readable.
    @discardableResult
    public func dispatch(limit: Int? = nil) throws -> DispatchResult {
        try checkOpen()
        if let limit, limit < 0 { throw StoreError(.range, "a limit is not negative") }
        guard !delivery.queue.isUnderWay else {
            delivery.deliverLater()
            var result = DispatchResult()
            result.isComplete = false
            return result
        }
        var result = DispatchResult()
        try connection.activity.workCallingOut { result = try dispatchAll(limit) }
        return result
    }

    private func dispatchAll(_ limit: Int?) throws -> DispatchResult {
        // It is readable again for what is committed from here on.
        delivery.willDispatch(limit)
        defer { delivery.didDispatch() }
        do {
            try delivery.deliver(isAsked: true)
        } catch {
            // What there is to deliver is delivered at the next dispatch.
            delivery.askForDispatch()
            endCancelledFetches()
            throw error
        }
        guard connection.isOpen else { return delivery.dispatched }
        // A statement that is half-way holds an older state.
        if connection.isInTransaction || connection.isReading { delivery.dispatchLater() }
        if !connection.isInTransaction {
            continueFetches()
            delivery.deliverIfDue()
            delivery.foreign.tidy(isIdle: true)
        }
        return delivery.dispatched
    }

    /// A file descriptor that is readable as long as there is something to dispatch: for poll, epoll and the like. It
    /// belongs to the store.
    public var fileDescriptor: Int32 { get throws { try wakeUp().descriptor } }

    /// How the descriptor becomes readable when another connection has committed. It is asked for first.
    public var wakeUpSource: WakeUpSource {
        get throws {
            _ = try wakeUp()
            return switch delivery.watcher?.source {
            case nil, .some(.none): .none
            case .some(.notices): .notices
            case .some(.interval): .interval
            }
        }
    }

    /// Waits until there is something to dispatch, or for so many milliseconds (negative: for ever), and dispatches.
    @discardableResult
    public func wait(milliseconds: Int32) throws -> DispatchResult {
        try wakeUp().wait(milliseconds: milliseconds)
        return try dispatch()
    }

    /// What signals the program that there is something to dispatch.
    func wakeUp() throws(StoreError) -> WakeUp {
        guard let wakeUp = try delivery.wakeUpDescriptor() else {
            throw StoreError(.io, "there are no file descriptors left")
        }
        return wakeUp
    }

    /// Whether something was written that the lists do not show yet.
    package var hasUndeliveredChanges: Bool { delivery.hasUndeliveredChanges }
}

/// How a store learns that another connection has committed.
public enum WakeUpSource: Int, Sendable {
    /// It does not: `dispatch` finds out. So it is for databases in memory, for immutable ones, and for files of which
    /// the kernel gives no notice, unless `StoreOptions.pollInterval` is set.
    case none = 0
    /// The kernel gives notice of what is written to the file.
    case notices = 1
    /// It looks at intervals.
    case interval = 2
}
