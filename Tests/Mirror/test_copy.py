"""The first copy, and following."""

from __future__ import annotations

import signal
import sqlite3
import time
import unittest
from typing import Callable

from mirror_support import LIMIT, Mirror, MirrorTest

from fetchedresults import Store

TABLES = """
CREATE TABLE lists (id int PRIMARY KEY, title text);
CREATE TABLE tasks (id bigint PRIMARY KEY, title text, position int, list_id int REFERENCES lists);
INSERT INTO lists VALUES (1, 'Work'), (2, 'Home');
INSERT INTO tasks VALUES (1, 'Call Ada', 2, 1), (2, E'Tab\\tand\\nline \\\\', 1, 1), (3, NULL, NULL, NULL);
"""


class CopyTests(MirrorTest):
    def setUp(self) -> None:
        super().setUp()
        self.sql(TABLES)

    def test_a_new_file_has_the_rows_and_the_foreign_keys(self) -> None:
        self.once("lists", "tasks")
        self.assert_same("lists")
        self.assert_same("tasks")
        self.assertEqual(
            self.rows('SELECT "from", "table", "to" FROM pragma_foreign_key_list(\'tasks\')'),
            [("list_id", "lists", "id")],
        )
        self.assertEqual(self.rows("PRAGMA journal_mode"), [("wal",)])
        self.assertEqual(self.rows("SELECT state, why FROM frmirror"), [("stopped", "--once is done")])
        self.assertFalse(self.path.with_name("app.db.copying").exists())

    def test_rows_are_followed(self) -> None:
        mirror = self.mirror("lists", "tasks")
        self.catch_up(mirror)
        self.sql("INSERT INTO tasks VALUES (4, 'New', 9, 2); UPDATE tasks SET title = 'Other' WHERE id = 1")
        self.sql("DELETE FROM tasks WHERE id = 2; UPDATE tasks SET id = 7 WHERE id = 3")
        self.catch_up(mirror)
        self.assert_same("tasks")
        self.sql("TRUNCATE tasks")
        self.catch_up(mirror)
        self.assertEqual(self.rows("SELECT count(*) FROM tasks"), [(0,)])
        self.assertEqual(mirror.end(), 0)
        self.assertEqual(self.rows("SELECT state, why FROM frmirror"), [("stopped", "ended by a signal")])

    def test_a_second_start_continues_without_a_copy(self) -> None:
        self.once("lists", "tasks")
        inode = self.path.stat().st_ino
        self.sql("UPDATE tasks SET title = 'Meanwhile' WHERE id = 1")
        self.assertNotIn("copying", self.once("lists", "tasks"))
        self.assert_same("tasks")
        self.assertEqual(self.path.stat().st_ino, inode)

    def test_a_transaction_of_the_server_is_one_of_the_file(self) -> None:
        mirror = self.mirror("tasks", options=("--group", "0"))
        self.catch_up(mirror)
        self.sql("CREATE TABLE moves (id int PRIMARY KEY)")
        for number in range(50):
            # The sum stays the same in each transaction.
            self.sql(
                f"BEGIN; UPDATE tasks SET position = {number} WHERE id = 1; SAVEPOINT a; DELETE FROM tasks;"
                f"ROLLBACK TO a; UPDATE tasks SET position = {-number} WHERE id = 2; COMMIT"
            )
            sums = mirror.read("SELECT sum(position) FROM tasks WHERE id < 3")
            self.assertIn(sums[0][0], (0, 3))
        self.catch_up(mirror)
        self.assert_same("tasks")

    def test_unchanged_long_values_stay(self) -> None:
        self.sql(
            "CREATE TABLE notes (id int PRIMARY KEY, n int, body text);"
            "ALTER TABLE notes ALTER body SET STORAGE EXTERNAL;"
            "INSERT INTO notes SELECT i, 0, repeat(md5(i::text), 500) FROM generate_series(1, 20) i"
        )
        mirror = self.mirror("notes")
        self.catch_up(mirror)
        self.sql("UPDATE notes SET n = id; UPDATE notes SET id = id + 100 WHERE id < 5")
        self.catch_up(mirror)
        self.assert_same("notes")
        self.assertNotIn("copied again", mirror.output())

    def test_keys_of_several_columns_and_of_text(self) -> None:
        self.sql(
            'CREATE TABLE pairs (a text COLLATE "C", b int, c text, PRIMARY KEY (b, a));'
            "INSERT INTO pairs VALUES ('x', 1, 'one'), ('y', 1, 'two')"
        )
        mirror = self.mirror("pairs")
        self.catch_up(mirror)
        self.sql("UPDATE pairs SET c = 'three' WHERE a = 'y'; UPDATE pairs SET a = 'z', c = 'four' WHERE a = 'x'")
        self.catch_up(mirror)
        self.assert_same("pairs", "b, a")
        self.sql("DELETE FROM pairs WHERE a = 'z'")
        self.catch_up(mirror)
        self.assert_same("pairs", "b, a")

    def test_a_table_whose_columns_are_all_key(self) -> None:
        self.sql("CREATE TABLE links (a int, b int, PRIMARY KEY (a, b)); INSERT INTO links VALUES (1, 2)")
        mirror = self.mirror("links")
        self.catch_up(mirror)
        self.sql("INSERT INTO links VALUES (3, 4); UPDATE links SET b = 5 WHERE a = 1")
        self.catch_up(mirror)
        self.assert_same("links", "a, b")

    def test_replica_identities(self) -> None:
        self.sql(
            "CREATE TABLE by_index (code text NOT NULL UNIQUE, n int);"
            "ALTER TABLE by_index REPLICA IDENTITY USING INDEX by_index_code_key;"
            "CREATE TABLE whole (id int PRIMARY KEY, n int); ALTER TABLE whole REPLICA IDENTITY FULL"
        )
        mirror = self.mirror("by_index", "whole")
        self.catch_up(mirror)
        self.sql("INSERT INTO by_index VALUES ('a', 1), ('b', 2); INSERT INTO whole VALUES (1, 1), (2, 2), (3, 3)")
        self.sql("UPDATE by_index SET code = 'c' WHERE n = 1; DELETE FROM by_index WHERE n = 2")
        self.sql(
            "UPDATE whole SET id = 9 WHERE id = 1; UPDATE whole SET n = 5 WHERE id = 2; DELETE FROM whole WHERE n = 3"
        )
        self.catch_up(mirror)
        self.assert_same("by_index", "code")
        self.assert_same("whole")

    def test_partitioned_tables(self) -> None:
        self.sql(
            "CREATE TABLE events (id int PRIMARY KEY, n int) PARTITION BY RANGE (id);"
            "CREATE TABLE events_1 PARTITION OF events FOR VALUES FROM (0) TO (100);"
            "CREATE TABLE events_2 PARTITION OF events FOR VALUES FROM (100) TO (200);"
            "INSERT INTO events VALUES (1, 1), (101, 2)"
        )
        mirror = self.mirror("events")
        self.catch_up(mirror)
        self.sql("INSERT INTO events VALUES (2, 3); UPDATE events SET id = 102 WHERE id = 1")
        self.catch_up(mirror)
        self.assert_same("events")

    def test_row_filters_and_lists_of_columns_of_a_publication(self) -> None:
        if self.version() < 15:
            self.skipTest("the server has no row filters")
        self.sql(
            "CREATE TABLE staff (id int PRIMARY KEY, name text, salary int);"
            "INSERT INTO staff VALUES (1, 'Ada', 5), (20, 'Bob', 6);"
            "CREATE PUBLICATION part FOR TABLE marks, staff (id, name) WHERE (id < 10)"
        )
        mirror = self.mirror("staff", options=("--publication", "part"))
        self.catch_up(mirror)
        self.sql("INSERT INTO staff VALUES (2, 'Cyd', 7), (30, 'Dan', 8)")
        self.catch_up(mirror)
        self.assertEqual(self.rows("SELECT * FROM staff"), [(1, "Ada"), (2, "Cyd")])

    def test_names_that_need_quotes_and_generated_columns(self) -> None:
        self.sql(
            'CREATE SCHEMA "My schema"; CREATE TABLE "My schema"."Odd ""name" ("select" int PRIMARY KEY, "a""b" text,'
            ' "ü.x" int, twice int GENERATED ALWAYS AS ("ü.x" * 2) STORED);'
            'INSERT INTO "My schema"."Odd ""name" VALUES (1, \'one\', 5)'
        )
        mirror = self.mirror('"My schema"."Odd ""name"')
        self.catch_up(mirror)
        self.sql(
            'UPDATE "My schema"."Odd ""name" SET "a""b" = \'two\'; INSERT INTO "My schema"."Odd ""name" VALUES (2)'
        )
        self.catch_up(mirror)
        self.assertEqual(self.rows('SELECT * FROM "Odd ""name"'), [(1, "two", 5), (2, None, None)])

    def test_a_table_of_many_columns(self) -> None:
        columns = ", ".join(f"c{number} int" for number in range(1000))
        self.sql(f"CREATE TABLE wide (id int PRIMARY KEY, {columns}); INSERT INTO wide (id) VALUES (1), (2)")
        mirror = self.mirror("wide")
        self.catch_up(mirror)
        self.sql("UPDATE wide SET id = 9, c500 = 1, c999 = 2 WHERE id = 1")
        self.catch_up(mirror)
        self.assert_same("wide")

    def test_timeouts_of_the_server_do_not_count(self) -> None:
        self.sql("INSERT INTO tasks SELECT i, 'task ' || i, i, 1 FROM generate_series(10, 100000) i")
        for name in self.sql(r"SELECT name FROM pg_settings WHERE name ~ '_timeout$' AND category ~ 'Statement'"):
            self.sql(f"ALTER DATABASE {self.database} SET {name} = '30ms'")
        self.once("tasks")
        self.assert_same("tasks")

    def test_a_second_mirror_with_the_same_slot_waits(self) -> None:
        first = self.mirror()
        self.catch_up(first)
        self.path = self.path.with_name("second.db")
        second = self.mirror()
        while "is active for PID" not in second.output():
            self.assertIsNone(second.process.poll(), second.output())
            time.sleep(0.01)
        self.assertEqual(first.end(), 0)
        self.catch_up(second)

    def test_a_large_transaction(self) -> None:
        mirror = self.mirror("tasks")
        self.catch_up(mirror)
        self.sql("INSERT INTO tasks SELECT i, 'task ' || i, i, 1 FROM generate_series(1000, 1000999) i")
        self.catch_up(mirror)
        self.assertEqual(
            self.rows("SELECT count(*), sum(position) FROM tasks WHERE id >= 1000"),
            [(1000000, sum(range(1000, 1001000)))],
        )

    def test_a_history_of_a_mirrored_table(self) -> None:
        """A program asks which rows were touched, also by a comparison after the slot was lost."""
        self.once("tasks")
        with Store(self.path) as store:
            store.start_history("tasks")
            since = store.history_generation
            self.sql("UPDATE tasks SET position = position + 10 WHERE id = 1; INSERT INTO tasks (id) VALUES (9)")
            self.once("tasks")
            self.assertEqual(store.touched_rows("tasks", since), [1, 9])
            since = store.history_generation
            self.sql(f"DELETE FROM tasks WHERE id = 9; SELECT pg_drop_replication_slot('{self.slot}')")
            self.assertIn("copying all tables", self.once("tasks"))
            self.assertEqual(store.touched_rows("tasks", since), [9])

    def test_a_temporary_slot_compares_at_each_start(self) -> None:
        self.once("tasks", options=("--temporary",))
        self.sql("DELETE FROM tasks WHERE id = 1")
        self.assertIn("copying all tables: the slot does not exist", self.once("tasks", options=("--temporary",)))
        self.assert_same("tasks")
        self.assertEqual(
            self.sql(f"SELECT count(*) FROM pg_replication_slots WHERE database = '{self.database}'"), ["0"]
        )


