import FetchedResults
import TestSupport
import Testing

@Suite struct CollectionNestingTests {
    private func nested(_ levels: Int) throws -> [FetchedResultsCollection] {
        var collections = [try FetchedResultsCollection()]
        while collections.count < levels {
            collections.append(try FetchedResultsCollection([collections[collections.count - 1]]))
        }
        return collections
    }

    @Test func deepestIsTheLimit() throws {
        let limit = FetchedResultsCollection.nestingLimit
        let collections = try nested(limit)
        #expect(throws: StoreError.self) { try FetchedResultsCollection([collections[limit - 1]]) }
        #expect(throws: StoreError.self) { try collections[0].append(try FetchedResultsCollection()) }
        #expect(collections[0].numberOfChildren == 0)
        try collections[1].append(try FetchedResultsCollection())
        try collections[limit - 1].performFetch()
        #expect(try collections[limit - 1].numberOfSections == 0)
    }

    /// Two ways to each level: there are 2^49 ways down, none of which is walked twice.
    @Test func manyWaysToOneCollection() throws {
        let deepest = try FetchedResultsCollection()
        var outermost = deepest
        for _ in 0..<49 {
            let sides = try (0..<2).map { _ in try FetchedResultsCollection([outermost]) }
            outermost = try FetchedResultsCollection(sides)
        }
        expectFailure(.misuse) { try deepest.append(outermost) }
        try deepest.append(FetchedResultsCollection())
    }

    /// Before: a collection with a list of each of as many stores as it can show. Change: one more.
    /// Expected: it can't be fetched, in neither way, and still shows what it showed.
    @Test func moreStoresThanTheLimitAreRefused() throws {
        let limit = FetchedResultsCollection.storeLimit
        let lists = try (0...limit).map { number in
            let store = try makeStore(
                "CREATE TABLE items (id INTEGER PRIMARY KEY); INSERT INTO items VALUES (\(number))")
            return try FetchedResultsController(store: store, request: FetchRequest(entity: "items"))
        }
        let collection = try FetchedResultsCollection(lists.dropLast())
        try collection.performFetch()
        #expect(try collection.numberOfObjects == limit)
        try collection.append(lists[limit])
        expectFailure(.range, naming: "\(limit) stores") { try collection.performFetch() }
        #expect(try collection.numberOfObjects == limit + 1)
    }

    /// A refused list has no trace of the collection that refused it.
    @Test func refusedChildCanGoElsewhere() throws {
        let collections = try nested(FetchedResultsCollection.nestingLimit)
        let other = try nested(2)
        #expect(throws: StoreError.self) { try collections[0].append(other[1]) }
        #expect(throws: StoreError.self) { try collections[1].append(other[1]) }
        try collections[2].append(other[1])
        #expect(collections[2].numberOfChildren == 2)
    }

    @Test func fetchingAnInnerCollectionHasTheOuterOneReload() throws {
        let store = try makeSearchStore()
        let people = try makeList(store, "people", "name")
        let inner = try CollectionWatch([people])
        let outer = try CollectionWatch([inner.collection])
        try inner.collection.performFetch()
        #expect(inner.recorder.events == [])
        #expect(outer.recorder.events == ["will", "reload", "did"])
        try people.performFetch()
        #expect(inner.recorder.events == ["will", "reload", "did"])
        #expect(outer.recorder.deliveries.count == 2)
        #expect(inner.faults + outer.faults == [])
    }

    /// Before: two collections of the same list, and an outer one of the first and the list.
    /// Change: the second is fetched in a transaction, or in a callback, and so shows an insertion
    /// that is not delivered. Expected: so do the others, by one reload, and they follow.
    @Test(arguments: [false, true])
    func fetchingACollectionHasOthersReloadThatShowItsLists(isInCallback: Bool) throws {
        let store = try makeSearchStore()
        let people = try makeList(store, "people", "name")
        let first = try CollectionWatch([makeList(store, "files", "name"), people])
        let second = try CollectionWatch([people])
        let outer = try CollectionWatch([people, first.collection])
        func fetch() throws {
            try store.execute("INSERT INTO people VALUES (7, 'Abe')")
            try second.collection.performFetch()
            for collection in [first.collection, second.collection, outer.collection] {
                let counts = try (0..<collection.numberOfChildren).map { try collection.list(at: $0)?.numberOfObjects }
                #expect(try collection.numberOfObjects == counts.compactMap(\.self).reduce(0, +))
            }
        }
        if isInCallback {
            let messages = try Watch(store, "messages")
            messages.recorder.didChange = { _ in
                messages.recorder.didChange = { _ in }
                #expect(throws: Never.self) { try fetch() }
            }
            try store.execute("DELETE FROM messages")
        } else {
            try store.transaction { try fetch() }
        }
        for watch in [first, outer] {
            #expect(watch.recorder.events.prefix(3) == ["will", "reload", "did"])
            #expect(try watch.mirror == watch.rows)
        }
        try store.execute("DELETE FROM people WHERE id = 1")
        #expect(second.recorder.deliveries.last?.changeSet.isReload == false)
        for watch in [first, outer] { #expect(try watch.mirror == watch.rows) }
        #expect(first.faults == [])
    }

    /// Once by itself, and once in another collection.
    @Test func aListThatACollectionShowsTwiceIsReportedTwiceInOneBracket() throws {
        let store = try makeSearchStore()
        let people = try makeList(store, "people", "name")
        let inner = try CollectionWatch([people, makeList(store, "files", "name")])
        let outer = try CollectionWatch([people, inner.collection])
        try store.execute("DELETE FROM people WHERE id = 1")
        #expect(outer.recorder.events.filter { $0 == "will" || $0 == "did" } == ["will", "did"])
        #expect(outer.take() == ["delete 1 at 1.0", "delete 1 at 0.0"])
        #expect(inner.take() == ["delete 1 at 0.0"])
        #expect(inner.faults == [])
        #expect(try outer.mirror == outer.rows)
    }
}
