import ChangeSets
import FetchedResults
import SQLiteKit
import TestSupport
import Testing

/// Several lists shown as one: their contents and their reports.
@Suite struct CollectionTests {
    @Test func severalEntitiesAreFetchedAsOneList() throws {
        let store = try makeSearchStore()
        let found = try CollectionWatch([
            makeList(store, "people", "name"), makeList(store, "messages", "subject", section: "sender"),
            makeList(store, "files", "name"),
        ])
        #expect(
            try found.rows == [
                ["people 1", "people 2"], ["messages 3", "messages 1"], ["messages 2"], ["files 1", "files 2"],
            ])
        #expect(try found.collection.numberOfObjects == 7)
        #expect(found.faults == [])
        expectFailure(.range, naming: "4") { _ = try found.collection.section(at: 4) }
        expectFailure(.range, naming: "2") { _ = try found.collection.object(at: ListIndexPath(section: 3, row: 2)) }
        expectFailure(.range) { _ = try found.collection.object(at: ListIndexPath(section: -1, row: 0)) }
        expectFailure(.range) { _ = try found.collection.indexPath(at: 7) }
    }

    @Test func sectionsAreNumberedConsecutivelyAsIfThereWereNoControllers() throws {
        let store = try makeSearchStore()
        let found = try CollectionWatch([
            makeList(store, "messages", "subject", section: "sender"),
            makeList(store, "people", "name", section: "name"),
        ])
        #expect(try found.collection.sectionNames == ["Ann", "Ben", "Ann", "Ben"])
        #expect(try (0..<4).map { try found.collection.child(ofSection: $0) } == [0, 0, 1, 1])
        #expect(try (0..<4).map { try found.collection.numberOfObjects(inSection: $0) } == [2, 1, 1, 1])
    }

    @Test func theOrderOfTheRequestsIsTheOrderOfTheSections() throws {
        let store = try makeSearchStore()
        let requests = ["files", "people"].map { FetchRequest(entity: $0, sorts: [Sort("name")]) }
        let found = try CollectionWatch(FetchedResultsCollection(store: store, requests: requests))
        #expect(try found.rows == [["files 1", "files 2"], ["people 1", "people 2"]])
        #expect(found.collection.fetchRequests.map(\.entity) == ["files", "people"])
        #expect(found.collection.sectionKeyPaths == [nil, nil])
    }

    @Test func anEmptyFlatControllerIsASection() throws {
        let store = try makeSearchStore()
        let found = try CollectionWatch([
            makeList(store, "people", "name", where: "0"),
            makeList(store, "messages", "subject", section: "sender", where: "0"),
            makeList(store, "files", "name"),
        ])
        #expect(try found.rows == [[], ["files 1", "files 2"]])
    }

    @Test func anEmptySectionedListIsOneSectionIfItWasDeclaredSo() throws {
        let store = try makeSearchStore()
        try store.execute("DELETE FROM messages")
        let collection = try FetchedResultsCollection([makeList(store, "people", "name")])
        try collection.append(
            makeList(store, "messages", "subject", section: "sender"),
            emptySection: Placeholder(name: "No messages", indexTitle: "M"))
        try collection.append(makeList(store, "files", "name"))
        let found = try CollectionWatch(collection)
        #expect(try found.rows == [["people 1", "people 2"], [], ["files 1", "files 2"]])
        #expect(try found.collection.section(at: 1).name == "No messages")
        #expect(try found.collection.sectionIndexTitles == ["M"])
        #expect(try found.collection.section(forIndexTitle: "M", at: 0) == 1)
        try store.execute("INSERT INTO messages VALUES (1, 'Ann', 'a'), (2, 'Ben', 'b')")
        #expect(
            found.take() == [
                "section delete 1 No messages", "section insert 1 Ann", "section insert 2 Ben", "insert 1 at 1.0",
                "insert 2 at 2.0",
            ])
        #expect(found.faults == [])
        try store.execute("DELETE FROM messages")
        #expect(
            found.take() == [
                "section delete 2 Ben", "section delete 1 Ann", "section insert 1 No messages", "delete 2 at 2.0",
                "delete 1 at 1.0",
            ])
        #expect(found.faults == [])
    }

    @Test func placeholdersAreSectionsWithASettableName() throws {
        let store = try makeSearchStore()
        let placeholder = Placeholder(name: "Nothing")
        let collection = try FetchedResultsCollection()
        try collection.append(placeholder)
        try collection.append(makeList(store, "files", "name"))
        let found = try CollectionWatch(collection)
        #expect(try collection.section(at: 0).name == "Nothing")
        #expect(try collection.numberOfObjects(inSection: 0) == 0)
        placeholder.name = "No results"
        #expect(
            found.recorder.deliveries.last?.changeSet.sectionChanges == [.update(from: 0, to: 0, changedColumns: [0])])
        #expect(found.take() == ["section update 0 to 0 No results"])
        placeholder.indexTitle = "?"
        #expect(
            found.recorder.deliveries.last?.changeSet.sectionChanges == [.update(from: 0, to: 0, changedColumns: [1])])
        #expect(try collection.sectionIndexTitles == ["?"])
        placeholder.indexTitle = "?"
        #expect(found.recorder.deliveries.count == 1)
    }

    @Test func oneCommitThatTouchesSeveralChildrenIsOneBracket() throws {
        let store = try makeSearchStore()
        let found = try CollectionWatch([
            makeList(store, "people", "name"), makeList(store, "messages", "subject", section: "sender"),
            makeList(store, "files", "name"),
        ])
        try store.transaction {
            try store.execute("DELETE FROM people WHERE id = 1")
            try store.execute("DELETE FROM messages WHERE sender = 'Ann'")
            try store.execute("INSERT INTO files VALUES (3, 'archive')")
            try store.execute("UPDATE files SET name = 'zoo' WHERE id = 1")
        }
        #expect(found.recorder.events.filter { $0 == "will" || $0 == "did" } == ["will", "did"])
        #expect(
            found.take() == [
                "section delete 1 Ann", "delete 1 at 1.1", "delete 3 at 1.0", "delete 1 at 0.0", "insert 3 at 2.0",
                "move 1 from 3.0 to 2.2 name",
            ])
        #expect(found.faults == [])
    }

    @Test func childrenMayBeOfSeveralStores() throws {
        let first = try makeSearchStore()
        let second = try makeSearchStore()
        let found = try CollectionWatch([makeList(first, "people", "name"), makeList(second, "people", "name")])
        try second.execute("INSERT INTO people VALUES (3, 'Cid')")
        #expect(found.take() == ["insert 3 at 1.2"])
        // What one store's callback writes to the other is delivered in a bracket of its own, after
        // this one.
        found.recorder.didChange = { _ in
            found.recorder.didChange = { _ in }
            try? second.execute("DELETE FROM people WHERE id = 3")
        }
        try first.execute("DELETE FROM people WHERE id = 1")
        #expect(found.recorder.events == ["will", "delete 1 at (0, 0)", "did", "will", "delete 3 at (1, 2)", "did"])
        #expect(found.faults == [])
    }

    @Test func theSameEntityInSeveralChildrenIsFine() throws {
        let store = try makeSearchStore()
        let all = try makeList(store, "people", "name")
        let some = try makeList(store, "people", "name", where: "name > 'B'")
        let found = try CollectionWatch([all, some])
        #expect(try found.rows == [["people 1", "people 2"], ["people 2"]])
        #expect(
            try found.collection.indexPath(of: try all.object(at: ListIndexPath(section: 0, row: 1)))
                == ListIndexPath(section: 0, row: 1))
        #expect(
            try found.collection.indexPath(of: try some.object(at: ListIndexPath(section: 0, row: 0)))
                == ListIndexPath(section: 1, row: 0))
        #expect(try found.collection.indexPath(ofIdentity: [2]) == ListIndexPath(section: 0, row: 1))
        #expect(try found.collection.indexPath(ofIdentity: [9]) == nil)
        try store.execute("UPDATE people SET name = 'Bea' WHERE id = 2")
        #expect(found.take() == ["update 2 from 0.1 to 0.1 name", "update 2 from 1.0 to 1.0 name"])
    }

    @Test func indexTitlesAreTheChildrensOneAfterAnother() throws {
        let store = try makeSearchStore()
        let found = try CollectionWatch([
            makeList(store, "messages", "subject", section: "sender"),
            makeList(store, "people", "name", section: "name"),
        ])
        #expect(try found.collection.sectionIndexTitles == ["A", "B", "A", "B"])
        #expect(
            try (0..<4).map { try found.collection.section(forIndexTitle: $0 % 2 == 0 ? "A" : "B", at: $0) } == [
                0, 1, 2, 3,
            ])
        #expect(try found.collection.section(forIndexTitle: "Z", at: 0) == nil)
        expectFailure(.range) { _ = try found.collection.section(forIndexTitle: "A", at: 1) }
        try store.execute("DELETE FROM messages WHERE sender = 'Ben'")
        #expect(try found.collection.sectionIndexTitles == ["A", "A", "B"])
    }

    @Test func noChildrenAreNoSections() throws {
        let collection = try FetchedResultsCollection()
        expectFailure(.notFetched) { _ = try collection.numberOfSections }
        let found = try CollectionWatch(collection)
        #expect(try found.rows == [])
        #expect(try collection.sectionIndexTitles == [])
        expectFailure(.range) { _ = try collection.section(at: 0) }
    }

    @Test func aCollectionMayBeInACollection() throws {
        let store = try makeSearchStore()
        let files = try makeList(store, "files", "name")
        let inner = try FetchedResultsCollection([makeList(store, "messages", "subject", section: "sender"), files])
        let found = try CollectionWatch([makeList(store, "people", "name"), inner])
        let inside = Recorder()
        inner.addObserver(inside)
        try store.execute("INSERT INTO files VALUES (3, 'archive')")
        #expect(found.take() == ["insert 3 at 3.0"])
        #expect(inside.take() == ["insert 3 at 2.0"])
        try inner.remove(at: 0)
        #expect(
            found.take() == [
                "section delete 2 Ben", "section delete 1 Ann", "delete 2 at 2.0", "delete 1 at 1.1", "delete 3 at 1.0",
            ])
        #expect(found.faults == [])
        #expect(found.collection.fetchRequests.map(\.entity) == ["people", "files"])
        #expect(
            try found.collection.indexPath(of: try files.object(at: ListIndexPath(section: 0, row: 0)))
                == ListIndexPath(section: 1, row: 0))
    }

    /// Before: an object of a list. Change: the list ends. Expected: its place in a collection
    /// whose lists show the row.
    @Test func anObjectIsFoundAfterItsListHasEnded() throws {
        let store = try makeSearchStore()
        let found = try CollectionWatch([try makeList(store, "people", "name", where: "name > 'B'")])
        func objectOfAnotherList() throws -> FetchedObject {
            let all = try makeList(store, "people", "name")
            try all.performFetch()
            return try all.object(at: ListIndexPath(section: 0, row: 1))
        }
        let object = try objectOfAnotherList()
        #expect(try found.collection.indexPath(of: object) == ListIndexPath(section: 0, row: 0))
    }

    @Test func sectionMapsMoveTheirSectionsInACollection() throws {
        let store = try makeTaskLists()
        let lists = try MapWatch(store)
        let found = try CollectionWatch([makeList(store, "tasks", "name"), lists.map])
        try store.execute("UPDATE lists SET position = 0 WHERE id = 1")
        #expect(found.take() == ["section move 3 to 1 1"])
        #expect(try found.collection.sectionObject(at: 1)?["name"] == "Work")
        #expect(found.faults == [])
    }

    @Test func performFetchFetchesAllOrNothing() throws {
        let store = try makeSearchStore()
        let people = try makeList(store, "people", "name")
        let collection = try FetchedResultsCollection([people, makeList(store, "files", "name")])
        try store.execute("ALTER TABLE files RENAME TO documents")
        expectFailure(.schema, naming: "files") { try collection.performFetch() }
        #expect(!people.isFetched)
        #expect(!collection.isFetched)
        try store.execute("ALTER TABLE documents RENAME TO files")
        let found = try CollectionWatch(collection)
        #expect(try found.rows == [["people 1", "people 2"], ["files 1", "files 2"]])
        expectFailure(.cancelled) { try collection.performFetch { _ in false } }
        #expect(try found.rows == [["people 1", "people 2"], ["files 1", "files 2"]])
    }

    @Test func fetchingAChildByItselfHasTheCollectionReload() throws {
        let store = try makeSearchStore()
        let people = try makeList(store, "people", "name")
        let found = try CollectionWatch([people])
        try people.performFetch()
        #expect(found.recorder.deliveries.map(\.changeSet.isReload) == [true])
        #expect(found.recorder.events == ["will", "reload", "did"])
        #expect(found.faults == [])
    }

    @Test func aFailureOfAChildIsPassedOn() throws {
        let store = try makeSearchStore()
        let found = try CollectionWatch([makeList(store, "people", "name"), makeList(store, "files", "name")])
        try store.execute("ALTER TABLE files RENAME TO documents")
        #expect(found.recorder.errors.map(\.status) == [.schema])
        try store.execute("INSERT INTO people VALUES (3, 'Cid')")
        #expect(found.take() == ["insert 3 at 0.2"])
        try store.executeScript("INSERT INTO documents VALUES (3, 'x'); ALTER TABLE documents RENAME TO files")
        #expect(found.take() == ["insert 3 at 1.2"])
        #expect(found.recorder.errors.count == 1)
    }
}
