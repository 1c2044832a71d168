internal import ListEngine
internal import LogFollower
internal import SQLiteKit

extension FetchedResultsCollection {
    /// Reads all children in the background, each as
    /// `FetchedResultsController.performFetchAsynchronously` does, and shows them together once all
    /// are read; if one of them fails, none. `progress` and `completion` are called by the
    /// `dispatch` of the children's stores. Children that are inserted meanwhile are read when the
    /// other children are shown. Without children that read anything the collection is fetched, and
    /// `completion` called, immediately.
    public func performFetchAsynchronously(
        progress: @escaping (Int) -> Bool = { _ in true }, completion: @escaping (StoreError?) -> Void
    ) throws {
        guard fetch == nil else { throw StoreError(.misuse, "a fetch is under way") }
        let controllers = controllers
        for controller in controllers { try controller.checkCanFetchAsynchronously() }
        guard !controllers.isEmpty else {
            try performFetch()
            return completion(nil)
        }
        let fetch = CollectionFetch(self, progress, completion)
        self.fetch = fetch
        do {
            try fetch.begin(controllers)
        } catch {
            fetch.end()
            throw error
        }
    }

    /// Ends the fetch under way; its completion is called with `cancelled` by the next `dispatch`
    /// of a store of the children. False if there is none.
    @discardableResult
    public func cancelFetch() -> Bool {
        fetch?.cancel()
        return fetch != nil
    }
}

/// A fetch of a collection in the background.
final class CollectionFetch: FetchGroup {
    private let collection: FetchedResultsCollection
    private let progress: (Int) -> Bool
    private let completion: (StoreError?) -> Void
    private var members: [(controller: FetchedResultsController, fetch: AsynchronousFetch)] = []
    private var rows: [Int] = []
    private var isCancelled = false
    private var isEnding = false

    init(
        _ collection: FetchedResultsCollection, _ progress: @escaping (Int) -> Bool,
        _ completion: @escaping (StoreError?) -> Void
    ) {
        self.collection = collection
        self.progress = progress
        self.completion = completion
    }

    func begin(_ controllers: [FetchedResultsController]) throws {
        rows = Array(repeating: 0, count: controllers.count)
        for (index, controller) in controllers.enumerated() {
            let fetch = AsynchronousFetch(in: self) { [unowned self] in report($0, by: index) }
            members.append((controller, fetch))
            try controller.begin(fetch)
        }
    }

    private func report(_ count: Int, by index: Int) -> Bool {
        rows[index] = count
        return progress(rows.reduce(0, +))
    }

    func cancel() {
        isCancelled = true
        for member in members { member.controller.store.delivery.waking.wake() }
    }

    func discard() {
        if members.allSatisfy({ $0.controller.store.isClosed }) { end() }
    }

    func proceed() {
        guard !isEnding else { return }
        if isCancelled || members.contains(where: { $0.fetch.isCancelled }) {
            return end(with: AsynchronousFetch.cancellation)
        }
        guard members.allSatisfy({ $0.fetch.isReady }) else { return signalVainReadings() }
        do {
            guard let fetched = try taken() else { return }
            end()
            try collection.show(fetched)
            completion(nil)
        } catch {
            end(with: StoreError(any: error))
        }
    }

    /// Makes the stores of lists that have to be read again dispatch.
    private func signalVainReadings() {
        for member in members {
            if case .reading(let reading) = member.fetch.state, reading.isInVain {
                member.controller.store.delivery.waking.wake()
            }
        }
    }

    /// All lists in the states that their stores show; nil if one of these does not show all that
    /// is committed.
    private func taken() throws -> FetchedResultsCollection.Fetched? {
        isEnding = true
        defer { isEnding = false }
        // A list that a thread has read can be taken over once, so nothing may begin again then.
        for controller in collection.controllers {
            let fetch = members.first { $0.controller === controller }?.fetch
            if fetch?.isReadHere ?? true { controller.openLogs() }
        }
        return try reading(collection.storesToRead()[...]) {
            try collection.prepareFetch { controller in
                guard let member = members.first(where: { $0.controller === controller }) else {
                    return try controller.prepareFetch { _ in true }
                }
                return try controller.take(member.fetch)
            }
        }
    }

    /// As deep as there are stores: see `FetchedResultsCollection.storeLimit`.
    private func reading<Result>(_ stores: ArraySlice<Store>, _ body: () throws -> Result) throws -> Result? {
        guard let store = stores.first else { return try body() }
        try store.checkOpen()
        return try store.readingShownState { try reading(stores.dropFirst(), body) }.flatMap(\.self)
    }

    private func end(with error: StoreError) {
        end()
        completion(error)
    }

    /// Ends all fetches.
    func end() {
        isEnding = true
        for member in members {
            member.controller.end(member.fetch)
            member.controller.store.endFetching(member.controller)
        }
        members = []
        if collection.fetch === self { collection.fetch = nil }
    }
}
