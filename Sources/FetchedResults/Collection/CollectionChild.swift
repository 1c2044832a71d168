internal import ChangeSets
internal import ListEngine
internal import OrderedTree
internal import SQLiteKit

/// A list or placeholder in a collection.
final class CollectionChild: ListPlace {
    /// nil for a placeholder alone.
    let list: (any NotifyingList)?
    /// The section that is shown while there is no list, or while it has no sections; nil for none,
    /// or for the one of all lists of the collection.
    let placeholder: Placeholder?
    private let reference: BackReference<FetchedResultsCollection>
    /// The collection that contains it; nil once that has ended.
    var collection: FetchedResultsCollection? { reference.target }
    /// Its element in the order of the collection's children; -1 if it is removed.
    var order: Int32 = -1
    /// Its element in the tree of the children that the collection shows; -1 if it is not shown.
    var handle: Int32 = -1
    /// The placeholder's section as it is shown; nil if it is not shown.
    private(set) var shownPlaceholder: SectionInfo?
    /// The totals of the list as it is shown; nil if nothing of a list is shown.
    private(set) var totals: CommonTotals?
    /// Whether a collation of the program failed when they were read.
    private var areTotalsLost = false

    init(list: (any NotifyingList)?, placeholder: Placeholder?, collection: FetchedResultsCollection) {
        self.list = list
        self.placeholder = placeholder
        reference = collection.reference
        placeholder?.child = self
        list?.announcer.places.append(self)
    }

    /// Removes it from its collection.
    func leave() {
        list?.announcer.places.removeAll { $0 === self }
        if placeholder?.child === self { placeholder?.child = nil }
        handle = -1
        (shownPlaceholder, totals) = (nil, nil)
    }

    var container: (any ContainerList)? { collection }

    var isShown: Bool { handle >= 0 }

    /// How many sections and objects the list has: none if it was not fetched, or if its store is
    /// closed. Nothing else fails: between the preparation of a round and the switch to it, a read
    /// undoes the list's edits, which puts rows back where they were and reads nothing.
    var weights: PositionTree.Weights {
        let counts = (try? list?.counts) ?? (sections: 0, objects: 0)
        return PositionTree.Weights(first: counts.sections, second: counts.objects)
    }

    /// The result of `body` for the list; nil if it has nothing to read, as it was not fetched or
    /// its store is closed.
    func read<Result>(_ body: (any NotifyingList) throws -> Result?) throws -> Result? {
        guard let list else { return nil }
        do {
            return try body(list)
        } catch let error as StoreError where error.status == .notFetched || error.status == .closed {
            return nil
        }
    }

    /// The placeholder while there are no other sections; nil for nothing.
    var sectionIfEmpty: SectionInfo? {
        if let placeholder { return SectionInfo(emptyNamed: placeholder.name, indexTitle: placeholder.indexTitle) }
        guard let collection, collection.showsEmptyLists else { return nil }
        return SectionInfo(emptyNamed: nil, indexTitle: nil)
    }

    /// Shows the placeholder if there are no other sections, and returns how many sections and
    /// objects are shown now.
    func show() -> PositionTree.Weights {
        var weights = weights
        shownPlaceholder = weights.first == 0 ? sectionIfEmpty : nil
        if shownPlaceholder != nil { weights.first = 1 }
        showTotals()
        return weights
    }

    /// Shows the totals that the list has now.
    func showTotals() {
        do {
            (totals, areTotalsLost) = (try currentTotals, false)
        } catch {
            // Reading the totals of the collection throws it again.
            (totals, areTotalsLost) = (nil, true)
        }
    }

    /// The part of the list in the totals of its collection; nil if it shows nothing.
    func contribution() throws -> CommonTotals? {
        if areTotalsLost { (totals, areTotalsLost) = (try currentTotals, false) }
        return totals
    }

    var currentTotals: CommonTotals? {
        get throws {
            try read { list in
                _ = try list.counts
                if let collection = list as? FetchedResultsCollection { return try collection.commonTotals() }
                return try (list as? FetchedResultsController)?.engine.commonTotals
            }
        }
    }
}

extension SectionInfo {
    fileprivate init(emptyNamed name: String?, indexTitle: String?) {
        self.init(
            rowValues: name.map { RowValues([.text($0)]) } ?? RowValues([]), indexTitle: indexTitle, count: 0, index: 0)
    }
}
