"""Lists that are cached by name, from one opening of a store to the next."""

from __future__ import annotations

import unittest
from typing import Any

from support import StoreTestCase, identities

from fetchedresults import (
    ClosedError,
    Collection,
    Controller,
    DatabaseIOError,
    Request,
    SelectRequest,
    Store,
    delete_all_caches,
    delete_cache,
)

SCHEMA = """
CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, kind TEXT);
INSERT INTO items VALUES (1, 'c', 'x'), (2, 'b', 'y'), (3, 'a', 'x');
"""


class ListCacheTest(StoreTestCase):
    def setUp(self) -> None:
        self.directory = self.folder()
        with self.opened() as store:
            store.executescript(SCHEMA)

    def opened(self) -> Store:
        return Store(self.directory / "items.db", cache_directory=self.directory / "lists")

    def fetched(self, store: Store, **changes: Any) -> Controller:
        request = Request("items", sort="name", section="kind", cache_name="items").replace(**changes)
        return Controller(store, request, fetch=True)

    def fetch(self, **changes: Any) -> tuple[list, int]:
        """What a new start shows, and how many lists it read from the cache."""
        with self.opened() as store:
            controller = self.fetched(store, **changes)
            return identities(controller), controller.counters.cached_fetches

    def test_the_next_start_reads_the_list_from_the_cache(self) -> None:
        self.assertEqual(self.fetch(), ([[3, 1], [2]], 0))
        self.assertEqual(self.fetch(), ([[3, 1], [2]], 1))

    def test_what_changed_while_it_was_shown_is_cached(self) -> None:
        with self.opened() as store:
            controller = self.fetched(store)
            store.update("items", 3, name="z")
            self.assertEqual(controller.counters.rereads[0], 1)
        self.assertEqual(self.fetch(), ([[1, 3], [2]], 1))

    def test_a_commit_after_it_makes_a_cached_list_stale(self) -> None:
        self.fetch()
        with self.opened() as store:
            store.delete("items", 2)
        self.assertEqual(self.fetch(), ([[3, 1]], 0))

    def test_another_request_of_the_name_is_read(self) -> None:
        self.fetch(predicate="id > ?", params=[1])
        self.assertEqual(self.fetch(predicate="id > ?", params=[2]), ([[3]], 0))
        self.assertEqual(self.fetch(predicate="id > ?", params=[2]), ([[3]], 1))

    def test_a_whole_select_is_cached(self) -> None:
        request = SelectRequest("SELECT id FROM items ORDER BY name", identity="id", cache_name="select")
        for cached in (0, 1):
            with self.opened() as store:
                controller = Controller(store, request, fetch=True)
                self.assertEqual(identities(controller), [[3, 2, 1]])
                self.assertEqual(controller.counters.cached_fetches, cached)

    def test_a_collection_reports_the_cache_names_of_its_lists(self) -> None:
        with self.opened() as store:
            children = [store.controller(Request("items", cache_name="all")), store.controller(Request("items"))]
            collection = Collection(children)
            self.assertEqual(collection.cache_names, ["all", None])

    def test_caches_are_deleted_by_name_or_all_together(self) -> None:
        self.fetch()
        with self.opened() as store:
            store.delete_cache("another")
        self.assertEqual(self.fetch()[1], 1)
        with self.opened() as store:
            store.delete_cache("items")
        self.assertEqual(self.fetch()[1], 0)
        with self.opened() as store:
            store.delete_all_caches()
        self.assertEqual(self.fetch()[1], 0)
        self.assertRaises(ClosedError, store.delete_all_caches)

    def test_caches_are_deleted_without_an_open_store(self) -> None:
        path, lists = self.directory / "items.db", self.directory / "lists"
        self.fetch()
        delete_cache(path, "another", cache_directory=lists)
        delete_cache(self.directory / "another.db", "items", cache_directory=str(lists))
        self.assertEqual(self.fetch()[1], 1)
        delete_cache(str(path), "items", cache_directory=lists)
        self.assertEqual(self.fetch()[1], 0)
        delete_all_caches(path, cache_directory=lists)
        self.assertEqual(self.fetch()[1], 0)
        path.unlink()
        delete_all_caches(path, cache_directory=lists)
        self.assertEqual(list(lists.iterdir()), [])
        with self.assertRaises(TypeError):
            delete_cache(path, None)  # type: ignore[arg-type]
        with self.assertRaises(ValueError):
            delete_all_caches("a\0b")

    def test_caches_in_a_directory_of_others_are_not_deleted(self) -> None:
        self.fetch()
        lists = self.directory / "lists"
        lists.chmod(0o777)
        with self.assertRaises(DatabaseIOError):
            delete_cache(self.directory / "items.db", "items", cache_directory=lists)
        with self.assertRaises(DatabaseIOError):
            delete_all_caches(self.directory / "items.db", cache_directory=lists)
        lists.chmod(0o700)
        self.assertEqual(self.fetch()[1], 1)

    def test_a_list_that_cannot_be_cached_is_reported_when_the_store_closes(self) -> None:
        (self.directory / "lists").write_text("a file")
        store = self.opened()
        controller = self.fetched(store)
        self.assertEqual(identities(controller), [[3, 1], [2]])
        with self.assertRaisesRegex(DatabaseIOError, 'the list "items" could not be cached: .*Not a directory'):
            store.close()
        self.assertTrue(store.closed)
        store.close()
        with self.assertRaises(DatabaseIOError), self.opened() as store:
            self.fetched(store)
        with self.assertRaises(ZeroDivisionError), self.opened() as store:
            self.fetched(store)
            _ = 1 / 0
        self.assertTrue(store.closed)

    def test_a_list_that_cannot_be_cached_is_reported_when_it_is_closed(self) -> None:
        (self.directory / "lists").write_text("a file")
        store = self.opened()
        controller = self.fetched(store)
        with self.assertRaisesRegex(DatabaseIOError, 'the list "items" could not be cached: .*Not a directory'):
            controller.close()
        self.assertTrue(controller.closed)
        controller.close()
        del controller
        dropped = self.fetched(store)
        del dropped
        with self.assertRaises(DatabaseIOError), self.fetched(store):
            pass
        with self.assertRaises(ZeroDivisionError), self.fetched(store):
            _ = 1 / 0
        dropped = self.fetched(store)
        del dropped
        with self.assertRaisesRegex(DatabaseIOError, "could not be cached"):
            store.close()

    def test_a_name_is_a_text_that_is_not_empty(self) -> None:
        for request in (Request, SelectRequest):
            with self.assertRaises(ValueError):
                request("items", cache_name="")
        with self.opened() as store:
            with self.assertRaises(TypeError):
                store.delete_cache(None)  # type: ignore[arg-type]
            with self.assertRaises(TypeError):
                store.controller(Request("items", cache_name=5))  # type: ignore[arg-type]


if __name__ == "__main__":
    unittest.main()
