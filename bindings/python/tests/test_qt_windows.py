"""Qt's item models of windows: what a model shows, writes and fetches of a long list."""

from __future__ import annotations

import random
import unittest

from qt_model_case import OBJECT, SECTION, ModelTestCase
from qt_support import ListModel, Mirror, Signals, TreeModel, tester
from seeds import seeds

# After qt_support, which skips these tests where there is no PySide6.
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, Qt  # isort: skip
from PySide6.QtWidgets import QAbstractItemView, QApplication, QTableView  # isort: skip

from fetchedresults import Object
from fetchedresults.qt import Column, ScrollAnchor


class Windows(ModelTestCase):
    """A window of apple, bread and date in Shop, beer and cider in Home: bread, date and beer."""

    def setUp(self) -> None:
        super().setUp()
        self.window = self.items.window(at=2, before=1, after=1)
        self.addCleanup(self.window.close)

    def show(self, kind, controller=None, columns=("name", "rank"), **options):
        """A model and its signals. Without Qt's checks, which fetch more as views do."""
        self.model = kind(controller or self.window, columns, **options)
        self.signals = Signals(self.model)
        return self.model

    def test_show_the_rows_and_headers_of_the_window(self):
        model = self.show(TreeModel)
        self.assertEqual(self.rows(), [("Shop", ["bread", "date"]), ("Home", ["beer"])])
        beer = model.index(0, 0, model.index(1, 0))
        self.assertIsInstance(beer.data(OBJECT), Object)
        self.assertEqual((beer.data(SECTION), model.index_of(4)), ("Home", beer))
        self.assertFalse(model.index_of(2).isValid())
        self.show(ListModel)
        self.assertEqual(self.rows(), ["bread", "date", "beer"])
        self.assertEqual([column.value for column in ListModel(self.window).columns], list(self.items[0, 0]))

    def test_report_the_changes_of_the_window_alone(self):
        whole = ListModel(self.items, "name")
        self.show(TreeModel)
        self.assertEqual(self.reported("INSERT INTO items VALUES (9, 'almond', 1, 1)"), [])
        self.assertEqual(whole.rowCount(), 6)
        self.assertEqual(
            self.reported("UPDATE items SET rank = 9 WHERE name = 'date'"), [("dataChanged", (0, 1), (0, 1))]
        )
        reported = self.reported("INSERT INTO items VALUES (10, 'butter', 1, 1)")
        self.assertEqual(reported, [("rowsRemoved", (0,), 0, 0), ("rowsInserted", (0,), 0, 0)])
        self.assertEqual(self.rows(), [("Shop", ["butter", "date"]), ("Home", ["beer"])])
        reported = self.reported("DELETE FROM items WHERE name = 'beer'")
        self.assertEqual(reported, [("rowsRemoved", (1,), 0, 0), ("rowsInserted", (1,), 0, 0)])
        self.assertEqual((self.rows()[1], whole.rowCount()), (("Home", ["cider"]), 6))

    def test_grow_as_far_as_the_list_goes(self):
        for kind in (ListModel, TreeModel):
            with self.subTest(kind.__name__), self.items.window(after=1) as window:
                model = self.show(kind, window)
                self.assertTrue(model.canFetchMore(QModelIndex()))
                self.assertFalse(model.canFetchMore(model.index(0, 0)))
                model.fetchMore(model.index(0, 0))
                self.assertEqual(window.count, 2)
                model.fetchMore(QModelIndex())
                self.assertEqual(window.count, self.items.count)
                self.assertFalse(model.canFetchMore(QModelIndex()))
                self.store.insert("items", name="eel", rank=1, list_id=2)
                self.assertEqual(window.count, self.items.count)
        self.assertFalse(self.show(ListModel, self.items).canFetchMore(QModelIndex()))

    def test_a_closed_list_or_model_has_no_more_rows(self):
        self.window.resize(after=0)
        model = self.show(ListModel)
        self.assertTrue(model.canFetchMore(QModelIndex()))
        self.items.close()
        self.assertFalse(model.canFetchMore(QModelIndex()))
        model.fetchMore(QModelIndex())
        self.assertEqual(self.rows(), ["bread", "date"])
        self.window.close()
        self.assertFalse(model.canFetchMore(QModelIndex()))
        self.assertEqual(self.rows(), [None, None])
        model.close()
        self.assertFalse(model.canFetchMore(QModelIndex()))

    def test_rows_follow_the_window_where_it_moves(self):
        model = self.show(ListModel)
        date = QPersistentModelIndex(model.index_of(5))
        self.window.move(1)
        self.assertEqual(self.signals.take(), [("rowsRemoved", (), 0, 0), ("rowsInserted", (), 2, 2)])
        self.window.resize(before=3)
        self.assertEqual(self.signals.take(), [("rowsInserted", (), 0, 1)])
        self.assertEqual((self.rows(), date.data()), (["apple", "bread", "date", "beer", "cider"], "date"))

    def test_what_the_user_writes_goes_to_the_store(self):
        failed = []
        self.store.execute("CREATE UNIQUE INDEX names ON items (name)")
        model = self.show(ListModel, columns=[Column("name", edit=True), Column("rank", check=True)])
        model.errorOccurred.connect(lambda message, error: failed.append(message))
        self.assertTrue(model.setData(model.index(1, 0), "dates"))
        self.assertTrue(model.setData(model.index(2, 1), Qt.CheckState.Checked, Qt.ItemDataRole.CheckStateRole))
        self.assertEqual(self.rows(), ["bread", "dates", "beer"])
        (written,) = self.store.query("SELECT name, (SELECT rank FROM items WHERE id = 4) FROM items WHERE id = 5")
        self.assertEqual(tuple(written), ("dates", 1))
        self.assertFalse(model.setData(model.index(1, 0), "beer"))
        self.assertEqual(len(failed), 1)

    def test_sorting_sorts_the_list(self):
        model = self.show(ListModel)
        model.sort(0, Qt.SortOrder.DescendingOrder)
        self.assertEqual([item.name for item in self.items.objects], ["date", "bread", "apple", "cider", "beer"])
        self.assertEqual(self.rows(), ["date", "bread"])
        model.sort(-1)
        self.assertEqual(self.rows(), ["bread", "date", "beer"])

    def test_rows_of_a_window_are_not_dragged(self):
        with self.assertRaisesRegex(ValueError, "positions"):
            ListModel(self.window, position="rank")

    def test_what_signals_say_is_what_the_window_shows(self):
        for seed in seeds(8):
            random_ = random.Random(seed)
            with self.subTest(f"FR_SEED={seed}"), self.items.window(at=0, before=2, after=3) as window:
                mirrors = [Mirror(kind(window, ("name", "rank")), self.complaints) for kind in (ListModel, TreeModel)]
                testers = [tester(each.model) for each in mirrors[: seed % 3]]
                for _ in range(30):
                    number = random_.randrange(20)
                    random_.choice(
                        [
                            lambda: self.store.execute(
                                "INSERT OR REPLACE INTO items VALUES (?, ?, 1, ?)",
                                [number, random_.choice("abcde"), random_.choice([1, 2])],
                            ),
                            lambda: self.store.execute("DELETE FROM items WHERE id = ?", [number]),
                            lambda: self.store.execute("UPDATE items SET list_id = 3 - list_id WHERE id < ?", [number]),
                            lambda: window.move(random_.randrange(-4, 5)),
                            lambda: window.resize(random_.randrange(4), random_.randrange(4)),
                        ]
                    )()
                    for mirror in mirrors:
                        mirror.check(self)
                del testers


