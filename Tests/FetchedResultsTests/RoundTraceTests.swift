import FetchedResults
import TestSupport
import Testing

/// What a store's trace receives.
@Suite struct RoundTraces {
    let store: Store

    init() throws {
        store = try Store(path: ":memory:")
        try store.executeScript(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, kind INTEGER);
            CREATE TABLE kinds (id INTEGER PRIMARY KEY, isShown INTEGER);
            INSERT INTO items VALUES (1, 'tea', 1), (2, 'bread', 1), (3, 'milk', 2);
            INSERT INTO kinds VALUES (1, 1), (2, 0);
            """)
    }

    /// Traces until the function ends; returns the rounds.
    private func rounds(_ body: () throws -> Void) rethrows -> [RoundTrace] {
        var rounds: [RoundTrace] = []
        store.trace = { rounds.append($0) }
        defer { store.trace = nil }
        try body()
        return rounds
    }

    @Test func aRoundHasItsListsWithTheStatementsThatWereRun() throws {
        let items = try Watch(store, "items", sort: ["name"])
        let rounds = try rounds { try store.execute("UPDATE items SET name = 'cocoa' WHERE id = 1") }
        #expect(rounds.count == 1)
        let round = try #require(rounds.first)
        #expect(round.origin == .store)
        let list = try #require(round.lists.first)
        #expect(round.lists.count == 1 && list.list === items.controller && list.entity == "items")
        #expect(list.reread == nil && list.rowsRead == 1 && list.records == 1)
        #expect(list.statements.map(\.runs) == [1] && list.statements.map(\.rows) == [1])
        #expect(list.statements[0].sql.contains("`items`"))
        #expect(list.statements[0].time <= list.reading && list.reading == round.times.reading)
        #expect(list.building == round.times.building && round.times.capturing > 0 && round.times.notifying > 0)
        let lines = "\(round)".split(separator: "\n")
        #expect(lines.count == 3 && lines[0].hasPrefix("round (store): capturing "))
        #expect(lines[1].hasPrefix("  items: touched rows, 1 row read, 1 record, reading "))
        #expect(lines[2].hasSuffix(", 1 run: \(list.statements[0].sql)"))
    }

    @Test func aListThatIsReadAsAWholeHasTheReason() throws {
        let request = FetchRequest(
            entity: "items", predicate: "kind IN (SELECT id FROM kinds WHERE isShown)", sorts: [Sort("name")])
        let items = try FetchedResultsController(store: store, request: request)
        try items.performFetch()
        let rounds = try rounds { try store.execute("UPDATE kinds SET isShown = 1") }
        #expect(rounds.map(\.lists.count) == [1])
        #expect(rounds[0].lists[0].reread == .related && rounds[0].lists[0].records == 1)
        #expect("\(rounds[0])".contains("  items: whole list (related), 3 rows read, 1 record, "))
    }

    @Test func aTransactionIsOneRoundAndAnUnwatchedTableNone() throws {
        let items = try Watch(store, "items")
        let rounds = try rounds {
            try store.execute("INSERT INTO kinds VALUES (3, 1)")
            try store.transaction {
                try store.execute("INSERT INTO items VALUES (4, 'salt', 1)")
                try store.execute("DELETE FROM items WHERE id = 1")
            }
            #expect(throws: StoreError.self) {
                try store.transaction {
                    try store.execute("DELETE FROM items")
                    throw StoreError(.misuse, "rolled back")
                }
            }
        }
        #expect(rounds.filter { !$0.lists.isEmpty }.map { $0.lists[0].records } == [2])
        withExtendedLifetime(items) {}
    }

    /// What the trace writes is delivered after the round, and traced.
    @Test func theTraceMayWrite() throws {
        let items = try Watch(store, "items")
        var records: [Int] = []
        store.trace = { [store] round in
            records.append(round.lists.first?.records ?? 0)
            #expect(try! store.isDelivering)
            if records.count == 1 { try! store.execute("DELETE FROM items WHERE id < 3") }
        }
        try store.execute("DELETE FROM items WHERE id = 3")
        #expect(records == [1, 2])
        #expect(try items.controller.numberOfObjects == 0)
        store.trace = nil
    }

    @Test func aCallbackMayCloseTheStoreOrEndTheTrace() throws {
        let items = try Watch(store, "items")
        var count = 0
        store.trace = { [store] _ in
            count += 1
            store.trace = nil
        }
        try store.execute("DELETE FROM items WHERE id = 1")
        try store.execute("DELETE FROM items WHERE id = 2")
        #expect(count == 1)
        store.trace = { _ in count += 1 }
        items.recorder.didChange = { [store] _ in _ = try? store.close() }
        _ = try? store.execute("DELETE FROM items WHERE id = 3")
        #expect(count == 1 && store.trace == nil)
    }

    @Test(arguments: ["wal", "delete"]) func commitsOfOthersAreTraced(journalMode: String) throws {
        let file = TemporaryFile()
        var options = StoreOptions()
        options.journalMode = journalMode
        let store = try Store(path: file.path, options: options)
        try store.executeScript("CREATE TABLE items (id INTEGER PRIMARY KEY); INSERT INTO items VALUES (1)")
        let items = try Watch(store, "items")
        let other = try Store(path: file.path, options: options)
        var rounds: [RoundTrace] = []
        store.trace = { rounds.append($0) }
        try other.execute("INSERT INTO items VALUES (2)")
        try store.dispatch()
        #expect(rounds.map(\.origin) == [.foreign])
        #expect(rounds[0].times.finding > 0 && rounds[0].times.capturing == 0)
        #expect(rounds[0].lists[0].reread == (journalMode == "wal" ? nil : .foreign))
        #expect(try items.controller.numberOfObjects == 2)
    }
}
