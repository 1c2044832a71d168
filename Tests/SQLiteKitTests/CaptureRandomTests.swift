import SQLiteKit
import TestSupport
import Testing

/// Random transactions, with savepoints, rollbacks, failing statements, REPLACE, triggers and
/// foreign keys. Every row that differs from its state at the last delivery has to be among the
/// touched rows, and each touched row has the image of that state.
@Suite struct CaptureRandomTests {
    private struct Table {
        let name: String
        let watch: TableWatch
        /// The number of columns of the key, which come first; 0 for a table with rowids, whose
        /// rowid comes first.
        let keyColumns: Int
        let select: String
    }

    private final class World {
        let connection: Connection
        let capture: ChangeCapture
        var random: SeededRandom
        var tables: [Table] = []
        var history: [String] = []
        var savepoints = 0

        init(seed: UInt64) throws {
            random = SeededRandom(seed: seed)
            connection = try memoryConnection(encoding: random.pick(["UTF-8", "UTF-16be"]))
            capture = ChangeCapture(connection: connection)
            for sql in [
                "PRAGMA foreign_keys = ON", "PRAGMA recursive_triggers = ON",
                "CREATE TABLE parents (id INTEGER PRIMARY KEY, name UNIQUE, n REAL)",
                "CREATE TABLE children (id INTEGER PRIMARY KEY, parent REFERENCES parents ON DELETE CASCADE, twice AS (n * 2), n)",
                "CREATE TABLE keyed (b TEXT, a INTEGER, r REAL, PRIMARY KEY (a, b)) WITHOUT ROWID",
                "CREATE TRIGGER copies AFTER UPDATE ON parents BEGIN "
                    + "INSERT OR REPLACE INTO keyed VALUES (new.name, new.id, new.n); END",
            ] { try connection.execute(sql) }
            try capture.start()
            try watch("parents", ImageLayout(columnCount: 3, isHookFaithful: true, select: select("parents"), key: nil))
            // The hook numbers the columns of a table with virtual ones differently.
            try watch(
                "children", ImageLayout(columnCount: 4, isHookFaithful: false, select: select("children"), key: nil))
            let keyed = "SELECT b, a, r FROM keyed WHERE a = ?1 AND b = ?2"
            try watch(
                "keyed", ImageLayout(columnCount: 3, isHookFaithful: false, select: keyed, key: ([1, 0], [1, 0])),
                select: "SELECT a, b, b, a, r FROM keyed", keyColumns: 2)
        }

        deinit { capture.stop() }

        private func select(_ table: String) -> String { "SELECT * FROM \(table) WHERE rowid = ?1" }

        private func watch(_ name: String, _ layout: ImageLayout, select: String? = nil, keyColumns: Int = 0) throws {
            let watch = try capture.watch(schema: "main", table: name, layout: layout)
            tables.append(
                Table(
                    name: name, watch: watch, keyColumns: keyColumns, select: select ?? "SELECT rowid, * FROM \(name)"))
        }

        /// Rows that were taken and are still in use, with what they were.
        private var held: [(rows: TouchedRows, content: [[Value]?])] = []

        /// The rows of all tables by their keys.
        func picture() throws -> [[[Value]: [Value]]] {
            try tables.map { table in
                let count = max(1, table.keyColumns)
                let rows = try connection.rows(table.select).map {
                    (Array($0.prefix(count)), Array($0.dropFirst(count)))
                }
                return Dictionary(uniqueKeysWithValues: rows)
            }
        }

        /// Runs a statement, which may fail.
        func run(_ sql: String) {
            history.append(sql)
            do { try connection.execute(sql) } catch { history.append("  failed: \(error.message)") }
        }

        func write() {
            let (id, other) = (random.below(6), random.below(6))
            let name = random.pick(["'a'", "'b'", "NULL", "'c'", "x'00'", "7"])
            let number = random.pick(["1", "1.5", "NULL", "'text'", "-0.0", "9007199254740993"])
            let conflict = random.pick(["", "OR REPLACE ", "OR IGNORE ", "OR FAIL ", "OR ABORT ", "OR ROLLBACK "])
            run(
                random.pick([
                    "INSERT \(conflict)INTO parents VALUES (\(id), \(name), \(number))",
                    "UPDATE \(conflict)parents SET name = \(name) WHERE id >= \(id)",
                    "UPDATE \(conflict)parents SET id = \(other) WHERE id = \(id)",
                    "UPDATE parents SET n = n", "DELETE FROM parents WHERE id = \(id)", "DELETE FROM children",
                    "INSERT \(conflict)INTO children (id, parent, n) VALUES (\(id), \(other), \(number))",
                    "UPDATE children SET n = \(number) WHERE id <= \(id)",
                    "INSERT \(conflict)INTO keyed VALUES (\(name), \(id), \(number))",
                    "UPDATE \(conflict)keyed SET a = \(other), r = \(number) WHERE a = \(id)", "DELETE FROM keyed",
                    "UPDATE keyed SET r = \(number) WHERE b = \(name)",
                ]))
        }

