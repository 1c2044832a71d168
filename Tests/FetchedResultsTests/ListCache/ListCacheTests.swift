import ChangeSets
import Foundation
import OrderedTree
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// Lists that are cached by name, from one start to the next.
@Suite struct KeptLists {
    @Test func aListIsTakenAsThePreviousStartCachedIt() throws {
        let starts = try Starts()
        let first = try starts.fetch()
        #expect(!first.isFromCache && first.rows.count == 2)
        let second = try starts.fetch { _, controller in
            // Only rows that the program accesses were read.
            #expect(controller.engine.counters.rowsRead <= controller.request.batchSize * 2 + 20)
        }
        #expect(second.isFromCache)
        #expect(second.rows == first.rows)
    }

    @Test(arguments: ["wal", "delete", "truncate", "persist"])
    func changesAfterTheFetchAreCachedWhenTheStoreCloses(journalMode: String) throws {
        let starts = try Starts(journalMode: journalMode)
        var changed: [[Value]] = []
        _ = try starts.fetch { store, controller in
            try store.execute("UPDATE items SET name = 'a first', list_id = 2 WHERE id = 10")
            try store.execute("DELETE FROM items WHERE id = 11")
            changed = try controller.values("id")
        }
        let next = try starts.fetch()
        #expect(next.isFromCache)
        #expect(next.rows == changed)
    }

    @Test func aListThatIsFreedBeforeTheStoreClosesIsCachedAsWell() throws {
        let starts = try Starts()
        try starts.start { store in
            do {
                let controller = try FetchedResultsController(
                    store: store, request: Starts.request, nodes: Starts.smallNodes)
                try controller.performFetch()
                try store.execute("DELETE FROM items WHERE id = 11")
                try controller.close()
            }
        }
        #expect(try starts.fetch().isFromCache)
    }

    /// Before: a list that was cached when it was fetched, and has changed since. Change: the
    /// program releases it. Expected: nothing is written, so the next start reads the list.
    @Test func aListThatIsReleasedIsNotCached() throws {
        let starts = try Starts()
        try starts.start { store in
            var controller: FetchedResultsController? = try FetchedResultsController(
                store: store, request: Starts.request, nodes: Starts.smallNodes)
            try controller?.performFetch()
            try store.execute("DELETE FROM items WHERE id = 11")
            let files = try starts.files.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
            controller = nil
            #expect(try starts.files.map { try Data(contentsOf: URL(fileURLWithPath: $0)) } == files)
        }
        #expect(try !starts.fetch().isFromCache)
    }

    /// Before: a list that was closed, and that a collection still shows; then it has changed.
    /// Change: the collection is closed. Expected: the next start takes the changed list.
    @Test func aCollectionThatIsClosedCachesItsLists() throws {
        let starts = try Starts()
        try starts.start { store in
            let controller = try FetchedResultsController(
                store: store, request: Starts.request, nodes: Starts.smallNodes)
            let collection = try FetchedResultsCollection([controller])
            try collection.performFetch()
            try controller.close()
            try store.execute("DELETE FROM items WHERE id = 11")
            #expect(try collection.numberOfObjects == 33)
            try collection.close()
        }
        #expect(try starts.fetch().isFromCache)
    }

    @Test func aListThatWasTakenFollowsChangesLikeAnyOther() throws {
        let starts = try Starts()
        _ = try starts.fetch()
        let taken = try starts.fetch { store, controller in
            let recorder = Recorder()
            controller.addObserver(recorder)
            for id in 1...50 {
                try store.execute(
                    "UPDATE items SET name = 'n' || ?, list_id = ? WHERE id = ?",
                    [.integer(Int64(id * 13 % 50)), .integer(Int64(1 + id % 3)), .integer(Int64(id))])
                #expect(controller.engine.list?.rows.checkInvariants() == [])
            }
            var request = controller.request
            request.cacheName = nil
            let reread = try FetchedResultsController(store: store, request: request)
            try reread.performFetch()
            #expect(try controller.values("id") == reread.values("id"))
            #expect(recorder.events.contains { $0.hasPrefix("move") })
            #expect(controller.engine.counters.rereads.isEmpty)
        }
        #expect(taken.isFromCache)
    }

