import ChangeSets
import SQLiteKit
import TestSupport
import Testing

@testable import FetchedResults

/// Rows of tables whose declared key holds NULL, which SQLite allows: their identity ends in the
/// rowid, and is never the one of a row with a key.
@Suite struct NullKeys {
    /// A table with these columns. The key of the row at the rowid 1 is 2 in all its columns, and
    /// the key of the row at the rowid 2 holds NULL.
    struct Kind: CustomTestStringConvertible {
        let columns: String
        var isText = false
        var keyCount = 1
        var nullKey = "NULL"

        var testDescription: String { columns }
        var names: String { keyCount == 1 ? "k" : "k, l" }
        var key: [Value] { Array(repeating: isText ? "2" : 2, count: keyCount) }
        var keySQL: String { key.map(\.description).joined(separator: ", ") }

        func identity(ofRowid rowid: Int64) -> [Value] {
            Array(repeating: .null, count: keyCount) + [.integer(rowid)]
        }

        /// The identity of the row at the rowid 2.
        var nullIdentity: [Value] { identity(ofRowid: 2) }

        var script: String {
            """
            CREATE TABLE t (\(columns));
            INSERT INTO t (_rowid_, \(names), v) VALUES (1, \(keySQL), 'a'), (2, \(nullKey), 'b');
            """
        }

        static let all = [
            Kind(columns: "k INT PRIMARY KEY, v"),
            Kind(columns: "k TEXT PRIMARY KEY, v", isText: true),
            Kind(columns: "k TEXT COLLATE NOCASE PRIMARY KEY, v", isText: true),
            Kind(columns: "k INTEGER PRIMARY KEY DESC, v"),
            Kind(columns: "v, k, PRIMARY KEY (k)"),
            Kind(columns: "k INT PRIMARY KEY, v, rowid TEXT DEFAULT 'no rowid'"),
            Kind(columns: "k, l, v, PRIMARY KEY (k, l)", keyCount: 2, nullKey: "NULL, 2"),
            Kind(columns: "k, l, v, PRIMARY KEY (k, l)", keyCount: 2, nullKey: "2, NULL"),
            Kind(columns: "l INT NOT NULL, k INT, v, PRIMARY KEY (k, l)", keyCount: 2, nullKey: "NULL, 2"),
        ]
    }

    private func values(_ store: Store) throws -> [Value] {
        var values: [Value] = []
        try store.query("SELECT v FROM t ORDER BY _rowid_") { values += $0 }
        return values
    }

    /// Before: a row whose key is 2, and one whose rowid is 2. Expected: each is found at its place
    /// by its object and its identity, which differ.
    @Test(arguments: Kind.all) func theirIdentityIsNoKey(kind: Kind) throws {
        let store = try makeStore(kind.script)
        let list = try Watch(store, "t", sort: ["v"]).controller
        let paths = (0..<2).map { ListIndexPath(section: 0, row: $0) }
        let objects = try paths.map(list.object(at:))
        #expect(objects.map(\.identity) == [kind.key, kind.nullIdentity])
        #expect(Set(objects.map(\.identity)).count == 2)
        #expect(try objects.map(list.indexPath(of:)) == paths)
        #expect(try objects.map { try list.indexPath(ofIdentity: $0.identity) } == paths)
        #expect(try objects.map { try store.object("t", identity: $0.identity)?["v"] } == ["a", "b"])
        #expect(try objects.map { try store.object("t", identity: $0.identity)?.identity } == objects.map(\.identity))
    }

