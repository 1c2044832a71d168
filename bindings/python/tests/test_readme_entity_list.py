"""The sentences of TMSCoreDataEntityViewProtocols' README, one by one."""

from __future__ import annotations

from support import StoreTestCase, names

from fetchedresults import (
    Cells,
    CollectionDataSource,
    ColumnCell,
    Controller,
    EntityList,
    PickerDataSource,
    Request,
    View,
)

SCHEMA = """
    CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'nobody', age INT);
    INSERT INTO people (name, age) VALUES ('Bea', 30), ('Ann', 20), ('Cid', 40);
"""


class People(EntityList):
    """The least that a list has to define."""

    entity = "people"
    sort = "name"


class Screen(View, Cells):
    """A view with cells that are dictionaries."""

    def __init__(self) -> None:
        self.events: list = []
        self.shown: dict = {}

    def reload(self):
        self.events.append("reload")

    def begin(self):
        self.events.append("begin")

    def delete_rows(self, rows):
        self.events.append(("delete", [path.row for path in rows]))

    def insert_rows(self, rows):
        self.events.append(("insert", [path.row for path in rows]))

    def end(self):
        self.events.append("end")

    def dequeue(self, identifier, path):
        return self.shown.setdefault(path.row, {"identifier": identifier})

    def visible_cell(self, path):
        return self.shown.get(path.row)

    def configure(self, cell, object, path):
        cell["text"] = object.name


class CoreDataEntityViewProtocols(StoreTestCase):
    def setUp(self) -> None:
        self.store = self.open()
        self.store.executescript(SCHEMA)

    def test_the_base_creates_the_fetch_request_and_begins_execution_of_it(self):
        people = People()
        self.assertEqual(people.make_request().entity, "people")
        people.store = self.store
        self.assertEqual(names(people.live_list), [["Ann", "Bea", "Cid"]])

    def test_the_base_can_be_extended_to_supply_entities_in_other_situations(self):
        class Choice(People):
            def make_data_source(self, cells):
                return PickerDataSource(None, cells, blank_row=True)

        picker = Choice(store=self.store).data_source
        self.assertEqual((picker.row_count(), picker.object_at((0, 0))), (4, None))
        self.assertEqual(picker.object_at((0, 1)).name, "Ann")

    def test_a_table_view_is_supplied_with_the_entities(self):
        people = People(Screen(), store=self.store)
        cells = [people.data_source.cell((0, row)) for row in range(people.data_source.row_count())]
        self.assertEqual([cell["text"] for cell in cells], ["Ann", "Bea", "Cid"])

    def test_a_collection_view_is_supplied_with_the_entities(self):
        class Grid(People):
            def make_data_source(self, cells):
                return CollectionDataSource(None, cells, identifier=self.reuse_identifier)

        grid = Grid(Screen(), store=self.store).data_source
        self.assertEqual((grid.row_count(), grid.cell((0, 2))["text"]), (3, "Cid"))

    def test_the_view_itself_or_a_helper_may_supply_it(self):
        helper, view = Screen(), View()
        people = People(view, cells=helper, store=self.store)
        self.assertEqual(people.data_source.cell((0, 0))["text"], "Ann")
        self.assertEqual(list(helper.shown), [0])
        self.assertIs(people.view, view)

    def test_without_a_view_there_is_none_to_update(self):
        people = People(store=self.store)
        self.store.update("people", 1, name="Zoe")
        self.assertEqual(names(people.live_list), [["Ann", "Cid", "Zoe"]])
        screen = Screen()
        people = People(screen, store=self.store)
        cell = people.data_source.cell((0, 0))
        self.store.update("people", 2, name="Amy")
        self.assertEqual(cell["text"], "Amy")

    def test_the_entity_name_says_what_to_fetch_and_what_add_item_adds(self):
        people = People(store=self.store)
        added = people.add_item()
        self.assertEqual((added.entity, added.name), ("people", "nobody"))
        self.assertEqual(names(people.live_list), [["Ann", "Bea", "Cid", "nobody"]])

    def test_the_sort_descriptors_sort_the_results(self):
        class Oldest(People):
            sort = "-age"

        self.assertEqual(names(Oldest(store=self.store).live_list), [["Cid", "Bea", "Ann"]])

    def test_by_default_the_batch_size_is_20(self):
        class Few(People):
            batch_size = 2

        self.store.executemany("INSERT INTO people (id) VALUES (?)", [(number,) for number in range(10, 60)])
        self.assertEqual([self.rows_read(People), self.rows_read(Few)], [20, 2])

    def rows_read(self, kind: type) -> int:
        """The number of rows that are read when one is accessed."""
        controller = kind(store=self.store).live_list
        before = controller.counters.rows_read
        controller.object_at((0, 0))
        return controller.counters.rows_read - before

    def test_the_default_reuse_identifier_is_managed_object_cell(self):
        class Named(People):
            reuse_identifier = "personCell"

        cells = [kind(Screen(), store=self.store).data_source.cell((0, 0)) for kind in (People, Named)]
        self.assertEqual([cell["identifier"] for cell in cells], ["managedObjectCell", "personCell"])

    def test_cells_that_configure_themselves_are_simply_assigned_the_entity(self):
        class Grid(Cells):
            def dequeue(self, identifier, path):
                return ColumnCell(["name"])

        cell = People(cells=Grid(), store=self.store).data_source.cell((0, 2))
        self.assertEqual(cell.object.name, "Cid")

    def test_the_default_behavior_of_every_function_can_be_overridden(self):
        log: list = []

        class Own(People):
            def make_request(self):
                log.append("request")
                return Request("people", "age > 20", sort="name")

            def make_list(self, store, request):
                log.append("list")
                return Controller(store, request)

            def add_item(self, row=None, /, **columns):
                log.append("add")
                return super().add_item(row, age=50, **columns)

            def delete_item(self, path):
                log.append("delete")

        own = Own(store=self.store)
        own.add_item(name="Zoe")
        own.delete_item((0, 0))
        self.assertEqual(log, ["request", "list", "add", "delete"])
        self.assertEqual(names(own.live_list), [["Bea", "Cid", "Zoe"]])

    def test_changes_are_done_in_one_batch_with_the_correct_indexes(self):
        screen = Screen()
        people = People(screen, store=self.store)
        screen.events.clear()
        with self.store.transaction():
            self.store.delete("people", 2)
            self.store.insert("people", name="Abe")
            self.store.insert("people", name="Bob")
            self.store.update("people", 3, age=41)
        self.assertEqual(screen.events, ["begin", ("delete", [0]), ("insert", [0, 2]), "end"])
        self.assertEqual(names(people.live_list), [["Abe", "Bea", "Bob", "Cid"]])

    def test_default_cells_show_the_attributes_wanted_in_their_order(self):
        class Ages(People):
            columns = ("age", "name")

        cell = Ages(store=self.store).data_source.cell((0, 0))
        self.assertEqual((cell.values, cell.texts), ((20, "Ann"), ("20", "Ann")))

    def test_display_details_vary_between_apps(self):
        class Shouting(ColumnCell):
            line = ""

            def show(self):
                self.line = ", ".join(self.texts).upper()

        cell = Shouting(["name", "age"])
        cell.object = People(store=self.store).live_list.object_at((0, 1))
        self.assertEqual(cell.line, "BEA, 30")
