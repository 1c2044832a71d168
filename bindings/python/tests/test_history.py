"""Histories: the touched rows that they record, and lists that continue from them."""

from __future__ import annotations

import sqlite3
import unittest
from contextlib import closing
from pathlib import Path
from typing import Optional

from support import StoreTestCase, identities

from fetchedresults import (
    ClosedError,
    Controller,
    GoneError,
    MisuseError,
    RangeError,
    Request,
    RereadReason,
    SchemaError,
    Store,
)

SCHEMA = """
CREATE TABLE words (word TEXT PRIMARY KEY, x TEXT);
CREATE TABLE pairs (a, b, x, PRIMARY KEY (a, b)) WITHOUT ROWID;
CREATE TABLE loose (a, b, x, PRIMARY KEY (a, b));
CREATE TABLE plain (x);
"""


def write(path: Path, script: str) -> None:
    """Runs a script in a connection without a store."""
    with closing(sqlite3.connect(path)) as database:
        database.executescript(script)


class History(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.store.executescript(SCHEMA)

    def touched(self, table: str, script: str) -> list:
        self.store.start_history(table)
        before = self.store.history_generation
        self.store.executescript(script)
        return self.store.touched_rows(table, before)

    def test_touched_rows_are_reported_once_in_their_order(self) -> None:
        script = "UPDATE items SET name = 'x' WHERE id = 3; DELETE FROM items WHERE id IN (1, 3)"
        self.assertEqual(self.touched("items", script), [3, 1])
        self.assertEqual(self.touched("items", "DELETE FROM lists WHERE id = 1"), [2])
        self.assertEqual(self.touched("main.ITEMS", ""), [])

    def test_identities_are_those_of_objects(self) -> None:
        self.assertEqual(self.touched("pairs", "INSERT INTO pairs VALUES (1, 'b', NULL)"), [(1, "b")])
        self.assertEqual(self.touched("plain", "INSERT INTO plain VALUES (NULL)"), [1])
        script = "INSERT INTO words (word) VALUES ('a'), (NULL), ('c')"
        self.assertEqual(self.touched("words", script), ["a", (None, 2), "c"])
        script = "INSERT INTO loose VALUES (1, NULL, 0), (1, 'b', 0), (NULL, NULL, 0)"
        self.assertEqual(self.touched("loose", script), [(None, None, 1), (1, "b"), (None, None, 3)])
        for table in ("pairs", "plain", "words", "loose"):
            shown = [each.identity for each in self.store.fetch(table).objects]
            self.assertCountEqual(self.touched(table, f"UPDATE {table} SET x = 1"), shown)

    def test_a_key_that_is_inserted_again_is_one_identity(self) -> None:
        script = "INSERT INTO words VALUES ('a', 1), ('b', 2); DELETE FROM words WHERE word = 'a';"
        self.assertEqual(self.touched("words", script + "INSERT INTO words VALUES ('a', 3)"), ["a", "b"])

    def test_a_history_has_a_limit(self) -> None:
        self.store.start_history("items")
        self.assertEqual(self.store.history_limit, 100_000)
        before = self.store.history_generation
        self.store.history_limit = 2
        self.assertEqual(self.store.history_limit, 2)
        self.store.execute("UPDATE items SET rank = 0")
        with self.assertRaises(GoneError):
            self.store.touched_rows("items", before)
        for limit in (0, -1, 2**40 + 1):
            with self.assertRaises(RangeError):
                self.store.history_limit = limit
        with self.assertRaises(OverflowError):
            self.store.history_limit = 2**63

    def test_a_history_is_deleted_up_to_a_generation(self) -> None:
        self.store.start_history("items")
        before = self.store.history_generation
        self.store.delete("items", 1)
        middle = self.store.history_generation
        self.store.delete("items", 2)
        self.store.delete_history(middle)
        self.assertEqual(self.store.touched_rows("items", middle), [2])
        with self.assertRaises(GoneError):
            self.store.touched_rows("items", before)

    def test_a_history_begins_and_ends_and_leaves_no_trace(self) -> None:
        def schema() -> list:
            return [tuple(row) for row in self.store.query("SELECT type, name, sql FROM sqlite_schema ORDER BY name")]

        before = schema()
        self.assertFalse(self.store.has_history("items"))
        self.store.start_history("items")
        self.store.start_history("words")
        self.assertTrue(self.store.has_history("main.items"))
        self.store.stop_history("items")
        self.assertFalse(self.store.has_history("items"))
        self.store.stop_history("words")
        self.store.stop_history("words")
        self.assertEqual(schema(), before)

    def test_a_change_of_the_schema_ends_it(self) -> None:
        self.store.start_history("items")
        before = self.store.history_generation
        self.store.execute("ALTER TABLE items ADD COLUMN color")
        self.assertFalse(self.store.has_history("items"))
        self.store.start_history("items")
        with self.assertRaises(GoneError):
            self.store.touched_rows("items", before)

    def test_what_is_wrong_is_refused(self) -> None:
        for wrong in ("nothing", "sqlite_schema"):
            with self.assertRaises(SchemaError):
                self.store.start_history(wrong)
        self.store.execute("CREATE TEMP TABLE passing (x)")
        with self.assertRaises(MisuseError):
            self.store.start_history("passing")
        with self.assertRaises(MisuseError):
            _ = self.store.history_generation
        with self.assertRaises(MisuseError):
            self.store.history_limit = 5
        with self.assertRaises(MisuseError):
            self.store.touched_rows("items", 5)
        with self.assertRaises(TypeError):
            self.store.start_history(5)  # type: ignore[arg-type]
        with self.assertRaises(TypeError):
            self.store.touched_rows("items", "5")  # type: ignore[arg-type]
        self.store.close()
        with self.assertRaises(ClosedError):
            self.store.has_history("items")


class ListsWithHistories(StoreTestCase):
    def test_a_list_in_a_rollback_mode_follows_row_by_row(self) -> None:
        path = self.folder() / "items.db"
        store = self.open(path, journal_mode="delete")
        store.executescript("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO items VALUES (1, 'a')")
        store.start_history("items")
        items = store.fetch("items", sort="name")
        before = items.counters.rereads
        write(path, "INSERT INTO items VALUES (2, 'c'), (3, 'b'); UPDATE items SET name = 'd' WHERE id = 1")
        store.dispatch()
        self.assertEqual(identities(items), [[3, 2, 1]])
        self.assertEqual(items.counters.rereads, before)

    def test_a_list_continues_at_a_later_start(self) -> None:
        for mode in (None, "delete"):
            with self.subTest(mode):
                self.check_later_start(mode)

    def check_later_start(self, mode: Optional[str]) -> None:
        folder = self.folder()

        def start() -> tuple[list, int, int]:
            with Store(folder / "items.db", journal_mode=mode, cache_directory=folder / "lists") as store:
                store.execute("CREATE TABLE IF NOT EXISTS items (id INTEGER PRIMARY KEY, name TEXT)")
                store.start_history("items")
                items = Controller(store, Request("items", sort="name", cache_name="items"), fetch=True)
                counters = items.counters
                return identities(items)[0], counters.cached_fetches, counters.rereads[RereadReason.FETCH]

        self.assertEqual(start(), ([], 0, 1))
        write(folder / "items.db", "INSERT INTO items VALUES (1, 'b'), (2, 'a')")
        self.assertEqual(start(), ([2, 1], 1, 0))
        write(folder / "items.db", "DELETE FROM items WHERE id = 2")
        write(folder / "items.db", "INSERT INTO items VALUES (3, 'c')")
        self.assertEqual(start(), ([1, 3], 1, 0))


if __name__ == "__main__":
    unittest.main()
