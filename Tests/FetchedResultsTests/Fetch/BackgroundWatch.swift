import ChangeSets
import OrderedTree
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// A list that is fetched in the background, by a thread that reads only after everything else has
/// happened.
final class BackgroundWatch {
    let controller: FetchedResultsController
    let recorder = Recorder()
    private let store: Store
    private var gate: Gate
    private(set) var results: [StoreError?] = []

    init(_ store: Store, _ request: FetchRequest, isFetched: Bool = false) throws {
        self.store = store
        gate = Gate(store)
        controller = try FetchedResultsController(
            store: store, request: request, nodes: NodeSizes(leafCapacity: 4, fanout: 4))
        if isFetched { try controller.performFetch() }
        controller.addObserver(recorder)
        try begin()
    }

    func begin() throws {
        results = []
        gate = Gate(store)
        try controller.performFetchAsynchronously { self.results.append($0) }
    }

    /// Whether a thread reads the list.
    var isInBackground: Bool { if case .reading? = controller.fetch?.state { true } else { false } }

    /// Opens the gate for the thread, and dispatches until the fetch has ended.
    func end() throws -> StoreError? {
        gate.isOpen = true
        // If it begins again, the gate of another list does not hold it.
        store.willReadInBackground = { _ in }
        for _ in 0..<60 where results.isEmpty { try store.wait(milliseconds: 1000) }
        let result = try #require(results.first)
        try store.dispatch()
        #expect(results.count == 1)
        #expect(controller.engine.list?.rows.checkInvariants() ?? [] == [])
        return result
    }

    /// The same for a fetch that has to succeed.
    func complete() throws {
        let failure = try end()
        #expect(failure == nil)
    }
}