        func step() {
            switch random.below(12) {
            case 0 where connection.isAutocommit: run("BEGIN")
            case 1 where !connection.isAutocommit: run("COMMIT")
            case 2 where !connection.isAutocommit: run("ROLLBACK")
            case 3:
                savepoints += 1
                run("SAVEPOINT s\(savepoints)")
            case 4 where savepoints > 0: run("ROLLBACK TO s\(1 + random.below(savepoints))")
            case 5 where savepoints > 0: run("RELEASE s\(1 + random.below(savepoints))")
            default: write()
            }
        }

        /// Takes the touched rows and compares them with two pictures.
        func deliver(_ old: [[[Value]: [Value]]]) throws -> [String] {
            let new = try picture()
            let touched = capture.take()
            var faults: [String] = []
            for (index, table) in tables.enumerated() {
                let rows = touched.first { $0.watch === table.watch }?.rows
                var images: [[Value]: [Value]?] = [:]
                if let rows {
                    for (key, image) in zip(rows.rowids.all, rows.rowids.images) {
                        images.updateValue(image?.values, forKey: [.integer(key)])
                    }
                    for (key, image) in zip(rows.keys.all, rows.keys.images) {
                        images.updateValue(image?.values, forKey: key.values)
                    }
                    #expect(images.count == rows.count)
                }
                for key in Set(old[index].keys).union(new[index].keys) where old[index][key] != new[index][key] {
                    if images.index(forKey: key) == nil { faults.append("\(table.name) \(key) was not touched") }
                }
                for (key, image) in images where image != old[index][key] {
                    faults.append("\(table.name) \(key) was \(old[index][key] ?? []), its image is \(image ?? [])")
                }
            }
            for held in held where content(held.rows) != held.content { faults.append("taken rows have changed") }
            if random.chance(60) { held = [] }
            if random.chance(40) { held += touched.map { ($0.rows, content($0.rows)) } }
            return faults
        }

        private func content(_ rows: TouchedRows) -> [[Value]?] {
            rows.rowids.all.map { [.integer($0)] } + rows.rowids.images.map { $0?.values }
                + rows.keys.all.map(\.values) + rows.keys.images.map { $0?.values }
        }
    }

    @Test(arguments: RandomTests.seeds(1..<60))
    func touchedRowsHaveTheirOldImages(seed: UInt64) throws {
        let world = try World(seed: seed)
        var shown = try world.picture()
        for _ in 0..<120 {
            world.step()
            guard !world.connection.isInTransaction, world.random.chance(60) else { continue }
            world.savepoints = 0
            let faults = try world.deliver(shown)
            try #require(
                faults == [], "\(RandomTests.replay(seed, "CaptureRandom"))\n\(world.history.joined(separator: "\n"))")
            shown = try world.picture()
            #expect(world.capture.isEmpty)
        }
    }

    /// A rollback discards what was touched since the last commit, and not what was committed
    /// before.
    @Test func aRollbackDiscardsItsOwnRows() throws {
        let world = try World(seed: 1)
        var commits = 0
        world.capture.didCommit = { commits += 1 }
        world.run("INSERT INTO parents VALUES (1, 'a', 1)")
        world.run("BEGIN")
        world.run("INSERT INTO parents VALUES (2, 'b', 1)")
        world.run("ROLLBACK")
        let written = world.capture.written
        #expect(written.isMain && written.others.isEmpty)
        let touched = world.capture.take()
        #expect(!world.capture.written.isMain)
        #expect(touched.map(\.watch.table) == ["parents"] && touched[0].rows.rowids.all == [1])
        #expect(commits == 1 && world.capture.writeCount == 2)
        world.capture.restore(touched, written)
        #expect(!world.capture.isEmpty && world.capture.written.isMain)
        #expect(world.capture.take()[0].rows.contains(RowValues([.integer(1)])))
    }

    @Test func aConnectionHasOneCapture() throws {
        let connection = try memoryConnection()
        let first = ChangeCapture(connection: connection)
        let second = ChangeCapture(connection: connection)
        try first.start()
        #expect(status { try second.start() } == .misuse)
        second.stop()
        #expect(status { try second.start() } == .misuse, "the hooks are still the first one's")
        first.stop()
        try second.start()
        second.stop()
    }
}
