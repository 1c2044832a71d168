"""The columns of Qt's item models."""

from __future__ import annotations

import unittest

from qt_model_case import NAME, OBJECT, SECTION, ModelTestCase
from qt_support import ListModel, Qt, TreeModel

# After qt_support, which skips these tests where there is no PySide6.
from PySide6.QtCore import QPersistentModelIndex  # isort: skip

from fetchedresults import Collection, Controller, Placeholder, Request
from fetchedresults.qt import Column


class Columns(ModelTestCase):
    def test_are_names_functions_and_descriptions(self):
        def half(item):
            return item["rank"] / 2

        columns = ["name", half, Column("rank", "Rank"), Column(lambda item: item.identity, name="number")]
        model = self.show(ListModel, columns=columns)
        self.assertEqual([model.index(1, column).data() for column in range(4)], ["bread", 1.0, 2.0, 1])
        headers = [model.headerData(column, Qt.Orientation.Horizontal) for column in range(4)]
        self.assertEqual(headers, ["name", "half", "Rank", "number"])
        self.assertEqual(model.headerData(1, Qt.Orientation.Vertical), 2)
        self.assertIsNone(model.headerData(9, Qt.Orientation.Horizontal))

    def test_must_be_given(self):
        for wrong, error in (([], ValueError), ([7], TypeError)):
            with self.assertRaises(error):
                ListModel(self.items, wrong)

    def test_are_all_that_the_objects_show_by_default(self):
        self.store.executescript(
            """
            CREATE VIEW named AS SELECT id, name FROM items;
            CREATE TEMP TABLE more (id INTEGER PRIMARY KEY, text TEXT, length AS (length(text)));
            INSERT INTO more (text) VALUES ('tea');
            """
        )
        other = Collection([Controller(self.store, Request("lists")), Placeholder("-"), self.items], fetch=True)
        for controller, names in (
            (self.items, "id name rank list_id"),
            (self.store.controller(Request("Items")), "id name rank list_id"),
            (self.store.fetch("items", columns=["rank", "list_id.title"]), "rank list_id.title"),
            (self.store.fetch("named", identity="id"), "id name"),
            (self.store.fetch("temp.more"), "id text length"),
            (self.store.fetch_select("SELECT id, name AS title FROM items", identity="id"), "id title"),
            (other, "id title position name rank list_id"),
        ):
            with self.subTest(names):
                model = self.show(ListModel, controller, None)
                titles = [model.headerData(number, Qt.Orientation.Horizontal) for number in range(model.columnCount())]
                self.assertEqual(titles, names.split())
                if model.rowCount():
                    shown = model.index(0, 0).data(OBJECT)
                    values = [model.index(0, column).data() for column in range(model.columnCount())]
                    self.assertEqual(values, [shown.get(name) for name in titles])

    def test_of_numbers_are_aligned_to_the_right(self):
        self.store.executescript(
            """
            CREATE TABLE kinds (id INTEGER PRIMARY KEY, price DECIMAL(9, 2), name VARCHAR, day DATE, ok BOOLEAN, x,
                                count int8, POINT text);
            INSERT INTO kinds (id) VALUES (1);
            """
        )
        columns = ["id", "price", "name", "day", "ok", "x", "COUNT", "point", Column("id", check=True)]
        columns += [Column("name", alignment=Qt.AlignmentFlag.AlignHCenter), lambda item: 7]
        model = self.show(TreeModel, self.store.fetch("kinds"), columns)
        role = Qt.ItemDataRole.TextAlignmentRole
        cells = [model.index(0, column, model.index(0, 0)).data(role) for column in range(len(columns))]
        headers = [model.headerData(column, Qt.Orientation.Horizontal, role) for column in range(len(columns))]
        self.assertEqual([cell and int(cell) for cell in cells], [cell and int(cell) for cell in headers])
        right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        shown = [cell and int(cell) for cell in cells]
        self.assertEqual(shown[:9], [right, right, None, None, None, None, right, None, None])
        self.assertEqual(shown[9:], [int(Qt.AlignmentFlag.AlignHCenter), None])
        self.assertIsNone(model.index(0, 0).data(role))

    def test_show_more_in_other_roles(self):
        tip, width = Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.UserRole + 500
        column = Column("name", roles={tip: "rank", width: lambda item: len(item.name)})
        model = self.show(
            ListModel, columns=[column, "id"], roles={"long": lambda item: item.rank > 2, "list": "list_id"}
        )
        index = model.index_of(3)
        self.assertEqual((index.data(tip), index.data(width), index.siblingAtColumn(1).data(tip)), (3.0, 5, None))
        names = {bytes(name.data()).decode(): role for role, name in model.roleNames().items()}
        self.assertEqual((names["long"], names["list"]), (NAME + 2, NAME + 3))
        self.assertEqual([index.data(NAME + number) for number in range(5)], ["cider", 3, True, 2, None])

    def test_are_roles_in_qml(self):
        columns = ["name", Column("rank", name="object")]
        for model in (self.show(TreeModel, columns=columns), self.show(ListModel, columns=columns)):
            names = {bytes(name.data()).decode(): role for role, name in model.roleNames().items()}
            self.assertEqual((names["name"], names["object"], names["section"]), (NAME, NAME + 1, SECTION))
            self.assertIn("display", names)
            self.assertNotIn(OBJECT, model.roleNames())
            index = model.index_of(3)
            self.assertEqual([index.data(role) for role in (NAME, NAME + 1, NAME + 2)], ["cider", 3.0, None])

    def test_of_any_row_return_its_object_and_section(self):
        model = self.show(TreeModel)
        index = model.index_of(3).siblingAtColumn(1)
        self.assertEqual((index.data(OBJECT).identity, index.data(SECTION)), (3, "Home"))
        self.assertEqual((model.index(1, 0).data(OBJECT), model.index(1, 0).data(SECTION)), (None, "Home"))
        self.assertIsNone(index.data(Qt.ItemDataRole.ToolTipRole))

    def test_refuse_functions_that_nobody_would_run(self):
        async def later(*arguments): ...

        uses = [lambda: Column(later), lambda: Column("name", edit=later), lambda: Column("name", check=later)]
        uses += [lambda: Column("name", roles={3: later}), lambda: ListModel(self.items, "name", roles={"x": later})]
        for use in uses:
            with self.assertRaisesRegex(TypeError, "can't be a coroutine function"):
                use()

    def test_of_functions_have_nothing_that_is_written(self):
        for options in ({"edit": True}, {"check": True}):
            with self.assertRaises(ValueError):
                Column(len, **options)

    def test_are_edited_through_the_store(self):
        def rename(item, name):
            return bool(name) and self.store.update("items", item.identity, name=name)

        model = self.show(TreeModel, columns=[Column("name", edit=rename), "rank"])
        bread = QPersistentModelIndex(model.index_of(1))
        edited = model.index_of(1)
        editable = Qt.ItemFlag.ItemIsEditable
        shop = model.index(0, 0)
        places = [edited, model.index(1, 1, shop), shop]
        self.assertEqual([bool(model.flags(index) & editable) for index in places], [True, False, False])
        self.assertTrue(model.setData(edited, "zwieback"))
        self.assertEqual((bread.data(), bread.row(), self.store.get("items", 1).name), ("zwieback", 2, "zwieback"))
        self.assertEqual([each[0] for each in self.signals.take()], ["rowsMoved", "dataChanged"])
        self.assertFalse(model.setData(bread, ""))
        self.assertFalse(model.setData(shop, "x"))
        self.assertFalse(model.setData(model.index(1, 1, shop), 7))
        self.assertFalse(model.setData(bread, "x", Qt.ItemDataRole.CheckStateRole))


if __name__ == "__main__":
    unittest.main()
