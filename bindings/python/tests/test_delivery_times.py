"""Stores measure their rounds if they are asked to."""

from __future__ import annotations

import time

from support import StoreTestCase

from fetchedresults import ClosedError, DeliveryTimes, Phases


class Times(StoreTestCase):
    def test_are_of_the_rounds_that_were_measured(self):
        items = self.store.fetch("items", sort="name")
        observation = items.add_observer(lambda changes: time.sleep(0.002))
        self.store.execute("UPDATE items SET name = name || '1'")
        self.assertEqual(self.store.delivery_times, DeliveryTimes(0, 0, 0, 0, 0, 0, Phases(0, 0, 0, 0, 0)))
        self.store.measure()
        self.store.execute("UPDATE items SET name = name || '2'")
        once = self.store.delivery_times
        self.assertEqual(once.rounds, 1)
        self.assertGreaterEqual(once.notifying, 2_000_000)
        self.assertGreater(min(once.capturing, once.reading, once.building), 0)
        self.assertEqual(once.last, Phases(once.capturing, once.finding, once.reading, once.building, once.notifying))
        with self.store.transaction():
            self.store.execute("DELETE FROM items WHERE id = 1")
        twice = self.store.delivery_times
        self.assertEqual(twice.rounds, 2)
        self.assertEqual(twice.building, once.building + twice.last.building)
        self.assertEqual(twice.notifying, once.notifying + twice.last.notifying)
        self.store.measure(False)
        self.store.execute("DELETE FROM items")
        self.assertEqual(self.store.delivery_times, twice)
        for phase in ("capturing", "finding", "reading", "building", "notifying"):
            line = f"fetchedresults_rounds_{phase}_nanoseconds_total {getattr(twice, phase)}\n"
            self.assertIn(line, twice.prometheus())
        observation.cancel()
        self.store.close()
        with self.assertRaises(ClosedError):
            self.store.measure()
