import ChangeSets
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults
@testable import ListEngine

/// Windows on a list.
@Suite struct ListWindows {
    /// Names from a to z, with ids from 1, and their kinds: 1 for a to m, 2 for the others.
    private func makeLetters(section: String? = nil) throws -> (Store, Watch) {
        let store = try makeStore("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, kind INT)")
        for (index, letter) in "abcdefghijklmnopqrstuvwxyz".enumerated() {
            try store.execute(
                "INSERT INTO items VALUES (?, ?, ?)",
                [.integer(Int64(index + 1)), .text("\(letter)"), .integer(index < 13 ? 1 : 2)])
        }
        return (store, try Watch(store, "items", sort: ["name"], section: section))
    }

    private func open(_ watch: Watch, at start: WindowStart, before: Int, after: Int) throws -> (ListWindow, Recorder) {
        let window = try watch.controller.window(at: start, before: before, after: after)
        let recorder = Recorder()
        window.addObserver(recorder)
        return (window, recorder)
    }

    private func names(_ window: ListWindow) throws -> String {
        try window.values("name").map { $0.map { $0.text ?? "-" }.joined() }.joined(separator: "|")
    }

    // MARK: Opening

    @Test func windowShowsTheRowsAroundARow() throws {
        let (_, watch) = try makeLetters()
        let (window, _) = try open(watch, at: .index(10), before: 2, after: 3)
        #expect(try names(window) == "ijklmn")
        #expect(try window.position == 8)
        #expect(try window.anchor == ListIndexPath(section: 0, row: 2))
    }

    @Test(arguments: [
        (WindowStart.beginning, "abc"), (.end, "yz"), (.index(3), "cdef"),
        (.path(ListIndexPath(section: 1, row: 0)), "m|nop"),
        (.identity([.integer(5)]), "defg"), (.section("2"), "m|nop"),
    ]) func windowOpensAtEachKindOfPlace(start: WindowStart, expected: String) throws {
        let (_, watch) = try makeLetters(section: "kind")
        #expect(try names(try watch.controller.window(at: start, before: 1, after: 2)) == expected)
    }

    @Test func placesThatTheListDoesNotHaveAreRefused() throws {
        let (_, watch) = try makeLetters(section: "kind")
        let list = watch.controller
        expectFailure(.range, naming: "26") { _ = try list.window(at: .index(26), after: 1) }
        expectFailure(.range) { _ = try list.window(at: .path(ListIndexPath(section: 2, row: 0)), after: 1) }
        expectFailure(.notFound, naming: "99") { _ = try list.window(at: .identity([.integer(99)]), after: 1) }
        expectFailure(.notFound, naming: "3") { _ = try list.window(at: .section("3"), after: 1) }
        expectFailure(.range, naming: "-1") { _ = try list.window(before: -1, after: 1) }
        let other = try FetchedResultsController(store: list.store, request: list.request)
        expectFailure(.notFetched) { _ = try other.window(after: 1) }
    }

    @Test func rowsThatSeveralWindowsShowAreReadOnce() throws {
        let (store, watch) = try makeLetters()
        let (first, _) = try open(watch, at: .index(10), before: 2, after: 3)
        let (second, _) = try open(watch, at: .index(11), before: 2, after: 3)
        #expect(try names(first) == "ijklmn")
        let before = watch.controller.counters.rowsRead
        #expect(try names(second) == "jklmno")
        // The list reads 20 rows together.
        #expect(watch.controller.counters.rowsRead - before <= 20)
        let between = watch.controller.counters.rowsRead
        try store.execute("UPDATE items SET name = 'l2' WHERE id = 12")
        #expect(try names(first) == "ijkl2mn")
        #expect(try names(second) == "jkl2mno")
        #expect(watch.controller.counters.rowsRead - between == 1)
    }

    @Test func windowHasTheSectionsOfItsRows() throws {
        let (_, watch) = try makeLetters(section: "kind")
        let (window, _) = try open(watch, at: .index(12), before: 1, after: 2)
        #expect(try names(window) == "lm|no")
        #expect(try window.sectionNames == ["1", "2"])
        #expect(try window.section(at: 1).numberOfObjects == 2)
        #expect(try window.indexPath(ofIdentity: [.integer(14)]) == ListIndexPath(section: 1, row: 0))
        #expect(try window.indexPath(ofIdentity: [.integer(1)]) == nil)
        #expect(try window.sectionIndexTitles == ["1", "2"])
        #expect(try window.section(forIndexTitle: "2", at: 1) == 1)
    }

