"""Controllers: reading the list."""

from __future__ import annotations

import unittest
from collections.abc import Sequence

from support import StoreTestCase, identities, names

from fetchedresults import (
    Controller,
    GoneError,
    IndexPath,
    MisuseError,
    NotFetchedError,
    NotFoundError,
    Observer,
    RangeError,
    Request,
    RereadReason,
    SchemaError,
    Section,
)


class Reading(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.items = self.store.fetch("items", sort="name", section="-list_id.title")

    def test_is_a_sequence_of_sections_of_objects(self):
        self.assertIsInstance(self.items, Sequence)
        self.assertIsInstance(self.items[0], Section)
        self.assertIsInstance(self.items[0], Sequence)
        self.assertEqual((len(self.items), len(self.items[0]), len(self.items[1])), (2, 2, 1))
        self.assertEqual([section.name for section in self.items], ["Shop", "Home"])
        self.assertEqual(names(self.items), [["apple", "bread"], ["cider"]])
        self.assertEqual([section.name for section in reversed(self.items)], ["Home", "Shop"])

    def test_takes_negative_indexes_and_slices(self):
        self.assertEqual((self.items[-1].name, self.items[0][-1].name), ("Home", "bread"))
        self.assertEqual([section.name for section in self.items[::-1]], ["Home", "Shop"])
        self.assertEqual([item.name for item in self.items[0][1:]], ["bread"])
        self.assertEqual(self.items[0][5:], [])

    def test_refuses_indexes_outside(self):
        for use in (
            lambda: self.items[2],
            lambda: self.items[-3],
            lambda: self.items[2**64],
            lambda: self.items[0][2],
            lambda: self.items[0][-3],
            lambda: self.items[0][2**64],
            lambda: self.items[0, 2],
            lambda: self.items[2, 0],
            lambda: self.items.object_at((0, -1)),
            lambda: self.items[0, -3],
            lambda: self.items[-3, 0],
            lambda: self.items[2**64, 0],
            lambda: self.items.objects[3],
            lambda: self.items.objects[-4],
        ):
            with self.assertRaises(IndexError):
                use()
        with self.assertRaises(TypeError):
            self.items["Shop"]

    def test_gives_objects_by_index_path(self):
        path = IndexPath(section=0, row=1)
        self.assertEqual(self.items[path].name, "bread")
        self.assertEqual(self.items[0, 1].name, "bread")
        self.assertEqual(self.items.object_at((0, 1)).name, "bread")

    def test_gives_index_paths_by_object_and_identity(self):
        cider = self.store.get("items", 3)
        self.assertEqual(self.items.index_path_of(cider), IndexPath(1, 0))
        self.assertEqual(self.items.index_path_of(3), (1, 0))
        self.assertEqual(self.items.index_path_of((3,)), (1, 0))
        self.assertIsNone(self.items.index_path_of(99))
        self.assertIsNone(self.items.index_path_of("three"))
        with self.assertRaises(RangeError):
            self.items.index_path_of((1, 2))

    def test_finds_what_is_in_it(self):
        apple, cider = self.items[0, 0], self.items[1, 0]
        self.assertTrue(apple in self.items[0] and apple in self.items.objects)
        self.assertFalse(cider in self.items[0])
        self.assertEqual(self.items.objects.index(cider), 2)
        for value in (self.store.get("lists", 1), "apple", None):
            self.assertFalse(value in self.items[0])
            self.assertFalse(value in self.items.objects)
            with self.assertRaises(ValueError):
                self.items.objects.index(value)
        with self.assertRaises(ValueError):
            self.items.objects.index(cider, 0, 2)
        self.assertTrue(self.items[1] in self.items)
        self.assertEqual(self.items.index(self.items[1]), 1)

    def test_of_another_entity_is_not_in_it(self):
        self.assertIsNone(self.items.index_path_of(self.store.get("lists", 1)))

    def test_is_flat_as_well(self):
        objects = self.items.objects
        self.assertIsInstance(objects, Sequence)
        self.assertEqual((len(objects), self.items.count), (3, 3))
        self.assertEqual([item.name for item in objects], ["apple", "bread", "cider"])
        self.assertEqual([item.name for item in reversed(objects)], ["cider", "bread", "apple"])
        self.assertEqual((objects[1].name, objects[-1].name, objects[2:][0].name), ("bread", "cider", "cider"))
        self.assertEqual(self.items.index_path_at(2), (1, 0))
        self.assertEqual(self.items.index_of((1, 0)), 2)

    def test_stays_in_step_with_a_batch_size_of_one(self):
        items = self.store.fetch("items", sort="name", batch_size=1)
        self.assertEqual(names(items), [["apple", "bread", "cider"]])

    def test_shows_views_that_follow_the_list(self):
        first, objects = self.items[0], self.items.objects
        self.store.insert("items", name="aaa", list_id=1)
        self.assertEqual((len(first), first[0].name, len(objects)), (3, "aaa", 4))

    def test_shows_itself(self):
        self.assertEqual(repr(self.items), "<Controller of items: 3 objects in 2 sections>")
        self.assertEqual(repr(self.items[0]), "<Section 0 'Shop' of 2 objects>")
        self.assertEqual(repr(self.items.objects), "<Objects of <Controller of items: 3 objects in 2 sections>>")

    def test_gives_the_old_row_or_none_while_a_change_waits_for_its_delivery(self):
        seen = []

        class Reader(Observer):
            def will_change(delegate, controller):
                try:
                    seen.append(controller[0, 1].name)
                except GoneError:
                    seen.append("gone")

        self.items.add_observer(Reader())
        self.store.delete("items", 1)
        self.assertIn(seen, (["bread"], ["gone"]))
        self.assertEqual(names(self.items), [["apple"], ["cider"]])


class Sections(StoreTestCase):
    def test_have_name_title_value_index_count_and_objects(self):
        section = self.store.fetch("items", sort="name", section="list_id")[1]
        self.assertEqual((section.name, section.value, section.index_title), ("2", 2, "2"))
        self.assertEqual((section.section_index, section.count), (1, 1))
        self.assertEqual([item.name for item in section.objects], ["cider"])

    def test_a_flat_list_has_one_also_when_it_is_empty(self):
        for predicate, count in ((None, 3), ("0", 0)):
            items = self.store.fetch("items", predicate)
            self.assertEqual((len(items), items[0].name, items[0].value, items[0].count), (1, None, None, count))
            self.assertIsNone(items[0].index_title)

    def test_an_empty_sectioned_list_has_none(self):
        self.assertEqual(list(self.store.fetch("items", "0", section="name")), [])

    def test_null_is_a_section_without_a_name(self):
        self.store.insert("items", name=None)
        section = self.store.fetch("items", section="name")[0]
        self.assertEqual((section.name, section.value, section.index_title, section.count), (None, None, None, 1))

    def test_values_keep_their_type(self):
        self.store.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v)")
        for value in (1, 2.5, "x\0y", b"\1", ""):
            self.store.insert("t", v=value)
        values = [section.value for section in self.store.fetch("t", section="v")]
        self.assertEqual(values, [1, 2.5, "", "x\0y", b"\1"])

    def test_names_hold_nuls_and_what_is_no_utf8(self):
        self.store.execute("INSERT INTO items (name) VALUES ('a' || char(0) || 'b'), (CAST(x'ff' AS TEXT))")
        found = self.store.fetch("items", "id > 3", section="name")
        self.assertEqual([section.name for section in found], ["a\0b", "\ufffd"])
        self.assertEqual([section.value for section in found], ["a\0b", "\udcff"])


