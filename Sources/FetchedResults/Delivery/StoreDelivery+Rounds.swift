internal import ChangeSets
internal import ListEngine
internal import LogFollower
internal import SQLiteKit

/// Rounds: the changes of all connections, delivered to the lists that they affect.
extension StoreDelivery {
    /// Called after each statement of the store. The statement has already taken effect, so it does
    /// not fail if its changes can't be read now (in a rollback mode another connection may have
    /// locked the database): they are delivered later.
    func deliverIfDue() {
        guard connection.isOpen else { return }
        defer {
            endRound()
            watchFiles()
            waking.watcher?.settle()
        }
        waking.wakeIfPostponed()
        // A list may have become due in the transaction that has ended.
        do { try handle(subscriptions.hasDue ? .listDue : .statement) } catch { waking.wake() }
    }

    /// Delivers to lists that are due after a pause.
    func deliverDue() {
        defer { endRound() }
        // The next statement or dispatch tries it again.
        do { try handle(.listDue) } catch { waking.wake() }
    }

    /// Delivers the commits of other connections as well, unless the program wants to be notified
    /// at `dispatch` only; inside a callback, after the current round.
    func deliverAll() throws {
        try checkOpen()
        defer { endRound() }
        try handle(.use)
    }

    /// Does what an event requires.
    func handle(_ event: DeliveryEvent) throws {
        // All events but this one look for commits of other connections, too.
        let looks = event != .statement
        guard looks || hasUndeliveredChanges || isShared else { return }
        let action = try phase.action(at: event, isQueued: isQueued) {
            try hasUndeliveredChanges || hasForeignCommits()
        }
        switch action {
        case .none: break
        case .deliver: try deliver(looks: looks)
        case .deliverLater: deliverLater()
        case .wake: waking.wake()
        }
    }

    private var phase: DeliveryPhase {
        if !connection.isOpen { return .closed }
        if queue.isUnderWay { return isWaiting ? .waiting : .delivering }
        return connection.isInTransaction ? .inTransaction : .idle
    }

    /// Delivers what waits.
    ///
    /// - Parameter looks: Whether to look for changes that were not reported.
    private func deliver(looks: Bool) throws {
        // Lists that are behind may be so for that.
        if looks || subscriptions.hasEager, let failure = connection.movedFileFailure {
            do {
                try connection.activity.work { try followPaths(failure) }
            } catch {
                let failure = StoreError(any: error)
                try connection.activity.work { queue.run { announce(failure) } }
                throw failure
            }
        }
        try connection.activity.work { try queue.run(deliverRounds) }
    }

    /// Reports to all lists, each once until it can be read again, that none can be read.
    private func announce(_ failure: StoreError) {
        let failed = subscriptions.lists.filter { $0.noteFailure(failure) }
        for list in failed where connection.isOpen { list.announcer.notifyFailure(list, failure) }
    }

    /// Delivers what waits after the current delivery.
    private func deliverLater() {
        isWaiting = true
        // Throws only if a callback of a delivery never returned, after which nothing is delivered
        // any more.
        try? queue.runOrWait { [weak self] in
            self?.isWaiting = false
            try self?.deliverRounds()
        } failed: { [weak self] _ in
            // The next statement or dispatch tries it again.
            self?.waking.wake()
        }
    }

    /// Rounds until nothing is left to deliver: observers may write.
    private func deliverRounds() throws {
        guard connection.isOpen, !connection.isInTransaction else { return }
        repeat {
            guard dispatch?.allowsRound() != false else { return }
            try foreign.inRound(deliverRound)
        } while connection.isOpen && !connection.isInTransaction && hasUndeliveredChanges
        followForeignCommits()
    }

    private func deliverRound() throws {
        var prepared: Prepared?
        meter.begin()
        let reading = Result {
            try readingKnownState(willRead: { waking.watcher?.willDeliver() }) { positions, version in
                guard let known = try noteForeignCommits(version, upTo: positions) else { return false }
                meter.noteFound()
                if let round = try nextRound(version, at: positions, known) {
                    var next = Prepared(origin: round.origin)
                    try prepare(round, &next)
                    prepared = next
                }
                waking.watcher?.didDeliver()
                return true
            }
        }
        // The prepared states are right even if the read transaction could not be ended after that.
        if let prepared { announce(prepared) }
        try reading.get()
    }

