import ChangeSets
import OrderedTree
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// The settings of its lists that a program can change.
struct CachedSettings: Equatable {
    var showsOpenOnly = false
    var areSectionsReversed = false
    var hidesEmptySections = false
}

/// One list of each kind, as one start of a program has them.
struct CachedLists {
    let flat, sections, window: FetchedResultsController
    let mapOfRows, mapOfKeys: SectionMap
    let collection: FetchedResultsCollection

    init(_ store: Store, _ settings: CachedSettings) throws {
        func named(_ request: FetchRequest, _ name: String) -> FetchRequest {
            var request = request
            request.cacheName = name
            return request
        }
        func controller(_ name: String, _ request: FetchRequest) throws -> FetchedResultsController {
            try FetchedResultsController(store: store, request: named(request, name), nodes: Starts.smallNodes)
        }
        func map(_ name: String) throws -> SectionMap {
            try SectionMap(
                store: store, items: named(Self.items(settings), name),
                sections: named(Self.sections(settings), "sections of \(name)"), itemKey: "list_id", sectionKey: "id",
                emptySections: settings.hidesEmptySections ? .hidden : .shown, nodes: Starts.smallNodes)
        }
        flat = try controller("flat", Self.items(settings))
        sections = try controller("sections", Self.items(settings, section: Sort("list_id")))
        window = try controller("window", Self.items(settings, limit: 5))
        mapOfRows = try map("map of rows")
        mapOfKeys = try SectionMap(
            store: store, items: named(Self.items(settings), "map of keys"), sectionKeys: Self.keys(settings),
            itemKey: "list_id", emptySections: settings.hidesEmptySections ? .hidden : .shown, nodes: Starts.smallNodes)
        collection = try FetchedResultsCollection([
            try controller("child", Self.items(settings, section: Sort("list_id", isDescending: true))),
            try map("child map"),
        ])
    }

    var controllers: [FetchedResultsController] {
        [flat, sections, window, mapOfRows, mapOfKeys] + collection.controllers
    }
    var all: [(name: String, list: any LiveList)] {
        [
            ("flat", flat), ("sections", sections), ("window", window), ("map of rows", mapOfRows),
            ("map of keys", mapOfKeys), ("collection", collection),
        ]
    }

    func performFetch() throws {
        for (_, list) in all { try list.performFetch() }
    }

    /// The contents of each list after a fetch, or the error of reading it.
    func pictures() -> [String: String] {
        Dictionary(uniqueKeysWithValues: all.map { ($0, Self.picture($1)) })
    }

    private static func picture(_ list: any LiveList) -> String {
        do {
            try list.performFetch()
            return try zip(list.sectionNames, list.values("id")).map { name, ids in
                "\(name ?? "-"): \(ids.map { "\($0.integer ?? -1)" }.joined(separator: " "))"
            }.joined(separator: " | ")
        } catch {
            return "\(StoreError(any: error).status)"
        }
    }

    /// The lists that were read, rather than taken from their files.
    var namesOfRead: [String] {
        controllers.filter { $0.engine.counters.cachedFetches == 0 }.map { $0.request.cacheName ?? "" }
    }

    static func items(_ settings: CachedSettings, section: Sort? = nil, limit: Int? = nil) -> FetchRequest {
        var request = FetchRequest(
            entity: "items", predicate: settings.showsOpenOnly ? "abs(n) >= 0 AND done = 0" : "abs(n) >= 0",
            sorts: [Sort("name")], section: section)
        request.limit = limit
        return request
    }

    static func sections(_ settings: CachedSettings) -> FetchRequest {
        FetchRequest(
            entity: "lists", sorts: [Sort("position", isDescending: settings.areSectionsReversed)])
    }

    static func keys(_ settings: CachedSettings) -> [Value] {
        settings.areSectionsReversed ? [9, 2, 1] : [1, 2, 3, 9]
    }
}

/// One start of a program whose lists reach all kinds of states before it ends.
final class CacheSession {
    /// An event of a list or its database.
    enum Step: CaseIterable {
        case write, writeSections, replaceEmptySections, foreignWrite, foreignSections, dispatch
        case pause, resume, reload, begin, beginReading, commit, rollback, fetch, fetchInBackground, awaitFetch
        case changeRequest, changeSections, changeOptions, fail, repair, cacheElsewhere
    }

    /// How the start ends.
    enum End: CaseIterable { case storeCloses, listsAreFreed, fetchedAgain, closedBeforeChange, closedAfterChange }

    static let script = """
        CREATE TABLE lists (id INTEGER PRIMARY KEY, position INTEGER);
        CREATE TABLE items (id INTEGER PRIMARY KEY, list_id INTEGER, name TEXT, done INTEGER, n INTEGER);
        INSERT INTO lists VALUES (1, 1), (2, 2), (3, 3), (4, 4);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12)
            INSERT INTO items SELECT i, 1 + i % 2, char(96 + i * 5 % 12), i % 3 = 0, 0 FROM n;
        """

    private(set) var settings = CachedSettings()
    private let starts: Starts
    private let store: Store
    private lazy var other = Result { try Store(path: starts.file.path, options: options) }
    private var options: StoreOptions
    private var lists: CachedLists?
    private var hasOther = false
    private var fetching = 0
    private var count: Int64 = 0

