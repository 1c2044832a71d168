internal import LogFollower

/// The interface of the store for fetches in the background.
extension Store {
    /// Whether the lists show everything that is committed, and nothing is being written or
    /// announced.
    var isSettled: Bool {
        get throws {
            guard !connection.isInTransaction, !delivery.queue.isUnderWay else { return false }
            return try showsCommitted
        }
    }

    private var showsCommitted: Bool {
        get throws {
            try !delivery.hasUndeliveredChanges && !delivery.hasForeignCommits()
                && (!delivery.isShared || delivery.isSchemaShown())
        }
    }

    /// Runs `body` in a read transaction on the state that the lists show. nil if they do not show
    /// everything that is committed: `dispatch` is then requested again, which delivers it first.
    func readingShownState<Result>(_ body: () throws -> Result) throws -> Result? {
        guard !connection.isInTransaction else {
            delivery.waking.postpone()
            return nil
        }
        return try readingForFetch {
            guard try showsCommitted else {
                delivery.waking.wake()
                return nil
            }
            return try body()
        }
    }

    /// Runs `body`, which reads lists with other settings, in one read transaction, or in the
    /// transaction that is open. The state that it reads is held readable.
    func readingForSettings<Result>(_ body: () throws -> Result) throws -> Result {
        guard !connection.isReading else { return try connection.reading(body) }
        while true {
            if let result = try delivery.readingHeldState({ _ in try body() }) { return result }
        }
    }

    /// Continues the fetches that are under way.
    func continueFetches() {
        for list in fetching where connection.isOpen && list.continueFetch() { endFetching(list) }
    }

    /// Reports the fetches that were cancelled, when nothing else can be done.
    func endCancelledFetches() {
        for list in fetching where list.isFetchCancelled {
            if connection.isOpen, list.continueFetch() { endFetching(list) }
        }
    }

    /// Notes that the fetch of a list is over. If its completion began the next one, that is after
    /// this one.
    func endFetching(_ list: any FollowingList) {
        if let index = fetching.firstIndex(where: { $0 === list }) { fetching.remove(at: index) }
    }
}
