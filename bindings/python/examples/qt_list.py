"""A to-do list in a window: a tree with a section for each state, a search field, and a
line for new tasks.

    python qt_list.py tasks.db

A double click edits a title, the space key marks a task as done or not done, the delete
key deletes it, Ctrl+Z undoes that. The tree follows every commit, by this program or
another one. Without a file the tasks are in memory. The program needs PySide6:
`pip install fetchedresults[qt]`. With `--offscreen-check` it tests its own window
without a screen.
"""

from __future__ import annotations

import os
import sys

if "--offscreen-check" in sys.argv:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QSocketNotifier, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from fetchedresults import FetchedResultsError, Request, SectionInfo, Store
from fetchedresults.qt import Column, TreeModel

SCHEMA = """CREATE TABLE IF NOT EXISTS tasks (
    id INTEGER PRIMARY KEY, title TEXT NOT NULL CHECK (title <> ''),
    done INTEGER NOT NULL DEFAULT 0, area TEXT, due INTEGER, position REAL)"""


def title_of(section: SectionInfo) -> str:
    """The title of a section, with the number of its tasks."""
    return f"{'Done' if section.value else 'To do'} ({section.count})"


class Window(QWidget):
    """Shows the tasks of a store."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self.store = store
        request = Request(
            "tasks",
            "title LIKE '%' || :words || '%'",
            {"words": ""},
            sort="title",
            section="done",
        )
        self.tasks = store.controller(request)
        self.tasks.perform_fetch()

        columns = [
            Column("title", "Task", edit=self.rename),
            Column(lambda task: len(task.title), "Letters"),
        ]
        self.model = TreeModel(self.tasks, columns, section_title=title_of, parent=self)
        self.tree = QTreeView()
        self.tree.setModel(self.model)
        self.tree.setUniformRowHeights(True)
        # Titles have all the room that there is.
        self.tree.header().setStretchLastSection(False)
        self.tree.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.tree.expandAll()
        self.model.rowsInserted.connect(self.expand)

        self.search = QLineEdit(placeholderText="Search", clearButtonEnabled=True)
        self.search.textChanged.connect(self.find)
        self.line = QLineEdit(placeholderText="New task")
        self.line.returnPressed.connect(self.add)
        self.message = QLabel(wordWrap=True)
        layout = QVBoxLayout(self)
        for widget in (self.search, self.tree, self.message, self.line):
            layout.addWidget(widget)
        for key, action in (
            (Qt.Key.Key_Delete, self.delete),
            (Qt.Key.Key_Space, self.toggle),
            (QKeySequence.StandardKey.Undo, self.undo),
            (QKeySequence.StandardKey.Redo, self.redo),
        ):
            QShortcut(
                QKeySequence(key),
                self.tree,
                action,
                context=Qt.ShortcutContext.WidgetShortcut,
            )
        self.setWindowTitle("Tasks")
        self.resize(480, 500)
        self.tasks.add_observer(lambda changes: self.explain())
        self.model.errorOccurred.connect(lambda text, error: self.message.setText(text))
        self.explain()

        self.commits = QSocketNotifier(store.fileno(), QSocketNotifier.Type.Read)
        self.commits.activated.connect(lambda: store.dispatch())

    def expand(self, parent: QModelIndex) -> None:
        """Expands a new section as well."""
        if not parent.isValid():
            self.tree.expandAll()

    def explain(self) -> None:
        """Explains a tree without tasks."""
        reason = "No tasks yet. Type one below, and press Enter."
        if self.search.text():
            reason = "No task has these words."
        self.message.setText("" if self.tasks.count else reason)

    def attempt(self, action):
        """Does something, and shows why that fails, such as a full disk."""
        try:
            return action()
        except FetchedResultsError as error:
            self.message.setText(str(error))
            return None

    def write(self, name: str, action):
        """Writes in a step, which the user can undo."""

        def step():
            with self.store.step(name):
                return action()

        return self.attempt(step)

    def undo(self) -> None:
        """Undoes the last step."""
        self.attempt(self.store.undo)

    def redo(self) -> None:
        """Does the last undone step again."""
        self.attempt(self.store.redo)

    def current(self):
        """The selected task, or None."""
        return self.tree.currentIndex().data(TreeModel.ObjectRole)

    def add(self) -> None:
        """Inserts the task of the line, and selects it."""
        title = self.line.text().strip()
        if not title:
            return
        task = self.write("Add", lambda: self.store.insert("tasks", title=title))
        if task is not None:
            self.line.clear()
            flag = QItemSelectionModel.SelectionFlag
            flags = flag.ClearAndSelect | flag.Rows
            self.tree.selectionModel().setCurrentIndex(self.model.index_of(task), flags)

    def rename(self, task, text: str) -> bool:
        """Renames a task. An empty title is refused."""
        if not text.strip():
            return False
        with self.store.step("Rename"):
            self.store.update("tasks", task.identity, title=text.strip())
        return True

    def toggle(self) -> None:
        """Marks the selected task as done, or as not done."""
        task = self.current()
        if task is not None:
            self.write("Mark", lambda: self.store.update(task, done=not task.done))

    def delete(self) -> None:
        """Deletes the selected task."""
        task = self.current()
        if task is not None:
            self.write("Delete", lambda: self.store.delete("tasks", task.identity))

    def find(self, words: str) -> None:
        """Shows only the tasks with these words in their title."""
        self.tasks.request = self.tasks.request.replace(params={"words": words})
        self.explain()

    def end(self) -> None:
        """Releases what uses the store, which is closed next."""
        self.commits.setEnabled(False)
        self.model.close()


def play(window: Window) -> None:
    """Uses the window, and prints what it shows."""

    def show(what: str) -> None:
        QApplication.processEvents()
        print(what)
        model = window.model
        for row in range(model.rowCount()):
            section = model.index(row, 0)
            tasks = range(model.rowCount(section))
            titles = [model.index(task, 0, section).data() for task in tasks]
            print(f"    {section.data()}:", *titles)
        print("    selected:", window.tree.currentIndex().data())

    for text in ("Milk", "Bread", "Apples"):
        QTest.keyClicks(window.line, text)
        QTest.keyClick(window.line, Qt.Key.Key_Return)
    show("added")
    QTest.keyClick(window.tree, Qt.Key.Key_Space)
    show("done")
    window.model.setData(window.tree.currentIndex(), "Pears")
    show("renamed")
    QTest.keyClicks(window.search, "e")
    show("searched")
    window.search.clear()
    QTest.keyClick(window.tree, Qt.Key.Key_Delete)
    show("deleted")
    control = Qt.KeyboardModifier.ControlModifier
    QTest.keyClick(window.tree, Qt.Key.Key_Z, control)
    QTest.keyClick(window.tree, Qt.Key.Key_Z, control)
    show("undone")


def main(arguments: list) -> int:
    """Runs the program."""
    is_check = "--offscreen-check" in arguments
    files = [each for each in arguments[1:] if not each.startswith("-")]
    application = QApplication(arguments[:1])
    try:
        with Store(*files[:1]) as store:
            store.execute(SCHEMA)
            window = Window(store)
            window.show()
            if is_check:
                play(window)
            result = 0 if is_check else application.exec()
            window.end()
    except FetchedResultsError as error:
        print(f"qt_list.py: {error}", file=sys.stderr)
        return 1
    return result


if __name__ == "__main__":
    sys.exit(main(sys.argv))
