"""Views that stay where they are while rows above change."""

from __future__ import annotations

import unittest

from qt_model_case import ModelTestCase
from qt_support import ListModel

# After qt_support, which skips these tests where there is no PySide6.
from PySide6.QtCore import QPoint  # isort: skip
from PySide6.QtWidgets import QAbstractItemView, QApplication, QListView, QTableView, QTreeView  # isort: skip

from fetchedresults.qt import ScrollAnchor


class Anchors(ModelTestCase):
    """Views of 200 rows that are scrolled to row 101."""

    def setUp(self) -> None:
        super().setUp()
        self.application = QApplication.instance() or QApplication([])

    def test_keep_the_top_row_in_place(self):
        for kind in (QTableView, QListView, QTreeView):
            for mode in (QAbstractItemView.ScrollMode.ScrollPerItem, QAbstractItemView.ScrollMode.ScrollPerPixel):
                with self.subTest(f"{kind.__name__}, {mode}"):
                    view = kind()
                    self.check(view, mode)
                    view.setModel(None)

    def check(self, view, mode) -> None:
        self.store.execute("DELETE FROM items")
        self.store.executemany("INSERT INTO items (id, rank) VALUES (?, ?)", [(n, n) for n in range(1, 201)])
        model = ListModel(self.store.fetch("items", sort="rank"), "id")
        view.setVerticalScrollMode(mode)
        view.setModel(model)
        view.resize(200, 300)
        view.show()
        ScrollAnchor(view)
        self.application.processEvents()
        view.scrollTo(model.index(100, 0), QAbstractItemView.ScrollHint.PositionAtTop)
        if mode == QAbstractItemView.ScrollMode.ScrollPerPixel:
            view.verticalScrollBar().setValue(view.verticalScrollBar().value() + 5)

        def top():
            self.application.processEvents()
            index = view.indexAt(QPoint(0, 0))
            return index.data(), view.visualRect(index).top()

        before = top()
        self.assertEqual(before[0], 101)
        self.store.execute("INSERT INTO items (rank) VALUES (0.1), (50.5), (50.6), (150.5)")
        self.assertEqual(top(), before)
        self.store.execute("DELETE FROM items WHERE id IN (10, 20, 30, 150)")
        self.assertEqual(top(), before)
        self.store.update("items", 40, rank=180.5)
        self.assertEqual(top(), before)
        # A removal of the current row makes the next one current, to which Qt scrolls.
        place = view.verticalScrollBar().value()
        view.setCurrentIndex(model.index_of(60))
        top()
        view.verticalScrollBar().setValue(place)
        self.assertEqual(top(), before)
        self.store.execute("DELETE FROM items WHERE id = 60")
        self.assertEqual(top(), before)
        # The top row leaves: the next row stays where it was.
        second = view.visualRect(model.index_of(102)).top()
        self.store.update("items", 101, rank=0.2)
        top()
        self.assertEqual(view.visualRect(model.index_of(102)).top(), second)
        # At the beginning the view shows new rows.
        view.scrollToTop()
        self.store.execute("INSERT INTO items (id, rank) VALUES (999, 0)")
        self.assertEqual(top()[0], 999)


if __name__ == "__main__":
    unittest.main()