    init(_ starts: Starts, isQueued: Bool = false) throws {
        self.starts = starts
        options = starts.options
        options.busyTimeout = 0
        var options = options
        options.queuesDelivery = isQueued
        store = try Store(path: starts.file.path, options: options)
        lists = try CachedLists(store, settings)
        try lists?.performFetch()
    }

    /// Does a step, or nothing if it can't be done now.
    func attempt(_ step: Step) {
        // A step that fails must leave everything as it was, which the next start shows.
        try? take(step)
    }

    func take(_ step: Step) throws {
        count += 1
        hasOther = hasOther || [.foreignWrite, .foreignSections, .cacheElsewhere].contains(step)
        switch step {
        case .write: try write(store)
        case .writeSections: try writeSections(store)
        case .replaceEmptySections:
            try store.execute("DELETE FROM lists WHERE id NOT IN (SELECT list_id FROM items WHERE list_id NOTNULL)")
            try store.execute("INSERT INTO lists VALUES (100 + ?1, 1.5), (200 + ?1, 2.5)", [.integer(count)])
        case .foreignWrite: try write(other.get())
        case .foreignSections: try writeSections(other.get())
        case .dispatch: try store.dispatch()
        case .pause: for list in controllers { try list.setPaused(true) }
        case .resume: for list in controllers { try list.resume() }
        case .reload: for list in controllers { try list.resume(reload: true) }
        case .begin: try store.begin()
        case .beginReading:
            try store.begin(.deferred)
            try store.execute("SELECT count(*) FROM items")
        case .commit: try store.commit()
        case .rollback: try store.rollback()
        case .fetch: try lists?.performFetch()
        case .fetchInBackground: try fetchInBackground()
        case .awaitFetch: try awaitFetch()
        case .changeRequest:
            settings.showsOpenOnly.toggle()
            for list in controllers {
                var request = list.request
                request.predicate = CachedLists.items(settings).predicate
                try list.setRequest(request)
            }
        case .changeSections: try changeSections()
        case .changeOptions:
            settings.hidesEmptySections.toggle()
            for map in maps { try map.setEmptySections(settings.hidesEmptySections ? .hidden : .shown) }
        case .fail: try store.execute("UPDATE items SET n = -9223372036854775807 - 1 WHERE id % 4 = 1")
        case .repair: try store.execute("UPDATE items SET n = 0")
        case .cacheElsewhere:
            let theirs = try CachedLists(other.get(), settings)
            try theirs.performFetch()
            for list in theirs.controllers { try? list.close() }
        }
    }

    func end(_ end: End) {
        switch end {
        case .storeCloses: break
        case .listsAreFreed:
            for list in controllers { try? list.close() }
            lists = nil
        case .fetchedAgain: attempt(.fetch)
        case .closedBeforeChange: close { $0.before = $1 }
        case .closedAfterChange: close { $0.after = $1 }
        }
        try? store.close()
        lists = nil
        if hasOther { try? other.get().close() }
    }

    private var controllers: [FetchedResultsController] { lists?.controllers ?? [] }
    private var maps: [SectionMap] { controllers.compactMap { $0 as? SectionMap } }

    private func write(_ store: Store) throws {
        try store.execute(
            """
            UPDATE items SET name = char(97 + (id * 7 + ?1) % 12), list_id = 1 + (id + ?1) % 3 WHERE id % 3 = ?1 % 3
            """, [.integer(count)])
        try store.execute("DELETE FROM items WHERE id = ?", [.integer(count)])
        try store.execute("INSERT INTO items VALUES (NULL, 1 + ?1 % 5, 'c' || ?1, 0, 0)", [.integer(count)])
    }

    private func writeSections(_ store: Store) throws {
        try store.execute("UPDATE lists SET position = (position * 3 + ?1) % 5", [.integer(count)])
        try store.execute("DELETE FROM lists WHERE id = ?", [.integer(1 + count % 4)])
        try store.execute("INSERT INTO lists VALUES (?1, ?1 % 4)", [.integer(10 + count)])
    }

    private func fetchInBackground() throws {
        for list in controllers {
            try list.performFetchAsynchronously { [weak self] _ in self?.fetching -= 1 }
            fetching += 1
        }
    }

    private func awaitFetch() throws {
        for _ in 0..<100 where try fetching > 0 && !store.isInTransaction { try store.wait(milliseconds: 100) }
    }

    private func changeSections() throws {
        settings.areSectionsReversed.toggle()
        try lists?.mapOfKeys.setSectionKeys(CachedLists.keys(settings))
        for map in maps where map !== lists?.mapOfKeys {
            var request = CachedLists.sections(settings)
            request.cacheName = map.request.cacheName.map { "sections of \($0)" }
            try map.setSectionRequest(request)
        }
    }

    /// Closes the store in the first callback of a change.
    private func close(_ notify: (Closer, @escaping () -> Void) -> Void) {
        let closer = Closer()
        notify(closer) { [store] in try? store.close() }
        lists?.sections.addObserver(closer)
        attempt(.write)
        attempt(.dispatch)
    }

    private final class Closer: FetchedResultsObserver {
        var before: () -> Void = {}
        var after: () -> Void = {}

        func listWillChange(_ list: any LiveList) { before() }
        func listDidChange(_ list: any LiveList) { after() }
    }
}
