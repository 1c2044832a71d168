public import ChangeSets
internal import ListEngine
public import SQLiteKit

/// What a program shows as one list and is told the changes of: a controller, a section map, or a collection of these.
///
/// What it shows changes only in a delivery. All reads answer `StoreError.Status.notFetched` before the first fetch,
/// and `.closed` once the store is closed.
public protocol LiveList: AnyObject {
    /// Who is told of its changes.
    var announcer: Announcer { get }

    var isFetched: Bool { get }
    /// Reads the list. Makes no change callbacks; done again, it reads the list anew. On failure the list stays what it
    /// was. `progress` is told now and then how many rows have been read; false gives up, with `cancelled`.
    func performFetch(progress: @escaping (Int) -> Bool) throws

    /// The number of objects in all sections. O(1).
    var numberOfObjects: Int { get throws }
    /// The number of sections. O(1).
    var numberOfSections: Int { get throws }
    /// What is known of a section. O(log n).
    func section(at index: Int) throws -> SectionInfo
    /// The number of objects in a section. O(log n).
    func numberOfObjects(inSection index: Int) throws -> Int
    /// The row that a section stands for; nil if its sections are no rows of their own. O(log n).
    func sectionObject(at index: Int) throws -> FetchedObject?
    /// The object at an index path; it and its neighbours are read if they are not in the cache. O(log n).
    func object(at path: IndexPath) throws -> FetchedObject
    /// Where an object is now, by its identity; nil if it is not in the list. O(log n).
    func indexPath(of object: FetchedObject) throws -> IndexPath?
    /// Where the row with an identity is now; nil if it is not in the list.
    func indexPath(ofIdentity identity: [Value]) throws -> IndexPath?
    /// The index path of the object that is number `index` over all sections. O(log n).
    func indexPath(at index: Int) throws -> IndexPath
    /// The number over all sections of the object at an index path. O(log n).
    func index(of path: IndexPath) throws -> Int
    /// The index titles of the sections, in order of first appearance.
    var sectionIndexTitles: [String] { get throws }
    /// The first section with an index title, given with its number among `sectionIndexTitles`; nil if there is no such
    /// title.
    func section(forIndexTitle title: String, at index: Int) throws -> Int?
}

extension LiveList {
    public func performFetch() throws { try performFetch { _ in true } }

    /// Has an observer told of every change from now on. It is kept until it is removed.
    @discardableResult
    public func addObserver(_ observer: any FetchedResultsObserver) -> UInt64 { announcer.observers.add(observer) }

    /// Tells an observer no more; false if there is none of that number.
    @discardableResult
    public func removeObserver(_ id: UInt64) -> Bool { announcer.observers.remove(id) }
}
