internal import ListEngine
internal import LogFollower
internal import SQLiteKit

extension Store {
    /// Deletes the list that is cached under a cache name; a missing one is not an error.
    public func deleteCache(named name: String) throws {
        try checkOpen()
        try cache?.delete(name)
    }

    /// Deletes all lists of this database that are cached.
    public func deleteAllCaches() throws {
        try checkOpen()
        try cache?.deleteAll()
    }

    /// Deletes the list of a database that is cached under a cache name; a missing one is not an
    /// error. Needs no open store, nor the database itself.
    ///
    /// - Parameters:
    ///   - path: The database's, as its stores open it.
    ///   - cacheDirectory: As in `StoreOptions`.
    public static func deleteCache(named name: String, ofDatabase path: String, cacheDirectory: String? = nil) throws {
        try ListCache(database: path, directory: cacheDirectory)?.delete(name)
    }

    /// Deletes all lists of a database that are cached, as `deleteCache(named:ofDatabase:)` does
    /// one.
    public static func deleteAllCaches(ofDatabase path: String, cacheDirectory: String? = nil) throws {
        try ListCache(database: path, directory: cacheDirectory)?.deleteAll()
    }

    /// Runs a fetch in one read transaction, or in the transaction that is open.
    func readingForFetch<Result>(_ body: () throws -> Result) throws -> Result {
        let outer = stateBeforeFetch
        defer { stateBeforeFetch = outer }
        stateBeforeFetch = nil
        // The state that is being read already may be older than the file.
        guard !connection.isReading else {
            let result = try connection.reading(body)
            delivery.followForeignCommits()
            return result
        }
        // The snapshot then has everything that the list shows.
        delivery.foreign.tidy(isIdle: true)
        let stamp = cache == nil ? nil : connection.fileName.flatMap(DatabaseStamp.init)
        try delivery.willFetch()
        while true {
            let result: Result?? = try delivery.readingHeldState(opensLogs: true) { positions in
                stateBeforeFetch = stamp.map { ($0, positions.main) }
                do {
                    return try body()
                } catch let error as UnknownPosition where error.isOf(delivery) {
                    return nil
                }
            }
            if let result = result ?? nil {
                delivery.followForeignCommits()
                return result
            }
        }
    }

    /// The changes between an earlier state and the one that a fetch reads; nil if they are not
    /// known, or can't be applied to its list.
    func changes(
        since state: StateMark, _ present: (stamp: DatabaseStamp, position: LogPosition?), _ forwarding: Forwarding
    ) throws -> Round? {
        let tables = forwarding.tables
        guard tables.allSatisfy({ $0.schema == "main" }) else { return nil }
        let changes = try changesInLog(since: state, present, tables) ?? changesInHistory(since: state, tables)
        guard let round = changes.map({ Round($0) }), forwarding.follows(round) else { return nil }
        return round
    }

    private func changesInLog(
        since state: StateMark, _ present: (stamp: DatabaseStamp, position: LogPosition?), _ tables: [TableWatch]
    ) throws -> [TouchedTable]? {
        guard let position = present.position, let mark = state.beginningOfLog(now: present.stamp, at: position) else {
            return nil
        }
        return try delivery.foreign.main.changes(since: mark, upTo: position, tables)
    }

    private func changesInHistory(
        since state: StateMark, _ tables: [TableWatch]
    ) throws -> [TouchedTable]? {
        guard let generation = state.generation else { return nil }
        return try delivery.history.rows(since: generation, tables)
    }

    /// Whether the changes between an earlier state and the present one are probably known.
    func canDetermineChanges(since state: StateMark, _ stamp: DatabaseStamp) throws -> Bool {
        delivery.foreign.main.open()
        if let position = delivery.foreign.main.latest, state.beginningOfLog(now: stamp, at: position) != nil {
            return true
        }
        guard let generation = state.generation else { return false }
        return try connection.reading {
            try !delivery.history.tables().isEmpty && delivery.history.isKnown(generation)
        }
    }

    /// The mark of the state that the lists show; nil if that is not the last committed one, if it
    /// has no mark, or if another connection writes.
    func markOfShownState() -> StateMark? {
        guard let path = connection.fileName, connection.isAutocommit, !connection.isReadOnly,
            !delivery.queue.isUnderWay, !delivery.hasUndeliveredChanges,
            let stamp = DatabaseStamp(path: path), stamp.isSettled
        else { return nil }
        let state = try? connection.withoutOtherWriters(mayWait: delivery.isShared) { () throws -> StateMark? in
            let isShown =
                try !delivery.hasForeignCommits() && delivery.isSchemaShown() && DatabaseStamp(path: path) == stamp
            return isShown ? try mark(of: stamp) : nil
        }
        guard let state = state ?? nil else { return nil }
        delivery.notePager()
        return state
    }

    /// The mark of a state with a stamp, while no other connection writes.
    private func mark(of stamp: DatabaseStamp) throws -> StateMark {
        var mark = StateMark(
            stamp: stamp, log: delivery.foreign.main.latest?.mark, generation: try delivery.history.generation())
        mark.stamp.isCheckpointed = delivery.foreign.main.isLogInFile
        mark.stamp.isSynced = try connection.isSynchronous
        return mark
    }

    /// Runs `body`, which caches a list under a name. A failure is reported when the store closes,
    /// unless the list is cached later.
    func caching<Value>(
        _ name: String, _ body: (ListCache) throws(StoreError) -> Value
    ) -> Result<Value, StoreError> {
        do throws(StoreError) {
            guard let cache else {
                throw StoreError(.io, "there is no directory for cached lists: set cacheDirectory, or HOME")
            }
            let value = try body(cache)
            cacheFailures[name] = nil
            return .success(value)
        } catch {
            let failure = StoreError(.io, "the list \"\(name)\" could not be cached: \(error.message)")
            cacheFailures[name] = failure
            return .failure(failure)
        }
    }

    /// Caches all lists that have cache names, and ends following the log.
    ///
    /// Closing the last connection moves the log into the database, and so changes its stamp. That
    /// is done here before, when the new stamp can still be given to the lists. Later commits of
    /// other connections are in the log, which leads from the cached lists to them.
    func cacheLists() {
        for list in delivery.subscriptions.lists { list.cacheList() }
        delivery.endFollowing()
        guard let cache, cache.isUsed, !delivery.isShared, let before = markOfShownState() else { return }
        guard (try? connection.writeLogIntoFile()) ?? false, var after = markOfShownState() else { return }
        after.stamp.isCheckpointed = true
        for (name, contents) in cache.lists(of: before) {
            // A file that another store has replaced meanwhile has a state of its own.
            _ = caching(name) { cache throws(StoreError) in try cache.restamp(name, contents, after) }
        }
    }
}
