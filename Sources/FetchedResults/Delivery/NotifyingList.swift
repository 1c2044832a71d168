package import ChangeSets
internal import ListEngine
package import SQLiteKit

/// A list of this library, as deliveries use it.
package protocol NotifyingList: LiveList {
    /// Notifies the list's observers.
    var announcer: Announcer { get }
    /// Both numbers, for a collection that shows the list; 0 if it shows nothing. O(1).
    var counts: (sections: Int, objects: Int) { get throws }
    /// Ends the list for the program: nothing is notified any more. Lists with cache names are
    /// cached.
    func close() throws
    /// The identity of the object at an index path.
    func identityValues(at path: ListIndexPath) throws -> RowValues
    /// Calls `body` with the identities from a row of a section on, as many as are wanted and as
    /// the section has. Ends when `body` returns false.
    func forEachIdentity(from path: ListIndexPath, count: Int, _ body: (ListIndexPath, RowValues) -> Bool) throws
}

extension NotifyingList {
    package func forEachIdentity(
        from path: ListIndexPath, count: Int, _ body: (ListIndexPath, RowValues) -> Bool
    ) throws {
        let end = min(try numberOfObjects(inSection: path.section), path.row + count)
        for row in min(path.row, end)..<end {
            let path = ListIndexPath(section: path.section, row: row)
            guard body(path, try identityValues(at: path)) else { return }
        }
    }
}

/// A list of one store, which follows the store's rounds. `StoreDelivery` calls these in order:
/// `prepare`, and then `commit`, through `Delivery`, or `drop`. The delivery holds the prepared
/// state until then.
protocol FollowingList: NotifyingList {
    /// First phase, in the round's read transaction: prepares the changes of the round. On throw
    /// the list is as it was, and `noteFailure` follows, or the round is tried again.
    ///
    /// - Returns: The next state; nil if nothing changes.
    func prepare(_ round: Round) throws -> PreparedState?
    /// Third phase: shows the next state. Returns the changes; nil if none is visible, or if the
    /// list was fetched meanwhile.
    func commit(_ prepared: PreparedState?) -> ListChanges?
    /// Whether `commit` has anything to do, even if no change is visible.
    var hasPrepared: Bool { get }
    /// Drops the prepared state: the list continues from the one that it shows.
    func drop(_ prepared: PreparedState?) throws

    var request: FetchRequest { get }
    var counters: Counters { get }
    /// Whether the list catches up in the next round, after a pause.
    var isDue: Bool { get }
    /// Notes that the list could not follow a round; true if its observers have to be notified.
    func noteFailure(_ error: StoreError) -> Bool

    /// Whether windows are open on the list.
    var hasWindows: Bool { get }
    /// These windows.
    var openWindows: [any NotifyingList] { get }
    /// The parts, in a delivery, of the windows that a prepared state concerns.
    func windowParts(_ prepared: PreparedState) -> [Delivery.ListPart]
    /// The parts of all windows, in a delivery that shows the list as it was fetched.
    var windowPartsOfFetch: [Delivery.ListPart] { get }
    /// Makes the windows, which show what was fetched, report it as a reload.
    func discardWindowChanges()

    /// Caches the list under its request's cache name, if it has one; returns what failed.
    @discardableResult
    func cacheList() -> StoreError?

    /// Whether the fetch in the background was cancelled.
    var isFetchCancelled: Bool { get }
    /// Ends the fetch in the background at the next dispatch; false if there is none.
    @discardableResult
    func cancelFetch() -> Bool
    /// Begins the fetch in the background again.
    func restartFetch()
    /// Continues the fetch in the background; true once it has ended.
    func continueFetch() -> Bool
    /// Discards the fetch in the background, without notifying anyone.
    func discardFetch()
}

/// A list that shows other lists, as a collection does.
protocol ContainerList: NotifyingList {
    /// Takes over the changes of lists at some of its places, when these have switched. A reload if
    /// a callback has fetched it without these places since it was notified.
    func commit(_ places: SmallVector<any ListPlace>, _ changes: ChangedLists) -> ListChanges
    /// Takes over the present numbers of sections and objects of the lists at these places, without
    /// notifying anyone.
    func refresh(_ places: SmallVector<any ListPlace>)
    /// Whether a change of the totals of a list at a place can be a change of this one.
    func followsTotals(at place: any ListPlace) -> Bool
    /// Takes over the totals of the list at a place. Its request was replaced by one with other
    /// totals, which no record shows.
    func refreshTotals(at place: any ListPlace)
    /// Discards the index titles of the lists that it shows.
    func discardIndexTitles()
    /// The lists that it shows.
    var shownLists: [any NotifyingList] { get }
}

/// A place at which a list shows another one.
protocol ListPlace: AnyObject {
    var container: (any ContainerList)? { get }
    var list: (any NotifyingList)? { get }
    var isShown: Bool { get }
}

extension NotifyingList {
    /// Whether any object except one observer, and the container given, is notified of the list's
    /// changes: a fetch, which makes no callbacks, would leave it with an old state.
    func isFollowed(besides observer: UInt64?, in container: (any ContainerList)? = nil) -> Bool {
        if announcer.observers.ids.contains(where: { $0 != observer }) { return true }
        let isShownElsewhere = announcer.places.contains { place in
            place.container.map { $0 !== container && $0.isFetched } ?? false
        }
        if isShownElsewhere { return true }
        guard let own = self as? any ContainerList else { return false }
        return own.shownLists.contains { $0.isFollowed(besides: nil, in: own) }
    }
}
