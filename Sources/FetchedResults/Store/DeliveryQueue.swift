internal import SQLiteKit

/// Sees to it that one delivery ends before the next begins: for a store, and for all stores whose lists one collection
/// shows. What is asked for inside a callback waits here until the delivery under way has been told to everyone.
final class DeliveryQueue {
    private var depth = 0
    private var waiting: [() -> Void] = []
    /// The queue that took this one over.
    private var successor: DeliveryQueue?

    private var root: DeliveryQueue { successor?.root ?? self }

    /// Whether observers are being told of something.
    var isUnderWay: Bool { root.depth > 0 }

    /// Makes one queue of two.
    func join(_ other: DeliveryQueue) {
        let (root, old) = (root, other.root)
        guard root !== old else { return }
        root.depth += old.depth
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

    /// Runs a delivery now, or, if one is under way, after it; `failed` is then told of its failure, as nobody can be
    /// answered any more.
    func runOrWait(_ body: @escaping () throws -> Void, failed: @escaping (StoreError) -> Void) throws {
        guard isUnderWay else { return try run(body) }
        root.waiting.append {
            do { try body() } catch { failed(StoreError(any: error)) }
        }
    }
}
