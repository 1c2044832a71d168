"""What edited cells and check boxes of Qt's item models write."""

from __future__ import annotations

import unittest

from qt_model_case import NAME, OBJECT, ModelTestCase
from qt_support import ListModel, Qt, TreeModel, connect

# After qt_support, which skips these tests where there is no PySide6.
from PySide6.QtCore import QDate, QModelIndex  # isort: skip
from PySide6.QtGui import QColor  # isort: skip
from PySide6.QtTest import QTest  # isort: skip
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionViewItem, QTableView  # isort: skip

from fetchedresults import (
    BusyError,
    Collection,
    ConstraintError,
    Controller,
    Placeholder,
    Request,
    SchemaError,
    ValueTypeError,
)
from fetchedresults.qt import Column

CHECK, TOOL_TIP = Qt.ItemDataRole.CheckStateRole, Qt.ItemDataRole.ToolTipRole
EDITABLE, CHECKABLE = Qt.ItemFlag.ItemIsEditable, Qt.ItemFlag.ItemIsUserCheckable


class EditTestCase(ModelTestCase):
    def show(self, kind, controller=None, columns=("name", "rank"), **options):
        model = super().show(kind, controller, columns, **options)
        self.errors = []
        connect(self, model, "errorOccurred", lambda message, error: self.errors.append((message, type(error))))
        return model


