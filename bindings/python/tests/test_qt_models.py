"""Qt's item models: what they show, and what they report to views."""

from __future__ import annotations

import unittest

from qt_model_case import BY_POSITION, SECTION, ModelTestCase
from qt_support import ListModel, Qt, TreeModel, connect, tester

# After qt_support, which skips these tests where there is no PySide6.
from PySide6.QtCore import QItemSelectionModel, QPersistentModelIndex, QSortFilterProxyModel  # isort: skip


class Trees(ModelTestCase):
    def test_have_sections_with_rows_below(self):
        model = self.show(TreeModel)
        self.assertEqual(self.rows(), [("Shop", ["apple", "bread", "date"]), ("Home", ["beer", "cider"])])
        section = model.index(1, 0)
        cider = model.index(1, 1, section)
        self.assertEqual((cider.data(), cider.siblingAtColumn(0).data()), (3.0, "cider"))
        self.assertEqual((cider.parent(), section.parent().isValid()), (section, False))
        self.assertEqual((model.columnCount(), model.rowCount(cider), model.index(1, 1).data()), (2, 0, None))
        self.assertFalse(model.index(2, 0, section).isValid())
        self.assertFalse(model.index(0, 0, cider).isValid())

    def test_of_a_flat_list_have_one_section(self):
        self.show(TreeModel, self.store.fetch("items", "list_id = 2", sort="name"))
        self.assertEqual(self.rows(), [(None, ["beer", "cider"])])

    def test_report_a_rename_as_changed_data(self):
        self.show(TreeModel)
        reported = self.reported("UPDATE items SET name = 'bun' WHERE name = 'bread'")
        self.assertEqual(reported, [("dataChanged", (0, 1), (0, 1))])

    def test_report_a_rename_that_moves_as_one_move_and_changed_data(self):
        self.show(TreeModel)
        reported = self.reported("UPDATE items SET name = 'zwieback' WHERE name = 'apple'")
        self.assertEqual(reported, [("rowsMoved", (0,), 0, 0, (0,), 3), ("dataChanged", (0, 2), (0, 2))])
        reported = self.reported("UPDATE items SET name = 'apple' WHERE name = 'zwieback'")
        self.assertEqual(reported, [("rowsMoved", (0,), 2, 2, (0,), 0), ("dataChanged", (0, 0), (0, 0))])

    def test_report_a_move_to_another_section(self):
        self.show(TreeModel)
        reported = self.reported("UPDATE items SET list_id = 2 WHERE name = 'bread'")
        self.assertEqual(reported, [("rowsMoved", (0,), 1, 1, (1,), 1), ("dataChanged", (1, 1), (1, 1))])
        self.assertEqual(self.rows(), [("Shop", ["apple", "date"]), ("Home", ["beer", "bread", "cider"])])

    def test_report_neighbours_together(self):
        self.show(TreeModel)
        reported = self.reported("INSERT INTO items (name, list_id) VALUES ('b1', 1), ('zz', 1), ('b2', 1), ('b3', 1)")
        self.assertEqual(reported, [("rowsInserted", (0,), 1, 3), ("rowsInserted", (0,), 6, 6)])
        reported = self.reported("UPDATE items SET rank = 0 WHERE name LIKE 'b_' OR name = 'apple'")
        self.assertEqual(reported, [("dataChanged", (0, 0), (0, 3))])
        reported = self.reported("DELETE FROM items WHERE name LIKE 'b_'")
        self.assertEqual(reported, [("rowsRemoved", (0,), 1, 3)])

    def test_report_a_renamed_section_as_a_new_one_to_which_the_rows_move_together(self):
        self.show(TreeModel)
        reported = self.reported("UPDATE lists SET title = 'Bar' WHERE title = 'Shop'")
        self.assertEqual(
            reported,
            [
                ("rowsInserted", (), 2, 2),
                ("rowsMoved", (0,), 0, 2, (2,), 0),
                ("dataChanged", (2, 0), (2, 2)),
                ("rowsRemoved", (), 0, 0),
            ],
        )
        self.assertEqual(self.rows(), [("Home", ["beer", "cider"]), ("Bar", ["apple", "bread", "date"])])

    def test_report_a_moved_section_as_one_move_with_its_rows(self):
        model = self.show(TreeModel, self.store.fetch_select(BY_POSITION.sql, identity="id", section="title"))
        self.assertEqual(self.rows()[0], ("Home", ["beer", "cider"]))
        cider = QPersistentModelIndex(model.index(1, 0, model.index(0, 0)))
        reported = self.reported("UPDATE lists SET position = 3 WHERE title = 'Home'")
        self.assertEqual([each[0] for each in reported], ["rowsMoved"])
        self.assertEqual(self.rows()[1], ("Home", ["beer", "cider"]))
        self.assertEqual((cider.data(), cider.row(), cider.parent()), ("cider", 1, model.index(1, 0)))

    def test_have_titles_that_follow_the_number_of_rows(self):
        self.show(TreeModel, section_title=lambda section: f"{section.name}: {section.count}")
        self.assertEqual([title for title, _ in self.rows()], ["Shop: 3", "Home: 2"])
        reported = self.reported("UPDATE items SET list_id = 2 WHERE name = 'date'")
        self.assertEqual(reported[2:], [("dataChanged", (0,), (0,)), ("dataChanged", (1,), (1,))])
        self.assertEqual([title for title, _ in self.rows()], ["Shop: 2", "Home: 3"])

    def test_show_the_name_of_a_section_that_is_deleted(self):
        model = self.show(TreeModel, section_title=lambda section: {"Shop": "S", "Home": "H"}[section.name])
        seen = []
        connect(
            self,
            model,
            "rowsAboutToBeRemoved",
            lambda parent, first, last: seen.append((parent.isValid(), model.index(first, 0, parent).data())),
        )
        self.store.execute("DELETE FROM items WHERE list_id = 1")
        self.assertEqual(seen, [(True, "apple"), (False, "Shop")])
        self.assertEqual(self.rows(), [("H", ["beer", "cider"])])


