"""Another process removes the file of a followed store, or damages it, while others write to it."""

from __future__ import annotations

import os
import sqlite3
import unittest
from pathlib import Path

from other_writers.schema import SCHEMA
from support import StoreTestCase, identities

from fetchedresults import CorruptError, DatabaseIOError

MOVED = 1032
"""SQLITE_READONLY_DBMOVED."""


class FilesTakenAway(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.path = self.folder() / "followed.db"
        self.followed = self.open(self.path)
        self.followed.executescript(SCHEMA)
        self.followed.execute("INSERT INTO items (id, name) VALUES (1, 'a'), (2, 'b'), (3, 'c')")
        self.items = self.followed.fetch("items", sort="name")
        self.followed.dispatch()
        self.shown = identities(self.items)
        self.reported: list = []
        self.items.add_observer(self.reported.append)

    def write(self, path: Path, sql: str) -> None:
        """As another connection, which is closed again."""
        db = sqlite3.connect(path, isolation_level=None)
        try:
            db.execute(sql)
        finally:
            db.close()

    def check_refused(self) -> None:
        """Nothing is dispatched or written, and the list shows what it showed."""
        for refused in (self.followed.dispatch, lambda: self.followed.execute("DELETE FROM items")):
            with self.assertRaises(DatabaseIOError) as caught:
                refused()
            self.assertEqual(caught.exception.code, MOVED)
            self.assertIn(str(self.path), str(caught.exception))
        self.assertEqual((identities(self.items), self.reported), (self.shown, []))

    def test_file_that_is_replaced_is_refused_until_it_is_back(self) -> None:
        kept, other = self.path.with_suffix(".kept"), self.path.with_suffix(".other")
        self.write(other, "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
        os.link(self.path, kept)
        os.replace(other, self.path)
        self.check_refused()
        os.replace(kept, self.path)
        self.followed.dispatch()
        self.followed.execute("DELETE FROM items WHERE id = 2")
        self.assertEqual(identities(self.items), [[1, 3]])

    def test_file_that_is_replaced_is_followed(self) -> None:
        """The store waits for its path: a file of another application is refused until the right
        one is there. The difference is one change set.
        """
        other = self.path.with_suffix(".other")
        store = self.open(self.path, follow_path=True)
        items = store.fetch("items", sort="name")
        self.assertEqual([row.name for row in items[0]], ["a", "b", "c"])
        changes: list = []
        items.add_observer(lambda found: changes.extend((change.type.name, change.identity) for change in found))
        self.write(other, "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
        os.replace(other, self.path)
        with self.assertRaisesRegex(DatabaseIOError, "its table items is another one") as caught:
            store.wait(timeout=10)
        self.assertEqual((caught.exception.code, changes), (MOVED, []))
        db = sqlite3.connect(other, isolation_level=None)
        db.executescript(SCHEMA)
        db.execute("INSERT INTO items (id, name) VALUES (1, 'a'), (3, '0'), (4, 'd')")
        db.close()
        os.replace(other, self.path)
        store.wait(timeout=10)
        self.assertEqual(changes, [("DELETE", 2), ("INSERT", 4), ("MOVE", 3)])
        self.write(self.path, "DELETE FROM items WHERE id = 4")
        store.wait(timeout=10)
        self.assertEqual(changes[3:], [("DELETE", 4)])
        self.check_refused()

    def test_file_that_is_deleted_is_refused(self) -> None:
        os.unlink(self.path)
        self.check_refused()

    def test_file_that_is_moved_away_is_refused_until_it_is_back(self) -> None:
        away = self.path.with_suffix(".away")
        os.rename(self.path, away)
        self.check_refused()
        os.rename(away, self.path)
        self.write(self.path, "INSERT INTO items (id, name) VALUES (4, 'd')")
        self.followed.dispatch()
        self.assertEqual(identities(self.items), [[1, 2, 3, 4]])

    def fill(self) -> None:
        """More rows than the connection keeps in memory."""
        self.followed.execute("PRAGMA cache_size = 5")
        for start in range(0, 1000, 100):
            rows = [(f"{number:03}" * 30,) for number in range(start, start + 100)]
            self.followed.executemany("INSERT INTO items (name) VALUES (?)", rows)
        self.reported.clear()

    def empty_log(self) -> None:
        """Another connection writes the whole log into the database file."""
        db = sqlite3.connect(self.path, isolation_level=None)
        try:
            # It does not wait for the end of a checkpoint of the store.
            while db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                pass
        finally:
            db.close()

    def check_fails(self, *errors: type) -> None:
        """What needs the lost pages fails, and the list stays as long as it was."""
        with self.followed.controller(self.items.request) as late:
            with self.assertRaises(errors):
                late.perform_fetch()
        with self.assertRaises(errors):
            self.items.perform_fetch()
        self.assertEqual((self.items.count, self.reported), (1003, []))

    def test_database_that_is_truncated_is_reported_as_corrupt(self) -> None:
        self.fill()
        self.empty_log()
        os.truncate(self.path, 3 * 4096)
        self.check_fails(CorruptError, DatabaseIOError)

    def test_log_that_is_truncated_is_reported_as_an_error(self) -> None:
        self.fill()
        os.truncate(f"{self.path}-wal", 0)
        self.check_fails(CorruptError, DatabaseIOError)


if __name__ == "__main__":
    unittest.main()
