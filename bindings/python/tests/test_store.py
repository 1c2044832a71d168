"""Stores: opening, SQL, rows by identity."""

from __future__ import annotations

import ctypes
import gc
import sqlite3
import time
import unittest
import weakref
from contextlib import closing
from pathlib import Path

from support import StoreTestCase, names

from fetchedresults import (
    BusyError,
    ConstraintError,
    CorruptError,
    DatabaseIOError,
    MisuseError,
    NotFoundError,
    RangeError,
    ReadOnlyError,
    SchemaError,
    Sort,
    SQLError,
    Status,
    Store,
)


class Opening(StoreTestCase):
    def test_accepts_str_bytes_and_path(self):
        path = self.folder() / "a.db"
        for form in (path, str(path), bytes(path)):
            with Store(form) as store:
                store.executescript("CREATE TABLE IF NOT EXISTS t (x); INSERT INTO t VALUES (1)")
        with closing(sqlite3.connect(path)) as database:
            self.assertEqual(database.execute("SELECT count(*) FROM t").fetchone(), (3,))

    def test_without_a_path_makes_a_database_in_memory(self):
        with Store() as store:
            store.execute("CREATE TABLE t (x)")
        with Store() as store:
            self.assertEqual(list(store.query("SELECT * FROM sqlite_schema")), [])

    def test_uses_wal_for_files_by_default(self):
        folder = self.folder()
        self.assertEqual(list(self.open(folder / "a.db").query("PRAGMA journal_mode")), [("wal",)])
        deleting = self.open(folder / "b.db", journal_mode="delete")
        self.assertEqual(list(deleting.query("PRAGMA journal_mode")), [("delete",)])

    def test_enforces_foreign_keys_by_default(self):
        with self.assertRaises(ConstraintError):
            self.store.insert("items", list_id=99)
        lax = self.open(foreign_keys=False)
        lax.executescript("CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (a_id REFERENCES a)")
        lax.insert("b", a_id=99)

    def test_for_reading_only_refuses_writes(self):
        path = self.folder() / "a.db"
        with Store(path) as store:
            store.execute("CREATE TABLE t (x)")
        reader = self.open(path, read_only=True)
        self.assertEqual(list(reader.query("SELECT * FROM t")), [])
        with self.assertRaises(ReadOnlyError):
            reader.execute("INSERT INTO t VALUES (1)")

    def test_immutable_is_read_without_files_beside_it(self):
        folder = self.folder()
        path = folder / "50% a?b#c.db"
        with Store(path) as store:
            store.execute("CREATE TABLE t (x)")
            store.execute("INSERT INTO t VALUES (7)")
        reader = self.open(path, immutable=True)
        self.assertEqual([row["x"] for row in reader.query("SELECT x FROM t")], [7])
        self.assertEqual([entry.name for entry in folder.iterdir()], [path.name])
        with self.assertRaises(ReadOnlyError):
            reader.execute("INSERT INTO t VALUES (1)")

    def test_can_be_prevented_from_creating_a_file(self):
        path = self.folder() / "missing.db"
        for options in ({"create": False}, {"read_only": True}):
            with self.subTest(options), self.assertRaises(DatabaseIOError) as caught:
                self.open(path, **options)
            self.assertNotEqual(caught.exception.code, 0)
        self.assertFalse(path.exists())

    def test_of_what_is_no_database_fails(self):
        path = self.folder() / "a.db"
        path.write_bytes(b"This is no database, whatever its name says. " * 100)
        with self.assertRaises(CorruptError):
            self.open(path)

    def test_with_an_unknown_journal_mode_fails(self):
        with self.assertRaises(SQLError):
            self.open(self.folder() / "a.db", journal_mode="carefully")

    def test_refuses_impossible_timeouts(self):
        for seconds in (-1, float("nan"), 1e10):
            with self.subTest(seconds), self.assertRaises(ValueError):
                self.open(busy_timeout=seconds)

    def test_waits_for_locks_as_long_as_requested(self):
        path = self.folder() / "a.db"
        holder = self.open(path)
        holder.begin("immediate")
        for timeout, least, most in ((0, 0, 0.2), (0.3, 0.2, 3)):
            store = self.open(path, busy_timeout=timeout)
            start = time.monotonic()
            with self.assertRaises(BusyError) as caught:
                store.begin("immediate")
            self.assertTrue(least <= time.monotonic() - start <= most)
            self.assertEqual(caught.exception.code & 0xFF, 5)


