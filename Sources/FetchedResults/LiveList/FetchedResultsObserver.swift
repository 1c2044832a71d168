public import ChangeSets
public import ListEngine
public import SQLiteKit

/// Receives the changes of a list: a controller, a section map or a collection. Every method has a
/// default that does nothing.
///
/// A delivery calls, in this order: `listWillChange`, while the list still shows the old state;
/// then, when the list shows the new one, each section change and each object change, or
/// `listDidReload` in their place, `list(_:didDeliver:)` with all of them, and `listDidChange`. An
/// observer may read any list, write to the store (its changes are delivered in a round of their
/// own), add and remove observers, and release the list.
public protocol FetchedResultsObserver: AnyObject {
    /// A delivery begins. The list shows its old state during this call.
    func listWillChange(_ list: any LiveList)
    /// `changes` are all changes of the delivery: its `oldValues(of:)` are the values before it.
    func list(
        _ list: any LiveList, didChange section: SectionInfo, _ change: SectionChange, in changes: ListChanges)
    /// `object` is nil if it can't be read any more.
    func list(
        _ list: any LiveList, didChange object: FetchedObject?, _ change: ObjectChange, in changes: ListChanges)
    /// The whole list must be shown again; there are no single changes.
    func listDidReload(_ list: any LiveList)
    /// All changes of the delivery, as one value, which may be retained. Called after the single
    /// changes.
    func list(_ list: any LiveList, didDeliver changes: ListChanges)
    /// The delivery to this observer ends.
    func listDidChange(_ list: any LiveList)
    /// The list could not follow a commit: it shows its old state until the cause no longer exists.
    func list(_ list: any LiveList, didFail error: StoreError)
    /// Whether each change has to be reported on its own; if not, the list's objects need not be
    /// read for it.
    var wantsSingleChanges: Bool { get }
    /// Whether that also applies to changes of objects, so that these are read for it.
    var wantsSingleObjects: Bool { get }
}

extension FetchedResultsObserver {
    public func listWillChange(_ list: any LiveList) {}
    public func list(
        _ list: any LiveList, didChange section: SectionInfo, _ change: SectionChange, in changes: ListChanges
    ) {}
    public func list(
        _ list: any LiveList, didChange object: FetchedObject?, _ change: ObjectChange, in changes: ListChanges
    ) {}
    public func listDidReload(_ list: any LiveList) {}
    public func list(_ list: any LiveList, didDeliver changes: ListChanges) {}
    public func listDidChange(_ list: any LiveList) {}
    public func list(_ list: any LiveList, didFail error: StoreError) {}
    public var wantsSingleChanges: Bool { true }
    public var wantsSingleObjects: Bool { wantsSingleChanges }
}
