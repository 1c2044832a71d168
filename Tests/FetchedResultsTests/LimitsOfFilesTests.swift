import Foundation
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// Numbers at which the follower of a file, histories, cached lists and text keys begin to work in
/// another way.
@Suite struct LimitsOfFiles {
    private static func limit(_ value: Int, _ file: String, _ line: String) -> Limits.Limit {
        Limits.limit(value, file, line)
    }

    private func expect(_ watch: Watch, _ store: Store, at location: SourceLocation = #_sourceLocation) throws {
        try Limits().expect(watch.controller, store, "", at: location)
    }

    static let ofFrames = [
        limit(64, "LogFollower/Follower/LogFollower.swift", "private static let longestPreparedStep = 64"),
        limit(64, "LogFollower/Follower/LogFollower.swift", "private static let longestSkip = 64"),
        limit(4_062, "LogFollower/Log/LogPosition.swift", "framesInFirstRegion: UInt32 { 4062 }"),
        limit(16_384, "LogFollower/Follower/FollowedMap.swift", "frameLimit: UInt32 = 16_384"),
    ]
    static let ofKeys = [
        limit(64, "ListEngine/Rows/IdentityTable.swift", "if capacity > 64, count * 6 < capacity"),
        limit(256, "ListEngine/Rows/IdentitySlots.swift", "private static let pageSize = 256"),
        limit(1_024, "ListEngine/Rows/IdentityPage.swift", "if capacity > 1024, live < capacity"),
        limit(4_096, "OrderedTree/IdentityMap/HashedIdentities+Fill.swift", "partSize: Int { 4096 }"),
    ]
    static let ofNotedRows = [
        limit(100_000, "FetchedResults/Fetch/BackgroundReading.swift", "private static let limit = 100_000"),
        limit(100_000, "FetchedResults/History/History.swift", "private static let greatestCount = 100_000"),
    ]
    static let ofCachedBytes = [
        limit(262_144, "FetchedResults/ListCache/ListFileWriter.swift", "static let chunkSize = 1 << 18")
    ]
    static let all = ofFrames + ofKeys + ofNotedRows + ofCachedBytes