    // MARK: Following

    @Test func changesElsewhereAreNotReported() throws {
        let (store, watch) = try makeLetters()
        let (window, recorder) = try open(watch, at: .index(10), before: 1, after: 1)
        try store.executeScript(
            """
            INSERT INTO items VALUES (100, 'aa', 1);
            DELETE FROM items WHERE name = 'y';
            UPDATE items SET name = 'zz' WHERE name = 'c';
            """)
        #expect(recorder.events.isEmpty)
        #expect(try names(window) == "jkl")
        #expect(try window.position == 9)
        try store.execute("DELETE FROM items WHERE name = 'a'")
        #expect(try window.position == 8)
    }

    @Test func changesBetweenItsRowsAreExact() throws {
        let (store, watch) = try makeLetters()
        let (window, recorder) = try open(watch, at: .index(10), before: 2, after: 2)
        try store.execute("INSERT INTO items VALUES (100, 'kk', 1)")
        #expect(recorder.take() == ["delete 13 at 0.4", "insert 100 at 0.3"])
        #expect(try names(window) == "ijkkkl")
        try store.execute("DELETE FROM items WHERE name = 'i'")
        #expect(recorder.take() == ["delete 9 at 0.0", "insert 8 at 0.0"])
        try store.execute("UPDATE items SET kind = 5 WHERE name = 'j'")
        #expect(recorder.take() == ["update 10 from 0.1 to 0.1 kind"])
        try store.execute("UPDATE items SET name = 'lz' WHERE name = 'j'")
        #expect(recorder.take() == ["delete 10 at 0.1", "insert 7 at 0.0"])
        #expect(try names(window) == "ghkkkl")
    }

    @Test func rowThatMovesBetweenItsRowsIsAMove() throws {
        let (store, watch) = try makeLetters()
        let (window, recorder) = try open(watch, at: .index(10), before: 2, after: 2)
        try store.execute("UPDATE items SET name = 'lz' WHERE name = 'j'")
        #expect(recorder.take() == ["delete 13 at 0.4", "insert 8 at 0.0", "move 10 from 0.1 to 0.4 name"])
        #expect(try names(window) == "hikllz")
    }

    @Test func movedAnchorTakesTheWindowWithIt() throws {
        let (store, watch) = try makeLetters()
        let (window, recorder) = try open(watch, at: .index(1), before: 1, after: 1)
        try store.execute("UPDATE items SET name = 'yy' WHERE name = 'b'")
        #expect(try names(window) == "yyyz")
        #expect(try window.position == 23)
        #expect(recorder.deliveries.first?.windowPlace?.isAnchorReplaced == false)
    }

    @Test func neighbourOfADeletedAnchorReplacesIt() throws {
        let (store, watch) = try makeLetters()
        let (window, recorder) = try open(watch, at: .index(10), before: 1, after: 1)
        try store.execute("DELETE FROM items WHERE name IN ('k', 'l')")
        #expect(try names(window) == "jmn")
        #expect(recorder.deliveries.first?.windowPlace == WindowPlace(position: 9, anchor: 1, isAnchorReplaced: true))
        #expect(recorder.take() == ["delete 12 at 0.2", "delete 11 at 0.1", "insert 13 at 0.1", "insert 14 at 0.2"])
        let (last, _) = try open(watch, at: .end, before: 1, after: 1)
        try store.execute("DELETE FROM items WHERE name = 'z'")
        #expect(try names(last) == "xy")
    }

    @Test func windowOfAListWithoutRowsFillsWhenRowsArrive() throws {
        let (store, watch) = try makeLetters()
        let (window, recorder) = try open(watch, at: .index(10), before: 1, after: 1)
        try store.execute("DELETE FROM items")
        #expect(try names(window) == "")
        #expect(try window.anchor == nil)
        #expect(recorder.deliveries.last?.windowPlace == WindowPlace(position: 0, anchor: nil, isAnchorReplaced: true))
        _ = recorder.take()
        try store.execute("INSERT INTO items VALUES (1, 'a', 1), (2, 'b', 1), (3, 'c', 1)")
        #expect(recorder.take() == ["insert 1 at 0.0", "insert 2 at 0.1"])
        #expect(try names(window) == "ab")
    }

