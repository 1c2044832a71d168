"""Other processes write to a file, and a store follows, woken by its descriptor.

Each list has a mirror that is updated by the change sets alone. What the list shows is compared
with it at each delivery, and row by row in between, while others have committed what is not
delivered yet.

Then a row may be unavailable: the store releases the state that it shows when a checkpoint waits
for it, when the changes can't be determined from the schema or the log, or when it has changed the
row itself since. What can be read has to be right.
"""

from __future__ import annotations

import select
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from other_writers.plan import SHORT
from other_writers.run import GENEROUS, Run
from other_writers.schema import SCHEMA
from seeds import seeds
from support import StoreTestCase

from fetchedresults import LiveList, Request


class OtherWriters(unittest.TestCase):
    def test_are_followed(self) -> None:
        for seed in seeds(2):
            with tempfile.TemporaryDirectory() as folder, self.subTest(seed=seed):
                run = Run(self, seed, Path(folder), SHORT)
                try:
                    run.run()
                    run.end()
                except Exception as error:
                    raise AssertionError(f"FR_SEED={seed}: {error}") from error
                finally:
                    run.close()
                self.assertGreater(run.figures["dispatches"], SHORT.laps)


class Undelivered(StoreTestCase):
    """What others have committed and was not dispatched yet, in a list that caches only one row."""

    def setUp(self) -> None:
        super().setUp()
        path = self.folder() / "undelivered.db"
        self.own, self.other = self.open(path), self.open(path)
        self.own.executescript(SCHEMA)
        self.own.execute("INSERT INTO items (id, name, section_id) VALUES (1, 'a', 1), (2, 'b', 1), (3, 'c', 2)")

    def list_of(self, *columns: str) -> LiveList:
        live_list = self.own.controller(Request("items", columns=columns, batch_size=1))
        live_list.set_row_cache_size(1)
        live_list.perform_fetch()
        return live_list

    def test_deletes_leave_rows_readable(self) -> None:
        for columns in (["id", "name"], ["name", "section_id.title"]):
            with self.subTest(columns=columns), self.list_of(*columns) as items:
                before = [dict(item) for item in items.objects]
                self.other.execute("DELETE FROM items WHERE id = ?", [items[0, 1].identity])
                self.assertEqual([dict(item) for item in items.objects], before)
                self.own.dispatch()

    def test_values_that_were_never_shown_are_no_old_values(self) -> None:
        for columns, theirs, back in (
            (["name"], "UPDATE items SET name = 'x' WHERE id = 1", "UPDATE items SET name = 'a' WHERE id = 1"),
            (["section_id.title"], "UPDATE sections SET title = 'x'", "UPDATE sections SET title = 'one'"),
            (["section_id.title"], "UPDATE items SET section_id = 3 WHERE id = 1", "UPDATE items SET section_id = 1"),
        ):
            self.own.executescript("UPDATE sections SET title = 'one'; UPDATE items SET section_id = 1")
            reported: list = []
            with self.subTest(theirs=theirs), self.list_of(*columns) as items:
                before = [dict(item) for item in items.objects]
                items.add_observer(
                    lambda changes: reported.extend((each.identity, each.old_values) for each in changes)
                )
                self.other.execute(theirs)
                self.own.execute(back)
                self.assertEqual([dict(item) for item in items.objects], before)
                self.assertEqual(reported, [])


class Idle(StoreTestCase):
    """A store in whose file nobody else commits, though others have it open."""

    def setUp(self) -> None:
        super().setUp()
        self.path = self.folder() / "idle.db"
        self.followed = self.open(self.path)
        self.followed.executescript(SCHEMA)
        self.items = self.followed.fetch("items", sort="name")
        self.followed.fileno()
        self.followed.dispatch()

    def is_readable(self, seconds: float) -> bool:
        return bool(select.select([self.followed], [], [], seconds)[0])

    def elsewhere(self, program: str) -> None:
        """Runs statements in a process of their own, on `db`."""
        begin = "import sqlite3, sys; db = sqlite3.connect(sys.argv[1], isolation_level=None); "
        subprocess.run([sys.executable, "-c", begin + program, str(self.path)], check=True, timeout=60)

    def test_descriptor_is_not_readable(self) -> None:
        self.assertFalse(self.is_readable(0.5))

    def test_descriptor_does_not_report_own_writes(self) -> None:
        for number in range(100):
            self.followed.insert("items", name=str(number))
        with self.followed.transaction():
            self.followed.execute("UPDATE items SET size = id")
        self.followed.begin()
        self.followed.execute("DELETE FROM items")
        self.followed.rollback()
        self.assertEqual(self.items.count, 100)
        self.assertFalse(self.is_readable(0.5))

    def test_descriptor_does_not_report_what_is_rolled_back(self) -> None:
        # With so small a cache the writes are in the log before they are rolled back.
        self.elsewhere(
            "db.execute('PRAGMA cache_size = 5'); db.execute('BEGIN'); "
            "db.executemany('INSERT INTO items (blob) VALUES (?)', [(b'x' * 10000,)] * 50); db.execute('ROLLBACK')"
        )
        self.assertFalse(self.is_readable(0.5))

    def test_descriptor_reports_one_commit_until_it_is_dispatched(self) -> None:
        self.elsewhere("db.execute('INSERT INTO items (name) VALUES (1)')")
        self.assertTrue(self.is_readable(GENEROUS))
        self.assertEqual(self.items.count, 0)
        self.assertTrue(self.is_readable(0))
        self.followed.dispatch()
        self.assertEqual(self.items.count, 1)
        self.assertFalse(self.is_readable(0.5))

    def test_locks_are_held_when_another_process_closes_the_file(self) -> None:
        log = Path(f"{self.path}-wal")
        before = log.stat().st_ino
        # A connection that closes a file which no other one has locked assumes that it is the last,
        # and deletes the log.
        self.elsewhere("db.execute('INSERT INTO items (name) VALUES (1)'); db.close()")
        self.assertEqual(log.stat().st_ino, before)


if __name__ == "__main__":
    unittest.main()
