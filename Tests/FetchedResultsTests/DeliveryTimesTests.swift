import FetchedResults
import SQLiteKit
import TestSupport
import Testing

/// How long rounds take, in stores that measure that.
@Suite struct RoundTimes {
    /// Each way to a round: of a statement, of a transaction, of another connection, of a write in
    /// a callback.
    @Test(arguments: ["wal", "delete"]) func eachRoundIsMeasuredOnce(journalMode: String) throws {
        let file = TemporaryFile()
        var options = StoreOptions()
        options.journalMode = journalMode
        let store = try Store(path: file.path, options: options)
        try store.executeScript("CREATE TABLE items (id INTEGER PRIMARY KEY); INSERT INTO items VALUES (1)")
        let other = try Store(path: file.path, options: options)
        let items = try Watch(store, "items")
        try store.execute("INSERT INTO items VALUES (2)")
        #expect(store.deliveryTimes.rounds == 0)
        store.measuresDeliveries = true
        try store.execute("INSERT INTO items VALUES (3)")
        #expect(store.deliveryTimes.rounds == 1)
        let last = store.deliveryTimes.last
        #expect(last.capturing > 0 && last.reading > 0 && last.building > 0 && last.notifying > 0)
        try store.transaction { try store.execute("INSERT INTO items VALUES (4)") }
        #expect(store.deliveryTimes.rounds == 2)
        try other.execute("INSERT INTO items VALUES (5)")
        try store.dispatch()
        #expect(store.deliveryTimes.rounds == 3 && store.deliveryTimes.last.finding > 0)
        #expect(store.deliveryTimes.last.capturing == 0)
        items.recorder.didChange = { [recorder = items.recorder] _ in
            recorder.didChange = { _ in }
            #expect(throws: Never.self) { try store.execute("INSERT INTO items VALUES (6)") }
        }
        try store.execute("INSERT INTO items VALUES (7)")
        #expect(store.deliveryTimes.rounds == 5)
        // A commit that fails is no round.
        try store.execute("CREATE TABLE parts (item REFERENCES items (id) DEFERRABLE INITIALLY DEFERRED)")
        let rounds = store.deliveryTimes.rounds
        #expect(throws: StoreError.self) {
            try store.transaction {
                try store.execute("INSERT INTO items VALUES (8)")
                try store.execute("INSERT INTO parts VALUES (99)")
            }
        }
        #expect(store.deliveryTimes.rounds <= rounds + 1)
        store.measuresDeliveries = false
        let times = store.deliveryTimes
        try store.execute("DELETE FROM items")
        #expect(store.deliveryTimes.rounds == times.rounds)
        #expect(times.total.notifying >= times.last.notifying && times.total.building > times.last.building)
    }
}