    @Test func windowsOfManyLengthsFollowTheirRows() throws {
        let (store, watch) = try makeLetters()
        let windows = try (0..<26).map { try open(watch, at: .index($0), before: $0 % 4, after: 25 - $0).0 }
        try store.execute("UPDATE items SET name = 'mm' WHERE id % 3 = 0")
        try store.execute("DELETE FROM items WHERE id % 5 = 0")
        let list = try watch.controller.objects.map { try $0.get()["name"]?.text ?? "" }
        for window in windows {
            let position = try window.position
            let count = try window.numberOfObjects
            #expect(try names(window) == list[position..<position + count].joined())
        }
    }

    @Test func windowsFollowTheirRowsThroughManyChanges() throws {
        let (store, watch) = try makeLetters()
        let windows = try (0..<26).map { try open(watch, at: .index($0), before: 1, after: 2).0 }
        for step in 0..<60 {
            let id = Int64(step * 7 % 26 + 1)
            if step % 5 == 4 {
                try store.execute("DELETE FROM items WHERE id = ?", [.integer(id)])
            } else {
                let name = Value.text("\("abcdefghijklmnopqrstuvwxyz".map(String.init)[step * 11 % 26])\(step)")
                try store.execute("INSERT OR REPLACE INTO items VALUES (?, ?, 1)", [.integer(id), name])
            }
            let list = try watch.controller.objects.map { try $0.get().identity }
            for window in windows {
                let position = try window.position
                let shown = try window.objects.map { try $0.get().identity }
                let anchor = position + (try #require(try window.anchor)).row
                #expect(Array(list[max(anchor - 1, 0)..<min(anchor + 3, list.count)]) == shown, "step \(step)")
            }
        }
    }

    /// Before: a window of three rows among 26.
    /// Change: most rows leave, in runs, also the row on which it hangs; a row that it shows
    /// changes, and one moves into it. Then rows enter.
    /// Expected: the window's own records, whatever the list's are.
    @Test func runsOfRowsLeaveAndEnterAroundAWindow() throws {
        let (store, watch) = try makeLetters()
        let (window, recorder) = try open(watch, at: .index(10), before: 1, after: 1)
        try store.transaction {
            try store.execute("DELETE FROM items WHERE name BETWEEN 'b' AND 'i' OR name IN ('k', 'l')")
            try store.execute("DELETE FROM items WHERE name BETWEEN 'p' AND 'y'")
            try store.execute("UPDATE items SET kind = 3 WHERE name = 'j'")
            try store.execute("UPDATE items SET name = 'ma' WHERE name = 'a'")
        }
        #expect(try names(window) == "jmma")
        #expect(
            recorder.take() == [
                "delete 12 at 0.2", "delete 11 at 0.1", "insert 13 at 0.1", "insert 1 at 0.2",
                "update 10 from 0.0 to 0.0 kind",
            ])
        try store.execute(
            "INSERT INTO items SELECT id + n * 100, name || n, kind FROM items, (SELECT 1 AS n UNION SELECT 2)")
        #expect(recorder.take() == ["delete 1 at 0.2", "delete 10 at 0.0", "insert 210 at 0.0", "insert 113 at 0.2"])
        #expect(try names(window) == "j2mm1")
    }

    @Test func lastRowLeavesAllWindows() throws {
        let store = try makeStore("CREATE TABLE items (id INTEGER PRIMARY KEY); INSERT INTO items VALUES (1)")
        let watch = try Watch(store, "items")
        let windows = try (0..<3).map { _ in try open(watch, at: .beginning, before: 0, after: 0) }
        try store.execute("DELETE FROM items")
        #expect(windows.map { $0.1.take() } == Array(repeating: ["delete 1 at 0.0"], count: 3))
    }

