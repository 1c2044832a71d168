internal import ListEngine
internal import SQLiteKit

/// Whom rounds concern that touch what a list depends on. It stands for its list while that is made.
final class Subscriber {
    /// Whose end cancels all subscriptions.
    unowned var list: (any FollowingList)?
}

/// What one list depends on.
struct Subscription {
    let watches: Watches
    let subscriber: Subscriber
    let serial: Int

    /// What a row of a table has to be like to be in the list; nil if any change there may concern the list.
    func test(of watch: TableWatch) -> ValueTest? { watches.entity === watch ? watches.test : nil }
}

/// The lists of a store, by what they watch, so that a change reaches those it may concern without asking others.
final class Subscriptions {
    private var byWatch: [ObjectIdentifier: [ObjectIdentifier: Subscription]] = [:]
    private var byValue: [ObjectIdentifier: ValueIndex] = [:]
    private var anyWrite: [ObjectIdentifier: Subscription] = [:]
    private var all: [ObjectIdentifier: Subscription] = [:]
    /// Those whose lists take part in every round.
    private var eager: [ObjectIdentifier: Subscription] = [:]
    /// Whether lists may have been fetched when others had committed what the next round delivers.
    var hasListsAhead = false
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
        for watch in watches.all {
            guard byWatch[ObjectIdentifier(watch)]?[id] == nil else { continue }
            byWatch[ObjectIdentifier(watch), default: [:]][id] = subscription
            byValue[ObjectIdentifier(watch), default: ValueIndex(watch)].add(subscription)
        }
        if watches.isAnyWrite { anyWrite[id] = subscription }
    }

    func remove(_ watches: Watches) {
        let id = ObjectIdentifier(watches)
        guard let subscription = all.removeValue(forKey: id) else { return }
        forgetOrder()
        anyWrite[id] = nil
        eager[id] = nil
        for watch in watches.all {
            guard byWatch[ObjectIdentifier(watch)]?.removeValue(forKey: id) != nil else { continue }
            byValue[ObjectIdentifier(watch)]?.remove(subscription)
            if byWatch[ObjectIdentifier(watch)]?.isEmpty ?? false {
                byWatch[ObjectIdentifier(watch)] = nil
                byValue[ObjectIdentifier(watch)] = nil
                unwatch(watch)
            }
        }
    }

    func removeAll() {
        byWatch = [:]
        byValue = [:]
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

    /// The lists that a round may concern, in the same order, and what of it concerns them. Called in the round's read
    /// transaction.
    func lists(concernedBy round: Round) -> [(list: any FollowingList, round: Round)] {
        if round.reread != nil { return lists.map { ($0, round) } }
        if let concerned = listsByValue(round) { return concerned }
        return allLists(concernedBy: round).map { ($0, round) }
    }

    /// The same where the rows' values say which lists these are; nil if they do not.
    private func listsByValue(_ round: Round) -> [(list: any FollowingList, round: Round)]? {
        guard anyWrite.isEmpty, eager.isEmpty, round.foreignSince == nil || !hasListsAhead,
            let watch = round.onlyWatch, let index = byValue[ObjectIdentifier(watch)], index.isUseful,
            let rows = round.rows(of: watch), rows.hasImages, !rows.lacksImage
        else { return nil }
        do {
            let found = try index.subscriptions(concernedBy: rows)
            // A section map can have two subscriptions of one table.
            let rounds = Dictionary(found.map { (ObjectIdentifier($0.subscription.subscriber), $0.rows) }) { _, _ in
                rows
            }
            return Self.ordered(found.map(\.subscription)).compactMap { subscription in
                guard let list = subscription.subscriber.list else { return nil }
                let rows = rounds[ObjectIdentifier(subscription.subscriber)] ?? rows
                return (list, rows.count == round.rowCount ? round : round.with(rows, of: watch))
            }
        } catch {
            // Each list finds out for itself whether the rows can be read.
            return nil
        }
    }

    private func allLists(concernedBy round: Round) -> [any FollowingList] {
        if anyWrite.isEmpty, eager.isEmpty, let watch = round.onlyWatch {
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