class FirstCopyTests(MirrorTest):
    def begun(self, count: int) -> tuple[Mirror, Callable[[str], list[str]]]:
        """A mirror whose first copy waits for a transaction, and the session of that."""
        self.sql("CREATE TABLE tasks (id int PRIMARY KEY, title text, n int)")
        self.sql(f"INSERT INTO tasks SELECT i, 'task ' || i, i % 7 FROM generate_series(1, {count}) i; ANALYZE tasks")
        blocker = self.session()
        blocker("BEGIN; SELECT txid_current()")
        mirror = self.mirror("tasks")
        mirror.wait(
            "SELECT state, why FROM frmirror",
            lambda rows: rows == [("copying", "the server's running transactions must end")],
        )
        return mirror, blocker

    def test_a_program_that_has_the_file_open_sees_the_copy(self) -> None:
        # The state is written five times a second.
        count = 400000
        mirror, blocker = self.begun(count)
        with Store(self.path, read_only=True) as store:
            states, tasks = store.fetch("frmirror"), store.fetch("tasks", sort="title", section="n")
            self.assertEqual(len(tasks.objects), 0)
            seen, changes = [], []
            states.add_observer(lambda _: seen.append(states.objects[0]))
            tasks.add_observer(
                lambda change: changes.append((change.is_reload, len(change.inserts), len(change), len(tasks.objects)))
            )
            blocker("COMMIT")
            while not seen or seen[-1].state != "following":
                self.assertTrue(store.wait(LIMIT))
            copied = [row for row in seen if row.state == "copying" and row.table_name == "tasks"]
            self.assertGreater(max(row.done for row in copied), 0)
            self.assertTrue(all(row.done <= row.total for row in copied))
            self.assertEqual(changes, [(False, count, count + 7, count)])
        self.catch_up(mirror)
        self.assert_same("tasks")
        self.assertFalse(self.path.with_name("app.db.copying").exists())

    def test_indexes_that_a_program_adds_before_the_copy(self) -> None:
        mirror, blocker = self.begun(1000)
        with Store(self.path) as store:
            store.execute("CREATE INDEX by_title ON tasks (title)")
        blocker("COMMIT")
        self.catch_up(mirror)
        self.assertEqual(self.rows("SELECT id FROM tasks INDEXED BY by_title WHERE title = 'task 77'"), [(77,)])
        self.assertEqual(self.rows("PRAGMA integrity_check"), [("ok",)])

    def test_triggers_and_histories_that_a_program_adds_before_the_copy(self) -> None:
        mirror, blocker = self.begun(1000)
        with Store(self.path) as store:
            store.execute("CREATE UNIQUE INDEX by_title ON tasks (title)")
            store.execute("CREATE TABLE copied (id INTEGER PRIMARY KEY)")
            store.execute("CREATE TRIGGER t AFTER INSERT ON tasks BEGIN INSERT INTO copied VALUES (new.id); END")
            store.start_history("tasks")
            since = store.history_generation
            blocker("COMMIT")
            self.catch_up(mirror)
            self.assertEqual(len(store.touched_rows("tasks", since)), 1000)
        self.assertEqual(self.rows("SELECT count(*) FROM copied"), [(1000,)])

    def test_a_unique_index_that_the_copy_violates(self) -> None:
        mirror, blocker = self.begun(1000)
        with Store(self.path) as store:
            store.execute("CREATE UNIQUE INDEX by_n ON tasks (n)")
        blocker("COMMIT")
        self.assertEqual(mirror.process.wait(LIMIT), 6)
        self.assertIn("remove constraints and unique indexes that you added", mirror.output())
        self.assertEqual(self.rows("SELECT count(*) FROM tasks"), [(0,)])

    def test_a_first_copy_that_was_killed_is_made_again(self) -> None:
        mirror, blocker = self.begun(1000)
        mirror.end(signal.SIGKILL)
        blocker("COMMIT")
        self.assertEqual(self.rows("SELECT count(*) FROM tasks"), [(0,)])
        self.assertIn("the file has no copy yet", self.once("tasks"))
        self.assert_same("tasks")

    def test_a_log_that_a_removed_file_has_left(self) -> None:
        self.sql("CREATE TABLE tasks (id int PRIMARY KEY, title text); INSERT INTO tasks VALUES (1, 'one')")
        log = self.path.with_name("app.db-wal")
        with sqlite3.connect(self.path) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("CREATE TABLE former (id)")
            left = log.read_bytes()
        connection.close()
        self.path.unlink()
        log.write_bytes(left)
        self.once("tasks")
        self.assert_same("tasks")
        self.assertEqual(self.rows("PRAGMA integrity_check"), [("ok",)])
        self.assertEqual(self.rows("SELECT 1 FROM sqlite_schema WHERE name = 'former'"), [])

    def test_a_column_that_the_schema_computes(self) -> None:
        self.sql(
            "CREATE TABLE tasks (id int PRIMARY KEY, title text, n int); INSERT INTO tasks VALUES (6, 'task 6', 6)"
        )
        path = self.path.with_name("schema.sql")
        path.write_text("CREATE TABLE tasks (id INTEGER PRIMARY KEY, twice INT AS (2 * n), title TEXT, n INT, more)")
        self.once("tasks", options=("--schema", str(path)))
        self.assertEqual(self.rows("SELECT * FROM tasks WHERE id = 6"), [(6, 12, "task 6", 6, None)])


