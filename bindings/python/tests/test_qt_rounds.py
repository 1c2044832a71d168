"""Deliveries to several of Qt's item models."""

from __future__ import annotations

import unittest

from qt_model_case import OBJECT, ModelTestCase
from qt_support import ListModel, connect

# After qt_support, which skips these tests where there is no PySide6.
from PySide6.QtCore import QPersistentModelIndex  # isort: skip

from fetchedresults import Collection, Observer


class Rounds(ModelTestCase):
    def test_let_slots_ask_any_model_of_the_store(self):
        shop = self.store.fetch("items", "list_id = 1", sort="name")
        home = self.store.fetch("items", "list_id = 2", sort="name")
        models = [self.show(ListModel, controller) for controller in (shop, home)]
        held = [
            [QPersistentModelIndex(model.index_of(item.identity)) for item in model.controller.objects]
            for model in models
        ]
        seen = []

        def ask(*_):
            seen.append([[mark.data(OBJECT).identity for mark in marks if mark.isValid()] for marks in held])

        for model in models:
            connect(self, model, "rowsRemoved", ask)
            connect(self, model, "rowsInserted", ask)
        with self.store.transaction():
            self.store.execute("UPDATE items SET list_id = 3 - list_id WHERE name IN ('apple', 'beer')")
        before, after = [[2, 1, 5], [4, 3]], [[1, 5], [3]]
        self.assertEqual((seen[-1], len(seen)), (after, 4))
        self.assertIn(seen[0], ([before[0], after[1]], [after[0], before[1]]))

    def test_are_followed_by_those_of_writes_in_slots(self):
        model = self.show(ListModel)
        connect(
            self, model, "rowsRemoved", lambda *_: self.store.execute("UPDATE items SET rank = -1 WHERE name = 'apple'")
        )
        reported = self.reported("DELETE FROM items WHERE name = 'bread'")
        self.assertEqual(reported, [("rowsRemoved", (), 1, 1), ("dataChanged", (0,), (0,))])

    def test_do_not_wait_for_a_list_that_is_closed(self):
        other = self.store.fetch("items", sort="name")
        waiting = ListModel(other, "name")
        self.show(ListModel)

        class Closer(Observer):
            def will_change(self, controller):
                other.close()

        self.items.add_observer(Closer())
        for number in range(3):
            self.reported("INSERT INTO items (name, list_id) VALUES (?, 1)", f"z{number}")
        self.assertEqual(self.rows()[3:6], ["z0", "z1", "z2"])
        self.assertEqual((waiting.rowCount(), waiting.index(0, 0).data()), (5, None))

    def test_do_not_wait_for_a_store_that_is_closed(self):
        class Closer(Observer):
            def will_change(self, controller):
                other.close()

        for section in (None, "name"):
            with self.subTest(section=section):
                other = self.open()
                other.executescript("CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT)")
                things = other.fetch("things", section=section)
                every = Collection([things], fetch=True)
                models = [ListModel(each, "name") for each in (things, every)]
                every.add_observer(Closer())
                model = self.show(ListModel)
                other.insert("things", name="cup")
                self.assertEqual(
                    self.reported("DELETE FROM items WHERE id = (SELECT max(id) FROM items)")[0][0], "rowsRemoved"
                )
                self.assertEqual(model.rowCount(), self.items.count)
                self.assertEqual(len(models), 2)

    def test_of_stores_that_have_nothing_to_do_with_each_other_may_be_one_in_the_other(self):
        other = self.open()
        other.executescript("CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT)")
        things = other.fetch("things", sort="name")
        models = [self.show(ListModel, each, "name") for each in (self.items, things, self.store.fetch("items"))]
        self.items.add_observer(lambda changes: other.insert("things", name=f"after {len(things[0])}"))
        with self.store.transaction():
            self.store.execute("DELETE FROM items WHERE name = 'apple'")
            self.store.execute("UPDATE items SET rank = 0")
        self.store.execute("DELETE FROM items WHERE name = 'bread'")
        self.assertEqual([model.rowCount() for model in models], [3, 2, 3])
        self.assertEqual([models[1].index(row, 0).data() for row in range(2)], ["after 0", "after 1"])

    def test_end_when_a_slot_closes_a_model(self):
        other = ListModel(self.items, "name")
        model = self.show(ListModel)
        connect(self, model, "rowsRemoved", lambda *_: (other.close(), model.close()))
        connect(self, other, "rowsRemoved", lambda *_: (model.close(), other.close()))
        self.store.execute("DELETE FROM items WHERE name IN ('apple', 'cider')")
        self.assertEqual((model.rowCount(), other.rowCount()), (0, 0))


if __name__ == "__main__":
    unittest.main()
