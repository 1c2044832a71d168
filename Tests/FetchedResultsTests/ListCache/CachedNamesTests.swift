import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// The assignment of files to lists, where several lists and connections use one.
@Suite struct CachedNames {
    @Test func aListThatSharesItsNameDoesNotRenewTheOther() throws {
        let starts = try Starts()
        var request = FetchRequest(entity: "other")
        request.cacheName = Starts.request.cacheName
        try starts.start { store in
            let other = try FetchedResultsController(store: store, request: request)
            try other.performFetch()
            let items = try FetchedResultsController(store: store, request: Starts.request, nodes: Starts.smallNodes)
            try items.performFetch()
            // The file now belongs to the items, which do not follow.
            try items.setPaused(true)
            try store.execute("DELETE FROM items WHERE id > 5")
            other.cacheList()
        }
        let next = try starts.fetch()
        #expect(next.rows.joined().count == 4)
    }

    @Test(arguments: [true, false])
    func whatReadsAnOlderStateDoesNotTakeTheListOfALaterOne(isTransaction: Bool) throws {
        let starts = try Starts()
        let reader = try Store(path: starts.file.path, options: starts.options)
        defer { try? reader.close() }
        if isTransaction { try reader.begin(.deferred) }
        let statement = try reader.prepare("SELECT id FROM items")
        #expect(try reader.step(statement))
        let writer = try Store(path: starts.file.path, options: starts.options)
        defer { try? writer.close() }
        try writer.execute("DELETE FROM items WHERE id > 5")
        let written = try FetchedResultsController(store: writer, request: Starts.request, nodes: Starts.smallNodes)
        try written.performFetch()
        #expect(starts.files.count == 1)
        let read = try FetchedResultsController(store: reader, request: Starts.request, nodes: Starts.smallNodes)
        try read.performFetch()
        #expect(try read.numberOfObjects == 34)
        statement.reset()
        if isTransaction { try reader.commit() }
        try reader.dispatch()
        #expect(try read.numberOfObjects == 4)
    }

    @Test func aDeletedListStaysDeletedUntilItChanges() throws {
        let starts = try Starts()
        _ = try starts.fetch { store, _ in try store.deleteCache(named: "open items") }
        #expect(starts.files == [])
        _ = try starts.fetch { store, _ in
            try store.deleteAllCaches()
            try store.execute("DELETE FROM items WHERE id = 1")
        }
        #expect(try starts.fetch().isFromCache)
    }

    @Test func sectionsOfAMapAreCachedWithIt() throws {
        let starts = try Starts()
        func fetch(
            _ change: (Store, SectionMap) throws -> Void = { _, _ in }
        ) throws -> (titles: [Value], isFromCache: Bool) {
            try starts.start { store in
                var sections = FetchRequest(entity: "lists", sorts: [Sort("position")])
                sections.cacheName = "lists"
                let map = try SectionMap(
                    store: store, items: FetchRequest(entity: "items"), sections: sections, itemKey: "list_id",
                    nodes: Starts.smallNodes)
                try map.performFetch()
                let titles = try (0..<map.numberOfSections).map { try map.sectionObject(at: $0)?["title"] ?? .null }
                try change(store, map)
                return (titles, map.engine.mappedSections?.engine?.counters.cachedFetches == 1)
            }
        }
        #expect(try !fetch().isFromCache)
        let second = try fetch { store, map in
            try map.setPaused(true)
            try store.execute("UPDATE lists SET position = -position")
        }
        #expect(second == (["Work", "Home", "Empty"], true))
        let third = try fetch()
        #expect(third == (["Empty", "Home", "Work"], false))
    }
}
