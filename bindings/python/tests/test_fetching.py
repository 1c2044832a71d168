"""Fetches that report their progress, and fetches in the background."""

from __future__ import annotations

import asyncio
import gc
import selectors
import time
import unittest

from support import StoreTestCase, names

from fetchedresults import (
    CancelledError,
    Collection,
    FetchedResultsError,
    MisuseError,
    NotFoundError,
    RangeError,
    Request,
    SchemaError,
    SelectRequest,
    Status,
)

ROWS = 5000


class Failure(Exception):
    pass


class Progress(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.store.executemany("INSERT INTO items (name) VALUES (?)", ((f"{number:05}",) for number in range(ROWS)))
        self.items = self.store.controller(Request("items", sort="name"))

    def test_is_reported_during_the_fetch(self):
        reported = []
        self.items.perform_fetch(reported.append)
        self.assertEqual(reported, sorted(reported))
        self.assertGreater(len(reported), 2)
        self.assertEqual(self.items.count, ROWS + 3)

    def test_cancels_by_returning_false(self):
        with self.assertRaises(CancelledError):
            self.items.perform_fetch(lambda rows: False)
        self.assertFalse(self.items.is_fetched)

    def test_cancels_by_raising(self):
        def fail(rows):
            raise Failure

        with self.assertRaises(Failure) as caught:
            self.items.perform_fetch(fail)
        self.assertIsInstance(caught.exception.__context__, CancelledError)
        self.assertFalse(self.items.is_fetched)


class Background(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.store = self.open(self.folder() / "a.db")
        self.store.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)")
        self.store.executemany("INSERT INTO items (name) VALUES (?)", ((f"{number:05}",) for number in range(ROWS)))
        self.items = self.store.controller(Request("items", sort="name"))
        self.ended: list = []

    def run_until(self, condition) -> None:
        end = time.monotonic() + 20
        while not condition():
            self.assertLess(time.monotonic(), end)
            self.store.wait(0.5)

    def test_shows_the_list_when_it_was_taken_over(self):
        reported = []
        self.items.perform_fetch_async(self.ended.append, reported.append)
        self.assertFalse(self.items.is_fetched)
        self.run_until(lambda: self.ended)
        self.assertEqual((self.ended, self.items.count), ([None], ROWS))
        self.assertEqual(reported, sorted(reported))
        self.assertEqual(self.items[0, 0].name, "00000")

    def test_has_what_was_committed_meanwhile(self):
        self.items.perform_fetch_async(self.ended.append)
        self.store.insert("items", name="!")
        self.run_until(lambda: self.ended)
        self.assertEqual((self.items.count, self.items[0, 0].name), (ROWS + 1, "!"))

    def test_needs_no_completion(self):
        self.items.perform_fetch_async()
        self.run_until(lambda: self.items.is_fetched)

    def test_can_be_cancelled(self):
        self.items.perform_fetch_async(self.ended.append)
        self.items.cancel_fetch()
        self.run_until(lambda: self.ended)
        self.assertIsInstance(self.ended[0], CancelledError)
        self.assertFalse(self.items.is_fetched)
        with self.assertRaises(NotFoundError):
            self.items.cancel_fetch()

    def test_errors_report_message_code_and_statement(self):
        items = self.store.controller(Request("items", predicate="abs(id) >= 0", sort="name"))
        self.store.execute("INSERT INTO items (id) VALUES (-9223372036854775807 - 1)")
        items.perform_fetch_async(self.ended.append)
        self.run_until(lambda: self.ended)
        with self.assertRaises(FetchedResultsError) as caught:
            items.perform_fetch()
        (error,) = self.ended
        self.assertEqual(
            (type(error), error.status, error.code, error.message, error.sql),
            (type(caught.exception), Status.ERROR, 1, caught.exception.message, caught.exception.sql),
        )
        self.assertIn("abs(id)", error.sql)

    def test_errors_without_a_completion_are_raised_by_dispatch(self):
        self.items.perform_fetch_async()
        self.items.cancel_fetch()
        with self.assertRaises(CancelledError):
            self.run_until(lambda: self.items.is_fetched)

    def test_completions_that_raise_are_raised_by_dispatch(self):
        def fail(error):
            raise Failure

        self.items.perform_fetch_async(fail)
        with self.assertRaises(Failure):
            self.run_until(lambda: False)
        self.assertTrue(self.items.is_fetched)

    def test_shows_the_children_of_a_collection_together(self):
        names = self.store.controller(Request("items", predicate="id < 10"))
        collection = Collection([self.items, names])
        collection.perform_fetch_async(self.ended.append)
        with self.assertRaises(MisuseError):
            self.items.perform_fetch_async(self.ended.append)
        self.store.insert("items", name="!")
        self.assertFalse(self.items.is_fetched)
        self.run_until(lambda: self.ended)
        self.assertEqual(self.ended, [None])
        self.assertEqual((collection.count, self.items.count, names.count), (ROWS + 1 + 9, ROWS + 1, 9))

    def test_of_a_collection_can_be_cancelled(self):
        collection = Collection([self.items])
        collection.perform_fetch_async()
        collection.cancel_fetch()
        with self.assertRaises(CancelledError):
            self.run_until(lambda: collection.is_fetched)
        with self.assertRaises(NotFoundError):
            collection.cancel_fetch()

    def test_of_a_collection_of_nothing_ends_immediately(self):
        Collection().perform_fetch_async(self.ended.append)
        self.assertEqual(self.ended, [None])

    def test_is_one_at_a_time(self):
        self.items.perform_fetch_async(self.ended.append)
        with self.assertRaises(MisuseError):
            self.items.perform_fetch_async(self.ended.append)
        self.run_until(lambda: self.ended)
        self.items.perform_fetch_async(self.ended.append)
        self.run_until(lambda: len(self.ended) == 2)
        self.assertEqual(self.ended, [None, None])

    def test_of_a_dropped_or_closed_controller_is_not_reported(self):
        self.items.perform_fetch_async(self.ended.append)
        self.items.close()
        lost = self.store.controller(Request("items"))
        lost.perform_fetch_async(self.ended.append)
        del lost
        gc.collect()
        for _ in range(5):
            self.store.wait(0.05)
        self.assertEqual(self.ended, [])

    def test_of_a_database_in_memory_is_read_by_dispatch(self):
        store = self.open()
        store.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)")
        rows = store.controller(Request("t"))
        rows.perform_fetch_async(self.ended.append)
        store.wait(5)
        self.assertEqual((self.ended, len(rows)), ([None], 1))


