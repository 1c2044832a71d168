internal import ListEngine
internal import SQLiteKit

/// How committed changes reach the lists.
extension Store {
    /// Delivers what waits to be delivered: queued own commits, and what the program did with the connection itself.
    /// Inside a callback it does nothing: the round under way is followed by others until nothing waits.
    public func dispatch() throws {
        try checkOpen()
        guard !queue.isUnderWay else { return deliverLater() }
        try connection.activity.workCallingOut(dispatchAll)
    }

    private func dispatchAll() throws {
        wakeUp?.clear()
        do {
            try deliver(isAsked: true)
        } catch {
            // What waits goes on waiting.
            wakeUp?.signal()
            endCancelledFetches()
            throw error
        }
        guard connection.isOpen else { return }
        guard !connection.isInTransaction else {
            wantsDispatch = true
            return
        }
        continueFetches()
        deliverIfDue()
    }

    /// A file descriptor that is readable as long as there is something to dispatch: for poll, epoll and the like. It
    /// belongs to the store.
    public var fileDescriptor: Int32 {
        get throws {
            guard let wakeUp = try wakeUpDescriptor() else {
                throw StoreError(.io, "there are no file descriptors left")
            }
            return wakeUp.descriptor
        }
    }

    /// Waits until there is something to dispatch, or for so many milliseconds (negative: for ever), and dispatches.
    public func wait(milliseconds: Int32) throws {
        guard let wakeUp = try wakeUpDescriptor() else { throw StoreError(.io, "there are no file descriptors left") }
        wakeUp.wait(milliseconds: milliseconds)
        try dispatch()
    }

    /// Delivers what other connections have committed as well, unless the program wants to be told at `dispatch` only;
    /// inside a callback, after the current round.
    func deliverAll() throws {
        try checkOpen()
        guard !queuesDelivery else { return }
        defer { endRound() }
        if queue.isUnderWay { deliverLater() } else { try deliver(isAsked: true) }
    }

    /// Called after each statement of the store. What that did is done, so that it is no failure of the statement if
    /// its changes can't be read now (in a rollback mode another connection may have locked the database): they go on
    /// waiting.
    func deliverIfDue() {
        guard connection.isOpen else { return }
        defer { endRound() }
        if wantsDispatch, !connection.isInTransaction {
            wantsDispatch = false
            wakeUp?.signal()
        }
        guard !queuesDelivery else { return }
        do { try deliver() } catch { wakeUp?.signal() }
    }

    /// Delivers to lists that are due after a pause. In a store that queues its deliveries, what waits for `dispatch`
    /// would come with it; so they wait as well.
    func deliverDue() {
        defer { endRound() }
        hasDueLists = true
        do {
            if queuesDelivery, try hasUndeliveredChanges || readDataVersion() != dataVersion {
                wakeUp?.signal()
            } else {
                try deliver(isAsked: true)
            }
        } catch {
            // What waits keeps waiting, and is tried again with the next statement or dispatch.
            wakeUp?.signal()
        }
    }

    /// Whether something was written that the lists do not show yet.
    package var hasUndeliveredChanges: Bool { !capture.isEmpty || mayHaveChangedSchema }

    /// Whether the database may have changed in a way that no hook told of.
    package var hasUnknownChanges: Bool { mayHaveChangedSchema }

    /// Whether this connection may have changed the schema since the last round.
    package var mayHaveOtherSchema: Bool { mayHaveChangedSchema || isShared }

    /// - Parameter isAsked: Whether to look for changes of which nothing is known, such as commits of other
    ///   connections.
    private func deliver(isAsked: Bool = false) throws {
        guard !connection.isInTransaction, isAsked || hasUndeliveredChanges || isShared || hasDueLists else { return }
        if isAsked { try connection.checkNotMoved() }
        if queue.isUnderWay { return deliverLater() }
        try connection.activity.work { try queue.run(deliverRounds) }
    }

    /// Has what waits delivered after the delivery under way.
    private func deliverLater() {
        guard !isWaiting else { return }
        isWaiting = true
        // Throws only if a callback of a delivery never returned, after which nothing is delivered any more.
        try? queue.runOrWait { [weak self] in
            self?.isWaiting = false
            try self?.deliverRounds()
        } failed: { [weak self] _ in
            // What waits goes on waiting.
            self?.wakeUp?.signal()
        }
    }

    private func deliverRounds() throws {
        guard connection.isOpen, !connection.isInTransaction else { return }
        repeat {
            var prepared: Prepared?
            let reading = Result { try connection.reading { prepared = try nextRound().map(prepare) } }
            // What was prepared is right even if the read transaction could not be ended after it.
            if let prepared { finish(prepared) }
            try reading.get()
        } while connection.isOpen && !connection.isInTransaction && hasUndeliveredChanges
    }

