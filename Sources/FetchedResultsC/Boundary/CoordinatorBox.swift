internal import CFetchedResults
internal import FetchedResults
internal import FetchedResultsViews
internal import SQLiteKit

/// A coordinator, or the one of an entity list, which has another one for each store.
final class CoordinatorBox {
    private let view: ViewAdapter
    private let find: () -> (coordinator: Coordinator<FetchedObject>?, list: ListBox?)

    init(_ view: ViewAdapter, _ find: @escaping () -> (coordinator: Coordinator<FetchedObject>?, list: ListBox?)) {
        self.view = view
        self.find = find
    }

    deinit { end() }

    /// Ends all callbacks.
    func end() {
        view.end()
        find().coordinator?.end()
    }

    /// The coordinator, whether its list still exists or not.
    var coordinator: Coordinator<FetchedObject> {
        get throws {
            guard let coordinator = find().coordinator else {
                throw StoreError(.notFetched, "the entity list has no store yet")
            }
            return coordinator
        }
    }

    /// The handle of the list.
    @safe var list: OpaquePointer? {
        get throws {
            _ = try coordinator
            guard let list = find().list?.handle else {
                throw StoreError(.misuse, "the list of the coordinator was freed")
            }
            return unsafe list
        }
    }

    /// The coordinator of a list that still exists.
    var following: Coordinator<FetchedObject> {
        get throws {
            _ = unsafe try list
            return try coordinator
        }
    }
}