    /// Before: a list of a file whose rows have a page each. Change: another connection changes as
    /// many pages by one commit, twice.
    @Test(arguments: Set(ofFrames.flatMap(\.counts)).sorted())
    func ofTheFramesOfACommitOfAnotherConnection(_ count: Int) throws {
        let file = TemporaryFile()
        let other = try Connection.open(path: file.path, readOnly: false, create: true)
        defer { other.close() }
        for statement in [
            "PRAGMA page_size = 512", "PRAGMA journal_mode = WAL",
            "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, pad BLOB)",
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count + 1))
                INSERT INTO items SELECT i, printf('%06d', i), zeroblob(300) FROM n
            """,
        ] {
            try other.execute(statement)
        }
        let own = try Store(path: file.path)
        let list = try Watch(own, "items", sort: ["name"], nodes: .standard)
        try own.dispatch()
        for factor in [7, 5] {
            try other.execute(
                "UPDATE items SET name = printf('%d%05d', \(factor), id * \(factor) % 1000) WHERE id <= \(count)")
            try own.dispatch()
            try expect(list, own)
        }
        let isFollowed = count <= 16_384
        #expect(try own.foreignCounters.frames == (isFollowed ? 2 * count : 0))
        #expect(try own.foreignCounters.unknown[.many] ?? 0 == (isFollowed ? 0 : 2))
    }

    /// Before: as many rows with text keys. Change: half of the rows are deleted, and new rows are
    /// inserted in their places.
    @Test(arguments: Set(ofKeys.flatMap(\.counts)).sorted(), ["", " WITHOUT ROWID"])
    func ofTheRowsWithTextKeys(_ count: Int, suffix: String) throws {
        if count > 4_097, !suffix.isEmpty { return }
        let store = try makeStore(
            """
            CREATE TABLE items (id TEXT PRIMARY KEY NOT NULL, name TEXT)\(suffix);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                INSERT INTO items SELECT 'k' || i, 'n' || (i * 7 % \(count)) FROM n;
            """)
        let list = try Watch(store, "items", sort: ["name"], nodes: .standard)
        try expect(list, store)
        for statement in [
            "DELETE FROM items WHERE unicode(substr(id, -1)) % 2",
            "INSERT INTO items SELECT 'm' || id, name FROM items",
            "DELETE FROM items WHERE id LIKE 'k%'", "UPDATE items SET id = 'n' || id, name = name || 'x'",
        ] {
            try store.execute(statement)
            try expect(list, store)
        }
        try list.controller.performFetch()
        try expect(list, store)
    }

    /// Before: a list that is being read in the background. Change: as many rows.
    @Test(arguments: Set(ofNotedRows.flatMap(\.counts)).sorted())
    func ofTheRowsThatChangeDuringAFetchInTheBackground(_ count: Int) throws {
        let file = TemporaryFile()
        let store = try Store(path: file.path)
        try store.executeScript(Self.numbered(count))
        let list = try FetchedResultsController(
            store: store, request: FetchRequest(entity: "items", sorts: [Sort("name")]))
        var outcome: StoreError??
        try list.performFetchAsynchronously { outcome = .some($0) }
        try store.execute("UPDATE items SET name = 'm' || id WHERE id <= \(count)")
        while outcome == nil { try store.wait(milliseconds: 10) }
        #expect(outcome == .some(nil))
        try expectSome(list, store)
    }

    /// Each hundredth row is what a SELECT yields.
    private func expectSome(
        _ list: FetchedResultsController, _ store: Store, at location: SourceLocation = #_sourceLocation
    ) throws {
        let wanted = try store.connection.rows("SELECT id, name FROM items ORDER BY name, id")
        try #require(list.numberOfObjects == wanted.count, sourceLocation: location)
        for index in stride(from: 0, to: wanted.count, by: 101) {
            let values = try list.object(at: list.indexPath(at: index)).values
            #expect(values == wanted[index], sourceLocation: location)
        }
    }

    /// Before: a list of a table with a history, in a rollback mode. Change: as many rows, by
    /// another connection.
    @Test(arguments: Set(ofNotedRows.flatMap(\.counts)).sorted())
    func ofTheRowsOfAHistory(_ count: Int) throws {
        let file = TemporaryFile()
        var options = StoreOptions()
        options.journalMode = "delete"
        let (own, other) = (try Store(path: file.path, options: options), try Store(path: file.path, options: options))
        try own.executeScript(Self.numbered(count))
        try own.startHistory(of: "items")
        let list = try Watch(own, "items", sort: ["name"], nodes: .standard)
        try own.dispatch()
        try other.execute("UPDATE items SET name = 'm' || id WHERE id <= \(count)")
        try own.dispatch()
        try expectSome(list.controller, own)
    }

    private static func numbered(_ count: Int) -> String {
        """
        CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count + 10))
            INSERT INTO items SELECT i, 'n' || (i * 7 % \(count)) FROM n;
        """
    }

    /// Before: a list whose file is about as long as what is written together, or twice as long.
    /// Change: one more row each time; the next start takes the list from the file.
    @Test(arguments: [1, 2]) func ofTheBytesOfACachedList(_ factor: Int) throws {
        let starts = try Starts("CREATE TABLE items (id TEXT PRIMARY KEY, name TEXT)")
        var request = FetchRequest(entity: "items", sorts: [Sort("name")])
        request.cacheName = "all"
        func insert(_ count: Int) throws {
            try starts.start {
                try $0.executeScript(
                    """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                    INSERT INTO items SELECT printf('%08d', i + (SELECT count(*) FROM items)), 'name' || i % 99 FROM n
                    """)
            }
        }
        func read() throws -> (rows: [[Value]], isFromCache: Bool) {
            try starts.start { store in
                let list = try FetchedResultsController(store: store, request: request)
                try list.performFetch()
                let rows = try (0..<list.numberOfObjects).map {
                    try list.object(at: list.indexPath(at: $0)).values ?? []
                }
                return (rows, list.engine.counters.cachedFetches == 1)
            }
        }
        func length() throws -> Int {
            try FileManager.default.attributesOfItem(atPath: try #require(starts.files.first))[.size] as? Int ?? 0
        }
        try insert(1_000)
        _ = try read()
        let few = try length()
        try insert(1_000)
        _ = try read()
        // Some bytes for each row, and some for the file.
        let bytes = (try length() - few) / 1_000
        for less in [60, 10] {
            let missing = try 262_144 * factor - length()
            try insert(missing / bytes - less)
            _ = try read()
        }
        var lengths = [try length()]
        while lengths.count < 100, let last = lengths.last, last <= 262_144 * factor {
            try insert(1)
            let written = try read()
            #expect(!written.isFromCache)
            let taken = try read()
            #expect(taken.isFromCache && taken.rows == written.rows)
            lengths.append(try length())
        }
        let (first, last) = (try #require(lengths.first), try #require(lengths.last))
        #expect(first <= 262_144 * factor && last > 262_144 * factor, "\(lengths)")
    }
}
