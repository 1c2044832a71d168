"""Objects: immutable mappings that are rows."""

from __future__ import annotations

import copy
import unittest
from collections.abc import Mapping

from support import StoreTestCase

from fetchedresults import Request


class Objects(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.bread = self.store.get("items", 1)

    def test_are_mappings_of_their_columns(self):
        self.assertIsInstance(self.bread, Mapping)
        self.assertEqual(dict(self.bread), {"id": 1, "name": "bread", "rank": 2.0, "list_id": 1})
        self.assertEqual(list(self.bread.keys()), ["id", "name", "rank", "list_id"])
        self.assertEqual(list(self.bread.values()), [1, "bread", 2.0, 1])
        self.assertEqual((len(self.bread), "name" in self.bread, "x" in self.bread), (4, True, False))
        self.assertEqual((self.bread.get("name"), self.bread.get("x", 5)), ("bread", 5))

    def test_find_columns_as_sqlite_does(self):
        self.assertEqual((self.bread["NAME"], self.bread.Rank, "List_Id" in self.bread), ("bread", 2.0, True))
        for name in ("nothing", 0, None):
            self.assertIsNone(self.bread.get(name))
            with self.assertRaises(KeyError):
                self.bread[name]
        with self.assertRaisesRegex(AttributeError, "nothing"):
            self.bread.nothing

    def test_show_columns_whose_names_are_taken_as_items_only(self):
        self.store.executescript("CREATE TABLE odd (id INTEGER PRIMARY KEY, keys, identity, entity)")
        odd = self.store.insert("odd", keys="k", identity="i", entity="e")
        self.assertEqual((odd["keys"], odd["identity"], odd["entity"]), ("k", "i", "e"))
        self.assertEqual((odd.identity, odd.entity), (1, "odd"))

    def test_never_change(self):
        with self.assertRaises(AttributeError):
            self.bread.name = "x"
        with self.assertRaises(AttributeError):
            del self.bread.name
        with self.assertRaises(TypeError):
            self.bread["name"] = "x"
        self.store.update("items", 1, name="cake")
        self.assertEqual(self.bread.name, "bread")
        self.assertIs(copy.deepcopy(self.bread), self.bread)
        self.assertIs(copy.copy(self.bread), self.bread)

    def test_are_equal_if_they_are_the_same_row(self):
        self.store.update("items", 1, name="cake")
        cake = self.store.get("items", 1)
        self.assertEqual(self.bread, cake)
        self.assertEqual(len({self.bread, cake}), 1)
        self.assertNotEqual(dict(self.bread), dict(cake))
        self.assertNotEqual(self.bread, self.store.get("items", 2))
        self.assertNotEqual(self.bread, self.store.get("lists", 1))
        self.assertNotEqual(self.bread, dict(self.bread))

    def test_are_the_same_however_they_were_reached(self):
        items = self.store.fetch("main.items", sort="id")
        self.assertEqual(items[0, 0], self.bread)
        self.assertEqual(self.store.get("ITEMS", 1), self.bread)

    def test_hold_values_of_all_types(self):
        self.store.execute("CREATE TABLE odd (a, b, c, d, e, f, g, PRIMARY KEY (g, a))")
        values = [None, 2**63 - 1, -1.5, "a\0b\U0001f600", b"a\0b", b"", ""]
        self.store.insert("odd", dict(zip("abcdefg", values)))
        self.store.execute("UPDATE odd SET a = 0")
        (odd,) = self.store.fetch("odd").objects
        self.assertEqual((list(odd.values()), odd.identity), ([0, *values[1:]], ("", 0)))
        self.store.execute("UPDATE odd SET d = CAST(x'61ff' AS TEXT)")
        self.assertEqual(self.store.fetch("odd")[0, 0].d, "a\udcff")

    def test_of_one_list_have_the_columns_that_it_shows_now(self):
        items = self.store.fetch("items", sort="id")
        first = items[0, 0]
        items.request = Request("items", sort="id", columns=["list_id.title", "name"])
        self.assertEqual(dict(items[0, 0]), {"list_id.title": "Shop", "name": "bread"})
        self.store.execute("ALTER TABLE items ADD COLUMN more DEFAULT 7")
        self.assertEqual(list(items[0, 0]), ["list_id.title", "name"])
        items.request = Request("items", sort="id")
        self.assertEqual((items[0, 0].more, list(first)), (7, ["id", "name", "rank", "list_id"]))

    def test_of_many_lists_are_distinguished(self):
        names = [f"c{number}" for number in range(70)]
        self.store.execute(f"CREATE TABLE wide ({', '.join(names)})")
        self.store.insert("wide", {name: place for place, name in enumerate(names)})
        # More of them than are remembered.
        for number in range(600):
            columns = [names[number % 70], names[(number * 7 + 1) % 70]]
            (row,) = self.store.fetch("wide", columns=columns).objects
            self.assertEqual(dict(row), {name: names.index(name) for name in columns})
            self.assertEqual(self.bread.name, "bread")
        self.assertEqual(list(self.store.fetch("wide")[0, 0].values()), list(range(70)))

    def test_outlive_their_store(self):
        self.store.close()
        self.assertEqual(self.bread.name, "bread")

    def test_show_themselves(self):
        self.assertEqual(repr(self.bread), "Object('items', 1, {'id': 1, 'name': 'bread', 'rank': 2.0, 'list_id': 1})")


if __name__ == "__main__":
    unittest.main()
