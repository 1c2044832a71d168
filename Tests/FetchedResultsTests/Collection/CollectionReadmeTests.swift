import ChangeSets
import FetchedResults
import SQLiteKit
import TestSupport
import Testing

/// The README of JPSFetchedResultsCollection, sentence by sentence.
@Suite struct CollectionReadme {
    private let store: Store
    private let found: CollectionWatch

    init() throws {
        store = try makeSearchStore()
        found = try CollectionWatch([
            makeList(store, "people", "name"), makeList(store, "messages", "subject", section: "sender"),
        ])
    }

    @Test("A collection that can be used to fetch multiple entity types.")
    func severalEntities() throws {
        #expect(try found.rows == [["people 1", "people 2"], ["messages 3", "messages 1"], ["messages 2"]])
    }

    @Test(
        "You can still take advantage of the benefits that each individual controller offers such as sections and caching."
    )
    func whatControllersOffer() throws {
        #expect(try found.collection.sectionNames == [nil, "Ann", "Ben"])
        #expect(found.collection.sectionKeyPaths == [nil, "sender"])
        #expect(found.collection.fetchRequests.map(\.cacheName) == [nil, nil])
    }

    @Test("It provides a familiar API to obtain information about the fetched data.")
    func familiarReads() throws {
        #expect(try found.collection.numberOfSections == 3)
        #expect(try found.collection.numberOfObjects == 5)
        #expect(try found.collection.section(at: 1).numberOfObjects == 2)
        #expect(try found.collection.object(at: ListIndexPath(section: 2, row: 0))["subject"] == "news")
        #expect(try found.collection.sectionIndexTitles == ["A", "B"])
    }

    @Test("The controller level is treated as transparent: all sections are assumed to be in the same controller.")
    func transparentControllers() throws {
        #expect(try (0..<3).map { try found.collection.child(ofSection: $0) } == [0, 1, 1])
        #expect(found.faults == [])
    }

    @Test("The sections are masked to be indexed consecutively.")
    func consecutiveSections() throws {
        #expect(try (0..<3).map { try found.collection.section(at: $0).index } == [0, 1, 2])
        try store.execute("INSERT INTO messages VALUES (4, 'Amy', 'hi')")
        #expect(found.take() == ["section insert 1 Amy", "insert 4 at 1.0"])
    }

    @Test("Empty controllers are treated as sections and are indexed.")
    func emptyControllers() throws {
        try store.execute("DELETE FROM people")
        _ = found.take()
        #expect(try found.rows == [[], ["messages 3", "messages 1"], ["messages 2"]])
        try store.execute("INSERT INTO people VALUES (7, 'Zoe')")
        #expect(found.take() == ["insert 7 at 0.0"])
    }

    @Test("Fetch the objects with performFetch.")
    func performFetch() throws {
        let collection = try FetchedResultsCollection([makeList(store, "files", "name")])
        expectFailure(.notFetched) { _ = try collection.numberOfObjects }
        try collection.performFetch()
        #expect(try collection.numberOfObjects == 2)
    }

    @Test("Respond to changes: will change, sections, objects with their index paths, did change.")
    func changes() throws {
        try store.transaction {
            try store.execute("INSERT INTO messages VALUES (5, 'Cid', 'new')")
            try store.execute("DELETE FROM people WHERE id = 1")
            try store.execute("UPDATE messages SET subject = 'zzz' WHERE id = 3")
        }
        #expect(found.recorder.events.first == "will" && found.recorder.events.last == "did")
        #expect(
            found.take() == [
                "section insert 3 Cid", "delete 1 at 0.0", "insert 5 at 3.0", "move 3 from 1.0 to 1.1 subject",
            ])
        #expect(found.faults == [])
    }
}

/// The README of JPSFetchedResultsContainer, sentence by sentence.
@Suite struct ContainerReadme {
    private let store: Store
    private let people: FetchedResultsController
    private let files: FetchedResultsController
    private let container: CollectionWatch

    init() throws {
        store = try makeSearchStore()
        people = try makeList(store, "people", "name")
        files = try makeList(store, "files", "name")
        container = try CollectionWatch([files, people])
    }

    @Test("The order of the controllers in the array determines the order of the sections.")
    func theOrderOfControllers() throws {
        #expect(try container.rows == [["files 1", "files 2"], ["people 1", "people 2"]])
    }

    @Test("The same goes for the fetch requests.")
    func theOrderOfRequests() throws {
        let requests = ["people", "files"].map { FetchRequest(entity: $0, sorts: [Sort("name")]) }
        let container = try CollectionWatch(FetchedResultsCollection(store: store, requests: requests))
        #expect(try container.rows == [["people 1", "people 2"], ["files 1", "files 2"]])
    }

    @Test("Empty sections: NSFetchedResultsController.empty()")
    func emptySections() throws {
        try container.collection.insert(Placeholder(name: "Nothing here", indexTitle: "N"), at: 1)
        #expect(container.take() == ["section insert 1 Nothing here"])
        #expect(try container.rows == [["files 1", "files 2"], [], ["people 1", "people 2"]])
        #expect(try container.collection.section(at: 1).indexTitle == "N")
    }

    @Test("Obtaining objects: objectAtIndexPath, indexPathForObject")
    func objectsAndPaths() throws {
        let object = try container.collection.object(at: ListIndexPath(section: 1, row: 1))
        #expect(object["name"] == "Ben")
        #expect(try container.collection.indexPath(of: object) == ListIndexPath(section: 1, row: 1))
    }

    @Test("Obtaining the number of objects per section: numberOfObjectsInSection")
    func counts() throws {
        try store.execute("DELETE FROM files WHERE id = 1")
        #expect(try (0..<2).map { try container.collection.numberOfObjects(inSection: $0) } == [1, 2])
    }

    @Test("replaceFetchedResultsControllerAtIndex, with an index")
    func replacingAtAnIndex() throws {
        try container.collection.replace(at: 1, with: makeList(store, "messages", "subject"))
        #expect(try container.rows == [["files 1", "files 2"], ["messages 3", "messages 1", "messages 2"]])
        #expect(container.faults == [])
    }

    @Test("replaceFetchedResultsControllerAtIndex, with a controller")
    func replacingAController() throws {
        let index = try #require(container.collection.index(of: files))
        try container.collection.replace(at: index, with: makeList(store, "messages", "subject"))
        #expect(try container.rows == [["messages 3", "messages 1", "messages 2"], ["people 1", "people 2"]])
        #expect(container.collection.index(of: files) == nil)
        _ = container.take()
        try store.execute("DELETE FROM files")
        #expect(container.take() == [])
    }
}