    @Test func severalWindowsOnOneRowFollowItTogether() throws {
        let (store, watch) = try makeLetters()
        let (first, one) = try open(watch, at: .index(3), before: 0, after: 1)
        let (second, two) = try open(watch, at: .index(3), before: 1, after: 0)
        try store.execute("UPDATE items SET name = 'xx' WHERE name = 'd'")
        #expect(try (names(first), names(second)) == ("xxy", "xxx"))
        first.close()
        try store.execute("DELETE FROM items WHERE name = 'xx'")
        #expect(one.deliveries.count == 1)
        #expect(two.deliveries.count == 2)
        #expect(try names(second) == "xy")
    }

    @Test func anObserverSeesTheOldWindowBeforeAChange() throws {
        let (store, watch) = try makeLetters()
        let (window, recorder) = try open(watch, at: .index(1), before: 1, after: 1)
        var seen: [String] = []
        recorder.willChange = { _ in seen.append((try? self.names(window)) ?? "failed") }
        recorder.didChange = { _ in seen.append((try? self.names(window)) ?? "failed") }
        try store.execute("UPDATE items SET name = 'ab' WHERE name = 'c'")
        #expect(seen == ["abc", "abbd"])
    }

    @Test func windowsOfOneListAreReadInOneBracket() throws {
        let (store, watch) = try makeLetters()
        let (first, one) = try open(watch, at: .index(1), before: 1, after: 1)
        let (two, _) = try open(watch, at: .index(2), before: 1, after: 1)
        one.didDeliver = { _ in #expect((try? self.names(two)) == "bbcd") }
        try store.execute("INSERT INTO items VALUES (100, 'bb', 1)")
        #expect(try names(first) == "abbb")
        #expect(one.deliveries.count == 1)
    }

    // MARK: Moving

    @Test func movingReportsTheRowsThatEnterAndLeave() throws {
        let (_, watch) = try makeLetters()
        let (window, recorder) = try open(watch, at: .index(10), before: 1, after: 2)
        try window.move(by: 2)
        #expect(try names(window) == "lmno")
        #expect(recorder.take() == ["delete 11 at 0.1", "delete 10 at 0.0", "insert 14 at 0.2", "insert 15 at 0.3"])
        try window.move(by: .min)
        #expect(try names(window) == "abc")
        try window.move(by: .max)
        #expect(try names(window) == "yz")
    }

    @Test func recordsOfAMoveHaveTheirObjects() throws {
        let (_, watch) = try makeLetters()
        let (window, recorder) = try open(watch, at: .index(10), before: 0, after: 0)
        try window.move(by: 1)
        let changes = try #require(recorder.deliveries.first)
        #expect(try changes.changeSet.objectChanges.map { try changes.object(of: $0)["name"] } == ["k", "l"])
        #expect(changes.windowPlace == WindowPlace(position: 11, anchor: 0, isAnchorReplaced: false))
    }

    @Test func resizingReportsTheDifference() throws {
        let (_, watch) = try makeLetters(section: "kind")
        let (window, recorder) = try open(watch, at: .index(11), before: 0, after: 1)
        try window.resize(before: 1, after: 2)
        #expect(try names(window) == "klm|n")
        #expect(recorder.take() == ["section insert 1 2", "insert 11 at 0.0", "insert 14 at 1.0"])
        try window.resize(before: 0, after: 0)
        #expect(recorder.take().first == "section delete 1 2")
        expectFailure(.range) { try window.resize(before: 0, after: -1) }
    }

    @Test func moveInsideACallbackFollowsTheRound() throws {
        let (store, watch) = try makeLetters()
        let (window, recorder) = try open(watch, at: .index(1), before: 0, after: 1)
        var isFirst = true
        recorder.willChange = { _ in
            guard isFirst else { return }
            isFirst = false
            #expect(throws: Never.self) { try window.move(by: 1) }
            #expect((try? self.names(window)) == "bc")
        }
        try store.execute("UPDATE items SET kind = 9 WHERE name = 'c'")
        #expect(try names(window) == "cd")
        #expect(recorder.deliveries.count == 2)
    }

    @Test func noWindowOpensBeforeAChange() throws {
        let (store, watch) = try makeLetters()
        watch.recorder.willChange = { _ in
            expectFailure(.misuse, naming: "afterwards") { _ = try watch.controller.window(after: 1) }
        }
        var opened: ListWindow?
        watch.recorder.didChange = { _ in opened = try? watch.controller.window(after: 1) }
        try store.execute("DELETE FROM items WHERE name = 'a'")
        #expect(try names(try #require(opened)) == "bc")
    }

    // MARK: The list is read again

    @Test func fetchReportsTheDifference() throws {
        let (_, watch) = try makeLetters()
        let (window, recorder) = try open(watch, at: .index(1), before: 1, after: 1)
        try watch.controller.performFetch()
        #expect(
            recorder.take() == (0...2).map { "update \($0 + 1) from 0.\($0) to 0.\($0) something" })
        #expect(recorder.events.isEmpty && watch.take().isEmpty)
        #expect(try names(window) == "abc")
    }