    /// Change: each row is updated and deleted by its identity. Expected: the other one stays.
    @Test(arguments: Kind.all) func writingByIdentityConcernsOneRow(kind: Kind) throws {
        let store = try makeStore(kind.script)
        let list = try Watch(store, "t", sort: ["v"])
        let null = kind.nullIdentity.map { $0 == .null ? "NULL" : "\($0)" }.joined(separator: "/")
        let key = kind.key.map { $0.castToText ?? "" }.joined(separator: "/")
        try store.update("t", identity: kind.nullIdentity, [(column: "v", value: "c")])
        #expect(try values(store) == ["a", "c"])
        #expect(list.take() == ["update \(null) from 0.1 to 0.1 v"])
        try store.update("t", identity: kind.key, [(column: "v", value: "d")])
        #expect(try values(store) == ["d", "c"])
        #expect(list.take() == ["move \(key) from 0.0 to 0.1 v"])
        try store.delete(from: "t", identity: kind.nullIdentity)
        #expect(try values(store) == ["d"])
        #expect(list.take() == ["delete \(null) at 0.0"])
        expectFailure(.notFound) { try store.delete(from: "t", identity: kind.nullIdentity) }
        #expect(try store.object("t", identity: kind.nullIdentity) == nil)
        try store.delete(from: "t", identity: kind.key)
        #expect(list.take() == ["delete \(key) at 0.0"])
        // The other way round: no row has the key.
        try store.execute("INSERT INTO t (_rowid_, \(kind.names), v) VALUES (2, \(kind.nullKey), 'b')")
        expectFailure(.notFound) { try store.delete(from: "t", identity: kind.key) }
        expectFailure(.notFound) { try store.update("t", identity: kind.key, [(column: "v", value: "e")]) }
        #expect(try list.controller.indexPath(ofIdentity: kind.key) == nil)
        #expect(try values(store) == ["b"])
    }

    @Test(arguments: Kind.all) func anInsertedRowHasIt(kind: Kind) throws {
        let store = try makeStore(kind.script)
        let parts = [("k", Value.null), ("l", 2)].prefix(kind.keyCount) + [("v", "c")]
        let object = try store.insert(into: "t", parts.map { (column: $0.0, value: $0.1) })
        #expect(object.identity == kind.identity(ofRowid: 3))
        #expect(try store.object("t", identity: object.identity)?["v"] == "c")
    }

    /// What has another number of values is an error; other values in their places are no row's
    /// identity.
    @Test(arguments: Kind.all) func nothingElseIsOne(kind: Kind) throws {
        let store = try makeStore(kind.script)
        let list = try Watch(store, "t").controller
        for count in [0, kind.keyCount + 2] {
            let identity = [Value](repeating: 2, count: count)
            expectFailure(.range, naming: "\(kind.keyCount + 1)") { try store.delete(from: "t", identity: identity) }
            expectFailure(.range) { _ = try store.object("t", identity: identity) }
            expectFailure(.range) { _ = try list.indexPath(ofIdentity: identity) }
        }
        let nulls = [Value](repeating: .null, count: kind.keyCount)
        for identity in [
            nulls, kind.key + [2], kind.key + [1], kind.key + [.null], nulls + [.null], nulls + ["2"], nulls + [2.0],
            nulls + [.blob([50])], nulls + [1], nulls + [.integer(.max)], nulls + [.integer(.min)],
        ] {
            expectFailure(.notFound) { try store.delete(from: "t", identity: identity) }
            expectFailure(.notFound) { try store.update("t", identity: identity, [(column: "v", value: "e")]) }
            #expect(try store.object("t", identity: identity) == nil)
            #expect(try list.indexPath(ofIdentity: identity) == nil)
        }
        #expect(try values(store) == ["a", "b"])
    }

    /// A table whose identity is the rowid has no identity of this kind, and neither has a key that
    /// can't be NULL.
    @Test(arguments: [
        "k UNIQUE, v)", "k INTEGER PRIMARY KEY, v)", "k INT NOT NULL PRIMARY KEY, v)",
        "k PRIMARY KEY, v) WITHOUT ROWID",
    ])
    func otherTablesHaveNone(columns: String) throws {
        let store = try makeStore("CREATE TABLE t (\(columns); INSERT INTO t VALUES (1, 'a')")
        let list = try Watch(store, "t").controller
        #expect(try list.object(at: ListIndexPath(section: 0, row: 0)).identity == [1])
        expectFailure(.range) { try store.delete(from: "t", identity: [nil, 1]) }
        expectFailure(.range) { _ = try list.indexPath(ofIdentity: [nil, 1]) }
    }

