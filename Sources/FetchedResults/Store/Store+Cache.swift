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
        let outer = stampBeforeFetch
        defer { stampBeforeFetch = outer }
        // What is read already may be older than the file.
        let path = cache == nil || connection.isReading ? nil : connection.fileName
        stampBeforeFetch = path.flatMap(DatabaseStamp.init)
        let result = try connection.reading(body)
        delivery.followForeignCommits()
        return result
    }

    /// The stamp of the state that the lists show; nil if that is not what was last committed, if nothing can be said
    /// of it, or if another connection writes.
    func stampOfShownState() -> DatabaseStamp? {
        guard let path = connection.fileName, connection.isAutocommit, !connection.isReadOnly,
            !delivery.queue.isUnderWay, !delivery.hasUndeliveredChanges,
            var stamp = DatabaseStamp(path: path), stamp.isSettled
        else { return nil }
        let isShown = try? connection.withoutOtherWriters(mayWait: delivery.isShared) {
            try !delivery.hasForeignCommits() && delivery.isSchemaShown() && DatabaseStamp(path: path) == stamp
        }
        guard isShown ?? false else { return nil }
        delivery.notePager()
        stamp.isSynced = (try? connection.isSynchronous) ?? false
        return stamp
    }

    /// Caches all lists that have cache names. Closing the last connection moves the write-ahead log into the database,
    /// and so changes its stamp; that is done here before, where the lists can be given the new one.
    func cacheLists() {
        for list in delivery.subscriptions.lists { list.cacheList() }
        guard let cache, cache.isUsed, !delivery.isShared, let before = stampOfShownState() else { return }
        guard (try? connection.checkpoint()) ?? false, var after = stampOfShownState() else { return }
        after.isCheckpointed = true
        cache.restampAll(of: before, after)
    }
}
