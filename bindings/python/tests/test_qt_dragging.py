"""Rows that are dragged in views of Qt's item models: the positions that this writes."""

from __future__ import annotations

import unittest

from qt_model_case import ModelTestCase
from qt_support import ListModel, Qt, TreeModel, connect

# After qt_support, which skips these tests where there is no PySide6.
from PySide6.QtCore import QMimeData, QModelIndex, QPersistentModelIndex, QPointF  # isort: skip
from PySide6.QtGui import QDropEvent  # isort: skip
from PySide6.QtWidgets import QAbstractItemView, QApplication, QListView  # isort: skip

from fetchedresults import ChangeType, Collection, ConstraintError, Request, SectionMap, Sort

MOVE, COPY = Qt.DropAction.MoveAction, Qt.DropAction.CopyAction
DRAG, DROP = Qt.ItemFlag.ItemIsDragEnabled, Qt.ItemFlag.ItemIsDropEnabled
ROOT = QModelIndex()


class DragTestCase(ModelTestCase):
    """Five tasks a to e with the positions 1 to 5, of which a to c are on the list 1, and d and e
    on the list 2. Each UPDATE is counted.
    """

    def setUp(self) -> None:
        super().setUp()
        self.store.executescript(
            """
            CREATE TABLE tasks (
                id INTEGER PRIMARY KEY, name TEXT, position INTEGER, list_id INTEGER REFERENCES lists (id)
            );
            INSERT INTO tasks VALUES (1, 'a', 1, 1), (2, 'b', 2, 1), (3, 'c', 3, 1), (4, 'd', 4, 2), (5, 'e', 5, 2);
            CREATE TABLE updates (n INTEGER);
            CREATE TRIGGER counted AFTER UPDATE ON tasks BEGIN INSERT INTO updates VALUES (1); END;
            """
        )

    def fetch(self, section=None, **options):
        return self.store.fetch("tasks", sort=options.pop("sort", "position"), section=section, **options)

    def show(self, kind, controller=None, columns="name", position="position", **options):
        controller = self.fetch() if controller is None else controller
        model = super().show(kind, controller, columns, position=position, **options)
        self.errors = []
        connect(self, model, "errorOccurred", lambda message, error: self.errors.append(type(error)))
        return model

    def drop(self, names: str, row: int, parent: QModelIndex = ROOT, action=MOVE) -> bool:
        """Drags rows to a place."""
        indexes = [self.model.index_of(self.identity(name)) for name in names]
        data = self.model.mimeData(indexes)
        can = self.model.canDropMimeData(data, action, row, 0, parent)
        done = self.model.dropMimeData(data, action, row, 0, parent)
        self.assertTrue(can or not done)
        return done

    def identity(self, name: str) -> int:
        return next(iter(self.store.query("SELECT id FROM tasks WHERE name = ?", [name])))[0]

    def updates(self) -> int:
        """The number of UPDATEs since the last call."""
        count = next(iter(self.store.query("SELECT count(*) FROM updates")))[0]
        self.store.execute("DELETE FROM updates")
        return count

    def flat(self) -> str:
        return "".join(row if isinstance(row, str) else f"({''.join(row[1])})" for row in self.rows())


