"""Undo and redo of steps."""

from __future__ import annotations

import sqlite3
import unittest
from contextlib import closing

from support import StoreTestCase

from fetchedresults import (
    ClosedError,
    ConstraintError,
    GoneError,
    MisuseError,
    NotFoundError,
    RangeError,
    SchemaError,
    Store,
)

SCHEMA = """
CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT UNIQUE);
INSERT INTO notes VALUES (1, 'one'), (2, 'two'), (3, 'three');
"""


class Undo(unittest.TestCase):
    def setUp(self) -> None:
        self.store = Store()
        self.addCleanup(self.store.close)
        self.store.executescript(SCHEMA)

    def titles(self) -> list:
        return [row["title"] for row in self.store.query("SELECT title FROM notes ORDER BY id")]

    def names(self) -> tuple:
        return self.store.undo_name, self.store.redo_name

    def test_restores_and_repeats_what_a_step_has_changed(self):
        notes = self.store.fetch("notes", sort="title")
        with self.store.step("Edit") as store:
            store.execute("REPLACE INTO notes VALUES (4, 'two')")
            store.delete("notes", 1)
        self.assertEqual((self.names(), self.titles()), (("Edit", None), ["three", "two"]))
        self.store.undo()
        self.assertEqual((self.names(), self.titles()), ((None, "Edit"), ["one", "two", "three"]))
        self.assertEqual([note.title for note in notes.objects], ["one", "three", "two"])
        self.store.redo()
        self.assertEqual((self.names(), self.titles()), (("Edit", None), ["three", "two"]))

    def test_reverses_joined_steps_together(self):
        for title in ("e", "ei", "eins"):
            with self.store.step("Type", joins_last=True):
                self.store.update("notes", 1, title=title)
        self.store.undo()
        self.assertEqual(self.titles(), ["one", "two", "three"])

    def test_does_not_record_a_block_that_raises(self):
        with self.assertRaises(KeyError), self.store.step("Fail"):
            self.store.execute("DELETE FROM notes")
            raise KeyError
        self.assertEqual((self.names(), len(self.titles())), ((None, None), 3))

    def test_names_are_new_when_observers_are_notified(self):
        notes = self.store.fetch("notes", sort="title")
        seen = []
        observation = notes.add_observer(lambda changes: seen.append(self.names()))
        with self.store.step("Delete"):
            self.store.delete("notes", 1)
        self.store.undo()
        self.assertEqual(seen, [("Delete", None), (None, "Delete")])
        observation.cancel()

    def test_is_refused_where_rows_are_in_the_way(self):
        with self.store.step("Delete"):
            self.store.delete("notes", 2)
        self.store.insert("notes", id=5, title="two")
        with self.assertRaisesRegex(ConstraintError, '"Delete" can.t be undone: notes 2 can.t exist again'):
            self.store.undo()
        self.assertEqual(self.names(), ("Delete", None))

    def test_is_refused_after_a_change_of_the_schema(self):
        with self.store.step("Delete"):
            self.store.delete("notes", 2)
        self.store.execute("ALTER TABLE notes ADD COLUMN more")
        with self.assertRaisesRegex(SchemaError, "the schema of main has changed since"):
            self.store.undo()

    def test_is_limited(self):
        self.store.set_undo_limit(steps=1, bytes=1000)
        for identity in (1, 2):
            with self.store.step(f"Delete {identity}"):
                self.store.delete("notes", identity)
        self.store.undo()
        self.assertEqual(self.names(), (None, "Delete 2"))
        with self.store.step("Large"):
            self.store.update("notes", 3, title="x" * 2000)
        with self.assertRaisesRegex(RangeError, "more rows than fit into 1000 bytes"):
            self.store.undo()
        self.store.discard_steps(1)
        with self.assertRaisesRegex(NotFoundError, "there is nothing to be undone"):
            self.store.undo()
        self.store.set_undo_limit()
        self.store.discard_steps()
        for call in (
            lambda: self.store.discard_steps(-1),
            lambda: self.store.set_undo_limit(steps=-1),
            lambda: self.store.set_undo_limit(bytes=-1),
        ):
            with self.assertRaises(RangeError):
                call()

    def test_needs_a_store_outside_of_a_transaction(self):
        with self.store.transaction():
            with self.assertRaises(MisuseError):
                self.store.undo()
            with self.assertRaises(MisuseError), self.store.step("Late"):
                pass
        self.assertEqual(repr(self.store.step("Edit")), f"<Transaction, step 'Edit', of {self.store!r}>")
        self.store.close()
        with self.assertRaises(ClosedError):
            _ = self.store.undo_name


class UndoWithOthers(StoreTestCase):
    def test_leaves_what_another_program_has_written(self):
        path = self.folder() / "notes.db"
        with Store(path) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
            store.executescript(SCHEMA)
            with store.step("Edit"):
                store.update("notes", 1, title="uno")
            other.execute("INSERT INTO notes VALUES (4, 'theirs')")
            store.undo()
            rows = [tuple(row) for row in other.execute("SELECT title FROM notes ORDER BY id")]
            self.assertEqual(rows, [("one",), ("two",), ("three",), ("theirs",)])
            other.execute("UPDATE notes SET title = 'eins' WHERE id = 1")
            with self.assertRaisesRegex(GoneError, '"Edit" can.t be redone: notes 1 changed since'):
                store.redo()
            self.assertEqual(store.redo_name, "Edit")


if __name__ == "__main__":
    unittest.main()
