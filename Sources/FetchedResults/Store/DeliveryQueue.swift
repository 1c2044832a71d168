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
    private var frames = CallFrames()
    private var wasAbandoned = false

    /// The queue that took over all others.
    private var root: DeliveryQueue {
        guard var root = successor else { return self }
        while let next = root.successor { root = next }
        // Without the way there, which grows with each collection that shows a list.
        successor = root
        return root
    }

    /// Whether observers are being notified of something.
    var isUnderWay: Bool { root.depth > 0 }

    /// Whether a delivery of this thread never ends.
    var isAbandoned: Bool {
        let root = root
        guard root.depth > 0 else { return false }
        if !root.wasAbandoned { root.wasAbandoned = root.frames.areAbandoned }
        return root.wasAbandoned
    }

    func checkNotAbandoned() throws(StoreError) {
        if isAbandoned { throw Self.abandonment }
    }

    static let abandonment = StoreError(
        .misuse, "a callback did not return, but ended by longjmp or an exception; the store can only be closed")

    /// Makes one queue of two.
    func join(_ other: DeliveryQueue) {
        let (root, old) = (root, other.root)
        guard root !== old else { return }
        root.depth += old.depth
        root.frames.formUnion(old.frames)
        old.frames.removeAll()
        root.waiting += old.waiting
        old.waiting = []
        old.successor = root
    }

    /// Runs a delivery, and then what was asked for meanwhile.
    func run(_ body: () throws -> Void) rethrows {
        root.depth += 1
        defer { root.depth -= 1 }
        try CallFrames.marking(.large) { root.frames.insert($0) } leave: { root.frames.remove($0) } _: {
            defer {
                while root.depth == 1, !root.waiting.isEmpty { root.waiting.removeFirst()() }
            }
            try body()
        }
    }

    /// Runs a delivery that can't fail now, or, if one is under way, after it. Throws if the queue is abandoned.
    func runOrWait(_ body: @escaping () -> Void) throws(StoreError) {
        try checkNotAbandoned()
        if isUnderWay { root.waiting.append(body) } else { run(body) }
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
