"""Totals in Qt's item models: of the list as a property that notifies, of sections in roles."""

from __future__ import annotations

import unittest

from qt_model_case import ModelTestCase
from qt_support import ListModel, Qt, TreeModel, connect

# After qt_support, which skips these tests where there is no PySide6.
from PySide6.QtTest import QTest  # isort: skip
from PySide6.QtWidgets import QApplication, QLineEdit, QTableView  # isort: skip

from fetchedresults import Collection, Placeholder, Request, SectionMap, Total
from fetchedresults.qt import Column

TOTALS = TreeModel.TotalsRole
ROW_COUNT, RANK = Total.count(), Total.sum("rank")


class Totals(ModelTestCase):
    """Shop with apple 2, bread 1 and date 5; Home with beer 4 and cider 3."""

    def setUp(self) -> None:
        super().setUp()
        self.items = self.store.fetch(
            "items", sort="name", section="-list_id.title", totals={"rows": ROW_COUNT, "rank": RANK}
        )

    def watch(self, kind, controller=None, columns=("name", "rank"), **options):
        model = self.show(kind, controller, columns, **options)
        self.notified: list = []
        connect(self, model, "totalsChanged", lambda: self.notified.append(dict(model.totals)))
        self.headers: list = []
        connect(self, model, "headerDataChanged", lambda _, first, last: self.headers.append((first, last)))
        return model

    def test_of_the_list_are_a_property_that_notifies(self):
        model = self.watch(ListModel)
        self.assertEqual(model.totals, {"rows": 5, "rank": 15})
        self.assertEqual(model.property("totals"), {"rows": 5, "rank": 15})
        self.store.execute("UPDATE items SET name = 'ale' WHERE name = 'beer'")
        self.assertEqual((self.notified, self.headers), ([], []))
        self.store.execute("UPDATE items SET rank = 10 WHERE name = 'date'")
        self.assertEqual((self.notified, self.headers), ([{"rows": 5, "rank": 20}], [(0, 1)]))
        self.store.execute("DELETE FROM items")
        self.assertEqual(self.notified[1:], [{"rows": 0, "rank": None}])

    def test_of_the_list_are_data_of_the_header(self):
        model = self.watch(TreeModel)
        for orientation in (Qt.Orientation.Horizontal, Qt.Orientation.Vertical):
            self.assertEqual(model.headerData(0, orientation, TOTALS), {"rows": 5, "rank": 15})

    def test_of_sections_are_a_role_of_them_and_of_their_rows(self):
        model = self.watch(TreeModel)
        home = model.index(1, 0)
        self.assertEqual([home.data(TOTALS), model.index(1, 0, home).data(TOTALS)], [{"rows": 2, "rank": 7}] * 2)
        reported = self.reported("UPDATE items SET rank = 5 WHERE name = 'beer'")
        self.assertEqual(home.data(TOTALS), {"rows": 2, "rank": 8})
        # The section, the rows in whose first column the role was read, and the row itself.
        expected = [("dataChanged", (1,), (1,)), ("dataChanged", (1, 0), (1, 1)), ("dataChanged", (1, 0), (1, 0))]
        self.assertCountEqual(reported, expected)
        self.assertEqual(bytes(model.roleNames()[TOTALS].data()), b"sectionTotals")

    def test_that_no_row_shows_do_not_report_rows(self):
        self.watch(ListModel)
        # Rank is shown in the second column of the first row alone.
        reported = self.reported("UPDATE items SET rank = 9 WHERE name = 'apple'")
        self.assertEqual(reported, [("dataChanged", (0,), (0,))])

    def test_leave_an_open_editor_alone(self):
        self.application = QApplication.instance() or QApplication([])
        model = self.watch(ListModel, columns=[Column("name", edit=True), "rank"])
        view = QTableView()
        view.setModel(model)
        self.addCleanup(view.close)
        view.edit(model.index(0, 0))
        editor = view.findChild(QLineEdit)
        editor.setText("typed")
        self.store.execute("UPDATE items SET rank = 9")
        QTest.qWait(0)
        self.assertEqual((editor.text(), model.totals["rank"]), ("typed", 45))

    def test_are_in_the_title_of_a_section(self):
        model = self.watch(TreeModel, section_title=lambda section: f"{section.name}: {section.totals['rank']:g}")
        self.assertEqual([title for title, _ in self.rows()], ["Shop: 8", "Home: 7"])
        reported = self.reported("UPDATE items SET rank = 1 WHERE name = 'date'")
        self.assertIn(("dataChanged", (0,), (0,)), reported)
        self.assertEqual(model.index(0, 0).data(), "Shop: 4")

    def test_that_change_with_the_order_leave_it_a_change_of_the_layout(self):
        model = self.watch(TreeModel, reload_threshold=1)
        home = model.index(1, 0)
        model.index(0, 0, home).data(TOTALS)
        reported = self.reported("UPDATE items SET name = 'x' || (9 - id), rank = rank + 1")
        self.assertIn(("layoutChanged",), reported)
        self.assertEqual(reported[-2:], [("dataChanged", (1,), (1,)), ("dataChanged", (1, 0), (1, 1))])
        self.assertEqual((home.data(TOTALS), self.notified), ({"rows": 2, "rank": 9}, [{"rows": 5, "rank": 20}]))

    def test_of_another_request_are_reported(self):
        model = self.watch(TreeModel)
        self.items.request = Request(
            "items", "name <> 'date'", sort="name", section="-list_id.title", totals={"items": ROW_COUNT}
        )
        self.assertEqual((self.notified, model.index(1, 0).data(TOTALS)), ([{"items": 4}], {"items": 2}))
        self.assertIn(("dataChanged", (1,), (1,)), self.signals.take())

    def test_of_a_reload_are_reported(self):
        self.watch(ListModel)
        self.items.pause()
        self.store.execute("DELETE FROM items WHERE name = 'date'")
        self.items.resume(reload=True)
        self.assertEqual(self.notified, [{"rows": 4, "rank": 10}])
        self.store.execute("UPDATE items SET rank = 0")
        self.model.close()
        self.assertEqual((self.notified[1:], self.model.totals), ([{"rows": 4, "rank": 0}, {}], {}))

    def test_of_empty_sections_of_a_map_are_those_of_no_rows(self):
        self.store.insert("lists", id=3, title="Empty", position=3)
        request = Request("items", sort="name", totals={"rows": ROW_COUNT, "rank": RANK})
        lists = SectionMap(self.store, request, Request("lists", sort="position"), "list_id", fetch=True)
        model = self.watch(TreeModel, lists)
        shown = [model.index(row, 0).data(TOTALS) for row in range(3)]
        self.assertEqual(shown, [{"rows": 2, "rank": 7}, {"rows": 3, "rank": 8}, {"rows": 0, "rank": None}])

    def test_of_a_collection_are_those_that_all_its_lists_have(self):
        lists = self.store.fetch("lists", totals={"rows": ROW_COUNT, "places": Total.sum("position")})
        collection = Collection([self.items, Placeholder("None"), lists], fetch=True)
        self.addCleanup(collection.close)
        model = self.watch(TreeModel, collection)
        self.assertEqual(model.totals, {"rows": 7})
        shown = [model.index(row, 0).data(TOTALS) for row in range(4)]
        self.assertEqual(shown, [{"rows": 3, "rank": 8}, {"rows": 2, "rank": 7}, {}, {"rows": 2, "places": 3}])
        # A total that not all have is reported for its section alone.
        reported = self.reported("UPDATE items SET rank = 9 WHERE name = 'beer'")
        self.assertIn(("dataChanged", (1,), (1,)), reported)
        self.assertEqual((model.index(1, 0).data(TOTALS), self.notified), ({"rows": 2, "rank": 12}, []))
        reported = self.reported("INSERT INTO lists (title, position) VALUES ('More', 9)")
        self.assertIn(("dataChanged", (3,), (3,)), reported)
        self.assertEqual((model.index(3, 0).data(TOTALS), self.notified), ({"rows": 3, "places": 12}, [{"rows": 8}]))
        collection.pop()
        self.assertEqual(self.notified[1:], [{"rows": 5, "rank": 20}])

    def test_of_a_window_are_those_of_its_list(self):
        window = self.items.window(at=0, after=1)
        self.addCleanup(window.close)
        model = self.watch(ListModel, window)
        self.assertEqual(model.totals, {"rows": 5, "rank": 15})
        self.store.execute("UPDATE items SET rank = 10 WHERE name = 'date'")
        self.assertEqual(self.notified, [{"rows": 5, "rank": 20}])

    def test_are_empty_where_there_are_none(self):
        plain = self.store.fetch("items", sort="name")
        collection = Collection([self.items, plain], fetch=True)
        self.addCleanup(collection.close)
        unfetched = self.items.__class__(self.store, self.items.request)
        for shown in (plain, collection, unfetched):
            model = self.watch(ListModel, shown)
            self.assertEqual((model.totals, model.headerData(0, Qt.Orientation.Horizontal, TOTALS)), ({}, {}))
        self.assertEqual(self.show(ListModel, plain).index(0, 0).data(TOTALS), {})
        self.assertEqual(self.show(TreeModel, collection).index(2, 0).data(TOTALS), {})


if __name__ == "__main__":
    unittest.main()
