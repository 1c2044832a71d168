import FetchedResultsAsync
import TestSupport
import Testing

/// Lists as asynchronous sequences.
@Suite struct StreamTests {
    /// Stores and lists are not Sendable: an actor has them.
    private actor Owner {
        let store: Store
        private var list: FetchedResultsController?

        init() throws { store = try itemStore() }

        private func shownList() throws -> FetchedResultsController {
            if let list { return list }
            let list = try itemList(store)
            self.list = list
            return list
        }

        func changes() throws -> ListStream<ChangeSet> { try shownList().changes }
        func mergedChanges() throws -> ListStream<ChangeSet> { try shownList().mergedChanges }
        func failures() throws -> ListStream<StoreError> { try shownList().failures }
        func snapshots() throws -> ListStream<ChangesSnapshot> { try shownList().changes { $0.snapshot() } }
        func execute(_ sql: String) throws { try store.execute(sql) }
        func refetch() throws { try list?.performFetch() }
        func releaseList() { list = nil }
        func close() throws { try store.close() }
        /// The number of an observer counts all that the list had before.
        func observerCount() throws -> Int {
            let list = try shownList()
            let number = list.addObserver(Recorder())
            list.removeObserver(number)
            return (1..<number).filter { list.hasObserver($0) }.count
        }

        /// Changes and follows in one place.
        func names(after sql: String) async throws -> [String?] {
            let changes = try shownList().changes { ($0, $0.changeSet.objectChanges.count).1 }
            try store.execute(sql)
            var counts = 0
            for await count in changes {
                counts += count
                break
            }
            #expect(counts == 1)
            return try shownList().objects.map { try $0.get()["name"]?.text }
        }
    }

    @Test func anActorFollowsItsOwnList() async throws {
        let owner = try Owner()
        #expect(try await owner.names(after: "INSERT INTO items VALUES (3, 'elm')") == ["ant", "elm", "oak"])
    }

    @Test func changeSetsWaitInTheirOrderUntilTheStoreIsClosed() async throws {
        let owner = try Owner()
        let changes = try await owner.changes()
        for id in 3...60 { try await owner.execute("INSERT INTO items VALUES (\(id), 'z')") }
        try await owner.close()
        var rows = [ReplayedSection(0, [Int64(2), 1])]
        for await change in changes {
            rows = try change.applied(to: rows) { _, section in
                section ?? 0
            } row: { change, _ in
                change.id
            }
        }
        #expect(rows.first?.rows.count == 60)
    }

    @Test func aTaskWaitsForChanges() async throws {
        let owner = try Owner()
        let snapshots = try await owner.snapshots()
        let names = Task {
            var names: [String?] = []
            for await snapshot in snapshots { names += snapshot.objects.map { $0.object?["name"]?.text } }
            return names
        }
        for name in ["elm", "fir", "yew"] {
            try await owner.execute("INSERT INTO items (name) VALUES ('\(name)')")
            await Task.yield()
        }
        await owner.releaseList()
        #expect(await names.value == ["elm", "fir", "yew"])
    }

    @Test func aListThatIsReleasedEndsTheStream() async throws {
        let store = try itemStore()
        let changes = try itemList(store).changes
        for await _ in changes { Issue.record("nothing has changed") }
    }

    @Test func cancellingTheTaskEndsTheStream() async throws {
        let owner = try Owner()
        let changes = try await owner.changes()
        let task = Task {
            var count = 0
            for await _ in changes { count += 1 }
            return count
        }
        task.cancel()
        #expect(await task.value == 0)
        #expect(try await owner.observerCount() == 1)
        try await owner.execute("DELETE FROM items")
        #expect(try await owner.observerCount() == 0)
        for await _ in changes { Issue.record("the stream has ended") }
    }

    @Test func aStreamThatNobodyUsesIsRemovedWithTheNextDelivery() async throws {
        let owner = try Owner()
        _ = try await owner.changes()
        #expect(try await owner.observerCount() == 1)
        try await owner.execute("DELETE FROM items")
        #expect(try await owner.observerCount() == 0)
    }

    @Test func mergedChangesWaitAsOne() async throws {
        let owner = try Owner()
        let changes = try await owner.mergedChanges()
        var iterator = changes.makeAsyncIterator()
        try await owner.execute("INSERT INTO items VALUES (3, 'elm')")
        try await owner.execute("UPDATE items SET name = 'zoo' WHERE id = 2")
        try await owner.execute("DELETE FROM items WHERE id = 3")
        let sum = try #require(await iterator.next())
        #expect(sum.objectChanges.map(\.type) == [.move])
        // What was taken is not merged.
        try await owner.execute("DELETE FROM items WHERE id = 1")
        #expect(await iterator.next()?.objectChanges.map(\.type) == [.delete])
        // A fetch between two change sets.
        try await owner.execute("INSERT INTO items VALUES (5, 'elm')")
        try await owner.refetch()
        try await owner.execute("INSERT INTO items VALUES (6, 'elm')")
        #expect(await iterator.next()?.isReload == true)
        try await owner.close()
        #expect(await iterator.next() == nil)
    }

    @Test func failuresDoNotEndTheirStream() async throws {
        let owner = try Owner()
        let failures = try await owner.failures()
        var iterator = failures.makeAsyncIterator()
        try await owner.execute("ALTER TABLE items RENAME TO others")
        #expect(await iterator.next()?.status == .schema)
        try await owner.close()
        #expect(await iterator.next() == nil)
    }

    @Test func twoTasksShareTheElements() async throws {
        let owner = try Owner()
        let changes = try await owner.changes()
        let counts = (0..<2).map { _ in
            Task {
                var count = 0
                for await _ in changes { count += 1 }
                return count
            }
        }
        for id in 10..<110 { try await owner.execute("INSERT INTO items VALUES (\(id), 'z')") }
        try await owner.close()
        var sum = 0
        for count in counts { sum += await count.value }
        #expect(sum == 100)
    }
}
