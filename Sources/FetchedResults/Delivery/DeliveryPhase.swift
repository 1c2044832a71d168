/// The state of a store when something may have to be delivered.
enum DeliveryPhase: CaseIterable {
    case idle
    /// A transaction is open. Its end delivers.
    case inTransaction
    /// Observers are being notified of changes of this store, or of another store whose lists a
    /// collection shows together with lists of this one.
    case delivering
    /// The same, and the store's next delivery waits for the end.
    case waiting
    /// The store is closed.
    case closed
}

/// An event that may make a delivery necessary.
enum DeliveryEvent: CaseIterable {
    /// A statement of the store has ended.
    case statement
    /// A list is due after a pause.
    case listDue
    /// The program is about to use a list.
    case use
    /// The program dispatches.
    case dispatch
}

/// The reaction of a store to an event.
enum DeliveryAction {
    case none
    case deliver
    /// Delivers when the delivery under way has ended.
    case deliverLater
    /// Wakes the program, whose next dispatch delivers.
    case wake
}

extension DeliveryPhase {
    /// The action of a store; docs/architecture.md has the table.
    ///
    /// - Parameters:
    ///   - isQueued: Whether the store delivers changes only when the program dispatches.
    ///   - hasChanges: Whether changes of any connection wait to be delivered.
    func action(
        at event: DeliveryEvent, isQueued: Bool, hasChanges: () throws -> Bool
    ) rethrows -> DeliveryAction {
        switch (self, event) {
        case (.inTransaction, _), (.waiting, _), (.closed, _): return .none
        case (_, .statement) where isQueued, (_, .use) where isQueued: return .none
        // The round in which the list catches up would deliver the changes as well.
        case (_, .listDue) where try isQueued && hasChanges(): return .wake
        case (.idle, _): return .deliver
        case (.delivering, _): return .deliverLater
        }
    }
}
