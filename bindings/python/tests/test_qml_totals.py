"""Totals in QML: a property to bind to, and a role of sections and their rows."""

from __future__ import annotations

import unittest

from qt_support import ListModel
from support import StoreTestCase

try:
    from PySide6.QtCore import QCoreApplication, QEvent  # isort: skip
    from PySide6.QtGui import QGuiApplication  # isort: skip
    from PySide6.QtQml import QQmlComponent, QQmlEngine, QQmlExpression, qmlContext  # isort: skip
except ImportError as error:
    raise unittest.SkipTest(f"PySide6-Essentials is not there: {error}") from None

from fetchedresults import Total

ROWS = b"""
    import QtQml
    import QtQml.Models

    Instantiator {
        property string all: items.totals.rows + ": " + items.totals.rank
        model: items
        delegate: QtObject {
            required property var sectionTotals
            property string text: sectionTotals.rows + ": " + sectionTotals.rank
        }
        function texts() {
            return Array.from({ length: count }, (_, n) => objectAt(n).text).join(", ")
        }
    }
"""


class Totals(StoreTestCase):
    def test_are_bound_to(self):
        application = QGuiApplication.instance() or QGuiApplication([])
        totals = {"rows": Total.count(), "rank": Total.sum("rank")}
        model = ListModel(self.store.fetch("items", sort="name", section="-list_id.title", totals=totals), "name")
        engine = QQmlEngine()
        engine.rootContext().setContextProperty("items", model)
        component = QQmlComponent(engine)
        component.setData(ROWS, "")
        rows = component.create()
        self.assertEqual(component.errorString(), "")

        def texts() -> tuple[str, str]:
            application.processEvents()
            shown, _ = QQmlExpression(qmlContext(rows), rows, "texts()").evaluate()
            return rows.property("all"), shown

        self.assertEqual(texts(), ("3: 6", "2: 3, 2: 3, 1: 3"))
        self.store.execute("UPDATE items SET rank = 5.5 WHERE name = 'apple'")
        self.assertEqual(texts(), ("3: 10.5", "2: 7.5, 2: 7.5, 1: 3"))
        self.store.execute("DELETE FROM items WHERE name = 'cider'")
        self.assertEqual(texts(), ("2: 7.5", "2: 7.5, 2: 7.5"))
        rows.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        model.close()


if __name__ == "__main__":
    unittest.main()