class IndexTitles(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.store.executemany("INSERT INTO items (name) VALUES (?)", [("avocado",), ("éclair",)])
        self.items = self.store.fetch("items", section="name")

    def test_are_the_first_letters_each_once(self):
        self.assertEqual(self.items.section_index_titles, ["A", "B", "C", "É"])
        self.assertEqual([section.index_title for section in self.items], ["A", "A", "B", "C", "É"])

    def test_lead_to_the_first_section_of_that_title(self):
        self.assertEqual(self.items.section_for_index_title("A", 0), 0)
        self.assertEqual(self.items.section_for_index_title("B", 1), 2)
        with self.assertRaises(NotFoundError):
            self.items.section_for_index_title("Q", 0)
        with self.assertRaises(RangeError):
            self.items.section_for_index_title("B", 0)

    def test_can_be_made_by_the_program(self):
        self.assertIsNone(self.items.index_title_function)
        titles = {"apple": "fruit 🍎", "avocado": "fruit 🍎", "bread": "", "cider": None}
        function = titles.get
        self.items.index_title_function = function
        self.assertIs(self.items.index_title_function, function)
        self.assertEqual(self.items.section_index_titles, ["fruit 🍎", "C", "É"])
        self.assertIsNone(self.items[2].index_title)
        self.items.index_title_function = None
        self.assertEqual(self.items.section_index_titles, ["A", "B", "C", "É"])

    def test_can_be_long(self):
        for title in ("x" * 256, "x" * 257, "x" + "é" * 10_000):
            self.items.index_title_function = lambda name, title=title: title
            self.assertEqual(self.items.section_index_titles, [title])

    def test_that_are_endless_are_the_default(self):
        self.items.index_title_function = lambda name: "x" * 100_000
        self.assertEqual(self.items.section_index_titles, ["A", "B", "C", "É"])


class Fetching(StoreTestCase):
    def test_precedes_reading(self):
        items = self.store.controller(Request("items", sort="name"))
        self.assertFalse(items.is_fetched)
        for use in (
            lambda: len(items),
            lambda: items.count,
            lambda: items[0],
            lambda: items[0, 0],
            lambda: list(items),
            lambda: list(items.objects),
            lambda: items.index_path_of(1),
            lambda: items.section_index_titles,
        ):
            with self.assertRaises(NotFetchedError):
                use()
        self.assertIn("fetch", repr(items))
        items.perform_fetch()
        self.assertTrue(items.is_fetched)
        self.assertEqual(names(items), [["apple", "bread", "cider"]])

    def test_notifies_no_observer(self):
        items = Controller(self.store, Request("items"), fetch=True)
        reported = []
        items.add_observer(reported.append)
        items.perform_fetch()
        self.assertEqual(reported, [])

    def test_counts_what_it_did(self):
        items = self.store.fetch("items", sort="name")
        before = items.counters
        self.assertEqual(set(before.rereads), set(RereadReason))
        self.assertEqual((before.rereads[RereadReason.FETCH], before.deliveries), (1, 0))
        self.store.insert("items", name="x")
        after = items.counters
        self.assertEqual(after.deliveries, 1)
        self.assertEqual(after.rereads, before.rereads)
        self.assertGreater(after.statements_run, before.statements_run)
        items.perform_fetch()
        self.assertEqual(items.counters.rereads[RereadReason.FETCH], 2)
        self.store.execute("CREATE INDEX i ON items (rank)")
        self.assertGreaterEqual(items.counters.rereads[RereadReason.SCHEMA], 1)


class ChangingTheRequest(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.items = self.store.fetch("items", sort="name")
        self.reported: list = []
        self.items.add_observer(self.reported.append)

    def test_delivers_the_difference_as_one_change_set(self):
        before = identities(self.items)
        request = self.items.request.replace(predicate="rank >= ?", params=[2], sort="-name")
        self.items.set_request(request)
        self.assertEqual(names(self.items), [["cider", "bread"]])
        self.assertIs(self.items.request, request)
        (changes,) = self.reported
        self.assertEqual(changes.apply(before, lambda change: change.object.identity), identities(self.items))

    def test_can_be_written_as_an_assignment(self):
        self.items.request = self.items.request.replace(limit=1)
        self.assertEqual(names(self.items), [["apple"]])
        self.assertEqual([len(changes.deletes) for changes in self.reported], [2])

    def test_to_one_that_fails_changes_nothing(self):
        request = self.items.request
        with self.assertRaises(SchemaError):
            self.items.set_request(request.replace(sort="nothing"))
        self.assertIs(self.items.request, request)
        self.assertEqual((names(self.items), self.reported), ([["apple", "bread", "cider"]], []))

    def test_must_keep_the_entity(self):
        with self.assertRaises(MisuseError):
            self.items.set_request(Request("lists"))
        self.assertEqual(names(self.items), [["apple", "bread", "cider"]])

    def test_before_the_fetch_delivers_nothing(self):
        items = self.store.controller(Request("items"))
        items.set_request(Request("items", sort="-name"))
        self.assertFalse(items.is_fetched)
        items.perform_fetch()
        self.assertEqual(names(items), [["cider", "bread", "apple"]])


if __name__ == "__main__":
    unittest.main()
