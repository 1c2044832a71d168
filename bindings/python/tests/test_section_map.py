"""Section maps: sections that are rows of their own, or given keys."""

from __future__ import annotations

import unittest
from collections.abc import Sequence

from support import StoreTestCase, names

from fetchedresults import (
    ChangeKind,
    ChangeType,
    ClosedError,
    ConstraintError,
    Controller,
    EmptySections,
    ItemsWithoutSection,
    MapSection,
    MisuseError,
    NotFetchedError,
    Observer,
    RangeError,
    Request,
    SchemaError,
    Section,
    SectionMap,
    SelectRequest,
)


def titles(sections) -> list:
    """The titles of the rows that sections stand for."""
    return [None if section.object is None else section.object.title for section in sections]


class MapTestCase(StoreTestCase):
    """Tests with a map of items in lists: Home with cider, Shop with apple and bread, Empty."""

    def setUp(self) -> None:
        super().setUp()
        self.store.insert("lists", id=3, title="Empty", position=3)
        self.lists = self.make()
        self.reported: list = []
        self.lists.add_observer(self.reported.append)

    def make(self, **options) -> SectionMap:
        sections = Request("lists", sort="position")
        return SectionMap(self.store, Request("items", sort="name"), sections, "list_id", fetch=True, **options)

    def records(self) -> list:
        """The records of the only change set that was delivered."""
        (changes,) = self.reported
        self.reported.clear()
        return [(change.kind.name, change.type.name, change.old_path, change.new_path) for change in changes]


class Sections(MapTestCase):
    def test_are_the_rows_of_the_second_request_in_its_order(self):
        self.assertIsInstance(self.lists, Controller)
        self.assertEqual(titles(self.lists), ["Home", "Shop", "Empty"])
        self.assertEqual(names(self.lists), [["cider"], ["apple", "bread"], []])
        self.assertEqual([section.name for section in self.lists], ["2", "1", "3"])
        self.assertEqual([section.value for section in self.lists], [2, 1, 3])
        self.assertEqual([section.section_index for section in self.lists], [0, 1, 2])
        self.assertEqual(dict(self.lists[1].object), {"id": 1, "title": "Shop", "position": 2})
        self.assertEqual(repr(self.lists), "<SectionMap of items: 3 objects in 3 sections>")

    def test_are_distinguished_with_and_without_items(self):
        self.assertEqual(titles(self.lists.sections), ["Home", "Shop"])
        self.assertEqual(titles(self.lists.all_sections), ["Home", "Shop", "Empty"])
        self.lists.empty_sections = EmptySections.HIDDEN
        self.assertEqual(titles(self.lists), ["Home", "Shop"])
        self.assertEqual(titles(self.lists.sections), ["Home", "Shop"])
        self.assertEqual(titles(self.lists.all_sections), ["Home", "Shop", "Empty"])

    def test_of_all_have_whether_they_are_shown(self):
        self.lists.empty_sections = EmptySections.HIDDEN
        self.store.update("lists", 3, position=0)
        empty, home, shop = self.lists.all_sections
        self.assertEqual([each.number for each in (empty, home, shop)], [0, 1, 2])
        self.assertEqual([each.section_index for each in (empty, home, shop)], [None, 0, 1])
        self.assertEqual([each.count for each in (empty, home, shop)], [0, 1, 2])
        self.assertEqual((empty.name, empty.value, empty.info.index), ("3", 3, None))

    def test_of_all_are_sequences_of_objects(self):
        home, shop, empty = self.lists.all_sections
        self.assertIsInstance(shop, MapSection)
        self.assertIsInstance(shop, Sequence)
        self.assertEqual([item.name for item in shop], ["apple", "bread"])
        self.assertEqual((shop[-1].name, shop.section_index, shop.objects[0].name), ("bread", 1, "apple"))
        self.assertTrue(shop[0] in shop and shop[0] not in home)
        self.lists.empty_sections = EmptySections.HIDDEN
        self.assertEqual((list(empty), home[0] in empty, len(empty)), ([], False, 0))
        with self.assertRaises(IndexError):
            empty[0]
        self.assertEqual(home, self.lists.all_sections[0])
        self.assertNotEqual(home, shop)
        self.assertEqual(len({home, shop, empty, *self.lists.all_sections}), 3)
        self.assertEqual(repr(shop), "<MapSection 1 '1' of 2 objects>")

    def test_have_index_titles_of_a_column_or_of_the_key(self):
        self.assertEqual(self.lists.section_index_titles, ["2", "1", "3"])
        lists = self.make(index_title="title")
        self.assertEqual(lists.section_index_titles, ["H", "S", "E"])
        self.assertEqual(lists.section_for_index_title("S", 1), 1)
        lists.index_title_function = str.upper
        self.assertEqual(lists.section_index_titles, ["HOME", "SHOP", "EMPTY"])

    def test_are_found_by_a_column_that_is_named_or_that_the_key_path_ends_in(self):
        self.store.insert("items", name="Shop")
        by_name = SectionMap(self.store, Request("items"), Request("lists"), "name", section_key="title", fetch=True)
        self.assertEqual(names(by_name)[0], ["Shop"])
        by_path = SectionMap(self.store, Request("items"), Request("lists"), "list_id.title", fetch=True)
        self.assertEqual([section.name for section in by_path], ["Shop", "Home", "Empty", None])
        self.assertEqual(by_path.section_key_path, "list_id.title")

    def test_of_a_plain_list_are_no_rows(self):
        self.assertIsNone(self.store.fetch("items", section="list_id")[0].object)
        self.assertIsNone(self.store.fetch("items")[0].object)

    def test_can_be_rows_of_a_whole_select(self):
        sections = SelectRequest("SELECT id, upper(title) AS title FROM lists ORDER BY id", identity="id")
        lists = SectionMap(self.store, Request("items"), sections, "list_id", section_key="id", fetch=True)
        self.assertEqual(titles(lists), ["SHOP", "HOME", "EMPTY"])


