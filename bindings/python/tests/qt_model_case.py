"""What the tests of the Qt models' ideas share: a list of five items, and what its model shows and
reports.
"""

from __future__ import annotations

from qt_support import Complaints, ListModel, Signals, TreeModel, tester
from support import StoreTestCase

# After qt_support, which skips these tests where there is no PySide6.
from PySide6.QtCore import QModelIndex  # isort: skip

from fetchedresults import SelectRequest

OBJECT, SECTION, NAME = ListModel.ObjectRole, ListModel.SectionRole, ListModel.FirstColumnRole
SECTION_OBJECT = ListModel.SectionObjectRole
RESET = [("modelAboutToBeReset",), ("modelReset",)]

BY_POSITION = SelectRequest(
    "SELECT items.id, items.name, lists.title FROM items JOIN lists ON lists.id = list_id ORDER BY position, name",
    identity="id",
    section="title",
)


class ModelTestCase(StoreTestCase):
    """Lists of five items: apple, bread and date in Shop, beer and cider in Home."""

    def setUp(self) -> None:
        super().setUp()
        self.store.executemany("INSERT INTO items VALUES (?, ?, ?, ?)", [(4, "beer", 4.0, 2), (5, "date", 5.0, 1)])
        self.complaints = Complaints(self)
        self.addCleanup(lambda: self.assertEqual(self.complaints.texts, []))
        self.items = self.store.fetch("items", sort="name", section="-list_id.title")

    def show(self, kind, controller=None, columns=("name", "rank"), **options):
        """A model with Qt's checks, and its signals from now on."""
        self.model = kind(self.items if controller is None else controller, columns, **options)
        self.tester = tester(self.model)
        self.signals = Signals(self.model)
        return self.model

    def reported(self, sql: str, *params) -> list:
        """What the model reports of one statement."""
        self.signals.take()
        self.store.execute(sql, params)
        return self.signals.take()

    def rows(self, parent=None) -> list:
        """What the first column shows; a section is a pair of its title and its rows."""
        parent = QModelIndex() if parent is None else parent
        shown = []
        for row in range(self.model.rowCount(parent)):
            index = self.model.index(row, 0, parent)
            is_section = isinstance(self.model, TreeModel) and not parent.isValid()
            shown.append((index.data(), self.rows(index)) if is_section else index.data())
        return shown
