"""Stores measure their rounds if they are asked to."""

from __future__ import annotations

import time

from support import StoreTestCase

from fetchedresults import ClosedError, DeliveryTimes


class Times(StoreTestCase):
    def test_are_of_the_rounds_that_were_measured(self):
        items = self.store.fetch("items", sort="name")
        observation = items.add_observer(lambda changes: time.sleep(0.002))
        self.store.execute("UPDATE items SET name = name || '1'")
        self.assertEqual(self.store.delivery_times, DeliveryTimes(0, 0, 0, 0, 0, 0, 0))
        self.store.measure()
        self.store.execute("UPDATE items SET name = name || '2'")
        once = self.store.delivery_times
        self.assertEqual(once.rounds, 1)
        self.assertGreaterEqual(once.notifying, 2_000_000)
        self.assertGreater(once.preparing, 0)
        self.assertEqual(
            (once.finding, once.preparing, once.notifying),
            (once.last_finding, once.last_preparing, once.last_notifying),
        )
        with self.store.transaction():
            self.store.execute("DELETE FROM items WHERE id = 1")
        twice = self.store.delivery_times
        self.assertEqual(twice.rounds, 2)
        self.assertEqual(twice.preparing, once.preparing + twice.last_preparing)
        self.assertEqual(twice.notifying, once.notifying + twice.last_notifying)
        self.store.measure(False)
        self.store.execute("DELETE FROM items")
        self.assertEqual(self.store.delivery_times, twice)
        self.assertIn(f"fetchedresults_rounds_preparing_nanoseconds_total {twice.preparing}\n", twice.prometheus())
        observation.cancel()
        self.store.close()
        with self.assertRaises(ClosedError):
            self.store.measure()
