// The declarations that a program that imports FetchedResults needs by name: requests, values,
// errors, and changes.
@_exported public import ChangeSets
@_exported public import ListEngine
@_exported public import SQLiteKit

/// A list that a program shows and whose changes it receives: a controller, a section map, or a
/// collection of these.
///
/// Its rows change only in a delivery. All reads throw `StoreError.Status.notFetched` before
/// the first fetch, and `.closed` once the store is closed. A list, like everything about it, is
/// used by the thread that uses its store. Collections accept only lists of this library.
public protocol LiveList: AnyObject {
    // MARK: Fetching

    /// Whether the list was fetched, so that it can be read and delivers changes.
    var isFetched: Bool { get }
    /// Reads the list. Makes no change callbacks; called again, it reads the list from scratch. On
    /// failure the list stays as it was.
    ///
    /// - Parameter progress: Called at intervals with the number of rows that have been read; false
    ///   cancels, with `cancelled`.
    func performFetch(progress: @escaping (Int) -> Bool) throws
    /// Reads the list in the background. `progress` (which can end the fetch by returning false)
    /// and `completion` (with nil, or the error) are called by `Store.dispatch`. Until then the
    /// list shows its old state.
    func performFetchAsynchronously(
        progress: @escaping (Int) -> Bool, completion: @escaping (StoreError?) -> Void) throws
    /// Ends the fetch in the background; its completion is called with `cancelled` by the next
    /// `Store.dispatch`. False if there is none.
    @discardableResult
    func cancelFetch() -> Bool

    // MARK: Reading

    /// The number of objects in all sections. O(1).
    var numberOfObjects: Int { get throws }
    /// The number of sections. O(1).
    var numberOfSections: Int { get throws }
    /// The description of a section. O(log n).
    func section(at index: Int) throws -> SectionInfo
    /// The number of objects in a section. O(log n).
    func numberOfObjects(inSection index: Int) throws -> Int
    /// The row that a section represents; nil if its sections are not rows of their own. O(log n).
    func sectionObject(at index: Int) throws -> FetchedObject?
    /// The totals of the list (`FetchRequest.totals`), or of one of its sections, under their
    /// names: `try list.totals()["unread"]`. They belong to the state that the list shows.
    ///
    /// The object has no entity and no identity, and no columns if there are no totals. O(log n).
    func totals(ofSection index: Int?) throws -> FetchedObject
    /// The object at an index path; it and its neighbours are read if they are not in the cache.
    /// O(log n).
    func object(at path: ListIndexPath) throws -> FetchedObject
    /// The identity of the object at an index path, whose row is not read. O(log n).
    func identity(at path: ListIndexPath) throws -> [Value]
    /// The present place of an object, by its identity; nil if it is not in the list. O(log n).
    func indexPath(of object: FetchedObject) throws -> ListIndexPath?
    /// The present place of the row with an identity; nil if it is not in the list.
    func indexPath(ofIdentity identity: [Value]) throws -> ListIndexPath?
    /// The index path of the object that is number `index` over all sections. O(log n).
    func indexPath(at index: Int) throws -> ListIndexPath
    /// The number over all sections of the object at an index path. O(log n).
    func index(of path: ListIndexPath) throws -> Int
    /// The index titles of the sections, in order of first appearance.
    var sectionIndexTitles: [String] { get throws }
    /// The first section with an index title, given with its number among `sectionIndexTitles`; nil
    /// if there is no such title.
    func section(forIndexTitle title: String, at index: Int) throws -> Int?

    // MARK: Observers

    /// Notifies an observer of every change from now on. It is retained until it is removed.
    @discardableResult
    func addObserver(_ observer: any FetchedResultsObserver) -> UInt64
    /// Stops notifying an observer; false if there is none with that number.
    @discardableResult
    func removeObserver(_ id: UInt64) -> Bool
    /// Whether the observer with a number is still notified: not if it was removed, by its number
    /// or with all other observers. O(n) for n observers.
    func hasObserver(_ id: UInt64) -> Bool

    // MARK: Following
    //
    // The interface for an observer that keeps something in step with a list: a view, a copy, an
    // index of its own. Deliveries alone do not suffice for that. A fetch makes no callbacks, so
    // such an observer compares `fetchCount`. It has to begin, and to start over, at a moment when
    // no delivery is under way, which `afterDelivery` provides.

    /// Counts the states that the list has shown. It changes whenever the list shows another state,
    /// by a delivery or by a fetch, and may change when the new state looks like the old one. A
    /// delivery of changes that is not a reload raises it by one, between the two callbacks that
    /// bracket it. If it rose by more, a callback fetched the list meanwhile, which shows more than
    /// the delivery reports.
    var version: Int { get }
    /// Counts the states in which the list was fetched. It changes with each fetch, in the
    /// foreground or in the background, and with each change of the schema that gives rows
    /// identities of another kind. The rows and places of the list that an observer noted before
    /// are then void, without having been reported as changes.
    var fetchCount: Int { get }
    /// Calls a function when no delivery that affects the list is under way: immediately, or,
    /// inside a callback, after the current round. Changes that the function writes are delivered
    /// after it.
    ///
    /// The function is retained until it was called. Throws `misuse`, and never calls it, if a
    /// callback of the list's store ended by longjmp or an exception.
    func afterDelivery(_ body: @escaping () -> Void) throws
    /// Updates the list, and all that follow it, to the present state.
    ///
    /// A list that nothing else follows is fetched, without callbacks. If it is fetched already and
    /// a fetch would leave an old state to other observers or fetched collections
    /// that show it, then the changes of the database that the list does not show are delivered to
    /// all: commits of other connections too, but nothing that waits for `dispatch` in a store that
    /// queues its deliveries. Inside a callback that delivery follows the current round.
    ///
    /// - Parameter observer: The number of the observer that calls this, which needs no
    ///   notification; nil if none does.
    /// - Throws: The errors of fetching, or of reading the commits of other connections. The list
    ///   then stays as it was.
    /// - Complexity: O(n) for a fetch of n rows; else as long as the delivery takes.
    func refresh(for observer: UInt64?) throws
    /// Reports a failure to the observers of the list and of the collections that show it, as one
    /// of a delivery.
    func reportFailure(_ error: any Error)
}

extension LiveList {
    /// Reads the list, without reports of progress. See `performFetch(progress:)`.
    public func performFetch() throws { try performFetch { _ in true } }

    /// The identities of the objects with these numbers over all sections, of all objects by
    /// default: a value that does not change with the list, for a view that compares two states
    /// itself. No row is read. O(log n) for each.
    public func identities(_ numbers: Range<Int>? = nil) throws -> [[Value]] {
        try (numbers ?? 0..<numberOfObjects).map { try identity(at: indexPath(at: $0)) }
    }

    /// The totals of the whole list. See `totals(ofSection:)`.
    public func totals() throws -> FetchedObject { try totals(ofSection: nil) }

    /// Updates the list for a caller that is not an observer.
    public func refresh() throws { try refresh(for: nil) }
}
