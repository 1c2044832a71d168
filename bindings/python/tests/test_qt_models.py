"""Qt's item models: what they show, and what they report to views."""

from __future__ import annotations

import gc
import importlib
import pkgutil
import re
import subprocess
import sys
import unittest
import weakref

from qt_support import Complaints, ListModel, Qt, Signals, TreeModel, connect, tester
from support import CHECKOUT, PACKAGE, StoreTestCase, run_python
from test_documentation import undocumented

# After qt_support, which skips these tests where there is no PySide6.
from PySide6.QtCore import (  # isort: skip
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
)
import shiboken6  # isort: skip

import fetchedresults.qt
from fetchedresults import (
    Collection,
    Controller,
    EmptySections,
    ItemsWithoutSection,
    Observer,
    Placeholder,
    Request,
    SectionMap,
    SelectRequest,
)
from fetchedresults.qt import Column

OBJECT, SECTION, NAME = ListModel.ObjectRole, ListModel.SectionRole, ListModel.FirstColumnRole
SECTION_OBJECT = ListModel.SectionObjectRole
RESET = [("modelAboutToBeReset",), ("modelReset",)]

BY_POSITION = SelectRequest(
    "SELECT items.id, items.name, lists.title FROM items JOIN lists ON lists.id = list_id ORDER BY position, name",
    identity="id",
    section="title",
)


class ModelTestCase(StoreTestCase):
    """Lists of five items: apple, bread and date in Shop, beer and cider in Home."""

    def setUp(self) -> None:
        super().setUp()
        self.store.executemany("INSERT INTO items VALUES (?, ?, ?, ?)", [(4, "beer", 4.0, 2), (5, "date", 5.0, 1)])
        self.complaints = Complaints(self)
        self.addCleanup(lambda: self.assertEqual(self.complaints.texts, []))
        self.items = self.store.fetch("items", sort="name", section="-list_id.title")

    def show(self, kind, controller=None, columns=("name", "rank"), **options):
        """A model with Qt's checks, and its signals from now on."""
        self.model = kind(self.items if controller is None else controller, columns, **options)
        self.tester = tester(self.model)
        self.signals = Signals(self.model)
        return self.model

    def reported(self, sql: str, *params) -> list:
        """What the model reports of one statement."""
        self.signals.take()
        self.store.execute(sql, params)
        return self.signals.take()

    def rows(self, parent=None) -> list:
        """What the first column shows; a section is a pair of its title and its rows."""
        parent = QModelIndex() if parent is None else parent
        shown = []
        for row in range(self.model.rowCount(parent)):
            index = self.model.index(row, 0, parent)
            is_section = isinstance(self.model, TreeModel) and not parent.isValid()
            shown.append((index.data(), self.rows(index)) if is_section else index.data())
        return shown


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

        for use in (lambda: Column(later), lambda: Column("name", edit=later)):
            with self.assertRaisesRegex(TypeError, "can't be a coroutine function"):
                use()

    def test_are_edited_through_the_store(self):
        def rename(item, name):
            return bool(name) and self.store.update("items", item.identity, name=name)

        model = self.show(TreeModel, columns=[Column("name", edit=rename), "rank"])
        bread = QPersistentModelIndex(model.index_of(1))
        editable = Qt.ItemFlag.ItemIsEditable
        shop = model.index(0, 0)
        places = [bread, model.index(1, 1, shop), shop]
        self.assertEqual([bool(model.flags(index) & editable) for index in places], [True, False, False])
        self.assertTrue(model.setData(bread, "zwieback"))
        self.assertEqual((bread.data(), bread.row(), self.store.get("items", 1).name), ("zwieback", 2, "zwieback"))
        self.assertEqual([each[0] for each in self.signals.take()], ["rowsMoved", "dataChanged"])
        self.assertFalse(model.setData(bread, ""))
        self.assertFalse(model.setData(shop, "x"))
        self.assertFalse(model.setData(model.index(1, 1, shop), 7))
        self.assertFalse(model.setData(bread, "x", Qt.ItemDataRole.CheckStateRole))