class Edits(EditTestCase):
    def test_are_updates_of_the_row(self):
        model = self.show(TreeModel, columns=[Column("name", edit=True), Column("rank", edit=True), "id"])
        bread = model.index_of(1)
        self.assertEqual(
            [bool(model.flags(bread.siblingAtColumn(n)) & EDITABLE) for n in range(3)], [True, True, False]
        )
        self.assertTrue(model.setData(bread, "bun"))
        self.assertTrue(model.setData(bread.siblingAtColumn(1), 7.5))
        self.assertEqual(dict(self.store.get("items", 1)), {"id": 1, "name": "bun", "rank": 7.5, "list_id": 1})
        self.assertEqual(self.signals.take(), [("dataChanged", (0, 1), (0, 1))] * 2)
        self.assertFalse(model.setData(bread.siblingAtColumn(2), 9))
        self.assertFalse(model.setData(model.index(0, 0), "title"))
        self.assertEqual(self.errors, [])

    def test_of_values_of_qt_are_those_of_python(self):
        model = self.show(ListModel, columns=Column("name", edit=True))
        self.assertTrue(model.setData(model.index_of(1), QDate(2026, 2, 1)))
        self.assertEqual(self.store.get("items", 1).name, "2026-02-01")

    def test_that_fail_are_reported(self):
        self.store.execute("CREATE UNIQUE INDEX names ON items (name)")
        model = self.show(ListModel, columns=[Column("name", edit=True), Column("nowhere", edit=True, check=True)])
        bread = model.index_of(1)
        self.assertFalse(model.setData(bread, "apple"))
        self.assertFalse(model.setData(bread, QColor()))
        self.assertFalse(model.setData(bread.siblingAtColumn(1), Qt.CheckState.Checked, CHECK))
        self.assertEqual([error for _, error in self.errors], [ConstraintError, ValueTypeError, SchemaError])
        self.assertEqual(self.errors[0][0], "UNIQUE constraint failed: items.name")
        self.assertEqual((self.signals.take(), bread.data()), ([], "bread"))

    def test_are_reported_for_the_cells_that_show_them(self):
        columns = [Column("name", check="rank"), "id", Column("list_id", roles={TOOL_TIP: "name"}), "rank"]
        model = self.show(ListModel, self.store.fetch("items", sort="id"), columns)
        cells = []

        def note(first, last, roles):
            cells.append((first.row(), first.column(), last.column()))

        connect(self, model, "dataChanged", note)

        def reported(**values):
            cells.clear()
            self.store.update("items", 2, values)
            return cells

        # An editor that is open in another column keeps its text.
        self.assertEqual(reported(name="pear"), [(1, 0, 0), (1, 2, 2)])
        self.assertEqual(reported(list_id=2), [(1, 2, 2)])
        self.assertEqual(reported(rank=0.5), [(1, 0, 0), (1, 3, 3)])
        # Views that read a role of another column, as QML does, or the object.
        model.index(0, 1).data(NAME)
        self.assertEqual(reported(list_id=1), [(1, 1, 2)])
        model.index(0, 3).data(OBJECT)
        self.assertEqual(reported(list_id=2), [(1, 1, 3)])
        self.show(ListModel, self.store.fetch("items", sort="id"), ["id", lambda item: item.name])
        connect(self, self.model, "dataChanged", note)
        self.assertEqual(reported(rank=1)[-1:], [(1, 1, 1)])

    def test_do_not_wait_long_for_a_lock(self):
        path = self.folder() / "a.db"
        store, other = (self.open(path, busy_timeout=60) for _ in range(2))
        store.executescript(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, rank REAL);"
            "INSERT INTO items VALUES (1, 'bread', 1), (2, 'apple', 2)"
        )
        waits = []

        def edit(item, value):
            waits.extend(row["timeout"] for row in store.query("PRAGMA busy_timeout"))

        columns = [Column("name", edit=True, check="rank"), Column("id", edit=edit)]
        items = store.fetch("items", sort="rank")
        model = self.show(ListModel, items, columns, position="rank", edit_timeout=0.001)
        first = model.index(0, 0)
        with other.transaction():
            self.assertFalse(model.setData(first, "x"))
            self.assertFalse(model.setData(first, Qt.CheckState.Unchecked, CHECK))
            self.assertFalse(model.moveRows(QModelIndex(), 0, 1, QModelIndex(), 2))
            self.assertEqual([error for _, error in self.errors], [BusyError] * 3)
            self.assertTrue(model.setData(model.index(0, 1), 5))
        edit(None, None)
        self.assertEqual(waits, [1, 60_000])
        self.assertTrue(model.setData(first, "x"))
        self.assertEqual(self.rows(), ["x", "apple"])

    def test_write_the_row_that_is_shown_before_others_commit(self):
        path = self.folder() / "a.db"
        store, other = (self.open(path) for _ in range(2))
        store.executescript("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, rank REAL)")
        store.executemany("INSERT INTO items VALUES (?, ?, ?)", [(1, "bread", 1), (2, "apple", 2), (3, "cider", 3)])
        model = self.show(ListModel, store.fetch("items", sort="rank"), Column("name", edit=True), position="rank")
        other.execute("INSERT INTO items VALUES (4, 'beer', 0)")
        self.assertTrue(model.setData(model.index(0, 0), "bun"))
        self.assertEqual(self.rows(), ["beer", "bun", "apple", "cider"])
        other.execute("INSERT INTO items VALUES (5, 'date', -1)")
        self.assertTrue(model.moveRows(QModelIndex(), 1, 1, QModelIndex(), 4))
        self.assertEqual(self.rows(), ["date", "beer", "apple", "cider", "bun"])

    def test_of_a_whole_select_are_reported(self):
        select = self.store.fetch_select("SELECT id, name FROM items", identity="id")
        model = self.show(ListModel, select, [Column("name", edit=True)])
        self.assertFalse(model.setData(model.index(0, 0), "x"))
        self.assertEqual([error for _, error in self.errors], [SchemaError])

    def test_by_functions_that_fail_are_reported(self):
        model = self.show(ListModel, columns=Column("name", edit=lambda item, name: self.store.delete("items", 99)))
        self.assertFalse(model.setData(model.index(0, 0), "x"))
        self.assertEqual(len(self.errors), 1)

    def test_in_a_collection_go_to_the_store_of_the_row(self):
        other = self.open()
        other.executescript(
            "CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO things VALUES (1, 'cup')"
        )
        inner = Collection([Placeholder("-"), Controller(other, Request("things"))])
        every = Collection(
            [Controller(self.store, Request("items", sort="name", section="list_id")), inner], fetch=True
        )
        model = self.show(ListModel, every, Column("name", edit=True))
        self.assertTrue(model.setData(model.index(5, 0), "mug"))
        self.assertTrue(model.setData(model.index(4, 0), "cola"))
        self.assertEqual((other.get("things", 1).name, self.store.get("items", 3).name), ("mug", "cola"))

    def test_through_roles_of_columns_are_those_of_qml(self):
        model = self.show(ListModel, columns=["id", Column("name", edit=True), Column("rank", check=True)])
        index = model.index_of(1)
        self.assertTrue(model.setData(index, "bun", NAME + 1))
        self.assertTrue(model.setData(index, True, NAME + 2))
        row = self.store.get("items", 1)
        self.assertEqual((row.name, row.rank), ("bun", 1))
        self.assertFalse(model.setData(index, 5, NAME))
        self.assertFalse(model.setData(index, 5, NAME + 9))

    def test_of_a_view_that_clears_moved_rows_do_nothing(self):
        edit = int(Qt.ItemDataRole.EditRole)
        model = self.show(ListModel, columns=[Column("name", edit=True), Column("rank", check=True)])
        for column in range(2):
            # Also of a cell without a text.
            self.assertFalse(model.setItemData(model.index(0, column), {edit: None}))
        self.assertEqual((model.index(0, 0).data(), self.store.get("items", 2).rank), ("apple", 1.0))
        self.assertTrue(model.setItemData(model.index(0, 0), {edit: "plum"}))
        self.assertEqual(self.store.get("items", 2).name, "plum")


