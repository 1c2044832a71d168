"""Qt's item models over rows that can't be read: these have no data, and the model reports when
they have.
"""

from __future__ import annotations

import unittest
from typing import Any

from qt_support import Complaints, ListModel, Signals, TreeModel, connect, tester
from support import SCHEMA, StoreTestCase
from test_threads import in_thread

# After qt_support, which skips these tests where there is no PySide6.
from PySide6.QtCore import QModelIndex  # isort: skip

from fetchedresults import Collection, Request, SectionMap, WrongThreadError
from fetchedresults.qt import Column

TITLE = ListModel.SectionRole


class GoneRows(StoreTestCase):
    """A model of six rows, of which few are cached, and another connection. There is a rollback
    journal, with which no state can be held."""

    def setUp(self) -> None:
        path = self.folder() / "a.db"
        self.store = self.open(path, journal_mode="delete")
        self.store.executescript(SCHEMA)
        self.store.executescript(
            """
            CREATE TABLE unrelated (x);
            INSERT INTO lists VALUES (1, 'Shop', 2), (2, 'Home', 1);
            INSERT INTO items VALUES (1, 'a', 1, 1), (2, 'b', 2, 1), (3, 'c', 3, 1),
                (4, 'd', 4, 2), (5, 'e', 5, 2), (6, 'f', 6, 2);
            """
        )
        self.other = self.open(path, journal_mode="delete")
        self.complaints = Complaints(self)
        self.addCleanup(lambda: self.assertEqual(self.complaints.texts, []))

    def show(self, kind: type, controller: Any = None, **options: Any) -> Any:
        if controller is None:
            controller = self.store.controller(Request("items", sort="rank", section="list_id", batch_size=1))
            controller.set_row_cache_size(1)
        controller.perform_fetch()
        self.model = kind(controller, "name", **options)
        self.tester = tester(self.model)
        self.signals = Signals(self.model)
        return self.model

    def rows(self, parent: QModelIndex = QModelIndex()) -> list:
        """What the model shows, as a view that paints everything asks for it."""
        shown: list = []
        for row in range(self.model.rowCount(parent)):
            index = self.model.index(row, 0, parent)
            shown += [index.data(), *self.rows(index)]
        return shown

    def discard(self) -> None:
        """Makes the row cache hold only the last row."""
        self.assertNotIn(None, self.rows())
        self.signals.take()

    def blank(self, sql: str, *params: Any) -> None:
        """Makes another connection commit, and reads rows from the model that it can't read."""
        self.discard()
        self.other.execute(sql, params)
        self.blanks = [place for place, name in enumerate(self.rows()) if name is None]
        self.assertGreater(len(self.blanks), 2)
        self.assertEqual(self.signals.take(), [])

    def test_are_reported_as_changed_data_after_a_dispatch_that_delivers_nothing(self):
        self.show(ListModel)
        for sql in ("INSERT INTO unrelated VALUES (1)", "UPDATE lists SET position = 7", "CREATE TABLE more (x)"):
            with self.subTest(sql):
                self.blank(sql)
                self.store.dispatch()
                self.assertEqual(reported_rows(self.signals.take()), self.blanks)
                self.assertEqual(self.rows(), list("abcdef"))

    def test_are_reported_with_the_changes_of_others(self):
        self.show(ListModel)
        self.blank("DELETE FROM items WHERE id = 2")
        self.store.dispatch()
        signals = self.signals.take()
        self.assertEqual(signals[0], ("rowsRemoved", (), 1, 1))
        expected = {row if row < 1 else row - 1 for row in self.blanks if row != 1}
        self.assertLessEqual(expected, set(reported_rows(signals)))
        self.assertEqual(self.rows(), list("acdef"))

    def test_are_reported_once_for_each_request(self):
        self.show(ListModel)
        self.blank("INSERT INTO unrelated VALUES (1)")
        self.rows()
        self.store.dispatch()
        self.assertEqual(len(self.signals.take()), 1)
        self.store.dispatch()
        self.assertEqual(self.signals.take(), [])

    def test_are_reported_by_own_writes_that_deliver(self):
        self.show(ListModel)
        self.blank("INSERT INTO unrelated VALUES (1)")
        self.store.execute("INSERT INTO unrelated VALUES (2)")
        self.assertEqual(reported_rows(self.signals.take()), self.blanks)
        self.assertEqual(self.rows(), list("abcdef"))

    def test_of_a_paused_list_are_reported_when_it_is_resumed(self):
        model = self.show(ListModel)
        self.discard()
        model.controller.pause()
        self.store.execute("UPDATE items SET name = name || '' WHERE id < 3")
        self.rows()
        self.signals.take()
        model.controller.resume()
        self.assertEqual(self.rows(), list("abcdef"))

    def test_are_notified_when_the_dispatch_raises(self):
        model = self.show(ListModel)
        model.controller.add_observer(lambda changes: 1 / 0)
        self.blank("UPDATE items SET name = 'A' WHERE id = 1")
        with self.assertRaises(ZeroDivisionError):
            self.store.dispatch()
        self.assertIn(1, reported_rows(self.signals.take()))
        self.assertEqual(self.rows(), list("Abcdef"))

    def test_are_reported_where_they_are_by_then(self):
        self.show(ListModel)
        self.discard()
        self.other.execute("UPDATE items SET rank = 9 WHERE id = 1")
        self.model.index(1, 0).data()
        self.model.index(3, 0).data()
        self.store.dispatch()
        signals = self.signals.take()
        self.assertEqual(signals[0][0], "rowsMoved")
        self.assertLessEqual({0, 2}, set(reported_rows(signals)))
        self.assertEqual(self.rows(), list("bcadef"))

    def test_of_a_tree_are_reported_below_their_sections(self):
        self.show(TreeModel)
        self.blank("INSERT INTO unrelated VALUES (1)")
        self.store.dispatch()
        self.assertIn(("dataChanged", (0, 0), (0, 2)), self.signals.take())
        self.assertEqual(self.rows(), ["1", "a", "b", "c", "2", "d", "e", "f"])

    def test_of_sections_are_reported_with_the_titles_made_of_them(self):
        items, sections = Request("items", sort="rank"), Request("lists", sort="id")
        lists = SectionMap(self.store, items, sections, "list_id", fetch=True)
        self.other.execute("INSERT INTO unrelated VALUES (1)")
        self.model = TreeModel(lists, "name", section_title=lambda section: section.object.title)
        self.signals = Signals(self.model)
        index = self.model.index(0, 0)
        self.assertEqual((index.data(), index.data(TreeModel.SectionObjectRole), index.data(TITLE)), (None, None, 1))
        self.assertIsNone(self.model.index(2, 0, self.model.index(1, 0)).data(TreeModel.SectionObjectRole))
        self.assertEqual(self.signals.take(), [])
        self.store.dispatch()
        self.assertEqual(self.signals.take(), [("dataChanged", (0,), (0,)), ("dataChanged", (1, 2), (1, 2))])
        self.assertEqual((index.data(), index.data(TreeModel.SectionObjectRole).title), ("Shop", "Shop"))

    def test_of_a_collection_are_reported(self):
        request = Request("items", sort="rank", batch_size=1)
        lists = [self.store.controller(request), self.store.controller(request)]
        for each in lists:
            each.set_row_cache_size(1)
        self.show(ListModel, Collection(lists))
        self.blank("INSERT INTO unrelated VALUES (1)")
        self.store.dispatch()
        self.assertEqual(self.rows(), list("abcdef") * 2)
        self.assertNotEqual(self.signals.take(), [])

    def test_are_reported_to_slots_that_read_and_write(self):
        model = self.show(ListModel)
        self.blank("INSERT INTO unrelated VALUES (1)")
        seen: list = []

        def slot(first: QModelIndex, last: QModelIndex, roles: list) -> None:
            seen.append((first.row(), last.row(), first.data()))
            if len(seen) == 1:
                self.store.execute("DELETE FROM items WHERE id = 1")

        connect(self, model, "dataChanged", slot)
        self.store.dispatch()
        self.assertEqual(seen[0][::2], (0, "a"))
        self.assertEqual(self.rows(), list("bcdef"))

    def test_are_discarded_by_a_model_that_is_closed_or_dropped(self):
        self.show(ListModel)
        self.blank("INSERT INTO unrelated VALUES (1)")
        self.model.close()
        self.signals.take()
        self.store.dispatch()
        self.assertEqual(self.signals.take(), [])
        self.show(ListModel)
        self.blank("INSERT INTO unrelated VALUES (1)")
        del self.model, self.signals, self.tester
        self.store.dispatch()

    def test_can_not_be_edited(self):
        self.show(ListModel)
        edited: list = []
        self.model._columns = (Column("name", edit=lambda item, value: edited.append(value)),)
        self.blank("INSERT INTO unrelated VALUES (1)")
        self.assertFalse(self.model.setData(self.model.index(0, 0), "x"))
        self.store.dispatch()
        self.assertTrue(self.model.setData(self.model.index(0, 0), "x"))
        self.assertEqual(edited, ["x"])

    def test_are_no_excuse_for_another_thread(self):
        model = self.show(ListModel)
        index = model.index(0, 0)
        for use in (
            lambda: model.data(index),
            lambda: model.data(index, TITLE),
            lambda: model.index_of(1),
            lambda: model.setData(index, "x"),
            lambda: model.close(),
            lambda: ListModel(model.controller, "name"),
        ):
            self.assertIsInstance(in_thread(use), (WrongThreadError, bool))
        self.assertEqual(self.rows(), list("abcdef"))


def reported_rows(signals: list) -> list:
    """The rows whose data was reported as changed."""
    return [row for signal in signals if signal[0] == "dataChanged" for row in range(signal[1][-1], signal[2][-1] + 1)]


if __name__ == "__main__":
    unittest.main()
