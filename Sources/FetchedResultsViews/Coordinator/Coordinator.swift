public import FetchedResults

/// Keeps a view up to date with a list: a controller, a section map or a collection.
///
/// It is one observer of the list among others: any number of coordinators and observers can be side by side, and each
/// is told of everything. It ends when it is let go of; then nothing reaches the view any more. It does not keep its
/// view.
///
/// For each delivery the view gets one batch that is safe to apply as such (`ViewBatch`), then `updateCell` is called
/// for each cell to update, then `countChanged`. All this is done while the list shows its new state.
public final class Coordinator {
    /// Called with the new path of a cell to update and with its object.
    public typealias CellUpdate = (ListIndexPath, FetchedObject) -> Void

    private let follower: ListFollower

    /// - Parameter updateCell: Has a cell draw its object again. Changed rows that kept their place then reach the view
    ///   by it rather than as reloads; it is called for moved rows as well, whose cells are out of date too.
    public init(
        view: any CoordinatedView, list: any LiveList, options: ViewOptions = ViewOptions(),
        updateCell: CellUpdate? = nil
    ) {
        follower = ListFollower(list: list, view: view, options: options, updateCell: updateCell)
    }

    deinit { follower.end() }

    /// Ends it at once, also inside a call of its own: the view is called no more.
    public func end() { follower.end() }

    /// The list that the view shows.
    public var list: any LiveList { follower.list }
    /// The view; nil if it does not exist any more.
    public var view: (any CoordinatedView)? { follower.view }

    /// Told the number of objects when the view was loaded, and whenever the view shows another number.
    public var countChanged: ((Int) -> Void)? {
        get { follower.countChanged }
        set { follower.countChanged = newValue }
    }

    /// Told what the list's observers are told of failures, and of a fetch or a read of the coordinator's own that
    /// failed.
    public var failed: ((StoreError) -> Void)? {
        get { follower.failed }
        set { follower.failed = newValue }
    }

    /// Whether the view was loaded. Before that, nothing reaches it.
    public var isLoaded: Bool { follower.isLoaded }

    /// Fetches the list, begins to listen, and has the view reload; inside a callback the reload comes after the
    /// current round. Throws what fetching throws, and then changes nothing.
    ///
    /// A fetch makes no callbacks. So a list that is fetched already and that others follow too, who would be left
    /// behind, is not fetched again: what the database has and the list does not show is told to all. Done again, it
    /// reads and reloads again; while paused as well, and goes on being paused.
    ///
    /// - Parameter fetching: false to take a list that is fetched already as it is, as after a fetch in the background.
    public func loadData(fetching: Bool = true) throws { try follower.load(fetching: fetching) }

    /// While it is set, nothing reaches the view. The list goes on changing, for others too.
    ///
    /// Clearing it fetches again and reloads (under the condition that `loadData` tells), or, if the options say so,
    /// has the view apply all that changed as one batch; inside a callback, after the current round. If the fetch
    /// fails, the list's observers and `failed` are told, and the view reloads what the list shows.
    public var isPaused: Bool {
        get { follower.isPaused }
        set { follower.setPaused(newValue) }
    }
}
