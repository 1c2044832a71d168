"""Qt's item models of collections."""

from __future__ import annotations

import unittest

from qt_model_case import OBJECT, SECTION, ModelTestCase
from qt_support import ListModel, TreeModel, connect

# After qt_support, which skips these tests where there is no PySide6.
from PySide6.QtCore import QPersistentModelIndex  # isort: skip

from fetchedresults import Collection, Controller, Placeholder, Request


class Collections(ModelTestCase):
    """All items, flat; lists by title, of which there is none yet; items of another store; a
    placeholder.
    """

    def setUp(self) -> None:
        super().setUp()
        self.other = self.open()
        self.other.executescript("CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, kind TEXT)")
        self.other.insert("things", id=1, name="cup", kind="k")
        self.flat = Controller(self.store, Request("items", "rank < 3", sort="name"))
        self.lists = Controller(self.store, Request("lists", "position > 5", section="title", columns=["title"]))
        self.things = Controller(self.other, Request("things", sort="name", section="kind"))
        self.nothing = Placeholder("No lists")
        self.all = Collection([self.flat, (self.lists, self.nothing), self.things, Placeholder("End")], fetch=True)

    def show(self, kind, controller=None, columns=None, **options):
        return super().show(kind, controller or self.all, columns or [self.first], **options)

    @staticmethod
    def first(item):
        return item.get("name", item.get("title"))

    def test_show_the_sections_of_all_children(self):
        self.show(TreeModel)
        self.assertEqual(self.rows(), [(None, ["apple", "bread"]), ("No lists", []), ("k", ["cup"]), ("End", [])])
        self.show(ListModel)
        self.assertEqual(self.rows(), ["apple", "bread", "cup"])

    def test_report_commits_of_all_stores(self):
        self.show(TreeModel)
        self.assertEqual(self.reported("DELETE FROM items WHERE name = 'apple'"), [("rowsRemoved", (0,), 0, 0)])
        self.other.update("things", 1, name="mug")
        self.assertEqual(self.signals.take(), [("dataChanged", (2, 0), (2, 0))])
        self.other.insert("things", name="jar", kind="j")
        self.assertEqual(self.signals.take(), [("rowsInserted", (), 2, 2), ("rowsInserted", (2,), 0, 0)])

    def test_report_placeholders(self):
        self.show(TreeModel)
        self.nothing.name = "Nothing"
        self.assertEqual(self.signals.take(), [("dataChanged", (1,), (1,))])
        self.assertEqual(self.rows()[1], ("Nothing", []))
        reported = self.reported("UPDATE lists SET position = 9 WHERE id = 1")
        self.assertEqual(
            reported, [("rowsInserted", (), 2, 2), ("rowsRemoved", (), 1, 1), ("rowsInserted", (1,), 0, 0)]
        )
        self.assertEqual(self.rows()[1], ("Shop", ["Shop"]))

    def test_report_children_that_are_inserted_and_removed(self):
        model = self.show(TreeModel)
        cup = QPersistentModelIndex(model.index_of(self.all[2, 0]))
        self.all.insert(0, Controller(self.store, Request("lists", sort="title")))
        self.assertEqual(self.signals.take(), [("rowsInserted", (), 0, 0), ("rowsInserted", (0,), 0, 1)])
        self.all.replace(1, Placeholder("Instead"))
        self.assertEqual([each[0] for each in self.signals.take()], ["rowsRemoved", "rowsInserted", "rowsRemoved"])
        self.assertEqual(cup.data(), "cup")
        self.all.remove(self.things)
        self.assertEqual(self.signals.take(), [("rowsRemoved", (3,), 0, 0), ("rowsRemoved", (), 3, 3)])
        self.assertEqual([title for title, _ in self.rows()], [None, "Instead", "No lists", "End"])
        self.assertFalse(cup.isValid())

    def test_can_be_nested(self):
        outer = Collection([Placeholder("Start"), self.all], fetch=True)
        models = [self.show(kind, each) for kind in (TreeModel, ListModel) for each in (self.all, outer)]
        self.store.insert("items", id=9, name="bun", rank=1)
        self.all.append(Controller(self.other, Request("things")))
        self.assertEqual([model.rowCount() for model in models], [5, 6, 5, 5])
        self.assertEqual([model.index_of(self.flat[0, 2]).data() for model in models], ["bun"] * 4)
        self.all.remove(self.flat)
        self.assertEqual([model.rowCount() for model in models], [4, 5, 2, 2])

    def test_distinguish_rows_that_several_children_show(self):
        again = Controller(self.store, Request("items", "rank < 3", sort="-name"))
        self.all.append(again)
        model = self.show(ListModel)
        self.assertEqual(self.rows(), ["apple", "bread", "cup", "bread", "apple"])
        marks = [QPersistentModelIndex(model.index(row, 0)) for row in range(5)]
        self.assertEqual([model.index_of(mark.data(OBJECT)).row() for mark in marks], [0, 1, 2, 3, 4])
        self.store.update("items", 2, name="zwieback")
        self.assertEqual(self.rows(), ["bread", "zwieback", "cup", "zwieback", "bread"])
        self.assertEqual([mark.row() for mark in marks], [1, 0, 2, 4, 3])
        self.all.remove(self.flat)
        self.assertEqual([mark.row() for mark in marks], [-1, -1, 0, 2, 1])

    def test_continue_without_the_data_of_a_store_that_is_closed(self):
        model = self.show(TreeModel)
        self.other.close()
        cup = model.index(0, 0, model.index(2, 0))
        self.assertEqual((cup.isValid(), cup.data(), cup.data(OBJECT), cup.data(SECTION)), (True, None, None, None))
        self.assertEqual(self.reported("DELETE FROM items WHERE name = 'apple'"), [("rowsRemoved", (0,), 0, 0)])

    def test_let_slots_ask_the_models_of_their_children(self):
        models = [self.show(ListModel, each) for each in (self.all, self.flat)]
        held = [QPersistentModelIndex(model.index_of(self.flat[0, 1])) for model in models]
        seen = []
        for model in models:
            connect(self, model, "rowsRemoved", lambda *_: seen.append([mark.data() for mark in held]))
        self.store.execute("DELETE FROM items WHERE name = 'apple'")
        self.assertEqual(seen, [["bread", "bread"]] * 2)


if __name__ == "__main__":
    unittest.main()
