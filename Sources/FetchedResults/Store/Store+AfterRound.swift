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
        let number = roundFunctions.add(function)
        queue.callAfterRound { [weak self] error in
            guard let self, !isClosed, let function = roundFunctions.take(number) else { return }
            function(error)
        }
    }

    /// Whether a round is under way: inside a callback of one of the store's lists, or of a list that is shown together
    /// with one, what the program asks for is done after the round.
    public var isDelivering: Bool {
        get throws {
            try checkOpen()
            return queue.isUnderWay
        }
    }

    /// Calls the functions that wait for the end of a round, if the lists show all that is committed. Called where a
    /// round has, or could have, ended.
    func endRound() {
        guard queue.hasFunctions else { return }
        queue.endRound(isOver: connection.isOpen && !connection.isInTransaction && !hasUndeliveredChanges)
    }
}

/// The functions that a store's program wants called after a round, by number.
struct RoundFunctions {
    private var functions: [Int: (StoreError?) -> Void] = [:]
    private var last = 0

    mutating func add(_ function: @escaping (StoreError?) -> Void) -> Int {
        last += 1
        functions[last] = function
        return last
    }

    mutating func take(_ number: Int) -> ((StoreError?) -> Void)? { functions.removeValue(forKey: number) }
}
