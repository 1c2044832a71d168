"""A ListView in QML that stays where it is while rows change, also with ScrollAnchor.qml."""

from __future__ import annotations

import os
import unittest

from qt_model_case import ModelTestCase
from qt_support import ListModel
from support import CHECKOUT

# After qt_support, which skips these tests where there is no PySide6.
try:
    from PySide6.QtCore import QUrl  # isort: skip
    from PySide6.QtGui import QGuiApplication  # isort: skip
    from PySide6.QtQml import QQmlApplicationEngine, QQmlExpression, qmlContext  # isort: skip
    from PySide6.QtWidgets import QApplication  # isort: skip
except ImportError as error:
    raise unittest.SkipTest(f"QML is not there: {error}") from None

os.environ.setdefault("QT_QUICK_BACKEND", "software")

WINDOW = """
import QtQuick

Window {
    visible: true
    width: 200
    height: 300
    ListView {
        id: list
        anchors.fill: parent
        model: items
        delegate: Text {
            required property var model
            text: model.id
            height: 20 + model.id % 3 * 10
            width: ListView.view.width
        }
    }
    function show(row) { list.positionViewAtIndex(row, ListView.Beginning); list.contentY += row > 0 ? 7 : 0 }
    function top() {
        list.forceLayout()
        const item = list.itemAtIndex(list.indexAt(0, list.contentY))
        return item.text + " at " + (item.y - list.contentY)
    }
    ANCHOR
}
"""
ANCHOR = "ScrollAnchor { view: list }"


class Anchors(ModelTestCase):
    """Views of 200 rows that are scrolled to row 101, of which 7 pixels are above the view."""

    def setUp(self) -> None:
        super().setUp()
        self.application = QGuiApplication.instance() or QApplication([])

    def listed(self):
        """A list of 200 rows."""
        self.store.execute("DELETE FROM items")
        self.store.executemany("INSERT INTO items (id, rank) VALUES (?, ?)", [(n, n) for n in range(1, 201)])
        return self.store.fetch("items", sort="rank")

    def opened(self, model, anchor: str = ANCHOR):
        """The engine with a view of a model, and a function that evaluates JavaScript in it."""
        engine = QQmlApplicationEngine()
        engine.rootContext().setContextProperty("items", model)
        engine.loadData(
            WINDOW.replace("ANCHOR", anchor).encode(), QUrl.fromLocalFile(f"{CHECKOUT}/bindings/qml/window.qml")
        )
        window = engine.rootObjects()[0]

        def evaluate(expression: str):
            result, is_undefined = QQmlExpression(qmlContext(window), window, expression).evaluate()
            return None if is_undefined else result

        return engine, evaluate

    def top_after(self, change, row: int = 100, anchor: str = ANCHOR) -> str:
        """The top row of a new view after a change, and where it begins."""
        model = ListModel(self.listed(), "id")
        engine, evaluate = self.opened(model, anchor)
        evaluate(f"show({row})")
        self.settle()
        if isinstance(change, str):
            self.store.execute(change)
        else:
            change(model)
        self.settle()
        top = evaluate("top()")
        del engine
        model.close()
        return top

    def settle(self) -> None:
        for _ in range(5):
            self.application.processEvents()

    def test_a_view_keeps_its_top_row_by_itself(self):
        for sql, expected in (
            ("INSERT INTO items (id, rank) SELECT 1000 + id, id / 100.0 FROM items", "101 at -7"),
            ("DELETE FROM items WHERE id <= 50", "101 at -7"),
            ("UPDATE items SET rank = 0.5 WHERE id = 190", "101 at -7"),
            ("UPDATE items SET rank = 150.5 WHERE id <= 20", "101 at -7"),
            ("UPDATE items SET id = id WHERE id > 90", "101 at -7"),
        ):
            for anchor in ("", ANCHOR):
                with self.subTest(sql, anchor=anchor):
                    self.assertEqual(self.top_after(sql, anchor=anchor), expected)

    def test_a_view_at_its_beginning_shows_new_rows(self):
        for anchor in ("", ANCHOR):
            top = self.top_after("INSERT INTO items (id, rank) VALUES (1000, 0.5)", row=0, anchor=anchor)
            self.assertEqual(top, "1000 at 0")

    def test_the_anchor_keeps_the_row_below_a_new_one(self):
        sql = "INSERT INTO items (id, rank) VALUES (1000, 100.5)"
        self.assertNotEqual(self.top_after(sql, anchor=""), "101 at -7")
        self.assertEqual(self.top_after(sql), "101 at -7")

    def test_the_anchor_keeps_the_row_in_another_order(self):
        def reverse(model):
            from PySide6.QtCore import Qt

            model.sort(0, Qt.SortOrder.DescendingOrder)

        self.assertNotEqual(self.top_after(reverse, anchor=""), "101 at -7")
        self.assertEqual(self.top_after(reverse), "101 at -7")

    def test_a_view_at_its_end_lets_a_window_grow(self):
        with self.listed().window(at=20, before=20, after=10) as window:
            model = ListModel(window, "id")
            engine, evaluate = self.opened(model)
            self.settle()
            self.assertEqual((model.rowCount(), evaluate("top()")), (31, "1 at 0"))
            evaluate("list.positionViewAtEnd()")
            self.settle()
            self.assertEqual((model.rowCount(), evaluate("top()")), (131, "22 at 0"))
            del engine
            model.close()


if __name__ == "__main__":
    unittest.main()
