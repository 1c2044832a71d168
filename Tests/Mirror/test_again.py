"""Files that the slot does not continue, and tables whose columns change."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import unittest

from mirror_support import LIMIT, PROGRAM, Mirror, MirrorTest

ITEMS = """
CREATE TABLE items (id int PRIMARY KEY, name text, n int);
INSERT INTO items SELECT i, 'item ' || i, i FROM generate_series(1, 1000) i;
"""


class AgainTest(MirrorTest):
    def setUp(self) -> None:
        super().setUp()
        self.sql(ITEMS)

    def touch(self) -> None:
        """Three rows change, each in its own way."""
        self.sql("DELETE FROM items WHERE id = 10; UPDATE items SET n = -1 WHERE id = 20")
        self.sql("INSERT INTO items VALUES (5000, 'new', 0)")

    def changes_of_rows(self) -> list[tuple]:
        return self.rows("SELECT kind, id FROM noted ORDER BY id")

    def note_changes(self) -> None:
        """Triggers note which rows of the file are written."""
        with sqlite3.connect(self.path) as connection:
            connection.execute("CREATE TABLE noted (kind, id)")
            for kind, row in (("INSERT", "new"), ("UPDATE", "new"), ("DELETE", "old")):
                connection.execute(
                    f"CREATE TRIGGER note_{kind} AFTER {kind} ON items"
                    f" BEGIN INSERT INTO noted VALUES ('{kind}', {row}.id); END"
                )
        connection.close()


class SlotTests(AgainTest):
    def check_comparison(self, reason: str) -> None:
        self.assertIn(f"copying all tables: {reason}", self.once("items"))
        self.assert_same("items")
        self.assertEqual(self.changes_of_rows(), [("DELETE", 10), ("UPDATE", 20), ("INSERT", 5000)])
        self.assertFalse(self.path.with_name("app.db.copying").exists())
        self.assertNotIn("copying", self.once("items"))

    def test_the_slot_was_dropped(self) -> None:
        self.once("items")
        self.note_changes()
        self.touch()
        self.sql(f"SELECT pg_drop_replication_slot('{self.slot}')")
        self.check_comparison("the slot does not exist")

    def test_the_file_is_older_than_the_slot(self) -> None:
        self.once("items")
        self.note_changes()
        copy = self.path.with_name("old.db")
        shutil.copy(self.path, copy)
        self.touch()
        self.once("items")
        for suffix in ("-wal", "-shm"):
            self.path.with_name(f"app.db{suffix}").unlink(missing_ok=True)
        shutil.move(copy, self.path)
        self.check_comparison("the file is older than the slot")

    def test_the_server_dropped_the_log(self) -> None:
        self.once("items")
        self.note_changes()
        self.touch()
        admin = self.session()
        admin("ALTER SYSTEM SET max_slot_wal_keep_size = '1MB'")
        admin("SELECT pg_reload_conf()")
        try:
            for _ in range(8):
                admin("SELECT pg_switch_wal(); CREATE TABLE filler (i int); DROP TABLE filler")
                admin("CHECKPOINT")
            status = admin(f"SELECT wal_status FROM pg_replication_slots WHERE slot_name = '{self.slot}'")
            self.assertEqual(status, ["lost"])
            self.check_comparison("the server dropped the slot's log")
        finally:
            admin("ALTER SYSTEM RESET max_slot_wal_keep_size")
            admin("SELECT pg_reload_conf()")

    def test_the_file_is_of_another_database(self) -> None:
        self.once("items")
        self.note_changes()
        with sqlite3.connect(self.path) as connection:
            connection.execute("UPDATE frmirror_position SET database = 'elsewhere'")
        connection.close()
        self.touch()
        self.check_comparison("the file is of another database")

    def test_the_file_is_of_another_server(self) -> None:
        self.once("items")
        self.note_changes()
        with sqlite3.connect(self.path) as connection:
            connection.execute("UPDATE frmirror_position SET system = '1'")
        connection.close()
        self.touch()
        self.check_comparison("the file is of another server")

    def test_the_server_was_restored_from_a_backup(self) -> None:
        self.once("items")
        self.note_changes()
        with sqlite3.connect(self.path) as connection:
            connection.execute("UPDATE frmirror_position SET lsn = lsn + (1 << 40)")
        connection.close()
        self.touch()
        self.check_comparison("the server is older than the file")

    def test_a_disk_that_is_full_stops_the_mirror_and_costs_nothing(self) -> None:
        self.once("items")
        limited = ["sh", "-c", 'trap "" XFSZ; ulimit -f 600; exec "$0" "$@"', *PROGRAM, *self.arguments("items")]
        process = subprocess.Popen(limited, stderr=subprocess.PIPE, text=True)
        self.sql("INSERT INTO items SELECT i, repeat('x', 1000), 0 FROM generate_series(10000, 15000) i")
        _, errors = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 6, errors)
        self.assertRegex(errors, "the file can't be used: .*: (make room on|check) the disk")
        self.assertEqual(self.rows("SELECT count(*) FROM items"), [(1000,)])
        self.assertNotIn("copying", self.once("items"))
        self.assert_same("items")

    def test_a_copy_that_was_interrupted_is_made_again(self) -> None:
        self.path.with_name("app.db.copying").write_text("a part of a copy")
        self.sql(f"SELECT pg_create_logical_replication_slot('{self.slot}', 'pgoutput')")
        self.once("items")
        self.assert_same("items")

    def test_a_table_that_is_added_is_copied_alone(self) -> None:
        self.once("items")
        self.note_changes()
        self.sql("CREATE TABLE more (id int PRIMARY KEY, t text); INSERT INTO more VALUES (1, 'one')")
        self.touch()
        output = self.once("items", "more")
        self.assertNotIn("copying all", output)
        self.assert_same("more")
        self.assert_same("items")
        self.assertEqual(self.changes_of_rows(), [("DELETE", 10), ("UPDATE", 20), ("INSERT", 5000)])

    def test_a_table_that_was_left_out_for_a_while_is_compared(self) -> None:
        self.once("items")
        self.note_changes()
        self.once()
        self.touch()
        self.once()
        self.once("items")
        self.assert_same("items")
        self.assertEqual(self.changes_of_rows(), [("DELETE", 10), ("UPDATE", 20), ("INSERT", 5000)])


class DefinitionTests(AgainTest):
    """Each kind of DDL, while a mirror runs."""

    def follows(self, ddl: str, *more: str) -> Mirror:
        mirror = self.mirror("items")
        self.catch_up(mirror)
        with sqlite3.connect(self.path) as connection:
            connection.execute("CREATE INDEX of_the_user ON items (n)")
        connection.close()
        self.sql(ddl)
        for sql in more:
            self.sql(sql)
        self.settle(mirror)
        self.assert_same("items")
        self.assertEqual(self.rows("SELECT name FROM sqlite_schema WHERE name = 'of_the_user'"), [("of_the_user",)])
        return mirror

    def settle(self, mirror: Mirror) -> None:
        self.catch_up(mirror)
        mirror.wait("SELECT count(*) FROM frmirror_tables", lambda rows: rows == [(2,)])  # no table waits for a copy
        self.catch_up(mirror)

    def test_a_column_is_added(self) -> None:
        self.follows("ALTER TABLE items ADD note text DEFAULT 'none'", "UPDATE items SET note = 'x' WHERE id = 1")

    def test_a_column_is_dropped(self) -> None:
        self.follows("ALTER TABLE items DROP name", "UPDATE items SET n = 0 WHERE id = 1")

    def test_a_column_is_renamed(self) -> None:
        self.follows("ALTER TABLE items RENAME name TO title", "DELETE FROM items WHERE id = 1")

    def test_a_column_has_another_type(self) -> None:
        self.follows("ALTER TABLE items ALTER name TYPE int USING 5", "INSERT INTO items VALUES (5001, 1, 2)")

    def test_the_key_is_another_one(self) -> None:
        self.follows(
            "ALTER TABLE items DROP CONSTRAINT items_pkey, ADD PRIMARY KEY (name)",
            "UPDATE items SET id = 7000 WHERE id = 8",
        )

    def test_ddl_and_rows_in_one_transaction(self) -> None:
        self.follows(
            "BEGIN; UPDATE items SET n = 9; ALTER TABLE items ADD a int; UPDATE items SET a = n;"
            "ALTER TABLE items DROP name; DELETE FROM items WHERE id < 5; COMMIT"
        )

    def test_a_table_is_dropped_and_created_again(self) -> None:
        self.follows(
            "DROP TABLE items; CREATE TABLE items (id int PRIMARY KEY, n int, t text);"
            "ALTER PUBLICATION frmirror ADD TABLE items; INSERT INTO items VALUES (1, 2, 'three')"
        )

    def test_columns_change_several_times(self) -> None:
        mirror = self.follows("ALTER TABLE items ADD a0 int", "UPDATE items SET n = 0 WHERE id = 1")
        for number in range(5):
            self.sql(f"ALTER TABLE items ADD b{number} int DEFAULT {number}")
            self.sql(f"UPDATE items SET n = {number}, b{number} = 7 WHERE id % 7 = 0")
        self.settle(mirror)
        self.assert_same("items")

    def test_rows_that_are_committed_while_a_table_is_copied(self) -> None:
        self.sql("INSERT INTO items SELECT i, 'item', i FROM generate_series(6000, 100000) i")
        mirror = self.mirror("items")
        self.catch_up(mirror)
        self.sql("ALTER TABLE items ADD a int")
        self.sql(
            "DO $$ BEGIN FOR i IN 1..3000 LOOP UPDATE items SET id = id + 1000000, a = i WHERE id = 6000 + i;"
            " COMMIT; DELETE FROM items WHERE id = 20000 + i; COMMIT; END LOOP; END $$"
        )
        self.settle(mirror)
        self.assert_same("items")

    def test_columns_change_while_no_mirror_runs(self) -> None:
        self.once("items")
        self.sql("UPDATE items SET n = 1 WHERE id = 1")
        self.sql("ALTER TABLE items ADD a int DEFAULT 4")
        self.sql("UPDATE items SET a = 1 WHERE id = 1; INSERT INTO marks VALUES (77)")
        output = self.once("items")
        self.assertNotIn("copying all", output)
        self.assert_same("items")

    def test_an_index_on_a_column_that_is_gone_is_named(self) -> None:
        mirror = self.mirror("items")
        self.catch_up(mirror)
        with sqlite3.connect(self.path) as connection:
            connection.execute("CREATE INDEX by_name ON items (name)")
        connection.close()
        self.sql("ALTER TABLE items DROP name")
        self.sql("UPDATE items SET n = 0 WHERE id = 1")
        self.settle(mirror)
        self.assertIn(
            "an index or trigger is not made again: no such column: name: CREATE INDEX by_name", mirror.output()
        )

    def test_a_table_that_loses_its_key_stops_the_mirror(self) -> None:
        mirror = self.mirror("items")
        self.catch_up(mirror)
        self.sql("ALTER TABLE items DROP CONSTRAINT items_pkey; ALTER TABLE items ADD x int")
        self.sql("INSERT INTO items VALUES (5002, 'a', 1, 2)")
        self.assertEqual(mirror.process.wait(60), 5)
        self.assertIn("items has no primary key", mirror.output())
        state = self.rows("SELECT state, why FROM frmirror")[0]
        self.assertEqual(state[0], "stopped")
        self.assertIn("items has no primary key", state[1])

    def test_a_row_that_a_program_deleted_from_the_file_appears_again(self) -> None:
        self.sql(
            "ALTER TABLE items ALTER name SET STORAGE EXTERNAL;"
            "UPDATE items SET name = repeat(md5(id::text), 500) WHERE id < 10"
        )
        mirror = self.mirror("items")
        self.catch_up(mirror)
        with sqlite3.connect(self.path, timeout=60) as connection:
            connection.execute("DELETE FROM items WHERE id IN (3, 300)")
        connection.close()
        self.sql("UPDATE items SET n = 0 WHERE id IN (3, 300)")
        self.settle(mirror)
        self.assert_same("items")


if __name__ == "__main__":
    unittest.main()
