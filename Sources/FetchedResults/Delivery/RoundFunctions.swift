internal import SQLiteKit

/// The functions that a store's program has registered to be called after a round, by number.
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

extension StoreDelivery {
    /// Has a function called once, when the round under way is over, or the next one
    /// (`Store.callAfterRound`).
    func callAfterRound(_ function: @escaping (StoreError?) -> Void) {
        let number = functions.add(function)
        queue.callAfterRound { [weak self] error in
            guard let self, connection.isOpen, let function = functions.take(number) else { return }
            function(error)
        }
    }

    /// Calls the functions that wait for the end of a round, if the lists show everything that is
    /// committed. Called where a round has, or could have, ended.
    func endRound() {
        guard queue.hasFunctions else { return }
        queue.endRound(isOver: connection.isOpen && !connection.isInTransaction && !hasUndeliveredChanges)
    }
}