class SectionMaps(ModelTestCase):
    """Home with beer and cider, Shop with apple, bread and date, and Empty."""

    def setUp(self) -> None:
        super().setUp()
        self.store.insert("lists", id=3, title="Empty", position=3)
        sections = Request("lists", sort="position")
        self.lists = SectionMap(self.store, Request("items", sort="name"), sections, "list_id", fetch=True)

    def show(self, kind, controller=None, columns="name", **options):
        if kind is TreeModel:
            options = {"section_title": lambda section: section.object.title if section.object else "-", **options}
        return super().show(kind, controller or self.lists, columns, **options)

    def titles(self) -> list:
        return [title for title, _ in self.rows()]

    def test_show_sections_with_and_without_rows(self):
        model = self.show(TreeModel)
        self.assertEqual(
            self.rows(), [("Home", ["beer", "cider"]), ("Shop", ["apple", "bread", "date"]), ("Empty", [])]
        )
        self.assertEqual([model.hasChildren(model.index(row, 0)) for row in range(3)], [True, True, False])
        self.show(ListModel)
        self.assertEqual(self.rows(), ["beer", "cider", "apple", "bread", "date"])

    def test_have_the_rows_of_sections(self):
        model = self.show(TreeModel)
        shop = model.index(1, 0)
        self.assertEqual([each.data(SECTION_OBJECT).title for each in (shop, model.index(0, 0, shop))], ["Shop"] * 2)
        self.assertEqual((shop.data(SECTION), shop.data(OBJECT), model.index(2, 0).data(SECTION)), (1, None, 3))
        self.store.insert("items", name="lost")
        self.assertEqual((model.index(3, 0).data(), model.index(3, 0).data(SECTION_OBJECT)), ("-", None))
        rows = self.show(ListModel)
        titles = [rows.index(row, 0).data(SECTION_OBJECT) for row in range(6)]
        self.assertEqual([row and row.title for row in titles], ["Home", "Home", "Shop", "Shop", "Shop", None])
        self.assertEqual(bytes(rows.roleNames()[SECTION_OBJECT].data()), b"sectionObject")

    def test_of_plain_lists_are_no_rows(self):
        model = self.show(TreeModel, self.items, section_title=lambda section: f"{section.name}, {section.object}")
        self.assertEqual(model.index(0, 0).data(), "Shop, None")
        self.assertIsNone(model.index(0, 0).data(SECTION_OBJECT))

    def test_report_an_update_of_a_section(self):
        self.show(TreeModel)
        reported = self.reported("UPDATE lists SET title = 'Market' WHERE id = 1")
        self.assertEqual(reported, [("dataChanged", (1,), (1,)), ("dataChanged", (1, 0), (1, 2))])
        self.assertEqual(self.titles(), ["Home", "Market", "Empty"])
        self.assertEqual(self.reported("UPDATE lists SET title = 'None' WHERE id = 3"), [("dataChanged", (2,), (2,))])
        model = self.show(ListModel)
        roles = []
        connect(self, model, "dataChanged", lambda first, last, changed: roles.append(changed))
        self.assertEqual(self.reported("UPDATE lists SET title = 'Shop' WHERE id = 1"), [("dataChanged", (2,), (4,))])
        self.assertEqual(roles, [[SECTION, SECTION_OBJECT]])
        self.assertEqual(self.reported("UPDATE lists SET title = 'Nothing' WHERE id = 3"), [])

    def test_report_a_move_of_a_section_with_its_content(self):
        model = self.show(TreeModel)
        date = QPersistentModelIndex(model.index(2, 0, model.index(1, 0)))
        reported = self.reported("UPDATE lists SET position = 9 WHERE id = 2")
        self.assertEqual(
            reported, [("rowsMoved", (), 0, 0, (), 3), ("dataChanged", (2,), (2,)), ("dataChanged", (2, 0), (2, 1))]
        )
        self.assertEqual(self.titles(), ["Shop", "Empty", "Home"])
        self.assertEqual((date.data(), date.parent()), ("date", model.index(0, 0)))
        self.assertEqual(self.reported("UPDATE lists SET position = 0 WHERE id = 3")[0], ("rowsMoved", (), 1, 1, (), 0))

    def test_report_all_moves_of_sections_of_a_flat_model(self):
        # Two neighbours have no rows: past these, a section moves without a row that moves.
        counts = {1: 1, 2: 0, 3: 0, 4: 3, 5: 2}
        self.store.executescript("DELETE FROM items; DELETE FROM lists;")
        for number, count in counts.items():
            self.store.insert("lists", id=number, title=str(number))
            for row in range(count):
                self.store.insert("items", name=f"{number}.{row}", list_id=number)
        self.show(ListModel)
        places = range(len(counts))
        for source, target in [(source, target) for source in places for target in places if source != target]:
            order = list(counts)
            order.insert(target, order.pop(source))
            with self.subTest(source=source, target=target):
                self.store.execute("UPDATE lists SET position = id")
                before = self.rows()
                marks = [QPersistentModelIndex(self.model.index(row, 0)) for row in range(len(before))]
                self.signals.take()
                with self.store.transaction():
                    for position, number in enumerate(order):
                        self.store.update("lists", number, position=position)
                after = [f"{number}.{row}" for number in order for row in range(counts[number])]
                moves = [each for each in self.signals.take() if each[0] != "dataChanged"]
                self.assertEqual(self.rows(), after)
                self.assertEqual([mark.data() for mark in marks], before)
                self.assertEqual([each[0] for each in moves], ["rowsMoved"] * (before != after))
                for _, _, first, last, _, to in moves:
                    run = before[first : last + 1]
                    left = before[:first] + before[last + 1 :]
                    to -= len(run) if to > last else 0
                    self.assertEqual(left[:to] + run + left[to:], after)

    def test_report_a_section_that_is_inserted_and_deleted(self):
        model = self.show(TreeModel)
        self.assertEqual(self.reported("INSERT INTO lists VALUES (4, 'New', 1.5)"), [("rowsInserted", (), 1, 1)])
        self.assertEqual(self.reported("DELETE FROM lists WHERE id = 4"), [("rowsRemoved", (), 1, 1)])
        seen = []
        connect(
            self,
            model,
            "rowsAboutToBeRemoved",
            lambda parent, first, last: seen.append(model.index(first, 0, parent).data(SECTION_OBJECT).title),
        )
        reported = self.reported("DELETE FROM lists WHERE id = 1")
        self.assertEqual(reported, [("rowsRemoved", (1,), 0, 2), ("rowsRemoved", (), 1, 1)][-len(reported) :])
        self.assertEqual((seen, self.titles()), (["Shop", "Shop"], ["Home", "Empty"]))

    def test_report_what_options_change(self):
        self.show(TreeModel)
        self.store.insert("items", name="lost")
        self.signals.take()
        self.lists.empty_sections = EmptySections.HIDDEN
        self.assertEqual(self.signals.take(), [("rowsRemoved", (), 2, 2)])
        self.lists.items_without_section = ItemsWithoutSection.HIDDEN
        self.assertEqual([each[0] for each in self.signals.take()], ["rowsRemoved"] * 2)
        self.assertEqual(self.titles(), ["Home", "Shop"])
        self.store.insert("items", name="first", list_id=3)
        self.assertEqual(self.titles(), ["Home", "Shop", "Empty"])

    def test_of_keys_are_updated_when_they_are_spelled_otherwise(self):
        ranks = SectionMap.with_keys(self.store, Request("items", sort="name"), [3, 9], "rank", fetch=True)
        model = self.show(TreeModel, ranks, section_title=None)
        self.assertEqual(self.rows()[:2], [("3", ["cider"]), ("9", [])])
        self.signals.take()
        ranks.keys = [3.0, 9]
        self.assertEqual(self.signals.take(), [("dataChanged", (0,), (0,)), ("dataChanged", (0, 0), (0, 0))])
        self.assertEqual((model.index(0, 0).data(), model.index(0, 0).data(SECTION_OBJECT)), ("3.0", None))

    def test_have_titles_that_follow_the_number_of_rows_on_the_way(self):
        self.show(TreeModel, section_title=lambda section: f"{section.object.title}: {section.count}")
        with self.store.transaction():
            self.store.execute("DELETE FROM items WHERE name = 'apple'")
            self.store.execute("UPDATE lists SET title = 'Market' WHERE id = 1")
            self.store.execute("INSERT INTO items (name, list_id) VALUES ('pear', 1)")
        reported = self.signals.take()
        self.assertEqual(reported[-1], ("dataChanged", (1,), (1,)))
        self.assertLess(reported.index(("rowsInserted", (1,), 2, 2)), len(reported) - 1)
        self.assertEqual(self.titles(), ["Home: 2", "Market: 3", "Empty: 0"])