    @Test func reloadHangsTheWindowOnTheSameRowOrItsNeighbour() throws {
        let (store, watch) = try makeLetters()
        let (window, recorder) = try open(watch, at: .index(10), before: 1, after: 1)
        let (gone, _) = try open(watch, at: .index(20), before: 0, after: 0)
        try watch.controller.setPaused(true)
        try store.execute("DELETE FROM items WHERE name IN ('a', 'k', 'u')")
        #expect(recorder.events.isEmpty)
        try watch.controller.resume(reload: true)
        #expect(try names(window) == "jlm")
        #expect(try names(gone) == "x")
        let changes = recorder.deliveries[0]
        #expect(!changes.changeSet.isReload && changes.windowPlace?.isAnchorReplaced ?? false)
    }

    @Test func rowOfARolledBackDeletionIsNotTheAnchorAgain() throws {
        let (store, watch) = try makeLetters()
        let (window, recorder) = try open(watch, at: .index(10), before: 1, after: 1)
        try store.begin()
        try store.execute("DELETE FROM items WHERE name = 'k'")
        try watch.controller.performFetch()
        #expect(try names(window) == "jlm")
        try store.rollback()
        #expect(try names(window) == "klm")
        #expect(recorder.deliveries.map { $0.windowPlace?.isAnchorReplaced } == [true, false])
    }

    @Test func keyedRowsKeepTheirWindowsWhenTheyAreFetchedAgain() throws {
        let store = try makeStore(
            "CREATE TABLE items (name TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO items VALUES ('a'), ('b'), ('c'), ('d')"
        )
        let watch = try Watch(store, "items", sort: ["name"])
        let (window, recorder) = try open(watch, at: .index(2), before: 1, after: 0)
        try store.begin()
        try store.executeScript("DELETE FROM items WHERE name = 'b'; INSERT INTO items VALUES ('0'), ('1')")
        try watch.controller.performFetch()
        #expect(try names(window) == "ac")
        #expect(recorder.take() == ["delete b at 0.0", "insert a at 0.0", "update c from 0.1 to 0.1 something"])
        try store.commit()
        #expect(try names(window) == "ac")
    }

    @Test func anotherRequestMovesTheWindowWithItsRow() throws {
        let (_, watch) = try makeLetters()
        let (window, recorder) = try open(watch, at: .index(10), before: 1, after: 1)
        var request = watch.controller.request
        request.sorts = [Sort("name", isDescending: true)]
        try watch.controller.setRequest(request)
        #expect(try names(window) == "lkj")
        request.predicate = "name NOT IN ('k', 'j')"
        try watch.controller.setRequest(request)
        #expect(try names(window) == "lih")
        #expect(recorder.deliveries.count == 2)
        #expect(recorder.deliveries.allSatisfy { !$0.changeSet.isReload })
    }

    @Test func resumedListDeliversOneDifference() throws {
        let (store, watch) = try makeLetters()
        let (window, recorder) = try open(watch, at: .index(10), before: 1, after: 1)
        try watch.controller.setPaused(true)
        try store.execute("INSERT INTO items VALUES (100, 'jj', 1)")
        try store.execute("DELETE FROM items WHERE name = 'l'")
        #expect(recorder.events.isEmpty)
        try watch.controller.setPaused(false)
        #expect(try names(window) == "jjkm")
        #expect(recorder.deliveries.count == 1)
    }

