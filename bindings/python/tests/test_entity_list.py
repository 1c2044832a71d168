"""Entity lists: their defaults, and what replaces these."""

from __future__ import annotations

import gc
import unittest
import weakref

from support import StoreTestCase, names

from fetchedresults import (
    ArrayDataSource,
    Cells,
    ClosedError,
    ColumnCell,
    ConstraintError,
    EntityList,
    MisuseError,
    NotFetchedError,
    PickerDataSource,
    RangeError,
    Request,
    SchemaError,
    SectionMap,
    Sort,
    TableDataSource,
    View,
)


class Failure(Exception):
    pass


class Items(EntityList):
    entity = "items"
    sort = "name"
    columns = ["name"]


class Table(View):
    """Records its calls."""

    def __init__(self) -> None:
        self.events: list = []

    def reload(self):
        self.events.append("reload")

    def begin(self):
        self.events.append("begin")

    def delete_rows(self, rows):
        self.events.append(("delete", rows))

    def insert_rows(self, rows):
        self.events.append(("insert", rows))

    def end(self):
        self.events.append("end")

    def count_changed(self, count):
        self.events.append(count)


def texts(items: EntityList) -> list:
    return [items.data_source.cell((0, row)).texts for row in range(items.data_source.row_count(0))]


class Defaults(StoreTestCase):
    def test_take_an_entity_and_an_order(self):
        table = Table()
        items = Items(table)
        self.assertEqual((len(items.data_source), items.data_source.row_count(), table.events), (1, 0, []))
        self.assertEqual((items.store, items.live_list, items.closed), (None, None, False))
        items.store = self.store
        self.assertEqual(table.events, ["reload", 3])
        self.assertEqual(texts(items), [("apple",), ("bread",), ("cider",)])
        self.assertEqual(items.live_list.request, Request("items", sort="name", batch_size=20))
        self.assertIsInstance(items.data_source.cell((0, 0)), ColumnCell)
        self.assertIs(items.coordinator.view, table)
        self.assertIs(items.store, self.store)

    def test_apply_a_transaction_as_one_batch(self):
        table = Table()
        with Items(table, store=self.store):
            table.events.clear()
            with self.store.transaction():
                self.store.delete("items", 1)
                self.store.insert("items", name="x")
        self.assertEqual(table.events, ["begin", ("delete", [(0, 1)]), ("insert", [(0, 2)]), "end"])

    def test_add_and_delete_items(self):
        items = Items(store=self.store)
        added = items.add_item(name="dates", rank=4)
        self.assertEqual((added["rank"], items.add_item({"name": "eggs"}).identity), (4.0, added.identity + 1))
        self.assertIsNone(items.add_item()["name"])
        items.delete_item((0, 0))
        items.delete_item((0, 0))
        self.assertEqual(names(items.live_list), [["bread", "cider", "dates", "eggs"]])
        with self.assertRaises(RangeError):
            items.delete_item((0, 4))
        with self.assertRaises(SchemaError):
            items.add_item(nothing=1)

    def test_edits_that_are_sent_elsewhere_are_pending(self):
        class Remote(Items):
            def add_item(self, row=None, /, **columns):
                sent.append(columns)
                return None

            def delete_item(self, path):
                item = self.live_list.object_at(path)
                self.set_pending(item)
                sent.append(item.identity)

        def shown():
            return [item["name"] + "?" * items.is_pending(item) for item in items.live_list.objects]

        sent = []
        items = Remote(store=self.store)
        first, second, *rest = names(items.live_list)[0]
        self.assertIsNone(items.add_item(name="new"))
        items.delete_item((0, 0))
        items.delete_item((0, 1))
        one, two = items.live_list.objects[:2]
        self.assertEqual(sent, [{"name": "new"}, one.identity, two.identity])
        self.assertEqual(shown(), [first + "?", second + "?", *rest])
        # Refused, and deleted. A row that returns does not wait.
        items.set_pending(one, False)
        self.store.delete("items", two.identity)
        self.assertEqual(shown(), [first, *rest])
        self.store.insert("items", id=two.identity, name=second)
        self.assertEqual(shown(), [first, second, *rest])
        # Another value ends it, also when the first one returns; a change of another row does not.
        items.set_pending(one)
        self.store.update(two, rank=77)
        self.assertEqual(shown(), [first + "?", second, *rest])
        self.store.update(one, rank=99)
        self.store.update(one, rank=one["rank"])
        self.assertEqual(shown(), [first, second, *rest])
        # Another store ends all; a row that has left is not marked.
        items.set_pending(one)
        items.set_store(self.store)
        self.assertEqual(shown(), [first, second, *rest])
        items.set_pending(one)
        self.store.delete("items", one.identity)
        items.set_pending(one)
        self.assertFalse(items.is_pending(one))
        items.set_store(None)
        with self.assertRaises(MisuseError):
            items.set_pending(one)
        items.set_pending(one, False)
        items.close()

    def test_name_the_identifier_of_cells(self):
        class Named(Cells):
            def dequeue(self, identifier, path):
                return identifier

        self.assertEqual(Items(cells=Named(), store=self.store).data_source.cell((0, 0)), "managedObjectCell")

    def test_configure_visible_cells_of_changed_rows(self):
        class Screen(View, Cells):
            shown: dict = {}

            def dequeue(self, identifier, path):
                return self.shown.setdefault(path, ColumnCell(["rank"]))

            def visible_cell(self, path):
                return self.shown.get(path)

        items = Items(Screen(), store=self.store)
        cell = items.data_source.cell((0, 1))
        self.store.update("items", 1, rank=8)
        self.store.update("items", 2, rank=9)
        self.assertEqual(cell.texts, ("8.0",))