    /// Follows commits of other connections, once there are lists that show something.
    func followForeignCommits() {
        guard connection.isOpen, !connection.isInTransaction else { return }
        if !subscriptions.isEmpty {
            foreign.start(in: self)
            startHistory()
        }
        watchFiles()
        foreign.tidy()
        waking.watcher?.settle()
    }

    /// Runs `body` in a read transaction, with the positions of the logs that it shows, as far as
    /// they are known, and with its data version. It runs again if it returns that other
    /// connections have committed meanwhile.
    ///
    /// - Parameter willRead: Called before each transaction.
    func readingKnownState(
        willRead: () -> Void, _ body: (LogPositions, Connection.DataVersion) throws -> Bool
    ) throws {
        // The state that is being read may be older.
        for _ in 0..<100 where !connection.isReading {
            willRead()
            let positions = foreign.latest
            let isDone = try connection.reading {
                // The first statement that reads a database determines its state.
                let version = try connection.readDataVersion()
                guard foreign.isStill(at: positions) else { return false }
                return try body(positions, version)
            }
            if isDone { return }
        }
        willRead()
        _ = try connection.reading { try body(LogPositions(), try connection.readDataVersion()) }
    }

    /// Prepares the beginning of a fetch: as long as nothing is shown, commits of other connections
    /// are not delivered.
    func willFetch() throws {
        if subscriptions.isEmpty, !connection.isReading, !queue.isUnderWay { try deliver(looks: true) }
        foreign.main.open()
    }

    /// Runs `body`, which reads lists, in a read transaction whose state is held readable. nil if
    /// other connections have committed meanwhile.
    ///
    /// - Parameter opensLogs: Whether `body` can run again (`UnknownPosition`).
    func readingHeldState<Result>(
        opensLogs: Bool = false, _ body: (LogPositions) throws -> Result
    ) throws -> Result? {
        var result: Result?
        try readingKnownState(willRead: {}) { positions, version in
            let ahead = try holdFetchedState(positions, version)
            guard !positions.isAnyKnown || foreign.isStill(at: positions) else { return false }
            reading = .fetch(Reading.Fetch(version: version, opensLogs: opensLogs, ahead: ahead))
            defer { reading = .committed }
            result = try body(positions)
            return true
        }
        return result
    }

    /// Holds the state readable that a fetch is about to read: it is followed from there if the
    /// lists show it, and held if they do not show it yet. Called in the fetch's read transaction.
    ///
    /// - Parameter positions: The state's positions in the logs.
    private func holdFetchedState(
        _ positions: LogPositions, _ version: Connection.DataVersion
    ) throws -> (any ShownState)? {
        guard version != dataVersion || hasUndeliveredChanges else {
            foreign.start(at: positions)
            return nil
        }
        return try foreign.hold(positions)
    }

    /// Looks for the generation of the state that the lists show.
    private func startHistory() {
        guard history.isUnknown else { return }
        do {
            try connection.reading {
                if try !hasForeignCommits() { history.noteShown() }
            }
        } catch {
            // The next round tries it again.
        }
    }

    /// Notes commits of other connections as touched rows, where the log or the history shows them.
    /// nil if they commit meanwhile.
    ///
    /// - Parameter version: The data version of the state that is read.
    private func noteForeignCommits(
        _ version: Connection.DataVersion, upTo positions: LogPositions
    ) throws -> KnownRows? {
        guard version != dataVersion else { return .all }
        // A write that was refused for that also leads here.
        try connection.checkNotMoved()
        let known = foreign.note(version, since: dataVersion, upTo: positions)
        if known == .allButMain, try !history.noteForeignCommits(capture) { return .notAll }
        return known
    }

    /// The input of the next round; nil if nothing happened. Called in the read transaction in
    /// which it is prepared. On failure nothing is taken.
    private func nextRound(
        _ version: Connection.DataVersion, at positions: LogPositions, _ known: KnownRows
    ) throws -> Round? {
        self.known = known
        let former = dataVersion
        let mayHaveChangedSchema = hasUnknownChanges
        var reread = try versions.advance(to: version, of: connection, isShared: isShared)
        let isForeign = version != former
        let isOwn = !capture.isEmpty || reread == .schema && (mayHaveChangedSchema || !isForeign)
        let origin: ChangeOrigin = isForeign ? isOwn ? [.store, .foreign] : .foreign : isOwn ? .store : []
        let touched = capture.take()
        if reread == .foreign, known != .notAll { reread = nil }
        foreign.noteShown(at: positions, reread == nil ? known : .notAll, isChanged: !touched.isEmpty)
        if reread == .schema {
            capture.removeWatches()
            history.discard()
        } else if isForeign {
            history.noteShown()
        }
        if touched.isEmpty, reread == nil, !subscriptions.followsEveryRound { return nil }
        return Round(touched, from: origin, reread: reread)
    }

