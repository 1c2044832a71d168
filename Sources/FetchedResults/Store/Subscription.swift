internal import SQLiteKit

/// What one controller wants to be told of.
final class Subscription {
    let entity: TableWatch?
    let related: [(watch: TableWatch, Dependencies.Related)]
    let opaque: [TableWatch]
    let isAnyWrite: Bool
    /// Which cancels the subscription before it goes. Not weak, as objects with weak references count all others more slowly.
    unowned(unsafe) let controller: FetchedResultsController
    private weak var registry: Subscriptions?
    fileprivate(set) var serial = 0

    init(
        controller: FetchedResultsController, entity: TableWatch?, related: [(TableWatch, Dependencies.Related)],
        opaque: [TableWatch], isAnyWrite: Bool, registry: Subscriptions
    ) {
        self.controller = controller
        self.entity = entity
        self.related = related
        self.opaque = opaque
        self.isAnyWrite = isAnyWrite
        self.registry = registry
    }

    var watches: [TableWatch] { [entity].compactMap(\.self) + related.map(\.watch) + opaque }

    func cancel() { registry?.remove(self) }
}

/// The subscriptions of a store, by what they watch, so that a change reaches those it may concern without asking others.
final class Subscriptions {
    private var byWatch: [ObjectIdentifier: [ObjectIdentifier: Subscription]] = [:]
    private var anyWrite: [ObjectIdentifier: Subscription] = [:]
    private var all: [ObjectIdentifier: Subscription] = [:]
    /// Those whose lists are not in order and want to try again at every round.
    private var eager: [ObjectIdentifier: Subscription] = [:]
    private var next = 0
    /// Told of watches that nobody needs any more.
    var unwatch: (TableWatch) -> Void = { _ in }

    func add(_ subscription: Subscription) {
        let id = ObjectIdentifier(subscription)
        subscription.serial = next
        next += 1
        all[id] = subscription
        for watch in subscription.watches { byWatch[ObjectIdentifier(watch), default: [:]][id] = subscription }
        if subscription.isAnyWrite { anyWrite[id] = subscription }
    }

    func remove(_ subscription: Subscription) {
        let id = ObjectIdentifier(subscription)
        guard all.removeValue(forKey: id) != nil else { return }
        anyWrite[id] = nil
        eager[id] = nil
        for watch in subscription.watches {
            byWatch[ObjectIdentifier(watch)]?[id] = nil
            if byWatch[ObjectIdentifier(watch)]?.isEmpty ?? false {
                byWatch[ObjectIdentifier(watch)] = nil
                unwatch(watch)
            }
        }
    }

    func removeAll() {
        byWatch = [:]
        anyWrite = [:]
        eager = [:]
        all = [:]
    }

    /// Has a subscription take part in every round, whatever it touches, or no longer.
    func setEager(_ subscription: Subscription, _ isEager: Bool) {
        eager[ObjectIdentifier(subscription)] = isEager ? subscription : nil
    }

    /// Whether a round that touches no watched table has someone to concern.
    var wantsEveryRound: Bool { !anyWrite.isEmpty || hasEager }
    var hasEager: Bool { !eager.isEmpty }

    /// All controllers, in the order in which they were fetched first.
    var controllers: [FetchedResultsController] { Self.controllers(of: all.values) }

    /// The controllers that a round may concern, in the same order.
    func controllers(concernedBy round: Round) -> [FetchedResultsController] {
        if round.reread != nil { return controllers }
        var concerned: [Subscription] = []
        for watch in round.watches { if let watching = byWatch[watch] { concerned += watching.values } }
        concerned += anyWrite.values
        concerned += eager.values
        return Self.controllers(of: concerned)
    }

    /// Each controller once, though a subscription may be given more often, and a section map has two of them.
    private static func controllers(of subscriptions: some Collection<Subscription>) -> [FetchedResultsController] {
        guard subscriptions.count > 1 else { return subscriptions.map(\.controller) }
        var seen: Set<ObjectIdentifier> = []
        return subscriptions.sorted { $0.serial < $1.serial }.map(\.controller).filter {
            seen.insert(ObjectIdentifier($0)).inserted
        }
    }
}