class Collections(ModelTestCase):
    """All items, flat; lists by title, of which there is none yet; items of another store; a
    placeholder.
    """

    def setUp(self) -> None:
        super().setUp()
        self.other = self.open()
        self.other.executescript("CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, kind TEXT)")
        self.other.insert("things", id=1, name="cup", kind="k")
        self.flat = Controller(self.store, Request("items", "rank < 3", sort="name"))
        self.lists = Controller(self.store, Request("lists", "position > 5", section="title", columns=["title"]))
        self.things = Controller(self.other, Request("things", sort="name", section="kind"))
        self.nothing = Placeholder("No lists")
        self.all = Collection([self.flat, (self.lists, self.nothing), self.things, Placeholder("End")], fetch=True)

    def show(self, kind, controller=None, columns=None, **options):
        return super().show(kind, controller or self.all, columns or [self.first], **options)

    @staticmethod
    def first(item):
        return item.get("name", item.get("title"))

    def test_show_the_sections_of_all_children(self):
        self.show(TreeModel)
        self.assertEqual(self.rows(), [(None, ["apple", "bread"]), ("No lists", []), ("k", ["cup"]), ("End", [])])
        self.show(ListModel)
        self.assertEqual(self.rows(), ["apple", "bread", "cup"])

    def test_report_commits_of_all_stores(self):
        self.show(TreeModel)
        self.assertEqual(self.reported("DELETE FROM items WHERE name = 'apple'"), [("rowsRemoved", (0,), 0, 0)])
        self.other.update("things", 1, name="mug")
        self.assertEqual(self.signals.take(), [("dataChanged", (2, 0), (2, 0))])
        self.other.insert("things", name="jar", kind="j")
        self.assertEqual(self.signals.take(), [("rowsInserted", (), 2, 2), ("rowsInserted", (2,), 0, 0)])

    def test_report_placeholders(self):
        self.show(TreeModel)
        self.nothing.name = "Nothing"
        self.assertEqual(self.signals.take(), [("dataChanged", (1,), (1,))])
        self.assertEqual(self.rows()[1], ("Nothing", []))
        reported = self.reported("UPDATE lists SET position = 9 WHERE id = 1")
        self.assertEqual(
            reported, [("rowsInserted", (), 2, 2), ("rowsRemoved", (), 1, 1), ("rowsInserted", (1,), 0, 0)]
        )
        self.assertEqual(self.rows()[1], ("Shop", ["Shop"]))

    def test_report_children_that_are_inserted_and_removed(self):
        model = self.show(TreeModel)
        cup = QPersistentModelIndex(model.index_of(self.all[2, 0]))
        self.all.insert(0, Controller(self.store, Request("lists", sort="title")))
        self.assertEqual(self.signals.take(), [("rowsInserted", (), 0, 0), ("rowsInserted", (0,), 0, 1)])
        self.all.replace(1, Placeholder("Instead"))
        self.assertEqual([each[0] for each in self.signals.take()], ["rowsRemoved", "rowsInserted", "rowsRemoved"])
        self.assertEqual(cup.data(), "cup")
        self.all.remove(self.things)
        self.assertEqual(self.signals.take(), [("rowsRemoved", (3,), 0, 0), ("rowsRemoved", (), 3, 3)])
        self.assertEqual([title for title, _ in self.rows()], [None, "Instead", "No lists", "End"])
        self.assertFalse(cup.isValid())

    def test_can_be_nested(self):
        outer = Collection([Placeholder("Start"), self.all], fetch=True)
        models = [self.show(kind, each) for kind in (TreeModel, ListModel) for each in (self.all, outer)]
        self.store.insert("items", id=9, name="bun", rank=1)
        self.all.append(Controller(self.other, Request("things")))
        self.assertEqual([model.rowCount() for model in models], [5, 6, 5, 5])
        self.assertEqual([model.index_of(self.flat[0, 2]).data() for model in models], ["bun"] * 4)
        self.all.remove(self.flat)
        self.assertEqual([model.rowCount() for model in models], [4, 5, 2, 2])

    def test_distinguish_rows_that_several_children_show(self):
        again = Controller(self.store, Request("items", "rank < 3", sort="-name"))
        self.all.append(again)
        model = self.show(ListModel)
        self.assertEqual(self.rows(), ["apple", "bread", "cup", "bread", "apple"])
        marks = [QPersistentModelIndex(model.index(row, 0)) for row in range(5)]
        self.assertEqual([model.index_of(mark.data(OBJECT)).row() for mark in marks], [0, 1, 2, 3, 4])
        self.store.update("items", 2, name="zwieback")
        self.assertEqual(self.rows(), ["bread", "zwieback", "cup", "zwieback", "bread"])
        self.assertEqual([mark.row() for mark in marks], [1, 0, 2, 4, 3])
        self.all.remove(self.flat)
        self.assertEqual([mark.row() for mark in marks], [-1, -1, 0, 2, 1])

    def test_continue_without_the_data_of_a_store_that_is_closed(self):
        model = self.show(TreeModel)
        self.other.close()
        cup = model.index(0, 0, model.index(2, 0))
        self.assertEqual((cup.isValid(), cup.data(), cup.data(OBJECT), cup.data(SECTION)), (True, None, None, None))
        self.assertEqual(self.reported("DELETE FROM items WHERE name = 'apple'"), [("rowsRemoved", (0,), 0, 0)])

    def test_let_slots_ask_the_models_of_their_children(self):
        models = [self.show(ListModel, each) for each in (self.all, self.flat)]
        held = [QPersistentModelIndex(model.index_of(self.flat[0, 1])) for model in models]
        seen = []
        for model in models:
            connect(self, model, "rowsRemoved", lambda *_: seen.append([mark.data() for mark in held]))
        self.store.execute("DELETE FROM items WHERE name = 'apple'")
        self.assertEqual(seen, [["bread", "bread"]] * 2)