class Adoption(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.sqlite = ctypes.CDLL("libsqlite3.so.0")
        self.connection = ctypes.c_void_p()
        self.assertEqual(self.sqlite.sqlite3_open(b":memory:", ctypes.byref(self.connection)), 0)
        self.addCleanup(self.sqlite.sqlite3_close, self.connection)
        self.run_raw(b"CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")

    def run_raw(self, sql: bytes) -> None:
        self.assertEqual(self.sqlite.sqlite3_exec(self.connection, sql, None, None, None), 0)

    def test_observes_a_connection_of_the_programs_own(self):
        store = Store.from_handle(self.connection.value)
        self.addCleanup(store.close)
        items = store.fetch("items")
        self.run_raw(b"INSERT INTO items (name) VALUES ('tea')")
        self.assertEqual(names(items), [[]])
        store.dispatch()
        self.assertEqual(names(items), [["tea"]])
        self.assertEqual(store.sqlite_handle, self.connection.value)

    def test_leaves_the_connection_open(self):
        Store.from_handle(self.connection.value).close()
        self.run_raw(b"INSERT INTO items (name) VALUES ('tea')")

    def first_name(self) -> str:
        found = []
        row = ctypes.CFUNCTYPE(
            ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_char_p), ctypes.c_void_p
        )
        note = row(lambda context, count, values, names: found.append(values[0].decode()) or 0)
        self.sqlite.sqlite3_exec(self.connection, b"SELECT name FROM words ORDER BY name", note, None, None)
        return found[0]

    def test_leaves_collations_with_the_connection(self):
        store = Store.from_handle(self.connection.value)
        store.add_collation("LONGEST", lambda a, b: len(b) - len(a))
        store.executescript(
            "CREATE TABLE words (name TEXT COLLATE LONGEST UNIQUE); INSERT INTO words VALUES ('a'), ('bb')"
        )
        store.close()
        del store
        gc.collect()
        self.assertEqual(self.first_name(), "bb")
        self.run_raw(b"INSERT INTO words VALUES ('ccc')")
        self.assertEqual(self.first_name(), "ccc")

    def test_keeps_a_collation_as_long_as_the_connection(self):
        class Longest:
            def __call__(self, a, b):
                return len(b) - len(a)

        def is_kept() -> bool:
            gc.collect()
            return compare() is not None

        connection = ctypes.c_void_p()
        self.assertEqual(self.sqlite.sqlite3_open(b":memory:", ctypes.byref(connection)), 0)
        store = Store.from_handle(connection.value)
        function = Longest()
        compare = weakref.ref(function)
        store.add_collation("LONGEST", function)
        del function
        store.close()
        self.assertTrue(is_kept())
        self.assertEqual(self.sqlite.sqlite3_close(connection), 0)
        self.assertFalse(is_kept())

    def test_of_nothing_fails(self):
        with self.assertRaises(MisuseError):
            Store.from_handle(0)
        with self.assertRaises(TypeError):
            Store.from_handle("handle")