    /// Change: the row with NULL is given a key, and NULL again. Expected: another row each time;
    /// as long as the key holds NULL it is the same row, whatever the key's other columns.
    @Test(arguments: Kind.all) func aRowThatIsGivenAKeyIsAnotherRow(kind: Kind) throws {
        let store = try makeStore(kind.script)
        let list = try Watch(store, "t", sort: ["v"])
        let null = kind.nullIdentity.map { $0 == .null ? "NULL" : "\($0)" }.joined(separator: "/")
        let given = kind.key.map { _ in "7" }.joined(separator: "/")
        let parts = kind.names.split(separator: ", ")
        try store.execute("UPDATE t SET " + parts.map { "\($0) = 7" }.joined(separator: ", ") + " WHERE _rowid_ = 2")
        #expect(list.take() == ["delete \(null) at 0.1", "insert \(given) at 0.1"])
        try store.execute("UPDATE t SET k = NULL WHERE _rowid_ = 2")
        #expect(list.take() == ["delete \(given) at 0.1", "insert \(null) at 0.1"])
        guard kind.keyCount > 1 else { return }
        try store.execute("UPDATE t SET l = 8 WHERE _rowid_ = 2")
        #expect(list.take() == ["update \(null) from 0.1 to 0.1 l"])
        #expect(try list.controller.indexPath(ofIdentity: kind.nullIdentity) == ListIndexPath(section: 0, row: 1))
    }

    /// Change: another store deletes and updates rows that nobody read. Expected: records with
    /// these identities, and, in WAL mode, with the rows' old values.
    @Test(arguments: Kind.all, ["wal", "delete"]) func othersChangeThem(kind: Kind, journalMode: String) throws {
        let file = TemporaryFile()
        var options = StoreOptions()
        options.journalMode = journalMode
        let other = try Store(path: file.path, options: options)
        try other.executeScript(kind.script)
        try other.execute("INSERT INTO t (_rowid_, \(kind.names), v) VALUES (3, \(kind.nullKey), 'c')")
        let store = try Store(path: file.path, options: options)
        let list = try Watch(store, "t", sort: ["v"])
        try other.delete(from: "t", identity: kind.nullIdentity)
        try other.update("t", identity: kind.identity(ofRowid: 3), [(column: "v", value: "0")])
        try store.dispatch()
        let changes = try list.delivery()
        let records = changes.changeSet.objectChanges
        #expect(records.map(changes.identity(of:)) == [kind.nullIdentity, kind.identity(ofRowid: 3)])
        #expect(try changes.object(of: records[0]).identity == kind.nullIdentity)
        if journalMode == "wal" {
            #expect(try changes.object(of: records[0])["v"] == "b")
            #expect(changes.oldValues.map { $0?.contains("b") ?? false } == [true, false])
            #expect(changes.oldValues.map { $0?.contains("c") ?? false } == [false, true])
        }
        try other.delete(from: "t", identity: kind.key)
        try store.dispatch()
        #expect(try list.delivery().identity(of: list.delivery().changeSet.objectChanges[0]) == kind.key)
        #expect(try list.controller.values("v") == [["0"]])
    }

    /// Before: a cached list. Change: rows change by their identities before the next start.
    /// Expected: the list that is read from its file shows the rows at their places.
    @Test(arguments: Kind.all) func cachedListsHaveThem(kind: Kind) throws {
        let starts = try Starts(kind.script, journalMode: "wal")
        var request = FetchRequest(entity: "t", sorts: [Sort("v")])
        request.cacheName = "t"
        for round in 0..<3 {
            try starts.start { store in
                let list = try FetchedResultsController(store: store, request: request, nodes: Starts.smallNodes)
                try list.performFetch()
                #expect(list.engine.counters.cachedFetches == (round == 0 ? 0 : 1))
                let paths = (0..<2).map { ListIndexPath(section: 0, row: $0) }
                let identities = round == 2 ? [kind.nullIdentity, kind.key] : [kind.key, kind.nullIdentity]
                #expect(try paths.map { try list.object(at: $0).identity } == identities)
                #expect(try identities.map(list.indexPath(ofIdentity:)) == paths)
                if round == 1 { try store.update("t", identity: kind.nullIdentity, [(column: "v", value: "0")]) }
                try list.close()
            }
        }
    }

    /// Change: the rows are touched, and the columns of a composite key that holds NULL. Expected:
    /// the identities that lists show, each once.
    @Test(arguments: Kind.all) func historiesHaveThemOnce(kind: Kind) throws {
        let store = try makeStore(kind.script)
        try store.startHistory(of: "t")
        let before = try store.historyGeneration
        try store.update("t", identity: kind.nullIdentity, [(column: "v", value: "c")])
        try store.update("t", identity: kind.key, [(column: "v", value: "d")])
        if kind.keyCount > 1 {
            try store.execute("UPDATE t SET k = NULL, l = 5 WHERE _rowid_ = 2")
            try store.execute("UPDATE t SET l = 6 WHERE _rowid_ = 2")
        }
        try store.delete(from: "t", identity: kind.nullIdentity)
        #expect(try store.touchedRows(of: "t", since: before) == [kind.nullIdentity, kind.key])
    }

