import ChangeSets
import FetchedResults
import SQLiteKit
import TestSupport
import Testing

/// Children that are inserted and removed.
@Suite struct CollectionChildTests {
    @Test func aControllerMayBeInsertedReplacedAndRemoved() throws {
        let store = try makeSearchStore()
        let people = try makeList(store, "people", "name")
        let files = try makeList(store, "files", "name")
        let found = try CollectionWatch([files])
        try found.collection.insert(people, at: 0)
        #expect(found.take() == ["section insert 0 -", "insert 1 at 0.0", "insert 2 at 0.1"])
        #expect(found.faults == [])
        let messages = try makeList(store, "messages", "subject", section: "sender")
        try found.collection.replace(at: 0, with: messages)
        #expect(
            found.take() == [
                "section delete 0 -", "section insert 0 Ann", "section insert 1 Ben", "delete 2 at 0.1",
                "delete 1 at 0.0",
                "insert 3 at 0.0", "insert 1 at 0.1", "insert 2 at 1.0",
            ])
        #expect(found.faults == [])
        try found.collection.replace(messages, with: people)
        _ = found.take()
        #expect(try found.rows == [["people 1", "people 2"], ["files 1", "files 2"]])
        try found.collection.remove(files)
        #expect(found.take() == ["section delete 1 -", "delete 2 at 1.1", "delete 1 at 1.0"])
        // It reports nothing more.
        try store.execute("DELETE FROM files")
        #expect(found.take() == [])
        try found.collection.append(files)
        #expect(found.take() == ["section insert 1 -"])
        #expect(found.faults == [])
    }

    /// Before: a collection of lists with and without sections and placeholders. Change: whether it
    /// shows lists without sections, and then their rows. Expected: only lists that have neither
    /// sections nor a placeholder become an empty section, until they have sections.
    @Test func listsWithoutSectionsAreShownIfTheCollectionSaysSo() throws {
        let store = try makeSearchStore()
        try store.execute("DELETE FROM files")
        let messages = try makeList(store, "messages", "subject", section: "sender")
        let files = try makeList(store, "files", "name", section: "name")
        let hinted = try makeList(store, "files", "name", section: "name")
        let flat = try makeList(store, "files", "name")
        let found = try CollectionWatch([files, messages, flat])
        try found.collection.append(hinted, emptySection: Placeholder(name: "none"))
        _ = found.take()
        #expect(!found.collection.showsEmptyLists)
        try found.collection.setShowsEmptyLists(true)
        #expect(found.take() == ["section insert 0 -"])
        #expect(found.collection.showsEmptyLists)
        #expect(try found.collection.child(ofSection: 0) == 0)
        #expect(try found.collection.section(at: 0).numberOfObjects == 0)
        #expect(found.faults == [])
        try found.collection.setShowsEmptyLists(true)
        #expect(found.take() == [])
        try store.insert(into: "files", [("name", "plan")])
        #expect(
            found.take() == [
                "section delete 4 none", "section delete 0 -", "section insert 0 plan", "section insert 4 plan",
                "insert 1 at 0.0", "insert 1 at 3.0", "insert 1 at 4.0",
            ])
        #expect(found.faults == [])
        try store.execute("DELETE FROM messages")
        #expect(
            found.take() == [
                "section delete 2 Ben", "section delete 1 Ann", "section insert 1 -", "delete 2 at 2.0",
                "delete 1 at 1.1", "delete 3 at 1.0",
            ])
        try found.collection.setShowsEmptyLists(false)
        #expect(found.take() == ["section delete 1 -"])
        #expect(found.faults == [])
    }

    /// Also for a collection that is a child, and for one that is made of requests, whose lists can
    /// have no placeholders.
    @Test func listsWithoutSectionsAreShownFromTheBeginning() throws {
        let store = try makeSearchStore()
        let requests = ["people", "files"].map {
            FetchRequest(entity: $0, predicate: "id < 2", sorts: [Sort("name")], section: Sort("name"))
        }
        try store.execute("DELETE FROM people")
        let inner = try FetchedResultsCollection(store: store, requests: requests, showsEmptyLists: true)
        let outer = try CollectionWatch([inner])
        #expect(try outer.rows == [[], ["files 1"]])
        try inner.setShowsEmptyLists(false)
        #expect(outer.take() == ["section delete 0 -"])
        try store.execute("DELETE FROM files")
        _ = outer.take()
        #expect(try outer.rows == [])
        try outer.collection.setShowsEmptyLists(true)
        #expect(outer.take() == ["section insert 0 -"])
        try inner.setShowsEmptyLists(true)
        #expect(outer.take() == ["section delete 0 -", "section insert 0 -", "section insert 1 -"])
        #expect(outer.faults == [])
    }

    /// Before: an observer of a list is called. Change: it makes the collection show and hide lists
    /// without sections several times, and inserts such a list. Expected: both are shown after the
    /// round, each once.
    @Test func listsWithoutSectionsAreShownAfterTheRoundUnderWay() throws {
        let store = try makeSearchStore()
        let people = try makeList(store, "people", "name")
        let nobody = try makeList(store, "people", "name", section: "name", where: "id > 9")
        let nothing = try makeList(store, "files", "name", section: "name", where: "id > 9")
        let found = try CollectionWatch([people, nobody])
        var counts: [Int] = []
        let observation = people.observe { _ in
            #expect(throws: Never.self) {
                try found.collection.setShowsEmptyLists(true)
                try found.collection.setShowsEmptyLists(false)
                try found.collection.setShowsEmptyLists(true)
                try found.collection.append(nothing)
                counts.append(try found.collection.numberOfSections)
            }
        }
        try store.execute("DELETE FROM people WHERE id = 1")
        observation.cancel()
        #expect(counts == [1])
        #expect(found.take() == ["delete 1 at 0.0", "section insert 1 -", "section insert 2 -"])
        #expect(try found.rows == [["people 2"], [], []])
        #expect(found.faults == [])
    }

    /// Neither its old place nor the collection holds it.
    @Test func aRemovedChildIsReleasedWithItsLastOwner() throws {
        let store = try makeSearchStore()
        let found = try CollectionWatch([])
        weak var removed: FetchedResultsController?
        func insertAndRemove() throws {
            let people = try makeList(store, "people", "name")
            removed = people
            try found.collection.insert(people, at: 0)
            try found.collection.remove(people)
        }
        try insertAndRemove()
        _ = found.take()
        #expect(removed == nil)
    }

    /// Before: a collection of one list. Change: while the list notifies its observer, the list is
    /// removed and the collection ends; then the list changes. Expected: the list notifies, and
    /// is released with its last owner.
    @Test func aListChangesAfterACollectionThatWasRemovingItHasEnded() throws {
        let store = try makeSearchStore()
        weak var released: FetchedResultsController?
        func removeAndEnd() throws {
            let people = try makeList(store, "people", "name")
            released = people
            weak var ended: FetchedResultsCollection?
            var collection: FetchedResultsCollection? = try FetchedResultsCollection([people])
            ended = collection
            try collection?.performFetch()
            var counts: [Int] = []
            let observation = people.observe { changes in
                counts.append(changes.changeSet.recordCount)
                #expect(throws: Never.self) { try collection?.remove(people) }
                collection = nil
            }
            try store.execute("UPDATE people SET name = 'Anna' WHERE id = 1")
            #expect(ended == nil)
            try store.execute("UPDATE people SET name = 'Anne' WHERE id = 1")
            #expect(counts == [1, 1])
            observation.cancel()
        }
        try removeAndEnd()
        #expect(released == nil)
    }

    /// Before: a collection of one list. Change: while another list notifies, the list is removed,
    /// and the collection ends. Expected: the list can be fetched in the same callback.
    @Test func aListIsFetchedWhileItsRemovalFromAnEndedCollectionWaits() throws {
        let store = try makeSearchStore()
        let people = try makeList(store, "people", "name")
        let files = try makeList(store, "files", "name")
        try files.performFetch()
        weak var ended: FetchedResultsCollection?
        var collection: FetchedResultsCollection? = try FetchedResultsCollection([people])
        ended = collection
        try collection?.performFetch()
        var count = 0
        let observation = files.observe { _ in
            count += 1
            #expect(throws: Never.self) { try collection?.remove(people) }
            collection = nil
            #expect(ended == nil)
            #expect(throws: Never.self) { try people.performFetch() }
        }
        try store.execute("DELETE FROM files WHERE id = 1")
        #expect(count == 1)
        #expect(try people.numberOfObjects == 2)
        observation.cancel()
    }

    @Test func aRemovedChildsObjectsKeepTheirValues() throws {
        let store = try makeSearchStore()
        let people = try makeList(store, "people", "name")
        let found = try CollectionWatch([people])
        try found.collection.remove(at: 0)
        let delivery = try #require(found.recorder.deliveries.last)
        #expect(try delivery.changeSet.deletes.map { try delivery.object(of: $0)["name"] } == ["Ben", "Ann"])
        #expect(found.collection.numberOfChildren == 0)
        #expect(try people.numberOfObjects == 2)
    }

    @Test func aChildThatWasNotFetchedIsFetchedInTheBracketThatAddsIt() throws {
        let store = try makeSearchStore()
        let found = try CollectionWatch([])
        let people = try makeList(store, "people", "name")
        try found.collection.append(people)
        #expect(people.isFetched)
        #expect(found.recorder.events.first == "will")
        #expect(found.take() == ["section insert 0 -", "insert 1 at 0.0", "insert 2 at 0.1"])
        // One that can't be fetched changes nothing.
        let files = try makeList(store, "files", "name")
        try store.execute("ALTER TABLE files RENAME TO documents")
        expectFailure(.schema, naming: "files") { try found.collection.append(files) }
        #expect(found.collection.numberOfChildren == 1)
        #expect(found.take() == [])
    }

    @Test func whatCanNotBeAChildIsRefused() throws {
        let store = try makeSearchStore()
        let people = try makeList(store, "people", "name")
        let found = try CollectionWatch([people])
        let collection = found.collection
        expectFailure(.misuse, naming: "already") { try collection.append(people) }
        expectFailure(.misuse, naming: "itself") { try collection.append(collection) }
        let outer = try FetchedResultsCollection([FetchedResultsCollection([collection])])
        expectFailure(.misuse, naming: "itself") { try collection.append(outer) }
        expectFailure(.notFound) { try collection.remove(outer) }
        expectFailure(.notFound) { try collection.replace(outer, with: people) }
        expectFailure(.range, naming: "1") { try collection.remove(at: 1) }
        expectFailure(.range) { try collection.insert(outer, at: -1) }
        let placeholder = Placeholder()
        try collection.append(placeholder)
        _ = found.take()
        expectFailure(.misuse, naming: "placeholder") { try collection.append(placeholder) }
        expectFailure(.misuse, naming: "placeholder") { try outer.append(placeholder) }
        let elsewhere = try makeSearchStore()
        let closed = try makeList(elsewhere, "people", "name")
        try elsewhere.close()
        expectFailure(.closed) { try collection.append(closed) }
        expectFailure(.closed) { try collection.replace(at: 0, with: closed) }
        #expect(collection.numberOfChildren == 2)
        #expect(found.take() == [])
        #expect(found.faults == [])
    }

    @Test func aChildMayTakeItsOwnPlaceAgain() throws {
        let store = try makeSearchStore()
        let people = try makeList(store, "people", "name")
        let found = try CollectionWatch([people])
        try found.collection.replace(at: 0, with: people, emptySection: Placeholder(name: "Nobody"))
        #expect(found.faults == [])
        try store.execute("DELETE FROM people WHERE id = 1")
        #expect(found.take().last == "delete 1 at 0.0")
    }

    @Test func childrenMayChangeInsideACallback() throws {
        let store = try makeSearchStore()
        let people = try makeList(store, "people", "name")
        let files = try makeList(store, "files", "name")
        let found = try CollectionWatch([people])
        found.recorder.willChange = { _ in
            found.recorder.willChange = { _ in }
            try? found.collection.insert(files, at: 0)
            #expect(found.collection.numberOfChildren == 2)
            #expect((try? found.collection.numberOfSections) == 1)
        }
        try store.execute("DELETE FROM people WHERE id = 1")
        #expect(
            found.take() == ["delete 1 at 0.0", "section insert 0 -", "insert 1 at 0.0", "insert 2 at 0.1"])
        #expect(found.faults == [])
    }

    @Test func aFetchInTheSameCallbackShowsInsertedAndRemovedChildrenOnce() throws {
        let store = try makeSearchStore()
        let people = try makeList(store, "people", "name")
        let files = try makeList(store, "files", "name")
        let found = try FetchedResultsCollection([people, files])
        try found.performFetch()
        let recorder = Recorder()
        people.addObserver(recorder)
        recorder.didChange = { _ in
            recorder.didChange = { _ in }
            try? found.insert(Placeholder(name: "between"), at: 1)
            try? found.remove(people)
            try? found.performFetch()
            try? found.append(Placeholder(name: "last"))
        }
        try store.execute("DELETE FROM people WHERE id = 1")
        #expect(try (0..<found.numberOfSections).map { try found.section(at: $0).name } == ["between", nil, "last"])
        #expect(try found.numberOfObjects == files.numberOfObjects)
        // The removed list is not a child any more, and may be one again.
        #expect(found.index(of: people) == nil)
        try found.insert(people, at: 0)
        #expect(try found.numberOfSections == 4)
        try store.execute("DELETE FROM people")
        #expect(try found.numberOfObjects == files.numberOfObjects)
    }

    /// Changes of a collection of a list of people and an empty, sectioned list of files.
    private static let changes: [String: @Sendable (FetchedResultsCollection, Store) throws -> Void] = [
        "insert": { found, store in try found.insert(makeList(store, "messages", "sender"), at: 1) },
        "insert placeholder": { found, _ in try found.insert(Placeholder(name: "between"), at: 1) },
        "remove": { found, _ in try found.remove(at: 0) },
        "replace": { found, store in try found.replace(at: 0, with: makeList(store, "messages", "sender")) },
        "empty lists": { found, _ in try found.setShowsEmptyLists(true) },
        "rename": { found, _ in try found.placeholder(at: 2)?.name = "other" },
        "round": { _, store in try store.execute("DELETE FROM people WHERE id = 1") },
        "round of two": { _, store in
            try store.transaction {
                try store.execute("DELETE FROM people WHERE id = 1")
                try store.execute("INSERT INTO files VALUES (1, 'notes')")
            }
        },
    ]
    /// What a callback does to a collection that is about to change.
    private static let callbacks: [String: @Sendable (FetchedResultsCollection) throws -> Void] = [
        "fetch": { try $0.performFetch() },
        "remove and fetch": { found in
            try found.remove(at: 0)
            try found.performFetch()
        },
        "remove": { try $0.remove(at: 0) },
        "fetch a child": { try $0.list(at: 0)?.performFetch() },
    ]

    @Test(arguments: changes.keys.sorted(), callbacks.keys.sorted())
    func aCollectionThatIsAboutToChangeMayBeFetched(_ change: String, _ callback: String) throws {
        let store = try makeSearchStore()
        try store.execute("DELETE FROM files")
        let collection = try FetchedResultsCollection([
            makeList(store, "people", "name"), makeList(store, "files", "name", section: "name"),
        ])
        try collection.append(Placeholder(name: "end"))
        let found = try CollectionWatch(collection)
        var open = 0
        var callback = Self.callbacks[callback]
        found.recorder.willChange = { _ in
            open += 1
            defer { callback = nil }
            try? callback?(collection)
        }
        found.recorder.didChange = { _ in open -= 1 }
        try Self.changes[change]?(collection, store)
        #expect(open == 0)
        #expect(found.recorder.deliveries.allSatisfy { $0.changeSet.isReload || !$0.changeSet.isEmpty })
        #expect(found.faults == [])
        // It follows its children, each once.
        try store.execute("INSERT INTO people VALUES (9, 'Zoe')")
        try store.execute("INSERT INTO files VALUES (9, 'zeta')")
        #expect(found.faults == [])
        let counts = try (0..<collection.numberOfChildren).compactMap { try collection.list(at: $0)?.numberOfObjects }
        #expect(try collection.numberOfObjects == counts.reduce(0, +))
    }

    @Test func aStoreOfAChildMayBeClosed() throws {
        let first = try makeSearchStore()
        let second = try makeSearchStore()
        let found = try CollectionWatch([makeList(first, "people", "name"), makeList(second, "people", "name")])
        try second.close()
        try first.execute("DELETE FROM people WHERE id = 1")
        #expect(found.take() == ["delete 1 at 0.0"])
        #expect(try found.collection.numberOfSections == 2)
        expectFailure(.closed) { _ = try found.collection.object(at: ListIndexPath(section: 1, row: 0)) }
        expectFailure(.closed) { try found.collection.performFetch() }
        #expect(try found.collection.object(at: ListIndexPath(section: 0, row: 0))["name"] == "Ben")
        try found.collection.remove(at: 1)
        #expect(try found.collection.numberOfSections == 1)
    }
}
