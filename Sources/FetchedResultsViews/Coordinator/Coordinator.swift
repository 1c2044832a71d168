public import FetchedResults

/// Updates a view from a list: a controller, a section map or a collection.
///
/// It is one of the list's observers: a list can have any number of coordinators and
/// observers, and each is notified of all changes. It ends when it is released; then the view is
/// not called any more. It does not retain its view.
///
/// For each delivery the view gets one batch that is safe to apply as such (`ViewBatch`), then
/// `updateCell` is called for each cell to update, then `countChanged`. All these calls happen
/// while the list shows its new state.
///
/// `updateCell` gets rows of the type `Row`: the list's objects (`FetchedObject`, which is
/// inferred), or a `Decodable` type of the program.
public final class Coordinator<Row> {
    /// Called with the new path of a cell to update and with its row.
    public typealias CellUpdate = (ListIndexPath, Row) -> Void

    private let follower: ListFollower

    init(
        view: any CoordinatedView, list: any LiveList, options: ViewOptions, decoding: ItemDecoding<Row>,
        updateCell: CellUpdate?
    ) {
        follower = ListFollower(
            list: list, view: view, options: options,
            updateCell: updateCell.map { updateCell in { updateCell($0, try decoding.readForCell($1)) } })
    }

    deinit { follower.end() }

    /// Ends it immediately, also inside a call of its own: the view is not called any more.
    public func end() { follower.end() }

    /// The list that the view shows.
    public var list: any LiveList { follower.list }
    /// The view; nil if it does not exist any more.
    public var view: (any CoordinatedView)? { follower.view }

    /// Called with the number of objects when the view was loaded, and whenever the view shows
    /// another number.
    public var countChanged: ((Int) -> Void)? {
        get { follower.countChanged }
        set { follower.countChanged = newValue }
    }

    /// Called with the failures that the list reports to its observers, and when a fetch or a read
    /// of the coordinator itself fails. If a row of a cell to update can't be decoded, it is called
    /// with `type`, and the view is reloaded.
    public var failed: ((StoreError) -> Void)? {
        get { follower.failed }
        set { follower.failed = newValue }
    }

    /// Whether the view was loaded. Before that, it is not called.
    public var isLoaded: Bool { follower.isLoaded }

    /// Fetches the list, begins to observe it, and reloads the view; inside a callback the reload
    /// follows after the current round. Throws what fetching throws, and then changes nothing.
    ///
    /// A fetch makes no callbacks. A list that is already fetched and that has other observers is
    /// therefore not fetched again, as these would miss the changes: the list delivers to all
    /// observers what the database has and the list does not show. A repeated call reads and
    /// reloads again, also while paused; the pause continues.
    ///
    /// - Parameter fetching: false to use a list that is already fetched as it is, for example
    ///   after a fetch in the background.
    public func loadData(fetching: Bool = true) throws { try follower.load(fetching: fetching) }

    /// While it is set, the view is not called. The list continues to change, for other observers
    /// too.
    ///
    /// Clearing it fetches again (under the condition that `loadData` describes) and reloads or, if
    /// the options request it, makes the view apply all changes as one batch; inside a callback,
    /// after the current round. If the fetch fails, the list's observers and `failed` are notified,
    /// and the view reloads what the list shows.
    public var isPaused: Bool {
        get { follower.isPaused }
        set { follower.setPaused(newValue) }
    }
}

extension Coordinator where Row == FetchedObject {
    /// A coordinator whose `updateCell` gets objects of the list.
    ///
    /// - Parameter updateCell: Makes a cell draw its object again. The coordinator then calls it
    ///   for changed rows that stayed in place, instead of reloading them. It also calls it for
    ///   moved rows, whose cells are out of date too.
    public convenience init(
        view: any CoordinatedView, list: any LiveList, options: ViewOptions = ViewOptions(),
        updateCell: CellUpdate? = nil
    ) {
        self.init(view: view, list: list, options: options, decoding: .objects, updateCell: updateCell)
    }
}

extension Coordinator where Row: Decodable {
    /// A coordinator whose `updateCell` gets decoded rows. Otherwise as the one for objects.
    public convenience init(
        view: any CoordinatedView, list: any LiveList, options: ViewOptions = ViewOptions(),
        updateCell: CellUpdate? = nil
    ) {
        self.init(view: view, list: list, options: options, decoding: .decoded, updateCell: updateCell)
    }
}

extension ItemDecoding {
    /// Reads a row for a function that can't throw: all errors are `StoreError`.
    fileprivate func readForCell(_ object: FetchedObject) throws(StoreError) -> Item {
        do {
            return try read(object)
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.type, "a row of \(object.entity) can't be decoded as \(Item.self): \(error)")
        }
    }
}
