internal import ListEngine
internal import SQLiteKit

/// Whom rounds concern that touch what a list depends on. It stands for its list while that is made.
final class Subscriber {
    /// Whose end cancels all subscriptions.
    unowned var list: (any FollowingList)?
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
    /// The subscriptions of a watch that concern different lists, in their order, as long as they stay the same.
    private var ordered: [ObjectIdentifier: [Subscription]] = [:]
    /// Those of the watch that was asked for last: changes tend to come table by table.
    private var last: (watch: TableWatch, subscriptions: [Subscription])?
    /// Called with watches that nobody needs any more.
    var unwatch: (TableWatch) -> Void = { _ in }

    func add(_ watches: Watches, of subscriber: Subscriber) {
        let id = ObjectIdentifier(watches)
        let subscription = Subscription(watches: watches, subscriber: subscriber, serial: next)
        next += 1
        forgetOrder()
        all[id] = subscription
        for watch in watches.all { byWatch[ObjectIdentifier(watch), default: [:]][id] = subscription }
        if watches.isAnyWrite { anyWrite[id] = subscription }
    }

    func remove(_ watches: Watches) {
        let id = ObjectIdentifier(watches)
        guard all.removeValue(forKey: id) != nil else { return }
        forgetOrder()
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
        forgetOrder()
    }

    /// Has a list take part in every round, whatever that touches, or no longer.
    func setEager(_ watches: Watches, _ isEager: Bool) {
        let id = ObjectIdentifier(watches)
        eager[id] = isEager ? all[id] : nil
    }

    var isEmpty: Bool { all.isEmpty }

    /// Whether a round that touches no watched table has someone to concern.
    var wantsEveryRound: Bool { !anyWrite.isEmpty || hasEager }
    var hasEager: Bool { !eager.isEmpty }

    /// All lists, in the order in which they were fetched first.
    var lists: [any FollowingList] { Self.ordered(all.values).compactMap(\.subscriber.list) }

    /// The lists that a round may concern, in the same order.
    func lists(concernedBy round: Round) -> [any FollowingList] {
        if round.reread != nil { return lists }
        if anyWrite.isEmpty, eager.isEmpty, round.watches.count == 1, let watch = round.watches.first {
            return ordered(watch).compactMap(\.subscriber.list)
        }
        var concerned: [Subscription] = []
        for watch in round.watches { concerned += ordered(watch) }
        concerned += anyWrite.values
        concerned += eager.values
        return Self.ordered(concerned).compactMap(\.subscriber.list)
    }

    private func ordered(_ watch: TableWatch) -> [Subscription] {
        if let last, last.watch === watch { return last.subscriptions }
        let id = ObjectIdentifier(watch)
        let subscriptions = ordered[id] ?? Self.ordered(byWatch[id].map { Array($0.values) } ?? [])
        ordered[id] = subscriptions
        last = (watch, subscriptions)
        return subscriptions
    }

    private func forgetOrder() {
        ordered = [:]
        last = nil
    }

    /// Each subscriber once, though a subscription may be given more often, and a section map has two of them.
    private static func ordered(_ subscriptions: some Collection<Subscription>) -> [Subscription] {
        guard subscriptions.count > 1 else { return Array(subscriptions) }
        var seen: Set<ObjectIdentifier> = []
        return subscriptions.sorted { $0.serial < $1.serial }.filter {
            seen.insert(ObjectIdentifier($0.subscriber)).inserted
        }
    }
}

extension StoreDelivery {
    /// Has the tables watched that a compiled request depends on, and rounds that touch them concern a subscriber.
    func subscribe(_ subscriber: Subscriber, _ compiled: CompiledRequest) throws -> Watches {
        let watches = try Watches(compiled, in: capture)
        watches.didCancel = { [weak subscriptions] in subscriptions?.remove($0) }
        subscriptions.add(watches, of: subscriber)
        return watches
    }
}
