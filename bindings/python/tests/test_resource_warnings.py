"""Warnings about observers that nobody calls."""

from __future__ import annotations

import gc
import tracemalloc
import unittest
import warnings
from contextlib import contextmanager

from support import StoreTestCase, run_python

from fetchedresults import Collection, Controller, Request, SectionMap

DROPPED = (
    "nothing calls the observers of a controller of items that was dropped: keep a reference to the list, or close it"
)
NOT_FETCHED = (
    "nothing calls the observers of a controller of items that was never fetched:"
    " call list.perform_fetch(), or make the list with fetch=True"
)


def ignore(changes) -> None:
    """An observer."""


class WarningTestCase(StoreTestCase):
    @contextmanager
    def warns(self, *messages: str):
        """What the block warns of, and all that it dropped."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield caught
            gc.collect()
        self.assertEqual([str(each.message) for each in caught], list(messages))
        self.assertEqual({each.category for each in caught}, {ResourceWarning} if messages else set())


class Dropping(WarningTestCase):
    def test_a_list_with_observers_warns(self):
        with self.warns(DROPPED):
            self.store.fetch("items").add_observer(ignore)

    def test_a_list_in_a_cycle_with_its_observer_warns(self):
        class Window:
            def __init__(self, store) -> None:
                self.items = store.fetch("items")
                self.items.add_observer(self.show)

            def show(self, changes) -> None:
                """Retains the window, and so the list."""

        with self.warns(DROPPED):
            Window(self.store)

    def test_a_map_and_a_collection_say_what_they_are(self):
        lists = SectionMap(self.store, Request("items"), Request("lists", sort="position"), "list_id")
        both = Collection([self.store.fetch("items")], fetch=True)
        of_map = DROPPED.replace("controller", "section map")
        with self.warns(of_map, DROPPED.replace("controller of items", "collection of 1 list")):
            lists.add_observer(ignore)
            both.add_observer(ignore)
            del lists
            del both

    def test_names_the_line_that_made_the_list_where_memory_is_traced(self):
        tracemalloc.start(5)
        self.addCleanup(tracemalloc.stop)
        with self.warns(DROPPED) as caught:
            self.store.fetch("items").add_observer(ignore)
        self.assertEqual(caught[0].filename, __file__)
        traceback = tracemalloc.get_object_traceback(caught[0].source)
        self.assertIn(__file__, [frame.filename for frame in traceback])

    def test_nothing_else_warns(self):
        with self.warns():
            self.store.fetch("items")
            self.store.fetch("items").add_observer(ignore).cancel()
            items = self.store.fetch("items")
            items.add_observer(ignore)
            items.close()
            other = self.open()
            other.execute("CREATE TABLE items (id INTEGER PRIMARY KEY)")
            items = other.fetch("items")
            items.add_observer(ignore)
            other.close()
            del items

    def test_at_the_end_of_the_program_does_not_warn(self):
        done = run_python(
            """
            import warnings
            warnings.simplefilter("always")
            import fetchedresults
            store = fetchedresults.Store()
            store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY)")
            items = store.fetch("items")
            items.add_observer(lambda changes: items)
            """
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class NotFetching(WarningTestCase):
    def test_warns_when_the_list_is_closed(self):
        items = Controller(self.store, Request("items"))
        items.add_observer(ignore)
        with self.warns(NOT_FETCHED):
            items.close()

    def test_warns_when_the_store_is_closed(self):
        items = Controller(self.store, Request("items"))
        items.add_observer(ignore)
        with self.warns(NOT_FETCHED):
            self.store.close()
            del items

    def test_leaves_nothing_open_where_warnings_are_errors(self):
        items = Controller(self.store, Request("items"))
        lists = Controller(self.store, Request("lists"))
        items.add_observer(ignore)
        lists.add_observer(ignore)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for closed in (items, self.store):
                with self.assertRaises(ResourceWarning):
                    closed.close()
                self.assertTrue(closed.closed)

    def test_until_then_does_not_warn(self):
        items = Controller(self.store, Request("items"))
        items.add_observer(ignore)
        with self.warns():
            items.perform_fetch()
            items.close()
            Controller(self.store, Request("items")).close()
            self.store.close()
            self.store.close()


if __name__ == "__main__":
    unittest.main()
