internal import ListEngine
internal import SQLiteKit

/// The observation of a list by closures, which `LiveList.observe` begins. It ends when this is
/// released, or by `cancel`.
///
/// It does not retain the list. Like the list, it is used, and released, by the thread that uses
/// the list's store.
public final class ListObservation {
    private weak var list: (any LiveList)?
    private weak var observer: ClosureObserver?
    private let number: UInt64

    init(_ list: any LiveList, _ observer: ClosureObserver) {
        self.list = list
        self.observer = observer
        number = list.addObserver(observer)
    }

    deinit { cancel() }

    /// Whether the closures can still be called: until `cancel`, or until the list or its store
    /// has ended.
    public var isActive: Bool { observer?.isOver == false }

    /// Ends the observation: no closure is called any more, not even for the delivery under way.
    /// It does nothing if the observation has ended.
    public func cancel() {
        observer?.cancel()
        list?.removeObserver(number)
    }
}

/// The observer that calls closures.
final class ClosureObserver: EndingObserver {
    private let changed: (ListChanges) -> Void
    private let failed: (StoreError) -> Void
    private let ended: () -> Void
    /// Whether no closure is called any more.
    private(set) var isOver = false

    init(
        _ changed: @escaping (ListChanges) -> Void, _ failed: @escaping (StoreError) -> Void,
        _ ended: @escaping () -> Void
    ) {
        self.changed = changed
        self.failed = failed
        self.ended = ended
    }

    /// The list releases it without having ended it when the list itself is released.
    deinit { end() }

    func cancel() { isOver = true }

    func end() {
        guard !isOver else { return }
        isOver = true
        ended()
    }

    var wantsSingleChanges: Bool { false }

    func list(_ list: any LiveList, didDeliver changes: ListChanges) { if !isOver { changed(changes) } }

    func list(_ list: any LiveList, didFail error: StoreError) { if !isOver { failed(error) } }
}
