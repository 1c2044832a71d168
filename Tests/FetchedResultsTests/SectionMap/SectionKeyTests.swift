import FetchedResults
import SQLiteKit
import TestSupport
import Testing

/// Sections of given keys, and requests that can't be section maps.
@Suite struct SectionKeyTests {
    private func makeMails() throws -> Store {
        try makeStore(
            """
            CREATE TABLE mails(id INTEGER PRIMARY KEY, folder TEXT, subject TEXT);
            INSERT INTO mails VALUES (1, 'inbox', 'hello'), (2, 'sent', 're: hello'), (3, 'spam', 'win'), (4, NULL, 'lost');
            """)
    }

    private func map(_ store: Store, _ keys: [Value]) throws -> SectionMap {
        try SectionMap(
            store: store, items: FetchRequest(entity: "mails"), sectionKeys: keys, itemKey: "folder",
            nodes: NodeSizes(leafCapacity: 4, fanout: 4))
    }

    @Test func sectionsCanBeKeysThatTheProgramGivesAndReorders() throws {
        let store = try makeMails()
        let mails = try MapWatch(map(store, ["inbox", "drafts", "sent"]))
        #expect(try mails.map.sectionNames == ["inbox", "drafts", "sent", nil])
        #expect(try mails.map.values("id") == [[1], [], [2], [3, 4]])
        #expect(try mails.map.sectionObject(at: 0) == nil)
        try mails.map.setSectionKeys(["sent", "inbox", "drafts"])
        #expect(mails.take() == ["section move 2 to 0 sent"])
        try mails.map.setSectionKeys(["spam", "sent", "inbox"])
        #expect(mails.take() == ["section delete 2 drafts", "section insert 0 spam", "move 3 from 3.0 to 0.0"])
        try mails.map.setSectionKeys(["sent"])
        #expect(try mails.map.values("id") == [[2], [1, 3, 4]])
        _ = mails.take()
        try store.execute("UPDATE mails SET folder = 'sent' WHERE id = 1")
        #expect(mails.take() == ["move 1 from 1.0 to 0.0 folder"])
    }

    @Test func keysAreDistinctAndNotNull() throws {
        let store = try makeMails()
        expectFailure(.constraint, naming: "inbox") { _ = try map(store, ["inbox", "inbox"]) }
        expectFailure(.misuse, naming: "NULL") { _ = try map(store, [.null]) }
        let mails = try MapWatch(map(store, ["inbox"]))
        expectFailure(.constraint) { try mails.map.setSectionKeys(["a", "a"]) }
        expectFailure(.constraint) { try mails.map.setSectionKeys([1, 1.0]) }
        #expect(try mails.map.sectionNames == ["inbox", nil])
        #expect(mails.take() == [])
    }

    @Test func keysCompareByValue() throws {
        let store = try makeStore(
            "CREATE TABLE mails(id INTEGER PRIMARY KEY, folder); INSERT INTO mails VALUES (1, 1), (2, 1.0), (3, '1')")
        let mails = try MapWatch(map(store, [1.0]))
        #expect(try mails.map.values("id") == [[1, 2], [3]])
    }

    @Test func whatLeadsNowhereIsNamed() throws {
        let store = try makeTaskLists()
        func map(
            _ items: FetchRequest = FetchRequest(entity: "tasks"),
            _ sections: FetchRequest = FetchRequest(entity: "lists"),
            key: String = "list_id", sectionKey: String? = nil, title: String? = nil
        ) throws {
            _ = try SectionMap(
                store: store, items: items, sections: sections, itemKey: key, sectionKey: sectionKey, indexTitle: title)
        }
        expectFailure(.schema, naming: "nowhere") { try map(key: "nowhere") }
        expectFailure(.schema, naming: "list_id.nowhere") { try map(key: "list_id.nowhere") }
        expectFailure(.misuse, naming: "note", "lists") { try map(key: "note") }
        expectFailure(.schema, naming: "nowhere") { try map(sectionKey: "nowhere") }
        expectFailure(.schema, naming: "nowhere") { try map(title: "nowhere") }
        expectFailure(.schema, naming: "elsewhere") { try map(.init(entity: "tasks"), .init(entity: "elsewhere")) }
        expectFailure(.misuse, naming: "section") { try map(.init(entity: "tasks", section: Sort("name"))) }
        expectFailure(.sql, naming: "nowhere") {
            try map(.init(entity: "tasks"), .init(entity: "lists", predicate: "nowhere > 1"))
        }
        var limited = FetchRequest(entity: "tasks")
        limited.limit = 3
        expectFailure(.misuse, naming: "limit") { try map(limited) }
        let lists = try MapWatch(store).map
        expectFailure(.misuse, naming: "limit") { try lists.setRequest(limited) }
        expectFailure(.misuse, naming: "section") {
            try lists.setRequest(.init(entity: "tasks", section: Sort("name")))
        }
        expectFailure(.misuse, naming: "lists") { try lists.setRequest(.init(entity: "lists")) }
    }

    @Test func aFailedFetchLeavesTheMapAsItWas() throws {
        let store = try makeTaskLists()
        let lists = try MapWatch(store)
        try store.executeScript("ALTER TABLE lists RENAME TO gone")
        expectFailure(.schema, naming: "lists") { try lists.map.performFetch() }
        #expect(try lists.map.numberOfSections == 3)
        try store.executeScript("ALTER TABLE gone RENAME TO lists; UPDATE lists SET position = 9 WHERE id = 2")
        #expect(try lists.picture == ["Errands: ", "Work: report", "Home: dishes, laundry"])
    }
}
