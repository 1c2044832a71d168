public import SQLiteKit

/// Functions of the program that are called when a round is over.
extension Store {
    /// Calls a function once, when the current round is over: after all observers were notified,
    /// and after everything that was requested before it inside the callbacks of that round. When
    /// no round is under way, it is called when the next one is over, or would be: at the end of
    /// the next call that delivers if there is something to deliver, even if nothing was delivered.
    /// That is never before this returns.
    ///
    /// The function receives the error if the last request before it, inside the same callback, had
    /// to wait for the end of the round and then failed: another request or other sections of a
    /// list. Observers are notified of that error after the function.
    ///
    /// It may do whatever an observer may. Its requests are carried out after it. If it passes
    /// another function, that is called after the requests of this one, or, if there are none,
    /// after the next round.
    ///
    /// Stores whose lists one collection shows have their rounds together. A function of a store
    /// that is closed is not called.
    ///
    /// The function is retained until then. Throws `closed` and `misuse`.
    public func callAfterRound(_ function: @escaping (StoreError?) -> Void) throws {
        try checkOpen()
        delivery.callAfterRound(function)
    }

    /// Whether a round is under way: inside a callback of one of the store's lists, or of a list
    /// that is shown together with one, the program's requests are carried out after the round.
    public var isDelivering: Bool {
        get throws {
            try checkOpen()
            return delivery.queue.isUnderWay
        }
    }
}
