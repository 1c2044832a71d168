import LogFollower
import SQLiteKit
import TestSupport
import Testing

/// A writer changes tables of all kinds at random, with pages of all sizes, and checkpoints of all
/// kinds. A follower has to find every row that differs from one state to the next, with its old
/// record. It may fail only where the layout changed.
@Suite struct FollowRandomTests {
    @Test func everyChangedRowIsFound() throws {
        var stepsAhead = 0
        for seed in RandomTests.seeds(1..<7) {
            let world = try World(seed: seed)
            defer { world.close() }
            for _ in 0..<40 {
                let faults = try world.step()
                try #require(
                    faults == [],
                    "\(RandomTests.replay(seed, "FollowRandom"))\n\(world.history.joined(separator: "\n"))")
            }
            #expect(world.follower.counters.advances > world.follower.counters.stepsAhead)
            stepsAhead += world.follower.counters.stepsAhead
        }
        #expect(stepsAhead > 0)
    }

    /// States that were only noted, as in a file. What the log contains of the changes since then
    /// is correct, or it contains nothing.
    @Test func changesAreFoundFromStatesThatWereNotHeld() throws {
        var waysFound = 0
        for seed in RandomTests.seeds(1..<9) {
            let world = try World(seed: seed)
            defer { world.close() }
            // Without a read transaction, others restart the log whenever possible.
            try world.follower.release()
            for _ in 0..<20 {
                let faults = try world.stepFromMarks()
                try #require(
                    faults == [],
                    "\(RandomTests.replay(seed, "FollowRandom"))\n\(world.history.joined(separator: "\n"))")
            }
            waysFound += world.waysFound
        }
        #expect(waysFound > 0)
    }

    /// A step that was computed ahead is taken if nothing was committed after it, and else computed
    /// again. If that happens each time, most steps are no longer computed ahead.
    @Test func aStepIsComputedAhead() throws {
        let items = try Items()
        defer { items.close() }
        let (writer, follower) = (items.writer, items.follower)
        func insert(_ ids: Range<Int>) throws {
            for id in ids { try writer.execute("INSERT INTO items VALUES (\(id), 'name')") }
        }
        func expectRows(_ ids: Range<Int>) throws {
            let next = try #require(follower.latest())
            let advance = try follower.advance(to: next, [ExactText("items")]) { changes, _ in
                #expect(changes.flatMap { $0.rowids.map(\.rowid) } == ids.map { Int64($0) })
            }
            #expect(advance == .known)
        }

        // The map and the tables are unknown before the first step.
        try insert(0..<1)
        try follower.prepareStep()
        try expectRows(0..<1)
        #expect(follower.counters.stepsAhead == 0)

        try insert(1..<2)
        try follower.prepareStep()
        try expectRows(1..<2)
        #expect(follower.counters.stepsAhead == 1)

        for round in 1...20 {
            try insert(2 * round..<2 * round + 1)
            try follower.prepareStep()
            try insert(2 * round + 1..<2 * round + 2)
            try expectRows(2 * round..<2 * round + 2)
        }
        #expect(follower.counters.stepsAhead == 1)

        for id in 50..<200 {
            try insert(id..<id + 1)
            try follower.prepareStep()
            try expectRows(id..<id + 1)
        }
        #expect((100...150).contains(follower.counters.stepsAhead))
        #expect(follower.counters.maps == 1)
    }

    /// A step that was computed ahead and is never taken does not keep others from emptying the log
    /// when the follower releases its state.
    @Test(arguments: [false, true]) func aStepThatIsNotTakenHoldsNothing(yields: Bool) throws {
        let items = try Items()
        defer { items.close() }
        let (writer, follower) = (items.writer, items.follower)
        try writer.execute("INSERT INTO items VALUES (0, 'name')")
        _ = try follower.advance(to: try #require(follower.latest()), [ExactText("items")]) { _, _ in }
        try writer.execute("INSERT INTO items VALUES (1, 'name')")
        try follower.prepareStep()
        // The first column says whether the checkpoint had to leave something.
        #expect(try writer.rows("PRAGMA wal_checkpoint(TRUNCATE)").first?.first == .integer(1))
        if yields { try follower.lose(.snapshot) } else { try follower.release() }
        #expect(try writer.rows("PRAGMA wal_checkpoint(TRUNCATE)").first?.first == .integer(0))
    }

    /// The pages above the leaves are not read again, although commits between were known from
    /// another source.
    @Test(arguments: [false, true]) func theMapOutlivesSkippedCommits(catchesUp: Bool) throws {
        let items = try Items()
        defer { items.close() }
        let (writer, follower) = (items.writer, items.follower)
        for round in 0..<400 {
            try writer.execute("INSERT INTO items VALUES (\(round), 'skipped')")
            follower.skip(to: try #require(follower.latest()))
            if catchesUp { #expect(try follower.catchUp()) }
            try writer.execute("UPDATE items SET name = 'found' WHERE id = \(round)")
            let next = try #require(follower.latest())
            let advance = try follower.advance(to: next, [ExactText("items")]) { changes, _ in
                #expect(changes.flatMap { $0.rowids.map(\.rowid) } == [Int64(round)])
            }
            #expect(advance == .known)
        }
        #expect(follower.counters.maps == 1)
    }
}

/// A table without rows that is followed.
private final class Items {
    let writer: Connection
    let follower: LogFollower
    private let file = TemporaryFile()

    init() throws {
        writer = try Connection.open(path: file.path, readOnly: false, create: true)
        try writer.execute("PRAGMA journal_mode = WAL")
        try writer.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name)")
        follower = try #require(try LogFollower(DatabaseFile(path: file.path, name: "main", encoding: .utf8)))
        #expect(try follower.restart(at: try #require(follower.latest())))
    }

    func close() {
        follower.close()
        writer.close()
    }
}

/// A database, its writer, and what the follower is expected to return.
private final class World {
    private struct Table {
        let name: String
        /// The number of columns of the key, which come first; 0 for a table with rowids.
        var keyColumns = 0
        let select: String
        let layout: RecordLayout
    }

    private typealias Picture = [[[Value]: [Value]]]

    private let file = TemporaryFile()
    private let writer: Connection
    private let reader: Connection
    let follower: LogFollower
    private var random: SeededRandom
    private let tables: [Table]
    private let encoding: TextEncoding
    /// In every other world, the follower's connection has its file attached.
    private let database: DatabaseFile
    private var shown: Picture = []
    private(set) var history: [String] = []
    private var hasOtherLayout = false
    private var marks: [(mark: LogMark, picture: Picture)] = []
    /// How many times the log led from a mark to a later state.
    private(set) var waysFound = 0

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)

        let path = file.path
        writer = try Connection.open(path: path, readOnly: false, create: true)
        tables = [
            Table(
                name: "named", select: "SELECT rowid, * FROM named",
                layout: Self.layout([(0, true, false), (1, false, false), (2, false, true), (3, false, false)])),
            Table(
                name: "plain", select: "SELECT rowid, * FROM plain",
                layout: Self.layout([(0, false, false), (1, false, false)])),
            Table(
                name: "pairs", keyColumns: 2, select: "SELECT b, a, a, r, b, x FROM pairs",
                layout: Self.layout([(1, false, false), (2, false, true), (0, false, false), (3, false, false)])),
        ]
        for sql in [
            "PRAGMA encoding = '\(random.pick(["UTF-8", "UTF-8", "UTF-16le", "UTF-16be"]))'",
            "PRAGMA page_size = \(random.pick([512, 512, 1024, 4096, 65_536]))",
            "PRAGMA auto_vacuum = \(random.pick([0, 0, 1, 2]))", "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = OFF", "PRAGMA cache_size = \(random.pick([5, 2000]))",
            "PRAGMA secure_delete = \(random.pick(["ON", "OFF"]))",
            "PRAGMA wal_autocheckpoint = \(random.pick([0, 5, 1000]))",
            "CREATE TABLE named (id INTEGER PRIMARY KEY, a, r REAL, x)", "CREATE INDEX by_a ON named (a)",
            "CREATE TABLE plain (a, x)",
            "CREATE TABLE pairs (a, r REAL, b, x, PRIMARY KEY (b, a)) WITHOUT ROWID",
            "CREATE TABLE bystander (id INTEGER PRIMARY KEY, x)",
        ] { try writer.execute(sql) }
        reader = try Connection.open(path: path, readOnly: true, create: false)
        try reader.readEncoding()
        encoding = try #require(reader.encoding)
        database = DatabaseFile(path: path, name: seed % 2 == 0 ? "main" : "odd `name", encoding: encoding)
        follower = try #require(try LogFollower(database))
        try #require(try follower.restart(at: try #require(follower.latest())))
        shown = try picture()
    }

    func close() {
        follower.close()
        reader.close()
        writer.close()
    }

    private static func layout(_ columns: [(position: Int, isRowid: Bool, isReal: Bool)]) -> RecordLayout {
        RecordLayout(columns: columns)
    }

    private func picture() throws -> Picture {
        try tables.map { table in
            let count = max(1, table.keyColumns)
            let rows = try reader.rows(table.select).map { (Array($0.prefix(count)), Array($0.dropFirst(count))) }
            return Dictionary(uniqueKeysWithValues: rows)
        }
    }

    // MARK: Writing

    /// Runs a statement, which may fail.
    private func run(_ sql: String) {
        history.append(sql)
        do { try writer.execute(sql) } catch { history.append("  failed: \(error.message)") }
    }

    private func write() {
        let (id, other) = (random.below(40), random.below(40))
        let size = random.pick([0, 3, 100, 100, 450, 1000, 5000, 30_000])
        let table = random.pick(["named", "plain", "pairs", "bystander"])
        let rowid = table == "pairs" ? "a" : "rowid"
        switch random.below(15) {
        case 14:
            // Including invalid texts.
            let text = "CAST(randomblob(\(random.below(30))) AS TEXT)"
            run("INSERT OR REPLACE INTO pairs VALUES (\(id), \(other), '\u{e9}\u{1f600}' || \(text), \(text))")
            run("INSERT OR REPLACE INTO named VALUES (\(id), \(text), 1, '\u{fffd}\u{10000}' || \(text))")
        case 0...2:
            run(
                "INSERT OR REPLACE INTO named VALUES (\(id), \(other), \(random.pick(["1", "0.5", "NULL"])), zeroblob(\(size)))"
            )
        case 3: run("INSERT INTO plain VALUES (\(id), randomblob(\(size)))")
        case 4, 5: run("INSERT OR REPLACE INTO pairs VALUES (\(id), \(other), 'k\(other)', randomblob(\(size)))")
        case 6: run("DELETE FROM \(table) WHERE \(rowid) \(random.pick(["=", "<", ">"])) \(id)")
        case 7:
            run("UPDATE \(table) SET x = randomblob(length(x)) WHERE \(rowid) \(random.pick(["=", "<", ">"])) \(id)")
        case 8: run("UPDATE named SET id = id + 100 WHERE id = \(id)")
        case 9: run("INSERT OR REPLACE INTO bystander VALUES (\(id), randomblob(\(size)))")
        case 10: run("DELETE FROM \(table)")
        case 11: run("UPDATE pairs SET a = a + 1, r = \(other) WHERE a % 3 = \(other % 3)")
        case 12: run(Self.many("named", "\(other), value, randomblob(\(size / 10))", from: 200, count: 20 * id))
        default: run(Self.many("plain", "value, randomblob(\(size / 10))", from: 1, count: 20 * id))
        }
    }

    /// Inserts several rows.
    private static func many(_ table: String, _ values: String, from first: Int, count: Int) -> String {
        let key = table == "named" ? "value, " : ""
        return "WITH RECURSIVE numbers (value) AS (SELECT \(first) UNION ALL SELECT value + 1 FROM numbers "
            + "WHERE value < \(first + count)) INSERT OR REPLACE INTO \(table) SELECT \(key)\(values) FROM numbers"
    }

    private func transaction() {
        run("BEGIN")
        for _ in 0..<1 + random.below(4) { write() }
        if random.chance(20) {
            run("SAVEPOINT s")
            for _ in 0..<1 + random.below(4) { write() }
            run("ROLLBACK TO s")
            write()
        }
        run(random.chance(80) ? "COMMIT" : "ROLLBACK")
    }

    private func otherLayout() {
        hasOtherLayout = true
        switch random.below(4) {
        case 0: run("VACUUM")
        case 1: run("CREATE INDEX IF NOT EXISTS by_r ON named (r)")
        case 2: run("DROP INDEX IF EXISTS by_r")
        default: run("CREATE TABLE IF NOT EXISTS another (id INTEGER PRIMARY KEY)")
        }
    }

    private func checkpoint() {
        run("PRAGMA wal_checkpoint(\(random.pick(["PASSIVE", "FULL", "RESTART", "TRUNCATE"])))")
        run("PRAGMA incremental_vacuum(\(1 + random.below(5)))")
    }

    // MARK: Following

    private func writeAtRandom() throws {
        for _ in 0..<1 + random.below(4) {
            switch random.below(20) {
            case 0: otherLayout()
            case 1...3: checkpoint()
            case 4...10: transaction()
            default: write()
            }
            if random.chance(10) { try prepareStep() }
        }
        if random.chance(80) { try prepareStep() }
    }

    /// Computes the next step ahead; later writes make that useless.
    private func prepareStep() throws {
        history.append("-- prepared")
        try follower.prepareStep()
    }

    /// Makes some commits, then compares what a follower that is opened afterwards finds of them in
    /// the log.
    func stepFromMarks() throws -> [String] {
        try writeAtRandom()
        let present = try picture()
        let log = try #require(try LogFollower(database))
        defer { log.close() }
        let position = try #require(log.latest())
        var faults: [String] = []
        for (mark, picture) in marks.suffix(5) {
            guard let found = try log.changes(since: mark, upTo: position, Set(tables.map { ExactText($0.name) }))
            else {
                continue
            }
            waysFound += 1
            faults += self.faults(found, from: picture, to: present)
        }
        if let mark = position.mark { marks.append((mark, present)) }
        return faults
    }

    /// Makes some commits, then compares what the follower reports of them.
    func step() throws -> [String] {
        try writeAtRandom()
        let position = try #require(follower.latest())
        switch random.below(10) {
        case 0...2 where !hasOtherLayout:
            history.append("-- skipped")
            follower.skip(to: position)
            shown = try picture()
            if random.chance(50) { _ = try follower.catchUp() }
            return []
        case 3:
            history.append("-- restarted")
            try #require(try follower.restart(at: position))
            hasOtherLayout = false
            shown = try picture()
            return []
        default:
            history.append("-- advanced")
            let faults = try advance(to: position)
            if random.chance(50) { _ = try follower.catchUp() }
            return faults
        }
    }

    private func advance(to position: LogPosition) throws -> [String] {
        let before = shown
        shown = try picture()
        var found: [TableChange] = []
        defer { hasOtherLayout = false }
        switch try follower.advance(
            to: position, Set(tables.map { ExactText($0.name) }),
            {
                found = $0; _ = $1
            })
        {
        case .stayed: return ["there was another state"]
        case .unknown(let uncertainty): return hasOtherLayout ? [] : ["gave up: \(uncertainty)"]
        case .known:
            return faults(found, from: before, to: shown)
        }
    }

    private func faults(_ found: [TableChange], from before: Picture, to after: Picture) -> [String] {
        tables.indices.flatMap { index in
            let change = found.first { $0.table == ExactText(tables[index].name) }
            return faults(tables[index], change, before[index], after[index])
        }
    }

    private func faults(
        _ table: Table, _ change: TableChange?, _ before: [[Value]: [Value]], _ after: [[Value]: [Value]]
    ) -> [String] {
        var faults: [String] = []
        var found: Set<[Value]> = []
        for (rowid, record) in change?.rowids ?? [] {
            let key = [Value.integer(rowid)]
            found.insert(key)
            let old = record.flatMap {
                RowValues(record: $0, rowid: rowid, layout: table.layout, encoding: encoding)?.values
            }
            if old != before[key] { faults.append("\(table.name) \(key): was \(String(describing: old))") }
        }
        for record in change?.oldRecords ?? [] {
            guard let old = RowValues(record: record, rowid: 0, layout: table.layout, encoding: encoding)?.values else {
                faults.append("\(table.name): a record can't be read")
                continue
            }
            let key = [old[2], old[0]]
            found.insert(key)
            if before[key] != old { faults.append("\(table.name) \(key): was \(old)") }
        }
        for record in change?.newRecords ?? [] {
            guard let new = RowValues(record: record, rowid: 0, layout: table.layout, encoding: encoding)?.values else {
                faults.append("\(table.name): a record can't be read")
                continue
            }
            found.insert([new[2], new[0]])
            if after[[new[2], new[0]]] != new { faults.append("\(table.name): is not \(new)") }
        }
        for key in Set(before.keys).union(after.keys) where before[key] != after[key] && !found.contains(key) {
            faults.append("\(table.name) \(key) was missed")
        }
        for key in found where before[key] == after[key] { faults.append("\(table.name) \(key) did not change") }
        return faults
    }
}
