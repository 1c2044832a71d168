"""Functions that are called when a round is over."""

from __future__ import annotations

import gc
import unittest
import weakref

from support import StoreTestCase

from fetchedresults import ClosedError, FetchedResultsError, Observer, Request, Store

FAILING = Request("items", "abs(-9223372036854775806 - id) > 0", sort="name")


class AfterRounds(StoreTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.reported: list = []
        self.items = self.store.fetch("items", sort="name")
        self.items.add_observer(lambda changes: self.reported.append("changes"))

    def call_later(self) -> None:
        self.store.call_after_round(self.reported.append)

    def write(self) -> None:
        self.store.execute("UPDATE items SET rank = rank + 1 WHERE id = 3")

    def in_a_callback(self, act) -> None:
        class Acting(Observer):
            def will_change(self, controller):
                acting.cancel()
                act()

        acting = self.items.add_observer(Acting())

    def test_are_called_after_all_observers(self):
        self.in_a_callback(self.call_later)
        self.write()
        self.assertEqual(self.reported, ["changes", None])
        self.write()
        self.assertEqual(self.reported, ["changes", None, "changes"])

    def test_are_called_with_the_next_round_outside_of_callbacks(self):
        self.call_later()
        self.assertEqual(self.reported, [])
        self.write()
        self.assertEqual(self.reported, ["changes", None])

    def test_are_called_also_if_nothing_was_delivered(self):
        self.call_later()
        self.store.dispatch()
        self.assertEqual(self.reported, [None])
        self.call_later()
        with self.store.transaction():
            self.write()
            self.assertEqual(self.reported, [None])
        self.assertEqual(self.reported, [None, "changes", None])

    def test_receive_what_failed_before_the_delegates_are_reported(self):
        reported, items = self.reported, self.items

        class Failed(Observer):
            def did_fail(self, controller, error):
                reported.append("failed")

        self.items.add_observer(Failed())

        def act():
            items.request = FAILING
            self.call_later()

        self.in_a_callback(act)
        with self.assertRaisesRegex(FetchedResultsError, "integer overflow") as caught:
            self.write()
        error = reported[1]
        self.assertEqual(reported, ["changes", error, "failed"])
        self.assertEqual((str(error), error.code, "abs(" in error.sql), ("integer overflow", 1, True))
        self.assertEqual(str(caught.exception), str(error))

    def test_that_raise_have_the_call_that_delivered_raise(self):
        def fail(error):
            raise KeyError("after")

        self.store.call_after_round(fail)
        self.call_later()
        with self.assertRaisesRegex(KeyError, "after"):
            self.write()
        self.assertEqual(self.reported, ["changes", None])

    def test_of_closed_stores_are_dropped(self):
        class Function:
            def __call__(self, error):
                raise AssertionError

        function = Function()
        dropped = weakref.ref(function)
        store = Store()
        store.call_after_round(function)
        del function
        gc.collect()
        self.assertIsNotNone(dropped())
        store.close()
        gc.collect()
        self.assertIsNone(dropped())
        with self.assertRaises(ClosedError):
            store.call_after_round(print)

    def test_need_a_function(self):
        with self.assertRaises(TypeError):
            self.store.call_after_round(None)


class Failures(StoreTestCase):
    def test_of_lists_that_are_behind_are_available(self):
        items = self.store.fetch("items", "abs(-9223372036854775807 + CAST(rank AS INT)) > 0", sort="name")
        self.assertIsNone(items.failure)
        self.store.execute("UPDATE items SET rank = -1 WHERE id = 1")
        self.assertEqual((str(items.failure), items.failure.code), ("integer overflow", 1))
        items.pause()
        self.assertIsNone(items.failure)
        with self.assertRaisesRegex(FetchedResultsError, "integer overflow"):
            items.resume()
        self.assertIsNotNone(items.failure)
        self.store.execute("UPDATE items SET rank = 1 WHERE id = 1")
        self.assertIsNone(items.failure)

    def test_of_a_list_that_was_behind_are_not_raised_by_a_resume_that_waits(self):
        items = self.store.fetch("items", "abs(-9223372036854775807 + CAST(rank AS INT)) > 0", sort="name")
        self.store.execute("UPDATE items SET rank = -1 WHERE id = 1")
        items.pause()
        with self.store.transaction():
            items.resume()
            self.store.execute("UPDATE items SET rank = 1 WHERE id = 1")
        self.assertIsNone(items.failure)


class Caches(StoreTestCase):
    def test_have_limits_that_can_be_read(self):
        items = self.store.fetch("items")
        self.assertEqual((items.row_cache_size, items.row_cache_bytes), (1000, 8 << 20))
        items.row_cache_size, items.row_cache_bytes = 300, 4096
        self.assertEqual((items.row_cache_size, items.row_cache_bytes), (300, 4096))


if __name__ == "__main__":
    unittest.main()