class SQL(StoreTestCase):
    def test_errors_report_message_code_and_statement(self):
        with self.assertRaises(ConstraintError) as caught:
            self.store.execute("INSERT INTO lists (id) VALUES (?)", (7,))
        error = caught.exception
        self.assertEqual(error.status, Status.CONSTRAINT)
        self.assertEqual(error.code, 1299)
        self.assertIn("lists.title", error.message)
        self.assertEqual(error.message, str(error))
        self.assertIn("INSERT INTO lists", error.sql)

    def test_takes_exactly_one_statement(self):
        for sql in ("", "  -- nothing", "SELECT 1; SELECT 2", "SELEKT 1"):
            for run in (self.store.execute, self.store.query):
                with self.subTest(sql, run=run.__name__), self.assertRaises(SQLError):
                    run(sql)

    def test_scripts_run_until_the_first_failure(self):
        with self.assertRaises(SQLError):
            self.store.executescript("INSERT INTO items (id) VALUES (8); SELEKT; INSERT INTO items (id) VALUES (9)")
        self.assertIsNotNone(self.store.get("items", 8))
        self.assertIsNone(self.store.get("items", 9))

    def test_executemany_is_all_or_nothing_and_one_delivery(self):
        items = self.store.fetch("items", sort="name")
        reported = []
        items.add_observer(reported.append)
        self.store.executemany("INSERT INTO items (name) VALUES (?)", ([name] for name in "xyz"))
        self.assertEqual([len(changes) for changes in reported], [3])
        with self.assertRaises(ConstraintError):
            self.store.executemany("INSERT INTO items (id) VALUES (?)", [(50,), (50,)])
        self.assertIsNone(self.store.get("items", 50))
        self.assertFalse(self.store.in_transaction)

    def test_changes_and_last_insert_rowid_are_those_of_the_last_write(self):
        self.store.execute("INSERT INTO items (id) VALUES (70)")
        self.assertEqual((self.store.changes, self.store.last_insert_rowid), (1, 70))
        self.store.execute("UPDATE items SET rank = 9")
        self.assertEqual(self.store.changes, 4)


class Queries(StoreTestCase):
    def test_give_rows_by_place_name_and_slice(self):
        row = next(self.store.query("SELECT id, name, rank AS Score FROM items ORDER BY id"))
        self.assertEqual((row[0], row[-1], row["NAME"], row["score"], row[:2]), (1, 2.0, "bread", 2.0, (1, "bread")))
        self.assertEqual((len(row), list(row), row.keys()), (3, [1, "bread", 2.0], ("id", "name", "Score")))
        self.assertEqual(row, (1, "bread", 2.0))
        self.assertEqual(hash(row), hash((1, "bread", 2.0)))
        self.assertEqual(repr(row), "Row(id=1, name='bread', Score=2.0)")
        with self.assertRaises(KeyError):
            row["missing"]
        with self.assertRaises(IndexError):
            row[3]

    def test_have_their_columns_without_rows(self):
        rows = self.store.query("SELECT id AS a, name AS b FROM items WHERE 0")
        self.assertEqual((rows.columns, list(rows)), (("a", "b"), []))

    def test_are_over_after_their_last_row(self):
        rows = self.store.query("SELECT 1 UNION SELECT 2")
        self.assertEqual(list(rows), [(1,), (2,)])
        self.assertEqual(list(rows), [])

    def test_can_be_ended_early(self):
        with self.store.query("SELECT id FROM items ORDER BY id") as rows:
            self.assertEqual(next(rows), (1,))
        self.assertEqual(list(rows), [])

    def test_that_write_have_written_when_their_only_row_was_returned(self):
        items = self.store.fetch("items", sort="name")
        rows = self.store.query("INSERT INTO items (name) VALUES ('aaa') RETURNING id")
        self.assertEqual(next(rows)[0], 4)
        self.assertEqual(names(items), [["aaa", "apple", "bread", "cider"]])

    def test_that_were_dropped_half_way_hold_nothing_up(self):
        next(self.store.query("SELECT id FROM items"))
        self.store.execute("DROP TABLE items")

    def test_do_not_run_with_wrong_sql(self):
        with self.assertRaises(SQLError) as caught:
            self.store.query("SELECT name FROM nowhere")
        self.assertIn("nowhere", caught.exception.message)


