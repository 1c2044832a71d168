import ChangeSets
import FetchedResults
import SQLiteKit
import TestSupport
import Testing

/// What a history contains, compared with what plain SQLite has really changed, over random
/// schemas; and lists that follow it in a rollback mode.
@Suite struct HistoryRandomTests {
    private typealias Table = HistoryWorld.Table

    /// The rows of a table by their identities, with the storage classes of their values.
    private struct Picture: Equatable {
        var rows: [[Value]: [Value]] = [:]

        init(_ writer: Connection, _ table: Table) throws {
            let identity = table.key.isEmpty ? ["_rowid_"] : table.key
            let rowid = table.hasRowid ? "_rowid_" : "0"
            for row in try writer.rows("SELECT \(rowid), \(identity.joined(separator: ", ")), * FROM \(table.name)") {
                var key = Array(row[1...identity.count])
                // Rows whose key holds a NULL have rowids for identities.
                if key.contains(.null) { key = ["rowid", row[0]] }
                rows[key.map(Self.folded)] = Array(row.dropFirst(1 + identity.count))
            }
        }

        /// Numbers are the same key if they are equal.
        private static func folded(_ value: Value) -> Value {
            if case .real(let number) = value, let integer = Int64(exactly: number) { .integer(integer) } else { value }
        }

        func changes(to other: Picture) -> Set<[Value]> {
            Set(Set(rows.keys).union(other.rows.keys).filter { rows[$0] != other.rows[$0] })
        }

        /// The identities of touched rows, of which each has a column more if keys may be NULL.
        static func identities(_ rows: [[Value]], _ table: Table) -> Set<[Value]> {
            let count = max(1, table.key.count)
            return Set(
                rows.map { row in
                    let key = row.prefix(count)
                    return key.contains(.null) ? ["rowid"] + row.dropFirst(count) : key.map(folded)
                })
        }
    }

    private static func make(_ path: String, _ seed: UInt64) throws -> (HistoryWorld, Connection) {
        for part in 0..<UInt64(100) {
            let world = HistoryWorld(seed: seed &* 100 &+ part)
            let writer = try Connection.open(path: path, readOnly: false, create: true)
            for sql in ["PRAGMA synchronous = OFF", "BEGIN"] { try writer.execute(sql) }
            // Some of the schemas are not valid, for example with a NOT NULL key that is a rowid.
            do {
                for sql in world.schema { try writer.execute(sql) }
                try writer.execute("COMMIT")
                return (world, writer)
            } catch {
                writer.close()
            }
        }
        throw StoreError(.schema, "no valid schema")
    }

    @Test(arguments: RandomTests.seeds(0..<60)) func historiesContainAllChanges(seed: UInt64) throws {
        let file = TemporaryFile()
        var (world, writer) = try Self.make(file.path, seed)
        defer { writer.close() }
        var options = StoreOptions()
        options.journalMode = "delete"
        let store = try Store(path: file.path, options: options)
        for table in world.tables { try store.startHistory(of: table.name) }
        for pragma in ["recursive_triggers", "foreign_keys"] {
            try writer.execute("PRAGMA \(pragma) = \(world.random.below(2))")
        }
        let lists = try world.tables.map { table in
            try FetchedResultsController(store: store, request: FetchRequest(entity: table.name, sorts: [Sort("b")]))
        }
        for list in lists { try list.performFetch() }
        var log = world.schema
        for _ in 0..<40 {
            let before = try world.tables.map { try Picture(writer, $0) }
            let generation = try store.historyGeneration
            let sql = world.statement()
            log.append(sql)
            do { _ = try writer.rows(sql) } catch { log.append("  failed: \(error)") }
            try store.dispatch()
            for (index, table) in world.tables.enumerated() {
                let changes = before[index].changes(to: try Picture(writer, table))
                let missed = changes.subtracting(try Self.touched(store, table, since: generation) ?? changes)
                let shown = try Self.contents(lists[index])
                let rows = try writer.rows("SELECT * FROM \(table.name)").map(\.description).sorted()
                try #require(
                    missed == [] && shown == rows,
                    "\(RandomTests.replay(seed, "HistoryRandom"))\n\(log.joined(separator: "\n"))\n\(table.name)")
            }
        }
    }

    /// nil if they are unknown.
    private static func touched(_ store: Store, _ table: Table, since generation: Int64) throws -> Set<[Value]>? {
        do {
            let statement = try store.prepareTouchedRows(of: table.name, since: generation)
            var rows: [[Value]] = []
            while try statement.step() {
                rows.append(statement.rowValues(from: 0, count: statement.columnCount).values)
            }
            return Picture.identities(rows, table)
        } catch let error as StoreError where error.status == .gone {
            return nil
        }
    }

    private static func contents(_ list: FetchedResultsController) throws -> [String] {
        try (0..<list.numberOfObjects(inSection: 0)).map { row in
            (try list.object(at: ListIndexPath(section: 0, row: row)).values ?? []).description
        }
        .sorted()
    }
}
