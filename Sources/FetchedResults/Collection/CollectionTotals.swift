internal import ChangeSets
public import ListEngine
internal import OrderedTree
internal import SQLiteKit

/// The totals that all lists of a collection have in common. A change of one list replaces what
/// that list contributes; the lists are joined again only if it had the least or greatest value, or
/// has other totals now.
struct CollectionTotals {
    private enum Joined {
        /// The lists have to be joined again.
        case unknown
        case known(CommonTotals)
        /// No list is shown.
        case noList
    }

    private var joined = Joined.noList
    /// The number of lists without totals. While there are any, there are no totals in common.
    private var bareCount = 0
    /// The totals that the last delivery left.
    private var delivered = CommonTotals()

    /// Notes that a child contributes something else. nil stands for a child that shows no list.
    mutating func exchange(_ old: CommonTotals?, _ new: CommonTotals?) {
        if old?.isEmpty ?? false { bareCount -= 1 }
        if new?.isEmpty ?? false { bareCount += 1 }
        let joined = joined
        self.joined = .unknown
        do {
            self.joined = try exchanged(joined, old, new)
        } catch {
            // A collation of the program failed. It is called again when the lists are joined.
        }
    }

    private func exchanged(_ joined: Joined, _ old: CommonTotals?, _ new: CommonTotals?) throws -> Joined {
        switch (joined, old, new) {
        case (_, nil, nil): return joined
        case (.noList, nil, let new?): return .known(new)
        case (.known(var totals), nil, let new?):
            try totals.join(new)
            return .known(totals)
        case (.known(var totals), let old?, let new?): return try totals.exchange(old, new) ? .known(totals) : .unknown
        default: return .unknown
        }
    }

    /// The totals of the shown children; nil if these show no list. Throws only what a collation of
    /// the program throws.
    mutating func value(of children: CollectionChildren) throws -> CommonTotals? {
        if bareCount > 0 { return CommonTotals() }
        switch joined {
        case .known(let totals): return totals
        case .noList: return nil
        case .unknown: break
        }
        var totals: CommonTotals?
        for child in children {
            guard child.isShown, let own = try child.contribution() else { continue }
            if totals == nil { totals = own } else { try totals?.join(own) }
        }
        joined = totals.map { .known($0) } ?? .noList
        return totals
    }

    /// The totals that differ since the last delivery.
    mutating func takeChanges(_ children: CollectionChildren) -> [TotalChange] {
        do {
            let new = try value(of: children) ?? CommonTotals()
            defer { delivered = new }
            return new.changes(from: delivered)
        } catch {
            // A program that reads the totals gets the error. The next delivery after it reports
            // the change.
            return []
        }
    }
}

extension FetchedResultsCollection {
    /// The totals of all lists together, or of one section.
    ///
    /// The collection has the totals that each of its lists has, under the same name and with the
    /// same function; a minimum or maximum, with the same collation. Sums are exact, as if the
    /// lists were one; a sum of integers that exceeds 64 bits is a floating point number. A row
    /// that two of the lists show counts twice. Placeholders, and lists that were not fetched, have
    /// no rows.
    ///
    /// A section has the totals that it has in its list. O(log n); O(children) after the least or
    /// greatest value of a list changed.
    public func totals(ofSection index: Int?) throws -> FetchedObject {
        guard let index else { return try (commonTotals() ?? CommonTotals()).object }
        let (child, section) = try shownChild(ofSection: index)
        let isPlaceholder = child.shownPlaceholder != nil
        return try child.read { try $0.totals(ofSection: isPlaceholder ? nil : section) } ?? CommonTotals().object
    }

    /// nil if it shows no list.
    func commonTotals() throws -> CommonTotals? {
        try checkFetched()
        return try totals.value(of: children)
    }

    func followsTotals(at place: any ListPlace) -> Bool {
        guard let child = place as? CollectionChild else { return false }
        if !child.flatTotals.isEmpty { return true }
        // A program that reads the totals gets the error.
        do { return try !(commonTotals()?.isEmpty ?? true) } catch { return false }
    }

    /// Whether children change the totals.
    func changesTotals(removing old: CollectionChild?, inserting new: CollectionChild?) -> Bool {
        var next = totals
        do {
            if let old, old.isShown { next.exchange(old.totals, nil) }
            // The new child is not among the shown ones.
            _ = try next.value(of: children)
            next.exchange(nil, try new?.currentTotals)
        } catch {
            // A program that reads the totals gets the error.
            return false
        }
        return !next.takeChanges(children).isEmpty
    }

    func refreshTotals(at place: any ListPlace) {
        guard let child = place as? CollectionChild, child.isShown else { return }
        let old = child.totals
        child.showTotals()
        totals.exchange(old, child.totals)
        for place in announcer.places { place.container?.refreshTotals(at: place) }
    }

    /// Shows what a child's list shows.
    func update(_ child: CollectionChild) -> PositionTree.Weights {
        let old = child.totals
        let weights = child.show()
        totals.exchange(old, child.totals)
        return weights
    }
}

extension CollectionChild {
    /// The names of the totals of a list that is one section without a key path.
    var flatTotals: [String] {
        guard let controller = list as? FetchedResultsController, controller.engine.list?.isFlat ?? false else {
            return []
        }
        return totals?.names ?? []
    }
}
