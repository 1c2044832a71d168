"""Everything that holds something of the library ends with `with`, `close` and `del`, and
everything shows itself.
"""

from __future__ import annotations

import asyncio
import gc
import inspect
import unittest

from support import StoreTestCase

import fetchedresults
from fetchedresults import (
    ArrayDataSource,
    Cells,
    ClosedError,
    Collection,
    CollectionDataSource,
    ColumnCell,
    ColumnCells,
    Coordinator,
    EntityList,
    Observer,
    PickerDataSource,
    Placeholder,
    Request,
    SectionMap,
    Store,
    TableDataSource,
    View,
    live_handles,
)


class Items(EntityList):
    entity = "items"


class Ends(StoreTestCase):
    def makers(self) -> dict:
        """How to make each thing that holds a handle."""
        shown = self.store.fetch("items", sort="name")
        self.shown = shown
        return {
            "store": Store,
            "controller": lambda: self.store.fetch("items"),
            "section map": lambda: SectionMap(self.store, Request("items"), Request("lists"), "list_id"),
            "collection": lambda: Collection([shown]),
            "placeholder": lambda: Placeholder("name"),
            "rows": lambda: self.store.query("SELECT * FROM items"),
            "coordinator": lambda: Coordinator(View(), shown),
            "table": lambda: TableDataSource(shown),
            "grid": lambda: CollectionDataSource(shown),
            "picker": lambda: PickerDataSource(shown),
            "array": lambda: ArrayDataSource(shown.objects),
            "entity list": lambda: Items(store=self.store),
        }

    def live(self) -> dict:
        gc.collect()
        # A handle that was dropped is freed by the next call.
        self.store.execute("SELECT 1")
        return live_handles()

    def test_with_a_with(self):
        for name, make in self.makers().items():
            before = self.live()
            with self.subTest(name), make() as thing:
                pass
            if hasattr(type(thing), "closed") and name != "array":
                self.assertTrue(thing.closed, name)
            # A second call does nothing.
            thing.close()
            self.assertTrue(repr(thing))
            if name == "entity list":
                # Its data source remains, and shows nothing.
                del thing
            self.assertEqual(self.live(), before, name)

    def test_with_a_del(self):
        for name, make in self.makers().items():
            before = self.live()
            thing = make()
            self.assertTrue(repr(thing))
            if name != "array":
                self.assertNotEqual(self.live(), before, name)
            del thing
            self.assertEqual(self.live(), before, name)

    def test_of_data_sources_leave_their_list_open(self):
        items = self.store.fetch("items")
        with TableDataSource(items) as source:
            self.assertEqual(source.row_count(), 3)
        for use in (source.row_count, lambda: source.object_at((0, 0)), lambda: source.section_count):
            with self.assertRaises(ClosedError):
                use()
        self.assertEqual(items.count, 3)

    def test_of_a_data_source_do_not_disturb_its_entity_list(self):
        items = Items(store=self.store)
        items.data_source.close()
        with self.assertRaises(ClosedError):
            items.set_store(None)
        items.close()
        self.assertTrue(items.closed)

    def test_of_placeholders_leave_them_shown(self):
        placeholder = Placeholder("name")
        collection = Collection([placeholder], fetch=True)
        placeholder.close()
        self.assertEqual(([section.name for section in collection], placeholder.name), (["name"], "name"))
        with self.assertRaises(ClosedError):
            placeholder.name = "other"
        self.assertEqual(placeholder.name, "name")
        with self.assertRaises(ClosedError):
            Collection([placeholder])

    def test_of_iterators_can_be_an_async_with(self):
        async def follow() -> tuple:
            async with self.store.fetch("items").changes() as changes:
                open_iterator = repr(changes)
            return open_iterator, repr(changes), [each async for each in changes]

        open_iterator, ended, more = asyncio.run(follow())
        self.assertIn("3 objects in 1 section>, 0 to yield", open_iterator)
        self.assertEqual((ended, more), ("<ChangeIterator, ended, 0 to yield>", []))


class Representations(StoreTestCase):
    def test_are_there_for_everything(self):
        # What a program derives its own from, often beside a class of a toolkit, has that class's.
        derived = {Observer, View, Cells}
        public = [getattr(fetchedresults, name) for name in fetchedresults.__all__]
        classes = [each for each in public if inspect.isclass(each) and each not in derived]
        self.assertEqual([each.__name__ for each in classes if each.__repr__ is object.__repr__], [])

    def test_say_what_a_thing_is(self):
        items = self.store.fetch("items", sort="name")
        shown = "<Controller of items: 3 objects in 1 section>"
        observation = items.add_observer(print)
        source = TableDataSource(items, ColumnCells(["name"]))
        query = self.store.query("SELECT 1")
        cell = source.cell((0, 0))
        for thing, text in (
            (items, shown),
            (items[0], "<Section 0 None of 3 objects>"),
            (items.objects, f"<Objects of {shown}>"),
            (observation, f"<Observation of {print!r}, on {shown}>"),
            (source, f"<TableDataSource, of {shown}>"),
            (TableDataSource(None), "<TableDataSource, of nothing>"),
            (ArrayDataSource(items.objects), "<ArrayDataSource of 3 objects>"),
            (source.cells, "ColumnCells(['name'])"),
            (ColumnCell(["name"]), "<ColumnCell of ['name'], showing None>"),
            (cell, f"<ColumnCell of ['name'], showing {items[0][0]!r}>"),
            (query, "<Rows of 'SELECT 1', under way>"),
            (self.store.transaction(), f"<Transaction, immediate, of {self.store!r}>"),
            (Items(), "<Items, without a store>"),
            (Items(store=self.store), "<Items, of <Controller of items: 3 objects in 1 section>>"),
        ):
            with self.subTest(text):
                self.assertEqual(repr(thing), text)
        observation.cancel()
        list(query)
        section = items[0]
        items.close()
        for thing, text in (
            (items, "<Controller of items: the controller is closed>"),
            (section, "<Section 0: the controller is closed>"),
            (observation, "<Observation cancelled, on <Controller of items: the controller is closed>>"),
            (query, "<Rows of 'SELECT 1', at its end>"),
        ):
            with self.subTest(text):
                self.assertEqual(repr(thing), text)


if __name__ == "__main__":
    unittest.main()
