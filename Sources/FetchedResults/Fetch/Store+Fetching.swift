/// What fetches in the background ask of the store.
extension Store {
    /// Whether the lists show all that is committed, and nothing is being written or announced.
    var isSettled: Bool {
        get throws {
            guard !connection.isInTransaction, !queue.isUnderWay, !hasUndeliveredChanges else { return false }
            return try showsCommitted()
        }
    }

    private func showsCommitted() throws -> Bool {
        try readDataVersion() == dataVersion && (!isShared || readSchemaVersions() == schemaVersions)
    }

    /// Runs `body` in a read transaction on the state that the lists show. nil if they do not show all that is
    /// committed: `dispatch` is then asked for again, which delivers it first.
    func readingShownState<Result>(_ body: () throws -> Result) throws -> Result? {
        guard !connection.isInTransaction else {
            wantsDispatch = true
            return nil
        }
        return try readingForFetch {
            guard try !hasUndeliveredChanges && showsCommitted() else {
                wakeUp?.signal()
                return nil
            }
            return try body()
        }
    }

    /// Continues the fetches that are under way.
    func continueFetches() {
        for controller in fetching where connection.isOpen && controller.continueFetch() { endFetching(controller) }
    }

    /// Reports the fetches that were cancelled, when nothing else can be done.
    func endCancelledFetches() {
        for controller in fetching where controller.fetch?.isCancelled ?? false {
            if connection.isOpen, controller.continueFetch() { endFetching(controller) }
        }
    }

    private func endFetching(_ controller: FetchedResultsController) {
        // If its completion began the next fetch, that stands behind this one.
        if let index = fetching.firstIndex(where: { $0 === controller }) { fetching.remove(at: index) }
    }
}