class Drags(DragTestCase):
    def test_write_one_position_where_there_is_room(self):
        model = self.show(ListModel)
        mark = QPersistentModelIndex(model.index_of(5))
        self.assertTrue(self.drop("e", 0))
        self.assertEqual((self.flat(), self.updates(), mark.row()), ("eabcd", 1, 0))
        self.assertEqual([each[0] for each in self.signals.take()], ["rowsMoved"])
        self.assertTrue(self.drop("e", -1))
        self.assertEqual((self.flat(), self.updates()), ("abcde", 1))
        self.store.execute("UPDATE tasks SET position = position * 10")
        self.updates()
        self.assertTrue(self.drop("a", 3))
        self.assertEqual((self.flat(), self.updates()), ("bcade", 1))

    def test_write_as_few_positions_as_possible(self):
        self.show(ListModel)
        self.assertTrue(self.drop("a", 2))
        self.assertEqual((self.flat(), self.updates()), ("bacde", 1))
        self.assertTrue(self.drop("bac", 4))
        self.assertEqual((self.flat(), self.updates()), ("dbace", 1))
        self.store.execute("UPDATE tasks SET position = NULL")
        self.updates()
        self.assertTrue(self.drop("e", 0))
        self.assertEqual((self.flat()[0], self.updates()), ("e", 5))

    def test_gather_rows_from_several_places(self):
        changes = []
        tasks = self.fetch()
        observation = tasks.add_observer(changes.append)
        self.show(ListModel, tasks)
        self.assertTrue(self.drop("eca", 1))
        self.assertEqual((self.flat(), self.updates()), ("acebd", 2))
        self.assertEqual(len(changes), 1)
        self.assertLessEqual({change.type for change in changes[0]}, {ChangeType.MOVE, ChangeType.UPDATE})
        observation.cancel()

    def test_to_the_same_place_write_nothing(self):
        self.show(ListModel)
        for names, row in (("b", 1), ("b", 2), ("bc", 2), ("e", 5)):
            self.assertTrue(self.drop(names, row))
        self.assertEqual((self.flat(), self.updates(), self.signals.take()), ("abcde", 0, []))

    def test_follow_a_descending_order(self):
        self.show(ListModel, self.fetch(sort="-position"))
        self.assertTrue(self.drop("a", 0))
        self.assertEqual((self.flat(), self.updates()), ("aedcb", 1))

    def test_follow_rows_that_moved_meanwhile(self):
        self.show(ListModel)
        data = self.model.mimeData([self.model.index_of(1), self.model.index_of(2)])
        self.store.execute("UPDATE tasks SET position = 9 WHERE name = 'a'")
        self.store.execute("DELETE FROM tasks WHERE name = 'b'")
        self.assertTrue(self.model.dropMimeData(data, MOVE, 0, 0, ROOT))
        self.assertEqual(self.flat(), "acde")

    def test_fail_as_a_whole(self):
        self.store.execute(
            "CREATE TRIGGER no BEFORE UPDATE ON tasks WHEN OLD.name = 'b' BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
        self.show(ListModel)
        self.assertFalse(self.drop("ab", 5))
        self.assertEqual((self.flat(), self.errors, self.store.in_transaction), ("abcde", [ConstraintError], False))

    def test_are_refused_where_rows_have_another_order(self):
        tasks = self.fetch(sort=["name", "position"])
        model = self.show(ListModel, tasks)
        self.assertFalse(model.flags(model.index(0, 0)) & DRAG or model.flags(ROOT) & DROP)
        self.assertFalse(self.drop("a", 3))
        tasks.request = tasks.request.replace(sort=Sort("POSITION"))
        self.assertTrue(model.flags(model.index(0, 0)) & DRAG and model.flags(ROOT) & DROP)
        self.assertTrue(self.drop("a", 3))

    def test_are_of_one_model_and_one_drag(self):
        model = self.show(ListModel)
        other = ListModel(model.controller, "name", position="position")
        data = model.mimeData([model.index(0, 0)])
        self.assertFalse(other.dropMimeData(data, MOVE, 3, 0, ROOT))
        self.assertFalse(model.dropMimeData(data, COPY, 3, 0, ROOT))
        self.assertFalse(model.dropMimeData(QMimeData(), MOVE, 3, 0, ROOT))
        self.assertFalse(model.dropMimeData(data, MOVE, 99, 0, ROOT))
        model.mimeData([])
        self.assertFalse(model.dropMimeData(data, MOVE, 3, 0, ROOT))
        model.close()
        self.assertFalse(model.canDropMimeData(data, MOVE, 0, 0, ROOT))

    def test_need_a_position_column(self):
        model = self.show(ListModel, position=None)
        self.assertFalse(model.flags(model.index(0, 0)) & DRAG)
        data = model.mimeData([model.index(0, 0)])
        self.assertFalse(model.dropMimeData(data, MOVE, 3, 0, ROOT))
        select = self.store.fetch_select("SELECT id, name, position FROM tasks", identity="id")
        for wrong in (select, Collection([self.fetch()], fetch=True), self.fetch(columns=["name"])):
            with self.assertRaisesRegex(ValueError, "position"):
                ListModel(wrong, "name", position="position")

    def test_can_be_requested_by_programs(self):
        model = self.show(ListModel)
        self.assertTrue(model.moveRows(ROOT, 0, 2, ROOT, 4))
        self.assertEqual(self.flat(), "cdabe")
        self.assertTrue(model.moveRow(ROOT, 4, ROOT, 0))
        self.assertEqual(self.flat(), "ecdab")
        for first, count, row in ((0, 9, 2), (-1, 1, 2), (0, 0, 2), (0, 1, 99)):
            self.assertFalse(model.moveRows(ROOT, first, count, ROOT, row))

    def test_are_dropped_in_a_view(self):
        application = QApplication.instance() or QApplication([])
        view = QListView(dragDropMode=QAbstractItemView.DragDropMode.InternalMove)
        model = self.show(ListModel)
        view.setModel(model)
        view.show()
        application.processEvents()
        view.selectionModel().select(model.index_of(4), view.selectionModel().SelectionFlag.ClearAndSelect)
        data = model.mimeData(view.selectionModel().selectedIndexes())
        top = view.visualRect(model.index(1, 0)).topLeft()
        event = QDropEvent(
            QPointF(top), MOVE, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QDropEvent.Type.Drop
        )
        model.dropMimeData(data, event.proposedAction(), view.indexAt(top).row(), 0, ROOT)
        self.assertEqual((self.flat(), [each.data() for each in view.selectedIndexes()]), ("adbce", ["d"]))
        view.close()
        view.setModel(None)


class DragsBetweenSections(DragTestCase):
    def test_write_the_column_of_the_section(self):
        model = self.show(TreeModel, self.fetch("list_id"))
        self.assertEqual(self.flat(), "(abc)(de)")
        flags = [model.flags(index) for index in (model.index(0, 0), model.index_of(1), ROOT)]
        self.assertEqual([bool(each & DROP) for each in flags], [True, False, False])
        self.assertTrue(self.drop("b", 1, model.index(1, 0)))
        self.assertEqual((self.flat(), self.store.get("tasks", 2).list_id), ("(ac)(dbe)", 2))
        self.assertTrue(self.drop("e", -1, model.index(0, 0)))
        self.assertEqual((self.flat(), self.store.get("tasks", 5).position), ("(ace)(db)", 4))
        self.assertFalse(self.drop("e", 0, ROOT))

    def test_write_both_columns_with_one_update(self):
        model = self.show(TreeModel, self.fetch("list_id"))
        self.assertTrue(self.drop("d", 0, model.index(0, 0)))
        self.assertEqual((self.flat(), self.updates()), ("(dabc)(e)", 1))
        self.assertTrue(self.drop("ab", 1, model.index(1, 0)))
        self.assertEqual((self.flat(), self.updates()), ("(dc)(eab)", 2))

    def test_of_a_section_map_write_the_key(self):
        self.store.insert("lists", id=3, title="Empty", position=3)
        tasks = SectionMap(
            self.store, Request("tasks", sort="position"), Request("lists", sort="position"), "list_id", fetch=True
        )
        model = self.show(TreeModel, tasks)
        self.assertEqual(self.flat(), "(de)(abc)()")
        self.assertTrue(self.drop("c", -1, model.index(2, 0)))
        self.assertEqual((self.flat(), self.store.get("tasks", 3).list_id), ("(de)(ab)(c)", 3))

    def test_are_refused_if_the_section_is_of_another_table(self):
        model = self.show(TreeModel, self.fetch("list_id.title"))
        self.assertEqual(self.flat(), "(de)(abc)")
        self.assertFalse(self.drop("a", 0, model.index(0, 0)))
        self.assertTrue(self.drop("a", -1, model.index(1, 0)))
        self.assertEqual(self.flat(), "(de)(bca)")

    def test_of_a_flat_model_stay_in_their_section_at_its_end(self):
        self.show(ListModel, self.fetch("list_id"))
        self.assertTrue(self.drop("e", 3))
        self.assertEqual((self.flat(), self.store.get("tasks", 5).list_id), ("abced", 2))
        self.assertTrue(self.drop("a", 3))
        self.assertEqual((self.flat(), self.store.get("tasks", 1).list_id), ("bcaed", 1))
        self.assertTrue(self.drop("b", 4))
        self.assertEqual((self.flat(), self.store.get("tasks", 2).list_id), ("caebd", 2))


if __name__ == "__main__":
    unittest.main()
