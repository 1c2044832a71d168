internal import LogFollower
internal import SQLiteKit

/// Delivering when the program asks for it.
extension Store {
    /// Delivers what waits to be delivered: queued own commits, and what the program did with the connection itself.
    /// Inside a callback it does nothing: the round under way is followed by others until nothing waits.
    public func dispatch() throws {
        try checkOpen()
        guard !delivery.queue.isUnderWay else { return delivery.deliverLater() }
        try connection.activity.workCallingOut(dispatchAll)
    }

    private func dispatchAll() throws {
        // It is readable again for what is committed from here on.
        delivery.willDispatch()
        defer { delivery.didDispatch() }
        do {
            try delivery.deliver(isAsked: true)
        } catch {
            // What there is to deliver is delivered at the next dispatch.
            delivery.askForDispatch()
            endCancelledFetches()
            throw error
        }
        guard connection.isOpen else { return }
        guard !connection.isInTransaction else { return delivery.dispatchLater() }
        continueFetches()
        delivery.deliverIfDue()
        delivery.foreign.tidy(isIdle: true)
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
    public func wait(milliseconds: Int32) throws {
        try wakeUp().wait(milliseconds: milliseconds)
        try dispatch()
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
