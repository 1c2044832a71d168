"""A storm in Qt: another process commits 50 times a second, while rows are selected, one of them is
edited, and the view is scrolled. After it a person sees what was there before: the typed text and
the cursor in it, the selected rows, the current one, and the row at the top.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import CHECKOUT

HAS_QT = importlib.util.find_spec("PySide6") is not None
STORM = CHECKOUT / "Tests" / "Storm"
ROWS, COMMITS = 2000, int(os.environ.get("FR_COMMITS", "150"))
EDITED, FAR = 505, 300

if HAS_QT:
    from PySide6.QtCore import QEventLoop, QItemSelectionModel
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication, QLineEdit, QTableView

    from fetchedresults import Store
    from fetchedresults.qt import Column, Dispatcher, ListModel, ScrollAnchor

    sys.path.insert(0, str(STORM))
    import writer


@unittest.skipUnless(HAS_QT, "PySide6 is not installed")
class Storm(unittest.TestCase):
    def setUp(self) -> None:
        self.application = QApplication.instance() or QApplication([])
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = str(Path(folder.name, "items.db"))
        writer.fill(self.path, ROWS)
        self.store = Store(self.path)
        self.addCleanup(self.store.close)
        self.items = self.store.fetch("items", sort="rank")
        # However many commits arrive together: a person edits.
        columns = [Column("title", edit=True), "note", "id"]
        self.model = ListModel(self.items, columns, reload_threshold=None)
        self.addCleanup(self.model.close)
        self.view = QTableView()
        self.view.setModel(self.model)
        ScrollAnchor(self.view)
        self.view.resize(300, 500)
        self.view.show()
        self.addCleanup(self.view.deleteLater)

    def editor(self) -> QLineEdit | None:
        return self.view.findChild(QLineEdit)

    def identity_at(self, index) -> int | None:
        # Not by the object: a cell in which that was read is reported with each change of its row.
        return index.siblingAtColumn(2).data()

    def seen(self) -> dict[str, object]:
        """What a person sees."""
        editor, selection = self.editor(), self.view.selectionModel()
        return {
            "typed": editor and editor.text(),
            "cursor": editor and editor.cursorPosition(),
            "edited": editor and self.identity_at(self.view.indexAt(editor.geometry().center())),
            "selected": sorted(self.identity_at(index) for index in selection.selectedRows()),
            "current": self.identity_at(selection.currentIndex()),
            "top": self.identity_at(self.view.indexAt(self.view.rect().topLeft())),
        }

    def storm(self, kept: list[int]) -> None:
        """Runs the other process to its end, and the loop until everything has arrived."""
        command = [sys.executable, str(STORM / "writer.py"), self.path, str(COMMITS), *map(str, kept)]
        process = subprocess.Popen(command)
        self.addCleanup(process.wait)
        dispatcher = Dispatcher(self.store)
        while self.items.objects[-1].identity != writer.END:
            self.application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        self.application.processEvents()
        dispatcher.close()
        self.assertEqual(process.wait(), 0)

    def test_a_person_sees_what_was_there_before(self):
        self.view.verticalScrollBar().setValue(495)
        flags = QItemSelectionModel.SelectionFlag
        for row in (FAR - 1, EDITED - 1):
            self.view.selectionModel().setCurrentIndex(self.model.index(row, 0), flags.Select | flags.Rows)
        self.view.edit(self.model.index(EDITED - 1, 0))
        self.editor().clear()
        QTest.keyClicks(self.editor(), "being typed")
        self.editor().setCursorPosition(5)
        before = self.seen()
        expected = {"typed": "being typed", "cursor": 5, "edited": EDITED, "selected": [FAR, EDITED], "current": EDITED}
        self.assertEqual(before, {**expected, "top": before["top"]})
        self.storm([-FAR, *range(before["top"], EDITED + 20)])
        self.assertEqual(self.seen(), before)


if __name__ == "__main__":
    unittest.main()
