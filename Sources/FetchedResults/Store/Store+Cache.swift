internal import ListEngine
internal import LogFollower
internal import SQLiteKit

extension Store {
    /// Deletes the list that is cached under a cache name; none is no error.
    public func deleteCache(named name: String) throws {
        try checkOpen()
        try cache?.delete(name)
    }

    /// Deletes all lists of this database that are cached.
    public func deleteAllCaches() throws {
        try checkOpen()
        try cache?.deleteAll()
    }

    /// Runs a fetch in one read transaction, or in the transaction that is open.
    func readingForFetch<Result>(_ body: () throws -> Result) throws -> Result {
        let outer = stateBeforeFetch
        defer { stateBeforeFetch = outer }
        stateBeforeFetch = nil
        // What is read already may be older than the file.
        let path = cache == nil || connection.isReading ? nil : connection.fileName
        guard let stamp = path.flatMap(DatabaseStamp.init) else {
            let result = try connection.reading(body)
            delivery.followForeignCommits()
            return result
        }
        delivery.foreign.open()
        var result: Result?
        try delivery.readingKnownState(willRead: {}) { position in
            stateBeforeFetch = (stamp, position)
            result = try body()
            return true
        }
        delivery.followForeignCommits()
        // The body has run, as nothing was thrown.
        return unsafe result.unsafelyUnwrapped
    }

    /// What changed between an earlier state and the one that a fetch reads; nil if that is not known, or does not lead
    /// its list on.
    func changes(
        since state: StateMark, _ present: (stamp: DatabaseStamp, position: LogPosition?), _ fetch: FetchBeginning
    ) throws -> Round? {
        let forwarding = Forwarding(compiled: fetch.compiled, watches: fetch.watches, sections: fetch.sections)
        let tables = forwarding.tables
        guard tables.allSatisfy({ $0.schema == "main" }), let position = present.position,
            let mark = state.beginningOfLog(now: present.stamp, at: position),
            let changes = try delivery.foreign.changes(since: mark, upTo: position, tables)
        else { return nil }
        let round = Round(changes, reread: nil)
        return forwarding.follows(round) ? round : nil
    }

    /// Whether it is probably known what changed between an earlier state and the present one.
    func mayKnowChanges(since state: StateMark, _ stamp: DatabaseStamp) -> Bool {
        delivery.foreign.open()
        return delivery.foreign.latest.map { state.beginningOfLog(now: stamp, at: $0) != nil } ?? false
    }

    /// The mark of the state that the lists show; nil if that is not what was last committed, if nothing can be said of
    /// it, or if another connection writes.
    func markOfShownState() -> StateMark? {
        guard let path = connection.fileName, connection.isAutocommit, !connection.isReadOnly,
            !delivery.queue.isUnderWay, !delivery.hasUndeliveredChanges,
            var stamp = DatabaseStamp(path: path), stamp.isSettled
        else { return nil }
        var log: LogMark?
        var isLogInFile = false
        let isShown = try? connection.withoutOtherWriters(mayWait: delivery.isShared) {
            log = delivery.foreign.latest?.mark
            isLogInFile = delivery.foreign.isLogInFile
            return try !delivery.hasForeignCommits() && delivery.isSchemaShown() && DatabaseStamp(path: path) == stamp
        }
        guard isShown ?? false else { return nil }
        delivery.notePager()
        stamp.isCheckpointed = isLogInFile
        stamp.isSynced = (try? connection.isSynchronous) ?? false
        return StateMark(stamp: stamp, log: log, generation: nil)
    }

    /// Caches all lists that have cache names, and ends following the log.
    ///
    /// Closing the last connection moves the log into the database, and so changes its stamp; that is done here before,
    /// where the lists can be given the new one. What others commit from then on is in the log, and leads on from the
    /// cached lists.
    func cacheLists() {
        for list in delivery.subscriptions.lists { list.cacheList() }
        delivery.endFollowing()
        guard let cache, cache.isUsed, !delivery.isShared, let before = markOfShownState() else { return }
        guard (try? connection.checkpoint()) ?? false, var after = markOfShownState() else { return }
        after.stamp.isCheckpointed = true
        cache.restampAll(of: before, after)
    }
}
