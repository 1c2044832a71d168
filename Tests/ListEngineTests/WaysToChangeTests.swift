import SQLiteKit
import TestSupport
import Testing

@testable import ListEngine

/// Each way in which SQL changes rows, as a list before, changes, and what the list reports of
/// each.
@Suite struct WaysToChange {
    struct Way: Sendable, CustomTestStringConvertible {
        let name: String
        /// The schema and the rows.
        let before: String
        let entity: String
        let sort: String?
        let section: String?
        let predicate: String?
        /// Statements, each with what it leads to.
        let changes: [(sql: String, records: [String])]

        var testDescription: String { name }

        init(
            _ name: String, _ before: String, of entity: String = "t", sort: String? = "k", section: String? = nil,
            where predicate: String? = nil, changes: [(sql: String, records: [String])]
        ) {
            (self.name, self.before, self.entity, self.sort) = (name, before, entity, sort)
            (self.section, self.predicate, self.changes) = (section, predicate, changes)
        }
    }

    private static let rows =
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, k UNIQUE, v);
        INSERT INTO t VALUES (1, 10, 'a'), (2, 20, 'b'), (3, 30, 'c');
        """

    private static let families =
        """
        CREATE TABLE lists (id INTEGER PRIMARY KEY, position);
        CREATE TABLE items (id INTEGER PRIMARY KEY, k, list_id REFERENCES lists ON DELETE SET NULL);
        INSERT INTO lists VALUES (10, 1), (20, 2);
        INSERT INTO items VALUES (1, 1, 10), (2, 2, 20), (3, 3, 10), (4, 4, NULL);
        """

    static let ways = [
        Way(
            "upserts", rows,
            changes: [
                (
                    "INSERT INTO t VALUES (9, 10, 'x') ON CONFLICT(k) DO UPDATE SET v = excluded.v",
                    ["update 1 from 0.0 to 0.0 v"]
                ),
                ("INSERT OR IGNORE INTO t VALUES (9, 10, 'y')", []),
                ("INSERT INTO t VALUES (9, 10, 'y') ON CONFLICT DO NOTHING", []),
            ]),
        Way(
            "UPDATE with FROM and RETURNING",
            rows + "CREATE TABLE news (id INTEGER PRIMARY KEY, v); INSERT INTO news VALUES (2, 'two');",
            changes: [
                (
                    "UPDATE t SET v = news.v FROM news WHERE news.id = t.id RETURNING t.id",
                    ["update 2 from 0.1 to 0.1 v"]
                )
            ]),
        Way(
            "a trigger in place of an update",
            rows
                + """
                CREATE VIEW shown AS SELECT id, v FROM t;
                CREATE TRIGGER writing INSTEAD OF UPDATE ON shown BEGIN UPDATE t SET v = new.v WHERE id = new.id; END;
                """,
            changes: [("UPDATE shown SET v = 'through' WHERE id = 3", ["update 3 from 0.2 to 0.2 v"])]),
        Way(
            "foreign keys that become NULL", families, of: "items", section: "list_id",
            changes: [
                (
                    "DELETE FROM lists WHERE id = 10",
                    ["section delete 1 10", "move 1 from 1.0 to 0.0 list_id", "move 3 from 1.1 to 0.1 list_id"]
                )
            ]),
        Way(
            "a text key with a collation",
            "CREATE TABLE t (word TEXT PRIMARY KEY COLLATE NOCASE, n); INSERT INTO t VALUES ('b', 1), ('a', 2);",
            sort: nil,
            changes: [
                ("UPDATE t SET n = 3 WHERE word = 'B'", ["update b from 0.1 to 0.1 n"]),
                ("INSERT INTO t VALUES ('Ab', 1)", ["insert Ab at 0.1"]),
                // The same row, by the collation of its key.
                ("REPLACE INTO t VALUES ('AB', 7)", ["update AB from 0.1 to 0.1 word n"]),
            ]),
        Way(
            "a table without a key", "CREATE TABLE t (k); INSERT INTO t VALUES ('a'), ('b');",
            changes: [
                ("INSERT INTO t VALUES ('aa')", ["insert 3 at 0.1"]),
                ("UPDATE t SET k = 'c' WHERE k = 'a'", ["move 1 from 0.0 to 0.2 k"]),
                ("DELETE FROM t WHERE k = 'b'", ["delete 2 at 0.1"]),
            ]),
        Way(
            "changes of the schema, and VACUUM", rows,
            changes: [
                ("CREATE INDEX by_v ON t (v)", []),
                (
                    "ALTER TABLE t ADD COLUMN extra DEFAULT 7",
                    [
                        "update 1 from 0.0 to 0.0 extra", "update 2 from 0.1 to 0.1 extra",
                        "update 3 from 0.2 to 0.2 extra",
                    ]
                ),
                ("DROP INDEX by_v", []),
                ("VACUUM", []),
                ("DELETE FROM t WHERE id = 2", ["delete 2 at 0.1"]),
            ]),
        Way(
            "changes in a transaction that cancel each other", rows,
            changes: [
                ("BEGIN; UPDATE t SET k = 99 WHERE id = 1; UPDATE t SET k = 10 WHERE id = 1; COMMIT", []),
                ("BEGIN; INSERT INTO t (id) VALUES (7); DELETE FROM t WHERE id = 7; COMMIT", []),
                ("BEGIN; DELETE FROM t WHERE id = 2; INSERT INTO t VALUES (2, 20, 'b'); COMMIT", []),
            ]),
        Way(
            "a row that is deleted and inserted again", rows,
            changes: [
                (
                    "BEGIN; DELETE FROM t WHERE id = 2; INSERT INTO t VALUES (2, 20, 'x'); COMMIT",
                    ["update 2 from 0.1 to 0.1 v"]
                ),
                (
                    "BEGIN; DELETE FROM t WHERE id = 2; INSERT INTO t VALUES (2, 0, 'x'); COMMIT",
                    ["move 2 from 0.1 to 0.0 k"]
                ),
            ]),
        Way(
            "savepoints that are rolled back", rows,
            changes: [
                (
                    """
                    BEGIN; UPDATE t SET v = 1 WHERE id = 1; SAVEPOINT s; DELETE FROM t WHERE id = 2; ROLLBACK TO s;
                    RELEASE s; COMMIT
                    """,
                    ["update 1 from 0.0 to 0.0 v"]
                ),
                ("SAVEPOINT s; DELETE FROM t; ROLLBACK TO s; RELEASE s", []),
                ("SAVEPOINT s; DELETE FROM t WHERE id = 3; RELEASE s", ["delete 3 at 0.2"]),
            ]),
        Way(
            "a subquery of the predicate", families, of: "items",
            where: "list_id IN (SELECT id FROM lists WHERE position > 1)",
            changes: [
                ("UPDATE lists SET position = 9 WHERE id = 10", ["insert 1 at 0.0", "insert 3 at 0.2"]),
                ("DELETE FROM lists WHERE id = 20", ["delete 2 at 0.1"]),
                ("UPDATE items SET k = 0 WHERE id = 3", ["move 3 from 0.1 to 0.0 k"]),
            ]),
        Way(
            "a subquery that counts other rows", families, of: "lists", sort: nil,
            where: "(SELECT count(*) FROM items WHERE items.list_id = lists.id) > 1",
            changes: [
                ("UPDATE items SET list_id = 20 WHERE id = 4", ["insert 20 at 0.1"]),
                ("DELETE FROM items WHERE id = 1", ["delete 10 at 0.0"]),
            ]),
    ]

    @Test(arguments: ways) func isReportedExactly(_ way: Way) throws {
        let database = try makeDatabase(way.before)
        let list = try Watch(
            database, way.entity, where: way.predicate, sort: way.sort.map { [$0] } ?? [], section: way.section)
        // What the program has read is compared.
        _ = try list.values("id")
        for change in way.changes {
            try database.execute(change.sql)
            #expect(list.take() == change.records, "\(change.sql)")
        }
    }

    /// OR FAIL does not undo the changes before the failure.
    @Test func aFailedStatementMayLeaveRows() throws {
        let database = try makeDatabase(Self.rows)
        let list = try Watch(database, "t", sort: ["k"])
        expectFailure(.constraint) {
            try database.execute("INSERT OR FAIL INTO t (id, k) VALUES (4, 40), (1, 1), (5, 5)")
        }
        #expect(list.take() == ["insert 4 at 0.3"])
        expectFailure(.constraint) { try database.execute("INSERT INTO t (id) VALUES (6), (1)") }
        #expect(list.take() == [])
    }

    @Test func rowsThatWereRolledBackAreNotReadAtTheNextDelivery() throws {
        let database = try makeDatabase(Self.rows)
        let list = try Watch(database, "t", sort: ["k"])
        func rowsRead(_ script: String) throws -> Int {
            let before = list.counters.rowsRead
            try database.execute(script)
            return Int(list.counters.rowsRead - before)
        }
        let one = try rowsRead("UPDATE t SET v = 'x' WHERE id = 1")
        #expect(try rowsRead("BEGIN; UPDATE t SET v = 'y'; ROLLBACK; UPDATE t SET v = 'z' WHERE id = 1") == one)
    }
}
