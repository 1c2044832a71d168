internal import SQLiteKit

/// Makes one delivery end before the next begins: for a store, and for all stores whose lists one
/// collection shows. Requests inside a callback wait here until all observers were notified of the
/// current delivery.
///
/// A callback that does not return, because it ended by longjmp or an exception, leaves a delivery
/// that never ends. The queue is then *abandoned*: its stores fail with `misuse` for every request,
/// and can be closed.
final class DeliveryQueue {
    private var depth = 0
    private var waiting: [Waiting] = []
    /// Functions to call when the next round is over, registered when none was under way.
    private var functions: [(StoreError?) -> Void] = []
    /// The same, registered by such functions since the last round.
    private var laterFunctions: [(StoreError?) -> Void] = []
    /// Whether such a function is running, and whether it has requested a delivery.
    private var functionUnderWay: (isRunning: Bool, hasAsked: Bool) = (false, false)
    /// The queue that took this one over.
    private var successor: DeliveryQueue?
    private var frames = CallFrames()
    private var wasAbandoned = false

    /// The requests that wait for the end of the current round.
    private enum Waiting {
        case delivery(() throws -> Void, failed: (StoreError) -> Void)
        /// A function of the program, which receives the failure of the delivery before it.
        case function((StoreError?) -> Void)
    }

    /// The queue that took over all other queues.
    private var root: DeliveryQueue {
        guard var root = successor else { return self }
        if root.successor == nil { return root }
        while let next = root.successor { root = next }
        // The path to it is removed, as it grows with each collection that shows a list.
        successor = root
        return root
    }

    /// Whether observers are being notified.
    var isUnderWay: Bool { successor == nil ? depth > 0 : root.depth > 0 }

    /// Whether a delivery of this thread never ends.
    @inline(__always)
    var isAbandoned: Bool { successor == nil && depth == 0 ? false : root.hasAbandonedFrames }

    /// In a root: whether a delivery of this thread never ends.
    private var hasAbandonedFrames: Bool {
        guard depth > 0 else { return false }
        if !wasAbandoned { wasAbandoned = frames.areAbandoned }
        return wasAbandoned
    }

    func checkNotAbandoned() throws(StoreError) {
        if isAbandoned { throw Self.abandonment }
    }

    static let abandonment = StoreError(
        .misuse, "a callback did not return, but ended by longjmp or an exception; the store can only be closed")

    /// Merges two queues.
    func join(_ other: DeliveryQueue) {
        let (root, old) = (root, other.root)
        guard root !== old else { return }
        root.depth += old.depth
        root.frames.formUnion(old.frames)
        old.frames.removeAll()
        root.waiting += old.waiting
        root.functions += old.functions
        root.laterFunctions += old.laterFunctions
        if old.functionUnderWay.isRunning { root.functionUnderWay = old.functionUnderWay }
        old.waiting = []
        old.functions = []
        old.laterFunctions = []
        old.successor = root
    }

    /// Runs a delivery, and then what was requested meanwhile.
    func run(_ body: () throws -> Void) rethrows {
        let first = root
        first.depth += 1
        // Callbacks may make another queue take this one over.
        defer { root.depth -= 1 }
        try CallFrames.marking(.large) { frame in
            first.frames.insert(frame)
            defer { root.frames.remove(frame) }
            defer { runWaiting() }
            try body()
        }
    }

    /// Runs what was requested inside callbacks.
    private func runWaiting() {
        while true {
            let root = root
            guard root.depth == 1, !root.waiting.isEmpty else { return }
            root.runNext()
        }
    }

    /// Runs the request that has waited longest.
    private func runNext() {
        switch waiting.removeFirst() {
        case .function(let function): call(function, nil)
        case .delivery(let body, let failed):
            // The program's function for it is notified of a failure before the observers are.
            var functions: [(StoreError?) -> Void] = []
            while case .function(let function)? = waiting.first {
                functions.append(function)
                waiting.removeFirst()
            }
            var failure: StoreError?
            do { try body() } catch { failure = StoreError(any: error) }
            for function in functions { call(function, failure) }
            if let failure { failed(failure) }
        }
    }

    /// Runs a delivery that can't fail now, or, if one is under way, after it. Throws if the queue
    /// is abandoned.
    func runOrWait(_ body: @escaping () -> Void) throws(StoreError) {
        try checkNotAbandoned()
        if isUnderWay { root.wait(body) { _ in } } else { run(body) }
    }

    /// Runs a delivery now, or, if one is under way, after it; `failed` then receives its failure,
    /// as no call can return it any more.
    func runOrWait(_ body: @escaping () throws -> Void, failed: @escaping (StoreError) -> Void) throws {
        try checkNotAbandoned()
        guard isUnderWay else { return try run(body) }
        root.wait(body, failed)
    }

    private func wait(_ body: @escaping () throws -> Void, _ failed: @escaping (StoreError) -> Void) {
        waiting.append(.delivery(body, failed: failed))
        functionUnderWay.hasAsked = true
    }

    // MARK: Functions after a round

    /// Has a function called after the round under way, or the next one (`Store.callAfterRound`).
    func callAfterRound(_ function: @escaping (StoreError?) -> Void) {
        let root = root
        if root.depth == 0 {
            root.functions.append(function)
        } else if root.functionUnderWay.isRunning, !root.functionUnderWay.hasAsked {
            // Functions that register themselves again when they are called would otherwise be
            // called without end.
            root.laterFunctions.append(function)
        } else {
            root.waiting.append(.function(function))
        }
    }

    /// Whether functions wait for the end of the next round.
    var hasFunctions: Bool { successor == nil ? hasOwnFunctions : root.hasOwnFunctions }

    private var hasOwnFunctions: Bool { !functions.isEmpty || !laterFunctions.isEmpty }

    /// Called at the end of a call that delivers if there is something to deliver.
    ///
    /// - Parameter isOver: Whether everything was delivered: then the functions that wait for that
    ///   are called.
    func endRound(isOver: Bool) {
        let root = root
        guard root.depth == 0 else { return }
        if isOver {
            let functions = root.functions
            root.functions = []
            for function in functions { run { root.call(function, nil) } }
        }
        let now = self.root
        now.functions += now.laterFunctions
        now.laterFunctions = []
    }

    private func call(_ function: (StoreError?) -> Void, _ failure: StoreError?) {
        root.functionUnderWay = (isRunning: true, hasAsked: false)
        // Functions of the queue that has taken this one over meanwhile.
        defer { root.functionUnderWay = (false, false) }
        function(failure)
    }
}