class CheckBoxes(EditTestCase):
    def test_show_the_truth_of_a_value(self):
        self.store.execute("UPDATE items SET rank = id % 2")
        columns = [Column("rank", check=True), Column("name", check="rank"), Column("id", check=lambda item: item.rank)]
        model = self.show(ListModel, columns=[*columns, "name"])
        for identity, state in ((1, Qt.CheckState.Checked), (2, Qt.CheckState.Unchecked)):
            cells = [model.index_of(identity).siblingAtColumn(column) for column in range(4)]
            self.assertEqual([Qt.CheckState(cell.data(CHECK)) for cell in cells[:3]], [state] * 3)
            self.assertIsNone(cells[3].data(CHECK))
        self.assertEqual([cell.data() for cell in cells], [None, "apple", 2, "apple"])
        self.assertEqual(cells[0].data(Qt.ItemDataRole.EditRole), 0)
        self.assertEqual([bool(model.flags(cell) & CHECKABLE) for cell in cells], [True, True, False, False])

    def test_write_the_click_of_the_user(self):
        model = self.show(TreeModel, columns=[Column("name", check="rank"), Column("id", check=lambda item: True)])
        bread = model.index_of(1)
        for state, written in ((Qt.CheckState.Unchecked, 0), (2, 1), (False, 0), (True, 1), (0, 0)):
            self.assertTrue(model.setData(bread, state, CHECK))
            self.assertEqual(self.store.get("items", 1).rank, written)
        self.assertEqual(self.signals.take(), [("dataChanged", (0, 1), (0, 1))] * 5)
        self.assertFalse(model.setData(bread.siblingAtColumn(1), 0, CHECK))

    def test_are_clicked_in_a_view(self):
        application = QApplication.instance() or QApplication([])
        view = QTableView()
        view.setModel(self.show(ListModel, columns=[Column("rank", check=True), "name"]))
        view.show()
        application.processEvents()
        index = self.model.index_of(1)
        option = QStyleOptionViewItem()
        option.initFrom(view)
        option.rect = view.visualRect(index)
        option.features = QStyleOptionViewItem.ViewItemFeature.HasCheckIndicator
        box = view.style().subElementRect(QStyle.SubElement.SE_ItemViewItemCheckIndicator, option, view)
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=box.center())
        self.assertEqual(self.store.get("items", 1).rank, 0)
        view.close()
        view.setModel(None)


if __name__ == "__main__":
    unittest.main()
