internal import SQLiteKit

/// Sees to it that one delivery ends before the next begins: for a store, and for all stores whose lists one collection
/// shows. What is asked for inside a callback waits here until everyone was notified of the delivery under way.
///
/// A callback that does not return, because it ended by longjmp or an exception, leaves a delivery that never ends. The
/// queue is then *abandoned*: its stores answer `misuse` to everything, and can be closed.
package final class DeliveryQueue {
    private var depth = 0
    private var waiting: [() -> Void] = []
    /// The queue that took this one over.
    private var successor: DeliveryQueue?
    private var wasAbandoned = false
    /// Whether any queue was, so that asking costs nothing as long as none was.
    nonisolated(unsafe) private static var isAnyAbandoned = false

    private var root: DeliveryQueue { successor?.root ?? self }

    /// Whether observers are being notified of something.
    var isUnderWay: Bool { root.depth > 0 }

    package func abandon() {
        root.wasAbandoned = true
        Self.isAnyAbandoned = true
    }

    var isAbandoned: Bool { Self.isAnyAbandoned && root.wasAbandoned }

    func checkNotAbandoned() throws(StoreError) {
        guard isAbandoned else { return }
        throw StoreError(.misuse, "a callback did not return, but ended by longjmp or an exception; the store can only be closed")
    }

    /// Makes one queue of two.
    func join(_ other: DeliveryQueue) {
        let (root, old) = (root, other.root)
        guard root !== old else { return }
        root.depth += old.depth
        root.wasAbandoned = root.wasAbandoned || old.wasAbandoned
        root.waiting += old.waiting
        old.waiting = []
        old.successor = root
    }

    /// Runs a delivery, and then what was asked for meanwhile.
    func run(_ body: () throws -> Void) rethrows {
        root.depth += 1
        defer {
            while root.depth == 1, !root.waiting.isEmpty { root.waiting.removeFirst()() }
            root.depth -= 1
        }
        try body()
    }

    /// Runs a delivery now, or, if one is under way, after it; `failed` then receives its failure, as no call is left to
    /// return it.
    func runOrWait(_ body: @escaping () throws -> Void, failed: @escaping (StoreError) -> Void) throws {
        try checkNotAbandoned()
        guard isUnderWay else { return try run(body) }
        root.waiting.append {
            do { try body() } catch { failed(StoreError(any: error)) }
        }
    }
}
