internal import ListEngine
internal import SQLiteKit

/// A list of this library, as deliveries see it.
package protocol NotifyingList: LiveList {
    /// Notifies the list's observers.
    var announcer: Announcer { get }
}

/// A list of one store, which follows the store's rounds. `StoreDelivery` calls these in order: `prepare`, and then
/// `commit`, through `Delivery`, or `drop`. What is prepared is the delivery's until then.
protocol FollowingList: NotifyingList {
    /// First phase, in the round's read transaction: works out what the round changes. On throw the list is as it was,
    /// and `noteFailure` comes next, or the round is tried again.
    ///
    /// - Returns: The next state; nil if nothing changes.
    func prepare(_ round: Round) throws -> PreparedState?
    /// Third phase: shows the next state. Answers what changed; nil if that can't be seen, or if the list was fetched
    /// meanwhile.
    func commit(_ prepared: PreparedState?) -> ListChanges?
    /// Whether `commit` has something to do, be it nothing that can be seen.
    var hasPrepared: Bool { get }
    /// Drops the prepared state: the list goes on from the one that it shows.
    func drop(_ prepared: PreparedState?) throws

    /// Whether the list catches up in the next round, after a pause.
    var isDue: Bool { get }
    /// Notes that the list could not follow a round; true if its observers are to be notified.
    func noteFailure(_ error: StoreError) -> Bool

    /// Caches the list under its request's cache name, where it has one.
    func cacheList()

    /// Whether the fetch in the background was cancelled.
    var isFetchCancelled: Bool { get }
    /// Ends the fetch in the background at the next dispatch; false if there is none.
    @discardableResult
    func cancelFetch() -> Bool
    /// Continues the fetch in the background; true once it has ended.
    func continueFetch() -> Bool
    /// Forgets the fetch in the background, without notifying anyone.
    func forgetFetch()
}

/// A list that shows others, as a collection does.
protocol ContainerList: NotifyingList {
    /// Takes over what changed in lists at some of its places, when these have switched; nil if it shows none of it.
    func commit(_ places: [any ListPlace], _ changes: [ObjectIdentifier: ListChanges]) -> ListChanges?
    /// Takes over how many sections and objects the lists at these places have now, without notifying anyone.
    func refresh(_ places: [any ListPlace])
    /// Forgets the index titles of the lists that it shows.
    func forgetIndexTitles()
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
    /// Whether anyone but one observer, and the container given, is notified of what the list changes: someone whom a
    /// fetch, which makes no callbacks, would leave behind.
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
