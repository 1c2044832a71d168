internal import ListEngine
internal import SQLiteKit

/// Whom rounds concern that touch what a list depends on. It stands for its controller while that is made.
final class Subscriber {
    /// Whose end cancels all subscriptions.
    unowned var controller: FetchedResultsController?
}

/// The lists of a store, by what they watch, so that a change reaches those it may concern without asking others.
final class Subscriptions {
    private struct Subscription {
        let watches: Watches
        let subscriber: Subscriber
        let serial: Int
    }

    private var byWatch: [ObjectIdentifier: [ObjectIdentifier: Subscription]] = [:]
    private var anyWrite: [ObjectIdentifier: Subscription] = [:]
    private var all: [ObjectIdentifier: Subscription] = [:]
    /// Those whose lists take part in every round.
    private var eager: [ObjectIdentifier: Subscription] = [:]
    private var next = 0
    /// Called with watches that nobody needs any more.
    var unwatch: (TableWatch) -> Void = { _ in }

    func add(_ watches: Watches, of subscriber: Subscriber) {
        let id = ObjectIdentifier(watches)
        let subscription = Subscription(watches: watches, subscriber: subscriber, serial: next)
        next += 1
        all[id] = subscription
        for watch in watches.all { byWatch[ObjectIdentifier(watch), default: [:]][id] = subscription }
        if watches.isAnyWrite { anyWrite[id] = subscription }
    }

    func remove(_ watches: Watches) {
        let id = ObjectIdentifier(watches)
        guard all.removeValue(forKey: id) != nil else { return }
        anyWrite[id] = nil
        eager[id] = nil
        for watch in watches.all {
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

    /// Has a list take part in every round, whatever that touches, or no longer.
    func setEager(_ watches: Watches, _ isEager: Bool) {
        let id = ObjectIdentifier(watches)
        eager[id] = isEager ? all[id] : nil
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
        guard subscriptions.count > 1 else { return subscriptions.compactMap(\.subscriber.controller) }
        var seen: Set<ObjectIdentifier> = []
        return subscriptions.sorted { $0.serial < $1.serial }.compactMap(\.subscriber.controller).filter {
            seen.insert(ObjectIdentifier($0)).inserted
        }
    }
}
