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
        delivery.wakeUp?.clear()
        do {
            try delivery.deliver(isAsked: true)
        } catch {
            // What there is to deliver is delivered at the next dispatch.
            delivery.wakeUp?.signal()
            endCancelledFetches()
            throw error
        }
        guard connection.isOpen else { return }
        guard !connection.isInTransaction else {
            delivery.wantsDispatch = true
            return
        }
        continueFetches()
        delivery.deliverIfDue()
    }

    /// A file descriptor that is readable as long as there is something to dispatch: for poll, epoll and the like. It
    /// belongs to the store.
    public var fileDescriptor: Int32 { get throws { try wakeUp().descriptor } }

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