class Reloads(ModelTestCase):
    """The one thing beside `reload` and `close` that resets a model."""

    def test_show_all_again_also_if_nothing_changed_its_place(self):
        for kind in (TreeModel, ListModel):
            with self.subTest(kind.__name__):
                model = self.show(kind)
                index = model.index_of(1)
                self.items.pause()
                self.store.update("items", 1, name="bread" if index.data() == "brot" else "brot")
                self.assertEqual(self.signals.take(), [])
                self.items.resume(reload=True)
                self.assertEqual(self.signals.take(), RESET)
                self.assertEqual(model.index_of(1).data(), self.store.get("items", 1).name)

    def test_show_another_number_of_rows(self):
        self.show(TreeModel)
        lists = SectionMap(self.store, Request("items", sort="name"), Request("lists"), "list_id", fetch=True)
        self.show(TreeModel, lists)
        lists.disabled = True
        self.assertEqual(self.reported("DELETE FROM lists WHERE id = 1"), [])
        lists.disabled = False
        self.assertEqual(self.signals.take(), RESET)
        self.assertEqual(self.rows(), [("2", ["beer", "cider"])])
        reported = self.reported("INSERT INTO items (name, list_id) VALUES ('new', 2)")
        self.assertEqual(reported, [("rowsInserted", (0,), 2, 2)])

    def test_of_a_child_are_those_of_its_collections(self):
        every = Collection([self.items, Placeholder("End")], fetch=True)
        self.show(TreeModel, every)
        self.items.perform_fetch()
        self.assertEqual(self.signals.take(), RESET)
        self.assertEqual(self.rows()[2], ("End", []))

    def test_leave_a_model_without_data_until_it_is_reset(self):
        every = Collection([self.items], fetch=True)
        outer = Collection([every], fetch=True)
        models = [self.show(ListModel, each) for each in (every, outer)]
        seen = []
        for model in models:
            connect(
                self, model, "modelReset", lambda: seen.append(sorted(each.index(0, 0).data() or "" for each in models))
            )
        self.items.pause()
        self.store.execute("DELETE FROM items WHERE name = 'apple'")
        self.items.resume(reload=True)
        self.assertEqual(seen, [["", "bread"], ["bread", "bread"]])

    def test_after_a_pause_are_steps_if_that_was_requested(self):
        self.show(TreeModel)
        self.rows()
        self.items.pause()
        self.assertEqual(self.reported("DELETE FROM items WHERE name = 'apple'"), [])
        self.store.execute("UPDATE items SET name = 'brot' WHERE name = 'bread'")
        self.assertEqual((self.signals.take(), len(self.rows()[0][1])), ([], 3))
        self.items.resume()
        self.assertEqual(self.signals.take(), [("rowsRemoved", (0,), 0, 0), ("dataChanged", (0, 0), (0, 0))])
        self.assertEqual(self.rows()[0], ("Shop", ["brot", "date"]))


