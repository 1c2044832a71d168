"""The order that a click on a header of a view sets."""

from __future__ import annotations

import unittest

from qt_model_case import ModelTestCase
from qt_support import ListModel, Marks, Mirror, Qt, TreeModel, connect

# After qt_support, which skips these tests where there is no PySide6.
from PySide6.QtCore import QItemSelectionModel, QPersistentModelIndex, QSortFilterProxyModel  # isort: skip
from PySide6.QtTest import QTest  # isort: skip
from PySide6.QtWidgets import QApplication, QTableView  # isort: skip

from fetchedresults import Collection, Request, SchemaError, SectionMap, Sort, Total
from fetchedresults.qt import Column

UP, DOWN = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
LAYOUT = [("layoutAboutToBeChanged",), ("layoutChanged",)]


class Sorting(ModelTestCase):
    def test_changes_the_order_of_the_request_and_nothing_else(self):
        model = self.show(ListModel)
        model.sort(1, DOWN)
        self.assertEqual(self.items.request.sort, (Sort("rank", descending=True), Sort("name")))
        self.assertEqual(self.rows(), ["date", "bread", "apple", "beer", "cider"])
        model.sort(0, DOWN)
        self.assertEqual(self.items.request.sort, (Sort("name", descending=True),))
        model.sort(-1)
        self.assertEqual(self.items.request.sort, (Sort("name"),))
        self.assertEqual(self.rows(), ["apple", "bread", "date", "beer", "cider"])

    def test_and_sections_can_be_by_expressions(self):
        items = self.store.fetch("items", sort=["-rank % 2", "upper(name)"], section="length(name) > 4")
        self.show(TreeModel, items)
        self.assertEqual(self.rows(), [("0", ["date", "beer"]), ("1", ["apple", "cider", "bread"])])
        self.store.execute("UPDATE items SET name = 'figs' WHERE name = 'apple'")
        self.assertEqual(self.rows(), [("0", ["date", "figs", "beer"]), ("1", ["cider", "bread"])])

    def test_is_one_change_of_the_layout_that_indexes_follow(self):
        for kind in (TreeModel, ListModel):
            with self.subTest(kind.__name__):
                model = self.show(kind)
                mirror = Mirror(model, self.complaints)
                connect(self, model, "layoutChanged", mirror._reset)
                marks = Marks(model)
                selection = QItemSelectionModel(model)
                selection.select(model.index_of(5).siblingAtColumn(1), QItemSelectionModel.SelectionFlag.Select)
                proxy = QSortFilterProxyModel(sourceModel=model)
                self.rows()
                model.sort(1, DOWN)
                self.assertEqual(self.signals.take(), LAYOUT)
                marks.check(self, True)
                mirror.check(self)
                self.assertEqual(selection.selectedIndexes(), [model.index_of(5).siblingAtColumn(1)])
                if kind is ListModel:
                    self.assertEqual([proxy.index(row, 0).data() for row in range(5)], self.rows())
                model.sort(-1)
                marks.check(self, True)

    def test_is_undone_to_the_order_that_the_program_set_last(self):
        model = self.show(ListModel)
        model.sort(1)
        self.items.request = self.items.request.replace(predicate="rank > 0")
        model.sort(0)
        model.sort(-1)
        self.assertEqual(self.items.request.sort, (Sort("name"),))
        model.sort(1)
        self.items.request = self.items.request.replace(sort="-id")
        model.sort(0)
        self.assertEqual(self.items.request.sort, (Sort("name"), Sort("id", descending=True)))
        model.sort(-1)
        self.assertEqual(self.items.request.sort, (Sort("id", descending=True),))

    def test_uses_the_order_that_a_column_names(self):
        def half(item):
            return item.rank / 2

        columns = [half, Column(half, sort=["rank", "-name"]), Column("name", sort=()), Column("list_id.title", "L")]
        items = self.store.fetch("items", sort="id", columns=["name", "rank", "list_id.title"])
        model = self.show(ListModel, items, columns)
        for column in (0, 2, 9):
            model.sort(column)
            self.assertEqual(items.request.sort, (Sort("id"),))
        model.sort(1, DOWN)
        self.assertEqual(items.request.sort, (Sort("rank", descending=True), Sort("name"), Sort("id")))
        model.sort(3)
        self.assertEqual(items.request.sort, (Sort("list_id.title"), Sort("id")))

    def test_of_groups_is_by_keys_and_totals(self):
        totals = {"number": Total.count(), "last": Total.max("name")}
        groups = self.store.fetch_groups("items", by="list_id", totals=totals, having="number > ?", having_params=[1])
        model = self.show(ListModel, groups, None)
        self.assertEqual(
            [model.headerData(column, Qt.Orientation.Horizontal) for column in range(3)], ["list_id", "number", "last"]
        )
        right = Qt.ItemDataRole.TextAlignmentRole
        self.assertEqual([model.index(0, column).data(right) is None for column in range(3)], [False, False, True])
        model.sort(2, DOWN)
        self.assertEqual([group["last"] for group in groups.objects], ["date", "cider"])
        self.assertEqual(groups.request.having_params, (1,))
        model.sort(2)
        self.assertEqual([group["last"] for group in groups.objects], ["cider", "date"])

    def test_by_what_is_no_column_is_reported(self):
        model = self.show(ListModel, columns=[Column("name", sort="nowhere")])
        errors = []
        connect(self, model, "errorOccurred", lambda message, error: errors.append(type(error)))
        model.sort(0)
        self.assertEqual((errors, self.signals.take()), ([SchemaError], []))
        self.items.close()
        model.sort(0)
        self.assertEqual(len(errors), 2)

    def test_of_a_section_map_is_that_of_its_items(self):
        lists = SectionMap(self.store, Request("items", sort="name"), Request("lists"), "list_id", fetch=True)
        model = self.show(TreeModel, lists)
        model.sort(0, DOWN)
        self.assertEqual(self.rows(), [("1", ["date", "bread", "apple"]), ("2", ["cider", "beer"])])

    def test_leaves_other_lists_as_they_are(self):
        select = self.store.fetch_select("SELECT id, name FROM items ORDER BY name", identity="id")
        for each in (select, Collection([self.items], fetch=True)):
            self.show(ListModel, each, "name").sort(0, DOWN)
            self.assertEqual((self.signals.take(), self.rows()[0]), ([], "apple"))

    def test_in_a_callback_comes_after_it(self):
        model = self.show(ListModel)
        observation = self.items.add_observer(lambda changes: model.sort(0, DOWN) if len(changes) == 1 else None)
        self.store.execute("UPDATE items SET rank = 9 WHERE id = 1")
        observation.cancel()
        self.assertEqual(self.rows(), ["date", "bread", "apple", "cider", "beer"])

    def test_is_caused_by_a_click_on_a_header(self):
        application = QApplication.instance() or QApplication([])
        view = QTableView()
        model = self.show(ListModel)
        view.setModel(model)
        # Otherwise Qt sorts by the first column.
        view.horizontalHeader().setSortIndicator(-1, UP)
        view.setSortingEnabled(True)
        view.show()
        application.processEvents()
        self.assertEqual(self.items.request.sort, (Sort("name"),))
        mark = QPersistentModelIndex(model.index_of(4))
        view.setCurrentIndex(model.index_of(4))
        header = view.horizontalHeader()
        pos = header.rect().center()
        pos.setX(header.sectionViewportPosition(1) + 5)
        QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=pos)
        QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=pos)
        self.assertEqual(self.items.request.sort, (Sort("rank", descending=True), Sort("name")))
        self.assertEqual((view.currentIndex().data(), mark.data()), ("beer", "beer"))
        view.close()
        view.setModel(None)


if __name__ == "__main__":
    unittest.main()
