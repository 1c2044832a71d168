"""Values can be copied, pickled and compared."""

from __future__ import annotations

import copy
import gc
import pickle
import unittest

from support import StoreTestCase

from fetchedresults import (
    ChangeSet,
    GoneError,
    IndexPath,
    NotFoundError,
    Request,
    SectionMap,
    SelectRequest,
    Sort,
    Status,
)


def pickled(value):
    """What a value is after each protocol of pickling, all of which have to agree."""
    copies = [pickle.loads(pickle.dumps(value, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    assert all(each == copies[0] for each in copies)
    return copies[-1]


class Objects(StoreTestCase):
    def test_are_the_same_after_pickling(self):
        bread = self.store.get("items", 1)
        restored = pickled(bread)
        self.assertEqual((restored, dict(restored), repr(restored)), (bread, dict(bread), repr(bread)))
        self.assertEqual((restored.name, restored["NAME"], hash(restored)), ("bread", "bread", hash(bread)))
        items = self.store.fetch("items", sort="name")
        self.assertEqual(items.index_path_of(restored), (0, 1))
        self.assertIs(copy.deepcopy(bread), bread)
        self.store.update(restored, name="cake")
        self.assertEqual(items[0, 1].name, "cake")

    def test_of_composite_keys_and_without_values_are_the_same(self):
        self.store.execute("CREATE TABLE pairs (a, b, PRIMARY KEY (a, b)) WITHOUT ROWID")
        pair = self.store.insert("pairs", a=b"\0", b=1.5)
        self.assertEqual(pickled(pair).identity, (b"\0", 1.5))

    def test_stand_for_their_row(self):
        bread = self.store.get("items", 1)
        self.store.update(bread, {"name": "cake"}, rank=7)
        self.assertEqual((bread.name, self.store.get(bread).name, self.store.get(bread).rank), ("bread", "cake", 7.0))
        self.store.delete(bread)
        self.assertIsNone(self.store.get(bread))
        for use in (lambda: self.store.update(bread, name="x"), lambda: self.store.delete(bread)):
            with self.assertRaises(NotFoundError):
                use()
        for use in (
            lambda: self.store.update("items", name="x"),
            lambda: self.store.update(bread, 1, {"name": "x"}),
            lambda: self.store.delete("items"),
            lambda: self.store.delete(bread, 1),
            lambda: self.store.get("items"),
            lambda: self.store.get(3),
        ):
            with self.assertRaises(TypeError):
                use()


class Changes(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.store.execute("INSERT INTO lists VALUES (3, 'Garden', 3)")

    def changes_of(self, write, items=None) -> ChangeSet:
        shown = self.store.fetch("items", sort="name", section="list_id") if items is None else items
        reported: list = []
        with shown.add_observer(reported.append):
            write()
        (changes,) = reported
        return changes

    def edit(self) -> None:
        with self.store.transaction():
            self.store.insert("items", name="dates", rank=1, list_id=3)
            self.store.update("items", 1, name="aubergine")
            self.store.update("items", 2, rank=9.5)
            self.store.delete("items", 3)

    def test_are_the_same_after_pickling(self):
        changes = self.changes_of(self.edit)
        restored = pickled(changes)
        self.store.close()
        self.assertEqual(restored, changes)
        self.assertEqual(hash(restored), hash(changes))
        for each, was in zip([*restored, *restored.sequential()], [*changes, *changes.sequential()]):
            for name in (
                "kind type old_path new_path changed_columns identity old_values section_name old_section_name "
                "section_object"
            ).split():
                self.assertEqual(getattr(each, name), getattr(was, name), name)
            self.assertEqual(each.object and dict(each.object), was.object and dict(was.object))
        self.assertEqual(restored.ranges(), changes.ranges())
        self.assertEqual(restored.sequential().ranges(), changes.ranges())
        before = [[2, 1], [3]]

        def identity(change):
            return change.object.identity

        self.assertEqual(restored.apply(before, identity), changes.apply(before, identity))
        self.assertEqual(restored.sequential().apply(before, identity), changes.apply(before, identity))
        self.assertEqual(repr(restored), repr(changes))

    def test_of_sections_and_reloads_are_the_same(self):
        shown = SectionMap(self.store, Request("items"), Request("lists", sort="title"), "list_id", fetch=True)
        renamed = self.changes_of(lambda: self.store.update("lists", 1, title="Store"), shown)
        restored = pickled(renamed)
        self.assertEqual(restored, renamed)
        self.assertEqual(dict(restored[0].section_object), {"id": 1, "title": "Store", "position": 2})
        shown.pause()
        reload = self.changes_of(lambda: shown.resume(reload=True), shown)
        self.assertEqual(pickled(reload), reload)
        self.assertTrue(pickled(reload).is_reload)
        self.assertNotEqual(reload, renamed)

    def test_of_late_columns_are_the_same(self):
        names = [f"c{number}" for number in range(70)]
        self.store.execute(f"CREATE TABLE wide (id INTEGER PRIMARY KEY, {', '.join(names)})")
        self.store.insert("wide", id=1)
        wide = self.store.fetch("wide")
        changes = self.changes_of(lambda: self.store.update("wide", 1, c3=1, c66=1, c69=2), wide)
        self.assertEqual(pickled(changes)[0].changed_columns, ("c3", "c66", "c69"))

    def test_of_unavailable_rows_raise(self):
        shown = self.store.fetch("items", sort="id", columns=["id"])
        changes = self.changes_of(lambda: self.store.update("items", 1, id=9), shown)
        with self.store.transaction():
            self.store.execute("DELETE FROM items")
        restored = pickled(changes)
        for each, was in zip(restored, changes):
            answers = []
            for change in (each, was):
                try:
                    answers.append(change.object and dict(change.object))
                except GoneError as error:
                    answers.append(error.message)
            self.assertEqual(*answers)
        self.assertEqual(restored, changes)

    def test_with_different_values_differ(self):
        first = self.changes_of(lambda: self.store.update("items", 1, rank=5))
        second = self.changes_of(lambda: self.store.update("items", 1, rank=6))
        third = self.changes_of(lambda: self.store.update("items", 1, rank=5))
        self.assertEqual((first[0].new_path, first[0].type), (second[0].new_path, second[0].type))
        self.assertNotEqual(first[0], second[0])
        self.assertNotEqual(first, second)
        # The new values are the same, the old ones are not.
        self.assertNotEqual(first, third)
        inserted = [self.changes_of(lambda: self.store.insert("items", name="eggs", rank=rank)) for rank in (1, 2)]
        self.assertNotEqual(inserted[0], inserted[1])

    def test_are_their_own_copies(self):
        changes = self.changes_of(self.edit)
        for value in (changes, changes[0]):
            self.assertIs(copy.copy(value), value)
            self.assertIs(copy.deepcopy(value), value)

    def test_that_were_pickled_hold_no_handles(self):
        restored = pickled(self.changes_of(self.edit))
        gc.collect()
        self.store.close()
        self.assertEqual(len(restored.objects), 4)


class OtherValues(StoreTestCase):
    def test_are_the_same_after_pickling_and_copying(self):
        (row,) = self.store.query("SELECT id, name AS title FROM items WHERE id = 1")
        items = self.store.fetch("items", section="list_id")
        for value in (
            row,
            Sort("name", descending=True, nulls="last"),
            Request("items", "rank > :least", {"least": 1}, sort=["-rank", "name"], section="list_id", limit=3),
            SelectRequest("SELECT id FROM items WHERE id > :a", {"a": 1}, identity="id"),
            IndexPath(1, 2),
            items[0].info,
            items.counters,
            Status.GONE,
        ):
            with self.subTest(value):
                for same in (pickled(value), copy.copy(value), copy.deepcopy(value)):
                    self.assertEqual((same, repr(same)), (value, repr(value)))
        request = Request("items", "rank > :least", {"least": 1})
        self.assertEqual(hash(pickled(request)), hash(request))
        self.assertEqual(pickled(row)["title"], "bread")


if __name__ == "__main__":
    unittest.main()
