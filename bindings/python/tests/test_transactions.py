"""Transactions and savepoints."""

from __future__ import annotations

import unittest

from support import StoreTestCase, names

from fetchedresults import ConstraintError, MisuseError


class Transactions(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.items = self.store.fetch("items", sort="name")
        self.reported: list = []
        self.items.add_observer(self.reported.append)

    def test_deliver_once_when_they_commit(self):
        with self.store.transaction() as store:
            self.assertIs(store, self.store)
            self.assertTrue(store.in_transaction)
            store.insert("items", name="a")
            store.insert("items", name="b")
            self.assertEqual(self.reported, [])
        self.assertFalse(self.store.in_transaction)
        self.assertEqual([len(changes) for changes in self.reported], [2])

    def test_that_raise_are_rolled_back_and_deliver_nothing(self):
        with self.assertRaises(ZeroDivisionError), self.store.transaction():
            self.store.insert("items", name="a")
            1 / 0
        self.assertFalse(self.store.in_transaction)
        self.assertEqual((names(self.items), self.reported), ([["apple", "bread", "cider"]], []))

    def test_nest_as_savepoints(self):
        with self.store.transaction():
            self.store.insert("items", name="kept")
            with self.assertRaises(ZeroDivisionError), self.store.transaction():
                self.store.insert("items", name="dropped")
                1 / 0
            with self.store.transaction():
                self.store.insert("items", name="kept too")
            self.assertTrue(self.store.in_transaction)
        self.assertEqual(names(self.items), [["apple", "bread", "cider", "kept", "kept too"]])
        self.assertEqual(len(self.reported), 1)

    def test_whose_commit_fails_are_rolled_back_and_raise(self):
        self.store.executescript(
            "CREATE TABLE children (id INTEGER PRIMARY KEY, item_id REFERENCES items DEFERRABLE INITIALLY DEFERRED)"
        )
        with self.assertRaises(ConstraintError), self.store.transaction():
            self.store.insert("children", item_id=99)
        self.assertFalse(self.store.in_transaction)
        self.assertIsNone(self.store.get("children", 1))

    def test_that_sqlite_ended_raise_what_the_block_raised(self):
        with self.assertRaises(ConstraintError), self.store.transaction():
            self.store.execute("INSERT OR ROLLBACK INTO items (id) VALUES (1)")
        self.assertFalse(self.store.in_transaction)

    def test_can_be_begun_and_ended_by_hand(self):
        for mode in ("deferred", "immediate", "exclusive"):
            self.store.begin(mode)
            self.store.insert("items", name="x")
            self.store.rollback()
        self.store.begin()
        self.store.insert("items", name="x")
        self.store.commit()
        self.assertEqual(len(self.reported), 1)

    def test_ends_without_a_beginning_fail(self):
        with self.assertRaises(MisuseError):
            self.store.commit()
        with self.assertRaises(MisuseError):
            self.store.rollback()

    def test_refuse_unknown_modes(self):
        with self.assertRaises(ValueError):
            self.store.transaction("soon")
        with self.assertRaises(ValueError):
            self.store.begin("soon")

    def test_are_seen_however_they_were_begun(self):
        self.store.execute("BEGIN")
        self.assertTrue(self.store.in_transaction)
        self.store.insert("items", name="x")
        self.store.execute("COMMIT")
        self.assertEqual(len(self.reported), 1)

    def test_whose_store_was_closed_inside_raise_what_the_block_raised(self):
        with self.assertRaises(ZeroDivisionError), self.store.transaction():
            self.store.close()
            1 / 0


if __name__ == "__main__":
    unittest.main()
