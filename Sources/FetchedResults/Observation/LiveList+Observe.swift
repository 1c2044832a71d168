public import ListEngine
public import SQLiteKit

extension LiveList {
    /// Calls closures for what happens to the list, as long as the observation is retained.
    ///
    /// The closures may do whatever an observer may (`FetchedResultsObserver`). The list retains
    /// them, so a closure that uses the list refers to it with `weak` or `unowned`.
    ///
    /// - Parameters:
    ///   - changed: Called for each delivery, when the list shows its new state. It reads no
    ///     objects unless the closure does.
    ///   - failed: Called when the list could not follow a commit: it shows its old state until the
    ///     cause no longer exists.
    ///   - ended: Called once, when nothing can happen any more: the list was released, or its
    ///     store was closed; for a collection, all stores of its lists. It is not called after
    ///     `ListObservation.cancel`. It is called immediately if that is so already.
    /// - Returns: The observation. Releasing it ends it.
    public func observe(
        _ changed: @escaping (ListChanges) -> Void, failed: @escaping (StoreError) -> Void = { _ in },
        ended: @escaping () -> Void = {}
    ) -> ListObservation {
        let observer = ClosureObserver(changed, failed, ended)
        let observation = ListObservation(self, observer)
        (self as? any NotifyingList)?.endIfOver()
        return observation
    }
}
