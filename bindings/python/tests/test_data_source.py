"""Data sources: what views ask, cells, titles, selection."""

from __future__ import annotations

import gc
import sqlite3
import unittest

from support import StoreTestCase

from fetchedresults import (
    ArrayDataSource,
    BusyError,
    Cells,
    Collection,
    CollectionDataSource,
    ColumnCell,
    ColumnCells,
    Controller,
    Coordinator,
    DataSource,
    EncodingError,
    IndexPath,
    NotFoundError,
    PickerDataSource,
    Placeholder,
    RangeError,
    Request,
    TableDataSource,
    Total,
    View,
)


class Failure(Exception):
    pass


class Pool(Cells):
    """Cells that are lists of what happened to them; those of the rows below 2 are in sight."""

    def __init__(self) -> None:
        self.shown: dict = {}

    def reuse_identifier(self, object, path):
        return "big" if object is not None and object["name"] == "apple" else None

    def dequeue(self, identifier, path):
        cell = self.shown[path] = [identifier]
        return cell

    def visible_cell(self, path):
        return self.shown.get(path) if path.row < 2 else None

    def configure(self, cell, object, path):
        cell.append(None if object is None else object["name"])

    def dequeue_supplementary(self, kind, identifier, path):
        return [kind, identifier]

    def configure_supplementary(self, view, kind, path):
        view.append(path)