    @Test func fetchInsideACallbackReloadsTheWindow() throws {
        let (store, watch) = try makeLetters()
        let (window, recorder) = try open(watch, at: .index(1), before: 1, after: 1)
        var isFirst = true
        watch.recorder.willChange = { _ in
            guard isFirst else { return }
            isFirst = false
            #expect(throws: Never.self) { try watch.controller.performFetch() }
        }
        try store.execute("INSERT INTO items VALUES (100, 'ab', 1)")
        #expect(try names(window) == "abbc")
        #expect(recorder.deliveries.allSatisfy { $0.changeSet.isReload })
        _ = recorder.take()
        try store.execute("DELETE FROM items WHERE name = 'ab'")
        #expect(recorder.take() == ["delete 100 at 0.0", "insert 1 at 0.0"])
    }

    @Test func windowOfASectionMapHasItsSections() throws {
        let store = try makeStore(
            """
            CREATE TABLE kinds (id INTEGER PRIMARY KEY, name TEXT, place INT);
            CREATE TABLE items (id INTEGER PRIMARY KEY, kind REFERENCES kinds);
            INSERT INTO kinds VALUES (1, 'one', 1), (2, 'two', 2), (3, 'three', 3);
            INSERT INTO items VALUES (1, 1), (2, 1), (3, 3), (4, 3);
            """)
        let map = try SectionMap(
            store: store, items: FetchRequest(entity: "items"),
            sections: FetchRequest(entity: "kinds", sorts: [Sort("place")]), itemKey: "kind")
        try map.performFetch()
        let window = try map.window(at: .index(1), before: 0, after: 1)
        let recorder = Recorder()
        window.addObserver(recorder)
        #expect(try window.sectionNames == ["1", "3"])
        #expect(try window.sectionObject(at: 1)?["name"] == "three")
        try store.execute("UPDATE kinds SET name = 'last' WHERE id = 3")
        #expect(recorder.take() == ["section update 1 to 1 3"])
        try store.execute("UPDATE kinds SET place = 0 WHERE id = 3")
        #expect(recorder.take() == ["section delete 1 3", "delete 3 at 1.0"])
        #expect(try window.sectionNames == ["1"])
        try map.setDisabled(true)
        try store.execute("UPDATE kinds SET place = 9 WHERE id = 3")
        try map.setDisabled(false)
        #expect(try window.sectionNames == ["1", "3"])
    }

    // MARK: Life

    @Test func closedWindowsAreNotRead() throws {
        let (store, watch) = try makeLetters()
        let (window, recorder) = try open(watch, at: .index(1), before: 1, after: 1)
        window.close()
        window.close()
        try store.execute("DELETE FROM items WHERE name = 'b'")
        #expect(recorder.events.isEmpty)
        expectFailure(.misuse, naming: "closed") { _ = try window.numberOfObjects }
        expectFailure(.misuse, naming: "closed") { try window.move(by: 1) }
    }

    @Test func windowRetainsItsListAndIsReleased() throws {
        let (store, watch) = try makeLetters()
        let lifetimes = Lifetimes()
        do {
            let window = try watch.controller.window(after: 1)
            lifetimes.note(window, "the window")
            try watch.controller.close()
            try store.execute("DELETE FROM items WHERE name = 'a'")
            #expect(try names(window) == "bc")
        }
        #expect(lifetimes.remaining.isEmpty)
        #expect(watch.controller.engine.windows == nil)
    }

    @Test func closedStoreEndsAWindow() throws {
        let (store, watch) = try makeLetters()
        let (window, _) = try open(watch, at: .index(1), before: 1, after: 1)
        try store.close()
        expectFailure(.closed) { _ = try window.numberOfObjects }
        expectFailure(.closed) { try window.move(by: 1) }
    }

    @Test func aCollectionTakesNoWindow() throws {
        let (_, watch) = try makeLetters()
        let window = try watch.controller.window(after: 1)
        expectFailure(.misuse) { _ = try FetchedResultsCollection([window]) }
    }

    @Test func failuresOfTheListReachItsWindows() throws {
        let (store, watch) = try makeLetters()
        let (window, recorder) = try open(watch, at: .index(1), before: 1, after: 1)
        try store.execute("ALTER TABLE items RENAME TO others")
        #expect(recorder.errors.count == 1)
        #expect(try window.numberOfObjects == 3)
    }
}