class Fetches(ModelTestCase):
    def test_are_shown_after_reload(self):
        items = self.store.controller(self.items.request)
        model = self.show(ListModel, items)
        self.assertEqual(self.rows(), [])
        items.perform_fetch()
        model.reload()
        self.assertEqual(self.signals.take(), RESET)
        self.assertEqual(len(self.rows()), 5)

    def test_without_a_notification_are_detected_before_the_next_change(self):
        items = self.store.controller(self.items.request)
        for kind in (TreeModel, ListModel):
            with self.subTest(kind.__name__):
                model = self.show(kind, items)
                items.perform_fetch()
                reported = self.reported("INSERT INTO items (name, list_id) VALUES ('new', 1)")
                self.assertEqual([each[0] for each in reported], ["modelAboutToBeReset", "modelReset", "rowsInserted"])
                model.close()
                items = self.store.controller(self.items.request)

    def test_leave_objects_unread(self):
        self.store.executemany("INSERT INTO items (name) VALUES (?)", [[f"n{number:05}"] for number in range(10_000)])
        items = self.store.fetch("items", sort="name", section="list_id")
        before = items.counters.rows_read
        models = [kind(items, "name") for kind in (TreeModel, ListModel)]
        self.assertEqual([model.rowCount() for model in models], [3, 10_005])
        self.assertEqual(items.counters.rows_read, before)
        self.assertEqual(models[1].index(5_000, 0).data(), "n05000")
        self.assertLess(items.counters.rows_read, before + 100)