class Case(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.items = self.store.fetch("items", sort="name", section="list_id.title")

    def kinds(self, items=None, cells=None) -> list:
        items = self.items if items is None else items
        return [kind(items, cells) for kind in (TableDataSource, CollectionDataSource, PickerDataSource)]


class Items(Case):
    def test_are_those_of_the_list(self):
        for source in (TableDataSource(self.items), CollectionDataSource(self.items)):
            self.assertEqual((source.section_count, len(source)), (2, 2))
            self.assertEqual([source.row_count(section) for section in range(2)], [1, 2])
            self.assertEqual((source.object_at((1, 1)).name, source.live_list), ("bread", self.items))
            self.assertEqual(source.index_path_of(self.items[1, 1]), IndexPath(1, 1))
            self.assertIsNone(source.index_path_of(self.store.get("lists", 1)))
            self.assertIsNone(source.index_path_of(None))
            for use in (
                lambda: source.row_count(2),
                lambda: source.row_count(-1),
                lambda: source.object_at((0, 1)),
                lambda: source.object_at((2, 0)),
                lambda: source.object_at((-1, 0)),
            ):
                with self.assertRaises(RangeError):
                    use()

    def test_follow_the_list(self):
        source = TableDataSource(self.items)
        self.store.delete("items", 3)
        self.assertEqual((len(source), source.row_count(0)), (1, 2))

    def test_of_a_picker_are_one_section(self):
        picker = PickerDataSource(self.items)
        self.assertEqual((len(picker), picker.row_count(), picker.object_at((0, 2)).name), (1, 3, "bread"))
        self.assertEqual(picker.index_path_of(self.items[1, 0]), (0, 1))
        self.assertIsNone(picker.index_path_of(None))
        blank = PickerDataSource(self.items, blank_row=True)
        self.assertEqual((blank.row_count(0), blank.object_at((0, 0)), blank.blank_row), (4, None, True))
        self.assertEqual(blank.object_at((0, 1)).name, "cider")
        self.assertEqual([blank.index_path_of(each) for each in (None, self.items[1, 0])], [(0, 0), (0, 2)])
        self.assertIsNone(blank.index_path_of(self.store.get("lists", 1)))
        with self.assertRaises(RangeError):
            blank.object_at((0, 4))

    def test_of_an_array_stay(self):
        objects = list(self.items.objects)
        source = ArrayDataSource(objects)
        self.store.execute("DELETE FROM items")
        self.assertEqual((len(source), source.row_count(), source.objects), (1, 3, tuple(objects)))
        self.assertEqual(source.object_at((0, 1)).name, "apple")
        self.assertEqual(source.index_path_of(objects[2]), (0, 2))
        self.assertIsNone(source.index_path_of(self.store.get("lists", 1)))
        self.assertEqual(ArrayDataSource([]).row_count(), 0)
        for use in (lambda: source.row_count(1), lambda: source.object_at((0, 3)), lambda: source.object_at((0, -1))):
            with self.assertRaises(RangeError):
                use()

    def test_of_a_list_that_can_not_be_read_are_none(self):
        unfetched = Controller(self.store, Request("items"))
        closed, of_closed_store = self.store.fetch("items"), self.open()
        of_closed_store.execute("CREATE TABLE items (id)")
        item, lost = closed[0, 0], of_closed_store.fetch("items")
        sources = [*self.kinds(unfetched), *self.kinds(closed), *self.kinds(lost), TableDataSource(None)]
        closed.close()
        of_closed_store.close()
        for source in sources:
            self.assertEqual((len(source), source.row_count(0)), (1, 0))
            self.assertIsNone(source.index_path_of(item))
            self.assertEqual(source.selected_objects([(0, 0)]), [])
            with self.assertRaises(RangeError):
                source.object_at((0, 0))

    def test_of_a_picker_without_a_list_are_its_blank_row(self):
        unfetched = Controller(self.store, Request("items"))
        for live_list in (None, unfetched):
            source = PickerDataSource(live_list, Pool(), blank_row=True)
            self.assertEqual((len(source), source.row_count(), source.object_at((0, 0))), (1, 1, None))
            self.assertEqual((source.index_path_of(None), source.cell((0, 0))), ((0, 0), ["managedObjectCell", None]))
            self.assertIs(source.live_list, live_list)
            for use in (lambda: source.object_at((0, 1)), lambda: source.row_count(1)):
                with self.assertRaises(RangeError):
                    use()

    def test_keep_the_list(self):
        source = TableDataSource(self.store.fetch("items"))
        gc.collect()
        self.assertEqual(source.row_count(), 3)


class CellTests(Case):
    def test_are_named_dequeued_and_configured(self):
        for source in self.kinds(cells=Pool())[:2]:
            self.assertEqual(source.cell((1, 0)), ["big", "apple"])
            self.assertEqual(source.cell((1, 1)), ["managedObjectCell", "bread"])
        source = TableDataSource(self.items, Pool(), identifier="mine")
        self.assertEqual(source.cell((0, 0)), ["mine", "cider"])
        with self.assertRaises(RangeError):
            source.cell((2, 0))

    def test_of_blank_rows_are_configured_with_none(self):
        source = PickerDataSource(self.items, Pool(), blank_row=True)
        self.assertEqual((source.cell((0, 0)), source.cell((0, 2))), (["managedObjectCell", None], ["big", "apple"]))

    def test_of_arrays(self):
        source = ArrayDataSource(self.items.objects, Pool())
        self.assertEqual(source.cell((0, 1)), ["big", "apple"])

    def test_that_are_not_there_are_passed_on(self):
        class Nothing(Cells):
            def configure(self, cell, object, path):
                raise Failure

        self.assertIsNone(TableDataSource(self.items, Nothing()).cell((0, 0)))
        self.assertIsNone(TableDataSource(self.items).cell((0, 0)))
        self.assertIsNone(CollectionDataSource(self.items, Nothing()).supplementary("header", (0, -1)))

    def test_in_sight_are_configured_again(self):
        pool = Pool()
        source = TableDataSource(self.items, pool)
        cell = source.cell((1, 1))
        source.update_visible_cell((1, 1), self.items[1, 0])
        source.update_visible_cell((1, 0), self.items[1, 0])
        self.assertEqual(cell, ["managedObjectCell", "bread", "apple"])

    def test_that_raise_reach_the_caller(self):
        for name in ("reuse_identifier", "dequeue", "configure"):

            def fail(self, *arguments):
                raise Failure

            with self.subTest(name), self.assertRaises(Failure):
                TableDataSource(self.items, type("Raising", (Pool,), {name: fail})()).cell((0, 0))

    def test_are_updated_by_coordinators(self):
        class Table(View, Pool):
            def delete_rows(self, rows):
                events.append(rows)

        events: list = []
        table = Table()
        source = TableDataSource(self.items, table)
        with Coordinator(table, self.items, source=source, load=True):
            cell = source.cell((1, 1))
            self.store.update("items", 1, rank=9)
            self.store.update("items", 2, rank=9)
        self.assertEqual((cell, events), (["managedObjectCell", "bread", "bread"], []))

    def test_are_not_updated_where_the_view_does_it(self):
        class Table(View, Pool):
            def update_cell(self, path, object):
                updated.append(path)

        updated: list = []
        table = Table()
        source = TableDataSource(self.items, table)
        with Coordinator(table, self.items, source=source, load=True):
            cell = source.cell((1, 1))
            self.store.update("items", 1, rank=9)
        self.assertEqual((cell, updated), (["managedObjectCell", "bread"], [(1, 1)]))

    def test_that_raise_while_updating_reach_who_wrote(self):
        class Raising(Pool):
            def visible_cell(self, path):
                raise Failure

        with Coordinator(View(), self.items, source=TableDataSource(self.items, Raising()), load=True):
            with self.assertRaises(Failure):
                self.store.update("items", 1, rank=9)

    def test_supplementary_are_named_dequeued_and_configured(self):
        class Named(Pool):
            def supplementary_identifier(self, kind, path):
                return "small" if path[0] else None

        source = CollectionDataSource(self.items, Named())
        self.assertEqual(source.supplementary("header", (0, -1)), ["header", "header", (0, -1)])
        self.assertEqual(source.supplementary("header", (1, -1)), ["header", "small", (1, -1)])
        for kind in (None, "a\0b"):
            with self.assertRaises((TypeError, ValueError)):
                source.supplementary(kind, (0, 0))


class ColumnCellTests(Case):
    def test_show_named_columns_of_their_objects(self):
        class Drawn(ColumnCell):
            def show(self):
                drawn.append(self.texts)

        drawn: list = []
        cell = Drawn(["name", "nothing", "rank", "ID"])
        self.assertEqual((cell.object, cell.values, cell.texts), (None, (None,) * 4, ("",) * 4))
        cell.object = self.items[1, 1]
        self.assertEqual(cell.values, ("bread", None, 2.0, 1))
        cell.object = None
        self.assertEqual(drawn, [("bread", "", "2.0", "1"), ("",) * 4])
        for wrong in ("x", 1):
            with self.assertRaises(TypeError):
                cell.object = wrong
        with self.assertRaises(TypeError):
            ColumnCell("name")

    def test_get_their_objects_from_data_sources(self):
        source = TableDataSource(self.items, ColumnCells(["name", "rank"]))
        self.assertEqual(source.cell((1, 0)).texts, ("apple", "1.0"))

    def test_have_texts_as_sqlite_casts_values(self):
        self.store.execute("CREATE TABLE vals (id INTEGER PRIMARY KEY, v)")
        values = [1, -(2**63), 1.0, -0.0, 0.1 + 0.2, 1e14, 123456789012345.0, 1e15, 1e16, 1e100, -2.5e-7, 1e-5, 0.0001]
        values += [float("inf"), float("-inf"), 1 / 3, 5e-324, "ä", "", b"ab", None]
        cell = ColumnCell(["v"])
        for value in values:
            with self.subTest(value=value):
                cell.object = self.store.insert("vals", v=value)
                identity = [cell.object.identity]
                (text,) = next(iter(self.store.query("SELECT CAST(v AS TEXT) FROM vals WHERE id = ?", identity)))
                self.assertEqual(cell.texts, (text or "",))


class Titles(Case):
    def test_are_the_names_of_sections_or_a_default(self):
        self.store.insert("items", name="zest")
        source = TableDataSource(self.items)
        self.assertEqual([source.section_title(section) for section in range(3)], [None] * 3)
        source.default_section_title = "Things"
        self.assertEqual([source.section_title(section) for section in range(3)], ["Things"] * 3)
        source.system_headers = True
        self.assertEqual([source.section_title(section) for section in range(3)], ["Things", "Home", "Shop"])
        source.default_section_title = None
        self.assertEqual([source.section_title(section) for section in range(3)], [None, "Home", "Shop"])
        self.assertEqual((source.system_headers, source.default_section_title), (True, None))
        with self.assertRaises(RangeError):
            source.section_title(3)
        with self.assertRaises((EncodingError, ValueError)):
            source.default_section_title = "a\0b"

    def test_have_totals_by_a_format(self):
        items = self.store.fetch("items", sort="name", section="list_id.title", totals={"rank": Total.sum("rank")})
        source = TableDataSource(items, section_title_format="{name}: {rank} in {count}")
        self.assertEqual([source.section_title(section) for section in range(2)], ["Home: 3.0 in 1", "Shop: 3.0 in 2"])
        self.store.execute("UPDATE items SET rank = 5 WHERE name = 'bread'")
        self.assertEqual((source.section_title(1), source.section_title_format[:6]), ("Shop: 6.0 in 2", "{name}"))
        source.section_title_format = None
        source.system_headers = True
        self.assertEqual(source.section_title(1), "Shop")

    def test_that_changed_are_reported_by_a_coordinator(self):
        class Sections(View):
            def update_sections(self, sections):
                updated.extend(section.new_index for section in sections)

            def reload(self):
                updated.append("all")

            def update_cell(self, path, item):
                pass

        updated: list = []
        items = self.store.fetch("items", sort="name", section="list_id.title", totals={"rank": Total.sum("rank")})
        coordinator = Coordinator(Sections(), items, load=True)
        self.addCleanup(coordinator.close)
        self.store.execute("UPDATE items SET rank = 5 WHERE name = 'bread'")
        self.assertEqual(updated, ["all", 1])

    def test_at_the_side_are_those_of_the_list(self):
        source = TableDataSource(self.items)
        self.assertEqual((source.index_titles, source.table_index), ([], False))
        source.table_index = True
        self.assertEqual((source.index_titles, source.table_index), (["H", "S"], True))
        self.assertEqual([source.section_for_index_title(title, at) for at, title in enumerate("HS")], [0, 1])
        self.assertIsNone(source.section_for_index_title("X", 0))

    def test_can_be_given_together(self):
        source = TableDataSource(
            Collection([self.items, Placeholder("End")], fetch=True),
            system_headers=True,
            default_section_title="-",
            table_index=True,
        )
        self.assertEqual([source.section_title(section) for section in range(3)], ["Home", "Shop", "End"])
        self.assertEqual(source.index_titles, ["H", "S"])


class Selection(Case):
    def test_leads_from_paths_to_objects_and_back(self):
        other = self.store.get("lists", 1)
        apple, bread = self.items[1, 0], self.items[1, 1]
        for source, paths in (
            (TableDataSource(self.items), [(1, 1), (1, 0)]),
            (PickerDataSource(self.items, blank_row=True), [(0, 3), (0, 2)]),
            (ArrayDataSource(self.items.objects), [(0, 2), (0, 1)]),
        ):
            self.assertEqual(source.selected_objects([*paths, (7, 7), (0, 99), (-1, -1)]), [bread, apple])
            self.assertEqual(source.select_objects([bread, other, apple]), [paths[0], None, paths[1]])
            self.assertEqual((source.selected_objects([]), source.select_objects([])), ([], []))
        self.assertEqual(PickerDataSource(self.items, blank_row=True).selected_objects([(0, 0)]), [])

    def test_does_not_treat_what_can_not_be_read_as_deleted(self):
        path = self.folder() / "items.db"
        store = self.open(path, journal_mode="delete", busy_timeout=0)
        store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY)")
        store.insert("items")
        source = TableDataSource(store.fetch("items"))
        other = sqlite3.connect(str(path), isolation_level=None)
        self.addCleanup(other.close)
        other.execute("BEGIN EXCLUSIVE")
        with self.assertRaises(BusyError):
            source.selected_objects([(0, 0)])
        other.execute("ROLLBACK")
        self.assertEqual([item.identity for item in source.selected_objects([(0, 0), (0, 1)])], [1])


class WrongUse(Case):
    def test_is_reported(self):
        source = TableDataSource(self.items)
        for use in (
            lambda: TableDataSource(self.store),
            lambda: TableDataSource(self.items, View()),
            lambda: TableDataSource(self.items, identifier=1),
            lambda: ArrayDataSource([1]),
            lambda: Coordinator(View(), self.items, source=Pool()),
            lambda: source.object_at((0,)),
            lambda: source.index_path_of("x"),
            lambda: source.select_objects(["x"]),
            lambda: source.row_count("x"),
            lambda: ArrayDataSource([]).index_path_of(1),
        ):
            with self.assertRaises(TypeError):
                use()
        with self.assertRaises(NotImplementedError):
            DataSource().row_count()
        self.assertNotIsInstance(source.section_for_index_title("X", 5), NotFoundError)


if __name__ == "__main__":
    unittest.main()