    // MARK: Changes that make a cached list stale

    @Test func aCommitOfAnyoneAfterwardsMakesItStale() throws {
        let starts = try Starts()
        _ = try starts.fetch()
        try starts.start { try $0.execute("INSERT INTO other VALUES (1, 1)") }
        let next = try starts.fetch()
        #expect(!next.isFromCache)
        #expect(try starts.fetch().isFromCache)
    }

    @Test func aCommitOfAnotherProgramMeanwhileMakesItStaleInARollbackMode() throws {
        let starts = try Starts(journalMode: "delete")
        _ = try starts.fetch()
        let other = try Store(path: starts.file.path, options: starts.options)
        defer { try? other.close() }
        #expect(try starts.fetch().isFromCache)
        try other.execute("UPDATE items SET name = 'Z' WHERE id = 1")
        #expect(try !starts.fetch().isFromCache)
        #expect(try starts.fetch().isFromCache)
    }

    @Test func anotherRequestOfTheSameNameIsReadAndTakesThePlace() throws {
        let starts = try Starts()
        _ = try starts.fetch()
        var requests: [FetchRequest] = []
        func add(_ change: (inout FetchRequest) -> Void) {
            var request = Starts.request
            change(&request)
            requests.append(request)
        }
        add { $0.predicate = "done = ? AND 1" }
        add { $0.parameters = .positional([1]) }
        add { $0.parameters = .positional([0.0]) }
        add { $0.parameters = .positional(["0"]) }
        add { $0.sorts = [Sort("name", isDescending: true)] }
        add { $0.sorts = [Sort("name", nulls: .last)] }
        add { $0.sorts = [Sort("name", collation: "BINARY")] }
        add { $0.section = nil }
        add { $0.section = Sort("list_id.title") }
        add { $0.section = Sort("list_id", isDescending: true) }
        add { $0.limit = 3 }
        add { ($0.limit, $0.offset) = (3, 1) }
        add { ($0.predicate, $0.parameters) = ("done = :done", .named([("done", 0)])) }
        add { ($0.predicate, $0.parameters) = ("done = :done", .named([("done", 1)])) }
        for request in requests {
            let first = try starts.fetch(request)
            #expect(!first.isFromCache, "\(request)")
            let second = try starts.fetch(request)
            #expect(second.isFromCache, "\(request)")
            #expect(second.rows == first.rows)
        }
    }

    @Test func anotherSchemaMakesItStale() throws {
        let starts = try Starts()
        _ = try starts.fetch()
        try starts.start { try $0.execute("ALTER TABLE items ADD COLUMN note") }
        #expect(try !starts.fetch().isFromCache)
    }

    @Test func anotherDatabaseInItsPlaceMakesItStale() throws {
        let starts = try Starts()
        _ = try starts.fetch()
        let copy = starts.file.path + "-copy"
        try FileManager.default.copyItem(atPath: starts.file.path, toPath: copy)
        try FileManager.default.removeItem(atPath: starts.file.path)
        try FileManager.default.moveItem(atPath: copy, toPath: starts.file.path)
        #expect(try !starts.fetch().isFromCache)
    }

    @Test func aListThatDependsOnMoreThanTheDataIsNotCached() throws {
        let starts = try Starts()
        for predicate in [
            "name < date('now')", "random() IS NOT NULL", "name <> CURRENT_TIMESTAMP", "changes() >= 0",
            "id IN (SELECT id FROM temp.chosen)",
        ] {
            var request = FetchRequest(entity: "items", predicate: predicate)
            request.cacheName = "x"
            for _ in 1...2 {
                try starts.start { store in
                    try store.execute("CREATE TEMP TABLE chosen (id)")
                    let controller = try FetchedResultsController(store: store, request: request)
                    try controller.performFetch()
                    #expect(controller.engine.counters.cachedFetches == 0, "\(predicate)")
                }
            }
            #expect(starts.files == [], "\(predicate)")
        }
    }

    @Test func insideATransactionThatWritesTheListIsRead() throws {
        let starts = try Starts()
        _ = try starts.fetch()
        try starts.start { store in
            try store.begin()
            try store.execute("DELETE FROM items WHERE id > 5")
            let controller = try FetchedResultsController(
                store: store, request: Starts.request, nodes: Starts.smallNodes)
            try controller.performFetch()
            #expect(try controller.numberOfObjects == 4)
            try store.rollback()
            #expect(try controller.numberOfObjects == 34)
        }
    }

