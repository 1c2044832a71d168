internal import ListEngine
internal import SQLiteKit

extension Announcer: WatchReceiver {
    /// Watches the tables on which a compiled request depends, so that rounds that touch them reach
    /// the list.
    func watch(_ compiled: CompiledRequest) throws -> Watches {
        guard let delivery else { throw StoreError(.misuse, "a list of several stores watches no tables") }
        if compiled.database == nil { delivery.foreign.needsJoint = true }
        let watches = try Watches(
            compiled, in: delivery.capture, receiver: self, serial: delivery.subscriptions.nextSerial())
        delivery.subscriptions.add(watches)
        return watches
    }

    package func remove(_ watches: Watches) { delivery?.subscriptions.remove(watches) }
}

extension Watches {
    /// The object that represents the list that they belong to.
    fileprivate var announcer: Announcer? { receiver as? Announcer }
}

/// The lists of a store, by the tables that they watch, so that a change reaches those it may
/// affect without querying the other lists.
final class Subscriptions {
    /// The lists that watch one table.
    private final class Table {
        var lists = SerialList<Watches>()
        var byValue: ValueIndex
        let watch: TableWatch

        init(_ watch: TableWatch) {
            byValue = ValueIndex(watch)
            self.watch = watch
        }
    }

    private var tables: [ObjectIdentifier: Table] = [:] { didSet { lastTable = nil } }
    /// The table of the last round: successive rounds usually have the same one.
    private var lastTable: Table?
    /// Subscriptions that watch no table.
    private var withoutTable = SerialList<Watches>()
    private var anyWrite: [ObjectIdentifier: Watches] = [:]
    /// The subscriptions whose lists take part in every round.
    private var eager: [ObjectIdentifier: Watches] = [:]
    private var next = 0
    /// Called with watches that no list needs any more.
    var unwatch: (TableWatch) -> Void = { _ in }

    /// A number greater than the numbers of all watches.
    func nextSerial() -> Int {
        defer { next += 1 }
        return next
    }

    func add(_ watches: Watches) {
        let watched = Self.tables(of: watches)
        if watched.isEmpty { withoutTable.append(watches, serial: watches.serial) }
        for watch in watched {
            let table = tables[ObjectIdentifier(watch)] ?? Table(watch)
            tables[ObjectIdentifier(watch)] = table
            table.lists.append(watches, serial: watches.serial)
            table.byValue.add(watches)
        }
        if watches.isAnyWrite { anyWrite[ObjectIdentifier(watches)] = watches }
    }

    func remove(_ watches: Watches) {
        withoutTable.remove(watches.serial)
        anyWrite[ObjectIdentifier(watches)] = nil
        eager[ObjectIdentifier(watches)] = nil
        for watch in Self.tables(of: watches) {
            guard let table = tables[ObjectIdentifier(watch)], table.lists.remove(watches.serial) else { continue }
            table.byValue.remove(watches)
            if table.lists.isEmpty {
                tables[ObjectIdentifier(watch)] = nil
                unwatch(watch)
            }
        }
    }

    /// The tables that watches are of, each once.
    private static func tables(of watches: Watches) -> [TableWatch] {
        var tables: [TableWatch] = []
        for watch in watches.all where !tables.contains(where: { $0 === watch }) { tables.append(watch) }
        return tables
    }

    func removeAll() {
        tables = [:]
        anyWrite = [:]
        eager = [:]
        withoutTable = SerialList()
    }

    /// Makes a list take part in every round, whatever that touches, or ends that.
    func setEager(_ watches: Watches, _ isEager: Bool) {
        eager[ObjectIdentifier(watches)] = isEager && contains(watches) ? watches : nil
    }

    private func contains(_ watches: Watches) -> Bool {
        let watched = Self.tables(of: watches)
        if watched.isEmpty { return withoutTable.contains(watches.serial) }
        return watched.contains { tables[ObjectIdentifier($0)]?.lists.contains(watches.serial) ?? false }
    }