class ItemsWithoutSections(MapTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.store.insert("items", name="stray")
        self.reported.clear()

    def test_stand_in_a_last_section(self):
        self.assertEqual(self.lists.items_without_section, ItemsWithoutSection.SHOWN)
        self.assertEqual(names(self.lists)[-1], ["stray"])
        last = self.lists[-1]
        self.assertEqual((last.name, last.value, last.object, last.index_title), (None, None, None, None))

    def test_can_be_hidden(self):
        self.lists.items_without_section = ItemsWithoutSection.HIDDEN
        self.assertEqual(self.lists.items_without_section, ItemsWithoutSection.HIDDEN)
        self.assertEqual(titles(self.lists), ["Home", "Shop", "Empty"])
        self.assertEqual(self.records(), [("SECTION", "DELETE", (3, -1), None), ("OBJECT", "DELETE", (3, 0), None)])

    def test_have_a_section_also_when_there_are_none(self):
        self.lists.items_without_section = ItemsWithoutSection.ALWAYS_SHOWN
        self.assertEqual(self.reported, [])
        self.store.delete("items", 4)
        self.assertEqual(names(self.lists)[-1], [])
        self.assertEqual(self.records(), [("OBJECT", "DELETE", (3, 0), None)])

    def test_can_be_chosen_from_the_beginning(self):
        lists = self.make(empty_sections=EmptySections.HIDDEN, items_without_section=ItemsWithoutSection.HIDDEN)
        self.assertEqual((lists.empty_sections, lists.items_without_section), (1, 1))
        self.assertEqual(titles(lists), ["Home", "Shop"])


class Changes(MapTestCase):
    def test_of_a_row_are_reported_as_updates_of_its_section(self):
        self.store.update("lists", 1, title="Market")
        (changes,) = self.reported
        (change,) = changes
        self.assertEqual((change.type, change.old_path, change.new_path), (ChangeType.UPDATE, (1, -1), (1, -1)))
        self.assertEqual((change.changed_columns, change.section_name), (("title",), "1"))
        self.assertEqual((change.section_object.title, change.object), ("Market", None))
        self.assertEqual(change.old_values, {"id": 1, "title": "Shop", "position": 2})
        self.assertEqual(change.old_section_name, "1")

    def test_report_the_old_values_in_both_forms(self):
        reported = []

        class Watcher(Observer):
            def section_changed(self, controller, section, change):
                reported.append((change.type.name, change.old_section_name, change.old_values.get("title")))

        self.lists.add_observer(Watcher())
        self.store.update("lists", 1, title="Market", position=-1)
        self.store.insert("lists", id=9, title="New", position=0)
        self.store.delete("lists", 3)
        expected = [("MOVE", "1", "Shop"), ("INSERT", None, None), ("DELETE", "3", "Empty")]
        self.assertEqual(reported, expected)
        self.assertEqual(
            [(each.type.name, each.old_section_name, each.old_values.get("title")) for (each,) in self.reported],
            expected,
        )

    def test_of_keys_are_reported_with_the_old_name(self):
        lists = SectionMap(
            self.store,
            Request("items", sort="name"),
            Request("lists", sort="position"),
            "list_id.title",
            section_key="title",
            fetch=True,
        )
        kept = []
        lists.add_observer(kept.append)
        self.store.update("lists", 1, title="Market")
        change = kept[0].sections[0]
        self.assertEqual((change.old_section_name, change.section_name), ("Shop", "Market"))

    def test_of_its_order_are_reported_as_moves_with_the_items(self):
        self.store.update("lists", 1, position=0)
        self.assertEqual(self.reported[0][0].changed_columns, ("position",))
        self.assertEqual(self.records(), [("SECTION", "MOVE", (1, -1), (0, -1))])
        self.assertEqual(titles(self.lists), ["Shop", "Home", "Empty"])

    def test_of_the_rows_are_inserted_and_deleted_with_their_items(self):
        self.store.insert("lists", id=4, title="New", position=0)
        self.assertEqual(self.reported[0][0].section_object.title, "New")
        self.assertEqual(self.records(), [("SECTION", "INSERT", None, (0, -1))])
        self.store.delete("lists", 1)
        self.assertEqual(self.reported[0][0].section_object.title, "Shop")
        self.assertIsNone(self.reported[0][1].section_object)
        self.assertEqual(
            self.records(),
            [
                ("SECTION", "DELETE", (2, -1), None),
                ("OBJECT", "DELETE", (2, 1), None),
                ("OBJECT", "DELETE", (2, 0), None),
            ],
        )

    def test_of_items_leave_their_sections_alone(self):
        self.store.update("items", 3, list_id=3)
        self.assertEqual(self.records(), [("OBJECT", "MOVE", (0, 0), (2, 0))])

    def test_are_reported_to_delegates_with_the_row(self):
        reported = []

        class Watcher(Observer):
            def section_changed(self, controller, section, change):
                row = None if section.object is None else section.object.title
                known = None if change.section_object is None else change.section_object.title
                reported.append(
                    (change.type.name, section.section_index, section.info.index, row, known, change.changed_columns)
                )

        self.lists.add_observer(Watcher())
        self.store.update("lists", 1, title="Market")
        self.store.insert("lists", title="New", position=0)
        self.store.delete("lists", 3)
        self.assertEqual(
            reported,
            [
                ("UPDATE", 1, 1, "Market", "Market", ("title",)),
                ("INSERT", 0, 0, "New", "New", ()),
                ("DELETE", 3, None, None, "Empty", ()),
            ],
        )

    def test_of_empty_sections_are_delivered(self):
        self.lists.empty_sections = EmptySections.HIDDEN
        self.assertEqual(self.lists.empty_sections, EmptySections.HIDDEN)
        self.assertEqual(self.records(), [("SECTION", "DELETE", (2, -1), None)])
        self.lists.empty_sections = EmptySections.SHOWN
        self.assertEqual(self.records(), [("SECTION", "INSERT", None, (2, -1))])

    def test_of_the_section_request_are_delivered(self):
        request = Request("lists", "id < 3", sort="-position")
        self.lists.section_request = request
        self.assertIs(self.lists.section_request, request)
        self.assertEqual(titles(self.lists), ["Shop", "Home"])
        self.assertEqual(len(self.records()), 2)

    def test_of_the_items_request_are_delivered(self):
        self.lists.request = self.lists.request.replace(predicate="rank > 1")
        self.assertEqual(names(self.lists), [["cider"], ["bread"], []])
        self.assertEqual(self.records(), [("OBJECT", "DELETE", (1, 0), None)])

    def test_are_seen_by_observers_as_they_will_be(self):
        seen = []
        self.lists.add_observer(lambda changes: seen.append((self.lists.empty_sections, self.lists.section_request)))
        self.lists.empty_sections = EmptySections.HIDDEN
        request = Request("lists", sort="-position")
        self.lists.section_request = request
        self.assertEqual(seen, [(1, seen[0][1]), (1, request)])


class Disabled(MapTestCase):
    def test_shows_what_it_showed_and_reloads_in_the_end(self):
        self.assertFalse(self.lists.disabled)
        self.lists.disabled = True
        self.assertTrue(self.lists.disabled)
        self.store.delete("lists", 3)
        self.assertEqual((len(self.lists), self.reported), (3, []))
        self.lists.disabled = False
        self.assertEqual((len(self.lists), [changes.is_reload for changes in self.reported]), (2, [True]))

    def test_reloads_also_without_changes(self):
        self.lists.disabled = True
        self.lists.disabled = False
        self.assertEqual([(changes.is_reload, len(changes)) for changes in self.reported], [(True, 0)])


class Keys(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.ranks = SectionMap.with_keys(self.store, Request("items", sort="name"), [3, 9, 1], "rank", fetch=True)
        self.reported: list = []
        self.ranks.add_observer(self.reported.append)

    def test_are_sections_in_their_order(self):
        self.assertEqual([section.value for section in self.ranks], [3, 9, 1, None])
        self.assertEqual(names(self.ranks), [["cider"], [], ["apple"], ["bread"]])
        self.assertEqual([section.object for section in self.ranks], [None] * 4)
        self.assertEqual((self.ranks.keys, self.ranks.section_request), ((3, 9, 1), None))
        self.assertIsInstance(self.ranks[0], Section)

    def test_can_be_changed(self):
        self.ranks.keys = [1, 3, 2]
        self.assertEqual(self.ranks.keys, (1, 3, 2))
        self.assertEqual(names(self.ranks), [["apple"], ["cider"], ["bread"]])
        (changes,) = self.reported
        self.assertEqual([change.type.name for change in changes.sections].count("INSERT"), 1)
        self.ranks.set_keys(iter([]))
        self.assertEqual(names(self.ranks), [["apple", "bread", "cider"]])

    def test_have_values_of_all_types_but_null(self):
        self.store.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v)")
        for value in (1, "1", b"1", 2.5, ""):
            self.store.insert("t", v=value)
        mixed = SectionMap.with_keys(self.store, Request("t"), ["", b"1", 2.5, "1", 1], "v", fetch=True)
        self.assertEqual([[row.v for row in section] for section in mixed], [[""], [b"1"], [2.5], ["1"], [1]])

    def test_that_are_spelled_differently_are_delivered(self):
        self.assertEqual(self.ranks[0].value, 3)
        self.ranks.keys = [3.0, 9, 1]
        self.assertEqual((self.ranks[0].name, self.ranks.keys), ("3.0", (3.0, 9, 1)))
        ((change,),) = self.reported
        self.assertEqual((change.kind, change.type), (ChangeKind.SECTION, ChangeType.UPDATE))
        self.assertEqual((change.old_path, change.new_path, change.section_name), ((0, -1), (0, -1), "3.0"))
        self.assertEqual((change.changed_columns, change.section_object), (("name",), None))


class Errors(MapTestCase):
    def test_of_making_are_reported(self):
        items, lists = Request("items"), Request("lists")
        for error, message, use in (
            (TypeError, "request", lambda: SectionMap(self.store, "items", lists, "list_id")),
            (TypeError, "request", lambda: SectionMap(self.store, items, "lists", "list_id")),
            (TypeError, "key path", lambda: SectionMap(self.store, items, lists, None)),
            (TypeError, "section_key", lambda: SectionMap(self.store, items, lists, "list_id", section_key=3)),
            (TypeError, "EmptySections", lambda: SectionMap(self.store, items, lists, "list_id", empty_sections=None)),
            (RangeError, "EmptySections 2", lambda: SectionMap(self.store, items, lists, "list_id", empty_sections=2)),
            (
                MisuseError,
                "section",
                lambda: SectionMap(self.store, Request("items", section="name"), lists, "list_id"),
            ),
            (MisuseError, "limit", lambda: SectionMap(self.store, Request("items", limit=1), lists, "list_id")),
            (MisuseError, "name", lambda: SectionMap(self.store, items, lists, "name")),
            (SchemaError, "nothing", lambda: SectionMap(self.store, items, lists, "nothing")),
            (SchemaError, "nothing", lambda: SectionMap(self.store, items, lists, "list_id", index_title="nothing")),
            (TypeError, "sequence", lambda: SectionMap.with_keys(self.store, items, "ab", "name")),
            (TypeError, "sequence", lambda: SectionMap.with_keys(self.store, items, 3, "name")),
            (TypeError, "SQLite has no", lambda: SectionMap.with_keys(self.store, items, [object()], "name")),
            (MisuseError, "NULL", lambda: SectionMap.with_keys(self.store, items, [None], "name")),
            (ConstraintError, "two sections", lambda: SectionMap.with_keys(self.store, items, ["a", "a"], "name")),
        ):
            with self.subTest(message), self.assertRaisesRegex(error, message):
                use()

    def test_of_changing_leave_the_map_as_it_was(self):
        keyed = SectionMap.with_keys(self.store, Request("items"), ["a", "b"], "name", fetch=True)
        before = (self.lists.section_request, self.lists.empty_sections, names(self.lists), keyed.keys, names(keyed))
        for error, use in (
            (MisuseError, lambda: self.lists.set_keys([1])),
            (MisuseError, lambda: self.lists.set_section_request(Request("items"))),
            (SchemaError, lambda: self.lists.set_section_request(Request("lists", sort="nothing"))),
            (MisuseError, lambda: self.lists.set_request(Request("items", limit=3))),
            (MisuseError, lambda: keyed.set_section_request(Request("lists"))),
            (MisuseError, lambda: keyed.set_keys(["a", None])),
            (ConstraintError, lambda: keyed.set_keys(["a", "a"])),
            (RangeError, lambda: setattr(keyed, "empty_sections", 2)),
            (RangeError, lambda: setattr(keyed, "items_without_section", 2**32)),
        ):
            with self.assertRaises(error) as caught:
                use()
            self.assertTrue(str(caught.exception))
        after = (self.lists.section_request, self.lists.empty_sections, names(self.lists), keyed.keys, names(keyed))
        self.assertEqual((after, self.reported), (before, []))

    def test_of_two_sections_with_one_key_are_constraints(self):
        self.store.execute("CREATE TABLE groups (id INTEGER PRIMARY KEY, name TEXT)")
        self.store.executemany("INSERT INTO groups (name) VALUES (?)", [("apple",), ("apple",)])
        groups = SectionMap(self.store, Request("items"), Request("groups"), "name", section_key="name")
        with self.assertRaises(ConstraintError):
            groups.perform_fetch()

    def test_of_reading_are_those_of_controllers(self):
        lists = SectionMap(self.store, Request("items"), Request("lists"), "list_id")
        for use in (lambda: lists.all_sections, lambda: lists.sections, lambda: len(lists)):
            with self.assertRaises(NotFetchedError):
                use()
        all_sections = self.lists.all_sections
        self.lists.close()
        for use in (
            lambda: self.lists.all_sections,
            lambda: self.lists.disabled,
            lambda: setattr(self.lists, "empty_sections", EmptySections.SHOWN),
            lambda: self.lists.set_keys([]),
            lambda: all_sections[0].section_index,
        ):
            with self.assertRaises(ClosedError):
                use()
        self.assertEqual(self.lists.empty_sections, EmptySections.SHOWN)
        other = self.make()
        self.store.close()
        with self.assertRaises(ClosedError):
            other.empty_sections = EmptySections.HIDDEN

    def test_of_observers_reach_the_call_that_delivered(self):
        def fail(changes):
            raise ZeroDivisionError

        self.lists.add_observer(fail)
        with self.assertRaises(ZeroDivisionError):
            self.lists.empty_sections = EmptySections.HIDDEN
        self.assertEqual((self.lists.empty_sections, len(self.lists)), (EmptySections.HIDDEN, 2))
        with self.assertRaises(ZeroDivisionError):
            self.store.delete("lists", 3), self.store.delete("lists", 1)
        self.assertEqual(len(self.lists), 1)


if __name__ == "__main__":
    unittest.main()