class Waiting(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.queued = self.open(queued=True)
        self.queued.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)")
        self.rows = self.queued.fetch("t")
        self.queued.dispatch()

    def test_ends_when_there_is_something_to_dispatch(self):
        self.queued.insert("t")
        self.queued.wait()
        self.assertEqual(self.rows.count, 1)

    def test_ends_after_the_time(self):
        start = time.monotonic()
        self.queued.wait(0.1)
        self.assertGreaterEqual(time.monotonic() - start, 0.09)
        self.queued.wait(0)

    def test_can_be_left_to_selectors(self):
        with selectors.DefaultSelector() as selector:
            selector.register(self.queued, selectors.EVENT_READ)
            self.assertEqual(selector.select(0), [])
            self.queued.insert("t")
            self.assertEqual([key.fileobj for key, _ in selector.select(5)], [self.queued])
            self.queued.dispatch()
            self.assertEqual(selector.select(0), [])
        self.assertEqual(self.rows.count, 1)

    def test_can_be_left_to_asyncio(self):
        async def main():
            reported = asyncio.get_running_loop().create_future()
            self.rows.add_observer(reported.set_result)
            asyncio.get_running_loop().add_reader(self.queued, self.queued.dispatch)
            self.queued.insert("t")
            try:
                return await asyncio.wait_for(reported, 5)
            finally:
                asyncio.get_running_loop().remove_reader(self.queued)

        self.assertEqual(len(asyncio.run(main())), 1)


class Cache(StoreTestCase):
    def test_has_a_size(self):
        items = self.store.fetch("items", sort="name", batch_size=1)
        items.set_row_cache_size(2)
        for _ in range(2):
            self.assertEqual(names(items), [["apple", "bread", "cider"]])
        with self.assertRaises(RangeError):
            items.set_row_cache_size(-1)

    def test_has_a_limit_in_bytes(self):
        items = self.store.fetch("items", sort="name", batch_size=1)
        items.set_row_cache_bytes(0)
        for _ in range(2):
            self.assertEqual(names(items), [["apple", "bread", "cider"]])
        with self.assertRaises(RangeError):
            items.set_row_cache_bytes(-1)


class WholeSelects(StoreTestCase):
    SQL = """
        SELECT lists.id AS list, title, count(*) AS n FROM lists JOIN items ON list_id = lists.id
        GROUP BY 1 HAVING n > ? ORDER BY title
    """

    def test_are_lists_that_follow_their_tables(self):
        lists = self.store.fetch_select(self.SQL, (0,), identity="list")
        reported = []
        lists.add_observer(reported.append)
        self.assertEqual(
            [(each.identity, each.title, each.n) for each in lists.objects], [(2, "Home", 1), (1, "Shop", 2)]
        )
        self.store.insert("items", name="x", list_id=2)
        self.assertEqual([each.n for each in lists.objects], [2, 2])
        self.assertEqual([change.changed_columns for change in reported[0]], [("n",)])
        self.assertIn("SELECT", repr(lists))

    def test_may_have_sections(self):
        request = SelectRequest(
            "SELECT id, name, list_id FROM items ORDER BY list_id DESC, name", identity=["id"], section="list_id"
        )
        items = self.store.controller(request)
        items.perform_fetch()
        self.assertEqual([section.value for section in items], [2, 1])
        items.request = request.replace(sql="SELECT id, name, list_id FROM items ORDER BY list_id, name")
        self.assertEqual(names(items), [["apple", "bread"], ["cider"]])

    def test_with_a_fault_name_it(self):
        with self.assertRaisesRegex(SchemaError, "nothing"):
            self.store.fetch_select("SELECT id FROM items", identity="nothing")


if __name__ == "__main__":
    unittest.main()
