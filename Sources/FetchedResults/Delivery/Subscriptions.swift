internal import ListEngine
internal import SQLiteKit

/// The receiver of rounds that touch what a list depends on. It represents its list while that is
/// being created.
final class Subscriber {
    /// The list whose end cancels all subscriptions.
    unowned var list: (any FollowingList)?
}

/// The dependencies of one list.
struct Subscription {
    let watches: Watches
    let subscriber: Subscriber
    let serial: Int

    /// The condition that a row of a table must meet to be in the list; nil if any change of the
    /// table may affect the list.
    func test(of watch: TableWatch) -> ValueTest? { watches.entity === watch ? watches.test : nil }
}

/// The lists of a store, by the tables that they watch, so that a change reaches those it may
/// affect without querying others.
final class Subscriptions {
    private var byWatch: [ObjectIdentifier: [ObjectIdentifier: Subscription]] = [:]
    private var byValue: [ObjectIdentifier: ValueIndex] = [:]
    private var anyWrite: [ObjectIdentifier: Subscription] = [:]
    private var all: [ObjectIdentifier: Subscription] = [:]
    /// The subscriptions whose lists take part in every round.
    private var eager: [ObjectIdentifier: Subscription] = [:]
    /// Whether lists may have been fetched when other connections had committed what the next round
    /// delivers.
    var hasListsAhead = false
    private var next = 0
    /// The subscriptions of a watch that belong to different lists, in their order, as long as they
    /// stay the same.
    private var ordered: [ObjectIdentifier: [Subscription]] = [:]
    /// Those of the watch that was used last: changes tend to be grouped by table.
    private var last: (watch: TableWatch, subscriptions: [Subscription])?
    /// Called with watches that no list needs any more.
    var unwatch: (TableWatch) -> Void = { _ in }

    func add(_ watches: Watches, of subscriber: Subscriber) {
        let id = ObjectIdentifier(watches)
        let subscription = Subscription(watches: watches, subscriber: subscriber, serial: next)
        next += 1
        discardOrder()
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
        discardOrder()
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
        discardOrder()
    }

    /// Makes a list take part in every round, whatever that touches, or ends that.
    func setEager(_ watches: Watches, _ isEager: Bool) {
        let id = ObjectIdentifier(watches)
        eager[id] = isEager ? all[id] : nil
    }

    var isEmpty: Bool { all.isEmpty }

    /// Whether a round that touches no watched table affects any list.
    var followsEveryRound: Bool { !anyWrite.isEmpty || hasEager }
    var hasEager: Bool { !eager.isEmpty }

    /// All lists, in the order in which they were fetched first.
    var lists: [any FollowingList] { Self.ordered(all.values).compactMap(\.subscriber.list) }

    /// The lists that a round may affect, in the same order, and for each the part of the round
    /// that affects it. Called in the round's read transaction.
    func lists(concernedBy round: Round) -> [(list: any FollowingList, round: Round)] {
        if round.reread != nil { return lists.map { ($0, round) } }
        if let concerned = listsByValue(round) { return concerned }
        return allLists(concernedBy: round).map { ($0, round) }
    }

    /// The same where the rows' values determine which lists these are; nil if they do not.
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
            // Each list determines by itself whether the rows can be read.
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

    private func discardOrder() {
        ordered = [:]
        last = nil
    }

    /// Each subscriber once, though a subscription may be given more often, and a section map has
    /// two of them.
    private static func ordered(_ subscriptions: some Collection<Subscription>) -> [Subscription] {
        guard subscriptions.count > 1 else { return Array(subscriptions) }
        var seen: Set<ObjectIdentifier> = []
        return subscriptions.sorted { $0.serial < $1.serial }.filter {
            seen.insert(ObjectIdentifier($0.subscriber)).inserted
        }
    }
}

extension StoreDelivery {
    /// Watches the tables on which a compiled request depends, so that rounds that touch them reach
    /// a subscriber.
    func subscribe(_ subscriber: Subscriber, _ compiled: CompiledRequest) throws -> Watches {
        let watches = try Watches(compiled, in: capture)
        watches.didCancel = { [weak subscriptions] in subscriptions?.remove($0) }
        subscriptions.add(watches, of: subscriber)
        return watches
    }
}