class Stores(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.other = self.open()
        self.other.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
        self.other.insert("items", id=1)
        self.table = Table()
        self.items = Items(self.table, store=self.store)
        self.table.events.clear()

    def test_can_be_changed(self):
        previous, source = self.items.live_list, self.items.data_source
        source.system_headers = True
        self.items.store = self.other
        self.assertEqual(self.table.events, ["reload", 1])
        self.assertIs(self.items.data_source, source)
        self.assertEqual((source.row_count(), source.system_headers, previous.closed), (1, True, True))
        self.table.events.clear()
        self.store.delete("items", 1)
        self.other.delete("items", 1)
        self.assertEqual(self.table.events, ["begin", ("delete", [(0, 0)]), "end", 0])

    def test_can_be_taken_away(self):
        self.items.store = None
        self.assertEqual((self.table.events, self.items.data_source.row_count()), (["reload"], 0))
        self.store.delete("items", 1)
        self.assertEqual(self.table.events, ["reload"])
        for use in (lambda: self.items.add_item(name="x"), lambda: self.items.delete_item((0, 0))):
            with self.assertRaises(MisuseError):
                use()
        self.items.store = self.store
        self.assertEqual(self.table.events, ["reload", "reload", 2])

    def test_that_fail_leave_what_was_shown(self):
        with self.open() as empty, self.assertRaises(SchemaError):
            self.items.store = empty
        self.assertIs(self.items.store, self.store)
        self.store.delete("items", 1)
        self.assertEqual(self.table.events, ["begin", ("delete", [(0, 1)]), "end", 2])
        self.assertEqual(texts(self.items), [("apple",), ("cider",)])

    def test_have_one_coordinator(self):
        items = Items(self.table)
        coordinator = items.coordinator
        self.assertIs(coordinator.view, self.table)
        for store in (self.store, self.other, None, self.store):
            with self.subTest(store):
                items.store = store
                self.assertIs(items.coordinator, coordinator)
                if store is not None:
                    self.assertIs(coordinator.live_list, items.live_list)
                    self.assertEqual((coordinator.loaded, coordinator.paused), (True, False))
                    coordinator.paused = True

    def test_that_are_none_leave_nothing_to_coordinate(self):
        self.items.store = None
        coordinator = self.items.coordinator
        for use in (
            lambda: coordinator.live_list,
            lambda: coordinator.loaded,
            lambda: coordinator.paused,
            coordinator.load_data,
            lambda: setattr(coordinator, "paused", True),
        ):
            with self.assertRaisesRegex(NotFetchedError, "no store"):
                use()
        self.assertEqual((coordinator.closed, repr(coordinator)), (False, "<Coordinator, without a list>"))

    def test_are_coordinated_one_at_a_time(self):
        coordinator = self.items.coordinator
        coordinator.paused = True
        self.items.store = self.other
        self.table.events.clear()
        self.store.delete("items", 1)
        self.assertEqual(self.table.events, [])
        coordinator.load_data()
        coordinator.paused = True
        self.other.delete("items", 1)
        coordinator.paused = False
        self.assertEqual(self.table.events, ["reload", "reload", 0])

    def test_are_fetched_again(self):
        coordinator, items = self.items.coordinator, self.items.live_list
        reads = [items.counters.rows_read]
        coordinator.load_data()
        reads.append(items.counters.rows_read)
        coordinator.paused = True
        coordinator.paused = False
        reads.append(items.counters.rows_read)
        self.assertEqual([after - before for before, after in zip(reads, reads[1:])], [3, 3])

    def test_may_have_the_same_list(self):
        class Fixed(Items):
            def make_list(self, store, request):
                return shown

        shown = self.store.fetch("items", sort="name")
        items = Fixed(store=self.store)
        items.store = self.store
        self.assertEqual((items.live_list, shown.closed, items.data_source.row_count()), (shown, False, 3))
        items.close()
        self.assertTrue(shown.closed)

    def test_set_inside_a_callback_end_the_batch(self):
        items, other = self.items, self.other

        class Changing(Table):
            def begin(self):
                super().begin()
                items.store = other

        items.close()
        items = Items(Changing(), store=self.store)
        self.store.delete("items", 1)
        self.assertEqual(items.view.events, ["reload", 3, "begin", "reload", 1])

    def test_reload_that_raises_leaves_the_new_one(self):
        def fail():
            raise Failure

        self.table.reload = fail
        with self.assertRaises(Failure):
            self.items.store = self.other
        self.assertIs(self.items.store, self.other)
        self.other.delete("items", 1)
        self.assertEqual(self.table.events[-1], 0)


class Replacing(StoreTestCase):
    def test_of_the_request_and_the_data_source(self):
        class Expensive(Items):
            sort = [Sort("rank", descending=True), "name"]
            batch_size = 5
            reuse_identifier = "mine"

            def make_request(self):
                return super().make_request().replace(predicate="rank > 1", section="list_id")

            def make_data_source(self, cells):
                return TableDataSource(None, cells, identifier="x", system_headers=True)

        items = Expensive(store=self.store)
        self.assertEqual((names(items.live_list), items.live_list.request.batch_size), ([["bread"], ["cider"]], 5))
        self.assertEqual(items.data_source.section_title(1), "2")

    def test_of_the_list(self):
        class Outline(Items):
            def make_list(self, store, request):
                return SectionMap(store, request, Request("lists", sort="position"), "list_id")

        items = Outline(store=self.store)
        self.assertEqual(names(items.live_list), [["cider"], ["apple", "bread"]])

    def test_of_adding_and_deleting(self):
        class Careful(Items):
            def add_item(self, row=None, /, **columns):
                return super().add_item(row, list_id=1, **columns)

            def delete_item(self, path):
                self.store.update("items", self.live_list[path].identity, name="gone")

        items = Careful(store=self.store)
        self.assertEqual(items.add_item(name="x")["list_id"], 1)
        items.delete_item((0, 0))
        self.assertEqual(names(items.live_list), [["bread", "cider", "gone", "x"]])

    def test_of_the_data_source_by_a_picker(self):
        class Choice(Items):
            def make_data_source(self, cells):
                return PickerDataSource(None, cells, blank_row=True)

        items = Choice()
        self.assertEqual((items.data_source.row_count(), items.data_source.index_path_of(None)), (1, (0, 0)))
        items.store = self.store
        self.assertEqual(texts(items), [("",), ("apple",), ("bread",), ("cider",)])
        items.close()
        self.assertEqual(items.data_source.row_count(), 1)

    def test_of_options(self):
        class Plain(Items):
            row_moves = False
            difference = True

        table = Table()
        items = Plain(table, store=self.store)
        table.events.clear()
        items.coordinator.paused = True
        self.store.update("items", 2, name="zest")
        items.coordinator.paused = False
        self.assertEqual(table.events, ["begin", ("delete", [(0, 0)]), ("insert", [(0, 2)]), "end"])

    def test_that_raises_leaves_nothing(self):
        class Broken(Items):
            def make_list(self, store, request):
                raise Failure

        items = Broken()
        with self.assertRaises(Failure):
            items.store = self.store
        self.assertEqual((items.store, items.live_list), (None, None))


class Lives(StoreTestCase):
    def test_end_with_it(self):
        table = Table()
        with Items(table, store=self.store) as items:
            live_list, coordinator = items.live_list, items.coordinator
        items.close()
        self.assertEqual((live_list.closed, coordinator.closed, items.store), (True, True, None))
        self.store.delete("items", 1)
        self.assertEqual((table.events, items.data_source.row_count()), (["reload", 3], 0))

    def test_end_with_clear_errors(self):
        items = Items(store=self.store)
        coordinator = items.coordinator
        items.close()
        self.assertTrue(items.closed)
        self.assertIs(items.coordinator, coordinator)
        for use in (
            lambda: items.set_store(self.store),
            lambda: items.set_store(None),
            lambda: items.add_item(name="x"),
            lambda: items.delete_item((0, 0)),
        ):
            with self.assertRaisesRegex(ClosedError, "entity list is closed"):
                use()
        for use in (
            lambda: coordinator.loaded,
            lambda: coordinator.paused,
            coordinator.load_data,
            lambda: setattr(coordinator, "paused", False),
        ):
            with self.assertRaisesRegex(ClosedError, "coordinator is closed"):
                use()
        self.assertEqual((items.live_list, items.store, self.store.get("items", 1)["name"]), (None, None, "bread"))

    def test_end_with_their_coordinator(self):
        table = Table()
        items = Items(table, store=self.store)
        items.coordinator.close()
        self.store.delete("items", 1)
        with self.assertRaisesRegex(ClosedError, "coordinator is closed"):
            items.store = self.store
        self.assertEqual((table.events, items.live_list.count), (["reload", 3], 2))

    def test_end_inside_a_callback(self):
        class Closing(Table):
            def begin(self):
                super().begin()
                items.close()

        items = Items(Closing(), store=self.store)
        self.store.delete("items", 1)
        self.assertEqual(items.view.events, ["reload", 3, "begin"])

    def test_end_after_their_store(self):
        items = Items(store=self.store)
        self.store.close()
        self.assertEqual(items.data_source.row_count(), 0)
        items.close()

    def test_end_when_nothing_refers_to_them(self):
        table = Table()
        items = weakref.ref(Items(table, store=self.store))
        gc.collect()
        self.assertIsNone(items())
        self.store.delete("items", 1)
        self.assertEqual(table.events, ["reload", 3])


class WrongUse(StoreTestCase):
    def test_is_reported(self):
        with self.assertRaises(MisuseError):
            EntityList()
        for make in (lambda: Items(object()), lambda: Items(cells=View()), lambda: Items(store=1)):
            with self.assertRaises((TypeError, AttributeError)):
                make()
        with self.assertRaises(TypeError):
            type("Wrong", (Items,), {"make_data_source": lambda self, cells: ArrayDataSource([])})()
        for made in (None, self.store):
            wrong = type("Wrong", (Items,), {"make_list": lambda self, store, request, made=made: made})()
            with self.assertRaises(TypeError):
                wrong.store = self.store
            self.assertIsNone(wrong.store)
        strict = Items(store=self.store)
        with self.assertRaises(ConstraintError):
            strict.add_item(id=1)


if __name__ == "__main__":
    unittest.main()
