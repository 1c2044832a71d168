import ChangeSets
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// Changes of a list while changes of the database wait to be delivered.
@Suite struct ChangesWhileOthersWait {
    private let order = [Sort("rank")]
    private func makeItems(_ isQueued: Bool = true) throws -> Store {
        var options = StoreOptions()
        options.queuesDelivery = isQueued
        return try makeStore(Self.script, options)
    }

    private static let script = """
        CREATE TABLE lists (id INTEGER PRIMARY KEY, position INT, title TEXT);
        CREATE TABLE items (id INTEGER PRIMARY KEY, list_id REFERENCES lists(id) ON DELETE SET NULL, kind TEXT, rank INT);
        CREATE TABLE others (id INTEGER PRIMARY KEY);
        INSERT INTO lists VALUES (1, 1, 'one'), (2, 2, 'two'), (3, 3, 'three');
        INSERT INTO items VALUES (1, 1, 'a', 1), (2, 1, 'a', 2), (3, 2, 'b', 3), (4, 2, 'b', 4);
        """

    /// Throws "a section was deleted, and not all of its items were found".
    @Test func aMapTakesOtherKeysWhileADeletedItemWaits() throws {
        let store = try makeItems()
        let map = try SectionMap(
            store: store, items: FetchRequest(entity: "items", sorts: order), sectionKeys: ["a", "b"],
            itemKey: "kind")
        try map.performFetch()
        try store.execute("DELETE FROM items WHERE id = 1")
        try map.setSectionKeys(["b"])
        try store.dispatch()
        #expect(try map.values("id") == [[3, 4], [2]])
    }

    /// The same.
    @Test func aMapTakesAnotherSectionRequestWhileADeletedItemWaits() throws {
        let store = try makeItems()
        let map = try SectionMap(
            store: store, items: FetchRequest(entity: "items", sorts: order),
            sections: FetchRequest(entity: "lists", sorts: [Sort("position")]), itemKey: "list_id")
        try map.performFetch()
        try store.execute("DELETE FROM items WHERE id = 1")
        try map.setSectionRequest(
            FetchRequest(entity: "lists", predicate: "id > 1", sorts: [Sort("position")]))
        try store.dispatch()
        #expect(try map.values("id") == [[3, 4], [], [2]])
    }

    /// The list shows 5 permanently: the old image of the row (1) equals its new state.
    @Test func aValueThatChangesBackAfterAChangeOfTheRequest() throws {
        let store = try makeItems()
        var request = FetchRequest(entity: "items", sorts: order)
        let list = try FetchedResultsController(store: store, request: request)
        try list.performFetch()
        _ = try list.values("rank")
        try store.execute("UPDATE items SET rank = 5 WHERE id = 1")
        request.sorts = [Sort("id")]
        try list.setRequest(request)
        _ = try list.values("rank")
        try store.execute("UPDATE items SET rank = 1 WHERE id = 1")
        try store.dispatch()
        #expect(try list.values("rank") == [[1, 2, 3, 4]])
    }

    /// Crashes: a position out of range in PositionTree.handle(at:), from
    /// IncrementalUpdate.section.
    @Test func aPauseWithAnotherRequestThatEndsInACallbackAfterAWriteThere() throws {
        let store = try makeItems(false)
        try store.execute("DELETE FROM items")
        let list = try Watch(store, "items", section: "kind")
        let other = try Watch(store, "others")
        try list.controller.setPaused(true)
        try list.controller.setRequest(FetchRequest(entity: "items"))
        other.recorder.didChange = { _ in
            other.recorder.didChange = { _ in }
            try? store.execute("INSERT INTO items VALUES (9, NULL, 'a', 1)")
            try? list.controller.resume()
        }
        try store.execute("INSERT INTO others VALUES (1)")
        #expect(try list.controller.values("id") == [[9]])
    }

    /// The new item is gone when it is read, and no later round reports it.
    @Test func aRowThatIsReadWhileARelatedTableWaits() throws {
        let store = try makeItems(false)
        var request = FetchRequest(
            entity: "items", sorts: [Sort("list_id.position"), Sort("rank")])
        request.batchSize = 1
        let other = try Watch(store, "items", where: "rank > 4")
        let list = try Watch(store, request)
        var given: [Value?] = []
        list.recorder.didChange = { list in
            given.append((try? list.object(at: ListIndexPath(section: 0, row: 4)))?["rank"])
        }
        // Notified before `list`, it writes to a table by which the list sorts.
        other.recorder.didDeliver = { _ in
            other.recorder.didDeliver = { _ in }
            try? store.execute("INSERT INTO lists VALUES (9, 9, 'nine')")
        }
        try store.execute("INSERT INTO items VALUES (5, 2, 'b', 9)")
        #expect(given.compactMap(\.self).last == 9, "\(given), \(list.take())")
    }

    /// Reports a failure, "a section was deleted, and not all of its items were found": the keys
    /// are taken before the changes that were missed.
    @Test func aPausedMapThatTakesOtherKeysAndResumesInACallback() throws {
        let store = try makeItems(false)
        let map = try SectionMap(
            store: store, items: FetchRequest(entity: "items", sorts: order), sectionKeys: ["a", "b"],
            itemKey: "kind")
        let recorder = Recorder()
        map.addObserver(recorder)
        try map.performFetch()
        let other = try Watch(store, "others")
        try map.setPaused(true)
        try store.execute("DELETE FROM items WHERE id = 1")
        other.recorder.didChange = { _ in
            other.recorder.didChange = { _ in }
            try? map.setSectionKeys(["b"])
            try? map.resume()
        }
        try store.execute("INSERT INTO others VALUES (1)")
        #expect(recorder.errors.isEmpty, "\(recorder.errors)")
        #expect(try map.values("id") == [[3, 4], [2]])
    }

    /// Before: a map of two keys, and another connection that has deleted an item of the first one
    /// unnoticed. Change: the map takes the second key alone. Threw "a section was deleted, and not
    /// all of its items were found".
    @Test(arguments: [false, true]) func aMapTakesOtherKeysAfterACommitOfAnother(usesRequests: Bool) throws {
        let file = TemporaryFile()
        let other = try Store(path: file.path)
        try other.executeScript(Self.script)
        let store = try Store(path: file.path)
        let items = FetchRequest(entity: "items", sorts: order)
        let lists = { FetchRequest(entity: "lists", predicate: $0, sorts: [Sort("position")]) }
        let map =
            try usesRequests
            ? SectionMap(store: store, items: items, sections: lists("id < 3"), itemKey: "list_id")
            : SectionMap(store: store, items: items, sectionKeys: ["a", "b"], itemKey: "kind")
        try map.performFetch()
        try other.execute("DELETE FROM items WHERE id = 1")
        if usesRequests { try map.setSectionRequest(lists("id = 2")) } else { try map.setSectionKeys(["b"]) }
        #expect(try map.values("id") == [[3, 4], [2]])
        try store.dispatch()
        #expect(try map.values("id") == [[3, 4], [2]])
    }
}