class Views(ModelTestCase):
    """A view of a window in a list of 10,000 rows."""

    def setUp(self) -> None:
        super().setUp()
        self.application = QApplication.instance() or QApplication([])
        self.store.execute("DELETE FROM items")
        self.store.executemany("INSERT INTO items (id, rank) VALUES (?, ?)", [(n, n) for n in range(1, 10_001)])
        self.window = self.store.fetch("items", sort="rank").window(at=5000, before=50, after=100)
        self.addCleanup(self.window.close)
        self.model = ListModel(self.window, "id")
        self.view = QTableView()
        self.view.setModel(self.model)
        ScrollAnchor(self.view)
        self.view.resize(200, 300)
        self.view.show()
        self.addCleanup(self.view.setModel, None)

    def top(self):
        self.application.processEvents()
        return self.view.indexAt(QPoint(0, 0)).data()

    def test_a_view_at_its_end_gets_more_rows(self):
        self.application.processEvents()
        count = self.window.count
        for _ in range(3):
            self.view.scrollToBottom()
            self.application.processEvents()
        self.assertGreater(self.window.count, count + 200)
        self.assertEqual(self.model.rowCount(), self.window.count)

    def test_the_top_row_stays_while_the_window_grows_before_it(self):
        self.view.scrollTo(self.model.index(20, 0), QAbstractItemView.ScrollHint.PositionAtTop)
        top = self.top()
        self.window.resize(before=500)
        self.store.execute("INSERT INTO items (id, rank) VALUES (20000, 4700.5), (20001, 4970.5)")
        self.assertEqual((self.top(), self.window.count), (top, 601))


if __name__ == "__main__":
    unittest.main()