    /// The changes of a round in the lists that it affects, and the failures to report: of lists
    /// that could not be updated for the first time, or when they were due after a pause.
    private struct Prepared {
        let origin: ChangeOrigin
        var parts: [Delivery.ListPart] = []
        var failed: [(list: any FollowingList, error: StoreError)] = []
    }

    /// First phase; `announce` or `drop` follows. Throws only before a commit, if a list can't be
    /// updated row by row: reading it from scratch needs a snapshot of the committed state.
    private func prepare(_ round: Round, _ prepared: inout Prepared) throws {
        try subscriptions.forEachList(concernedBy: round) { list, round in
            let isDue = list.isDue
            do {
                let next = try meter.prepare(list, round, connection.activity)
                // Most rounds leave most lists as they are.
                if list.hasPrepared { prepared.parts.append(Delivery.ListPart(list, next)) }
            } catch {
                if isBeforeCommit { throw error }
                let error = StoreError(any: error)
                if list.noteFailure(error) || isDue { prepared.failed.append((list, error)) }
            }
        }
    }

    /// The other phases, outside of the read transaction.
    private func announce(_ prepared: Prepared) {
        meter.announce(from: prepared.origin) {
            dispatch?.add(changedLists: prepared.parts.lazy.filter(\.isVisible).count)
            Delivery.announce(prepared.parts)
            for (list, error) in prepared.failed where connection.isOpen { list.announcer.notifyFailure(list, error) }
        }
    }

    // MARK: Before the commit

    /// Commits the transaction that is open. Its changes are prepared before, when the touched rows
    /// can be read without another transaction, and announced after; if the commit fails, they are
    /// dropped.
    func commitPreparing(_ commit: Statement, run: (Statement) throws -> Void) throws {
        guard canPrepareEarly else { return try run(commit) }
        let written = capture.written
        let touched = capture.take()
        var prepared = Prepared(origin: .store)
        meter.begin()
        do {
            reading = .early
            defer { reading = .committed }
            try prepare(Round(touched, from: .store), &prepared)
            // Reading takes locks, and so detects commits of other connections to databases that
            // were not locked before.
            guard isPagerUnchanged else { throw PrematureRead() }
        } catch {
            // The ordinary path detects whether it fails there as well, and notifies. There lists
            // are also read from scratch.
            try drop(prepared, touched, written)
            return try run(commit)
        }
        do {
            try commit.run()
        } catch {
            // SQLite may have rolled back the transaction that a dispatch waits for.
            waking.wakeIfPostponed()
            try drop(prepared, touched, written)
            throw error
        }
        foreign.inRound {
            notePager()
            foreign.noteOwnCommit(to: written)
            waking.watcher?.didCommit { path in has(written, path) }
            queue.run { announce(prepared) }
        }
        foreign.tidy()
        deliverIfDue()
    }

    /// Whether hooks alone report all changes of the open transaction, and nothing else waits to be
    /// delivered.
    private var canPrepareEarly: Bool {
        !isQueued && !isShared && !queue.isUnderWay && hasUndeliveredChanges && !hasUnknownChanges
            && !(foreign.isFollowing ? subscriptions.followsEveryRound : subscriptions.hasEager) && isPagerUnchanged
    }

    private func drop(
        _ prepared: Prepared, _ touched: [TouchedTable], _ written: WrittenDatabases
    ) throws {
        meter.drop()
        for part in prepared.parts { try part.drop() }
        capture.restore(touched, written)
    }

    /// Whether the transaction wrote to the database in this file.
    private func has(_ written: WrittenDatabases, _ path: String) -> Bool {
        if connection.attachedNames.isEmpty { return written.isMain }
        return written.isMain && path == connection.fileName
            || written.others.contains { connection.fileName(of: $0.text) == path }
    }
}