    /// What the next round starts from; nil if nothing happened. Called in the read transaction in which it is
    /// prepared.
    private func nextRound() throws -> Round? {
        var reread: RereadReason?
        // Before anything is taken: on failure everything keeps waiting.
        if try readDataVersion() != dataVersion { reread = .foreign }
        if mayHaveChangedSchema || isShared || reread != nil {
            let versions = try readSchemaVersions()
            if versions != schemaVersions { reread = .schema }
            schemaVersions = versions
            mayHaveChangedSchema = false
            // Of the databases that are attached now.
            dataVersion = try readDataVersion()
        }
        hasDueLists = false
        pagerVersion = connection.pagerVersion
        let touched = capture.take()
        if reread == .schema {
            tables = KnownTables()
            capture.removeWatches()
        }
        return touched.isEmpty && reread == nil && !subscriptions.wantsEveryRound ? nil : Round(touched, reread: reread)
    }

    /// The lists that a round concerns, and the failures to report: of those that could not be brought up to date for
    /// the first time, or when they were due after a pause.
    private struct Prepared {
        let controllers: [FetchedResultsController]
        var failed: [(controller: FetchedResultsController, error: StoreError)] = []
    }

    /// First phase.
    private func prepare(_ round: Round) -> Prepared {
        var prepared = Prepared(controllers: subscriptions.controllers(concernedBy: round))
        for controller in prepared.controllers {
            let isDue = controller.state.isDue
            do {
                try controller.prepare(round)
            } catch {
                let error = StoreError(any: error)
                if controller.noteFailure(error) || isDue { prepared.failed.append((controller, error)) }
            }
        }
        return prepared
    }

    private func finish(_ prepared: Prepared) {
        Delivery.announce(prepared.controllers)
        for (controller, error) in prepared.failed where connection.isOpen {
            controller.notifyFailure(error)
        }
    }

    // MARK: Before the commit

    /// Commits the transaction that is open. What it changed is worked out before, where the touched rows can be read
    /// without another transaction, and told after; should the commit fail, it is given up.
    func commitPreparing(_ commit: Statement) throws {
        guard canPrepareEarly else { return try run(commit) }
        let touched = capture.take()
        let round = Round(touched, reread: nil)
        let controllers = subscriptions.controllers(concernedBy: round)
        do {
            for controller in controllers { try controller.prepare(round) }
            // Reading takes locks, and so finds what others have committed to databases that were not locked before.
            guard isPagerUnchanged else {
                try giveUp(controllers, touched)
                return try run(commit)
            }
        } catch {
            // The ordinary way finds out whether it fails there as well, and notifies.
            try giveUp(controllers, touched)
            return try run(commit)
        }
        do {
            try commit.run()
        } catch {
            try giveUp(controllers, touched)
            throw error
        }
        pagerVersion = connection.pagerVersion
        queue.run { Delivery.announce(controllers) }
        deliverIfDue()
    }

    /// Whether hooks alone tell what the open transaction changes, and nothing else waits to be delivered.
    private var canPrepareEarly: Bool {
        !queuesDelivery && !isShared && !queue.isUnderWay && hasUndeliveredChanges && !hasUnknownChanges
            && !subscriptions.hasEager && isPagerUnchanged
    }

    private func giveUp(
        _ controllers: [FetchedResultsController], _ touched: [(watch: TableWatch, rows: TouchedRows)]
    ) throws {
        for controller in controllers { try controller.engine.drop() }
        capture.restore(touched)
    }

    // MARK: Versions

    func readDataVersion() throws -> Connection.DataVersion { try connection.readDataVersion() }

    func readSchemaVersions() throws -> [ExactText: Int64] { try connection.readSchemaVersions() }

    /// Whether nobody has committed since the last round, as far as the pager knows, which is so once it holds a lock.
    package var isPagerUnchanged: Bool { connection.pagerVersion == pagerVersion }

    /// Notes the pager's version while a lock is held, unless there is something that no round has told of.
    func notePagerVersion() throws {
        if try readDataVersion() == dataVersion { pagerVersion = connection.pagerVersion }
    }

    // MARK: Controllers

    /// Has the tables watched that a compiled request depends on, and rounds that touch them concern a subscriber.
    func subscribe(_ subscriber: Subscriber, _ compiled: CompiledRequest) throws -> Watches {
        let watches = try Watches(compiled, in: capture)
        watches.didCancel = { [weak subscriptions] in subscriptions?.remove($0) }
        subscriptions.add(watches, of: subscriber)
        return watches
    }
}

extension Store: DatabaseState {
    package var writeCount: Int { capture.writeCount }

    package func willReadList() throws { try notePagerVersion() }
}
