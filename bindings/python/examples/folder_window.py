"""A window that shows the table of files that a daemon writes: folders, and the files
in each, the largest first.

    python folder_daemon.py ~/Pictures files.db &
    python folder_window.py files.db

The program writes nothing: it shows what the other process commits. It needs PySide6:
`pip install fetchedresults[qt]`. With `--print` it has no window and prints the tree
after each commit, until its standard input ends.
"""

from __future__ import annotations

import os
import sys

if "--print" in sys.argv:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import QSocketNotifier
from PySide6.QtWidgets import (
    QApplication,
    QHeaderView,
    QLabel,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from fetchedresults import (
    ChangeSet,
    FetchedResultsError,
    Object,
    SectionInfo,
    Sort,
    Store,
)
from fetchedresults.qt import Column, TreeModel

UNITS = ("bytes", "KB", "MB", "GB", "TB")


def size_text(file: Object) -> str:
    """The size of a file, for people."""
    size, unit = float(file.size), 0
    while size >= 1000 and unit < len(UNITS) - 1:
        size, unit = size / 1000, unit + 1
    return f"{size:.3g} {UNITS[unit]}"


def folder_title(section: SectionInfo) -> str:
    """The title of a section."""
    return f"{section.value or '.'} ({section.count})"


class Window(QWidget):
    """Shows the files of a store, and below them what the last commit did."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        largest_first = [Sort("size", descending=True), "name"]
        self.files = store.fetch("files", sort=largest_first, section="folder")
        self.model = TreeModel(
            self.files,
            [Column("name", "Name"), Column(size_text, "Size")],
            section_title=folder_title,
            parent=self,
        )
        self.tree = QTreeView()
        self.tree.setModel(self.model)
        # Names have all the room that there is.
        self.tree.header().setStretchLastSection(False)
        self.tree.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.status = QLabel(f"{self.files.count} files")
        layout = QVBoxLayout(self)
        layout.addWidget(self.tree)
        layout.addWidget(self.status)
        self.setWindowTitle("Files")
        self.resize(500, 600)
        self.files.add_observer(self.describe)

        self.commits = QSocketNotifier(store.fileno(), QSocketNotifier.Type.Read)
        self.commits.activated.connect(lambda: store.dispatch())

    def describe(self, changes: ChangeSet) -> None:
        """Counts what a commit did."""
        self.status.setText(
            f"{self.files.count} files; {len(changes.inserts)} new,"
            f" {len(changes.deletes)} deleted,"
            f" {len(changes.moves) + len(changes.updates)} changed"
        )

    def end(self) -> None:
        """Releases what uses the store, which is closed next."""
        self.commits.setEnabled(False)
        self.model.close()


def text_of(window: Window) -> str:
    """What the window shows, in one line."""
    model = window.model
    columns = range(model.columnCount())
    folders = []
    for row in range(model.rowCount()):
        folder = model.index(row, 0)
        files = [
            " ".join(model.index(file, column, folder).data() for column in columns)
            for file in range(model.rowCount(folder))
        ]
        folders.append(f"{folder.data()}: {', '.join(files)}")
    return f"{'; '.join(folders)} | {window.status.text()}"


def main(arguments: list) -> int:
    if len(arguments) < 2:
        print("usage: folder_window.py DATABASE", file=sys.stderr)
        return 2
    application = QApplication(arguments[:1])
    try:
        with Store(arguments[1], create=False) as store:
            window = Window(store)
            if "--print" in arguments:
                print(text_of(window), flush=True)
                window.files.add_observer(
                    lambda changes: print(text_of(window), flush=True),
                )
                typed = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
                typed.activated.connect(lambda: application.quit())
            else:
                window.show()
            result = application.exec()
            window.end()
    except FetchedResultsError as error:
        message = f"{arguments[1]}: {error}; does the daemon run?"
        print(f"folder_window.py: {message}", file=sys.stderr)
        return 1
    return result


if __name__ == "__main__":
    sys.exit(main(sys.argv))
