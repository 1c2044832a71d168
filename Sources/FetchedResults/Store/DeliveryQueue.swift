/// Sees to it that one delivery ends before the next begins: for a store, and for all stores whose lists one collection
/// shows. What is asked for inside a callback waits here until the delivery under way has been told to everyone.
final class DeliveryQueue {
    private var depth = 0
    private var waiting: [() throws -> Void] = []
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

    /// Runs a delivery, and then what was asked for meanwhile; throws the first error of all these.
    func run(_ body: () throws -> Void) throws {
        root.depth += 1
        defer { root.depth -= 1 }
        try body()
        var failure: (any Error)?
        while root.depth == 1, !root.waiting.isEmpty {
            do { try root.waiting.removeFirst()() } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    /// Runs a delivery now, or, if one is under way, after it.
    func runOrWait(_ body: @escaping () throws -> Void) throws {
        if isUnderWay { root.waiting.append(body) } else { try run(body) }
    }
}
