"""A list in QML: tasks in sections, which are checked, renamed, moved and sorted.

    python qml_list.py              # in memory
    python qml_list.py tasks.db

A click on the box marks a task as done, Enter ends the editing of its title, and the arrows move
it. The rows follow what other connections and processes write to the file, too. It needs PySide6:
`pip install fetchedresults[qt]`.

With `--offscreen-check` the program uses its own window, and prints what that shows:

    QT_QPA_PLATFORM=offscreen python qml_list.py --offscreen-check
"""

import sys

from PySide6.QtCore import QModelIndex, QObject, Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtQml import QQmlApplicationEngine
from PySide6.QtQuick import QQuickItem

from fetchedresults import FetchedResultsError, Store
from fetchedresults.qt import Column, Dispatcher, ListModel

SCHEMA = """CREATE TABLE IF NOT EXISTS tasks (
    id INTEGER PRIMARY KEY, title TEXT NOT NULL CHECK (title <> ''),
    done INTEGER NOT NULL DEFAULT 0, area TEXT, due INTEGER, position REAL)"""

WINDOW = b"""
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts

ApplicationWindow {
    visible: true
    width: 480
    height: 500
    title: qsTr("Tasks")

    ListView {
        id: list
        objectName: "list"
        anchors.fill: parent
        model: tasks
        section.property: "section"
        section.delegate: Label {
            required property string section
            text: section === "1" ? qsTr("Done") : qsTr("To do")
            font.bold: true
            padding: 8
        }
        delegate: RowLayout {
            id: row
            width: ListView.view.width
            required property var model
            required property int index
            CheckBox {
                objectName: "box"
                checked: row.model.done
                onToggled: row.model.done = checked
            }
            TextField {
                objectName: "title"
                Layout.fillWidth: true
                // A long title shows its beginning.
                autoScroll: activeFocus
                text: row.model.title
                onEditingFinished: {
                    row.model.title = text
                    // Also if that was refused.
                    text = Qt.binding(() => row.model.title)
                }
            }
            ToolButton { text: "\\u2191"; onClicked: mover.move(row.index, row.index - 1) }
            ToolButton { text: "\\u2193"; onClicked: mover.move(row.index, row.index + 2) }
        }
        move: Transition { NumberAnimation { property: "y"; duration: 200 } }
    }
    Label {
        anchors.centerIn: parent
        visible: list.count === 0
        text: qsTr("No tasks yet. Whatever a program adds to the file is shown here.")
        wrapMode: Text.Wrap
        width: parent.width - 40
        horizontalAlignment: Text.AlignHCenter
    }
    Connections {
        target: tasks
        function onErrorOccurred(message, error) { problem.text = message }
    }
    footer: Label { id: problem; objectName: "problem" }
}
"""


class Mover(QObject):
    """Moves rows of a model for QML."""

    def __init__(self, model: ListModel) -> None:
        super().__init__()
        self._model = model

    @Slot(int, int)
    def move(self, row: int, before: int) -> None:
        """Moves a row to before another one."""
        if 0 <= before <= self._model.rowCount():
            self._model.moveRow(QModelIndex(), row, QModelIndex(), before)


def play(store: Store, model: ListModel, window: QObject) -> None:
    """Uses the window, and prints what it shows."""
    rows = window.findChild(QQuickItem, "list")
    content = rows.property("contentItem")
    # The wrapper of an item is valid as long as that of its parent.
    seen: list = []

    def find(row: int, name: str) -> QObject:
        shown = content.childItems()
        seen.extend(shown)
        return next(each for each in shown if each.property("index") == row).findChild(QObject, name)

    def show(what: str) -> None:
        QGuiApplication.processEvents()
        rows.forceLayout()
        shown = [find(row, "title").property("text") for row in range(model.rowCount())]
        print(f"{what}: {' '.join(shown)}; {window.findChild(QObject, 'problem').property('text')}")

    for position, title in enumerate(("Milk", "Bread", "Apples")):
        store.insert("tasks", title=title, position=position)
    show("added")
    model.moveRow(QModelIndex(), 2, QModelIndex(), 0)
    show("moved")
    find(0, "title").setProperty("text", "Pears")
    find(0, "title").editingFinished.emit()
    show("renamed")
    find(0, "title").setProperty("text", "")
    find(0, "title").editingFinished.emit()
    show("refused")
    find(1, "box").setProperty("checked", True)
    find(1, "box").toggled.emit()
    show("done")
    model.sort(0, Qt.SortOrder.AscendingOrder)
    show("sorted")


def show(application: QGuiApplication, store: Store, is_check: bool) -> int:
    """Shows the tasks of a store, which it closes."""
    with store:
        store.execute(SCHEMA)
        tasks = store.fetch("tasks", sort="position", section="done")
        model = ListModel(tasks, [Column("title", edit=True), Column("done", check=True)], position="position")
        dispatcher = Dispatcher(store)
        mover = Mover(model)
        engine = QQmlApplicationEngine()
        engine.rootContext().setContextProperty("tasks", model)
        engine.rootContext().setContextProperty("mover", mover)
        engine.loadData(WINDOW)
        if not engine.rootObjects():
            return 1
        if is_check:
            play(store, model, engine.rootObjects()[0])
        result = 0 if is_check else application.exec()
        # What shows the model goes first.
        del engine
        dispatcher.close()
        model.close()
    return result


def main(arguments: list) -> int:
    """Runs the program."""
    is_check = "--offscreen-check" in arguments
    files = [each for each in arguments[1:] if not each.startswith("-")]
    application = QGuiApplication(arguments[:1])
    try:
        return show(application, Store(*files[:1]), is_check)
    except FetchedResultsError as error:
        print(f"qml_list.py: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv))
