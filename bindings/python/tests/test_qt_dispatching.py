"""A store in Qt's event loop."""

from __future__ import annotations

import unittest

from qt_support import Complaints, ListModel, connect
from support import StoreTestCase

# After qt_support, which skips these tests where there is no PySide6.
from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QEventLoop, QObject  # isort: skip
from PySide6.QtWidgets import QApplication  # isort: skip
import shiboken6  # isort: skip

from fetchedresults import ClosedError, NotFoundError, Request, Store
from fetchedresults.qt import Dispatcher


class Dispatching(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.application = QCoreApplication.instance() or QApplication([])
        self.complaints = Complaints(self)
        self.addCleanup(lambda: self.assertEqual(self.complaints.texts, []))

    def run_until(self, condition) -> None:
        deadline = QDeadlineTimer(20_000)
        while not condition() and not deadline.hasExpired():
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, 100)
        self.assertTrue(condition())

    def dispatch(self, store: Store, **options) -> Dispatcher:
        dispatcher = Dispatcher(store, **options)
        self.addCleanup(dispatcher.close)
        return dispatcher

    def test_delivers_commits_of_a_queued_store(self):
        store = self.open(queued=True)
        store.executescript("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
        model = ListModel(store.fetch("items"), "name")
        dispatcher = self.dispatch(store)
        store.insert("items", name="tea")
        self.assertEqual(model.rowCount(), 0)
        self.run_until(model.rowCount)
        dispatcher.close()
        dispatcher.close()
        store.insert("items", name="ale")
        QCoreApplication.processEvents()
        self.assertEqual(model.rowCount(), 1)

    def test_leaves_no_row_without_data(self):
        path = self.folder() / "a.db"
        store, other = (self.open(path, journal_mode="delete") for _ in range(2))
        store.executescript("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
        store.executemany("INSERT INTO items (name) VALUES (?)", [(name,) for name in "abcdef"])
        items = store.controller(Request("items", batch_size=1))
        items.set_row_cache_size(1)
        items.perform_fetch()
        model = ListModel(items, "name")
        self.dispatch(store)
        names = [model.index(row, 0).data() for row in range(6)]
        other.execute("UPDATE items SET name = upper(name)")
        self.assertEqual([model.index(0, 0).data(), names], [None, list("abcdef")])
        self.run_until(lambda: [model.index(row, 0).data() for row in range(6)] == list("ABCDEF"))

    def test_reports_what_fails(self):
        store = self.open(queued=True)
        store.executescript("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
        items = store.fetch("items")
        items.add_observer(lambda changes: store.delete("items", 99))
        dispatcher = self.dispatch(store)
        errors = []
        connect(self, dispatcher, "errorOccurred", lambda message, error: errors.append(type(error)))
        store.insert("items", name="tea")
        self.run_until(lambda: errors)
        self.assertEqual(errors, [NotFoundError])
        items.close()

    def test_ends_with_its_parent_or_its_store(self):
        owner = QObject()
        store = self.open(queued=True)
        dispatcher = Dispatcher(store, parent=owner)
        shiboken6.delete(owner)
        self.assertFalse(shiboken6.isValid(dispatcher))
        dispatcher = self.dispatch(store)
        store.close()
        dispatcher._dispatch()
        dispatcher._dispatch()
        with self.assertRaises(ClosedError):
            Dispatcher(store)


if __name__ == "__main__":
    unittest.main()