    var isEmpty: Bool { tables.isEmpty && withoutTable.isEmpty }

    /// Whether a round that touches no watched table affects any list.
    var followsEveryRound: Bool { !anyWrite.isEmpty || hasEager }
    var hasEager: Bool { !eager.isEmpty }

    /// Whether a list is due after a pause, and waits for a round.
    var hasDue: Bool { !eager.isEmpty && eager.values.contains { $0.announcer?.list?.isDue ?? false } }

    /// All lists, in the order in which they were fetched first.
    var lists: [any FollowingList] {
        let all = tables.values.flatMap(\.lists.elements) + withoutTable.elements
        return Self.lists(all.sorted { $0.serial < $1.serial })
    }

    /// Calls `body` with the lists that a round may affect, in the same order, and with the part of
    /// the round that affects each. Called in the round's read transaction.
    func forEachList(concernedBy round: Round, _ body: (any FollowingList, Round) throws -> Void) rethrows {
        guard round.reread == nil else { return try lists.forEach { try body($0, round) } }
        guard !followsEveryRound, let watch = round.onlyWatch else {
            return try Self.lists(watches(concernedBy: round)).forEach { try body($0, round) }
        }
        guard let table = table(of: watch) else { return }
        if let only = table.lists.only {
            if let list = only.announcer?.list { try body(list, round) }
        } else if let found = listsByValue(round, watch, table) {
            try found.forEach { try body($0.list, $0.round) }
        } else {
            try Self.lists(table.lists.elements).forEach { try body($0, round) }
        }
    }

    private func table(of watch: TableWatch) -> Table? {
        if let lastTable, lastTable.watch === watch { return lastTable }
        lastTable = tables[ObjectIdentifier(watch)]
        return lastTable
    }

    /// The lists of the one table that a round touched, where the rows' values determine which ones
    /// it affects, and for each the part of the round that does; nil if they do not.
    private func listsByValue(
        _ round: Round, _ watch: TableWatch, _ table: Table
    ) -> [(list: any FollowingList, round: Round)]? {
        guard table.byValue.isUseful, let rows = round.rows(of: watch), rows.hasImages, !rows.lacksImage
        else { return nil }
        do {
            let found = try table.byValue.watches(concernedBy: rows)
            // A section map can have two subscriptions of one table.
            var rounds: [ObjectIdentifier: TouchedRows] = [:]
            for (watches, some) in found {
                guard let list = watches.announcer?.list else { continue }
                let id = ObjectIdentifier(list)
                rounds[id] = rounds[id] == nil ? some : rows
            }
            return Self.lists(found.map(\.watches).sorted { $0.serial < $1.serial }).map { list in
                let rows = rounds[ObjectIdentifier(list)] ?? rows
                return (list, rows.count == round.rowCount ? round : round.with(rows, of: watch))
            }
        } catch {
            // Each list determines by itself whether the rows can be read.
            return nil
        }
    }

    /// The watches that a round of several tables, or one in which further lists take part,
    /// concerns; in order.
    private func watches(concernedBy round: Round) -> [Watches] {
        var concerned: [Watches] = []
        for watch in round.watches {
            if let table = tables[ObjectIdentifier(watch)] { concerned += table.lists.elements }
        }
        concerned += anyWrite.values
        concerned += eager.values
        return concerned.sorted { $0.serial < $1.serial }
    }

    /// The lists of watches, which are in order, each once: watches may be given more often, and a
    /// section map has two of them.
    private static func lists(_ watches: some Sequence<Watches>) -> [any FollowingList] {
        var lists: [any FollowingList] = []
        // The first one needs no set.
        var others: Set<ObjectIdentifier> = []
        var last = -1
        for watches in watches where watches.serial != last {
            last = watches.serial
            guard let list = watches.announcer?.list, list !== lists.first else { continue }
            if lists.isEmpty || others.insert(ObjectIdentifier(list)).inserted { lists.append(list) }
        }
        return lists
    }
}
