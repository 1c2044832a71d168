public import ListEngine
internal import OrderedTree
internal import SQLiteKit

/// The children of a collection. Each change of a fetched collection is delivered as one bracket of
/// exact changes; inside a callback, after the current round.
extension FetchedResultsCollection {
    /// The number of lists and placeholders. O(1).
    public var numberOfChildren: Int { children.count }

    /// How many children, and nodes of their tree, were visited so far; for tests.
    package var childVisits: Int { children.visits }

    /// The list at a place; nil for a placeholder.
    public func list(at index: Int) throws -> (any LiveList)? {
        try child(at: index).list
    }

    /// The placeholder at a place, or in the place of an empty list; nil if there is none.
    public func placeholder(at index: Int) throws -> Placeholder? {
        try child(at: index).placeholder
    }

    /// The place of a list; nil if it is not a child. O(log n).
    public func index(of list: any LiveList) -> Int? {
        guard let list = list as? any NotifyingList else { return nil }
        // A list that is removed and inserted again has two places until both are delivered.
        return list.announcer.places.lazy.compactMap { place in
            (place as? CollectionChild).flatMap { $0.collection === self ? self.children.index(of: $0) : nil }
        }.first
    }

    /// The place of a placeholder; nil if it is not a child. O(log n).
    public func index(of placeholder: Placeholder) -> Int? {
        placeholder.child.flatMap { $0.collection === self ? children.index(of: $0) : nil }
    }

    /// The place of the child that shows a section; nil if it was removed and the removal is not
    /// delivered yet. O(log n).
    public func child(ofSection section: Int) throws -> Int? {
        children.index(of: try shownChild(ofSection: section).child)
    }

    /// The requests of all lists, in their order, including the requests of collections inside it.
    public var fetchRequests: [FetchRequest] { controllers.map(\.request) }

    /// The section key paths of all lists, in their order; nil for a flat one.
    public var sectionKeyPaths: [String?] { controllers.map(\.sectionKeyPath) }

    /// The cache names of all lists, in their order; nil for one that is not cached.
    public var cacheNames: [String?] { controllers.map(\.request.cacheName) }

    /// Inserts a list at a place. A list that was not fetched is fetched if the collection is.
    ///
    /// - Parameter emptySection: Shown while the list has no sections; nil to show what
    ///   `showsEmptyLists` says.
    public func insert(_ list: any LiveList, at index: Int, emptySection: Placeholder? = nil) throws {
        try insert(list, emptySection, at: index, replacing: nil)
    }

    /// Inserts a placeholder at a place: a section without objects.
    public func insert(_ placeholder: Placeholder, at index: Int) throws {
        try insert(nil, placeholder, at: index, replacing: nil)
    }

    /// Inserts a list after all other children, as `insert(_:at:emptySection:)` does.
    public func append(_ list: any LiveList, emptySection: Placeholder? = nil) throws {
        try insert(list, at: children.count, emptySection: emptySection)
    }

    /// Inserts a placeholder after all other children.
    public func append(_ placeholder: Placeholder) throws { try insert(placeholder, at: children.count) }

    /// Replaces a child by a list.
    public func replace(at index: Int, with list: any LiveList, emptySection: Placeholder? = nil) throws {
        try insert(list, emptySection, at: index, replacing: child(at: index))
    }

    /// Replaces a list by another.
    public func replace(_ old: any LiveList, with list: any LiveList, emptySection: Placeholder? = nil) throws {
        try replace(at: known(old), with: list, emptySection: emptySection)
    }

    /// Replaces a child by a placeholder.
    public func replace(at index: Int, with placeholder: Placeholder) throws {
        try insert(nil, placeholder, at: index, replacing: child(at: index))
    }

    /// Removes a child. It reports nothing more to the collection.
    public func remove(at index: Int) throws {
        let child = try child(at: index)
        children.remove(child)
        try deliver(removing: child, inserting: nil, at: index)
    }

    /// Removes a list, as `remove(at:)` does. Throws `notFound` if it is not a child.
    public func remove(_ list: any LiveList) throws { try remove(at: known(list)) }

    /// Sets `showsEmptyLists`. The difference is delivered as one bracket.
    public func setShowsEmptyLists(_ isShown: Bool) throws {
        try queue.checkNotAbandoned()
        showsEmptyLists = isShown
        try deliverEmptyLists()
    }

    private func insert(
        _ list: (any LiveList)?, _ placeholder: Placeholder?, at index: Int, replacing old: CollectionChild?
    ) throws {
        let list = try list.map(Self.notifying)
        guard index >= 0, index < children.count + (old == nil ? 1 : 0) else { throw outOfRange(index) }
        try check(list, placeholder, replacing: old)
        if isFetched, let list, !list.isFetched { try list.performFetch() }
        if let list { queue.join(list.announcer.queue) }
        let child = CollectionChild(list: list, placeholder: placeholder, collection: self)
        if let old { children.remove(old) }
        children.insert(child, at: index)
        try deliver(removing: old, inserting: child, at: index)
    }

    private func check(_ list: (any NotifyingList)?, _ placeholder: Placeholder?, replacing old: CollectionChild?)
        throws
    {
        if let list {
            try checkNesting(of: list)
            if let known = index(of: list), children[known] !== old {
                throw StoreError(.misuse, "the list is already in the collection")
            }
            if let controller = list as? FetchedResultsController { try controller.store.checkOpen() }
            var seen: Set<ObjectIdentifier> = []
            try (list as? FetchedResultsCollection)?.checkOpen(&seen)
        }
        if let placeholder, let child = placeholder.child, child !== old {
            throw StoreError(.misuse, "the placeholder is already in a collection")
        }
    }

    private static func notifying(_ list: any LiveList) throws -> any NotifyingList {
        guard let list = list as? any NotifyingList, !(list is ListWindow) else {
            throw StoreError(.misuse, "a collection can contain only controllers and collections")
        }
        return list
    }

    private func known(_ list: any LiveList) throws -> Int {
        guard let index = index(of: list) else { throw StoreError(.notFound, "the list is not in the collection") }
        return index
    }

    private func child(at index: Int) throws -> CollectionChild {
        guard let child = children[index] else { throw outOfRange(index) }
        return child
    }

    private func outOfRange(_ index: Int) -> StoreError {
        .outOfRange("child \(index)", count: children.count)
    }
}