class RowsByIdentity(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.store.executescript(
            "CREATE TABLE pairs (a TEXT, b INTEGER, v DEFAULT 'none', PRIMARY KEY (a, b)) WITHOUT ROWID;"
            "CREATE TABLE bare (x)"
        )

    def test_insert_gives_the_new_row(self):
        item = self.store.insert("items", name="tea", rank=1)
        self.assertEqual(dict(item), {"id": 4, "name": "tea", "rank": 1.0, "list_id": None})
        self.assertEqual((item.entity, item.identity), ("items", 4))

    def test_insert_takes_mappings_keywords_both_and_nothing(self):
        row = {"a": "x", "b": 1}
        self.assertEqual(self.store.insert("pairs", row, v=2).v, 2)
        self.assertEqual(row, {"a": "x", "b": 1})
        self.assertEqual(self.store.insert("bare").x, None)
        self.assertEqual(self.store.insert("main.bare", {"x": "y"}).x, "y")

    def test_identities_of_several_columns_are_tuples(self):
        self.assertEqual(self.store.insert("pairs", a="x", b=1).identity, ("x", 1))
        self.store.update("pairs", ("x", 1), v="changed")
        self.assertEqual(self.store.get("pairs", ("x", 1)).v, "changed")
        self.store.delete("pairs", ("x", 1))
        self.assertIsNone(self.store.get("pairs", ("x", 1)))

    def test_a_null_key_is_never_the_key_that_equals_its_rowid(self):
        for key in ("INT PRIMARY KEY", "TEXT PRIMARY KEY", "INTEGER PRIMARY KEY DESC"):
            with self.subTest(key), Store() as store:
                store.executescript(
                    f"CREATE TABLE t (k {key}, v); INSERT INTO t (rowid, k, v) VALUES (1, 2, 'a'), (2, NULL, 'b')"
                )
                rows = store.fetch("t", sort="v")
                two, null = rows.objects
                self.assertEqual((two.identity, null.identity), (two.k, (None, 2)))
                self.assertEqual(len({two, null, store.get(two), store.get(null)}), 2)
                for path, row in enumerate((two, null)):
                    self.assertEqual(rows.index_path_of(row), (0, path))
                    self.assertEqual(rows.index_path_of(row.identity), (0, path))
                identities = []
                rows.add_observer(lambda changes: identities.extend(each.identity for each in changes))
                store.update(null, v="c")
                self.assertEqual([row["v"] for row in store.query("SELECT v FROM t ORDER BY rowid")], ["a", "c"])
                store.delete(two)
                self.assertEqual(identities, [(None, 2), two.identity])
                self.assertIsNone(store.get(two))
                self.assertEqual(store.get("t", (None, 2)).v, "c")
                for nobody in (two.identity, 2, None, (None, 3), (2, 2), (None, None), (None, "2")):
                    self.assertIsNone(rows.index_path_of(nobody))
                    with self.assertRaises(NotFoundError):
                        store.delete("t", nobody)
                with self.assertRaises(RangeError):
                    store.delete("t", (None, None, 2))
                store.delete("t", (None, 2))
                self.assertEqual(list(rows.objects), [])

    def test_rowid_is_the_identity_where_none_is_declared(self):
        first = self.store.insert("bare", x="a")
        self.assertEqual(first.identity, 1)
        self.assertEqual(dict(self.store.get("bare", 1)), {"x": "a"})

    def test_update_and_delete_of_no_row_fail(self):
        with self.assertRaises(NotFoundError):
            self.store.update("items", 99, name="x")
        with self.assertRaises(LookupError):
            self.store.delete("items", 99)

    def test_wrong_numbers_of_values_fail(self):
        for use in (
            lambda: self.store.get("items", (1, 2)),
            lambda: self.store.get("pairs", "x"),
            lambda: self.store.delete("pairs", ()),
            lambda: self.store.update("items", 1),
        ):
            with self.assertRaises(RangeError):
                use()

    def test_unknown_tables_and_columns_fail(self):
        for use in (
            lambda: self.store.insert("nowhere", name="x"),
            lambda: self.store.insert("items", nothing="x"),
            lambda: self.store.update("items", 1, nothing="x"),
            lambda: self.store.get("nowhere", 1),
        ):
            with self.assertRaises(SchemaError):
                use()

    def test_names_are_quoted(self):
        self.store.execute('CREATE TABLE "odd ""name" (id INTEGER PRIMARY KEY, "or der" TEXT)')
        odd = self.store.insert('odd "name', {"or der": "x"})
        self.assertEqual(odd["or der"], "x")
        with self.assertRaises(SchemaError):
            self.store.insert("items; DROP TABLE items", name="x")

    def test_get_inside_a_transaction_sees_that_transaction(self):
        with self.store.transaction():
            self.store.update("items", 1, name="new")
            self.assertEqual(self.store.get("items", 1).name, "new")


class Collations(StoreTestCase):
    def test_order_lists_as_the_function_says(self):
        self.store.add_collation("BYLENGTH", lambda a, b: len(a) - len(b))
        self.store.executemany("INSERT INTO items (name) VALUES (?)", [("x" * length,) for length in (9, 2, 7)])
        items = self.store.fetch("items", "id > 3", sort=Sort("name", collation="BYLENGTH"))
        self.assertEqual(names(items), [["x" * 2, "x" * 7, "x" * 9]])
        self.store.insert("items", name="yyyy")
        self.assertEqual(names(items), [["x" * 2, "yyyy", "x" * 7, "x" * 9]])

    def test_may_return_any_number(self):
        self.store.add_collation("HUGE", lambda a, b: 10**30 * ((a > b) - (a < b)))
        self.assertEqual(list(self.store.query("SELECT 'b' > 'a' COLLATE HUGE")), [(1,)])

    def test_can_be_replaced(self):
        for sign in (1, -1):
            self.store.add_collation("MINE", lambda a, b, sign=sign: sign * ((a > b) - (a < b)))
            self.assertEqual(
                [row[0] for row in self.store.query("SELECT name FROM items ORDER BY name COLLATE MINE")],
                ["apple", "bread", "cider"][::sign],
            )

    def test_keep_their_names_apart_as_sqlite_does(self):
        self.store.add_collation("straße", lambda a, b: (a > b) - (a < b))
        self.store.add_collation("strasse", lambda a, b: (a < b) - (a > b))
        self.assertEqual(list(self.store.query("SELECT 1 < 2, 'a' < 'b' COLLATE \"STRAßE\"")), [(1, 1)])

    def test_must_be_callable(self):
        with self.assertRaises(TypeError):
            self.store.add_collation("MINE", "NOCASE")

    def test_get_empty_strings_and_nuls(self):
        seen = set()
        self.store.add_collation("SEE", lambda a, b: seen.update((a, b)) or 0)
        list(self.store.query("SELECT '' = ?1 COLLATE SEE", ("a\0b",)))
        self.assertEqual(seen, {"", "a\0b"})


class Queued(StoreTestCase):
    def test_commits_wait_for_dispatch(self):
        path = self.folder() / "a.db"
        store = self.open(path, queued=True)
        store.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)")
        rows = store.fetch("t")
        reported = []
        rows.add_observer(reported.append)
        store.insert("t", name="x")
        self.assertEqual((names(rows), reported), ([[]], []))
        store.dispatch()
        self.assertEqual((names(rows), len(reported)), ([["x"]], 1))
        store.dispatch()
        self.assertEqual(len(reported), 1)


class Reopening(StoreTestCase):
    def test_finds_what_was_written(self):
        path = Path(self.folder(), "a.db")
        with Store(path) as store:
            store.execute("CREATE TABLE t (x)")
            store.insert("t", x=1)
        with Store(path, create=False) as store:
            self.assertEqual(store.get("t", 1).x, 1)


if __name__ == "__main__":
    unittest.main()