class Lists(ModelTestCase):
    def test_have_the_rows_of_all_sections(self):
        model = self.show(ListModel)
        self.assertEqual(self.rows(), ["apple", "bread", "date", "beer", "cider"])
        self.assertEqual([model.index(row, 0).data(SECTION) for row in (2, 3)], ["Shop", "Home"])
        self.assertEqual((model.index(1, 1).data(), model.columnCount(), model.index(5, 0).isValid()), (2.0, 2, False))

    def test_report_a_rename_that_moves_as_one_move_and_changed_data(self):
        self.show(ListModel)
        reported = self.reported("UPDATE items SET name = 'zwieback' WHERE name = 'apple'")
        self.assertEqual(reported, [("rowsMoved", (), 0, 0, (), 3), ("dataChanged", (2,), (2,))])

    def test_report_a_move_to_another_section(self):
        self.show(ListModel)
        reported = self.reported("UPDATE items SET list_id = 2 WHERE name = 'bread'")
        self.assertEqual(reported, [("rowsMoved", (), 1, 1, (), 4), ("dataChanged", (3,), (3,))])

    def test_report_a_move_to_the_same_place_as_changed_data(self):
        self.show(ListModel)
        self.store.execute("UPDATE items SET name = 'azure' WHERE name = 'cider'")
        reported = self.reported("UPDATE items SET list_id = 1, name = 'zwieback' WHERE name = 'azure'")
        self.assertEqual(reported, [("dataChanged", (3,), (3,))])
        self.assertEqual(self.model.index(3, 0).data(SECTION), "Shop")

    def test_report_a_moved_section_as_one_move_of_its_rows(self):
        model = self.show(ListModel, self.store.fetch_select(BY_POSITION.sql, identity="id", section="title"))
        marks = {name: QPersistentModelIndex(model.index(row, 0)) for row, name in enumerate(self.rows())}
        reported = self.reported("UPDATE lists SET position = 3 WHERE title = 'Home'")
        self.assertIn(reported, ([("rowsMoved", (), 0, 1, (), 5)], [("rowsMoved", (), 2, 4, (), 0)]))
        self.assertEqual(self.rows(), ["apple", "bread", "date", "beer", "cider"])
        self.assertEqual([mark.data() for mark in marks.values()], list(marks))

    def test_report_the_changes_of_another_request(self):
        self.show(ListModel)
        self.items.set_request(self.items.request.replace(sort="-name", section=None))
        self.assertEqual(self.rows(), ["date", "cider", "bread", "beer", "apple"])
        self.assertEqual({each[0] for each in self.signals.take()}, {"rowsMoved", "dataChanged"})

    def test_show_between_steps_what_each_row_is(self):
        model = self.show(ListModel)
        seen = []
        for signal in ("rowsAboutToBeRemoved", "rowsMoved", "rowsInserted", "rowsRemoved"):
            connect(self, model, signal, lambda *_: seen.append(self.rows()))
        with self.store.transaction():
            self.store.execute("DELETE FROM items WHERE name = 'bread'")
            self.store.execute("UPDATE items SET name = 'x' WHERE name = 'apple'")
            self.store.execute("INSERT INTO items (name, list_id) VALUES ('new', 2)")
        self.assertEqual(
            seen,
            [
                ["x", "bread", "date", "beer", "cider"],
                ["x", "date", "beer", "cider"],
                ["date", "x", "beer", "cider"],
                ["date", "x", "beer", "cider", "new"],
            ],
        )

    def test_find_the_index_of_an_object(self):
        model = self.show(ListModel)
        cider = self.store.get("items", 3)
        self.assertEqual((model.index_of(cider), model.index_of(5)), (model.index(4, 0), model.index(2, 0)))
        self.assertFalse(model.index_of(99).isValid())
        seen = []
        connect(
            self,
            model,
            "rowsAboutToBeInserted",
            lambda *_: seen.append((model.index_of(3).row(), model.index_of(6).row())),
        )
        connect(self, model, "rowsInserted", lambda *_: seen.append((model.index_of(3).row(), model.index_of(6).row())))
        self.store.execute("INSERT INTO items VALUES (6, 'bun', 0, 1)")
        self.assertEqual(seen, [(4, -1), (5, 2)])

    def test_keep_selections_and_proxies_in_step(self):
        model = self.show(ListModel)
        selection = QItemSelectionModel(model)
        selection.select(model.index_of(1), QItemSelectionModel.SelectionFlag.Select)
        proxy = QSortFilterProxyModel(sourceModel=model)
        checks = tester(proxy)
        proxy.sort(1, Qt.SortOrder.DescendingOrder)
        self.store.execute("UPDATE items SET name = 'zz', rank = rank + 10 WHERE id IN (1, 3)")
        self.store.execute("DELETE FROM items WHERE id = 4")
        self.assertEqual([index.data() for index in selection.selectedIndexes()], ["zz"])
        self.assertEqual(selection.selectedIndexes(), [model.index_of(1)])
        self.assertEqual([proxy.index(row, 1).data() for row in range(proxy.rowCount())], [13.0, 12.0, 5.0, 1.0])
        self.assertIsNotNone(checks)


if __name__ == "__main__":
    unittest.main()
