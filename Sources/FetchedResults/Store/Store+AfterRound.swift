public import SQLiteKit

/// Functions of the program that are called when a round is over.
extension Store {
    /// Has a function called once, when the round under way is over: after everyone was notified, and after all that
    /// was asked for before it inside the callbacks of that round. When no round is under way, it is called when the
    /// next one is over, or would be: at the end of the next call that delivers if only there were something to
    /// deliver, also when nothing was delivered. That is never before this returns.
    ///
    /// The function receives the error if what was asked for last before it, inside the same callback, had to wait for
    /// the end of the round and then failed: another request or other sections of a list. Observers are notified of
    /// that error after the function.
    ///
    /// It may do whatever an observer may. What it asks for is delivered after it. Inside of it, another function that
    /// is passed is called after what this one has asked for, or, if that is nothing, after the next round.
    ///
    /// Stores whose lists one collection shows have their rounds together. A function of a store that is closed is not
    /// called.
    ///
    /// It is kept until then. Throws `closed` and `misuse`.
    public func callAfterRound(_ function: @escaping (StoreError?) -> Void) throws {
        try checkOpen()
        delivery.callAfterRound(function)
    }

    /// Whether a round is under way: inside a callback of one of the store's lists, or of a list that is shown together
    /// with one, what the program asks for is done after the round.
    public var isDelivering: Bool {
        get throws {
            try checkOpen()
            return delivery.queue.isUnderWay
        }
    }
}
