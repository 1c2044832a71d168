internal import ChangeSets
internal import ListEngine
internal import SQLiteKit

/// A window on a list: a row, with some rows before and after it, as a list of its own.
///
/// A window hangs on a row of its list, its *anchor*, and not on a place. So it shows the same rows
/// wherever these are in the list, and changes elsewhere do not concern it: they cost nothing, and
/// its observers are not notified of them. If the anchor moves, the window goes with it. If the
/// anchor leaves the list, the row that is where it was becomes the anchor.
///
/// It shows a section for each section of the list that has rows in the window. It is a `LiveList`:
/// observers, coordinators and data sources use it like any list, with its own index paths. It
/// can't be a child of a collection. Fetching it fetches its list; if a list is fetched, its
/// windows deliver the difference, in which all rows that stay are updated.
///
/// It retains its list, and shows rows until `close`, or until it is released.
public final class ListWindow: NotifyingList {
    /// The list of which it shows a part.
    public let list: FetchedResultsController
    package let announcer: Announcer
    private let window: EngineWindow
    /// The changes of a fetch, until they are delivered.
    private var fetched: ListChanges?
    private var isClosed = false

    init(_ list: FetchedResultsController, _ window: EngineWindow) {
        self.list = list
        self.window = window
        announcer = Announcer(list.store.delivery)
        window.owner = self
    }

    deinit { close() }

    /// Ends the window: its observers are removed, and it can't be read any more.
    public func close() {
        if isClosed { return }
        isClosed = true
        announcer.observers.removeAll()
        window.owner = nil
        list.engine.close(window)
    }

    // MARK: Place

    /// The number, in the list, of the window's first row; 0 if the list has no rows. O(log n).
    public var position: Int {
        get throws {
            _ = try shownRows()
            return try list.engine.position(of: window)
        }
    }

    /// The index path, in the window, of the row on which it hangs; nil if the list has no rows.
    public var anchor: ListIndexPath? {
        get throws {
            let rows = try shownRows()
            return rows.ids.isEmpty ? nil : rows.path(of: rows.anchor)
        }
    }

    /// How many rows it shows before its anchor, if the list has as many.
    public var before: Int { window.extent.before }
    /// How many rows it shows after its anchor, if the list has as many.
    public var after: Int { window.extent.after }

    /// Hangs the window on the row that is `rows` rows after its anchor, or before it if the number
    /// is negative; on the last or first row if there are not so many. The observers receive the
    /// difference: immediately, or, inside a callback, after the current round.
    public func move(by rows: Int) throws { try change { ($0.extent, rows) } }

    /// Shows another number of rows before and after the anchor. The observers receive the
    /// difference, as in `move(by:)`.
    public func resize(before: Int, after: Int) throws {
        let extent = try WindowExtent(checkedBefore: before, after: after)
        try change { _ in (extent, 0) }
    }

    private func change(_ change: @escaping (EngineWindow) -> (WindowExtent, rows: Int)) throws {
        _ = try shownRows()
        try announcer.queue.runOrWait { [weak self] in
            guard let self, !isClosed, list.isFetched, !list.store.isClosed else { return }
            let (extent, rows) = change(window)
            guard let step = try list.engine.change(window, by: rows, extent) else { return }
            Delivery.announce([part(step)])
        } failed: { [weak self] in
            self?.reportFailure($0)
        }
        if !announcer.queue.isUnderWay { list.store.delivery.deliverIfDue() }
    }

    // MARK: Deliveries

    /// Shows the next rows when its list does.
    func part(_ step: WindowStep) -> Delivery.ListPart {
        Delivery.ListPart(self) { [self] in
            window.rows = step.rows
            announcer.version += 1
            return step.changes
        }
    }

    /// Delivers the changes of a fetch, once the fetched list is shown; a reload if there are none.
    var partOfFetch: Delivery.ListPart {
        Delivery.ListPart(self) { [self] in fetched.take() }
    }

    /// Notes that the list that was fetched is shown.
    func noteFetched(_ changes: ListChanges?) {
        fetched = changes
        announcer.version += 1
    }

    /// Reports changes of a fetch as a reload, since nobody was notified before it was shown.
    func discardFetched() {
        fetched = nil
        announcer.fetchCount += 1
    }

    // MARK: Rows

    /// The rows that it shows.
    func shownRows() throws -> WindowRows {
        if isClosed { throw StoreError(.misuse, "the window is closed") }
        _ = try list.shownList()
        return window.rows
    }
}

extension WindowExtent {
    init(checkedBefore before: Int, after: Int) throws {
        let limit = Int(Int32.max)
        guard (0..<limit).contains(before), (0..<limit).contains(after) else {
            throw StoreError(.range, "a window can't show \(before) rows before its anchor and \(after) after it")
        }
        self.init(before: before, after: after)
    }
}