    @Test func aListWithADamagedFileIsReadAndTheFileReplaced() throws {
        let starts = try Starts()
        let rows = try starts.fetch().rows
        let path = try #require(starts.files.first)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        var damaged = [
            Data(), whole.prefix(64), whole.prefix(128), whole.dropLast(8), whole + Data(count: 8),
            Data(count: whole.count),
        ]
        for offset in stride(from: 0, to: whole.count, by: 37) {
            var copy = whole
            copy[offset] ^= 0x41
            damaged.append(copy)
        }
        for data in damaged {
            try data.write(to: URL(fileURLWithPath: path))
            let next = try starts.fetch()
            // The last bytes of the header have no meaning.
            #expect(next.rows == rows)
            #expect(!next.isFromCache || data.count == whole.count)
            #expect(try starts.fetch().isFromCache)
        }
    }

    // MARK: Lists that can't be cached

    @Test func whileAnotherConnectionWritesNothingIsCachedAndNobodyWaits() throws {
        let starts = try Starts()
        let other = try Store(path: starts.file.path)
        defer { try? other.close() }
        try other.begin()
        let first = try starts.fetch { store, _ in
            var timeout: [Value] = []
            try store.query("PRAGMA busy_timeout") { timeout = $0 }
            #expect(timeout == [5000])
        }
        #expect(!first.isFromCache)
        #expect(starts.files == [])
        try other.rollback()
        #expect(try !starts.fetch().isFromCache)
        #expect(try starts.fetch().isFromCache)
    }

    @Test func aReadOnlyStoreTakesListsAndCachesNone() throws {
        let starts = try Starts()
        var reading = starts
        reading.options.isReadOnly = true
        #expect(try !reading.fetch().isFromCache)
        #expect(starts.files == [])
        _ = try starts.fetch()
        #expect(try reading.fetch().isFromCache)
    }

    @Test func aDatabaseInMemoryCachesNothing() throws {
        let store = try makeStore(Starts.script)
        let controller = try FetchedResultsController(store: store, request: Starts.request, nodes: Starts.smallNodes)
        try controller.performFetch()
        try controller.performFetch()
        #expect(controller.engine.counters.cachedFetches == 0)
        try store.deleteCache(named: "open items")
        try store.deleteAllCaches()
    }

    @Test func aControllerThatIsFreedInsideAWriteLeavesTheWriteAlone() throws {
        let starts = try Starts()
        try starts.start { store in
            var controller: FetchedResultsController? = try FetchedResultsController(
                store: store, request: Starts.request)
            try controller?.performFetch()
            try store.addCollation("LETS_GO") { a, b in
                try? controller?.close()
                controller = nil
                return a < b ? -1 : a == b ? 0 : 1
            }
            try store.execute("INSERT INTO other (x) SELECT name FROM items ORDER BY name COLLATE LETS_GO")
            #expect(controller == nil)
            #expect(try !store.isInTransaction)
            var count: [Value] = []
            try store.query("SELECT count(*) FROM other") { count = $0 }
            #expect(count == [50])
        }
        #expect(try !starts.fetch().isFromCache)
    }

    @Test func aDirectoryThatCannotBeDoesNoHarm() throws {
        var starts = try Starts()
        for directory in ["/proc/nowhere", starts.file.path, ""] {
            starts.options.cacheDirectory = directory
            for _ in 1...2 { #expect(try !starts.fetch().isFromCache) }
        }
    }

    @Test func aListThatCannotBeCachedIsReportedWhenTheStoreCloses() throws {
        let starts = try Starts()
        let noFolder = starts.file.path + "/cached"
        let cases: [(directory: String, isFetched: Bool, message: String)] = [
            (noFolder, true, "the list \"open items\" could not be cached: can't open \(noFolder): Not a directory"),
            ("", true, "the list \"open items\" could not be cached: there is no directory"),
            (noFolder, false, ""), (starts.file.cacheDirectory, true, ""),
        ]
        for (directory, isFetched, message) in cases {
            var options = StoreOptions()
            options.cacheDirectory = directory
            let store = try Store(path: starts.file.path, options: options)
            let controller = try FetchedResultsController(store: store, request: Starts.request)
            if isFetched { try controller.performFetch() }
            if message.isEmpty {
                try store.close()
            } else {
                expectFailure(.io, naming: message) { try store.close() }
            }
            #expect(store.isClosed)
        }
    }

    /// Before: a list whose directory can't be made. Change: the list is closed, or a collection
    /// that shows it. Expected: that throws, the list is ended all the same, and the store reports
    /// it.
    @Test(arguments: [false, true]) func aListThatCannotBeCachedIsReportedWhenItIsClosed(isChild: Bool) throws {
        let starts = try Starts()
        var options = StoreOptions()
        options.cacheDirectory = starts.file.path + "/cached"
        let message = "the list \"open items\" could not be cached: can't open"
        let store = try Store(path: starts.file.path, options: options)
        let controller = try FetchedResultsController(store: store, request: Starts.request)
        let collection = try FetchedResultsCollection(isChild ? [controller] : [])
        let recorder = Recorder()
        controller.addObserver(recorder)
        collection.addObserver(recorder)
        try controller.performFetch()
        if isChild {
            expectFailure(.io, naming: message) { try collection.close() }
            try collection.remove(at: 0)
        }
        expectFailure(.io, naming: message) { try controller.close() }
        expectFailure(.notFetched) { _ = try controller.numberOfObjects }
        try store.execute("DELETE FROM items")
        #expect(recorder.events == [])
        try controller.close()
        expectFailure(.io, naming: message) { try store.close() }
        try controller.close()
    }

    @Test func aListThatIsCachedLaterIsNotReported() throws {
        let starts = try Starts()
        var options = starts.options
        options.cacheDirectory = starts.file.cacheDirectory + "/later"
        #expect(FileManager.default.createFile(atPath: starts.file.cacheDirectory, contents: nil))
        let store = try Store(path: starts.file.path, options: options)
        let controller = try FetchedResultsController(store: store, request: Starts.request)
        try controller.performFetch()
        #expect(store.cacheFailures.count == 1)
        try FileManager.default.removeItem(atPath: starts.file.cacheDirectory)
        try controller.close()
        #expect(store.cacheFailures.isEmpty)
        try store.close()
    }

    /// Before: a list that was cached. Change: the directory becomes one that other users can write
    /// to, and the list changes or not.
    /// Expected: the store reports when it closes that the list is not cached as it is.
    @Test(arguments: [false, true]) func aListThatCannotBeCachedAgainIsReported(isChanged: Bool) throws {
        let starts = try Starts()
        let store = try Store(path: starts.file.path, options: starts.options)
        let controller = try FetchedResultsController(store: store, request: Starts.request)
        try controller.performFetch()
        #expect(store.cacheFailures.isEmpty)
        try store.execute(isChanged ? "DELETE FROM items WHERE id = 11" : "INSERT INTO other VALUES (1, 1)")
        #expect(chmod(starts.file.cacheDirectory, 0o777) == 0)
        expectFailure(.io, naming: "the list \"open items\" could not be cached: other users can write") {
            try store.close()
        }
        #expect(chmod(starts.file.cacheDirectory, 0o700) == 0)
        #expect(try !starts.fetch().isFromCache)
        withExtendedLifetime(controller) {}
    }

    @Test func aControllerThatIsClosedIsAsBeforeItsFirstFetch() throws {
        let starts = try Starts()
        try starts.start { store in
            let controller = try FetchedResultsController(store: store, request: Starts.request)
            try controller.performFetch()
            let rows = try controller.values("id")
            let recorder = Recorder()
            controller.addObserver(recorder)
            for _ in 1...2 { try controller.close() }
            expectFailure(.notFetched) { _ = try controller.numberOfObjects }
            try store.execute("DELETE FROM items WHERE id = 11")
            #expect(recorder.events == [])
            try controller.performFetch()
            #expect(try controller.values("id").flatMap(\.self).count == rows.flatMap(\.self).count - 1)
        }
    }

    // MARK: Deleting

    @Test func listsAreDeletedByNameOrAllTogether() throws {
        let starts = try Starts()
        let names = ["open items", "a/b", "..", "ä%", String(repeating: "long", count: 100), "open items 2"]
        for name in names {
            var request = Starts.request
            request.cacheName = name
            _ = try starts.fetch(request)
            #expect(try starts.fetch(request).isFromCache, "\(name)")
        }
        #expect(starts.files.count == names.count)
        try starts.start { try $0.deleteCache(named: "open items") }
        #expect(try !starts.fetch().isFromCache)
        try starts.start { try $0.deleteCache(named: "unknown") }
        #expect(starts.files.count == names.count)
        try starts.start { try $0.deleteAllCaches() }
        #expect(starts.files == [])
        try starts.start { try $0.deleteAllCaches() }
    }

    /// Before: lists that are cached under two names. Change: one is deleted, then all, without an
    /// open store. Expected: as by a store; a missing list, and a missing cache, are no errors.
    @Test func listsAreDeletedWithoutAnOpenStore() throws {
        let starts = try Starts()
        func delete(_ name: String, at path: String) throws {
            try Store.deleteCache(named: name, ofDatabase: path, cacheDirectory: starts.file.cacheDirectory)
        }
        try delete("open items", at: starts.file.path)
        try starts.makeLists()
        try delete("unknown", at: starts.file.path)
        try delete("open items", at: starts.file.path + "2")
        try Store.deleteAllCaches(ofDatabase: starts.file.path + "2", cacheDirectory: starts.file.cacheDirectory)
        #expect(starts.files.count == 2)
        try delete("open items", at: starts.file.path)
        #expect(starts.files.count == 1)
        #expect(try !starts.fetch().isFromCache)
        try Store.deleteAllCaches(ofDatabase: starts.file.path, cacheDirectory: starts.file.cacheDirectory)
        #expect(starts.files == [])
        try Store.deleteAllCaches(ofDatabase: starts.file.path, cacheDirectory: starts.file.cacheDirectory)
    }

    /// Before: cached lists, whose database is then named in another way: by a link, by a path with
    /// dots, or when the file itself is gone. Expected: the lists are found and deleted. What is no
    /// path of a database has no lists.
    @Test func listsAreDeletedByEachPathOfTheirDatabase() throws {
        let starts = try Starts()
        let (directory, path) = (starts.file.cacheDirectory, starts.file.path)
        let (folder, name) = ((path as NSString).deletingLastPathComponent, (path as NSString).lastPathComponent)
        let link = path + "-link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        defer { unlink(link) }
        for other in [link, "\(folder)/./\(name)", "\(folder)//\(name)"] {
            try starts.makeLists()
            try Store.deleteCache(named: "open items", ofDatabase: other, cacheDirectory: directory)
            #expect(starts.files.count == 1, "\(other)")
            try Store.deleteAllCaches(ofDatabase: other, cacheDirectory: directory)
            #expect(starts.files == [], "\(other)")
        }
        try starts.makeLists()
        for nothing in ["", "/", ".", "..", ":memory:", folder, path + "/x", "/nowhere/\(name)", "\(folder)/"] {
            try Store.deleteCache(named: "open items", ofDatabase: nothing, cacheDirectory: directory)
            try Store.deleteAllCaches(ofDatabase: nothing, cacheDirectory: directory)
        }
        #expect(starts.files.count == 2)
        for end in ["", "-wal", "-shm"] { unlink(path + end) }
        try Store.deleteCache(named: "open items", ofDatabase: "\(folder)/./\(name)", cacheDirectory: directory)
        #expect(starts.files.count == 1)
        try Store.deleteAllCaches(ofDatabase: path, cacheDirectory: directory)
        #expect(starts.files == [])
    }

    /// Before: a store shows a cached list. Change: the list is deleted without that store, and
    /// then the store closes. Expected: it stays deleted, as the list did not change meanwhile.
    @Test func aListThatIsDeletedWhileAnotherStoreShowsItStaysDeleted() throws {
        let starts = try Starts()
        _ = try starts.fetch()
        let shown = try starts.fetch { _, _ in
            try Store.deleteAllCaches(ofDatabase: starts.file.path, cacheDirectory: starts.file.cacheDirectory)
        }
        #expect(shown.isFromCache)
        #expect(starts.files == [])
    }
}
