"""Qt's item models of section maps."""

from __future__ import annotations

import unittest

from qt_model_case import OBJECT, SECTION, SECTION_OBJECT, ModelTestCase
from qt_support import ListModel, TreeModel, connect

# After qt_support, which skips these tests where there is no PySide6.
from PySide6.QtCore import QPersistentModelIndex  # isort: skip

from fetchedresults import EmptySections, ItemsWithoutSection, Request, SectionMap


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
        model = super().show(kind, controller or self.lists, columns, **options)
        # A section is reported for its rows in columns in which one of them was asked for it.
        first = model.index(0, 0)
        (model.index(0, 0, first) if kind is TreeModel else first).data(SECTION)
        return model

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
        self.assertEqual(roles, [[SECTION, SECTION_OBJECT, ListModel.TotalsRole]])
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


if __name__ == "__main__":
    unittest.main()