    /// The value of each row by its identity, as SQL shows them.
    private func picture(_ store: Store, _ kind: Kind) throws -> [[Value]: Value] {
        var rows: [[Value]: Value] = [:]
        try store.query("SELECT _rowid_, v, \(kind.names) FROM t") { row in
            let key = Array(row.dropFirst(2))
            rows[key.contains(.null) ? Array(repeating: .null, count: key.count) + [row[0]] : key] = row[1]
        }
        return rows
    }

    private func changes(_ old: [[Value]: Value], _ new: [[Value]: Value]) -> Set<[Value]> {
        Set(Set(old.keys).union(new.keys).filter { old[$0] != new[$0] })
    }

    /// Random writes by identity and in SQL, of two stores, over few keys and rowids. Expected: a
    /// write by identity concerns the row with that identity alone; after a dispatch the list has
    /// each row at the place of its identity, and the history every change once.
    @Test(arguments: Kind.all, RandomTests.seeds(0..<4)) func randomWrites(kind: Kind, seed: UInt64) throws {
        let file = TemporaryFile()
        var random = SeededRandom(seed: seed)
        var options = StoreOptions()
        options.journalMode = random.chance(70) ? "wal" : "delete"
        let store = try Store(path: file.path, options: options)
        try store.executeScript("CREATE TABLE t (\(kind.columns))")
        try store.startHistory(of: "t")
        let other = try Store(path: file.path, options: options)
        let list = try Watch(store, "t", sort: [random.pick(["v", "k"])]).controller
        var generation = try store.historyGeneration
        var (shown, rows) = ([[Value]: Value](), [[Value]: Value]())
        for step in 0..<60 {
            let writer = random.chance(50) ? store : other
            let known = rows.keys.sorted { "\($0)" < "\($1)" } + [kind.key, kind.nullIdentity]
            let identity = random.chance(60) ? random.pick(known) : nil
            do {
                try write(&random, writer, kind, identity, step)
                if let identity { #expect(rows[identity] != nil) }
            } catch let error as StoreError where error.status == .notFound {
                #expect(identity.map { rows[$0] == nil } ?? false)
            }
            let now = try picture(store, kind)
            if let identity { #expect(changes(rows, now).isSubset(of: [identity])) }
            rows = now
            if random.chance(30) { continue }
            try store.dispatch()
            #expect(try list.numberOfObjects == rows.count)
            for (identity, value) in rows {
                #expect(try store.object("t", identity: identity)?["v"] == value)
                let object = try list.indexPath(ofIdentity: identity).map(list.object(at:))
                #expect(object?.identity == identity && object?["v"] == value)
            }
            for identity in shown.keys where rows[identity] == nil {
                #expect(try list.indexPath(ofIdentity: identity) == nil)
                #expect(try store.object("t", identity: identity) == nil)
            }
            let touched = try store.touchedRows(of: "t", since: generation)
            #expect(Set(touched).count == touched.count)
            #expect(changes(shown, rows).isSubset(of: Set(touched)))
            generation = try store.historyGeneration
            shown = rows
        }
    }

    /// Updates or deletes the row with an identity, or, without one, writes any row in SQL.
    private func write(
        _ random: inout SeededRandom, _ writer: Store, _ kind: Kind, _ identity: [Value]?, _ step: Int
    ) throws {
        if let identity {
            if random.chance(50) { return try writer.delete(from: "t", identity: identity) }
            return try writer.update("t", identity: identity, [(column: "v", value: .integer(Int64(step)))])
        }
        let rowid = random.below(4) + 1
        var key = (0..<kind.keyCount).map { _ in random.pick(["NULL", "1", "2", "3"]) }
        if kind.columns.contains("l INT NOT NULL") { key[1] = "2" }
        if random.chance(40) {
            let assigned = zip(["k", "l"], key).map { "\($0) = \($1)" }.joined(separator: ", ")
            return try writer.execute("UPDATE OR IGNORE t SET \(assigned) WHERE _rowid_ = \(rowid)")
        }
        try writer.execute(
            "INSERT OR REPLACE INTO t (_rowid_, \(kind.names), v) VALUES (\(rowid), \(key.joined(separator: ", ")), \(step))"
        )
    }
}
