"""The tasks of a PostgreSQL server in a window: frmirror keeps the file, and edits are
sent to the server.

    frmirror --create-publication "dbname=shop" shop.db tasks &
    python server_window.py shop.db "dbname=shop"

A double click edits a title, and a click on the box marks a task as done. A value is
grey until the server has it. The program needs PySide6 and psycopg:
`pip install fetchedresults[qt] psycopg`.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import psycopg
from PySide6.QtCore import QModelIndex, QObject, Signal, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QApplication,
    QMessageBox,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from fetchedresults import FetchedResultsError, Store
from fetchedresults.qt import Column, Dispatcher, Edit, ListModel

UPDATES = {
    "title": "UPDATE tasks SET title = %s WHERE id = %s",
    "done": "UPDATE tasks SET done = %s WHERE id = %s",
}


class Server(QObject):
    """Sends edits to the server, one after another, in a thread of its own."""

    refused = Signal(object, str)

    def __init__(self, conninfo: str) -> None:
        super().__init__()
        self._conninfo = conninfo
        self._thread = ThreadPoolExecutor(1)
        # Emitted in that thread, received in this one.
        self.refused.connect(self.report)

    def send(self, edit: Edit) -> None:
        """Takes an edit from the model."""
        self._thread.submit(self._execute, edit)

    def _execute(self, edit: Edit) -> None:
        value = bool(edit.value) if edit.column == "done" else edit.value
        try:
            with psycopg.connect(self._conninfo) as connection:
                update = UPDATES[edit.column]
                done = connection.execute(update, (value, edit.identity))
                if done.rowcount == 0:
                    self.refused.emit(edit, "another program has deleted this task")
        except psycopg.Error as error:
            self.refused.emit(edit, str(error))

    @Slot(object, str)
    def report(self, edit: Edit, message: str) -> None:
        """The cell shows the old value again, and the model emits errorOccurred."""
        edit.fail(message)

    def close(self) -> None:
        """Waits for what was sent."""
        self._thread.shutdown()


class Delegate(QStyledItemDelegate):
    """Shows values that wait for the server in grey."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        super().initStyleOption(option, index)
        if index.data(ListModel.PendingRole):
            grey = option.palette.color(QPalette.ColorRole.PlaceholderText)
            option.palette.setColor(QPalette.ColorRole.Text, grey)


class Window(QTableView):
    """Shows the tasks of a store."""

    def __init__(self, store: Store, server: Server) -> None:
        super().__init__()
        columns = [Column("title", "Task", edit=True, check="done"), "id"]
        self.tasks = store.fetch("tasks", sort="title")
        self.model_of_tasks = ListModel(self.tasks, columns, submit=server.send)
        self.model_of_tasks.errorOccurred.connect(self.report)
        self.setModel(self.model_of_tasks)
        self.setItemDelegate(Delegate(self))
        self.setWindowTitle("Tasks")
        self.resize(480, 360)

    def report(self, message: str, error: FetchedResultsError) -> None:
        """Shows why an edit was not accepted."""
        QMessageBox.warning(self, "Tasks", message)


def main() -> int:
    if len(sys.argv) != 3:
        print("usage: server_window.py FILE CONNINFO", file=sys.stderr)
        return 2
    application = QApplication(sys.argv[:1])
    try:
        store = Store(sys.argv[1], read_only=True)
        server = Server(sys.argv[2])
        window = Window(store, server)
    except FetchedResultsError as error:
        print(f"server_window.py: {error}", file=sys.stderr)
        return 1
    dispatcher = Dispatcher(store)
    window.show()
    status = application.exec()
    server.close()
    dispatcher.close()
    return status


if __name__ == "__main__":
    sys.exit(main())
