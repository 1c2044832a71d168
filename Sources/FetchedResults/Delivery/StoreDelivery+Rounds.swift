internal import ListEngine
internal import SQLiteKit

/// Rounds: what the connection and others have changed, delivered to the lists that it concerns.
extension StoreDelivery {
    /// Called after each statement of the store. What that did is done, so that it is no failure of the statement if
    /// its changes can't be read now (in a rollback mode another connection may have locked the database): they are
    /// delivered later.
    func deliverIfDue() {
        guard connection.isOpen else { return }
        defer { endRound() }
        if wantsDispatch, !connection.isInTransaction {
            wantsDispatch = false
            wakeUp?.signal()
        }
        guard !isQueued else { return }
        do { try deliver(isAsked: false) } catch { wakeUp?.signal() }
    }

    /// Delivers to lists that are due after a pause. In a store that queues its deliveries, what waits for `dispatch`
    /// would come with it; so they wait as well.
    func deliverDue() {
        defer { endRound() }
        hasDueLists = true
        do {
            if isQueued, try hasUndeliveredChanges || hasForeignCommits() {
                wakeUp?.signal()
            } else {
                try deliver(isAsked: true)
            }
        } catch {
            // It is tried again with the next statement or dispatch.
            wakeUp?.signal()
        }
    }

    /// Delivers what other connections have committed as well, unless the program wants to be notified at `dispatch`
    /// only; inside a callback, after the current round.
    func deliverAll() throws {
        try checkOpen()
        guard !isQueued else { return }
        defer { endRound() }
        if queue.isUnderWay { deliverLater() } else { try deliver(isAsked: true) }
    }

    /// Delivers what there is.
    ///
    /// - Parameter isAsked: Whether to look for changes of which nothing is known, such as commits of other
    ///   connections.
    func deliver(isAsked: Bool) throws {
        guard !connection.isInTransaction, isAsked || hasUndeliveredChanges || isShared || hasDueLists else { return }
        if isAsked { try connection.checkNotMoved() }
        if queue.isUnderWay { return deliverLater() }
        try connection.activity.work { try queue.run(deliverRounds) }
    }

    /// Has what there is delivered after the delivery under way.
    func deliverLater() {
        guard !isWaiting else { return }
        isWaiting = true
        // Throws only if a callback of a delivery never returned, after which nothing is delivered any more.
        try? queue.runOrWait { [weak self] in
            self?.isWaiting = false
            try self?.deliverRounds()
        } failed: { [weak self] _ in
            // It is tried again with the next statement or dispatch.
            self?.wakeUp?.signal()
        }
    }

    /// Rounds until nothing is left to deliver: observers may write.
    private func deliverRounds() throws {
        guard connection.isOpen, !connection.isInTransaction else { return }
        repeat {
            var prepared: Prepared?
            let reading = Result { try connection.reading { prepared = try nextRound().map(prepare) } }
            // What was prepared is right even if the read transaction could not be ended after it.
            if let prepared { announce(prepared) }
            try reading.get()
        } while connection.isOpen && !connection.isInTransaction && hasUndeliveredChanges
    }

    /// What the next round starts from; nil if nothing happened. Called in the read transaction in which it is
    /// prepared. On failure nothing is taken.
    private func nextRound() throws -> Round? {
        let reread = try noteVersions()
        hasDueLists = false
        let touched = capture.take()
        if reread == .schema { capture.removeWatches() }
        return touched.isEmpty && reread == nil && !subscriptions.wantsEveryRound ? nil : Round(touched, reread: reread)
    }

    /// What a round changes in the lists that it concerns, and the failures to report: of those that could not be
    /// brought up to date for the first time, or when they were due after a pause.
    private struct Prepared {
        var parts: [Delivery.Part] = []
        var failed: [(list: any FollowingList, error: StoreError)] = []
    }

    /// First phase, called by `deliverRounds`; `announce` comes next.
    private func prepare(_ round: Round) -> Prepared {
        var prepared = Prepared()
        for list in subscriptions.lists(concernedBy: round) {
            let isDue = list.isDue
            do {
                prepared.parts.append(Delivery.Part(list, try list.prepare(round)))
            } catch {
                let error = StoreError(any: error)
                if list.noteFailure(error) || isDue { prepared.failed.append((list, error)) }
            }
        }
        return prepared
    }

    /// The other phases, called by `deliverRounds` outside of the read transaction.
    private func announce(_ prepared: Prepared) {
        Delivery.announce(prepared.parts)
        for (list, error) in prepared.failed where connection.isOpen { list.announcer.notifyFailure(list, error) }
    }

    // MARK: Before the commit

    /// Commits the transaction that is open. What it changed is worked out before, where the touched rows can be read
    /// without another transaction, and announced after; should the commit fail, it is dropped.
    func commitPreparing(_ commit: Statement, run: (Statement) throws -> Void) throws {
        guard canPrepareEarly else { return try run(commit) }
        let touched = capture.take()
        let round = Round(touched, reread: nil)
        let lists = subscriptions.lists(concernedBy: round)
        var parts: [Delivery.Part] = []
        do {
            for list in lists { parts.append(Delivery.Part(list, try list.prepare(round))) }
            // Reading takes locks, and so finds what others have committed to databases that were not locked before.
            guard isPagerUnchanged else {
                try drop(lists, touched)
                return try run(commit)
            }
        } catch {
            // The ordinary way finds out whether it fails there as well, and notifies.
            try drop(lists, touched)
            return try run(commit)
        }
        do {
            try commit.run()
        } catch {
            try drop(lists, touched)
            throw error
        }
        notePager()
        queue.run { Delivery.announce(parts) }
        deliverIfDue()
    }

    /// Whether hooks alone tell what the open transaction changes, and nothing else waits to be delivered.
    private var canPrepareEarly: Bool {
        !isQueued && !isShared && !queue.isUnderWay && hasUndeliveredChanges && !hasUnknownChanges
            && !subscriptions.hasEager && isPagerUnchanged
    }

    private func drop(_ lists: [any FollowingList], _ touched: [(watch: TableWatch, rows: TouchedRows)]) throws {
        for list in lists { try list.drop() }
        capture.restore(touched)
    }
}
