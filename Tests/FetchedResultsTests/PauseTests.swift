import ChangeSets
import SQLiteKit
import Testing

@testable import FetchedResults

/// Lists that hold their changes back, and catch up.
@Suite struct Pauses {
    private let script =
        """
        CREATE TABLE kinds (id INTEGER PRIMARY KEY);
        CREATE TABLE items (id INTEGER PRIMARY KEY, kind REFERENCES kinds);
        INSERT INTO kinds VALUES (1), (2);
        INSERT INTO items VALUES (1, 1), (2, 2);
        """

    private func makeMap(_ store: Store) throws -> (SectionMap, Recorder) {
        let map = try SectionMap(
            store: store, items: FetchRequest(entity: "items"), sections: FetchRequest(entity: "kinds"), itemKey: "kind")
        let recorder = Recorder()
        map.addObserver(recorder)
        try map.performFetch()
        return (map, recorder)
    }

    private enum Step: CaseIterable {
        case pause, resume, disable, enable, write
    }

    /// Each order of four steps: nothing comes as long as the map is paused or disabled, and all that was missed
    /// comes when it is neither, as a reload if it was disabled meanwhile.
    @Test func pausedAndDisabledEachHoldChangesBack() throws {
        let store = try makeStore(script)
        let (map, recorder) = try makeMap(store)
        var next: Int64 = 10
        for number in 0..<625 {
            var (isPaused, isDisabled, hasMissed, wantsReload) = (false, false, false, false)
            var rest = number
            for _ in 0..<4 {
                let step = Step.allCases[rest % 5]
                rest /= 5
                let wasHeld = isPaused || isDisabled
                switch step {
                case .pause:
                    map.setPaused()
                    isPaused = true
                case .resume:
                    try map.resume()
                    isPaused = false
                case .disable:
                    try map.setDisabled(true)
                    isDisabled = true
                case .enable:
                    try map.setDisabled(false)
                    wantsReload = wantsReload || isDisabled
                    isDisabled = false
                case .write:
                    try store.execute("INSERT INTO items VALUES (?, 2)", [.integer(next)])
                    next += 1
                    hasMissed = true
                }
                #expect(map.isPaused == isPaused && map.isDisabled == isDisabled)
                let changes = recorder.deliveries.map(\.changeSet)
                _ = recorder.take()
                if isPaused || isDisabled || !(wasHeld || step == .write) {
                    #expect(changes.isEmpty, "\(number), \(step)")
                    continue
                }
                #expect(changes.count == (hasMissed || wantsReload ? 1 : 0), "\(number), \(step)")
                #expect(changes.allSatisfy { $0.isReload == wantsReload }, "\(number), \(step)")
                (hasMissed, wantsReload) = (false, false)
            }
            map.setPaused()
            try map.setDisabled(true)
            try map.setDisabled(false)
            try map.resume()
            if number % 25 == 0 { try store.execute("DELETE FROM items WHERE id > 2") }
            _ = recorder.take()
        }
    }

    @Test func aReloadIsACallbackOfItsOwn() throws {
        let store = try makeStore(script)
        let items = try Watch(store, "items")
        let collection = try FetchedResultsCollection([items.controller])
        let recorder = Recorder()
        collection.addObserver(recorder)
        try collection.performFetch()
        items.controller.setPaused()
        try items.controller.resume(reload: true)
        #expect(items.recorder.events == ["will", "reload", "did"])
        #expect(recorder.events == ["will", "reload", "did"])
    }

    @Test func aListThatStillCanNotBeReadReportsThatAgain() throws {
        let store = try makeStore(script)
        let items = try Watch(store, "items")
        let (map, recorder) = try makeMap(store)
        try store.execute("PRAGMA foreign_keys = OFF")
        try store.execute("ALTER TABLE items RENAME TO away")
        #expect(items.recorder.errors.count == 1)
        #expect(recorder.errors.count == 1)
        for reload in [false, true] {
            items.controller.setPaused()
            try items.controller.resume(reload: reload)
            #expect(items.recorder.errors.count == (reload ? 3 : 2))
        }
        try map.setDisabled(true)
        try map.setDisabled(false)
        #expect(recorder.errors.count == 2)
        try store.execute("INSERT INTO away VALUES (3, 1)")
        #expect(items.recorder.errors.count == 3)
        try store.execute("ALTER TABLE away RENAME TO items")
        #expect(items.take() == ["insert 3 at 0.2"])
        #expect(try map.values("id") == [[1, 3], [2]])
    }

    @Test func aConnectionServesOneStore() throws {
        let store = try makeStore(script)
        let handle = try store.sqliteHandle
        expectFailure(.misuse, naming: "another store") { _ = try Store(adopting: handle, queuesDelivery: false) }
        try store.execute("INSERT INTO items VALUES (5, 1)")
        try store.close()
    }
}