class SchemaTests(MirrorTest):
    def schema(self, sql: str) -> tuple[str, str]:
        path = self.path.with_name("schema.sql")
        path.write_text(sql)
        return "--schema", str(path)

    def test_tables_indexes_and_views_of_ones_own(self) -> None:
        self.sql(
            "CREATE TABLE people (id int PRIMARY KEY, name text); INSERT INTO people VALUES (1, 'ada'), (2, 'Bob')"
        )
        options = self.schema(
            "CREATE TABLE people (name TEXT COLLATE NOCASE, id INTEGER PRIMARY KEY, star INT DEFAULT 0);"
            "CREATE INDEX by_name ON people (name); CREATE VIEW names AS SELECT name FROM people;"
        )
        mirror = self.mirror("people", options=options)
        self.catch_up(mirror)
        self.sql("UPDATE people SET name = 'ADA' WHERE id = 1; INSERT INTO people VALUES (3, 'cyd')")
        self.catch_up(mirror)
        self.assertEqual(self.rows("SELECT name FROM names ORDER BY name"), [("ADA",), ("Bob",), ("cyd",)])
        self.assertEqual(
            self.rows("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"), [("by_name",)]
        )

    def test_a_row_of_which_the_key_changes_moves_if_it_has_another_key_in_the_file(self) -> None:
        self.sql(
            "CREATE TABLE people (id int PRIMARY KEY, name text, boss int REFERENCES people ON UPDATE CASCADE);"
            "INSERT INTO people VALUES (1, 'ada', NULL), (5, 'bob', 1), (7, 'cyd', 5)"
        )
        options = self.schema(
            "CREATE TABLE people (row INTEGER PRIMARY KEY, id INT NOT NULL UNIQUE, name TEXT,"
            " boss INT REFERENCES people (id))"
        )
        mirror = self.mirror("people", options=options)
        self.catch_up(mirror)
        with Store(self.path, read_only=True) as store:
            people = store.fetch("people", sort="id", columns=["id", "name", "boss.name"])
            kept, changes = people.objects[0], []
            people.add_observer(changes.append)
            self.sql("UPDATE people SET id = 6, name = 'Ada' WHERE id = 1")
            while not changes:
                self.assertTrue(store.wait(LIMIT))
            kinds = [(change.type.name, change.object.name) for change in changes[0].objects]
            self.assertEqual(sorted(kinds), [("MOVE", "Ada"), ("UPDATE", "bob")])
            self.assertEqual(people.object_at(people.index_path_of(kept)).id, 6)
            self.assertEqual([row["boss.name"] for row in people.objects], ["Ada", None, "bob"])

    def test_columns_that_change_are_declared_by_the_new_schema(self) -> None:
        self.sql("CREATE TABLE people (id int PRIMARY KEY, name text); INSERT INTO people VALUES (1, 'ada')")
        options = self.schema("CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE)")
        mirror = self.mirror("people", options=options)
        self.catch_up(mirror)
        self.sql("ALTER TABLE people ADD star int DEFAULT 3")
        self.sql("UPDATE people SET star = 4")
        self.assertEqual(mirror.process.wait(LIMIT), 5)
        self.assertIn("the table people of --schema does not fit", mirror.output())
        options = self.schema("CREATE TABLE people (id INTEGER PRIMARY KEY, star INT, name TEXT COLLATE NOCASE)")
        self.once("people", options=options)
        self.assertEqual(self.rows("SELECT * FROM people"), [(1, 4, "ada")])
        self.assertEqual(self.rows("SELECT count(*) FROM people WHERE name = 'ADA'"), [(1,)])

    def test_a_table_that_lacks_a_column_is_refused(self) -> None:
        self.sql("CREATE TABLE people (id int PRIMARY KEY, name text)")
        done = self.run_mirror(
            self.arguments("people", options=self.schema("CREATE TABLE people (id INTEGER PRIMARY KEY)"))
        )
        self.assertEqual(done.returncode, 5)
        self.assertIn("the table people of --schema does not fit: ", done.stderr)
        self.assertIn("has no column named name: it needs all columns of the server", done.stderr)
        self.assertFalse(self.path.exists())


if __name__ == "__main__":
    unittest.main()