class Rounds(ModelTestCase):
    def test_let_slots_ask_any_model_of_the_store(self):
        shop = self.store.fetch("items", "list_id = 1", sort="name")
        home = self.store.fetch("items", "list_id = 2", sort="name")
        models = [self.show(ListModel, controller) for controller in (shop, home)]
        held = [
            [QPersistentModelIndex(model.index_of(item.identity)) for item in model.controller.objects]
            for model in models
        ]
        seen = []

        def ask(*_):
            seen.append([[mark.data(OBJECT).identity for mark in marks if mark.isValid()] for marks in held])

        for model in models:
            connect(self, model, "rowsRemoved", ask)
            connect(self, model, "rowsInserted", ask)
        with self.store.transaction():
            self.store.execute("UPDATE items SET list_id = 3 - list_id WHERE name IN ('apple', 'beer')")
        before, after = [[2, 1, 5], [4, 3]], [[1, 5], [3]]
        self.assertEqual((seen[-1], len(seen)), (after, 4))
        self.assertIn(seen[0], ([before[0], after[1]], [after[0], before[1]]))

    def test_are_followed_by_those_of_writes_in_slots(self):
        model = self.show(ListModel)
        connect(
            self, model, "rowsRemoved", lambda *_: self.store.execute("UPDATE items SET rank = -1 WHERE name = 'apple'")
        )
        reported = self.reported("DELETE FROM items WHERE name = 'bread'")
        self.assertEqual(reported, [("rowsRemoved", (), 1, 1), ("dataChanged", (0,), (0,))])

    def test_do_not_wait_for_a_list_that_is_closed(self):
        other = self.store.fetch("items", sort="name")
        waiting = ListModel(other, "name")
        self.show(ListModel)

        class Closer(Observer):
            def will_change(self, controller):
                other.close()

        self.items.add_observer(Closer())
        for number in range(3):
            self.reported("INSERT INTO items (name, list_id) VALUES (?, 1)", f"z{number}")
        self.assertEqual(self.rows()[3:6], ["z0", "z1", "z2"])
        self.assertEqual((waiting.rowCount(), waiting.index(0, 0).data()), (5, None))

    def test_do_not_wait_for_a_store_that_is_closed(self):
        class Closer(Observer):
            def will_change(self, controller):
                other.close()

        for section in (None, "name"):
            with self.subTest(section=section):
                other = self.open()
                other.executescript("CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT)")
                things = other.fetch("things", section=section)
                every = Collection([things], fetch=True)
                models = [ListModel(each, "name") for each in (things, every)]
                every.add_observer(Closer())
                model = self.show(ListModel)
                other.insert("things", name="cup")
                self.assertEqual(
                    self.reported("DELETE FROM items WHERE id = (SELECT max(id) FROM items)")[0][0], "rowsRemoved"
                )
                self.assertEqual(model.rowCount(), self.items.count)
                self.assertEqual(len(models), 2)

    def test_of_stores_that_have_nothing_to_do_with_each_other_may_be_one_in_the_other(self):
        other = self.open()
        other.executescript("CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT)")
        things = other.fetch("things", sort="name")
        models = [self.show(ListModel, each, "name") for each in (self.items, things, self.store.fetch("items"))]
        self.items.add_observer(lambda changes: other.insert("things", name=f"after {len(things[0])}"))
        with self.store.transaction():
            self.store.execute("DELETE FROM items WHERE name = 'apple'")
            self.store.execute("UPDATE items SET rank = 0")
        self.store.execute("DELETE FROM items WHERE name = 'bread'")
        self.assertEqual([model.rowCount() for model in models], [3, 2, 3])
        self.assertEqual([models[1].index(row, 0).data() for row in range(2)], ["after 0", "after 1"])

    def test_end_when_a_slot_closes_a_model(self):
        other = ListModel(self.items, "name")
        model = self.show(ListModel)
        connect(self, model, "rowsRemoved", lambda *_: (other.close(), model.close()))
        connect(self, other, "rowsRemoved", lambda *_: (model.close(), other.close()))
        self.store.execute("DELETE FROM items WHERE name IN ('apple', 'cider')")
        self.assertEqual((model.rowCount(), other.rowCount()), (0, 0))


