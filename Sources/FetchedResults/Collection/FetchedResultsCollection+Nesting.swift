internal import SQLiteKit

/// The nesting of collections, and the stores of their lists. Functions of collections call
/// themselves for each level, and for each store whose state they read, so there are limits.
extension FetchedResultsCollection {
    /// The greatest number of collections inside one another.
    public static var nestingLimit: Int { 100 }

    /// The greatest number of stores whose lists a collection shows.
    public static var storeLimit: Int { 100 }

    /// All stores of the children, whose states are read together.
    func storesToRead() throws -> [Store] {
        let stores = self.stores
        guard stores.count <= Self.storeLimit else {
            throw StoreError(.range, "a collection can't show lists of more than \(Self.storeLimit) stores")
        }
        return stores
    }

    /// Throws if this collection can't take a list.
    func checkNesting(of list: any NotifyingList) throws {
        guard let inner = list as? FetchedResultsCollection else { return }
        var heights: [ObjectIdentifier: Int] = [:]
        let height = inner.height(&heights)
        guard heights[ObjectIdentifier(self)] == nil else {
            throw StoreError(.misuse, "a collection can't be inside itself")
        }
        var depths: [ObjectIdentifier: Int] = [:]
        guard depth(&depths) + height <= Self.nestingLimit else {
            throw StoreError(.range, "collections can't be nested deeper than \(Self.nestingLimit) levels")
        }
    }

    /// Throws if a store of a list anywhere in it is closed. Collections in `seen` are open.
    func checkOpen(_ seen: inout Set<ObjectIdentifier>) throws {
        guard seen.insert(ObjectIdentifier(self)).inserted else { return }
        for child in children {
            try (child.list as? FetchedResultsController)?.store.checkOpen()
            try (child.list as? FetchedResultsCollection)?.checkOpen(&seen)
        }
    }

    /// The number of levels from this collection down. Each collection is visited once.
    private func height(_ known: inout [ObjectIdentifier: Int]) -> Int {
        if let height = known[ObjectIdentifier(self)] { return height }
        var deepest = 0
        for case let inner as FetchedResultsCollection in children.lazy.compactMap(\.list) {
            deepest = max(deepest, inner.height(&known))
        }
        known[ObjectIdentifier(self)] = deepest + 1
        return deepest + 1
    }

    /// The number of levels from the outermost collection that has this one down to it.
    private func depth(_ known: inout [ObjectIdentifier: Int]) -> Int {
        if let depth = known[ObjectIdentifier(self)] { return depth }
        // A child that is about to be removed still has its parent, which may be inside it already.
        known[ObjectIdentifier(self)] = 1
        var deepest = 0
        for place in announcer.places {
            if let outer = (place as? CollectionChild)?.collection { deepest = max(deepest, outer.depth(&known)) }
        }
        known[ObjectIdentifier(self)] = deepest + 1
        return deepest + 1
    }
}
