"""Lists, sections and flat views are sequences as Python has them."""

from __future__ import annotations

import random
import unittest

from support import StoreTestCase

from fetchedresults import Collection, Placeholder, Request, SectionMap


class Sequences(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.items = self.store.fetch("items", sort="name", section="list_id")
        self.apple, self.bread, self.cider = (self.store.get("items", key) for key in (2, 1, 3))
        self.gone = self.store.insert("items", name="dates", list_id=1)
        self.store.delete(self.gone)

    def test_contain_their_objects(self):
        map_of_lists = SectionMap(self.store, Request("items"), Request("lists"), "list_id", fetch=True)
        collection = Collection([Placeholder("first"), self.items], fetch=True)
        for shown in (self.items, self.items.objects, map_of_lists, collection):
            with self.subTest(shown):
                self.assertIn(self.bread, shown)
                self.assertNotIn(self.gone, shown)
                self.assertNotIn(1, shown)
        self.assertIn(self.bread, self.items[0])
        self.assertNotIn(self.cider, self.items[0])

    def test_contain_their_sections(self):
        self.assertIn(self.items[1], self.items)
        self.assertEqual([self.items.index(section) for section in self.items], [0, 1])
        last = self.items[1]
        self.assertNotIn(last, self.store.fetch("items", section="list_id"))
        self.store.delete(self.cider)
        self.assertNotIn(last, self.items)
        for value in (last, self.bread, None):
            with self.assertRaises(ValueError):
                self.items.index(value)
        with self.assertRaises(ValueError):
            self.items.index(self.items[0], 1)

    def test_find_the_index_of_an_object(self):
        self.assertEqual(self.items[0].index(self.bread), 1)
        self.assertEqual(self.items[1].index(self.cider), 0)
        self.assertEqual(self.items.objects.index(self.cider), 2)
        self.assertEqual([section.section_index for section in self.items], [0, 1])
        for use in (
            lambda: self.items[0].index(self.cider),
            lambda: self.items[0].index(self.bread, 0, 1),
            lambda: self.items.objects.index(self.gone),
        ):
            with self.assertRaises(ValueError):
                use()

    def test_count_negative_indexes_from_the_end(self):
        self.assertEqual(self.items[0, -1], self.bread)
        self.assertEqual(self.items[-1, 0], self.cider)
        self.assertEqual(self.items[-2, -2], self.apple)
        self.assertEqual((self.items[-1][-1], self.items.objects[-3]), (self.cider, self.apple))
        for path in ((0, -3), (-3, 0), (-1, 1), (1, -2)):
            with self.subTest(path), self.assertRaises(IndexError):
                self.items[path]

    def test_are_false_without_objects(self):
        self.assertTrue(self.items)
        empty = self.store.fetch("items", "id > 99")
        self.assertEqual((bool(empty), len(empty), bool(empty[0]), bool(empty.objects)), (False, 1, False, False))
        placeholders = Collection([Placeholder("nothing"), empty], fetch=True)
        self.assertEqual((bool(placeholders), len(placeholders)), (False, 2))
        self.store.insert("items", id=100)
        self.assertTrue(empty and placeholders)

    def test_can_be_reversed_and_sliced(self):
        self.assertEqual([section.value for section in reversed(self.items)], [2, 1])
        self.assertEqual(list(reversed(self.items[0])), [self.bread, self.apple])
        self.assertEqual(list(reversed(self.items.objects)), [self.cider, self.bread, self.apple])
        self.assertEqual(self.items[::-1], [self.items[1], self.items[0]])
        self.assertEqual(self.items[0][-1:], [self.bread])
        self.assertEqual(self.items.objects[1:99], [self.bread, self.cider])
        self.assertEqual(self.items.objects[::-2], [self.cider, self.apple])

    def test_are_accepted_where_python_expects_a_sequence(self):
        self.assertIn(random.choice(self.items.objects), [self.apple, self.bread, self.cider])
        self.assertEqual(sorted(self.items.objects, key=lambda item: item.rank), [self.apple, self.bread, self.cider])
        first, second = self.items
        self.assertEqual((*first, *second), tuple(self.items.objects))


if __name__ == "__main__":
    unittest.main()