class Lives(ModelTestCase):
    def test_end_with_close(self):
        model = self.show(TreeModel)
        model.close()
        model.close()
        self.assertEqual(self.signals.take(), RESET)
        self.assertEqual(self.reported("DELETE FROM items WHERE name = 'apple'"), [])
        model.reload()
        self.assertEqual((model.rowCount(), model.controller.count), (0, 4))

    def test_continue_without_data_when_the_list_is_closed(self):
        for kind in (TreeModel, ListModel):
            for close in ("controller", "store"):
                with self.subTest(f"{kind.__name__}, {close}"):
                    store = self.open()
                    store.executescript("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
                    store.insert("items", name="tea")
                    model = self.show(kind, store.fetch("items", sort="name"), columns="name")
                    (model.controller if close == "controller" else store).close()
                    index = model.index(0, 0)
                    for place in (index, model.index(0, 0, index)):
                        for role in (Qt.ItemDataRole.DisplayRole, OBJECT, SECTION, NAME):
                            self.assertIsNone(place.data(role))
                        self.assertFalse(model.setData(place, "x"))
                    self.assertFalse(model.index_of(1).isValid())
                    model.reload()
                    self.assertEqual(model.rowCount(), 0)

    def test_end_when_a_model_is_dropped(self):
        before = list(self.items._receivers)
        model = ListModel(self.items, "name")
        gone = weakref.ref(model)
        self.assertEqual(len(self.items._receivers), len(before) + 1)
        del model
        gc.collect()
        self.assertEqual((gone(), list(self.items._receivers)), (None, before))

    def test_end_when_its_owner_deletes_a_model(self):
        owner = QObject()
        before = list(self.items._receivers)
        model = ListModel(self.items, "name", parent=owner)
        self.assertEqual((model.parent(), len(self.items._receivers)), (owner, len(before) + 1))
        shiboken6.delete(owner)
        self.assertEqual(list(self.items._receivers), before)
        self.store.execute("DELETE FROM items WHERE name = 'apple'")
        self.assertFalse(shiboken6.isValid(model))

    def test_may_last_until_the_interpreter_ends(self):
        program = """
            from fetchedresults import Store
            from fetchedresults.qt import ListModel, TreeModel
            from PySide6.QtCore import QCoreApplication
            application = QCoreApplication()
            store = Store()
            store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
            items = store.fetch("items", sort="name")
            models = [ListModel(items, "name"), TreeModel(items, "name", parent=application)]
            store.insert("items", name="tea")
            print([model.rowCount() for model in models])
        """
        done = run_python(program)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "[1, 1]\n", ""))


class Package(unittest.TestCase):
    def test_does_not_import_qt_by_itself(self):
        done = run_python("import sys, fetchedresults; print([name for name in sys.modules if 'PySide' in name])")
        self.assertEqual((done.stdout, done.stderr), ("[]\n", ""))

    def test_has_documentation_for_everything_public(self):
        for each in pkgutil.iter_modules(fetchedresults.qt.__path__):
            module = importlib.import_module(f"fetchedresults.qt.{each.name}")
            self.assertTrue(module.__doc__, module.__name__)
            if not each.name.startswith("_"):
                public = [thing for name, thing in vars(module).items() if not name.startswith("_")]
                own = [thing for thing in public if getattr(thing, "__module__", None) == module.__name__]
                self.assertEqual([name for thing in own for name in undocumented(thing)], [])

    def test_has_documentation_that_runs(self):
        text = (CHECKOUT / "docs" / "python.md").read_text()
        (program,) = re.findall(r"^```py\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        check = """
store.insert("tasks", title="Buy milk")
application.processEvents()
section = model.index(0, 0)
print(section.data(), [model.index(0, column, section).data() for column in range(2)])
"""
        done = run_python(program + check, QT_QPA_PLATFORM="offscreen")
        self.assertEqual((done.returncode, done.stdout), (0, "To do (1) ['Buy milk', 8]\n"), done.stderr)

    def test_has_an_example_that_runs_without_a_screen(self):
        example = PACKAGE / "examples" / "qt_list.py"
        command = [sys.executable, str(example), "--offscreen-check"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("To do (3): Apples Bread Milk\n    selected: Apples\ndone", done.stdout)
        self.assertIn("deleted\n    To do (2): Bread Milk\n", done.stdout)


if __name__ == "__main__":
    unittest.main()
